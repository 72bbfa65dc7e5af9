// Non-tensor entries as the formats hold them: JSON values, and lists of them for stacks.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "core/dict/data/data.h"
#include "core/dict/key.h"
#include "core/dict/node.h"
#include "core/storage/json.h"

namespace td::storage {

// A string, a number, a bool or null is a Value of that kind; everything else is JSON in its compact form.
Value value_of(const boost::json::value& json);

// The same from text; throws Error(argument) for what is not JSON.
Value parse_value(std::string_view json);

// A dict without batch dims: objects are nodes, all else is data; and a list of such dicts. Both throw Error(argument)
// for what is not a JSON object, or a list of them.
NodePtr dict_of_json(std::string_view json);
Nodes dicts_of_json(std::string_view json);

// Both throw Error(unsupported) for bytes, which Python would pickle, and for values nested so deeply that the JSON
// around them, `outer` levels of it, could not be read again.
void append_value(std::string& out, const Value& value, size_t outer, PathView path, size_t deepest = deepest_json);
void append_lists(std::string& out, const Data& data, size_t outer, PathView path);  // in the order of the batch

// A stack from nested lists: as deep as all lists of a level have one length, as Python reads them. Throws
// Error(corrupt) unless the lengths begin with `batch`.
DataPtr stack_of_lists(const boost::json::value& lists, at::IntArrayRef batch);

// A stack as the consolidated format nests it: an object a dim, values of the last under "0", "1"...
void append_stack(std::string& out, const Data& data, bool locked, const char* device, size_t outer, PathView path);
DataPtr parse_stack(const boost::json::object& node, at::IntArrayRef batch);

// One entry of a consolidated dict: [data, batch size, device].
void append_triple(std::string& out, const Value& value, at::IntArrayRef batch, const char* device, size_t outer,
                   PathView path);
DataPtr parse_triple(const boost::json::value& triple, at::IntArrayRef batch);

}  // namespace td::storage
