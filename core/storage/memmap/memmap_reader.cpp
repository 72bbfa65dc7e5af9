#include <algorithm>
#include <exception>
#include <mutex>

#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/levels.h"
#include "core/storage/json.h"
#include "core/storage/json_text.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/memmap/memmap_data.h"
#include "core/storage/memmap/memmap_views.h"
#include "core/storage/names.h"
#include "core/storage/nested.h"
#include "core/system/mapping.h"
#include "core/system/parallel.h"
#include "core/tensor/origin.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

std::string text(const bj::string& s) {
  return {s.data(), s.size()};
}

// "tensordict._lazy.LazyStackedTensorDict" of "<class 'tensordict._lazy.LazyStackedTensorDict'>"; by the public name
// where it has one, for the module in the other is private, and may change.
std::string class_in(const bj::object& meta) {
  const bj::value* name = member(meta, "_class");
  for (std::string_view known :
       {python_tensordict, python_lazy, python_data, python_metadata, python_stack, python_persistent})
    if (name && name->is_string() && text(name->get_string()) == public_class(known)) return std::string(known);
  constexpr std::string_view before = "<class '", after = "'>";
  const bj::value* member_type = member(meta, "_type");
  if (!member_type || !member_type->is_string()) throw Error(Code::corrupt, "the member _type is missing");
  std::string type = text(member_type->get_string());
  if (type.size() <= before.size() + after.size() || type.compare(0, before.size(), before) != 0 ||
      type.compare(type.size() - after.size(), after.size(), after) != 0)
    throw Error(Code::corrupt, "the member _type is not the name of a class");
  return type.substr(before.size(), type.size() - before.size() - after.size());
}

void check_format(const bj::object& meta) {
  const bj::value* version = member(meta, "_format_version");
  if (!version) return;
  const int64_t* number = version->if_int64();
  if (!number && !version->is_object()) throw Error(Code::corrupt, "the member _format_version is not an integer");
  if (number && *number > newest_format)
    throw Error(Code::version, "the save has format version " + std::to_string(*number) + ", newer than " +
                                   std::to_string(newest_format))
        .hint("open it with a newer library");
}

// The tensors are in this process's memory whatever device they were saved from.
optional<c10::Device> device_in(const bj::object& meta) {
  const bj::value* device = member(meta, "device");
  if (!device || device->is_null()) return nullopt;
  if (!device->is_string()) throw Error(Code::corrupt, "the member device is not a string");
  if (device->get_string() == "None") return nullopt;
  return c10::Device(c10::kCPU);
}

Name name_in(const bj::value& v) {
  if (!v.is_null() && !v.is_string()) throw Error(Code::corrupt, "a name of a batch dim is not a string");
  return v.is_string() ? Name(text(v.get_string())) : Name();
}

// Newer versions of Python's tensordict write them; an entry of that name is an object.
Names names_in_meta(const bj::object& meta, size_t dims) {
  const bj::value* list = member(meta, "_names");
  if (!list || !list->is_array()) return {};
  Names names;
  for (const bj::value& v : list->get_array()) {
    Name name = name_in(v);
    if (name && std::find(names.begin(), names.end(), name) != names.end())
      throw Error(Code::corrupt, "two batch dims have the same name");
    names.push_back(std::move(name));
  }
  if (names.size() != dims) throw Error(Code::corrupt, "the member _names does not have one name for each batch dim");
  return tidy(std::move(names));
}

// One directory of the save.
class Reader {
 public:
  Reader(const Folder& folder, Path path, bool lenient, size_t depth)
      : folder_(folder), path_(std::move(path)), lenient_(lenient), depth_(depth) {}

  // A dict, or non-tensor data.
  Entry read(at::IntArrayRef parent_batch) {
    if (path_.size() > max_levels || depth_ > deepest_directory)
      throw located(Error(Code::corrupt, "directories are nested too deeply"), folder_.where(), path_);
    std::string meta_file = folder_.where() + '/' + std::string(meta_name);
    try {
      const bj::object meta = read_meta(folder_);
      check_format(meta);
      std::string kind = class_in(meta);
      if (is_data_class(kind)) {
        if (path_.size() == 0)
          throw Error(Code::unsupported, "the save is non-tensor data, not a dict").hint("put it into a dict first");
        auto element = [this](const Folder& below) { return Reader(below, path_, lenient_, depth_ + 1).read({}); };
        return Entry(read_data(folder_, kind, meta, parent_batch, element));
      }
      NodePtr node = read_node(kind, meta);
      check_batch(node->batch_size(), parent_batch);
      return Entry(std::move(node));
    } catch (const Error& e) {
      throw located(e, meta_file, path_);
    }
  }

