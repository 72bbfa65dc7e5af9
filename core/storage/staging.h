// A directory that becomes visible atomically: built beside its target, locked while its builder lives, renamed at
// the end. What a killed builder leaves behind is found by its name, recognised by its free lock, and removed by the
// next.
#pragma once

#include <string>
#include <vector>

#include "core/system/permissions.h"

namespace td::storage {

class Staging {
 public:
  // Of an earlier save that is replaced: those of its directory for directories, those of its meta.json for files.
  struct Rights {
    Permissions directory, file;
  };

  // Makes missing parents of `target` too. Throws Error(exists) if there is something at `target`, unless that is an
  // empty directory, or `overwrite` and a directory with a meta.json.
  Staging(const std::string& target, bool overwrite);
  ~Staging();  // removes everything again unless it was published
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const Fd& directory() const { return directory_; }
  const optional<Rights>& rights() const { return rights_; }

  // Puts it in the target's place and removes what stood there. What is in it has the rights of that by then.
  void publish(bool sync);

 private:
  void check_target();
  void remove_leftovers() const;
  void make_parents();
  void make_directory();
  bool exchange();  // false if the file system cannot

  std::string target_, parent_, base_, path_;
  bool overwrite_, published_ = false;
  Fd directory_;
  optional<Rights> rights_;
  optional<Permissions> empty_;  // of an empty directory at the target
  std::vector<std::string> made_parents_;
};

}  // namespace td::storage
