#include "core/nn/params_module.h"

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/error.h"
#include "core/nn/state.h"
#include "core/text/compact_repr.h"
#include "core/text/repr.h"

namespace td {

ParamsModule::ParamsModule(const Node& params) {
  if (has_lazy(params))
    throw Error(Code::unsupported, "a lazy stack has no tensors of its own")
        .hint_naming("make a dense copy with {dict_contiguous} first");
  for (const Path& key : leaf_paths(params)) {
    at::Tensor t = params.tensor(key);
    bool trained = params.inside() ? t.requires_grad() : t.is_floating_point() || t.is_complex();
    register_tensor(trained ? Role::parameter : Role::buffer, key, std::move(t));
  }
}

std::string ParamsModule::extra_repr() const {
  return "params=" + compact_repr(*module_state(*this), {});
}

Tensors ParamsModule::do_call(State, TensorsView, size_t) const {
  throw Error(Code::unsupported, "a module that only holds parameters cannot be called");
}

}  // namespace td
