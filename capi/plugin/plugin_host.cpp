// The table of functions that plugins are given, and the core's side of the border to them.
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/fork.h"
#include "core/nn/plugin_module.h"
#include "core/plugin/border.h"
#include "core/plugin/call.h"
#include "core/plugin/config.h"
#include "core/plugin/tables.h"
#include "core/system/parallel.h"
#include "core/tensor/op.h"
#include "core/torch_compat.h"
#include "plugins/tensordict_plugin.h"
#include "tensordict.h"

namespace td::capi {

namespace {

using plugin::Config;

// Plugins have no other voice; what is worth a warning goes where LibTorch's own warnings go.
void log(td_log_level level, td_str message) noexcept {
  if (level < TD_LOG_WARNING) return;
  guard(nullptr, [&] { TORCH_WARN("plugin: ", std::string(text(message, "message"))); });
}

void* allocate(size_t size) noexcept {
  constexpr size_t alignment = 64;
  if (size > SIZE_MAX - alignment) return nullptr;
  return std::aligned_alloc(alignment, size == 0 ? alignment : (size + alignment - 1) / alignment * alignment);
}

void free_memory(void* memory) noexcept {
  std::free(memory);
}

const Config& config_of(const td_config* config) {
  if (!config) throw_null("config");
  return Config::of(config);
}

td_status config_int(const td_config* config, td_str name, int64_t* value, td_error** err) noexcept {
  return guard(err, [&] { config_of(config).get(text(name, "name"), out(value)); });
}

td_status config_double(const td_config* config, td_str name, double* value, td_error** err) noexcept {
  return guard(err, [&] { config_of(config).get(text(name, "name"), out(value)); });
}

td_status config_bool(const td_config* config, td_str name, td_bool* value, td_error** err) noexcept {
  return guard(err, [&] {
    bool truth = false;
    if (config_of(config).get(text(name, "name"), truth)) out(value) = truth;
  });
}

td_status config_str(const td_config* config, td_str name, td_str* value, td_error** err) noexcept {
  return guard(err, [&] {
    std::string_view found;
    if (config_of(config).get(text(name, "name"), found)) out(value) = view(found);
  });
}

td_status config_ints(const td_config* config, td_str name, const int64_t** values, size_t* n,
                      td_error** err) noexcept {
  return guard(err, [&] {
    const std::vector<int64_t>* found = nullptr;
    if (!config_of(config).get(text(name, "name"), found)) return;
    out(n) = found->size();
    out(values) = found->data();
  });
}

ProcessMutex lasting_ops_mutex;
auto& lasting_ops = *new std::map<std::pair<std::string, optional<std::string>>, c10::intrusive_ptr<Op>>;

// Plugins keep operators in static variables: one object for each name, never released and not counted.
const td_op* lasting_op(const std::string& name, const optional<std::string>& overload) {
  ProcessLock hold(lasting_ops_mutex);
  auto& op = lasting_ops[{name, overload}];
  if (!op) op = overload ? Op::find(name, std::string_view(*overload)) : Op::find(name, nullopt);
  return reinterpret_cast<const td_op*>(op.get());
}

td_status op_find(td_str name, td_str overload, const td_op** found, td_error** err) noexcept {
  return guard(err, [&] {
    optional<std::string> chosen;
    if (given(overload)) chosen = std::string(text(overload, "overload"));
    out(found) = lasting_op(std::string(text(name, "name")), chosen);
  });
}

ModuleBuilder& builder_of(td_module_builder* builder) {
  if (!builder) throw_null("builder");
  return *reinterpret_cast<ModuleBuilder*>(builder);
}

Path declared_name(const td_key* name) {
  if (!name) throw_null("name");
  return paths(name, 1, "name").front();
}

td_status module_declare(td_module_builder* builder, td_role role, const td_key* name, const td_tensor* initial,
                         td_error** err) noexcept {
  return guard(err, [&] {
    ModuleBuilder& module = builder_of(builder);
    if (role != TD_ROLE_PARAMETER && role != TD_ROLE_BUFFER) throw Error(Code::argument, "an unknown role");
    module.declare(role == TD_ROLE_PARAMETER ? Role::parameter : Role::buffer, declared_name(name), tensor(initial));
  });
}

td_status module_start_training(td_module_builder* builder, td_bool training, td_error** err) noexcept {
  return guard(err, [&] { builder_of(builder).start_training(training != 0); });
}

td_status module_freeze(td_module_builder* builder, const td_key* name, td_error** err) noexcept {
  return guard(err, [&] { builder_of(builder).freeze(declared_name(name)); });
}

void* tensor_impl(const td_tensor* handle) noexcept {
  return const_cast<td_tensor*>(handle);  // the handle is the object
}

td_status tensor_wrap(void* impl, td_tensor** handle, td_error** err) noexcept {
  return guard(err, [&] { give(handle, tensor(static_cast<td_tensor*>(impl))); });
}

void parallel_for(int64_t n, int64_t grain, void (*fn)(void*, int64_t, int64_t), void* userdata) noexcept {
  try {
    td::parallel_for(n, grain, [&](int64_t begin, int64_t end) { fn(userdata, begin, end); });
  } catch (...) {
    plugin::detail::escaped() = std::current_exception();  // plugin::call throws it when the plugin has returned
  }
}

const td_host_tensor tensor_extension = {td_tensor_data, td_tensor_strides, td_tensor_copy_from};
const td_host_generator generator_extension = {td_generator_new, td_generator_release};
const td_host_hash hash_extension = {td_hash_new, td_hash_release, td_hash_rows, td_hash_call};
const td_host_module module_extension = {module_start_training, module_freeze};
const td_host_libtorch libtorch_extension = {TD_TEXT(TORCH_VERSION), tensor_impl, tensor_wrap};

const void* get_extension(td_str id) noexcept {
  std::string_view name = plugin::text(id);
  if (name == TD_EXT_TENSOR) return &tensor_extension;
  if (name == TD_EXT_GENERATOR) return &generator_extension;
  if (name == TD_EXT_HASH) return &hash_extension;
  if (name == TD_EXT_MODULE) return &module_extension;
  if (name == TD_EXT_LIBTORCH) return &libtorch_extension;
  return nullptr;
}

const td_host table = {
    TD_PLUGIN_MAGIC,
    TD_PLUGIN_ABI_MAJOR,
    TD_PLUGIN_ABI_MINOR,
    sizeof(td_host),
    log,
    td_error_new,
    allocate,
    free_memory,
    config_int,
    config_double,
    config_bool,
    config_str,
    config_ints,
    td_tensor_retain,
    td_tensor_release,
    td_tensor_shape,
    td_tensor_dtype,
    op_find,
    td_op_call,
    td_value_clear,
    module_declare,
    parallel_for,
    get_extension,
};

// A plugin's own status says more than "a plugin failed", unless it blames the library or is no status at all.
Code code_of(td_status status) {
  if (status == TD_ERR_INTERNAL) return Code::plugin;
  switch (status) {
#define CODE(name, NAME, number) \
  case number:                   \
    return Code::name;
#include "core/codes.inc"
    default:
      return Code::plugin;
  }
}

void throw_error(td_status status, td_error* err, const std::string& where) {
  throw_foreign(code_of(status), status, err, where);
}

const plugin::Border border = {&table, throw_error, td_error_release, adopt};

// While the library is loaded: nothing can ask before.
[[maybe_unused]] const bool handed_in = (plugin::set_border(border), true);

}  // namespace
}  // namespace td::capi
