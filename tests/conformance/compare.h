// Where two observations differ.
#pragma once
#include <boost/json.hpp>
#include <string>
#include <vector>

namespace conformance {

namespace json = boost::json;

// A line for each difference, with its place. Keys have an order, NaN equals NaN, and floats are equal within what their
// dtype can promise.
std::vector<std::string> differences(const json::value &expected, const json::value &got);

}  // namespace conformance
