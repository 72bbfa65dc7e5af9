#include "core/nn/containers.h"

#include "core/error.h"

namespace td {

namespace {

std::string member_name(const std::vector<std::string>& names, size_t i) {
  if (names.empty()) return std::to_string(i);
  if (names[i].empty() || names[i].find('.') != std::string::npos)
    throw Error(Code::key, "the name of a member must not be empty or contain \".\"").key('"' + names[i] + '"');
  return names[i];
}

}  // namespace

ModuleList::ModuleList(const std::vector<ModulePtr>& members, const std::vector<std::string>& names)
    : named_(!names.empty()) {
  for (size_t i = 0; i < members.size(); ++i) add_child(Key(member_name(names, i)), members[i]);
}

Tensors ModuleList::do_call(State, TensorsView, size_t) const {
  throw Error(Code::unsupported, "a list of modules cannot be called").hint("call its members");
}

Chain::Chain(const std::vector<ModulePtr>& members, const std::vector<std::string>& names) {
  for (size_t i = 0; i < members.size(); ++i) add_child(Key(member_name(names, i)), members[i]);
}

Tensors Chain::do_call(State state, TensorsView inputs, size_t n_outputs) const {
  size_t n = state.child_count();
  if (n == 0) {
    if (inputs.size() != n_outputs)
      throw Error(Code::argument, "an empty sequence returns its inputs, so it must have as many outputs as inputs");
    return inputs.vec();
  }
  Tensors values = state.module(0).call(state.child(0), inputs, n == 1 ? n_outputs : 1);
  for (size_t i = 1; i < n; ++i) values = state.module(i).call(state.child(i), values, i + 1 == n ? n_outputs : 1);
  return values;
}

}  // namespace td
