// JSON as the formats use it: read strictly whoever wrote it, written as Python's tensordict with orjson does.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "core/dict/node.h"

namespace td::storage {

// orjson writes at most 255 levels.
constexpr size_t deepest_json = 255;

// Takes both dialects of Python's writers (compact, and the standard library's with NaN and integers of any length).
// Throws Error(corrupt) naming `where` for anything else: trailing text, duplicate members, deep nesting, bad UTF-8.
boost::json::value parse_json(std::string_view text, const std::string& where, size_t deepest = deepest_json);

// The text of a number that a json::value has no place for, which is a list in it: NaN, Infinity, -Infinity or an
// integer beyond 64 bits. Empty for everything else.
std::string_view odd_number(const boost::json::value& value);

// A member, or null if it is absent.
const boost::json::value* member(const boost::json::object& object, std::string_view name);

// A member that is an object; throws Error(corrupt) if it is absent or another thing.
const boost::json::object& object_member(const boost::json::object& object, std::string_view name);

// A list of sizes: integers of int64, not negative, at most 64 of them. Throws Error(corrupt), which says `what` it
// was.
Dims parse_dims(const boost::json::value& value, const char* what);

void append_json(std::string& out, std::string_view text);  // with quotes
void append_number(std::string& out, int64_t number);
void append_json(std::string& out, at::IntArrayRef dims);  // "[2,3]"
void append_name(std::string& out, const Name& name);      // or null
void append_names(std::string& out, const Names& names);   // "[\"time\",null]"

}  // namespace td::storage
