// A vector is a JSON object with a "kind"; each kind is replayed by a function that some file here adds to the table:
//
//     static const vectors::Kind mapping("mapping", [](const vectors::Object& v) { ... vectors::check(...); });
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tensordict.h"

namespace vectors {

namespace json = boost::json;
using Object = json::object;

struct Kind {
  Kind(const char *name, std::function<void(const Object &)> replay);
};

// ---- Failing: an exception ends a vector
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void check(bool holds, const std::string &what);

// Statuses: `must` throws what went wrong, `refused` throws unless it fails with a typed error.
class Err {
 public:
  ~Err() { td_error_release(err_); }
  operator td_error **() { return &err_; }  // NOLINT
  const td_error *get() const { return err_; }
  void take(Err &other) { std::swap(err_, other.err_); }
  std::string message() const { return err_ ? td_error_message(err_).data : ""; }

 private:
  td_error *err_ = nullptr;
};
void must(td_status status, const Err &err, const std::string &what);
void refused(td_status status, const Err &err, const std::string &what);

// ---- Handles
struct Release {
  void operator()(td_module *p) const { td_module_release(p); }
  void operator()(td_dict *p) const { td_dict_release(p); }
  void operator()(td_tensor *p) const { td_tensor_release(p); }
  void operator()(td_keys *p) const { td_keys_release(p); }
  void operator()(td_dist *p) const { td_dist_release(p); }
  void operator()(td_generator *p) const { td_generator_release(p); }
  void operator()(td_string *p) const { td_string_release(p); }
};
template <class T>
using Own = std::unique_ptr<T, Release>;

// A nested key: "a" or ["a", "b"] in JSON.
class Key {
 public:
  explicit Key(const json::value &v);
  const td_key *get() const;
  bool operator==(const Key &other) const { return parts_ == other.parts_; }
  std::string text() const;

 private:
  std::vector<std::string> parts_;
  mutable std::vector<td_str> views_;
  mutable td_key key_;
  friend Key key_of(const td_key &k);
  Key() = default;
};
Key key_of(const td_key &k);
using KeyList = std::vector<Key>;
KeyList keys_of(const json::value &list);
KeyList keys_of(const td_keys *list);
std::vector<td_key> raw(const KeyList &keys);  // lives as long as `keys`
void check_keys(const KeyList &got, const KeyList &expected, const std::string &what);

// ---- Numbers: JSON with "nan", "inf" and "-inf" as strings, nested lists as tensors
double number(const json::value &v);
Own<td_tensor> tensor(const json::value &v, td_dtype dtype);
std::vector<double> values(const td_tensor *t);
std::vector<double> flat(const json::value &v);
std::vector<int64_t> shape(const td_tensor *t);
void check_values(const td_tensor *t, const json::value &expected, double tolerance, const std::string &what);

// A module of a plugin type.
Own<td_module> made(const std::string &type, const std::string &config, uint64_t seed = 0);

}  // namespace vectors
