// tensordict_plugin.hpp: a plugin as a C++17 class of some twenty lines. Header-only, and optional: it writes the
// tables of tensordict_plugin.h, and lets no exception out.
//
// SPDX-License-Identifier: MIT
//
//     #include "tensordict_plugin.hpp"
//
//     struct Fnv1a {
//       static constexpr td::plugin::Hash type{"org.example.fnv1a", "1.0.0", TD_PLUGIN_STABLE | TD_PLUGIN_THREAD_SAFE};
//       explicit Fnv1a(td::plugin::Config config) : offset_(config.integer("offset", 42)) {}
//       std::uint64_t operator()(const std::uint8_t* row, std::size_t size) const { ... }
//     };
//     TD_PLUGIN("org.example.fnv1a", "Example", "1.0.0", "MIT", hash, Fnv1a)
//
// Optional members: `static constexpr char schema[]`, a JSON Schema of the config; `static constexpr td_hash_vector
// vectors[]`. For modules see below; distributions are in tensordict_plugin_distribution.hpp. A file with several types
// has TD_PLUGIN_TYPES(id, vendor, version, license, TD_HASH(A), TD_HASH(B), TD_MODULE(C)) instead.
#ifndef TENSORDICT_PLUGIN_HPP
#define TENSORDICT_PLUGIN_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensordict_plugin.h"

namespace td {
namespace plugin {

inline const td_host*& host() {
  static const td_host* the_host = nullptr;
  return the_host;
}

constexpr td_str view(std::string_view s) {
  return {s.data(), s.size()};
}

// What a plugin throws to fail with a status of its own; any other exception is TD_ERR_PLUGIN.
class Error : public std::exception {
 public:
  Error(td_status status, std::string message) : status_(status), message_(std::move(message)) {}
  td_status status() const { return status_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  td_status status_;
  std::string message_;
};

// An error of the host's on its way back to it.
struct HostError {
  td_status status;
  td_error* error;
};

// `error` is a reference: a compiler may evaluate it before the call beside it that sets it.
inline void must(td_status status, td_error*& error) {
  if (status != TD_OK) throw HostError{status, error};
}

// Nothing thrown by `body` gets past it.
template <class F>
td_status guard(td_error** err, F&& body) noexcept {
  auto fail = [&](td_status status, std::string_view message) {
    if (err) *err = host()->error_new(status, view(message));
    return status;
  };
  try {
    body();
    return TD_OK;
  } catch (const HostError& e) {
    if (err) *err = e.error;
    return e.status;
  } catch (const Error& e) {
    return fail(e.status(), e.what());
  } catch (const std::bad_alloc&) {
    return fail(TD_ERR_OOM, "out of memory");
  } catch (const std::exception& e) {
    return fail(TD_ERR_PLUGIN, e.what());
  } catch (...) {
    return fail(TD_ERR_PLUGIN, "an exception of unknown type");
  }
}

// The JSON object that an instance is made with.
class Config {
 public:
  explicit Config(const td_config* config) : config_(config) {}

  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    return get(host()->config_int, name, otherwise);
  }
  double number(std::string_view name, double otherwise) const { return get(host()->config_double, name, otherwise); }
  bool boolean(std::string_view name, bool otherwise) const {
    return get(host()->config_bool, name, static_cast<td_bool>(otherwise)) != 0;
  }
  std::string text(std::string_view name, std::string_view otherwise) const {
    td_str s = get(host()->config_str, name, view(otherwise));
    return std::string(s.data, s.size == TD_STRLEN ? std::char_traits<char>::length(s.data) : s.size);
  }
  std::vector<std::int64_t> integers(std::string_view name) const {
    const std::int64_t* values = nullptr;
    std::size_t n = 0;
    td_error* err = nullptr;
    must(host()->config_ints(config_, view(name), &values, &n, &err), err);
    return std::vector<std::int64_t>(values, values + n);
  }

