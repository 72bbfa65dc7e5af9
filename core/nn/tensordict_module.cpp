#include "core/nn/tensordict_module.h"

#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

bool dropped(PathView key) {
  return key.size() == 1 && key[0].text == "_";
}

// What Node::set would refuse, found before the first output is written: the same set on a stand-in for the node that
// the value would go to.
void check_fits(const Node& data, PathView key, const at::Tensor& value) {
  const Node* target = &data;
  NodePtr hold;
  size_t depth = 0;
  Entry e = target->find(key[0]);
  while (e.is_node() && depth + 1 < key.size()) {
    hold = e.take_node();
    target = hold.get();
    e = target->find(key[++depth]);
  }
  NodePtr probe = TensorDict::make(target->batch_size());
  if (e.is_tensor()) probe->put(Key(key[depth]), e);
  if (target->locked()) Lock::acquire(*probe);
  try {
    probe->set(PathView(key.begin() + depth, key.size() - depth), value);
  } catch (const Error& refused) {
    throw Error(refused).key(to_string(key));
  }
}

}  // namespace

TensorDictModule::TensorDictModule(ModulePtr inner, std::vector<Path> in_keys, std::vector<Path> out_keys)
    : KeyedModule(std::move(in_keys), std::move(out_keys)) {
  add_child({"module"}, std::move(inner));
}

void TensorDictModule::forward(State state, Node& data) const {
  Tensors inputs;
  for (const Path& key : in_keys()) inputs.push_back(data.tensor(key));
  Tensors outputs = child(0).call(child_state(state, 0), inputs, out_keys().size());
  if (outputs.size() > 1)
    for (size_t i = 0; i < outputs.size(); ++i)
      if (!dropped(out_keys()[i])) check_fits(data, out_keys()[i], outputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!dropped(out_keys()[i])) data.set(out_keys()[i], std::move(outputs[i]));
}

}  // namespace td
