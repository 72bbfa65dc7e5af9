#include "core/plugin/config.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "core/error.h"
#include "core/storage/json.h"

namespace td::plugin {

namespace {

constexpr size_t size_limit = size_t{1} << 20, depth_limit = 16;

// Of members that stand twice Boost.JSON takes the last.
void check_each_once(std::string_view text) {
  try {
    storage::parse_json(text, "");
  } catch (const Error& e) {
    throw Error(Code::argument, "the config: " + e.message());
  }
}

boost::json::object parse(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > size_limit)
    throw Error(Code::argument, "the config is longer than " + std::to_string(size_limit) + " bytes");
  boost::json::parse_options options;
  options.max_depth = depth_limit;
  boost::system::error_code failed;
  boost::json::value value = boost::json::parse({text.data(), text.size()}, failed, {}, options);
  if (failed) throw Error(Code::argument, "the config is not JSON: " + failed.message());
  if (!value.is_object()) throw Error(Code::argument, "the config is not a JSON object");
  if (!value.get_object().empty()) check_each_once(text);
  return std::move(value.as_object());
}

[[noreturn]] void wrong_type(std::string_view name, const char* wanted) {
  throw Error(Code::argument, "the config's \"" + std::string(name) + "\" is not " + wanted);
}

bool as_int(const boost::json::value& value, bool takes_unsigned, int64_t& out) {
  boost::system::error_code failed;
  if (!value.is_int64() && !value.is_uint64()) return false;
  if (takes_unsigned && value.is_uint64()) return out = static_cast<int64_t>(value.get_uint64()), true;
  int64_t i = value.to_number<int64_t>(failed);
  if (!failed) out = i;
  return !failed;
}

}  // namespace

Config::Config(std::string_view json, const void* owner)
    : json_(json.empty() ? "{}" : json), object_(parse(json)), owner_(owner) {}

const boost::json::value* Config::find(std::string_view name) const {
  used_.emplace(name);
  return object_.if_contains({name.data(), name.size()});
}

bool Config::get(std::string_view name, int64_t& value) const {
  const boost::json::value* found = find(name);
  if (found && !as_int(*found, takes_unsigned_, value)) wrong_type(name, "a 64-bit integer");
  return found;
}

bool Config::get(std::string_view name, double& value) const {
  const boost::json::value* found = find(name);
  if (!found) return false;
  if (!found->is_number()) wrong_type(name, "a number");
  value = found->to_number<double>();
  return true;
}

bool Config::get(std::string_view name, bool& value) const {
  const boost::json::value* found = find(name);
  if (!found) return false;
  if (!found->is_bool()) wrong_type(name, "true or false");
  value = found->get_bool();
  return true;
}

bool Config::get(std::string_view name, std::string_view& value) const {
  const boost::json::value* found = find(name);
  if (!found) return false;
  if (!found->is_string()) wrong_type(name, "a string");
  value = {found->get_string().data(), found->get_string().size()};
  return true;
}

bool Config::get(std::string_view name, const std::vector<int64_t>*& values) const {
  const boost::json::value* found = find(name);
  if (!found) return false;
  if (!found->is_array()) wrong_type(name, "a list of integers");
  auto read = ints_.find(name);
  if (read == ints_.end()) {
    std::vector<int64_t> list;
    for (const boost::json::value& element : found->get_array())
      if (!as_int(element, takes_unsigned_, list.emplace_back())) wrong_type(name, "a list of 64-bit integers");
    read = ints_.emplace(name, std::move(list)).first;
  }
  values = &read->second;
  return true;
}

void Config::check_all_used(const std::string& type_id) const {
  for (const auto& member : object_) {
    std::string_view name(member.key().data(), member.key().size());
    if (used_.count(name)) continue;
    std::string known;
    for (const std::string& k : used_) known += (known.empty() ? "" : ", ") + k;
    throw Error(Code::argument, "the config has an unknown member \"" + std::string(name) + "\"")
        .where(type_id)
        .hint(known.empty() ? "the type takes no config" : "the members are: " + known);
  }
}

}  // namespace td::plugin
