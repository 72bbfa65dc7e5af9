// Runs one program.
#pragma once
#include <boost/json.hpp>

namespace conformance {

namespace json = boost::json;

// {"registers": ...}, with {"error": {"step", "status", "text"}} if a step failed; {"bad": why} if the program itself is
// wrong. "leak" names a kind of object of which more live after the run than before.
json::object run(const json::value &program);

}  // namespace conformance
