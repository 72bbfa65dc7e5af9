#include "core/storage/memmap/memmap_part.h"

#include <utility>

#include <sys/stat.h>
#include <boost/json/object.hpp>

#include "core/dict/lock.h"
#include "core/error.h"
#include "core/storage/json.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/names.h"

namespace td::storage {

namespace {

namespace bj = boost::json;

using FolderPtr = std::unique_ptr<const Folder>;

bool is_number(std::string_view key) {
  return !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == key.npos &&
         (key.size() == 1 || key[0] != '0');
}

bool is_stack(const bj::object& meta) {
  const bj::value* dim = member(meta, "stack_dim");
  return dim && dim->is_int64();
}

// The keys under which there is a directory.
std::string hint_of(const bj::object& meta) {
  if (is_stack(meta)) return "a member of the stack is called by its number";
  std::string keys;
  for (const auto& [name, value] : meta)
    if (const bj::object* about = value.if_object(); about && member(*about, "type"))
      keys += (keys.empty() ? "" : ", ") + std::string(name.data(), name.size());
  return keys.empty() ? "there are no dicts below it" : "the dicts there are: " + keys;
}

class PartFinder {
 public:
  PartFinder(const Path& part, FolderPtr root) : part_(part), at_(std::move(root)) {}

  FolderPtr find() {
    for (const Key& key : part_.keys()) enter(key.text());
    return std::move(at_);
  }

 private:
  void enter(const std::string& key) {
    bj::object meta = read_meta(*at_);
    if (FolderPtr inside = at_->folder(tensorclass_inside); inside && key != tensorclass_inside) {
      at_ = std::move(inside);
      meta = read_meta(*at_);
    }
    const bj::value* entry = member(meta, key);
    const bj::object* about = entry ? entry->if_object() : nullptr;
    if (about && !member(*about, "type")) fail("it is a tensor, and no dict", "open the dict that it is in");
    const bool inner = key == tensorclass_inside || key == view_source;
    if (!about && !inner && !(is_stack(meta) && is_number(key))) fail("there is no such dict", hint_of(meta));
    FolderPtr below = at_->folder(encoded_name(key));
    if (!below && may_be_raw_name(key, true)) below = at_->folder(key);
    if (!below) fail("there is no such dict", about ? "its directory is missing" : hint_of(meta));
    at_ = std::move(below);
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(Code::not_found, what).where(at_->where()).key(to_string(part_)).hint(hint);
  }

  const Path& part_;
  FolderPtr at_;
};

}  // namespace

std::unique_ptr<const Folder> folder_of(std::unique_ptr<const Folder> root, const Path& part) {
  return PartFinder(part, std::move(root)).find();
}

namespace {

std::pair<dev_t, ino_t> identity(const std::string& path) {
  struct stat s;
  return stat(path.c_str(), &s) == 0 ? std::pair(s.st_dev, s.st_ino) : std::pair(dev_t(), ino_t());
}

}  // namespace

NodePtr open_memmap(const std::string& path, const OpenOptions& options) {
  constexpr int max_tries = 20;
  for (int tries = 1;; ++tries) {
    auto before = identity(path);
    try {
      NodePtr node = read_memmap(*folder_of(open_folder(path, options.mode), options.part), options.lenient);
      if (options.mode == Mode::read_write) Lock::acquire(*node);  // what is set into it would not be in the directory
      return node;
    } catch (const Error&) {  // another process may have put a save in its place meanwhile, and thrown this one away
      if (tries == max_tries || identity(path) == before) throw;
    }
  }
}

}  // namespace td::storage
