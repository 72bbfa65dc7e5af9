#include "core/shm/new_name.h"

#include "core/error.h"
#include "core/shm/registry.h"

namespace td::shm {

namespace {

constexpr int max_tries = 8;  // each fails only if another process made or removed the name meanwhile

std::string hint_for(const Occupant& there, const std::string& kind) {
  std::string owner = "process " + std::to_string(there.pid);
  switch (there.standing) {
    case Occupant::free:
      return "the name was taken during the call; try again";
    case Occupant::owned:
      return owner + " created it and is running";
    case Occupant::in_use:
      return owner + ", which created it, has ended, but other processes use it: open it";
    case Occupant::dead:
      break;
  }
  return owner + ", which created it, has ended: {" + kind +
         "_unlink} or {segment_prune} removes it, and the option `replace_dead` replaces it";
}

}  // namespace

void NewName::throw_taken() const {
  std::string kind = kind_, hint;
  try {
    hint = hint_for(look_(path_), kind);
  } catch (const Error& e) {
    hint = e.code() == Code::not_found ? hint_for({}, kind) : "it is not a " + kind + "; choose another name";
  }
  throw Error(Code::exists, "the " + kind + " name is taken").where(path_).hint_naming(hint);
}

std::optional<Occupant> NewName::replaceable() const {
  if (!replace_dead_) return std::nullopt;
  try {
    Occupant there = look_(path_);
    if (there.standing == Occupant::free || there.standing == Occupant::dead) return there;
  } catch (const Error&) {
  }
  return std::nullopt;
}

void NewName::check() const {
  if (taken(path_) && !replaceable()) throw_taken();
}

// Of those who do this at once, one removes the old file, and one gives the name: to the others it is taken by somebody
// who lives.
void NewName::give(int file) const {
  for (int attempt = 0; attempt < max_tries; ++attempt) {
    if (publish(file, path_)) return;
    std::optional<Occupant> there = replaceable();
    if (!there) break;
    if (there->standing == Occupant::dead) unlink_safely(path_, there->identity, there->still_dead);
  }
  throw_taken();
}

}  // namespace td::shm
