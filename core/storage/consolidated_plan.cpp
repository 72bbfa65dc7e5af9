#include <algorithm>

#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/storage/consolidated.h"
#include "core/storage/data_json.h"
#include "core/storage/jagged.h"
#include "core/storage/json.h"
#include "core/storage/nested.h"

namespace td::storage {

namespace {

constexpr int64_t largest_file = int64_t{1} << 62;

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

class Layout {
 public:
  Layout(int64_t start, int64_t alignment, bool jagged) : next_(start), alignment_(alignment), jagged_(jagged) {}

  Outline place(const Node& node, const Path& path) {
    Outline o;
    o.device = node.device() ? optional<c10::Device>(c10::kCPU) : nullopt;
    o.locked = node.locked();
    if (node.python_class() && node.python_class()->name != nested_tensor) o.python_class = node.python_class()->name;
    if (node.has_members()) {
      place_members(node, path, o);
      return o;
    }
    o.batch.assign(node.batch_size().begin(), node.batch_size().end());
    o.names = node.names();
    node.visit([&](const Key& key, const Entry& entry) { place_entry(key, entry, path + key, o); });
    return o;
  }

 private:
  void place_members(const Node& stack, const Path& path, Outline& o) {
    const auto dim = static_cast<size_t>(stack.member_dim());
    if (stack.batch_size()[dim] == 0)
      throw Error(Code::unsupported, "a lazy stack without members cannot be saved: Python could not read it")
          .key(path.size() ? to_string(path) : "");
    o.stack_dim = stack.member_dim();
    if (!stack.names().empty()) o.stack_name = stack.names()[dim];
    stack.each_member([&](const NodePtr& m, size_t i) { o.nodes.emplace_back(std::to_string(i), place(*m, path)); });
  }

  void place_entry(const Key& key, const Entry& entry, const Path& path, Outline& o) {
    if (entry.is_unbatched()) refuse_unbatched_entry(path, "the format cannot hold it");
    if (entry.is_tensor()) {
      check_key(path, false);
      o.leaves.emplace_back(key, place(leaf_type(entry.tensor(), path)));
    } else if (written_as_triple(entry)) {
      check_key(path, false);
      o.data.emplace_back(key, entry.data());
    } else if (entry.is_data()) {
      check_key(path, true);
      Outline stack;
      stack.stack = entry.data();
      o.nodes.emplace_back(key, std::move(stack));
    } else if (optional<NestedParts> parts = jagged_ ? nested_parts(*entry.node()) : nullopt) {
      check_key(path, false);
      o.jagged.emplace_back(key, place_jagged(*parts, o.batch.size(), path));
    } else {
      check_key(path, true);
      o.nodes.emplace_back(key, place(*entry.node(), path));
    }
  }

  PlacedJagged place_jagged(const NestedParts& parts, size_t batch_dims, const Path& path) {
    const Components& components = parts.components;
    PlacedJagged j;
    try {
      j.ragged_dim = ragged_dim(components, parts.type, std::max<size_t>(batch_dims, 1) - 1);
    } catch (Error& e) {
      throw e.key(to_string(path)).hint("save it as a memmap directory");
    }
    LeafType values = leaf_type(components.empty() ? joint({}, parts.type, j.ragged_dim) : components[0], path);
    values.sizes[static_cast<size_t>(j.ragged_dim)] = joint_size(components, j.ragged_dim);
    values.bytes = 0;
    for (const at::Tensor& t : components) values.bytes += leaf_type(t, path).bytes;
    j.values = place(std::move(values));
    auto count = static_cast<int64_t>(components.size()) + 1;
    j.offsets = place({at::kLong, {count}, count * 8});
    j.offsets.fixed = true;
    return j;
  }

  PlacedLeaf place(LeafType type) {
    int64_t alignment = type.dtype == at::kComplexDouble ? std::max<int64_t>(alignment_, 16) : alignment_;
    int64_t offset = (next_ + alignment - 1) / alignment * alignment;
    if (type.bytes > largest_file - offset) throw Error(Code::nospace, "the tensors do not fit into one file");
    next_ = offset + padded(type.bytes);
    return {std::move(type), offset};
  }

