// Gives a module keys: its inputs are read from in_keys, its outputs are written to out_keys ("_" drops one).
#pragma once

#include "core/nn/keyed_module.h"

namespace td {

class TensorDictModule final : public KeyedModule {
 public:
  struct Options {
    Inplace inplace = Inplace::yes;
    bool strict = false;                      // a missing input is an error, not an empty one
    std::vector<std::string> argument_names;  // one for each in-key: values are passed by name; empty: by position
  };
  // Throws Error(argument) for keys or names that do not fit each other.
  TensorDictModule(ModulePtr inner, Keys in_keys, Keys out_keys, Options options);
  std::string type_name() const override { return "TensorDictModule"; }
  const Options& options() const { return options_; }

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;
  void check_child(const Key& name, const Module* child) const override;

 private:
  Inputs read(const Node& data) const;
  std::vector<Entry> outputs(State state, const Inputs& inputs) const;
  bool run_plain(State state, const NodePtr& data, const NodePtr& result) const;
  NodePtr result_for(const NodePtr& data, const Run& how) const;
  Options options_;
};

// A function from dict to dict, with the keys that it is said to have: Python's WrapModule.
class WrapModule final : public KeyedModule {
 public:
  using Function = std::function<NodePtr(const NodePtr&)>;
  // `inplace`: what the function returns is written into the data, if it is another dict.
  WrapModule(Function function, bool inplace, Keys in_keys, Keys out_keys);
  std::string type_name() const override { return "WrapModule"; }
  bool has_gradients() const override { return false; }  // the tensors that it reads and writes are unknown

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;

 private:
  Function function_;
  bool inplace_;
};

}  // namespace td
