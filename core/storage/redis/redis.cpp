#include "core/dict/batch_size.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/error.h"
#include "core/storage/redis/level.h"
#include "core/storage/remote.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

using namespace redis;

constexpr size_t answer_limit = size_t{256} << 20;
constexpr int rounds = 1 << 20;

NodePtr opened_root(const Address& address, const RemoteOptions& options, bool write) {
  auto dict = std::make_shared<RemoteDict>(address, options.timeout_ms, write);
  Moment first = dict->look("", nullptr);
  const Dims batch = first.layout.batch;
  dict->set_batch(first.layout);
  if (!first.layout.stack) return Persistent::make(std::make_shared<Level>(dict, ""), {batch, SIZE_MAX, true});
  const RemoteDict::Inside all_of_it(*dict, first);  // so that no member asks for it again
  Nodes members;
  for (int64_t i = 0; i < first.layout.stack->count; ++i)
    members.push_back(
        Persistent::make(std::make_shared<Level>(dict, "", static_cast<size_t>(i)), {batch, SIZE_MAX, true}));
  return LazyStack::make(std::move(members), static_cast<int64_t>(first.layout.stack->dim), batch);
}

// In a pattern of SCAN these characters stand for themselves.
std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The ids of which the server has a key with that ending.
void scan(Connection& server, const std::string& ending, std::set<std::string>& ids) {
  const std::string begin = server.address().prefix + ":{", end = "}:" + ending;
  std::string cursor = "0";
  for (int round = 0; round < rounds; ++round) {
    Request request;
    request.add({"SCAN", cursor, "MATCH", escaped(begin) + '*' + escaped(end), "COUNT", "1000"});
    const std::vector<Reply> replies = server.ask(request, answer_limit, Connection::Lost::ask_again);
    const std::vector<Reply>& answer = list_of(replies[0]);
    if (answer.size() != 2) throw Error(Code::corrupt, "the server's answer to SCAN has other parts");
    for (const Reply& key : list_of(answer[1])) {
      const std::string& name = text_of(key);
      const bool ours = name.size() > begin.size() + end.size() && name.compare(0, begin.size(), begin) == 0;
      if (ours && ends_with(name, end)) ids.insert(name.substr(begin.size(), name.size() - begin.size() - end.size()));
    }
    cursor = text_of(answer[0]);
    if (cursor == "0") return;
  }
  throw Error(Code::corrupt, "the server does not end its list");
}

Error named(Error e, const Address& address) {
  if (e.where().empty()) e.where(address.text);
  return e;
}

// In `request`, so that it is all or nothing; false if others were faster.
bool change_watched(Connection& server, const Request& request) {
  const optional<std::vector<Reply>> results = server.transaction(request, answer_limit, Connection::Lost::fail);
  if (!results) return false;
  for (const Reply& reply : *results) accepted(reply);
  return true;
}

void create(const Address& address, const RemoteOptions& options) {
  Connection server(address, options.timeout_ms);
  const Keys keys(address);
  auto taken = [&] {
    return Error(Code::exists, "the server already has a dict with this id")
        .hint_naming("open it with {remote_open}, or delete it");
  };
  Request first;
  first.add({"WATCH", keys.batch(), keys.type()}).add({"EXISTS", keys.batch(), keys.type(), keys.paths()});
  const std::vector<Reply> there = server.ask(first, answer_limit, Connection::Lost::ask_again);
  accepted(there[0]);
  if (integer_of(there[1]) != 0) throw taken();
  Request made;
  made.add({"SET", keys.batch(), json_list(options.batch)}).add({"SET", keys.device(), ""});
  made.add({"DEL", keys.labels(), keys.version()}).add({"INCR", keys.version()});
  if (!change_watched(server, made)) throw taken();
}

bool try_delete(Connection& server, const Keys& keys) {
  Request first;
  first.add({"WATCH", keys.batch(), keys.type(), keys.paths()})
      .add({"EXISTS", keys.batch(), keys.type(), keys.paths()})
      .add({"SMEMBERS", keys.paths()});
  const std::vector<Reply> there = server.ask(first, answer_limit, Connection::Lost::ask_again);
  accepted(there[0]);
  if (integer_of(there[1]) == 0)
    throw Error(Code::not_found, "the server has no dict with this id").hint_naming("{remote_list} names those it has");
  Request gone;
  for (const Reply& path : list_of(there[2]))
    gone.add({"DEL", keys.values(text_of(path)), keys.meta(path.text), keys.values(path.text) + ":idx"});
  Request::Words all{"DEL"};
  for (const std::string& key : keys.of_all()) all.push_back(key);
  gone.add(all);
  return change_watched(server, gone);
}

}  // namespace

bool has_redis() {
  return true;
}

NodePtr open_remote(const std::string& url, const RemoteOptions& options) {
  const Address address = parse_url(url, Id::needed);
  try {
    return opened_root(address, options, options.write);
  } catch (Error& e) {
    // Entries that do not have the batch size were damaged by other software.
    if (e.code() == Code::shape) throw named(Error(Code::corrupt, e.message()).key(e.key()).hint(e.hint()), address);
    throw named(e, address);
  }
}

NodePtr create_remote(const std::string& url, const RemoteOptions& options) {
  const Address address = parse_url(url, Id::needed);
  checked_numel(options.batch, 1);
  try {
    create(address, options);
    return opened_root(address, options, true);
  } catch (Error& e) {
    throw named(e, address);
  }
}

std::vector<std::string> list_remotes(const std::string& url, const RemoteOptions& options) {
  const Address address = parse_url(url, Id::refused);
  try {
    Connection server(address, options.timeout_ms);
    std::set<std::string> ids;
    scan(server, "__batch_size__", ids);
    scan(server, "__type__", ids);
    return {ids.begin(), ids.end()};
  } catch (Error& e) {
    throw named(e, address);
  }
}

void remove_remote(const std::string& url, const RemoteOptions& options) {
  const Address address = parse_url(url, Id::needed);
  try {
    Connection server(address, options.timeout_ms);
    const Keys keys(address);
    for (int attempt = 0; attempt < 16; ++attempt)
      if (try_delete(server, keys)) return;
    throw Error(Code::busy, "other processes change the dict meanwhile").hint("try again");
  } catch (Error& e) {
    throw named(e, address);
  }
}

}  // namespace td::storage
