#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/shape/split.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/json.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/safetensors.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

std::string text_in(const bj::string& s) {
  return {s.data(), s.size()};
}

struct Stored {
  LeafType type;
  int64_t start, stop;  // in the data
};
using StoredTensors = std::map<std::string, Stored>;

std::string python_name(const bj::value& v) {
  if (!v.is_string()) throw Error(Code::corrupt, "the dtype is not a string");
  std::string name = text_in(v.get_string());
  for (const safetensors::Type& t : safetensors::types)
    if (name == t.name) return std::string("torch.") + t.torch;
  throw Error(Code::dtype, "the dtype " + name + " is not known here");
}

Stored parse_tensor(const bj::value& v, int64_t data_size) {
  if (!v.is_object()) throw Error(Code::corrupt, "the tensor is not described by an object");
  const bj::object& o = v.get_object();
  const bj::value *dtype = member(o, "dtype"), *shape = member(o, "shape"), *offsets = member(o, "data_offsets");
  if (!dtype || !shape || !offsets) throw Error(Code::corrupt, "the tensor has no dtype, no shape or no data_offsets");
  Dims extent = parse_dims(*offsets, "the list data_offsets");
  Stored s{parse_leaf_type(bj::string(python_name(*dtype)), *shape), 0, 0};
  if (extent.size() != 2 || extent[1] < extent[0] || extent[1] > data_size)
    throw Error(Code::corrupt, "the data_offsets lie outside the file");
  if (extent[1] - extent[0] != s.type.bytes)
    throw Error(Code::corrupt, "the data_offsets do not have the size of shape " + to_string(s.type.sizes));
  s.start = extent[0];
  s.stop = extent[1];
  return s;
}

// The format knows no holes, and nothing that two tensors share.
void check_no_holes(const StoredTensors& tensors, int64_t data_size) {
  std::vector<std::pair<int64_t, int64_t>> extents;
  for (const auto& [name, t] : tensors) extents.emplace_back(t.start, t.stop);
  std::sort(extents.begin(), extents.end());
  int64_t end = 0;
  for (const auto& [start, stop] : extents) {
    if (start != end)
      throw Error(Code::corrupt, start < end ? "two tensors overlap" : "there is a hole between two tensors");
    end = stop;
  }
  if (end != data_size) throw Error(Code::corrupt, "the tensors do not fill the file");
}

class TreeReader {
 public:
  TreeReader(const StoredTensors& tensors, const std::set<std::string>& left_out,
             const std::function<at::Tensor(const Stored&)>& make, int64_t file_size)
      : tensors_(tensors), left_out_(left_out), make_(make), max_dicts_(file_size + (1 << 16)) {}

  // The names of anybody's file: a dot leads one level down, unless what is before it names a tensor.
  NodePtr dotted() const {
    NodePtr root = TensorDict::make({});
    for (const auto& [name, stored] : tensors_) {
      std::vector<Key> keys;
      for (size_t at = 0; at <= name.size();) {
        size_t dot = std::min(name.find('.', at), name.size());
        if (dot < name.size() && tensors_.count(name.substr(0, dot))) dot = name.size();
        keys.emplace_back(name.substr(at, dot - at));
        at = dot + 1;
      }
      root->set(Path(std::move(keys)), make_(stored));
    }
    return root;
  }

  NodePtr described(const bj::value& tree) {
    if (!tree.is_object()) throw Error(Code::corrupt, "the description of the tree is not an object");
    const bj::value *version = member(tree.get_object(), "version"), *root = member(tree.get_object(), "root");
    if (!version || !version->is_int64() || !root)
      throw Error(Code::corrupt, "the description of the tree is incomplete");
    if (version->get_int64() != safetensors::tree_version)
      throw Error(Code::version, "the tree has version " + std::to_string(version->get_int64()) + ", not " +
                                     std::to_string(safetensors::tree_version))
          .hint("open it with a newer library");
    NodePtr node = level(*root, Path(), {});
    if (used_.size() != tensors_.size())
      for (const auto& [name, stored] : tensors_)
        if (!used_.count(name)) throw Error(Code::corrupt, "the tensor \"" + name + "\" is not in the tree");
    return node;
  }

