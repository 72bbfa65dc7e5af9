#include "core/storage/redis/level.h"

#include "core/error.h"
#include "core/storage/redis/edit.h"
#include "core/storage/redis/fetch.h"
#include "core/storage/redis/members.h"
#include "core/storage/redis/values.h"
#include "core/tensor/ops.h"

namespace td::storage::redis {

namespace {

bool has_node(const Layout& layout, const std::string& path) {
  const auto leaf = layout.leaves.lower_bound(path + separator);
  const auto label = layout.labels.lower_bound(path);
  return (leaf != layout.leaves.end() && is_below(leaf->first, path)) ||
         (label != layout.labels.end() && (label->first == path || is_below(label->first, path)));
}

at::Tensor picked(const at::Tensor& t, const IndexList& part) {
  if (part.empty()) return t;
  at::Tensor view = take_view(t, part);
  return has_tensors(part) ? at::index(view, advanced(part)) : view;
}

// A moment that this thread is in until it is dropped.
struct Held {
  RemoteDictPtr dict;
  Moment moment;
  optional<RemoteDict::Inside> inside;
};

class RemoteChange final : public Gathered {
 public:
  RemoteChange(RemoteDictPtr dict, optional<int64_t> version) : dict_(std::move(dict)), version_(version) {
    moment_ = dict_->look("", nullptr);
    moment_.begin_change();
    inside_.emplace(*dict_, moment_);
  }
  void commit() override {
    dict_->commit(moment_, version_);
    if (Moment* around = inside_->around()) around->follow(moment_.layout);
  }

