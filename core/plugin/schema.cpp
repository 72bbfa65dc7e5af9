#include "core/plugin/schema.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "core/error.h"
#include "core/letters_apart.h"

namespace td::plugin {

namespace {

namespace json = boost::json;

std::string_view std_view(json::string_view s) {
  return {s.data(), s.size()};
}

// ---- Is it a schema? ------------------------------------------------------------------------------------------------

[[noreturn]] void no_schema(const std::string& path, const std::string& what) {
  throw Error(Code::plugin, "the config schema" + (path.empty() ? "" : " of " + path) + " " + what);
}

bool one_of(std::string_view word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_type_word(const json::value& type, const std::string& path) {
  if (!type.is_string() ||
      !one_of(std_view(type.get_string()), {"object", "array", "string", "integer", "number", "boolean", "null"}))
    no_schema(path, "has the unknown type " + json::serialize(type));
}

void check_schema(const json::value& value, const std::string& path);

void check_rule(std::string_view name, const json::value& rule, const std::string& path) {
  auto need = [&](bool fits, const char* what) {
    if (!fits) no_schema(path, "has \"" + std::string(name) + "\" without " + what);
  };
  if (name == "type") {
    if (!rule.is_array()) return check_type_word(rule, path);
    for (const json::value& word : rule.get_array()) check_type_word(word, path);
  } else if (one_of(name, {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})) {
    need(rule.is_number(), "a number");
  } else if (one_of(name, {"minLength", "maxLength", "minItems", "maxItems"})) {
    need((rule.is_int64() && rule.get_int64() >= 0) || rule.is_uint64(), "a count");
  } else if (name == "enum") {
    need(rule.is_array() && !rule.get_array().empty(), "a list");
  } else if (name == "required") {
    need(rule.is_array(), "a list of names");
    for (const json::value& word : rule.get_array()) need(word.is_string(), "a list of names");
  } else if (name == "properties") {
    need(rule.is_object(), "an object");
    for (const auto& member : rule.get_object())
      check_schema(member.value(), path + (path.empty() ? "" : ".") + std::string(std_view(member.key())));
  } else if (name == "items") {
    check_schema(rule, path + "[]");
  } else if (name == "additionalProperties") {
    need(rule.is_bool(), "true or false");
  } else if (!one_of(name, {"title", "description", "default", "examples", "$schema", "$comment"})) {
    no_schema(path, "has the unknown rule \"" + std::string(name) + "\"");
  }
}

void check_schema(const json::value& value, const std::string& path) {
  if (!value.is_object()) no_schema(path, "is not an object");
  for (const auto& rule : value.get_object()) check_rule(std_view(rule.key()), rule.value(), path);
}

// ---- Does a config follow it? ---------------------------------------------------------------------------------------

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(Code::argument, (path.empty() ? "the config " : "the config's \"" + path + "\" ") + what);
}

bool is_integer(const json::value& v) {
  return v.is_int64() || v.is_uint64() ||
         (v.is_double() &&
          v.get_double() == static_cast<double>(static_cast<int64_t>(std::max(-9e18, std::min(9e18, v.get_double())))));
}

bool is_type(const json::value& v, std::string_view type) {
  if (type == "object") return v.is_object();
  if (type == "array") return v.is_array();
  if (type == "string") return v.is_string();
  if (type == "boolean") return v.is_bool();
  if (type == "null") return v.is_null();
  return type == "integer" ? is_integer(v) : v.is_number();
}

void check_kind(const json::value& v, const json::value& type, const std::string& path) {
  json::array words = type.is_array() ? type.get_array() : json::array{type};
  std::string names;
  for (const json::value& word : words) {
    if (is_type(v, std_view(word.get_string()))) return;
    names += (names.empty() ? "" : " or ") + std::string(std_view(word.get_string()));
  }
  refuse(path, "is " + json::serialize(v) + ", not " + (names.empty() ? "anything" : "of type " + names));
}

// As wide as the numbers are: int64 beyond 2^53 are compared as integers.
bool less(const json::value& a, const json::value& b) {
  if (a.is_int64() && b.is_int64()) return a.get_int64() < b.get_int64();
  return a.to_number<long double>() < b.to_number<long double>();
}

void check_number(const json::value& v, const json::object& rules, const std::string& path) {
  auto limit = [&](const char* name, bool broken(const json::value&, const json::value&), const char* words) {
    const json::value* bound = rules.if_contains(name);
    if (bound && broken(v, *bound)) refuse(path, "is " + json::serialize(v) + ", " + words + json::serialize(*bound));
  };
  // An integer has 64 bits and a sign, unless the schema says how large it may be.
  if (v.is_uint64() && v.get_uint64() > uint64_t{INT64_MAX} && !rules.contains("maximum") &&
      !rules.contains("exclusiveMaximum") && rules.contains("type") && rules.at("type") == "integer")
    refuse(path, "is " + json::serialize(v) + ", which does not fit a signed 64-bit integer");
  limit(
      "minimum", [](const json::value& x, const json::value& b) { return less(x, b); }, "below the minimum ");
  limit(
      "maximum", [](const json::value& x, const json::value& b) { return less(b, x); }, "above the maximum ");
  limit(
      "exclusiveMinimum", [](const json::value& x, const json::value& b) { return !less(b, x); }, "not above ");
  limit(
      "exclusiveMaximum", [](const json::value& x, const json::value& b) { return !less(x, b); }, "not below ");
}

void check_count(size_t n, const json::object& rules, const char* least, const char* most, const char* unit,
                 const std::string& path) {
  auto bound = [&](const char* name) { return rules.at(name).to_number<uint64_t>(); };
  if (rules.contains(least) && n < bound(least))
    refuse(path, "has " + std::to_string(n) + unit + ", at least " + std::to_string(bound(least)) + " are needed");
  if (rules.contains(most) && n > bound(most))
    refuse(path, "has " + std::to_string(n) + unit + ", at most " + std::to_string(bound(most)) + " are allowed");
}

void check_value(const json::value& v, const json::object& rules, const std::string& path);

// Calls `see` with each member that a schema knows.
template <class F>
void each_known(const json::object& rules, F&& see) {
  if (const json::value* properties = rules.if_contains("properties"))
    for (const auto& member : properties->get_object()) see(std_view(member.key()));
}

bool allows(const json::object& rules, json::string_view member) {
  const json::value* properties = rules.if_contains("properties");
  const json::value* open = rules.if_contains("additionalProperties");
  return (properties && properties->get_object().contains(member)) || (open && open->get_bool());
}

// The member that `name` probably is, misspelt, among those that are not in `o`; empty if there is none.
std::string meant_by(std::string_view name, const json::object& o, const json::object& rules) {
  std::string meant;
  size_t least = letters_misspelt(name) + 1;
  each_known(rules, [&](std::string_view known) {
    const size_t apart = letters_apart(name, known, least);
    if (apart >= least || o.contains({known.data(), known.size()})) return;
    least = apart;
    meant = known;
  });
  return meant;
}

std::string hint_of(const std::string& meant, const json::object& rules) {
  std::string known;
  each_known(rules, [&](std::string_view name) { known += (known.empty() ? "" : ", ") + std::string(name); });
  if (known.empty()) return "the type takes no config";
  return (meant.empty() ? "" : "did you mean \"" + meant + "\"? ") + std::string("the members are: ") + known;
}

// Whoever misspells a member that is needed learns of both.
[[noreturn]] void refuse_without(const std::string& path, std::string_view missing, const json::object& o,
                                 const json::object& rules) {
  std::string said = "the config's \"" + path + "\" is missing", other;
  for (const auto& member : o) {
    if (allows(rules, member.key())) continue;
    const std::string name(std_view(member.key()));
    if (meant_by(name, o, rules) == missing)
      throw Error(Code::argument, said + "; the unknown member \"" + name + "\" is probably meant to be it")
          .hint(hint_of("", rules));
    if (other.empty()) other = name;
  }
  if (other.empty()) throw Error(Code::argument, said);
  throw Error(Code::argument, said + ", and \"" + other + "\" is an unknown member").hint(hint_of("", rules));
}

void check_object(const json::object& o, const json::object& rules, const std::string& path) {
  auto name = [&](std::string_view member) {
    return path.empty() ? std::string(member) : path + "." + std::string(member);
  };
  if (const json::value* required = rules.if_contains("required"))
    for (const json::value& member : required->get_array())
      if (const std::string_view missing = std_view(member.get_string()); !o.contains(member.get_string()))
        refuse_without(name(missing), missing, o, rules);
  const json::value* properties = rules.if_contains("properties");
  for (const auto& member : o) {
    const std::string_view key = std_view(member.key());
    const json::value* rule = properties ? properties->get_object().if_contains(member.key()) : nullptr;
    if (rule)
      check_value(member.value(), rule->get_object(), name(key));
    else if (!allows(rules, member.key()))
      throw Error(Code::argument, "the config has an unknown member \"" + name(key) + "\"")
          .hint(hint_of(meant_by(key, o, rules), rules));
  }
}

void check_value(const json::value& v, const json::object& rules, const std::string& path) {
  if (const json::value* type = rules.if_contains("type")) check_kind(v, *type, path);
  if (const json::value* list = rules.if_contains("enum"))
    if (std::find(list->get_array().begin(), list->get_array().end(), v) == list->get_array().end())
      refuse(path, "is " + json::serialize(v) + ", not one of " + json::serialize(*list));
  if (v.is_number()) check_number(v, rules, path);
  if (v.is_string()) check_count(v.get_string().size(), rules, "minLength", "maxLength", " bytes", path);
  if (v.is_object()) check_object(v.get_object(), rules, path);
  if (!v.is_array()) return;
  check_count(v.get_array().size(), rules, "minItems", "maxItems", " elements", path);
  if (const json::value* items = rules.if_contains("items"))
    for (size_t i = 0; i < v.get_array().size(); ++i)
      check_value(v.get_array()[i], items->get_object(), path + "[" + std::to_string(i) + "]");
}

}  // namespace

Schema::Schema(std::string_view text) {
  boost::system::error_code failed;
  json::value value = json::parse({text.data(), text.size()}, failed);
  if (failed) no_schema("", "is not JSON: " + failed.message());
  check_schema(value, "");
  root_ = std::move(value.as_object());
}

void Schema::check(const json::object& config, const std::string& type_id) const {
  try {
    check_value(config, root_, "");
  } catch (Error& e) {
    throw e.where(type_id);
  }
}

}  // namespace td::plugin