 private:
  // Adds file and key where the thrower did not know them.
  static Error located(Error e, const std::string& where, const Path& path) {
    if (e.where().empty()) e.where(where);
    if (e.key().empty() && path.size() > 0) e.key(to_string(path));
    return e;
  }

  NodePtr read_node(const std::string& kind, const bj::object& meta) {
    if (kind == python_tensordict || kind == python_persistent) return read_dict(meta);
    if (kind == python_lazy) return read_lazy(meta);
    if (is_view_class(kind)) {
      std::unique_ptr<Folder> source = folder_.folder(view_source);
      if (!source) throw Error(Code::corrupt, "the directory _source of the view is missing");
      return apply_view(kind, meta, *inside(*source));
    }
    std::unique_ptr<Folder> wrapped = folder_.folder(tensorclass_inside);
    if (!wrapped)
      throw Error(Code::unsupported, "collections of kind " + kind + " cannot be opened")
          .hint("dicts, stacks, non-tensor data, views and tensorclasses can");
    NodePtr node = inside(*wrapped);
    node->adopt_python_class(read_tensorclass(folder_, kind, meta));
    return node;
  }

  NodePtr inside(const Folder& below) {
    Entry e = Reader(below, path_, lenient_, depth_ + 1).read({});
    if (!e.is_node()) throw Error(Code::corrupt, "there is not a dict in it").where(below.where());
    return e.take_node();
  }

  NodePtr read_dict(const bj::object& meta) {
    const bj::value* shape = member(meta, "shape");
    auto node = c10::make_intrusive<TensorDict>(shape ? parse_batch(*shape) : Dims(), device_in(meta));
    node->adopt_names(names_in_meta(meta, node->batch_dims()));
    if (folder_.maps_files()) node->mark_memmap();
    node->adopt_home(folder_.home());
    std::vector<Member> members = members_of(meta);
    open_leaves(members, *node);
    node->reserve(members.size());
    for (Member& m : members)
      at_key(m.key, [&] {
        if (!m.entry && !m.leaf) m.entry = read_below(m.key, *node);
        if (m.entry) node->put_new(m.key, std::move(m.entry));
      });
    return node;
  }

  struct Member {
    Key key;
    const bj::object* about;
    bool leaf;
    Entry entry;  // empty until it is read, or left out
  };

  static std::vector<Member> members_of(const bj::object& meta) {
    std::vector<Member> members;
    members.reserve(meta.size());
    for (const auto& [name, value] : meta)
      if (const bj::object* about = value.if_object())  // the rest is metadata, of this version or another
        members.push_back(
            {Key(KeyView(std::string_view(name.data(), name.size()))), about, !member(*about, "type"), {}});
    return members;
  }

