// JSON as Python pickles the same dicts and lists, and back. Nothing in a pickle is run.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace td::storage {

// Of protocol 4. Throws Error(unsupported) for integers beyond 64 bits.
std::string pickle_json(const boost::json::value& value);

// Members of the outermost dict of a pickle, by name, as JSON.
using PickledMembers = std::map<std::string, std::string, std::less<>>;

// Fills in those that are there, and looks at no others. Throws as json_of_pickle does.
void find_pickled(std::string_view pickle, PickledMembers& members);

// The rest of the pickle. A class is the text that Python's str makes of it. Throws Error(corrupt) for what is damaged,
// Error(unsupported) for what is no JSON, and for far more JSON than the pickle is long.
std::string json_of_pickle(std::string_view pickle, const PickledMembers& without);

}  // namespace td::storage
