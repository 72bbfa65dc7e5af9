#include <algorithm>
#include <unordered_set>

#include "core/error.h"
#include "core/storage/consolidated.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/tensor/dtype.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

constexpr std::string_view njt_values = "<NJT_VALUES>", njt_lengths = "<NJT_LENGTHS>", njt_offsets = "<NJT_OFFSETS>";

std::string_view text_of(const bj::string& s) {
  return {s.data(), s.size()};
}

int64_t extent_number(const bj::value& v, const char* what) {
  const int64_t* i = v.if_int64();
  if (!i) throw Error(Code::corrupt, std::string("the ") + what + " of an extent is not an integer of 64 bits");
  return *i;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool says_class(const bj::value& v, std::string_view name) {
  const bj::value* cls = v.is_object() ? member(v.get_object(), "cls") : nullptr;
  return cls && cls->is_string() && text_of(cls->get_string()) == name;
}

Name parse_name(const bj::value& v) {
  if (v.is_null()) return nullopt;
  if (!v.is_string()) throw Error(Code::corrupt, "a name of a batch dim is not a string");
  return std::string(text_of(v.get_string()));
}

// As many dims as all members have; -1 where their sizes differ.
Dims batch_of_stack(const Outline& o) {
  Dims batch = o.nodes[0].second.batch;
  for (const auto& [key, m] : o.nodes) {
    if (m.batch.size() != batch.size())
      throw Error(Code::corrupt, "the members of the stack have different numbers of batch dims");
    for (size_t d = 0; d < batch.size(); ++d)
      if (m.batch[d] != batch[d]) batch[d] = -1;
  }
  auto rank = static_cast<int64_t>(batch.size()) + 1, dim = *o.stack_dim;
  if (dim < -rank || dim >= rank)
    throw Error(Code::corrupt, "the stack_dim " + std::to_string(dim) + " is out of range");
  batch.insert(batch.begin() + (dim < 0 ? dim + rank : dim), static_cast<int64_t>(o.nodes.size()));
  return batch;
}

class OutlineReader {
 public:
  OutlineReader(const Extents& extents, const std::string& where) : extents_(extents), where_(where) {}

  Outline read_root(const bj::value& v) {
    Outline o = read(v, Path(), {});
    if (extents_.disjoint) check_disjoint(o);
    return o;
  }

 private:
  Outline read(const bj::value& v, const Path& path, at::IntArrayRef parent_batch) {
    Outline o;
    try {
      if (!v.is_object()) throw Error(Code::corrupt, "the node is not an object");
      const bj::object& node = v.get_object();
      read_header(node, o);
      if (o.stack_dim) {
        read_members(node, path, o);
        o.batch = batch_of_stack(o);
      }
      check_batch(o.batch, parent_batch);
      if (o.stack_dim) return o;
    } catch (const Error& e) {
      throw located(e, path);
    }
    const bj::object& node = v.get_object();
    Taken names;
    for (const auto& [name, value] : object_member(node, "non_tensors"))
      read_member(name, path, names, [&, &triple = value](const Key& key, const Path&) {
        o.data.emplace_back(key, parse_triple(triple, o.batch));
      });
    read_leaves(object_member(node, "leaves"), path, names, o);
    for (const auto& [name, value] : node)
      if (is_node(name, value))
        read_member(name, path, names, [&, &child = value](const Key& key, const Path& below) {
          if (!says_class(child, "NonTensorStack"))
            return o.nodes.emplace_back(key, read(child, below, o.batch)), void();
          Outline stack;
          stack.stack = parse_stack(child.get_object(), o.batch);
          o.nodes.emplace_back(key, std::move(stack));
        });
    return o;
  }

  Error located(Error e, const Path& path) const {
    if (e.where().empty()) e.where(where_);
    if (e.key().empty() && path.size() > 0) e.key(to_string(path));
    return e;
  }

  // Python keeps the size of the file in a member of that name, where it keeps it at all.
  static bool is_node(bj::string_view name, const bj::value& v) {
    std::string_view text(name.data(), name.size());
    return !consolidated_member(text) && (text != "size" || v.is_object());
  }

  // Of a node's entries, in the text that was parsed.
  using Taken = std::unordered_set<std::string_view>;

  template <class F>
  void read_member(bj::string_view name, const Path& path, Taken& names, F read) {
    Key key(std::string(name.data(), name.size()));
    Path below = path + key;
    try {
      if (!names.insert({name.data(), name.size()}).second) throw Error(Code::corrupt, "the key names two entries");
      read(key, below);
    } catch (const Error& e) {
      throw located(e, below);
    }
  }

  // ---- Nodes --------------------------------------------------------------------------------------------------------

  void read_header(const bj::object& node, Outline& o) {
    const bj::value* cls = member(node, "cls");
    if (!cls || !cls->is_string()) throw Error(Code::corrupt, "the member cls is missing");
    std::string kind(text_of(cls->get_string()));
    object_member(node, "non_tensors");
    object_member(node, "leaves");
    const bj::object& meta = object_member(node, "cls_metadata");
    const bj::value* locked = member(meta, "is_locked");
    if (locked && !locked->is_bool()) throw Error(Code::corrupt, "the member is_locked is not a bool");
    o.locked = locked && locked->get_bool();
    // A tensorclass, around the one or the other.
    constexpr std::string_view before = "<class '", after = "'>";
    bool own_class = kind.size() > before.size() + after.size() && starts_with(kind, before);
    if (own_class) o.python_class = kind.substr(before.size(), kind.size() - before.size() - after.size());
    if (kind == "LazyStackedTensorDict" || (own_class && member(meta, "stack_dim")))
      read_stack_metadata(meta, o);
    else if (kind == "TensorDict" || own_class)
      read_metadata(meta, o);
    else if (kind == "NonTensorStack" || kind == "NonTensorData" || kind == "MetaData")
      throw Error(Code::unsupported, "the save is non-tensor data, not a dict").hint("put it into a dict first");
    else
      throw Error(Code::unsupported, "collections of kind " + kind + " cannot be opened");
  }

  static void read_metadata(const bj::object& meta, Outline& o) {
    const bj::value *batch = member(meta, "batch_size"), *names = member(meta, "names"),
                    *device = member(meta, "device");
    if (!batch) throw Error(Code::corrupt, "the member batch_size is missing");
    o.batch = parse_batch(*batch);
    if (!names || !names->is_array() || names->get_array().size() != o.batch.size())
      throw Error(Code::corrupt, "the member names does not have one name for each batch dim");
    for (const bj::value& name : names->get_array()) {
      Name text = parse_name(name);
      if (text && std::find(o.names.begin(), o.names.end(), text) != o.names.end())
        throw Error(Code::corrupt, "two batch dims have the same name");
      o.names.push_back(std::move(text));
    }
    o.names = tidy(std::move(o.names));
    if (device && !device->is_null() && !device->is_string())
      throw Error(Code::corrupt, "the member device is not a string");
    if (device && device->is_string()) o.device = c10::Device(c10::kCPU);  // a label: the bytes are here
  }

  static void read_stack_metadata(const bj::object& meta, Outline& o) {
    const bj::value *dim = member(meta, "stack_dim"), *name = member(meta, "stack_dim_name");
    if (!dim || !dim->is_int64()) throw Error(Code::corrupt, "the member stack_dim is not an integer");
    o.stack_dim = dim->get_int64();
    if (name) o.stack_name = parse_name(*name);
  }

  void read_members(const bj::object& node, const Path& path, Outline& o) {
    if (!object_member(node, "leaves").empty() || !object_member(node, "non_tensors").empty())
      throw Error(Code::corrupt, "a member of the stack is not a dict");
    size_t count = 0;
    for (const auto& [name, value] : node) count += is_node(name, value);
    for (size_t i = 0; i < count; ++i) {
      std::string name = std::to_string(i);
      const bj::value* child = member(node, name);
      if (!child) throw Error(Code::corrupt, "the members of the stack are not numbered from 0 on");
      o.nodes.emplace_back(name, read(*child, path, {}));
    }
    if (count == 0) throw Error(Code::corrupt, "the stack has no members");
  }

  // ---- Leaves -------------------------------------------------------------------------------------------------------

  // The parts of a jagged tensor follow one another: values, lengths where there are some, offsets.
  void read_leaves(const bj::object& leaves, const Path& path, Taken& names, Outline& o) {
    o.leaves.reserve(leaves.size());
    optional<PlacedJagged> open;
    std::string_view open_name;
    auto part = [&](std::string_view name, std::string_view prefix) {
      return starts_with(name, prefix) && (prefix == njt_values || (open && name.substr(prefix.size()) == open_name));
    };
    for (const auto& [given, value] : leaves) {
      std::string_view name(given.data(), given.size());
      try {
        const bool of_jagged = starts_with(name, "<NJT_");
        if (!extents_.jagged && of_jagged) throw Error(Code::unsupported, "jagged tensors cannot be opened here");
        if (!of_jagged && !open) {
          if (!names.insert(name).second) throw Error(Code::corrupt, "the key names two entries");
          PlacedLeaf leaf = read_leaf(value, 5);
          check_batch(stored_sizes(leaf.type), o.batch);
          o.leaves.emplace_back(Key(KeyView(name)), std::move(leaf));
        } else if (part(name, njt_values) && !open) {
          open.emplace();
          open_name = name.substr(njt_values.size());
          open->values = read_leaf(value, 5);
        } else if (part(name, njt_lengths) && !open->lengths) {
          open->lengths = read_numbers(value, 5);
        } else if (part(name, njt_offsets)) {
          open->offsets = read_numbers(value, 6);
          read_ragged(value, *open, o.batch);
          Key key{KeyView(open_name)};
          if (!names.insert(open_name).second) throw Error(Code::corrupt, "the key names two entries");
          o.jagged.emplace_back(std::move(key), *open);
          open = nullopt;
        } else {
          throw Error(Code::corrupt, "the parts of a jagged tensor do not follow one another");
        }
      } catch (const Error& e) {
        throw located(e, path + Key(KeyView(name)));
      }
    }
    if (open)
      throw located(Error(Code::corrupt, "the offsets of a jagged tensor are missing"), path + Key(KeyView(open_name)));
  }

  PlacedLeaf read_leaf(const bj::value& v, size_t members) {
    const bj::array* list = v.if_array();
    if (!list || list->size() != members)
      throw Error(Code::corrupt, members == 5 ? "the leaf is not [dtype, shape, start, stop, pad]"
                                              : "the offsets are not [dtype, shape, start, stop, pad, ragged_idx]");
    LeafType type = parse_leaf_type((*list)[0], (*list)[1]);
    int64_t start = extent_number((*list)[2], "start"), stop = extent_number((*list)[3], "stop"),
            pad = extent_number((*list)[4], "padding");
    if (start < extents_.begin || stop < start || stop > extents_.end)
      throw Error(Code::corrupt,
                  "the extent " + std::to_string(start) + " to " + std::to_string(stop) + " is outside the data");
    if (pad < 0 || pad > 7 || stop - start - pad != type.bytes)
      throw Error(Code::corrupt, "the extent does not have the size of shape " + to_string(type.sizes));
    if (start % extents_.alignment != 0) throw Error(Code::corrupt, "the extent is not aligned");
    return {std::move(type), start};
  }

  PlacedLeaf read_numbers(const bj::value& v, size_t members) {
    PlacedLeaf leaf = read_leaf(v, members);
    if (leaf.type.dtype != at::kLong || leaf.type.sizes.size() != 1)
      throw Error(Code::corrupt, "offsets and lengths of a jagged tensor are vectors of int64");
    leaf.fixed = true;
    return leaf;
  }

  static void read_ragged(const bj::value& offsets, PlacedJagged& j, at::IntArrayRef batch) {
    int64_t index = extent_number(offsets.get_array()[5], "ragged_idx");
    if (j.values.type.stored != 0) scalar_type(j.values.type.stored);  // refused, as in memmap directories
    if (index < 1 || index > static_cast<int64_t>(j.values.type.sizes.size()))
      throw Error(Code::corrupt, "the ragged_idx " + std::to_string(index) + " is out of range");
    j.ragged_dim = index - 1;
    int64_t count = j.offsets.type.sizes[0] - 1;
    if (count < 0) throw Error(Code::corrupt, "the offsets of a jagged tensor are empty");
    if (j.lengths && j.lengths->type.sizes[0] != count)
      throw Error(Code::corrupt, "a jagged tensor does not have one length for each component");
    if (!batch.empty() && batch[0] != count)
      throw Error(Code::corrupt,
                  "batch mismatch: batch size " + to_string(batch) + ", but " + std::to_string(count) + " components");
    // The other batch dims are those of all components, in front of the ragged one.
    const Dims& sizes = j.values.type.sizes;
    for (size_t d = 1; d < batch.size(); ++d)
      if (static_cast<int64_t>(d) > j.ragged_dim || batch[d] != sizes[d - 1])
        throw Error(Code::corrupt, "batch mismatch: batch size " + to_string(batch) + ", but values of shape " +
                                       to_string(sizes) + " that are ragged along dim " + std::to_string(j.ragged_dim));
  }

  void check_disjoint(const Outline& o) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    taken.reserve(o.leaves.size());
    for_each_leaf(o, [&](const PlacedLeaf& l) {
      if (l.type.bytes > 0) taken.emplace_back(l.offset, l.offset + l.type.bytes);
    });
    std::sort(taken.begin(), taken.end());
    for (size_t i = 1; i < taken.size(); ++i)
      if (taken[i].first < taken[i - 1].second) throw_overlap(o, taken[i].first);
  }

  [[noreturn]] void throw_overlap(const Outline& o, int64_t offset) {
    throw located(Error(Code::corrupt, "the extent at " + std::to_string(offset) + " overlaps another"),
                  last_at(o, offset, Path()).value_or(Path()));
  }

  // The key of a leaf; members of a stack are not part of it.
  static optional<Path> last_at(const Outline& o, int64_t offset, const Path& path) {
    optional<Path> last;
    for (const auto& [key, leaf] : o.leaves)
      if (leaf.offset == offset) last = path + key;
    for (const auto& [key, j] : o.jagged)
      if (j.values.offset == offset || j.offsets.offset == offset || (j.lengths && j.lengths->offset == offset))
        last = path + key;
    for (const auto& [key, node] : o.nodes)
      if (optional<Path> below = last_at(node, offset, o.stack_dim ? path : path + key)) last = std::move(below);
    return last;
  }

  const Extents& extents_;
  const std::string& where_;
};

}  // namespace

Outline parse_outline(std::string_view json, const Extents& extents, const std::string& where) {
  return OutlineReader(extents, where).read_root(parse_json(json, where));
}

}  // namespace td::storage
