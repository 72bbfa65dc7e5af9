#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "core/dict/lazy/lazy_stack.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/safetensors.h"
#include "core/storage/staged_writer.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

struct Named {
  std::string name;
  at::Tensor tensor;
  LeafType type;
  size_t rank;  // of its dtype in the order of the format
  int64_t start = 0;
};

size_t rank_of(const LeafType& type, const Path& path) {
  std::string_view name = type.stored == 0 ? dtype_name(type.dtype) : dtype_name(type.stored);
  for (size_t i = 0; i < std::size(safetensors::types); ++i)
    if (name == safetensors::types[i].torch) return i;
  throw Error(Code::unsupported, "the format has no dtype " + std::string(name))
      .key(to_string(path))
      .hint("convert it first, or save another format");
}

std::string dotted_name(const Path& path) {
  std::string name;
  for (const Key& key : path.keys()) {
    if (!name.empty() || &key != &path.keys()[0]) name += '.';
    name += key.text();
  }
  return name;
}

// The tree as Python's tensordict describes it, and the tensors in it.
class Describer {
 public:
  std::string describe(const Node& node) {
    text_ = "{\"version\": " + std::to_string(safetensors::tree_version) + ", \"root\": ";
    level(node, Path(), 1);
    text_ += '}';
    return std::move(text_);
  }
  std::vector<Named>& tensors() { return tensors_; }

 private:
  void level(const Node& node, const Path& path, size_t depth) {
    const PythonClass* python = node.python_class().get();
    if (python && python->name == nested_tensor)
      throw Error(Code::unsupported, "the format cannot hold nested tensors").key(to_string(path));
    text_ += "{\"batch_size\": ";
    append_json(text_, node.batch_size());
    text_ += ", \"names\": ";
    append_names(node);
    node.each_member([&](const NodePtr& m, size_t) {
      if (m->count() != node.count())
        throw Error(Code::unsupported, "the format cannot hold stacks of dicts with different keys")
            .key(path.size() ? to_string(path) : "");
    });
    if (node.has_members()) text_ += ", \"stack_dim\": " + std::to_string(node.member_dim());
    if (python) {
      text_ += ", \"class\": ";
      append_json(text_, "<class '" + python->name + "'>");
    }
    text_ += ", \"keys\": {";
    const char* comma = "";
    node.visit([&](const Key& key, const Entry& e) {
      text_ += comma;
      append_json(text_, key.text());
      text_ += ": ";
      entry(e, path + key, depth + 2);
      comma = ", ";
    });
    text_ += "}}";
  }

  void append_names(const Node& node) {
    if (node.names().empty()) {
      text_ += "null";
      return;
    }
    const char* comma = "[";
    for (const Name& name : node.names()) {
      text_ += comma;
      if (name)
        append_json(text_, *name);
      else
        text_ += "null";
      comma = ", ";
    }
    text_ += ']';
  }

  void entry(const Entry& e, const Path& path, size_t depth) {
    if (e.is_node()) {
      text_ += "{\"td\": ";
      level(*e.node(), path, depth + 1);
    } else if (e.is_data()) {
      if (e.data()->stacked())
        throw Error(Code::unsupported, "the format cannot hold stacks of non-tensor data")
            .key(to_string(path))
            .hint("save another format");
      text_ += "{\"non_tensor\": ";
      append_value(text_, e.data()->value(), depth + 1, path, safetensors::deepest_tree);
    } else {
      std::string name = dotted_name(path);
      if (name == safetensors::metadata_member || !names_.insert(name).second)
        throw Error(Code::key, "the format cannot hold a second tensor called \"" + name + '"')
            .key(to_string(path))
            .hint("rename the entry");
      LeafType type = leaf_type(e.tensor(), path);
      size_t rank = rank_of(type, path);
      text_ += "{\"tensor\": ";
      append_json(text_, name);
      if (e.is_unbatched()) text_ += ", \"unbatched\": true";
      tensors_.push_back({std::move(name), e.tensor(), std::move(type), rank});
    }
    text_ += '}';
  }

  std::string text_;
  std::vector<Named> tensors_;
  std::unordered_set<std::string> names_;
};

}  // namespace

void save_safetensors(const Node& node, const std::string& path, const SaveOptions& options) {
  if (options.compression != Compression::none)
    throw Error(Code::unsupported, "safetensors files cannot be compressed").where(path).hint("save an archive, .tdz");
  Describer describer;
  std::string tree = describer.describe(node);
  std::vector<Named>& tensors = describer.tensors();
  std::sort(tensors.begin(), tensors.end(),
            [](const Named& a, const Named& b) { return a.rank != b.rank ? a.rank > b.rank : a.name < b.name; });

  std::string header = std::string("{\"") + safetensors::metadata_member + "\":{\"" + safetensors::tree_member + "\":";
  append_json(header, tree);
  header += '}';
  int64_t end = 0;
  for (Named& t : tensors) {
    header += ',';
    append_json(header, t.name);
    header += std::string(":{\"dtype\":\"") + safetensors::types[t.rank].name + "\",\"shape\":";
    append_json(header, stored_sizes(t.type));
    t.start = end;
    if (__builtin_add_overflow(end, t.type.bytes, &end))
      throw Error(Code::nospace, "the tensors do not fit into one file").where(path);
    header += ",\"data_offsets\":[" + std::to_string(t.start) + ',' + std::to_string(end) + "]}";
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  auto length = static_cast<int64_t>(header.size());
  if (length > safetensors::longest_header)
    throw Error(Code::unsupported, "the format cannot hold so many keys").where(path);

  StagedFile staged(path, options.overwrite);
  StagedWriter out(staged, static_cast<int64_t>(sizeof length) + length + end, options);
  out.write(&length, sizeof length);
  out.write(header.data(), header.size());
  for (const Named& t : tensors) out.write(dense(t.tensor));
  out.finish();
  staged.publish(options.sync);
}

}  // namespace td::storage
