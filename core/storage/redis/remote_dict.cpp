#include "core/storage/redis/remote_dict.h"

#include <utility>

#include "core/error.h"
#include "core/storage/redis/fetch.h"

namespace td::storage::redis {

namespace {

// Of what describes a dict: so much a server may send for it.
constexpr size_t description_limit = size_t{256} << 20;
constexpr int attempts = 16;

}  // namespace

RemoteDict::RemoteDict(Address address, int64_t timeout_ms, bool writable)
    : connection_(std::move(address), timeout_ms), keys_(connection_.address()), writable_(writable) {}

void RemoteDict::close() {
  std::lock_guard<std::mutex> guard(mutex_);
  closed_ = true;
  connection_.close();
}

Connection& RemoteDict::server() const {
  if (closed_) throw Error(Code::closed, "the dict is closed").hint("open it again");
  return connection_;
}

void RemoteDict::set_batch(const Layout& layout) const {
  std::lock_guard<std::mutex> guard(mutex_);
  batch_ = layout.batch;
  stack_ = layout.stack;
}

void RemoteDict::ask_all(Request& request) const {
  ask_root(request, keys_);
  if (is_stack_) ask_stack(request, keys_);
}

optional<Layout> RemoteDict::parse_all(const Reply* next) const {
  Layout layout = parse_root(next);
  const bool stack = bool(layout.stack);
  if (batch_ && stack != bool(stack_))
    throw Error(Code::closed, "another process has put something else under this id").hint("open it again");
  if (stack != is_stack_) {
    is_stack_ = stack;
    return nullopt;
  }
  if (stack) parse_stack(next + root_answers, layout);
  return layout;
}

void RemoteDict::check_batch_of(const Layout& layout) const {
  if (batch_ && layout.stack && !(*layout.stack == *stack_))
    throw Error(Code::shape, "another process has changed the number of members of the lazy stack")
        .hint("open it again");
  if (!batch_ || *batch_ == layout.batch) return;
  throw Error(Code::shape, "another process has changed the batch size from " + to_string(*batch_) + " to " +
                               to_string(layout.batch))
      .hint("open the dict again");
}

// Asks for what was there the last time, and again if that has changed: usually one round trip.
Moment RemoteDict::look(const std::string& path, const IndexList* part, Values values, optional<size_t> member) const
    try {
  std::lock_guard<std::mutex> guard(mutex_);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::shared_ptr<const Layout> last = last_;
    Request request;
    ask_all(request);
    size_t next = all_answers();
    struct Asked {
      const std::string* path;
      const Leaf* leaf;
      bool wanted;  // with its value
      optional<Fetch> fetch;
      optional<Error> refused;  // an index that does not fit the sizes that were there the last time
    };
    std::vector<Asked> asked;
    size_t limit = description_limit;
    if (last) {
      for (const auto& [name, leaf] : last->leaves) {
        if (name != path && !is_below(name, path)) continue;
        const bool wanted = part && (values == Values::below || name == path);
        asked.push_back({&name, &leaf, wanted, nullopt, nullopt});
        ask_leaf(request, keys_, name, is_stack_);
        if (!wanted || !leaf.why.empty() || (!leaf.dtype && !leaf.is_data)) continue;
        try {
          if (is_stack_)
            asked.back().fetch.emplace(leaf, member);
          else
            asked.back().fetch.emplace(leaf, *part);
        } catch (const Error& e) {
          asked.back().refused = e;
          continue;
        }
        asked.back().fetch->ask(request, keys_.values(name));
        limit += static_cast<size_t>(asked.back().fetch->bytes());
      }
    }
    optional<std::vector<Reply>> results = server().transaction(request, limit, Connection::Lost::ask_again);
    if (!results) throw Error(Code::corrupt, "the server did not run a transaction without conditions");
    std::vector<Reply>& replies = *results;
    optional<Layout> now = parse_all(replies.data());
    if (!now) {
      last_ = nullptr;
      continue;
    }
    auto layout = std::make_shared<Layout>(std::move(*now));
    check_batch_of(*layout);
    Moment moment;
    bool as_before = true;
    std::set<std::string> seen;
    for (const Asked& a : asked) {
      Leaf leaf = parse_leaf(&replies[next], *layout, a.leaf);
      next += leaf_answers;
      const size_t first = next;
      if (a.fetch) next += a.fetch->answers();
      auto there = layout->leaves.find(*a.path);
      if (there == layout->leaves.end()) continue;
      seen.insert(*a.path);
      if (a.wanted && !leaf.same_as(*a.leaf)) as_before = false;
      if (a.refused && as_before) throw *a.refused;
      if (a.fetch && as_before) moment.values[value_key(*a.path, member)] = a.fetch->take(replies, first);
      there->second = std::move(leaf);
    }
    for (auto& [name, leaf] : layout->leaves) {
      if (seen.count(name)) continue;
      if (name == path || is_below(name, path)) as_before = false;
      if (last)
        if (auto old = last->leaves.find(name); old != last->leaves.end()) leaf = old->second;
    }
    last_ = layout;
    if (!as_before) continue;
    moment.layout = *layout;
    return moment;
  }
  throw Error(Code::busy, "the dict changes faster than it can be read").hint("try again");
} catch (Error& e) {
  throw e.where(text());
}