 private:
  template <class T>
  T get(td_status (*read)(const td_config*, td_str, T*, td_error**), std::string_view name, T value) const {
    td_error* err = nullptr;
    must(read(config_, view(name), &value, &err), err);
    return value;
  }
  const td_config* config_;
};

// A reference to a tensor of the host's.
class Tensor {
 public:
  Tensor() = default;
  static Tensor own(td_tensor* handle) {
    Tensor t;
    t.handle_ = handle;
    return t;
  }
  static Tensor borrow(const td_tensor* handle) {
    if (handle) host()->tensor_retain(handle);
    return own(const_cast<td_tensor*>(handle));
  }
  Tensor(const Tensor& other) : Tensor(borrow(other.handle_)) {}
  Tensor(Tensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Tensor() {
    if (handle_) host()->tensor_release(handle_);
  }

  td_tensor* get() const { return handle_; }
  td_tensor* release() { return std::exchange(handle_, nullptr); }
  td_dtype dtype() const { return host()->tensor_dtype(handle_); }
  std::vector<std::int64_t> shape() const {
    std::vector<std::int64_t> dims(host()->tensor_shape(handle_, nullptr, 0));
    host()->tensor_shape(handle_, dims.data(), dims.size());
    return dims;
  }

 private:
  td_tensor* handle_ = nullptr;
};

// An argument of an operator.
struct Value : td_value {
  Value(const Tensor& t) : td_value{} { kind = TD_VALUE_TENSOR, as.tensor = t.get(); }               // NOLINT
  Value(std::int64_t i) : td_value{} { kind = TD_VALUE_INT, as.i = i; }                              // NOLINT
  Value(int i) : Value(static_cast<std::int64_t>(i)) {}                                              // NOLINT
  Value(double f) : td_value{} { kind = TD_VALUE_DOUBLE, as.f = f; }                                 // NOLINT
  Value(bool b) : td_value{} { kind = TD_VALUE_BOOL, as.i = b; }                                     // NOLINT
  Value(const std::vector<std::int64_t>& list) : td_value{} {                                        // NOLINT
    kind = TD_VALUE_INTS, size = list.size(), as.ints = list.data();
  }
  Value(std::string_view text) : td_value{} { kind = TD_VALUE_STR, as.str = view(text); }            // NOLINT
  Value(const char* text) : Value(std::string_view(text)) {}                                         // NOLINT
  Value(td_generator* generator) : td_value{} {                                                      // NOLINT
    kind = generator ? TD_VALUE_GENERATOR : TD_VALUE_NONE, as.generator = generator;  // none: the default one
  }
  static Value none() {
    Value v(0);
    v.kind = TD_VALUE_NONE;
    return v;
  }
  static Value of_dtype(td_dtype dtype) {
    Value v(std::int64_t{dtype});
    v.kind = TD_VALUE_DTYPE;
    return v;
  }
};

// An argument by its name in the operator's schema.
struct Named {
  std::string_view name;
  Value value;
};

namespace detail {

// An operator's results, as values that it still owns; operators of LibTorch have up to nine.
struct Results {
  td_value outs[32] = {};
  Results(std::string_view name, std::string_view overload, std::initializer_list<Value> args,
          std::initializer_list<Named> named) {
    const td_op* op = nullptr;
    td_error* err = nullptr;
    must(host()->op_find(view(name), view(overload), &op, &err), err);
    std::vector<td_value> values(args.begin(), args.end());
    std::vector<td_named_value> more;
    for (const Named& n : named) more.push_back({view(n.name), n.value});
    must(host()->op_call(op, values.data(), values.size(), more.data(), more.size(), outs, std::size(outs), &err), err);
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  ~Results() {
    for (td_value& out : outs) host()->value_clear(&out);
  }
  std::size_t count() const {
    std::size_t n = std::size(outs);
    while (n && outs[n - 1].kind == TD_VALUE_NONE) --n;
    return n;
  }
  Tensor take(std::size_t i, std::string_view name) {
    if (outs[i].kind != TD_VALUE_TENSOR)
      throw Error(TD_ERR_PLUGIN, "result " + std::to_string(i) + " of " + std::string(name) + " is no tensor");
    outs[i].kind = TD_VALUE_NONE;
    return Tensor::own(outs[i].as.tensor);
  }
};

}  // namespace detail

// operate("add", "Tensor", {x, y}, {{"alpha", 2}}): the operator's first result.
inline Tensor operate(std::string_view name, std::string_view overload, std::initializer_list<Value> args,
                      std::initializer_list<Named> named = {}) {
  return detail::Results(name, overload, args, named).take(0, name);
}

// operate_all("max", "dim", {x, 0}): all of its results, in order; a result that it leaves out is an empty Tensor.
inline std::vector<Tensor> operate_all(std::string_view name, std::string_view overload,
                                       std::initializer_list<Value> args, std::initializer_list<Named> named = {}) {
  detail::Results results(name, overload, args, named);
  std::vector<Tensor> tensors(results.count());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (results.outs[i].kind != TD_VALUE_NONE) tensors[i] = results.take(i, name);
  return tensors;
}

namespace detail {

// `static constexpr X name` of a class, or what stands in for it.
template <class T, class = void>
struct schema_of {
  static constexpr td_str value{nullptr, 0};
};
template <class T>
struct schema_of<T, std::void_t<decltype(T::schema)>> {
  static constexpr td_str value{T::schema, sizeof(T::schema) - 1};
};

template <class T, class = void>
struct vectors_of {
  static constexpr const td_hash_vector* data = nullptr;
  static constexpr std::size_t size = 0;
};
template <class T>
struct vectors_of<T, std::void_t<decltype(T::vectors)>> {
  static constexpr const td_hash_vector* data = T::vectors;
  static constexpr std::size_t size = sizeof(T::vectors) / sizeof(*T::vectors);
};

template <class T>
void destroy(void* self) {
  delete static_cast<T*>(self);
}

template <class T>
td_status create(const td_host*, const td_config* config, void** self, td_error** err) {
  return guard(err, [&] {
    if constexpr (std::is_constructible_v<T, Config>)
      *self = new T(Config(config));
    else
      *self = new T();
  });
}

inline td_plugin_type head(std::size_t size, td_plugin_kind kind, td_str id, td_str version, std::uint64_t flags) {
  return {size, kind, 0, flags, id, version};
}

}  // namespace detail

// ---- Hashes: `std::uint64_t operator()(const std::uint8_t* row, std::size_t size) const` ----------------------------
struct Hash {
  std::string_view id, version;
  std::uint64_t flags = 0;
};

template <class T>
const td_plugin_type* hash() {
  static const td_hash_type table = [] {
    td_hash_type t{};
    t.type = detail::head(sizeof t, TD_PLUGIN_KIND_HASH, view(T::type.id), view(T::type.version), T::type.flags);
    t.create = detail::create<T>;
    t.destroy = detail::destroy<T>;
    t.hash_rows = [](void* self, const std::uint8_t* rows, std::size_t n, std::size_t row_bytes, std::size_t stride,
                     std::uint64_t* out, td_error** err) {
      return guard(err, [&] {
        for (std::size_t i = 0; i < n; ++i) out[i] = (*static_cast<const T*>(self))(rows + i * stride, row_bytes);
      });
    };
    t.vectors = detail::vectors_of<T>::data;
    t.n_vectors = detail::vectors_of<T>::size;
    if constexpr (std::is_copy_constructible_v<T>)
      t.clone = [](const void* self, void** out, td_error** err) {
        return guard(err, [&] { *out = new T(*static_cast<const T*>(self)); });
      };
    return t;
  }();
  return &table.type;
}

// ---- Modules: a constructor (Config, Builder&) that declares tensors, and
//      `std::vector<Tensor> operator()(const std::vector<Tensor>& state, const std::vector<Tensor>& inputs,
//      bool training) const` ------------------------------------------------------------------------------------------
struct Module {
  std::string_view id, version;
  std::uint64_t flags = 0;
};

class Builder {
 public:
  Builder(td_module_builder* builder, td_generator* generator) : builder_(builder), generator_(generator) {}
  void parameter(std::string_view name, const Tensor& initial) { declare(TD_ROLE_PARAMETER, name, initial); }
  void buffer(std::string_view name, const Tensor& initial) { declare(TD_ROLE_BUFFER, name, initial); }
  void declare(td_role role, const td_key& name, const Tensor& initial) {
    td_error* err = nullptr;
    must(host()->module_declare(builder_, role, &name, initial.get(), &err), err);
  }
  td_generator* generator() const { return generator_; }
  td_module_builder* handle() const { return builder_; }  // for extensions of the host

