#include "core/nn/function_module.h"

#include "core/error.h"

namespace td {

Tensors ValuesModule::do_call(State, TensorsView inputs, size_t n_outputs) const {
  Inputs values;
  for (const at::Tensor& t : inputs) values.positional.emplace_back(t);
  std::vector<Entry> results = function_(values, n_outputs);
  if (results.size() != n_outputs)
    throw Error(Code::callback, "a module function returned " + std::to_string(results.size()) + " outputs, not " +
                                    std::to_string(n_outputs));
  Tensors outputs;
  for (Entry& e : results) {
    if (!e.is_tensor()) throw Error(Code::callback, "a module function returned something that is not a tensor");
    outputs.push_back(e.take_tensor());
  }
  return outputs;
}

}  // namespace td
