// Plugins: types from shared libraries, and functions of this process as types.
//
//     plugins::load("/opt/hashes/fnv.so");
//     plugins::register_hash({"org.example.sum"}, [](std::string_view config, const std::uint8_t* row, std::size_t size) {
//       return std::accumulate(row, row + size, std::uint64_t{0});
//     });
//     Hash sum = Hash::create("org.example.sum");
#ifndef TENSORDICT_PLUGINS_HPP
#define TENSORDICT_PLUGINS_HPP

#include "dist.hpp"
#include "hash.hpp"

namespace tensordict {
namespace plugins {

// One file, or the one that a manifest names; and every one of a directory.
inline void load(std::string_view file) {
  detail::call(td_plugins_load, detail::str(file));
}
inline void add_path(std::string_view directory) {
  detail::call(td_plugins_add_path, detail::str(directory));
}
// The types in use, as a JSON array; and what was loaded and what was refused, a line for each file.
inline std::string list() {
  return detail::text_of(td_plugins_list);
}
inline std::string report() {
  return detail::text_of(td_plugins_report);
}

enum class Kind : td_plugin_kind {
  hash = TD_PLUGIN_KIND_HASH,
  distribution = TD_PLUGIN_KIND_DISTRIBUTION,
  module = TD_PLUGIN_KIND_MODULE,
};

// What a type registered by this process says of itself.
struct TypeInfo {
  std::string id;            // "org.name"
  std::string version = {};  // "1.0.0"
  std::string schema = {};   // of the config; "": any JSON object
  std::uint64_t flags = 0;   // TD_PLUGIN_...; without THREAD_SAFE calls for one instance come one after the other
};

// Hides a type from look-ups; what was made of it goes on.
inline void unregister(Kind kind, std::string_view id) {
  detail::call(td_plugins_unregister, static_cast<td_plugin_kind>(kind), detail::str(id));
}

// The functions of a module type. `config` is the JSON that an instance was made with.
struct ModuleType {
  // Fills the empty dicts of what is trained and what is carried along; may be empty.
  std::function<void(std::string_view config, WithGenerator generator, Dict& parameters, Dict& buffers)> init;
  // `state` holds the parameters, then the buffers, each in the order of keys.
  std::function<std::vector<Tensor>(std::string_view config, const std::vector<Tensor>& state,
                                    const std::vector<Tensor>& inputs, bool training)>
      forward;
};

// The functions of a distribution type; they get the parameters in the order of `params`, broadcast together. Those that are
// empty are not offered.
struct DistType {
  using Params = std::vector<Tensor>;
  std::vector<std::string> params;
  std::function<Tensor(std::string_view config, const Params&, Ints shape, WithGenerator)> sample, rsample;
  std::function<Tensor(std::string_view config, const Params&, const Tensor& value)> log_prob;
  std::function<Tensor(std::string_view config, const Params&, DistStat which)> stat;
};

}  // namespace plugins

namespace detail {

class RawTypeInfo {
 public:
  explicit RawTypeInfo(const plugins::TypeInfo& info) {
    raw_.id = str(info.id);
    raw_.version = optional_str(info.version);
    raw_.schema = optional_str(info.schema);
    raw_.flags = info.flags;
  }
  const td_type_info* get() const noexcept { return &raw_; }

 private:
  td_type_info raw_ = TD_TYPE_INFO_INIT;
};

// The library's generator for the time of a call.
class BorrowedGenerator {
 public:
  explicit BorrowedGenerator(td_generator* raw) {
    if (raw) generator_ = Generator::borrow(raw);
  }
  WithGenerator get() { return generator_ ? WithGenerator(*generator_) : WithGenerator(); }

