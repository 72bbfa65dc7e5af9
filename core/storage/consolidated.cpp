#include "core/storage/consolidated.h"

#include <algorithm>
#include <unordered_set>

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

constexpr int64_t largest_file = int64_t{1} << 62;

// ---- Planning -----------------------------------------------------------------------------------------------------------

bool consolidated_member(std::string_view key) {
  for (std::string_view word : {"cls", "non_tensors", "leaves", "cls_metadata"})
    if (key == word) return true;
  return false;
}

void check_key(const Path& path, bool node) {
  const std::string& key = path.keys().back().text();
  // Python drops nodes called "size", and leaves that look like parts of a jagged tensor.
  if (node ? consolidated_member(key) || key == "size" : key.rfind("<NJT_", 0) == 0)
    throw Error(Code::key, "the format needs this name for itself").key(to_string(path)).hint("rename the entry");
}

// One value for the whole batch; an empty stack has none, and Python could not stack it again.
bool written_as_triple(const Entry& entry) {
  return entry.is_data() && (!entry.data()->stacked() || entry.data()->ids().numel() == 0);
}

Outline stack_outline(const DataPtr& stack) {
  Outline o;
  o.stack = stack;
  return o;
}

class Layout {
 public:
  Layout(int64_t start, int64_t alignment) : next_(start), alignment_(alignment) {}

  Outline place(const Node& node, const Path& path) {
    std::string kind = node.class_name();
    if (kind != "TensorDict" && kind != "TensorDictParams")
      throw Error(Code::unsupported, kind + " cannot be consolidated yet")
          .key(path.size() ? to_string(path) : "")
          .hint("make a dense copy with td_dict_contiguous first");
    Outline o;
    o.batch.assign(node.batch_size().begin(), node.batch_size().end());
    o.device = node.device() ? optional<c10::Device>(c10::kCPU) : nullopt;
    o.names = node.names();
    o.locked = node.locked();
    node.visit([&](const Key& key, const Entry& entry) {
      Path below = path + key;
      check_key(below, !entry.is_tensor() && !written_as_triple(entry));
      if (entry.is_data() && written_as_triple(entry)) o.data.emplace_back(key, entry.data());
      if (entry.is_tensor()) o.leaves.emplace_back(key, place(leaf_type(entry.tensor(), below)));
    });
    node.visit([&](const Key& key, const Entry& entry) {
      if (entry.is_node()) o.nodes.emplace_back(key, place(*entry.node(), path + key));
      if (entry.is_data() && !written_as_triple(entry)) o.nodes.emplace_back(key, stack_outline(entry.data()));
    });
    return o;
  }

 private:
  PlacedLeaf place(LeafType type) {
    int64_t offset = (next_ + alignment_ - 1) / alignment_ * alignment_;
    if (type.bytes > largest_file - offset) throw Error(Code::nospace, "the tensors do not fit into one file");
    next_ = offset + padded(type.bytes);
    return {std::move(type), offset};
  }

  int64_t next_, alignment_;
};

// ---- Writing ------------------------------------------------------------------------------------------------------------

void append_outline_leaf(std::string& out, const PlacedLeaf& leaf) {
  int64_t extent = padded(leaf.type.bytes);
  out += '[';
  append_json(out, python_dtype(leaf.type.dtype));
  out += ',';
  append_json(out, leaf.type.sizes);
  out += ',' + std::to_string(leaf.offset) + ',' + std::to_string(leaf.offset + extent) + ',' +
         std::to_string(extent - leaf.type.bytes) + ']';
}

void append_outline(std::string& out, const Outline& o, const Path& path) {
  const char* device = o.device ? "\"cpu\"" : "null";
  size_t outer = path.size() + 1;  // levels of JSON around what this node holds
  out += "{\"cls\":\"TensorDict\",\"non_tensors\":{";
  for (size_t i = 0; i < o.data.size(); ++i) {
    const auto& [key, data] = o.data[i];
    if (i) out += ',';
    append_json(out, key.text());
    out += ':';
    append_triple(out, data->size() ? data->at(0) : Value(), data->batch(), device, outer + 1, path + key);
  }
  out += "},\"leaves\":{";
  const char* comma = "";
  for (const auto& [key, leaf] : o.leaves) {
    out += comma;
    append_json(out, key.text());
    out += ':';
    append_outline_leaf(out, leaf);
    comma = ",";
  }
  out += "},\"cls_metadata\":{\"device\":";
  out += device;
  out += ",\"names\":[";
  Names names = spread(o.names, o.batch.size());
  for (size_t i = 0; i < names.size(); ++i) {
    if (i) out += ',';
    if (names[i])
      append_json(out, *names[i]);
    else
      out += "null";
  }
  out += "],\"batch_size\":";
  append_json(out, o.batch);
  out += o.locked ? ",\"is_locked\":true}" : ",\"is_locked\":false}";
  for (const auto& [key, node] : o.nodes) {
    out += ',';
    append_json(out, key.text());
    out += ':';
    if (node.stack)
      append_stack(out, *node.stack, o.locked, device, outer + 1, path + key);
    else
      append_outline(out, node, path + key);
  }
  out += '}';
}

