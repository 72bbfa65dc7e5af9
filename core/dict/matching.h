// The entry that another dict has in the place of one of ours.
#pragma once

#include "core/dict/node.h"

namespace td {

// `found`, which `other` has under the key of `e`; throws Error(key) if it is missing or of another kind.
Entry matching(const Entry& e, Entry found, const Path& path);

}  // namespace td
