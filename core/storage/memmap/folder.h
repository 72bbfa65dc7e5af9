// The source of a memmap save: a directory, or the same tree of files in an archive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "core/dict/node.h"
#include "core/storage/options.h"
#include "core/tensor/memory.h"

namespace td::storage {

// Raw elements, and what keeps them in memory.
struct LeafBytes {
  char* data = nullptr;  // null: there is no such file
  std::shared_ptr<const void> owner;
  bool file = false;  // it is all of a file that is mapped
};

class Folder {
 public:
  virtual ~Folder() = default;

  // `name` is one component. What is there but is a link, or another kind of file, is Error(corrupt).
  virtual std::unique_ptr<Folder> folder(const std::string& name) const = 0;             // null: it is not there
  virtual optional<std::string> file(const std::string& name, int64_t limit) const = 0;  // all of it
  virtual LeafBytes leaf(const std::string& name, int64_t bytes) const = 0;  // Error(corrupt) if it is shorter
  virtual std::vector<std::string> names() const = 0;

  // False where its tensors lie in one file with others.
  virtual bool maps_files() const { return true; }
  // Returns the directory that its dicts are bound to; null if nothing can be added to them there.
  virtual std::shared_ptr<const Home> home() const { return nullptr; }

  const std::string& where() const { return where_; }
  Access access() const { return mode_ == Mode::read ? Access::read_only : Access::read_write; }

 protected:
  Folder(std::string where, Mode mode) : where_(std::move(where)), mode_(mode) {}
  std::string below(const std::string& name) const { return where_ + '/' + name; }

  std::string where_;  // as errors call it
  Mode mode_;
};

// The object in its meta.json. Throws Error(corrupt).
boost::json::object read_meta(const Folder& folder);

// A directory of the file system. Its own name may be a link; nothing below it may.
std::unique_ptr<Folder> open_folder(const std::string& path, Mode mode);

}  // namespace td::storage
