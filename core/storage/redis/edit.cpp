#include "core/storage/redis/edit.h"

#include "core/error.h"
#include "core/storage/redis/members.h"
#include "core/storage/redis/rows.h"
#include "core/storage/redis/values.h"
#include "core/tensor/memory.h"

namespace td::storage::redis {

namespace {

Path parts_of(const std::string& path) {
  std::vector<Key> parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(separator, begin), path.size());
    parts.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return Path(std::move(parts));
}

std::string parent_of(const std::string& path) {
  const size_t dot = path.rfind(separator);
  return dot == path.npos ? "" : path.substr(0, dot);
}

// The paths of leaves, or of labels, at and below one.
template <class Map>
std::vector<std::string> paths_in(const Map& map, const std::string& path) {
  std::vector<std::string> found;
  if (map.count(path)) found.push_back(path);
  for (auto i = map.lower_bound(path + separator); i != map.end() && is_below(i->first, path); ++i)
    found.push_back(i->first);
  return found;
}

void set_label(Moment& moment, const Keys& keys, const std::string& path, Labels label) {
  moment.commands.add({"HSET", keys.labels(), path, label_text(label)});
  moment.layout.labels[path] = std::move(label);
}

// What is known of a leaf that is no longer under this path.
void forget_leaf(Moment& moment, const std::string& path) {
  moment.layout.leaves.erase(path);
  moment.values.erase(path);
  moment.as_they_are.erase(path);
}

void put_leaf(Moment& moment, const Keys& keys, const std::string& path, Leaf leaf, const at::Tensor& tensor,
              const std::string& text) {
  const auto before = moment.layout.leaves.find(path);
  if (before == moment.layout.leaves.end()) moment.taken.insert(path);
  if (leaf.data)
    moment.commands.add({"SET", keys.values(path), text});
  else
    moment.commands.add({"SET", keys.values(path)}, tensor);
  // The other kind has other fields.
  if (before != moment.layout.leaves.end() && before->second.data != leaf.data)
    moment.commands.add({"DEL", keys.meta(path)});
  if (leaf.data)
    moment.commands.add({"HSET", keys.meta(path), "is_non_tensor", "1", "encoding", *leaf.encoding});
  else
    moment.commands.add({"HSET", keys.meta(path), "shape", *leaf.shape, "dtype", *leaf.dtype});
  moment.commands.add({"SADD", keys.paths(), path});
  moment.layout.leaves[path] = std::move(leaf);
  moment.values[path] = {{}, tensor, text};
  moment.as_they_are.erase(path);
  moment.fresh.insert(path);
}

void put_new(Moment& moment, const Keys& keys, const std::string& path, const Entry& value) {
  if (value.is_tensor()) {
    const Path parts = parts_of(path);
    const LeafType type = leaf_type(value.tensor(), parts);
    return put_leaf(moment, keys, path, tensor_leaf(type), dense(value.tensor()), "");
  }
  if (value.is_data()) {
    Encoded made = encode(*value.data(), parts_of(path));
    Leaf leaf = data_leaf(made.encoding, made.text.size());
    return put_leaf(moment, keys, path, std::move(leaf), {}, made.text);
  }
  const Node& node = *value.node();
  Labels labels{Dims(node.batch_size().begin(), node.batch_size().end()), node.names()};
  if (node.count() == 0) {
    moment.taken.insert(path);
    set_label(moment, keys, path, std::move(labels));
  } else {
    put_labels(moment, keys, path, labels);
  }
  node.visit(
      [&](const Key& k, const Entry& e) { put_new(moment, keys, path + separator + checked_part(k.text()), e); });
}

}  // namespace

std::string shown_path(const std::string& path) {
  const Path parts = parts_of(path);
  return to_string(parts.view());
}

const Leaf& readable_leaf(const Layout& layout, const std::string& path) {
  const auto found = layout.leaves.find(path);
  if (found == layout.leaves.end()) throw Error(Code::key, "no such entry on the server").key(shown_path(path));
  if (!found->second.why.empty()) throw Error(found->second.code, found->second.why).key(shown_path(path));
  return found->second;
}

void put_entry(Moment& moment, const Keys& keys, const std::string& path, const Entry& value) {
  for (std::string above = parent_of(path); !above.empty(); above = parent_of(above))
    if (moment.layout.leaves.count(above))
      throw Error(Code::key, "the path runs through an entry that is not a dict").key(shown_path(path));
  const bool same_kind = moment.layout.leaves.count(path) && !value.is_node();
  if (!same_kind) erase_entry(moment, keys, path);
  put_new(moment, keys, path, value);
}

