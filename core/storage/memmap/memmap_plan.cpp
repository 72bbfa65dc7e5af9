#include "core/storage/memmap/memmap_plan.h"

#include <unordered_set>

#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/names.h"
#include "core/storage/nested.h"
#include "core/storage/pickle.h"

namespace td::storage {

namespace {

constexpr const char* one_value_tail = "\"_metadata\":null,\"_is_non_tensor\":true}";

std::string meta_of(std::string_view python_class) {
  std::string meta = "{\"_type\":";
  append_json(meta, "<class '" + std::string(python_class) + "'>");
  return meta;
}

// Of the collections that are Python's own.
std::string format_members(std::string_view python_class) {
  return ",\"_format_version\":" + std::to_string(newest_format) + ",\"_class\":\"" + public_class(python_class) + '"';
}

PlannedFile text_file(std::string name, std::string text) {
  auto bytes = static_cast<int64_t>(text.size());
  return {std::move(name), {}, std::move(text), bytes};
}

bool all_of_kind(const std::vector<const Value*>& values, Value::Kind kind) {
  for (const Value* v : values)
    if (v->kind != kind) return false;
  return !values.empty();
}

// A list that Python pickled goes back as it came, or not at all.
bool whole_pickle(const std::vector<const Value*>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i]->pickle != values[0]->pickle || values[i]->i != static_cast<int64_t>(i)) return false;
  return values[0]->pickle->count == static_cast<int64_t>(values.size());
}

PlannedDirectory data_directory(const Data& data, const Path& path) {
  PlannedDirectory d;
  if (!data.stacked()) {
    Value v = data.size() ? data.value() : Value();
    d.meta = meta_of(v.metadata ? python_metadata : python_data) + ',';
    if (v.kind == Value::Kind::bytes) {
      d.files.push_back(text_file(pickled_value, pickle_bytes(v.text)));
    } else if (v.kind == Value::Kind::pickle && v.pickle->count < 0) {
      d.files.push_back(text_file(pickled_value, v.pickle->bytes));
    } else {
      d.meta += "\"data\":";
      append_value(d.meta, v, 1, path);
      d.meta += ',';
    }
    d.meta += one_value_tail;
    return d;
  }
  d.meta = meta_of(python_stack) + format_members(python_stack) + ",\"stack_dim\":0,\"device\":null,\"data\":";
  std::vector<const Value*> values = data.values();
  bool bytes = all_of_kind(values, Value::Kind::bytes),
       pickle = all_of_kind(values, Value::Kind::pickle) && whole_pickle(values);
  if (bytes || pickle) {
    d.files.push_back(text_file(pickled_list, pickle ? values[0]->pickle->bytes : pickle_bytes(values, data.batch())));
    append_json(d.meta, std::string_view(pickled_list));
  } else {
    append_lists(d.meta, data, 1, path);
  }
  d.meta += '}';
  return d;
}

class Planner {
 public:
  Planner(const Node& node, Path path) : node_(node), path_(std::move(path)) {}

  PlannedDirectory plan() {
    const auto& python = node_.python_class();
    return python && python->name != nested_tensor ? tensorclass(*python) : inside();
  }

 private:
  PlannedDirectory inside() {
    PlannedDirectory d;
    if (node_.has_members()) {
      plan_stack(node_, d);
      return d;
    }
    d.meta = "{";
    node_.visit([&](const Key& key, const Entry& entry) { add(d, key, entry); });
    d.meta += "\"shape\":";
    append_json(d.meta, node_.batch_size());
    d.meta += ",\"device\":\"cpu\",\"_type\":\"<class '" + std::string(python_tensordict) + "'>\"";
    d.meta += format_members(python_tensordict);
    if (!node_.names().empty()) {
      d.meta += ",\"_names\":";
      append_names(d.meta, node_.names());
    }
    d.meta += '}';
    return d;
  }

  PlannedDirectory tensorclass(const PythonClass& python) {
    PlannedDirectory d;
    d.meta = meta_of(python.name);
    boost::json::value fields = parse_json('{' + python.fields + '}', "");
    for (const auto& [name, value] : fields.get_object()) {
      Key key(std::string(name.data(), name.size()));
      if (node_.has(key)) continue;  // it became an entry
      d.meta += ',';
      append_json(d.meta, key.text());
      d.meta += ':';
      append_value(d.meta, value_of(value), 1, path_);
    }
    d.meta += '}';
    if (!python.pickle.empty()) d.files.push_back(text_file(pickled_value, python.pickle));
    d.directories.emplace_back(tensorclass_inside, inside());
    return d;
  }