Moment* RemoteDict::current() const {
  std::lock_guard<std::mutex> guard(moments_mutex_);
  auto found = moments_.find(std::this_thread::get_id());
  return found == moments_.end() ? nullptr : found->second;
}

RemoteDict::Inside::Inside(const RemoteDict& dict, Moment& moment) : dict_(dict) {
  std::lock_guard<std::mutex> guard(dict.moments_mutex_);
  Moment*& slot = dict.moments_[std::this_thread::get_id()];
  around_ = std::exchange(slot, &moment);
}

RemoteDict::Inside::~Inside() {
  std::lock_guard<std::mutex> guard(dict_.moments_mutex_);
  if (around_)
    dict_.moments_[std::this_thread::get_id()] = around_;
  else
    dict_.moments_.erase(std::this_thread::get_id());
}

bool RemoteDict::unchanged(const Moment& moment, const std::vector<Reply>& replies, optional<int64_t> version) const {
  const optional<Layout> parsed = parse_all(&replies[1]);  // the first answer is that of WATCH
  if (!parsed) return false;
  const Layout& now = *parsed;
  check_batch_of(now);
  if (version && now.version != *version)
    throw Error(Code::busy, "the dict has version " + std::to_string(now.version) + ", not " + std::to_string(*version))
        .hint("read it again, and base the update on that");
  // Others may add and remove what is elsewhere.
  auto matters = [&](const std::string& path) {
    for (const std::string& taken : moment.taken)
      if (path == taken || is_below(path, taken) || is_below(taken, path)) return true;
    return false;
  };
  for (const auto& leaf : now.leaves)
    if (!moment.before.leaves.count(leaf.first) && matters(leaf.first)) return false;
  for (const auto& leaf : moment.before.leaves)
    if (!now.leaves.count(leaf.first) && matters(leaf.first)) return false;
  size_t next = 1 + all_answers();
  for (const std::string& path : moment.as_they_are) {
    auto before = moment.before.leaves.find(path);
    const Leaf leaf = parse_leaf(&replies[next], now);
    if (before == moment.before.leaves.end() || !leaf.same_as(before->second)) return false;
    next += leaf_answers;
  }
  return true;
}

void RemoteDict::commit(Moment& moment, optional<int64_t> version) const {
  if (moment.commands.commands() == 0 && !version) return;
  std::lock_guard<std::mutex> guard(mutex_);
  try {
    send(moment, version);
  } catch (Error& e) {
    connection_.close();  // so that nothing is watched any more
    throw e.where(text());
  }
}

void RemoteDict::send(Moment& moment, optional<int64_t> version) const {
  Request::Words watched{"WATCH", keys_.batch()};
  if (is_stack_) watched.insert(watched.end(), {keys_.type(), keys_.count(), keys_.inner_batch()});
  if (version) watched.push_back(keys_.version());
  if (!moment.taken.empty()) watched.push_back(keys_.paths());
  for (const std::string& path : moment.as_they_are) watched.push_back(keys_.meta(path));
  Request first, changes = moment.commands;
  first.add(watched);
  ask_all(first);
  for (const std::string& path : moment.as_they_are) ask_leaf(first, keys_, path, is_stack_);
  changes.add({"INCR", keys_.version()});
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::vector<Reply> there = server().ask(first, description_limit, Connection::Lost::ask_again);
    accepted(there[0]);
    if (!unchanged(moment, there, version)) break;
    optional<std::vector<Reply>> done;
    try {
      done = server().transaction(changes, description_limit, Connection::Lost::fail);
    } catch (Error& e) {
      if (e.code() == Code::closed || e.code() == Code::timeout)
        e.hint_naming(
            "whether the change has arrived is not known: {remote_version} says whether the version is higher");
      throw;
    }
    if (!done) continue;
    for (const Reply& reply : *done) accepted(reply);
    moment.layout.version = integer_of(done->back());
    if (moment.batch) batch_ = moment.batch;
    last_ = std::make_shared<const Layout>(moment.layout);
    return;
  }
  throw Error(Code::busy, "another process changed the entries meanwhile").hint("nothing was written: try again");
}

}  // namespace td::storage::redis
