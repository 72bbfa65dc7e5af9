// A module that reads keys of a dict and writes others.
#pragma once

#include "core/nn/module.h"

namespace td {

using Keys = std::vector<Path>;

bool has_key(const Keys& keys, PathView key);
bool is_dropped(PathView key);  // "_": an output that is not written

// Selects the dict that the outputs are written to, unless they have a dict of their own.
enum class Inplace {
  yes,        // into the data
  no,         // into a new dict without batch dims
  empty,      // into a new dict like the data
  unchanged,  // a sequence only: what the last member gave
};

class KeyedModule : public Module {
 public:
  const Keys& in_keys() const { return in_keys_; }
  const Keys& out_keys() const { return out_keys_; }               // those that remain
  virtual const Keys& out_keys_source() const { return source_; }  // all that the module writes
  const KeyedModule* keyed() const override { return this; }

  // Narrows out_keys. Throws Error(key) for one that is not there; nothing changes then.
  virtual void select_out_keys(Keys keys);
  virtual void reset_out_keys();
  bool selected() const { return selected_; }

  // On a dict made of arguments: by position in the order of in_keys, and by name, the parts of a key joined with
  // `separator`. What is not given is missing. Returns the values of out_keys, as they were before the call.
  std::vector<Entry> dispatch(State state, const Inputs& arguments, const std::string& separator, const Run& how) const;

 protected:
  KeyedModule(Keys in_keys, Keys out_keys)
      : in_keys_(std::move(in_keys)), out_keys_(std::move(out_keys)), source_(out_keys_) {}

  // On tensors: the inputs in the order of in_keys, the outputs in that of out_keys, through a dict without batch dims.
  Tensors do_call(State state, TensorsView inputs, size_t n_outputs) const final;
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override = 0;

  // True if `how` asks to skip this module on this data: it would write nothing new.
  bool skips(const Node& data, const Run& how) const;
  // After a selection: takes away the outputs that are not selected, unless they are inputs.
  void prune(Node& result) const;
  void replace_keys(Keys in_keys, Keys out_keys);  // of a module whose members have changed

 private:
  Keys in_keys_, out_keys_, source_;
  bool selected_ = false;
};

}  // namespace td
