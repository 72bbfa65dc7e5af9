// Non-tensor values as Python prints them.
#pragma once

#include <string>
#include <vector>

#include "core/dict/data/data.h"

namespace td {

// Returns what str() gives, or repr() for `quoted`; the two differ only for text.
std::string python_text(const Value& value, bool quoted);

// The shortest digits that read back the same, with an exponent below `least` and from 1e16 on. Of a finite number.
std::string shortest_digits(double f, double least);

// The elements of a JSON list, in the compact form that values have.
std::vector<Value> json_elements(const std::string& list);

// The first and the last `n` characters, which may be more than a byte each.
std::string first_characters(const std::string& text, size_t n);
std::string last_characters(const std::string& text, size_t n);
size_t characters(const std::string& text);

}  // namespace td
