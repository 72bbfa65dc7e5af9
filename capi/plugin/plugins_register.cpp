// Types that the calling program registers: its functions behind the tables that plugins have.
#include <memory>
#include <utility>
#include <vector>

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/dict/copy.h"
#include "core/dict/tensordict.h"
#include "core/nn/plugin_module.h"
#include "core/plugin/call.h"
#include "core/plugin/catalogue.h"
#include "core/plugin/config.h"
#include "core/tensor/factory.h"
#include "plugins/tensordict_plugin.h"

namespace td::capi {

namespace {

using plugin::Config;

// A type: its table, its texts and the caller's functions. Dies with the last instance after it was unregistered.
template <class Table, class Callbacks>
struct Registered {
  explicit Registered(const Callbacks& c) : callbacks(c) {}
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() {
    if (callbacks.destroy) td::call_release(callbacks.destroy, callbacks.userdata);
  }

  Table table{};
  Callbacks callbacks;
  std::string id, version;
  std::vector<std::string> names;
  std::vector<td_str> params;
};
using HashType = Registered<td_hash_type, td_hash_callbacks>;
using ModuleType = Registered<td_module_type, td_module_callbacks>;
using DistType = Registered<td_distribution_type, td_dist_callbacks>;

// What an instance knows: its type, which the PluginInstance around it keeps alive, and its config.
template <class Type>
struct Made {
  const Type* type;
  std::string config;
};

// A failure of the caller's own function is CALLBACK, and keeps its words; an exception must not go further either.
template <class F>
td_status called(td_error** err, const char* what, F&& body) noexcept {
  return guard(err, [&] {
    td_error* inner = nullptr;
    td_status status = TD_OK;
    try {
      status = body(&inner);
    } catch (...) {
      td_error_release(inner);
      throw_escaped(what);
    }
    Code code = status == TD_ERR_UNSUPPORTED ? Code::unsupported : Code::callback;
    if (status != TD_OK) throw_foreign(code, status, inner, what);
    td_error_release(inner);
  });
}

template <class Type>
td_status create(const td_host*, const td_config* config, void** self, td_error** err) noexcept {
  return guard(err, [&] {
    const Config& parsed = Config::of(config);
    *self = new Made<Type>{static_cast<const Type*>(parsed.owner()), parsed.json()};
  });
}

template <class Type>
void destroy(void* self) noexcept {
  delete static_cast<Made<Type>*>(self);
}

td_status hash_rows(void* self, const uint8_t* rows, size_t n, size_t row_bytes, size_t stride, uint64_t* out,
                    td_error** err) noexcept {
  const auto& made = *static_cast<const Made<HashType>*>(self);
  const td_hash_callbacks& c = made.type->callbacks;
  return called(err, "the function hash_rows", [&](td_error** inner) {
    return c.hash_rows(c.userdata, view(made.config), rows, n, row_bytes, stride, out, inner);
  });
}

// ---- Modules --------------------------------------------------------------------------------------------------------
void declare_all(td_module_builder* builder, Role role, const Node& tensors) {
  Leaves all = leaves(tensors);
  std::vector<Path> names = leaf_paths(tensors);
  for (size_t i = 0; i < all.size(); ++i) reinterpret_cast<ModuleBuilder*>(builder)->declare(role, names[i], all[i]);
}

td_status create_module(const td_host* host, const td_config* config, td_generator* generator,
                        td_module_builder* builder, void** self, td_error** err) noexcept {
  void* instance = nullptr;
  td_status status = create<ModuleType>(host, config, &instance, err);
  if (status != TD_OK) return status;
  std::unique_ptr<Made<ModuleType>> made(static_cast<Made<ModuleType>*>(instance));
  const td_module_callbacks& c = made->type->callbacks;
  if (c.init) {
    NodePtr parameters = TensorDict::make({}), buffers = TensorDict::make({});
    status = called(err, "the function init", [&](td_error** inner) {
      return c.init(c.userdata, view(made->config), generator, reinterpret_cast<td_dict*>(parameters.get()),
                    reinterpret_cast<td_dict*>(buffers.get()), inner);
    });
    if (status != TD_OK) return status;
    status = guard(err, [&] {
      declare_all(builder, Role::parameter, *parameters);
      declare_all(builder, Role::buffer, *buffers);
    });
    if (status != TD_OK) return status;
  }
  *self = made.release();
  return TD_OK;
}

td_status forward(const void* self, td_tensor* const* state, size_t n_state, td_tensor* const* inputs, size_t n_inputs,
                  td_bool training, td_tensor** outputs, size_t n_outputs, td_error** err) noexcept {
  const auto& made = *static_cast<const Made<ModuleType>*>(self);
  const td_module_callbacks& c = made.type->callbacks;
  return called(err, "the function forward", [&](td_error** inner) {
    return c.forward(c.userdata, view(made.config), state, n_state, inputs, n_inputs, training, outputs, n_outputs,
                     inner);
  });
}

// ---- Distributions --------------------------------------------------------------------------------------------------
td_status sample(const void* self, td_tensor* const* params, const int64_t* dims, size_t ndim, td_generator* generator,
                 td_tensor** out, td_error** err) noexcept {
  const auto& made = *static_cast<const Made<DistType>*>(self);
  const td_dist_callbacks& c = made.type->callbacks;
  return called(err, "the function sample", [&](td_error** inner) {
    return c.sample(c.userdata, view(made.config), params, dims, ndim, generator, out, inner);
  });
}

td_status rsample(const void* self, td_tensor* const* params, const int64_t* dims, size_t ndim, td_generator* generator,
                  td_tensor** out, td_error** err) noexcept {
  const auto& made = *static_cast<const Made<DistType>*>(self);
  const td_dist_callbacks& c = made.type->callbacks;
  return called(err, "the function rsample", [&](td_error** inner) {
    return c.rsample(c.userdata, view(made.config), params, dims, ndim, generator, out, inner);
  });
}

td_status log_prob(const void* self, td_tensor* const* params, const td_tensor* value, td_tensor** out,
                   td_error** err) noexcept {
  const auto& made = *static_cast<const Made<DistType>*>(self);
  const td_dist_callbacks& c = made.type->callbacks;
  return called(err, "the function log_prob",
                [&](td_error** inner) { return c.log_prob(c.userdata, view(made.config), params, value, out, inner); });
}

template <td_dist_stat which>
td_status stat(const void* self, td_tensor* const* params, td_tensor** out, td_error** err) noexcept {
  const auto& made = *static_cast<const Made<DistType>*>(self);
  const td_dist_callbacks& c = made.type->callbacks;
  return called(err, "the function stat",
                [&](td_error** inner) { return c.stat(c.userdata, view(made.config), params, which, out, inner); });
}

// ---- What they say of themselves ------------------------------------------------------------------------------------
template <class Type>
void describe(const std::shared_ptr<Type>& made, td_plugin_kind kind, const td_type_info* info) {
  if (!info) throw_null("info");
  td_type_info i = options(info);
  made->id = text(i.id, "id");
  made->version = given(i.version) ? text(i.version, "version") : "0";
  if (made->id.empty()) throw Error(Code::argument, "the id of the type is empty");
  check_utf8(made->id, "the id");
  if (made->id.rfind("td.", 0) == 0)
    throw Error(Code::argument, "ids that begin with \"td.\" are reserved for the bundled plugins").where(made->id);
  td_plugin_type& head = made->table.type;
  head.struct_size = sizeof(made->table);
  head.kind = kind, head.flags = i.flags;
  head.id = view(made->id), head.version = view(made->version);
  plugin::Type type;
  type.table = &head, type.id = made->id, type.version = made->version, type.plugin = "this process";
  type.file = "this process";
  try {
    if (given(i.schema)) type.schema = std::make_shared<const plugin::Schema>(text(i.schema, "schema"));
  } catch (const Error& e) {
    throw Error(Code::argument, e.message()).where(made->id);
  }
  type.owner = made;
  plugin::offer(std::move(type));
}

// The callbacks first: whatever is wrong later, they are destroyed once.
template <class Type, class Callbacks>
std::shared_ptr<Type> take(const Callbacks* given_callbacks) {
  if (!given_callbacks) throw_null("callbacks");
  const Callbacks callbacks = options(given_callbacks);
  std::shared_ptr<Type> made;
  try {
    made = std::make_shared<Type>(callbacks);
  } catch (...) {
    if (callbacks.destroy) td::call_release(callbacks.destroy, callbacks.userdata);
    throw;
  }
  made->table.destroy = destroy<Type>;
  return made;
}

void need(bool there, const char* function) {
  if (!there) throw Error(Code::argument, std::string("the function \"") + function + "\" is missing");
}

}  // namespace

}  // namespace td::capi

