// Checks the config of a type against the part of JSON Schema that tensordict_plugin.h lists.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace td::plugin {

class Schema {
 public:
  // Throws Error(plugin) for text that is not such a schema: a rule that is not checked would be a broken promise.
  explicit Schema(std::string_view json);

  // Throws Error(argument) naming the member that breaks a rule, and the rule.
  void check(const boost::json::object& config, const std::string& type_id) const;

  const boost::json::object& json() const { return root_; }

 private:
  boost::json::object root_;
};

using SchemaPtr = std::shared_ptr<const Schema>;

}  // namespace td::plugin