 private:
  void declare(td_role role, std::string_view name, const Tensor& initial) {
    td_str part = view(name);
    declare(role, td_key{&part, 1}, initial);
  }
  td_module_builder* builder_;
  td_generator* generator_;
};

template <class T>
const td_plugin_type* module() {
  static const td_module_type table = [] {
    td_module_type t{};
    t.type = detail::head(sizeof t, TD_PLUGIN_KIND_MODULE, view(T::type.id), view(T::type.version), T::type.flags);
    t.create = [](const td_host*, const td_config* config, td_generator* generator, td_module_builder* builder,
                  void** self, td_error** err) {
      return guard(err, [&] {
        Builder declared(builder, generator);
        *self = new T(Config(config), declared);
      });
    };
    t.destroy = detail::destroy<T>;
    t.forward = [](const void* self, td_tensor* const* state, std::size_t n_state, td_tensor* const* inputs,
                   std::size_t n_inputs, td_bool training, td_tensor** outputs, std::size_t n_outputs, td_error** err) {
      return guard(err, [&] {
        std::vector<Tensor> s, x;
        for (std::size_t i = 0; i < n_state; ++i) s.push_back(Tensor::borrow(state[i]));
        for (std::size_t i = 0; i < n_inputs; ++i) x.push_back(Tensor::borrow(inputs[i]));
        std::vector<Tensor> y = (*static_cast<const T*>(self))(s, x, training != 0);
        if (y.size() != n_outputs)
          throw Error(TD_ERR_ARGUMENT, "it returned " + std::to_string(y.size()) + " outputs, not " +
                                           std::to_string(n_outputs));
        for (std::size_t i = 0; i < n_outputs; ++i) outputs[i] = y[i].release();
      });
    };
    return t;
  }();
  return &table.type;
}

// ---- The entry ------------------------------------------------------------------------------------------------------
struct Facts {
  std::string_view id, vendor, version, license;
};

// A type of a plugin: its table, and the schema of its config.
struct Entry {
  const td_plugin_type* (*table)();
  td_str schema;
};
template <const td_plugin_type* (*make)(), class T>
constexpr Entry entry() {
  return {make, detail::schema_of<T>::value};
}

template <std::size_t n>
td_status enter(const Facts& facts, const Entry (&entries)[n], const td_host* the_host, td_plugin* out,
                td_error** err) {
  host() = the_host;
  return guard(err, [&] {
    if (the_host->abi_major != TD_PLUGIN_ABI_MAJOR)
      throw Error(TD_ERR_VERSION, std::string(facts.id) + " needs plugin ABI " + std::to_string(TD_PLUGIN_ABI_MAJOR));
    static const td_plugin_type* types[n];
    static td_str schemas[n];
    for (std::size_t i = 0; i < n; ++i) types[i] = entries[i].table(), schemas[i] = entries[i].schema;
    out->abi_major = TD_PLUGIN_ABI_MAJOR;
    out->abi_minor = 0;  // what is newer is asked for before it is used
    out->id = view(facts.id), out->vendor = view(facts.vendor);
    out->version = view(facts.version), out->license = view(facts.license);
    out->types = types;
    out->n_types = n;
    if (TD_HAS(td_plugin, out, schemas)) out->schemas = schemas;
  });
}

}  // namespace plugin
}  // namespace td

// The one exported function. TD_PLUGIN(id, vendor, version, license, hash, Class) is for one type; TD_PLUGIN_TYPES
// lists several, each as TD_HASH(Class), TD_MODULE(Class) or TD_DISTRIBUTION(Class).
#define TD_PLUGIN_TYPES(id, vendor, version, license, ...)                                                      \
  extern "C" TD_PLUGIN_EXPORT td_status td_plugin_entry(const td_host* host, td_plugin* out, td_error** err) { \
    static constexpr ::td::plugin::Entry entries[] = {__VA_ARGS__};                                            \
    return ::td::plugin::enter({id, vendor, version, license}, entries, host, out, err);                       \
  }
#define TD_HASH(Class) ::td::plugin::entry<::td::plugin::hash<Class>, Class>()
#define TD_MODULE(Class) ::td::plugin::entry<::td::plugin::module<Class>, Class>()
#define TD_PLUGIN(id, vendor, version, license, kind, Class) \
  TD_PLUGIN_TYPES(id, vendor, version, license, ::td::plugin::entry<::td::plugin::kind<Class>, Class>())

#endif  // TENSORDICT_PLUGIN_HPP
