// The part of the C API that the plugin host needs: the table handed to plugins, and how its handles become core
// objects. The C API registers it when the library is loaded; without it everything but plugins works.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/error.h"
#include "core/tensor/generator.h"
#include "plugins/tensordict_plugin.h"

namespace td::plugin {

struct Border {
  const td_host* host;
  // Throws what the error says; what a plugin leaves is taken over.
  void (*throw_error)(td_status status, td_error* err, const std::string& where);
  void (*discard)(const td_error* err) noexcept;
  at::Tensor (*adopt)(td_tensor* handle);
};

// Once, before any plugin is used; `border` lives as long as the process.
void set_border(const Border& border) noexcept;

const td_host& host();

// Takes over the error that a plugin left (may be null) after returning `status`; `where` names the plugin type.
[[noreturn]] void throw_plugin_error(td_status status, td_error* err, const std::string& where);

// Releases an error that is not reported; null is allowed.
void discard(td_error* err) noexcept;

// A handle that borrows `t` for a call; valid while `t` lives. Null for an undefined tensor.
inline td_tensor* borrow(const at::Tensor& t) {
  return t.defined() ? reinterpret_cast<td_tensor*>(t.unsafeGetTensorImpl()) : nullptr;
}

// Takes over a reference that a plugin returned; undefined for null.
at::Tensor adopt(td_tensor* handle);

// A handle that borrows the generator for a call; null for the default one.
inline td_generator* borrow(Generator* generator) {
  return reinterpret_cast<td_generator*>(generator);
}

}  // namespace td::plugin
