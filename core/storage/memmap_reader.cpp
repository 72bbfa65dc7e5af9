#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/dict/lazy_stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/file.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/mapping.h"
#include "core/storage/memmap.h"
#include "core/storage/names.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

constexpr int deepest_directory = 250;  // as deep as a dict may be
constexpr int64_t longest_meta = int64_t{256} << 20;
constexpr int64_t newest_format = 1;
constexpr std::string_view python_tensordict = "<class 'tensordict._td.TensorDict'>",
                           python_lazy = "<class 'tensordict._lazy.LazyStackedTensorDict'>",
                           python_data = "<class 'tensordict.tensorclass.NonTensorData'>",
                           python_stack = "<class 'tensordict.tensorclass.NonTensorStack'>";

std::string text(const bj::string& s) {
  return {s.data(), s.size()};
}

// "tensordict._lazy.LazyStackedTensorDict" of "<class 'tensordict._lazy.LazyStackedTensorDict'>"
std::string class_in(const std::string& type) {
  constexpr std::string_view before = "<class '", after = "'>";
  if (type.size() <= before.size() + after.size() || type.compare(0, before.size(), before) != 0 ||
      type.compare(type.size() - after.size(), after.size(), after) != 0)
    throw Error(Code::corrupt, "the member _type is not the name of a class");
  return type.substr(before.size(), type.size() - before.size() - after.size());
}

// One directory of the save, and what errors call it.
class Reader {
 public:
  Reader(Fd directory, std::string where, Path path, Mode mode, int depth)
      : directory_(std::move(directory)),
        where_(std::move(where)),
        path_(std::move(path)),
        mode_(mode),
        depth_(depth) {}

  // A dict, or non-tensor data.
  Entry read(at::IntArrayRef parent_batch) {
    if (depth_ >= deepest_directory)
      throw located(Error(Code::corrupt, "directories are nested too deeply"), where_, path_);
    std::string meta_file = where_ + '/' + std::string(meta_name);
    bj::value meta = read_meta(meta_file);
    NodePtr node;
    try {
      if (DataPtr data = read_data(meta.get_object(), parent_batch)) return Entry(std::move(data));
      if (NodePtr stack = read_stack(meta.get_object(), parent_batch)) return Entry(std::move(stack));
      node = read_header(meta.get_object());
      check_batch(node->batch_size(), parent_batch);
    } catch (const Error& e) {
      throw located(e, meta_file, path_);
    }
    for (const auto& [name, value] : meta.get_object()) {
      const bj::object* entry = value.if_object();
      if (!entry) continue;  // metadata, of this version or another
      Key key(std::string(name.data(), name.size()));
      Path path = path_ + key;
      try {
        node->put(key, member(*entry, "type") ? read_below(path, *node) : Entry(read_leaf(path, *entry, *node)));
      } catch (const Error& e) {
        throw located(e, meta_file, path);
      }
    }
    return Entry(std::move(node));
  }

 private:
  // Adds file and key where the thrower did not know them.
  static Error located(Error e, const std::string& where, const Path& path) {
    if (e.where().empty()) e.where(where);
    if (e.key().empty() && path.size() > 0) e.key(to_string(path));
    return e;
  }

  bj::value read_meta(const std::string& meta_file) {
    Fd file = open_regular(directory_.get(), std::string(meta_name), meta_file);
    if (!file)
      throw located(Error(Code::corrupt, "there is no meta.json").hint("it is not a directory that td.save wrote"),
                    meta_file, path_);
    int64_t size = size_of(file, meta_file);
    if (size > longest_meta) throw located(Error(Code::corrupt, "meta.json is too long"), meta_file, path_);
    bj::value meta = parse_json(read_bytes(file, 0, size, meta_file), meta_file);
    if (!meta.is_object()) throw located(Error(Code::corrupt, "meta.json holds no object"), meta_file, path_);
    return meta;
  }

  // NULL if it is a dict.
  DataPtr read_data(const bj::object& meta, at::IntArrayRef batch) {
    const bj::value* type = member(meta, "_type");
    std::string kind = type && type->is_string() ? text(type->get_string()) : "";
    bool stack = kind == python_stack;
    if ((!stack && kind != python_data) || path_.size() == 0) return {};
    check_format(meta);
    const bj::value* data = member(meta, "data");
    constexpr const char *pickled_value = "other.pickle", *pickled_stack = "pickle.pkl";
    if (stack ? data && data->is_string() && data->get_string() == pickled_stack : !data && has_file(pickled_value))
      throw Error(Code::unsupported, "the data was pickled, and pickles are never run")
          .where(where_ + '/' + (stack ? pickled_stack : pickled_value))
          .hint("in Python, store text, numbers or lists of them instead, or a tensor");
    if (!data) throw Error(Code::corrupt, "the member data is missing");
    if (stack && data->is_null())
      throw Error(Code::unsupported, "stacks of data in several directories cannot be opened yet");
    return stack ? stack_of_lists(*data, batch) : Data::uniform(value_of(*data), batch);
  }

  // NULL if it is no lazy stack. Its members are the directories 0, 1, ... up to the first that is not there.
  NodePtr read_stack(const bj::object& meta, at::IntArrayRef parent_batch) {
    const bj::value* type = member(meta, "_type");
    if (!type || !type->is_string() || text(type->get_string()) != python_lazy) return {};
    check_format(meta);
    const bj::value* dim = member(meta, "stack_dim");
    if (!dim || !dim->is_int64()) throw Error(Code::corrupt, "the member stack_dim is no integer");
    Nodes members;
    for (;;) {
      std::string name = std::to_string(members.size()), where = where_ + '/' + name;
      Fd directory = open_directory(directory_.get(), name, where);
      if (!directory) break;
      Entry e = Reader(std::move(directory), where, path_, mode_, depth_ + 1).read({});
      if (!e.is_node()) throw Error(Code::corrupt, "a member of the stack is no dict").where(where);
      members.push_back(e.take_node());
    }
    if (members.empty()) throw Error(Code::corrupt, "the stack has no members").hint("the directory 0 is missing");
    check_no_gap(members.size());
    NodePtr stack;
    try {
      stack = LazyStack::make(std::move(members), dim->get_int64());
    } catch (const Error& e) {
      throw Error(Code::corrupt, "the members do not make a stack: " + e.message());
    }
    check_batch(stack->batch_size(), parent_batch);
    return stack;
  }

