// The JSON object that a caller gives to an instance of a plugin type; td_config is a pointer to it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

class Config {
 public:
  // Empty text is {}. Throws Error(argument) for text that is not a JSON object, or is deeper or longer than sane.
  // `owner` is what a type registered by this process stands on.
  explicit Config(std::string_view json, const void* owner = nullptr);

  const td_config* handle() const { return reinterpret_cast<const td_config*>(this); }
  static const Config& of(const td_config* handle) { return *reinterpret_cast<const Config*>(handle); }

  // Integers from 2^63 on are given as their two's complement from now on: a schema has said that they may be there.
  void take_unsigned() { takes_unsigned_ = true; }

  const boost::json::object& object() const { return object_; }
  const std::string& json() const { return json_; }
  const void* owner() const { return owner_; }

  // Each returns false if the member is absent, and throws Error(argument) if it has another type.
  bool get(std::string_view name, int64_t& value) const;
  bool get(std::string_view name, double& value) const;
  bool get(std::string_view name, bool& value) const;
  bool get(std::string_view name, std::string_view& value) const;
  bool get(std::string_view name, const std::vector<int64_t>*& values) const;

  // Throws Error(argument) naming a member that was not read: a misspelt option must not be ignored.
  void check_all_used(const std::string& type_id) const;

 private:
  const boost::json::value* find(std::string_view name) const;  // null if it is absent

  std::string json_;
  boost::json::object object_;
  const void* owner_;
  bool takes_unsigned_ = false;
  mutable std::set<std::string, std::less<>> used_;  // asked for, there or not
  mutable std::map<std::string, std::vector<int64_t>, std::less<>> ints_;
};

}  // namespace td::plugin
