// Reads a repr on few lines.
#pragma once

#include "core/text/repr_cursor.h"
#include "core/text/repr_tree.h"

namespace td {

ReprNode read_compact_repr(ReprCursor& cursor, size_t depth);

}  // namespace td
