// The position of a walk over a dict.
#pragma once

#include <algorithm>
#include <vector>

#include "core/dict/key.h"

namespace td {

// The way from the root to a level, turned into a path only for errors.
struct Level {
  const Level* up;
  const Key* key;  // null at the root

  Path path(const Key& last) const {
    std::vector<Key> parts{last};
    for (const Level* l = this; l->key; l = l->up) parts.push_back(*l->key);
    std::reverse(parts.begin(), parts.end());
    return Path(std::move(parts));
  }
};

}  // namespace td
