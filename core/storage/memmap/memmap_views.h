// Views that Python saves as what they view and how: parts of a dict at an index, and other shapes of one. They open as
// what they show.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "core/dict/node.h"
#include "core/dict/shape/indices.h"

namespace td::storage {

bool is_view_class(const std::string& name);

// Throws Error(corrupt) for indices and operations that are none, or that do not fit to the source.
NodePtr apply_view(const std::string& kind, const boost::json::object& meta, const Node& source);

// An index as Python's _SubTensorDict encodes it, also without tags as older versions did.
IndexList parse_index(const boost::json::value& index);

}  // namespace td::storage
