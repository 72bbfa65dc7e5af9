// Python's literals as repr prints them, read back as non-tensor values.
#pragma once

#include <string_view>

#include "core/dict/data/data.h"
#include "core/torch_compat.h"

namespace td {

// A number, a string, bytes, True, False, None, nan, inf, or lists and dicts with string keys of these; nothing if the
// text does not begin with one. Takes it off the front of `text`.
optional<Value> take_literal(std::string_view& text);

// The whole text, if it is one that prints like this again.
optional<Value> literal(std::string_view text);

// A value whose text begins with `begin`, which was cut somewhere.
optional<Value> completed_literal(std::string_view begin);

}  // namespace td