 private:
  RemoteDictPtr dict_;
  optional<int64_t> version_;
  Moment moment_;
  optional<RemoteDict::Inside> inside_;
};

}  // namespace

const Moment& Level::at_moment(Moment& made, const std::string& path) const {
  if (const Moment* now = dict_->current()) return *now;
  return made = dict_->look(path, nullptr);
}

std::vector<std::string> Level::keys() const {
  Moment made;
  const Layout& layout = at_moment(made, path_).layout;
  const size_t begin = path_.empty() ? 0 : path_.size() + 1;
  std::set<std::string> found;
  auto add = [&](const std::string& path) {
    if (path != path_ && is_below(path, path_)) found.insert(path.substr(begin, path.find(separator, begin) - begin));
  };
  for (const auto& leaf : layout.leaves) add(leaf.first);
  for (const auto& label : layout.labels) add(label.first);
  return {found.begin(), found.end()};
}

Stored Level::look(std::string_view key) const {
  Stored stored;
  if (key.empty() || key.find(separator) != key.npos) return stored;
  const std::string path = path_of(key);
  Moment made;
  const Layout& layout = at_moment(made, path).layout;
  const auto found = layout.leaves.find(path);
  if (found == layout.leaves.end()) {
    if (has_node(layout, path)) stored.kind = Stored::Kind::node;
    return stored;
  }
  const Leaf& leaf = found->second;
  stored.kind = leaf.data || !leaf.why.empty() ? Stored::Kind::data : Stored::Kind::tensor;
  if (stored.kind == Stored::Kind::tensor) {
    const LeafType type = member_ ? member_type(leaf, *member_) : leaf.type;
    stored.type = type.dtype;
    stored.sizes = type.sizes;
    stored.counts = true;
  } else if (leaf.why.empty() && leaf.encoding == std::string("json_array")) {
    stored.sizes = layout.batch_of(path_);
    stored.stacked = !stored.sizes.empty();
  }
  return stored;
}

const Fetched& Level::fetched(Moment& made, const std::string& path, const IndexList& part) const {
  if (Moment* now = dict_->current()) {
    const Leaf& leaf = readable_leaf(now->layout, path);
    if (auto value = now->values.find(path); value != now->values.end()) {
      if (leaf.data) return value->second;
      const IndexList wanted = canonical(part, leaf.type.sizes);
      if (same_part(value->second.part, wanted)) return value->second;
      if (value->second.part.empty()) {
        Fetched& out = made.values[path];
        out.tensor = picked(value->second.tensor, wanted);
        return out;
      }
    }
  }
  made = dict_->look(path, &part, RemoteDict::Values::there);
  readable_leaf(made.layout, path);
  return made.values.at(path);
}

// From what the moment has of this member or of all; else from the server.
at::Tensor Level::read_member(const std::string& path, const IndexList& part) const {
  Moment made;
  const Moment* from = dict_->current();
  const std::string own = value_key(path, member_);
  if (!from || (!from->values.count(own) && !from->values.count(path))) {
    const IndexList all;
    made = dict_->look(path, &all, RemoteDict::Values::there, member_);
    from = &made;
  }
  const Leaf& leaf = readable_leaf(from->layout, path);
  const LeafType type = member_type(leaf, *member_);
  std::string bytes;
  if (const auto mine = from->values.find(own); mine != from->values.end()) {
    bytes = mine->second.text;
  } else {
    const std::string& whole = from->values.at(path).text;
    for (const Rows::Run& run : member_runs(leaf, *member_))
      bytes.append(whole, static_cast<size_t>(run.offset), static_cast<size_t>(run.bytes));
  }
  return picked(tensor_of(type, std::move(bytes)), canonical(part, type.sizes));
}

void Level::refuse_alone(const std::string& path) const {
  throw Error(Code::unsupported,
              "the members of a lazy stack on a server have their entries in common: one member "
              "cannot get or lose an entry, or give it another shape or dtype")
      .key(path.empty() ? "" : shown_path(path))
      .where(file())
      .hint("write values of the same shape and dtype into the entries that exist");
}

at::Tensor Level::read(std::string_view key, const IndexList& part) const {
  Moment made;
  const std::string path = path_of(checked_part(key));
  if (member_) return read_member(path, part);
  at::Tensor t = fetched(made, path, part).tensor;
  if (!t.defined()) throw Error(Code::key, "the entry is no tensor").key(shown_path(path)).where(file());
  return t;
}

DataPtr Level::read_data(std::string_view key, at::IntArrayRef batch) const {
  Moment made;
  const std::string path = path_of(checked_part(key));
  try {
    const Fetched& value = fetched(made, path, {});
    const Moment* now = dict_->current();
    const Layout& layout = made.layout.leaves.empty() && now ? now->layout : made.layout;
    return decode(readable_leaf(layout, path).encoding.value_or("json"), value.text, batch);
  } catch (Error& e) {
    throw e.key(shown_path(path)).where(file());
  }
}

std::shared_ptr<Store> Level::below(std::string_view key) const {
  return std::make_shared<Level>(dict_, path_of(key), member_);
}

optional<Labels> Level::labels() const {
  Moment made;
  const Layout& layout = at_moment(made, path_).layout;
  const auto label = layout.labels.find(path_);
  if (path_.empty()) return Labels{layout.batch, label == layout.labels.end() ? Names() : label->second.names};
  if (label == layout.labels.end()) return nullopt;
  return Labels{label->second.batch, label->second.names};
}

// `fn` may run again, if another process changes the same.
template <class F>
void Level::in_change(const std::string& path, F&& fn) {
  Moment* now = dict_->current();
  try {
    if (now && now->changes) return fn(*now);
    constexpr int attempts = 32;
    for (int attempt = 1;; ++attempt) {
      Moment moment = dict_->look(path, nullptr);
      moment.begin_change();
      fn(moment);
      try {
        dict_->commit(moment);
      } catch (const Error& e) {
        if (e.code() != Code::busy || attempt == attempts) throw;
        continue;
      }
      if (now) now->follow(moment.layout);
      return;
    }
  } catch (Error& e) {
    throw e.where(file());
  }
}

void Level::write(std::string_view key, const IndexList& part, const at::Tensor& value) {
  const std::string path = path_of(checked_part(key));
  in_change(path, [&](Moment& m) { write_rows(m, dict_->keys(), path, part, value, member_); });
}

void Level::put(std::string_view key, const Entry& value) {
  const std::string path = path_of(checked_part(key));
  if (!member_) return in_change(path, [&](Moment& m) { put_entry(m, dict_->keys(), path, value); });
  if (!value.is_batched()) refuse_alone(path);
  in_change(path, [&](Moment& m) {
    const auto found = m.layout.leaves.find(path);
    if (found == m.layout.leaves.end()) refuse_alone(path);
    const LeafType type = member_type(readable_leaf(m.layout, path), *member_);
    const at::Tensor& t = value.tensor();
    if (t.scalar_type() != type.dtype || t.sizes() != at::IntArrayRef(type.sizes)) refuse_alone(path);
    write_rows(m, dict_->keys(), path, {}, t, member_);
  });
}

bool Level::erase(std::string_view key) {
  if (key.empty() || key.find(separator) != key.npos) return false;
  const std::string path = path_of(key);
  if (member_) {
    if (look(key).kind == Stored::Kind::none) return false;
    refuse_alone(path);
  }
  bool erased = false;
  in_change(path, [&](Moment& m) { erased = erase_entry(m, dict_->keys(), path); });
  return erased;
}

void Level::rename(std::string_view from, Store& to, std::string_view key) {
  const std::string old = path_of(checked_part(from)), next = static_cast<Level&>(to).path_of(checked_part(key));
  if (member_) refuse_alone(old);
  in_change("", [&](Moment& m) { rename_entry(m, dict_->keys(), old, next); });
}

void Level::set_labels(const Labels& labels) {
  if (member_) {
    Moment made;
    if (!labels.names.empty() || labels.batch != at_moment(made, path_).layout.batch) refuse_alone(path_);
    return;
  }
  in_change(path_, [&](Moment& m) { put_labels(m, dict_->keys(), path_, labels); });
}

std::shared_ptr<const void> Level::moment(const IndexList* part, std::string_view key) const {
  if (dict_->current() || key.find(separator) != key.npos) return nullptr;
  auto held = std::make_shared<Held>();
  held->dict = dict_;
  held->moment = key.empty() ? dict_->look(path_, part, RemoteDict::Values::below, member_)
                             : dict_->look(path_of(key), part, RemoteDict::Values::there, member_);
  held->inside.emplace(*dict_, held->moment);
  return held;
}

std::shared_ptr<const void> Level::moment_of_all(std::string_view key) const {
  const IndexList all;
  return member_ ? Level(dict_, path_).moment(key.empty() ? nullptr : &all, key) : nullptr;
}

std::unique_ptr<Gathered> Level::change(optional<int64_t> version) {
  const Moment* now = dict_->current();
  if (!writable() || (now && now->changes)) return nullptr;
  return std::make_unique<RemoteChange>(dict_, version);
}

bool Level::changing() const {
  const Moment* now = dict_->current();
  return now && now->changes;
}

optional<int64_t> Level::version() const {
  Moment made;
  return at_moment(made, path_).layout.version;
}

}  // namespace td::storage::redis