// ---- Reading ------------------------------------------------------------------------------------------------------------

int64_t integer(const bj::value& v, const char* what) {
  const int64_t* i = v.if_int64();
  if (!i) throw Error(Code::corrupt, std::string("the ") + what + " of an extent is not an integer of 64 bits");
  return *i;
}

class OutlineReader {
 public:
  OutlineReader(const Extents& extents, const std::string& where)
      : extents_(extents), where_(where), next_(extents.begin) {}

  Outline read(const bj::value& v, const Path& path, at::IntArrayRef parent_batch) {
    Outline o;
    try {
      if (!v.is_object()) throw Error(Code::corrupt, "the node is no object");
      read_header(v.get_object(), o);
      check_batch(o.batch, parent_batch);
    } catch (const Error& e) {
      throw located(e, path);
    }
    const bj::object& node = v.get_object();
    std::unordered_set<std::string> names;
    for (const auto& [name, value] : object_member(node, "non_tensors"))
      read_member(name, path, names, [&, &triple = value](const Key& key, const Path&) {
        o.data.emplace_back(key, parse_triple(triple, o.batch));
      });
    for (const auto& [name, value] : object_member(node, "leaves"))
      read_member(name, path, names, [&, &leaf = value](const Key& key, const Path&) {
        o.leaves.emplace_back(key, read_leaf(leaf, o.batch));
      });
    for (const auto& [name, value] : node)
      if (!consolidated_member({name.data(), name.size()}))
        read_member(name, path, names, [&, &child = value](const Key& key, const Path& below) {
          o.nodes.emplace_back(key, is_stack(child) ? stack_outline(parse_stack(child.get_object(), o.batch))
                                                    : read(child, below, o.batch));
        });
    return o;
  }

 private:
  Error located(Error e, const Path& path) const {
    if (e.where().empty()) e.where(where_);
    if (e.key().empty() && path.size() > 0) e.key(to_string(path));
    return e;
  }

  template <class F>
  void read_member(bj::string_view name, const Path& path, std::unordered_set<std::string>& names, F read) {
    Key key(std::string(name.data(), name.size()));
    Path below = path + key;
    try {
      if (!names.insert(key.text()).second) throw Error(Code::corrupt, "the key names two entries");
      read(key, below);
    } catch (const Error& e) {
      throw located(e, below);
    }
  }

  static bool is_stack(const bj::value& v) {
    const bj::value* cls = v.is_object() ? member(v.get_object(), "cls") : nullptr;
    return cls && cls->is_string() && cls->get_string() == "NonTensorStack";
  }

  void read_header(const bj::object& node, Outline& o) {
    const bj::value* cls = member(node, "cls");
    if (!cls || !cls->is_string()) throw Error(Code::corrupt, "the member cls is missing");
    std::string kind(cls->get_string().data(), cls->get_string().size());
    if (kind != "TensorDict") throw Error(Code::unsupported, "collections of kind " + kind + " cannot be opened yet");
    object_member(node, "non_tensors");
    object_member(node, "leaves");
    const bj::object& meta = object_member(node, "cls_metadata");
    const bj::value *batch = member(meta, "batch_size"), *names = member(meta, "names"),
                    *device = member(meta, "device"), *locked = member(meta, "is_locked");
    if (!batch) throw Error(Code::corrupt, "the member batch_size is missing");
    o.batch = parse_dims(*batch, "the batch size");
    if (!names || !names->is_array() || names->get_array().size() != o.batch.size())
      throw Error(Code::corrupt, "the member names has not one name for each batch dim");
    for (const bj::value& name : names->get_array()) {
      if (!name.is_null() && !name.is_string()) throw Error(Code::corrupt, "a name of a batch dim is not a string");
      Name text;
      if (name.is_string()) text = std::string(name.get_string().data(), name.get_string().size());
      if (text && std::find(o.names.begin(), o.names.end(), text) != o.names.end())
        throw Error(Code::corrupt, "two batch dims have the same name");
      o.names.push_back(std::move(text));
    }
    o.names = tidy(std::move(o.names));
    if (device && !device->is_null() && !device->is_string())
      throw Error(Code::corrupt, "the member device is not a string");
    if (device && device->is_string()) o.device = c10::Device(c10::kCPU);  // a label: the bytes are here
    if (locked && !locked->is_bool()) throw Error(Code::corrupt, "the member is_locked is not a bool");
    o.locked = locked && locked->get_bool();
  }