using namespace td::capi;

td_status td_plugins_register_hash(const td_type_info* info, const td_hash_callbacks* callbacks,
                                   td_error** err) noexcept {
  return guard(err, [&] {
    auto made = take<HashType>(callbacks);
    need(made->callbacks.hash_rows, "hash_rows");
    made->table.create = td::capi::create<HashType>;
    made->table.hash_rows = td::capi::hash_rows;
    describe(made, TD_PLUGIN_KIND_HASH, info);
  });
}

td_status td_plugins_register_module(const td_type_info* info, const td_module_callbacks* callbacks,
                                     td_error** err) noexcept {
  return guard(err, [&] {
    auto made = take<ModuleType>(callbacks);
    need(made->callbacks.forward, "forward");
    made->table.create = create_module;
    made->table.forward = td::capi::forward;
    describe(made, TD_PLUGIN_KIND_MODULE, info);
  });
}

td_status td_plugins_register_dist(const td_type_info* info, const td_dist_callbacks* callbacks,
                                   td_error** err) noexcept {
  return guard(err, [&] {
    auto made = take<DistType>(callbacks);
    const td_dist_callbacks& c = made->callbacks;
    if (c.n_params > 0 && !c.params) throw_null("params");
    for (size_t i = 0; i < c.n_params; ++i) made->names.emplace_back(text(c.params[i], "the name of a parameter"));
    for (const std::string& name : made->names) made->params.push_back(view(name));
    td_distribution_type& t = made->table;
    t.params = made->params.data(), t.n_params = made->params.size();
    t.create = td::capi::create<DistType>;
    t.sample = c.sample ? td::capi::sample : nullptr;
    t.rsample = c.rsample ? td::capi::rsample : nullptr;
    t.log_prob = c.log_prob ? td::capi::log_prob : nullptr;
    if (c.stat) t.mean = td::capi::stat<TD_DIST_STAT_MEAN>, t.mode = td::capi::stat<TD_DIST_STAT_MODE>;
    if (c.stat) t.variance = td::capi::stat<TD_DIST_STAT_VARIANCE>, t.entropy = td::capi::stat<TD_DIST_STAT_ENTROPY>;
    describe(made, TD_PLUGIN_KIND_DISTRIBUTION, info);
  });
}

td_status td_plugins_unregister(td_plugin_kind kind, td_str id, td_error** err) noexcept {
  return guard(err, [&] {
    if (kind < TD_PLUGIN_KIND_HASH || kind > TD_PLUGIN_KIND_MODULE)
      throw td::Error(td::Code::argument, "an unknown kind of plugin type: " + std::to_string(kind));
    td::plugin::withdraw(kind, text(id, "id"));
  });
}
