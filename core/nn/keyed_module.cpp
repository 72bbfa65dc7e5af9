#include "core/nn/keyed_module.h"

#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

void check_count(const char* what, size_t expected, size_t got) {
  if (expected == got) return;
  throw Error(Code::argument,
              "the module has " + std::to_string(expected) + ' ' + what + ", got " + std::to_string(got));
}

}  // namespace

Tensors KeyedModule::call(State state, TensorsView inputs, size_t n_outputs) const {
  check_count("inputs", in_keys_.size(), inputs.size());
  check_count("outputs", out_keys_.size(), n_outputs);
  NodePtr data = TensorDict::make({});
  for (size_t i = 0; i < inputs.size(); ++i) data->set(in_keys_[i], inputs[i]);
  forward(state, *data);
  Tensors outputs;
  for (const Path& key : out_keys_) outputs.push_back(data->tensor(key));
  return outputs;
}

}  // namespace td