bool erase_entry(Moment& moment, const Keys& keys, const std::string& path) {
  const std::vector<std::string> leaves = paths_in(moment.layout.leaves, path);
  const std::vector<std::string> labels = paths_in(moment.layout.labels, path);
  if (leaves.empty() && labels.empty()) return false;
  moment.taken.insert(path);
  for (const std::string& leaf : leaves) {
    moment.commands.add({"DEL", keys.values(leaf), keys.meta(leaf)}).add({"SREM", keys.paths(), leaf});
    forget_leaf(moment, leaf);
  }
  for (const std::string& label : labels) {
    moment.commands.add({"HDEL", keys.labels(), label});
    moment.layout.labels.erase(label);
  }
  // A dict that has lost its last entry is still there.
  const std::string above = parent_of(path);
  const bool lonely =
      !above.empty() && paths_in(moment.layout.leaves, above).empty() && paths_in(moment.layout.labels, above).empty();
  if (lonely) set_label(moment, keys, above, {moment.layout.batch_of(above), {}});
  return true;
}

void rename_entry(Moment& moment, const Keys& keys, const std::string& from, const std::string& to) {
  if (is_below(from, to)) {  // which would be erased with it
    const std::string aside = "\x01moved";
    rename_entry(moment, keys, from, aside);
    return rename_entry(moment, keys, aside, to);
  }
  std::map<std::string, Leaf> leaves;
  std::map<std::string, Labels> labels;
  for (const std::string& path : paths_in(moment.layout.leaves, from))
    leaves[path] = readable_leaf(moment.layout, path);
  for (const std::string& path : paths_in(moment.layout.labels, from)) labels[path] = moment.layout.labels.at(path);
  erase_entry(moment, keys, to);
  moment.taken.insert({from, to});
  for (auto& [path, leaf] : leaves) {
    const std::string next = to + path.substr(from.size());
    // The server may have no string for no bytes.
    if (leaf.bytes == 0)
      moment.commands.add({"DEL", keys.values(path)}).add({"SET", keys.values(next), ""});
    else
      moment.commands.add({"RENAME", keys.values(path), keys.values(next)});
    moment.commands.add({"RENAME", keys.meta(path), keys.meta(next)})
        .add({"SREM", keys.paths(), path})
        .add({"SADD", keys.paths(), next});
    forget_leaf(moment, path);
    moment.layout.leaves[next] = std::move(leaf);
    moment.fresh.insert(next);
  }
  for (auto& [path, label] : labels) {
    moment.commands.add({"HDEL", keys.labels(), path});
    moment.layout.labels.erase(path);
    set_label(moment, keys, to + path.substr(from.size()), std::move(label));
  }
}

void write_rows(Moment& moment, const Keys& keys, const std::string& path, const IndexList& part,
                const at::Tensor& value, optional<size_t> member) {
  const Leaf& leaf = readable_leaf(moment.layout, path);
  if (leaf.data) throw Error(Code::key, "the entry is no tensor").key(shown_path(path));
  const LeafType type = member ? member_type(leaf, *member) : leaf.type;
  const Rows rows(canonical(part, type.sizes), type);
  const std::vector<Rows::Run> runs = member ? member_runs(leaf, *member) : std::vector<Rows::Run>{{0, type.bytes}};
  const at::Tensor all = dense(value.detach().to(at::kCPU, type.dtype).expand(rows.sizes()));
  const char* bytes = rows.bytes() ? static_cast<const char*>(data(all)) : nullptr;
  for (const Rows::Run& run : rows.runs())
    for (const Rows::Run& piece : placed(runs, run)) {
      moment.commands.add({"SETRANGE", keys.values(path), std::to_string(piece.offset)}, all,
                          std::string_view(bytes, static_cast<size_t>(piece.bytes)));
      bytes += piece.bytes;
    }
  if (!moment.fresh.count(path)) moment.as_they_are.insert(path);
  moment.values.erase(path);
  moment.values.erase(value_key(path, member));
}

void put_labels(Moment& moment, const Keys& keys, const std::string& path, const Labels& labels) {
  bool needed = !labels.names.empty();
  if (path.empty()) {
    if (moment.layout.batch != labels.batch) {
      moment.commands.add({"SET", keys.batch(), json_list(labels.batch)});
      moment.layout.batch = labels.batch;
      moment.batch = labels.batch;
    }
  } else {
    const bool has_leaves = !paths_in(moment.layout.leaves, path).empty();
    needed = needed || labels.batch != moment.layout.batch_of(parent_of(path)) ||
             (moment.layout.labels.count(path) && !has_leaves);
  }
  if (needed) {
    set_label(moment, keys, path, labels);
  } else if (moment.layout.labels.erase(path)) {
    moment.commands.add({"HDEL", keys.labels(), path});
  }
}

}  // namespace td::storage::redis