  // Members have no names but their numbers, and nothing says how many there are.
  void plan_stack(const Node& stack, PlannedDirectory& d) {
    const auto dim = static_cast<size_t>(stack.member_dim());
    if (stack.batch_size()[dim] == 0)
      throw Error(Code::unsupported, "a lazy stack without members cannot be saved: the format cannot hold it")
          .key(path_.size() ? to_string(path_) : "");
    stack.each_member(
        [&](const NodePtr& m, size_t i) { d.directories.emplace_back(std::to_string(i), Planner(*m, path_).plan()); });
    d.meta = meta_of(python_lazy) + format_members(python_lazy);
    d.meta += ",\"stack_dim\":" + std::to_string(dim) + ",\"stack_dim_name\":";
    append_name(d.meta, spread(stack.names(), stack.batch_dims())[dim]);
    d.meta += '}';
  }

  void add(PlannedDirectory& d, const Key& key, const Entry& entry) {
    Path path = path_ + key;
    if (entry.is_unbatched()) refuse_unbatched_entry(path, "the format cannot hold it");
    append_json(d.meta, key.text());
    d.meta += ':';
    optional<NestedParts> nested = entry.is_node() ? nested_parts(*entry.node()) : nullopt;
    if (nested) {
      add_nested(d, path, std::move(*nested));
    } else if (entry.is_tensor()) {
      LeafType type = leaf_type(entry.tensor(), path);
      std::string name = leaf_file(path, leaf_suffix);
      if (type.bytes > 0) d.files.push_back({std::move(name), {entry.tensor()}, "", type.bytes});
      d.meta += leaf_member(entry.tensor().device(), type, false);
    } else {
      std::string name = checked_name(path, encoded_name(key.text()));
      d.directories.emplace_back(
          std::move(name), entry.is_node() ? Planner(*entry.node(), path).plan() : data_directory(*entry.data(), path));
      d.meta += "{\"type\":";
      append_json(d.meta, type_of(entry));
      d.meta += '}';
    }
    d.meta += ',';
  }

  static std::string type_of(const Entry& entry) {
    if (entry.is_data()) return entry.data()->class_name();
    const Node& node = *entry.node();
    bool named = node.python_class() && node.python_class()->name != nested_tensor;
    return named ? bare_class(node.python_class()->name) : node.class_name();
  }

  void add_nested(PlannedDirectory& d, const Path& path, NestedParts parts) {
    if (parts.components.empty())
      throw Error(Code::unsupported,
                  "a nested tensor without components cannot be saved: Python would not find it again")
          .key(to_string(path))
          .hint("a consolidated file holds it");
    at::Tensor rows = size_table(parts);
    LeafType table = leaf_type(rows, path);
    int64_t bytes = 0;
    for (const at::Tensor& t : parts.components) bytes += leaf_type(t, path).bytes;
    d.meta += leaf_member(parts.components[0].device(), {parts.type.dtype, table.sizes, 0}, true);
    std::string shape_name = leaf_file(path, shape_suffix), name = leaf_file(path, leaf_suffix);
    if (table.bytes > 0) d.files.push_back({std::move(shape_name), {rows}, "", table.bytes, true});
    // Without elements too: Python leaves the entry out where the file is missing.
    d.files.push_back({std::move(name), std::move(parts.components), "", bytes});
  }

  std::string leaf_file(const Path& path, std::string_view suffix) {
    return checked_name(path, encoded_name(path.keys().back().text()) + std::string(suffix));
  }

  std::string checked_name(const Path& path, std::string name) {
    auto refuse = [&](const std::string& why) {
      return Error(Code::key, why).key(to_string(path)).hint("rename the entry");
    };
    if (reserved_key(path.keys().back().text())) throw refuse("the format needs this name for itself");
    if (name.size() > longest_name) throw refuse("the file would have a name of more than 255 bytes");
    if (!names_.insert(name).second || name == meta_name)
      throw refuse("two entries would have the name " + name + " in one directory");
    return name;
  }

  const Node& node_;
  Path path_;
  std::unordered_set<std::string> names_;
};

}  // namespace

PlannedDirectory plan_memmap(const Node& node) {
  return Planner(node, Path()).plan();
}

std::string leaf_member(c10::Device device, const LeafType& type, bool nested) {
  std::string text = "{\"device\":";
  append_json(text, device.str());
  text += ",\"shape\":";
  append_json(text, stored_sizes(type));
  text += ",\"dtype\":";
  append_json(text, python_dtype(type));
  return text + (nested ? ",\"is_nested\":true}" : ",\"is_nested\":false}");
}

std::vector<std::string> file_names(const Key& key, const Entry& entry) {
  std::string name = encoded_name(key.text()), leaf = name + std::string(leaf_suffix);
  if (entry.is_tensor()) return {leaf};
  bool nested = entry.is_node() && nested_parts(*entry.node());
  if (nested) return {leaf, name + std::string(shape_suffix)};
  return {name};
}

int64_t planned_bytes(const PlannedDirectory& plan) {
  int64_t sum = static_cast<int64_t>(plan.meta.size());
  for (const PlannedFile& f : plan.files) sum += f.bytes;
  for (const auto& below : plan.directories) sum += planned_bytes(below.second);
  return sum;
}

}  // namespace td::storage
