// A memmap directory that processes add to: one at a time, and so that whoever opens it meanwhile finds it whole.
#pragma once

#include <functional>
#include <string>

#include "core/dict/key.h"
#include "core/system/file.h"

namespace td::storage {

class LiveDirectory {
 public:
  explicit LiveDirectory(const std::string& path);  // waits for others that add to it
  ~LiveDirectory();
  LiveDirectory(const LiveDirectory&) = delete;
  LiveDirectory& operator=(const LiveDirectory&) = delete;

  // `make_files`, and then a member of meta.json. Throws Error(exists), before it, if there is one of that name.
  void add(const Key& key, const std::string& member, const std::function<void()>& make_files);

  // A file that appears when `fill` has written it. What a killed process left under that name is replaced.
  void put(const std::string& name, const std::function<void(const Fd& file, const std::string& where)>& fill);

 private:
  bool is_at(const std::string& path) const;

  std::string path_;
  Fd directory_;
};

}  // namespace td::storage
