#include "core/storage/consolidated.h"

#include <algorithm>
#include <unordered_set>

#include "core/dict/tensordict.h"
#include "core/error.h"
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

class Layout {
 public:
  Layout(int64_t start, int64_t alignment) : next_(start), alignment_(alignment) {}

  Outline place(const Node& node, const Path& path) {
    std::string kind = node.class_name();
    if (kind != "TensorDict" && kind != "TensorDictParams")
      throw Error(Code::unsupported, kind + " cannot be consolidated yet").key(path.size() ? to_string(path) : "");
    Outline o;
    o.batch.assign(node.batch_size().begin(), node.batch_size().end());
    o.device = node.device() ? optional<c10::Device>(c10::kCPU) : nullopt;
    o.locked = node.locked();
    node.visit([&](const Key& key, const Entry& entry) {
      Path below = path + key;
      if (entry.is_data())
        throw Error(Code::unsupported, "non-tensor data cannot be shared in this version").key(to_string(below));
      check_key(below, entry.is_node());
      if (entry.is_tensor()) o.leaves.emplace_back(key, place(leaf_type(entry.tensor(), below)));
    });
    node.visit([&](const Key& key, const Entry& entry) {
      if (entry.is_node()) o.nodes.emplace_back(key, place(*entry.node(), path + key));
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

void append_outline(std::string& out, const Outline& o) {
  out += "{\"cls\":\"TensorDict\",\"non_tensors\":{},\"leaves\":{";
  const char* comma = "";
  for (const auto& [key, leaf] : o.leaves) {
    out += comma;
    append_json(out, key.text());
    out += ':';
    append_outline_leaf(out, leaf);
    comma = ",";
  }
  out += "},\"cls_metadata\":{\"device\":";
  out += o.device ? "\"cpu\"" : "null";
  out += ",\"names\":[";
  for (size_t i = 0; i < o.batch.size(); ++i) out += i ? ",null" : "null";
  out += "],\"batch_size\":";
  append_json(out, o.batch);
  out += o.locked ? ",\"is_locked\":true}" : ",\"is_locked\":false}";
  for (const auto& [key, node] : o.nodes) {
    out += ',';
    append_json(out, key.text());
    out += ':';
    append_outline(out, node);
  }
  out += '}';
}

// ---- Reading ------------------------------------------------------------------------------------------------------------

const bj::object& object_member(const bj::object& o, std::string_view name) {
  const bj::value* v = member(o, name);
  if (!v || !v->is_object()) throw Error(Code::corrupt, "the member " + std::string(name) + " is missing or no object");
  return v->get_object();
}

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
    std::unordered_set<std::string_view> names;
    for (const auto& [name, value] : object_member(v.get_object(), "leaves")) {
      names.emplace(name.data(), name.size());
      Key key(std::string(name.data(), name.size()));
      try {
        o.leaves.emplace_back(key, read_leaf(value, o.batch));
      } catch (const Error& e) {
        throw located(e, path + key);
      }
    }
    for (const auto& [name, value] : v.get_object()) {
      std::string text(name.data(), name.size());
      if (consolidated_member(text)) continue;
      Key key(text);
      for (const auto& leaf : o.leaves)
        if (leaf.first.text() == text)
          throw located(Error(Code::corrupt, "the key names a tensor and a dict"), path + key);
      o.nodes.emplace_back(key, read(value, path + key, o.batch));
    }
    return o;
  }

 private:
  Error located(Error e, const Path& path) const {
    if (e.where().empty()) e.where(where_);
    if (e.key().empty() && path.size() > 0) e.key(to_string(path));
    return e;
  }

  void read_header(const bj::object& node, Outline& o) {
    const bj::value* cls = member(node, "cls");
    if (!cls || !cls->is_string()) throw Error(Code::corrupt, "the member cls is missing");
    std::string kind(cls->get_string().data(), cls->get_string().size());
    if (kind != "TensorDict") throw Error(Code::unsupported, "collections of kind " + kind + " cannot be opened yet");
    if (!object_member(node, "non_tensors").empty())
      throw Error(Code::unsupported, "non-tensor entries cannot be opened yet");
    object_member(node, "leaves");
    const bj::object& meta = object_member(node, "cls_metadata");
    const bj::value *batch = member(meta, "batch_size"), *names = member(meta, "names"),
                    *device = member(meta, "device"), *locked = member(meta, "is_locked");
    if (!batch) throw Error(Code::corrupt, "the member batch_size is missing");
    o.batch = parse_dims(*batch, "the batch size");
    if (!names || !names->is_array() || names->get_array().size() != o.batch.size())
      throw Error(Code::corrupt, "the member names has not one name for each batch dim");
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
  append_outline(out, outline);
  return out;
}

Outline parse_outline(std::string_view json, const Extents& extents, const std::string& where) {
  return OutlineReader(extents, where).read(parse_json(json, where), Path(), {});
}

NodePtr build(const Outline& outline, const std::function<at::Tensor(const PlacedLeaf&)>& leaf) {
  NodePtr node = TensorDict::make(outline.batch, outline.device);
  for (const auto& [key, placed] : outline.leaves) node->put(key, Entry(leaf(placed)));
  for (const auto& [key, child] : outline.nodes) node->put(key, Entry(build(child, leaf)));
  return node;
}

void for_each_leaf(const Outline& outline, const std::function<void(const Path&, const PlacedLeaf&)>& fn) {
  visit_leaves(outline, Path(), fn);
}

}  // namespace td::storage