 private:
  NodePtr level(const bj::value& v, const Path& path, at::IntArrayRef parent) {
    try {
      if (!v.is_object()) throw Error(Code::corrupt, "a level of the tree is not an object");
      const bj::object& o = v.get_object();
      const bj::value* batch = member(o, "batch_size");
      if (!batch) throw Error(Code::corrupt, "the member batch_size is missing");
      auto dict = c10::make_intrusive<TensorDict>(parse_batch(*batch), nullopt);
      check_batch(dict->batch_size(), parent);
      int64_t before = dicts_++;
      Names names = parse_names(member(o, "names"), dict->batch_dims());
      dict->adopt_names(names);
      const bj::object& keys = object_member(o, "keys");
      dict->reserve(keys.size());
      for (const auto& [name, value] : keys) {
        Key key(std::string(name.data(), name.size()));
        entry(*dict, key, value, path + key);
      }
      NodePtr node = dict;
      if (const bj::value* dim = member(o, "stack_dim")) node = unbound(*node, *dim, names, dicts_ - before);
      if (const bj::value* cls = member(o, "class")) adopt_class(*node, *cls);
      return node;
    } catch (Error& e) {
      throw e.key().empty() && path.size() > 0 ? e.key(to_string(path)) : e;
    }
  }

  void entry(TensorDict& node, const Key& key, const bj::value& v, const Path& path) {
    try {
      if (!v.is_object()) throw Error(Code::corrupt, "the entry is not an object");
      const bj::object& o = v.get_object();
      if (const bj::value* tensor = member(o, "tensor")) {
        if (tensor->is_string() && left_out_.count(text_in(tensor->get_string()))) return;
        auto found = tensor->is_string() ? tensors_.find(text_in(tensor->get_string())) : tensors_.end();
        if (found == tensors_.end()) throw Error(Code::corrupt, "the tensor of the entry is missing");
        const bj::value* mark = member(o, "unbatched");
        const bool unbatched = mark && mark->is_bool() && mark->get_bool();
        if (!unbatched) check_batch(stored_sizes(found->second.type), node.batch_size());
        used_[found->first] = true;
        at::Tensor made = make_(found->second);
        node.put_new(key, unbatched ? Entry::unbatched(std::move(made)) : Entry(std::move(made)));
      } else if (const bj::value* value = member(o, "non_tensor")) {
        node.put_new(key, Entry(Data::uniform(value_of(*value), node.batch_size())));
      } else if (const bj::value* below = member(o, "td")) {
        node.put_new(key, Entry(level(*below, path, node.batch_size())));
      } else {
        throw Error(Code::corrupt, "the entry is neither a tensor nor a value nor a dict");
      }
    } catch (Error& e) {
      throw e.key().empty() ? e.key(to_string(path)) : e;
    }
  }

  static Names parse_names(const bj::value* v, size_t dims) {
    if (!v || v->is_null()) return {};
    Names names;
    if (!v->is_array() || v->get_array().size() != dims)
      throw Error(Code::corrupt, "the member names does not have one name for each batch dim");
    for (const bj::value& name : v->get_array()) {
      if (!name.is_null() && !name.is_string()) throw Error(Code::corrupt, "a name of a batch dim is not a string");
      names.push_back(name.is_string() ? Name(text_in(name.get_string())) : Name());
    }
    try {
      check_names(names, dims);
    } catch (const Error& e) {
      throw Error(Code::corrupt, e.message());
    }
    return tidy(std::move(names));
  }

