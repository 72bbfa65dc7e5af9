// Tensors that belong to a whole batch: what operations over the batch dims do about them, where they do not pass them
// by.
#pragma once

#include <vector>

#include "core/dict/copy.h"
#include "core/dict/node.h"

namespace td {

// Throws Error(unsupported) naming the first unbatched entry, if there is one. `what` says what cannot be had with it.
void refuse_unbatched(const Node& node, const char* what);
[[noreturn]] void refuse_unbatched_entry(const Path& path, const char* what);

bool has_unbatched(const Node& node);

// For formats that have no place for them: the same dict with ordinary entries, and a warning; the dict itself if there
// are none. Throws Error(unsupported) naming one that does not begin with the batch dims.
NodePtr with_ordinary_entries(const Node& node);
void warn_saved_as_ordinary();

// Of several dicts' entries the first stands for all. Warns if the others are other memory.
at::Tensor first_of_unbatched(const Leaves& column, PathView path);

}  // namespace td