  // A directory with a higher number is what a lost one leaves behind.
  void check_no_gap(size_t count) {
    for (const std::string& name : names_in(directory_, where_)) {
      bool number = !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == name.npos;
      if (number && std::stoul(name) >= count)
        throw Error(Code::corrupt, "the stack has a member " + name + " but no member " + std::to_string(count))
            .hint("the save was not copied as a whole");
    }
  }

  bool has_file(const char* name) {
    struct stat s;
    return fstatat(directory_.get(), name, &s, AT_SYMLINK_NOFOLLOW) == 0;
  }

  static void check_format(const bj::object& meta) {
    if (const bj::value* version = member(meta, "_format_version")) {
      const int64_t* number = version->if_int64();
      if (!number && !version->is_object()) throw Error(Code::corrupt, "the member _format_version is not an integer");
      if (number && *number > newest_format)
        throw Error(Code::version, "the save has format version " + std::to_string(*number) + ", newer than " +
                                       std::to_string(newest_format))
            .hint("open it with a newer library");
    }
  }

  NodePtr read_header(const bj::object& meta) {
    check_format(meta);
    const bj::value* type = member(meta, "_type");
    if (!type || !type->is_string()) throw Error(Code::corrupt, "the member _type is missing");
    if (std::string name = text(type->get_string()); name != python_tensordict)
      throw Error(Code::unsupported, "collections of kind " + class_in(name) + " cannot be opened yet")
          .hint("only plain TensorDicts can");
    const bj::value* shape = member(meta, "shape");
    NodePtr node = TensorDict::make(shape ? parse_dims(*shape, "the batch size") : Dims(), read_device(meta));
    node->mark_memmap();
    return node;
  }

  // The tensors are in this process's memory whatever device they were saved from.
  static optional<c10::Device> read_device(const bj::object& meta) {
    const bj::value* device = member(meta, "device");
    if (!device || device->is_null()) return nullopt;
    if (!device->is_string()) throw Error(Code::corrupt, "the member device is not a string");
    if (device->get_string() == "None") return nullopt;
    return c10::Device(c10::kCPU);
  }

  Entry read_below(const Path& path, const Node& parent) {
    const std::string& key = path.keys().back().text();
    std::string name = encoded_name(key), where = where_ + '/' + name;
    Fd directory = open_directory(directory_.get(), name, where);
    if (!directory && may_be_raw_name(key, true)) directory = open_directory(directory_.get(), key, where);
    if (!directory) throw Error(Code::corrupt, "the directory is missing").where(where);
    return Reader(std::move(directory), where, path, mode_, depth_ + 1).read(parent.batch_size());
  }

  at::Tensor read_leaf(const Path& path, const bj::object& entry, const Node& parent) {
    const bj::value *dtype = member(entry, "dtype"), *shape = member(entry, "shape"),
                    *nested = member(entry, "is_nested");
    if (!dtype || !shape) throw Error(Code::corrupt, "the entry has no dtype or no shape");
    if (nested && nested->is_bool() && nested->get_bool())
      throw Error(Code::unsupported, "nested tensors cannot be opened yet");
    LeafType leaf = parse_leaf_type(*dtype, *shape);
    check_batch(leaf.sizes, parent.batch_size());
    Access access = mode_ == Mode::read ? Access::read_only : Access::read_write;
    if (leaf.bytes == 0) return from_memory(nullptr, leaf.dtype, leaf.sizes, {}, nullptr, access);

    const std::string& key = path.keys().back().text();
    std::string name = encoded_name(key) + std::string(leaf_suffix), where = where_ + '/' + name;
    Fd file = open_regular(directory_.get(), name, where);
    if (!file && may_be_raw_name(key, false))
      file = open_regular(directory_.get(), key + std::string(leaf_suffix), where);
    if (!file)
      throw Error(Code::corrupt, "the file is missing").where(where).hint("the save was not copied as a whole");
    int64_t size = size_of(file, where);
    if (size < leaf.bytes)
      throw Error(Code::corrupt, "the file has " + std::to_string(size) + " bytes, but shape " + to_string(leaf.sizes) +
                                     " of " + python_dtype(leaf.dtype) + " needs " + std::to_string(leaf.bytes))
          .where(where)
          .hint("the file was cut; copy the save again");
    Mapping::Mode how = mode_ == Mode::read ? Mapping::Mode::read : Mapping::Mode::copy_on_write;
    auto mapping = std::make_shared<const Mapping>(file, leaf.bytes, how, where);
    char* data = mapping->data();
    return from_memory(data, leaf.dtype, leaf.sizes, {}, std::move(mapping), access);
  }

  Fd directory_;
  std::string where_;
  Path path_;
  Mode mode_;
  int depth_;
};

}  // namespace

NodePtr open_memmap(const std::string& path, const OpenOptions& options) {
  if (options.mode == Mode::read_write) throw Error(Code::unsupported, "directories cannot be opened for writing yet");
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) throw os_error(errno, "open", path);
  return Reader(Fd(fd), path, Path(), options.mode, 0).read({}).take_node();
}

}  // namespace td::storage
