// Giving a new file its name, also in place of what a process that ended has left.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/system/platform.h"

namespace td::shm {

// The file that has the name.
struct Occupant {
  enum Standing { free, owned, in_use, dead } standing = free;  // in use: by others than the owner, who has ended
  uint64_t pid = 0;                                             // of the owner
  Identity identity;
  std::function<bool()> still_dead{};  // asked while no other process removes names
  storage::Fd file{};                  // so that its number does not go to another file
};

class NewName {
 public:
  // `look` throws Error for a file of another kind.
  using Look = Occupant (*)(const std::string& path);
  NewName(const std::string& path, const char* kind, Look look, bool replace_dead)
      : path_(path), kind_(kind), look_(look), replace_dead_(replace_dead) {}

  void check() const;         // throws Error(exists) unless the name can be had
  void give(int file) const;  // the same, when it has been given

 private:
  std::optional<Occupant> replaceable() const;  // what has the name, if it may be replaced
  [[noreturn]] void throw_taken() const;

  const std::string& path_;
  const char* kind_;
  Look look_;
  bool replace_dead_;
};

}  // namespace td::shm