  // A lazy stack was written as the dict that it stacks to.
  NodePtr unbound(const Node& whole, const bj::value& v, const Names& names, int64_t dicts) {
    auto dims = static_cast<int64_t>(whole.batch_dims());
    if (!v.is_int64() || v.get_int64() < 0 || v.get_int64() >= dims)
      throw Error(Code::corrupt, "the stack_dim is not a batch dim");
    auto dim = static_cast<size_t>(v.get_int64());
    // Each member has all dicts of the whole, for which the file may have no bytes.
    int64_t members = whole.batch_size()[dim];
    if (members > (max_dicts_ - dicts_) / dicts) throw Error(Code::corrupt, "the stack has too many members");
    dicts_ += members * dicts;
    Dims element(whole.batch_size().begin(), whole.batch_size().end());
    element.erase(element.begin() + dim);
    NodePtr stack = LazyStack::make(unbind(whole, v.get_int64()), v.get_int64(), element);
    if (!names.empty()) stack->adopt_names(names);
    return stack;
  }

  static void adopt_class(Node& node, const bj::value& v) {
    std::string name = v.is_string() ? text_in(v.get_string()) : "";
    constexpr std::string_view before = "<class '", after = "'>";
    if (name.size() <= before.size() + after.size() || name.compare(0, before.size(), before) != 0)
      throw Error(Code::corrupt, "the member class is not the name of a class");
    name = name.substr(before.size(), name.size() - before.size() - after.size());
    node.adopt_python_class(std::make_shared<const PythonClass>(PythonClass{name, "", ""}));
  }

  const StoredTensors& tensors_;
  const std::set<std::string>& left_out_;
  const std::function<at::Tensor(const Stored&)>& make_;
  std::map<std::string, bool> used_;
  int64_t dicts_ = 0, max_dicts_;  // made so far, and more than this is no honest file
};

bj::value read_header_json(const MappedFile& file, int64_t& data_start) {
  constexpr int64_t number = 8;
  int64_t n = 0;
  if (file.size() < number) throw Error(Code::corrupt, "the file is too short");
  std::memcpy(&n, file.read(0, number).data(), number);
  if (n <= 0 || n > file.size() - number || n > safetensors::longest_header)
    throw Error(Code::corrupt, "the file begins with a header of " + std::to_string(n) + " bytes, and has " +
                                   std::to_string(file.size()))
        .hint("the file was truncated, or is not a safetensors file");
  data_start = number + n;
  std::string json = file.read(number, n);
  if (json[0] != '{') throw Error(Code::corrupt, "the header is not a JSON object");
  bj::value header = parse_json(json, file.path());
  if (!header.is_object()) throw Error(Code::corrupt, "the header is not a JSON object");
  return header;
}

NodePtr read_safetensors(MappedFile& file, const OpenOptions& options) {
  int64_t start = 0;
  bj::value header = read_header_json(file, start);
  int64_t size = file.size() - start;
  StoredTensors tensors;
  std::set<std::string> left_out;
  optional<std::string> tree;
  for (const auto& [given, value] : header.get_object()) {
    std::string name(given.data(), given.size());
    if (name != safetensors::metadata_member) {
      try {
        tensors.emplace(name, parse_tensor(value, size));
      } catch (Error& e) {
        if (!options.lenient || e.code() != Code::dtype) throw e.key(to_string(Path(std::vector<Key>{Key(name)})));
        left_out.insert(name);
      }
    } else if (value.is_object()) {
      for (const auto& [key, text] : value.get_object())
        if (!text.is_string()) throw Error(Code::corrupt, "the metadata holds something else than strings");
      const bj::value* described = member(value.get_object(), safetensors::tree_member);
      if (described) tree = text_in(described->get_string());
    } else {
      throw Error(Code::corrupt, "the metadata is not an object");
    }
  }
  if (!options.lenient) check_no_holes(tensors, size);
  file.map(file.size());
  std::function<at::Tensor(const Stored&)> make = [&](const Stored& s) { return file.tensor(start + s.start, s.type); };
  TreeReader reader(tensors, left_out, make, file.size());
  return tree ? reader.described(parse_json(*tree, file.path(), safetensors::deepest_tree)) : reader.dotted();
}

}  // namespace

NodePtr open_safetensors(const std::string& path, const OpenOptions& options) {
  MappedFile file(path, options.mode);
  try {
    return read_safetensors(file, options);
  } catch (Error& e) {
    throw e.where().empty() ? e.where(path) : e;
  }
}

}  // namespace td::storage