 private:
  std::optional<Generator> generator_;
};

template <class F>
td_status type_hash_rows(void* userdata, td_str config, const void* rows, std::size_t n, std::size_t row_bytes,
                         std::size_t stride, std::uint64_t* out, td_error** err) noexcept {
  return guard(err, [&] {
    const auto* row = static_cast<const std::uint8_t*>(rows);
    for (std::size_t i = 0; i < n; ++i)
      out[i] = (*static_cast<F*>(userdata))(view(config), row + i * stride, row_bytes);
  });
}

inline td_status type_init_module(void* userdata, td_str config, td_generator* generator, td_dict* parameters,
                                  td_dict* buffers, td_error** err) noexcept {
  return guard(err, [&] {
    Dict trained = Dict::borrow(parameters), carried = Dict::borrow(buffers);
    BorrowedGenerator rng(generator);
    static_cast<plugins::ModuleType*>(userdata)->init(view(config), rng.get(), trained, carried);
  });
}

inline td_status type_forward_module(void* userdata, td_str config, td_tensor* const* state, std::size_t n_state,
                                     td_tensor* const* inputs, std::size_t n_inputs, td_bool training,
                                     td_tensor** outputs, std::size_t n_outputs, td_error** err) noexcept {
  return guard(err, [&] {
    give(static_cast<plugins::ModuleType*>(userdata)->forward(view(config), borrow_all(state, n_state),
                                                              borrow_all(inputs, n_inputs), training != 0),
         outputs, n_outputs);
  });
}

template <auto member>
td_status type_draw(void* userdata, td_str config, td_tensor* const* params, const std::int64_t* dims, std::size_t ndim,
                    td_generator* generator, td_tensor** out, td_error** err) noexcept {
  return guard(err, [&] {
    auto& type = *static_cast<plugins::DistType*>(userdata);
    BorrowedGenerator rng(generator);
    Tensor made = (type.*member)(view(config), borrow_all(params, type.params.size()), Ints(dims, ndim), rng.get());
    *out = made.release();
  });
}

inline td_status type_log_prob(void* userdata, td_str config, td_tensor* const* params, const td_tensor* value,
                               td_tensor** out, td_error** err) noexcept {
  return guard(err, [&] {
    auto& type = *static_cast<plugins::DistType*>(userdata);
    const Tensor borrowed = Tensor::borrow(value);
    Tensor made = type.log_prob(view(config), borrow_all(params, type.params.size()), borrowed);
    *out = made.release();
  });
}

inline td_status type_stat(void* userdata, td_str config, td_tensor* const* params, td_dist_stat which, td_tensor** out,
                           td_error** err) noexcept {
  return guard(err, [&] {
    auto& type = *static_cast<plugins::DistType*>(userdata);
    Tensor made = type.stat(view(config), borrow_all(params, type.params.size()), static_cast<DistStat>(which));
    *out = made.release();
  });
}

}  // namespace detail

namespace plugins {

// `function(std::string_view config, const std::uint8_t* row, std::size_t size)` gives the hash of one row.
template <class F>
void register_hash(const TypeInfo& info, F function) {
  td_hash_callbacks raw{};
  raw.struct_size = sizeof raw;
  raw.hash_rows = detail::type_hash_rows<F>;
  raw.userdata = detail::keep(std::move(function));
  raw.destroy = detail::destroy<F>;
  detail::call(td_plugins_register_hash, detail::RawTypeInfo(info).get(), &raw);
}

inline void register_module(const TypeInfo& info, ModuleType type) {
  td_module_callbacks raw{};
  raw.struct_size = sizeof raw;
  raw.init = type.init ? detail::type_init_module : nullptr;
  raw.forward = type.forward ? detail::type_forward_module : nullptr;
  raw.userdata = detail::keep(std::move(type));
  raw.destroy = detail::destroy<ModuleType>;
  detail::call(td_plugins_register_module, detail::RawTypeInfo(info).get(), &raw);
}

inline void register_dist(const TypeInfo& info, DistType type) {
  td_dist_callbacks raw{};
  const std::vector<std::string> params = type.params;
  const Texts names(params);
  raw.struct_size = sizeof raw;
  raw.params = names.data();
  raw.n_params = names.size();
  raw.sample = type.sample ? detail::type_draw<&DistType::sample> : nullptr;
  raw.rsample = type.rsample ? detail::type_draw<&DistType::rsample> : nullptr;
  raw.log_prob = type.log_prob ? detail::type_log_prob : nullptr;
  raw.stat = type.stat ? detail::type_stat : nullptr;
  raw.userdata = detail::keep(std::move(type));
  raw.destroy = detail::destroy<DistType>;
  detail::call(td_plugins_register_dist, detail::RawTypeInfo(info).get(), &raw);
}

}  // namespace plugins
}  // namespace tensordict

#endif