  int64_t next_, alignment_;
  bool jagged_;
};

const char* json_bool(bool b) {
  return b ? "true" : "false";
}

class OutlineWriter {
 public:
  explicit OutlineWriter(std::string& out) : out_(out) {}

  // `depth` levels of JSON are around the node.
  void write(const Outline& o, const Path& path, size_t depth) {
    const char* device = o.device ? "\"cpu\"" : "null";
    std::string kind = o.stack_dim ? "LazyStackedTensorDict" : "TensorDict";
    if (!o.python_class.empty()) kind = "<class '" + o.python_class + "'>";
    out_ += "{\"cls\":";
    append_json(out_, std::string_view(kind));
    out_ += ",\"non_tensors\":{";
    const char* comma = "";
    for (const auto& [key, data] : o.data) {
      name(comma, key.text());
      append_triple(out_, data->size() ? data->at(0) : Value(), data->batch(), device, depth + 2, path + key);
    }
    out_ += R"(},"leaves":{)";
    comma = "";
    for (const auto& [key, l] : o.leaves) leaf(comma, key.text(), l);
    for (const auto& [key, j] : o.jagged) {
      leaf(comma, "<NJT_VALUES>" + key.text(), j.values);
      if (j.lengths) leaf(comma, "<NJT_LENGTHS>" + key.text(), *j.lengths);
      leaf(comma, "<NJT_OFFSETS>" + key.text(), j.offsets, j.ragged_dim + 1);
    }
    out_ += R"(},"cls_metadata":{)";
    o.stack_dim ? stack_metadata(o) : metadata(o, device);
    for (const auto& [key, node] : o.nodes) {
      name(comma = ",", key.text());
      if (node.stack)
        append_stack(out_, *node.stack, o.locked, device, depth + 2, path + key);
      else
        write(node, o.stack_dim ? path : path + key, depth + 1);
    }
    out_ += '}';
  }

 private:
  void name(const char*& comma, std::string_view text) {
    out_ += comma;
    append_json(out_, text);
    out_ += ':';
    comma = ",";
  }

  void leaf(const char*& comma, std::string_view key, const PlacedLeaf& l, optional<int64_t> ragged_idx = nullopt) {
    name(comma, key);
    int64_t extent = padded(l.type.bytes);
    out_ += '[';
    append_json(out_, python_dtype(l.type));
    out_ += ',';
    append_json(out_, stored_sizes(l.type));
    for (int64_t number : {l.offset, l.offset + extent, extent - l.type.bytes}) {
      out_ += ',';
      append_number(out_, number);
    }
    if (ragged_idx) {
      out_ += ',';
      append_number(out_, *ragged_idx);
    }
    out_ += ']';
  }

  void metadata(const Outline& o, const char* device) {
    out_ += std::string("\"device\":") + device + ",\"names\":";
    append_names(out_, spread(o.names, o.batch.size()));
    out_ += ",\"batch_size\":";
    append_json(out_, o.batch);
    out_ += std::string(",\"is_locked\":") + json_bool(o.locked) + '}';
  }

  void stack_metadata(const Outline& o) {
    out_ += "\"stack_dim\":" + std::to_string(*o.stack_dim) + ",\"stack_dim_name\":";
    append_name(out_, o.stack_name);
    out_ += std::string(",\"is_locked\":") + json_bool(o.locked) + '}';
  }

  std::string& out_;
};

}  // namespace

bool consolidated_member(std::string_view key) {
  for (std::string_view word : {"cls", "non_tensors", "leaves", "cls_metadata"})
    if (key == word) return true;
  return false;
}

Outline plan(const Node& node, int64_t start, int64_t alignment, bool jagged) {
  return Layout(start, alignment, jagged).place(node, Path());
}

std::string to_json(const Outline& outline) {
  std::string out;
  OutlineWriter(out).write(outline, Path(), 0);
  return out;
}

}  // namespace td::storage