  PlacedLeaf read_leaf(const bj::value& v, at::IntArrayRef batch) {
    const bj::array* list = v.if_array();
    if (list && list->size() == 6) throw Error(Code::unsupported, "jagged tensors cannot be opened yet");
    if (!list || list->size() != 5) throw Error(Code::corrupt, "the leaf is not [dtype, shape, start, stop, pad]");
    LeafType type = parse_leaf_type((*list)[0], (*list)[1]);
    check_batch(type.sizes, batch);
    int64_t start = integer((*list)[2], "start"), stop = integer((*list)[3], "stop"),
            pad = integer((*list)[4], "padding");
    if (start < extents_.begin || stop < start || stop > extents_.end)
      throw Error(Code::corrupt,
                  "the extent " + std::to_string(start) + " to " + std::to_string(stop) + " lies outside the data");
    if (pad < 0 || pad > 7 || stop - start - pad != type.bytes)
      throw Error(Code::corrupt, "the extent has not the size of shape " + to_string(type.sizes));
    if (start % extents_.alignment != 0) throw Error(Code::corrupt, "the extent is not aligned");
    if (extents_.in_order && start < next_) throw Error(Code::corrupt, "the extent overlaps another");
    next_ = stop;
    return {std::move(type), start};
  }

  const Extents& extents_;
  const std::string& where_;
  int64_t next_;
};

void visit_leaves(const Outline& o, const Path& prefix, const std::function<void(const Path&, const PlacedLeaf&)>& fn) {
  for (const auto& [key, leaf] : o.leaves) fn(prefix + key, leaf);
  for (const auto& [key, node] : o.nodes) visit_leaves(node, prefix + key, fn);
}

void visit_data(const Outline& o, const Path& path, const std::function<void(const Path&, const Data&)>& fn) {
  if (o.stack) fn(path, *o.stack);
  for (const auto& [key, data] : o.data) fn(path + key, *data);
  for (const auto& [key, node] : o.nodes) visit_data(node, path + key, fn);
}

}  // namespace

Outline plan(const Node& node, int64_t start, int64_t alignment) {
  return Layout(start, alignment).place(node, Path());
}

int64_t end_of(const Outline& outline, int64_t start) {
  int64_t end = start;
  for_each_leaf(outline, [&](const Path&, const PlacedLeaf& leaf) {
    end = std::max(end, leaf.offset + padded(leaf.type.bytes));
  });
  return end;
}

std::string to_json(const Outline& outline) {
  std::string out;
  append_outline(out, outline, Path());
  return out;
}

Outline parse_outline(std::string_view json, const Extents& extents, const std::string& where) {
  return OutlineReader(extents, where).read(parse_json(json, where), Path(), {});
}

NodePtr build(const Outline& outline, const std::function<at::Tensor(const PlacedLeaf&)>& leaf) {
  NodePtr node = TensorDict::make(outline.batch, outline.device);
  node->adopt_names(outline.names);
  for (const auto& [key, data] : outline.data) node->put(key, Entry(data));
  for (const auto& [key, placed] : outline.leaves) node->put(key, Entry(leaf(placed)));
  for (const auto& [key, child] : outline.nodes)
    node->put(key, child.stack ? Entry(child.stack) : Entry(build(child, leaf)));
  return node;
}

void for_each_data(const Outline& outline, const std::function<void(const Path&, const Data&)>& fn) {
  visit_data(outline, Path(), fn);
}

void for_each_leaf(const Outline& outline, const std::function<void(const Path&, const PlacedLeaf&)>& fn) {
  visit_leaves(outline, Path(), fn);
}

}  // namespace td::storage