  // On several threads where there are many: the system takes most of the time. Reports the first that is bad.
  void open_leaves(std::vector<Member>& members, const Node& node) const {
    constexpr int64_t worth_a_thread = 32;
    std::mutex mutex;
    size_t first_bad = members.size();
    std::exception_ptr failure;
    parallel_for(static_cast<int64_t>(members.size()), worth_a_thread, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        Member& m = members[i];
        try {
          if (m.leaf) at_key(m.key, [&] { m.entry = read_leaf(m.key.text(), *m.about, node); });
        } catch (...) {
          std::lock_guard<std::mutex> hold(mutex);
          if (i < first_bad) first_bad = i, failure = std::current_exception();
          return;
        }
      }
    });
    if (failure) std::rethrow_exception(failure);
  }

  template <class Read>
  void at_key(const Key& key, Read read) const {
    try {
      read();
    } catch (const Error& e) {
      throw located(e, folder_.where() + '/' + std::string(meta_name), path_ + key);
    } catch (const std::bad_alloc&) {
      rethrow_as_out_of_mappings();
    }
  }

  // Members are the directories 0, 1, ... up to the first that is not there.
  NodePtr read_lazy(const bj::object& meta) {
    const bj::value *dim = member(meta, "stack_dim"), *dim_name = member(meta, "stack_dim_name");
    if (!dim || !dim->is_int64()) throw Error(Code::corrupt, "the member stack_dim is not an integer");
    Nodes members;
    while (std::unique_ptr<Folder> below = folder_.folder(std::to_string(members.size())))
      members.push_back(inside(*below));
    if (members.empty()) throw Error(Code::corrupt, "the stack has no members").hint("the directory 0 is missing");
    if (!lenient_) check_no_gap(members.size());
    NodePtr stack;
    try {
      stack = LazyStack::make(std::move(members), dim->get_int64());
    } catch (const Error& e) {
      throw Error(Code::corrupt, "the members do not make a stack: " + e.message());
    }
    if (dim_name && dim_name->is_string()) {
      Names names = spread(stack->names(), stack->batch_dims());
      names[static_cast<size_t>(stack->member_dim())] = name_in(*dim_name);
      stack->adopt_names(std::move(names));
    }
    return stack;
  }

  // A directory with a higher number is what a lost one leaves behind.
  void check_no_gap(size_t count) {
    for (const std::string& name : folder_.names()) {
      bool number = !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == name.npos;
      if (number && std::stoul(name) >= count)
        throw Error(Code::corrupt, "the stack has a member " + name + " but no member " + std::to_string(count))
            .hint("the save was not copied as a whole");
    }
  }

  Entry read_below(const Key& full, const Node& parent) {
    const std::string& key = full.text();
    std::string name = encoded_name(key);
    std::unique_ptr<Folder> below = folder_.folder(name);
    if (!below && may_be_raw_name(key, true)) below = folder_.folder(key);
    if (below) return Reader(*below, path_ + full, lenient_, depth_ + 1).read(parent.batch_size());
    if (lenient_) return {};
    throw Error(Code::corrupt, "the directory is missing").where(folder_.where() + '/' + name);
  }

  Entry read_leaf(const std::string& key, const bj::object& entry, const Node& parent) const {
    const bj::value *dtype = member(entry, "dtype"), *shape = member(entry, "shape"),
                    *nested = member(entry, "is_nested");
    if ((!dtype || !shape) && lenient_) return {};
    if (!dtype || !shape) throw Error(Code::corrupt, "the entry has no dtype or no shape");
    if (nested && !nested->is_bool()) throw Error(Code::corrupt, "the member is_nested is not a bool");
    LeafType leaf = parse_leaf_type(*dtype, *shape);
    bool ragged = nested && nested->get_bool();
    if (!ragged) check_batch(stored_sizes(leaf), parent.batch_size());
    auto bytes = [&](std::string_view suffix, int64_t size) {
      const std::string file = encoded_name(key).append(suffix);
      LeafBytes found = folder_.leaf(file, size);
      if (!found.data && may_be_raw_name(key, false)) found = folder_.leaf(key + std::string(suffix), size);
      if (!found.data && !lenient_)
        throw Error(Code::corrupt, "the file is missing")
            .where(folder_.where() + '/' + file)
            .hint("the save was not copied as a whole");
      return found;
    };
    if (ragged) return read_nested(leaf, parent, folder_.access(), bytes);
    if (leaf.bytes == 0) return Entry(leaf_tensor(leaf, nullptr, nullptr, folder_.access()));
    LeafBytes found = bytes(leaf_suffix, leaf.bytes);
    if (!found.data) return {};
    at::Tensor t = leaf_tensor(leaf, found.data, std::move(found.owner), folder_.access());
    return Entry(found.file ? as_file(std::move(t)) : std::move(t));
  }

  const Folder& folder_;
  Path path_;
  bool lenient_;
  size_t depth_;
};

}  // namespace

NodePtr read_memmap(const Folder& folder, bool lenient) {
  try {
    return Reader(folder, Path(), lenient, 0).read({}).take_node();
  } catch (const OutOfMappings&) {
    throw out_of_mappings().where(folder.where());
  }
}

}  // namespace td::storage
