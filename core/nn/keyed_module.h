// A module that reads keys of a dict and writes others.
#pragma once

#include "core/nn/module.h"

namespace td {

class KeyedModule : public Module {
 public:
  const std::vector<Path>& in_keys() const { return in_keys_; }
  const std::vector<Path>& out_keys() const { return out_keys_; }

  // `data` keeps the keys written by members that succeeded before another failed.
  void forward(State state, Node& data) const override = 0;

  // On tensors: the inputs in the order of in_keys, the outputs in that of out_keys, through a dict without batch dims.
  Tensors call(State state, TensorsView inputs, size_t n_outputs) const final;

 protected:
  KeyedModule(std::vector<Path> in_keys, std::vector<Path> out_keys)
      : in_keys_(std::move(in_keys)), out_keys_(std::move(out_keys)) {}

 private:
  std::vector<Path> in_keys_, out_keys_;
};

}  // namespace td
