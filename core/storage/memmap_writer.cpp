#include <cerrno>
#include <unordered_set>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/dict/lazy_stack.h"
#include "core/error.h"
#include "core/storage/data_json.h"
#include "core/storage/file.h"
#include "core/storage/json.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap.h"
#include "core/storage/names.h"
#include "core/storage/staging.h"
#include "core/tensor/memory.h"

namespace td::storage {

namespace {

// A directory as it will be, made before anything is written: all that can be refused is refused here.
struct Directory {
  struct File {
    std::string name;
    at::Tensor tensor;
  };
  std::string meta;
  std::vector<File> files;
  std::vector<std::pair<std::string, Directory>> directories;
};

void append_leaf(std::string& meta, const at::Tensor& t, const LeafType& type) {
  meta += "{\"device\":";
  append_json(meta, t.device().str());
  meta += ",\"shape\":";
  append_json(meta, type.sizes);
  meta += ",\"dtype\":";
  append_json(meta, python_dtype(type.dtype));
  meta += ",\"is_nested\":false}";
}

class Planner {
 public:
  Planner(const Node& node, Path path) : node_(node), path_(std::move(path)) {}

  Directory plan() {
    Directory d;
    if (const LazyStack* stack = node_.lazy()) {
      plan_stack(*stack, d);
      return d;
    }
    d.meta = "{";
    node_.visit([&](const Key& key, const Entry& entry) { add(d, key, entry); });
    d.meta += "\"shape\":";
    append_json(d.meta, node_.batch_size());
    d.meta += ",\"device\":\"cpu\",\"_type\":\"<class 'tensordict._td.TensorDict'>\"}";
    return d;
  }

 private:
  // Members have no names but their numbers, and nothing says how many there are.
  void plan_stack(const LazyStack& stack, Directory& d) {
    if (stack.members().empty())
      throw Error(Code::unsupported, "a lazy stack without members cannot be saved: the format has no place for it")
          .key(path_.size() ? to_string(path_) : "");
    for (const NodePtr& m : stack.members())
      d.directories.emplace_back(std::to_string(d.directories.size()), Planner(*m, path_).plan());
    d.meta = "{\"_type\":\"<class 'tensordict._lazy.LazyStackedTensorDict'>\",\"stack_dim\":" +
             std::to_string(stack.stack_dim()) + '}';
  }

  void add(Directory& d, const Key& key, const Entry& entry) {
    Path path = path_ + key;
    append_json(d.meta, key.text());
    d.meta += ':';
    if (entry.is_node()) {
      std::string name = checked_name(path, encoded_name(key.text()));
      d.directories.emplace_back(std::move(name), Planner(*entry.node(), path).plan());
      d.meta += "{\"type\":";
      append_json(d.meta, entry.node()->class_name());
      d.meta += '}';
    } else if (entry.is_data()) {
      std::string name = checked_name(path, encoded_name(key.text()));
      d.directories.emplace_back(std::move(name), data_directory(*entry.data(), path));
      d.meta += entry.data()->stacked() ? "{\"type\":\"NonTensorStack\"}" : "{\"type\":\"NonTensorData\"}";
    } else {
      LeafType type = leaf_type(entry.tensor(), path);
      std::string name = checked_name(path, encoded_name(key.text()) + std::string(leaf_suffix));
      if (type.bytes > 0) d.files.push_back({std::move(name), entry.tensor()});
      append_leaf(d.meta, entry.tensor(), type);
    }
    d.meta += ',';
  }

  static Directory data_directory(const Data& data, const Path& path) {
    Directory d;
    if (data.stacked()) {
      d.meta =
          "{\"_type\":\"<class 'tensordict.tensorclass.NonTensorStack'>\",\"stack_dim\":0,\"device\":null,\"data\":";
      append_lists(d.meta, data, 1, path);
      d.meta += '}';
    } else {
      d.meta = "{\"_type\":\"<class 'tensordict.tensorclass.NonTensorData'>\",\"data\":";
      append_value(d.meta, data.value(), 1, path);
      d.meta += ",\"_is_non_tensor\":true,\"_metadata\":null}";
    }
    return d;
  }

  std::string checked_name(const Path& path, std::string name) {
    auto refuse = [&](const std::string& why) {
      return Error(Code::key, why).key(to_string(path)).hint("rename the entry");
    };
    if (reserved_key(path.keys().back().text())) throw refuse("the format needs this name for itself");
    if (name.size() > longest_name) throw refuse("the file would have a name of more than 255 bytes");
    if (!names_.insert(name).second || name == meta_name)
      throw refuse("two things would be called " + name + " in one directory");
    return name;
  }

  const Node& node_;
  Path path_;
  std::unordered_set<std::string> names_;
};

class Writer {
 public:
  explicit Writer(bool sync) : sync_(sync) {}

  void write(const Fd& directory, const Directory& d, const std::string& where) {
    for (const Directory::File& f : d.files) {
      at::Tensor t = dense(f.tensor);
      write_file(directory, f.name, data(t), static_cast<size_t>(t.numel()) * t.element_size(), where);
    }
    for (const auto& [name, child] : d.directories) {
      std::string path = where + '/' + name;
      if (mkdirat(directory.get(), name.c_str(), 0777) != 0) throw os_error(errno, "make the directory", path);
      Fd made = open_directory(directory.get(), name, path);
      if (!made) throw os_error(ENOENT, "open", path);
      write(made, child, path);
      if (sync_) sync(made, path);
    }
    write_file(directory, std::string(meta_name), d.meta.data(), d.meta.size(), where);
  }

 private:
  void write_file(const Fd& directory, const std::string& name, const void* bytes, size_t size,
                  const std::string& where) {
    std::string path = where + '/' + name;
    Fd file(openat(directory.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file) throw os_error(errno, "create", path);
    allocate(file, static_cast<int64_t>(size), path);
    write_bytes(file, bytes, size, path);
    if (sync_) sync(file, path);
  }

  bool sync_;
};

}  // namespace

void save_memmap(const Node& node, const std::string& path, const SaveOptions& options) {
  Directory plan = Planner(node, Path()).plan();
  Staging staging(path, options.overwrite);
  Writer(options.sync).write(staging.directory(), plan, path);
  staging.publish(options.sync);
}

}  // namespace td::storage
