// A chain of modules that have keys; each reads what those before it wrote.
#pragma once

#include "core/nn/keyed_module.h"

namespace td {

class ModuleList;

class Sequential : public KeyedModule {
 public:
  struct Options {
    bool partial_tolerant = false;  // members whose inputs are missing do not run
    Inplace inplace = Inplace::unchanged;
    Keys selected_out_keys{};          // empty: all
    std::vector<std::string> names{};  // of the members; empty: numbers
  };
  // The members' state stands under "module", "0", and so on. Throws Error(argument) naming a member without keys.
  Sequential(const std::vector<ModulePtr>& members, Options options);
  std::string type_name() const override { return "TensorDictSequential"; }

  std::vector<ModulePtr> members() const;  // throws Error(argument) if something in its list has no keys
  std::vector<std::string> names() const;  // of the members; empty: numbers
  // A new sequence over the members [start, stop), every `step`-th, of plain options.
  ModulePtr slice(int64_t start, int64_t stop, int64_t step) const;
  void set_member(size_t index, ModulePtr member);
  void erase_member(size_t index);

  // The members that can run given `in_keys` and that `out_keys` depend on; none: those of the sequence. Throws
  // Error(argument) if nothing is left.
  ModulePtr select_subsequence(const optional<Keys>& in_keys, const optional<Keys>& out_keys) const;

  void select_out_keys(Keys keys) override;
  void reset_out_keys() override;

 protected:
  NodePtr do_run(State state, const NodePtr& data, const Run& how) const override;
  void check_child(const Key& name, const Module* child) const override;
  virtual NodePtr run_members(State state, NodePtr data, const Run& how) const;
  NodePtr run_member(State state, size_t index, const NodePtr& data, const Run& how) const;
  // Returns the dict that gets the outputs; null if the result of the last member is the result.
  virtual NodePtr target(const NodePtr& data, const NodePtr& given) const;
  NodePtr inplace_target(const NodePtr& data) const;

  // Kinds of sequence differ in what they may be made of, and in what is made of some of their members.
  virtual void check_members(const std::vector<ModulePtr>&) const {}
  virtual void refresh();
  enum class Part { slice, subsequence };
  virtual ModulePtr of_members(const std::vector<ModulePtr>& members, Options options, Part part) const;

 private:
  const ModuleList& list() const;
  std::vector<size_t> subsequence(Keys in, Keys out, std::vector<ModulePtr>& members) const;
  Options options_;
  bool narrowed_ = false;
};

}  // namespace td
