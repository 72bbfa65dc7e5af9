// A file that becomes visible atomically: written beside its target, locked while its writer lives, renamed at the
// end. What a killed writer leaves behind is found by its name, recognised by its free lock, and removed by the next.
#pragma once

#include <string>

#include "core/system/file.h"

namespace td::storage {

class StagedFile {
 public:
  // Throws Error(exists) if there is something at `target`, unless `overwrite` and that is a regular file. The
  // directory of `target` must be there.
  StagedFile(const std::string& target, bool overwrite);
  ~StagedFile();  // removes it again unless it was published
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const Fd& file() const { return file_; }
  const std::string& path() const { return path_; }  // where it is until it is published

  // Puts it in the target's place; of a file that it replaces it takes over who may read and write it.
  void publish(bool sync);

 private:
  void check_target() const;
  void remove_leftovers() const;
  void make_file();

  std::string target_, parent_, base_, path_;
  bool overwrite_, published_ = false;
  Fd file_;
};

}  // namespace td::storage
