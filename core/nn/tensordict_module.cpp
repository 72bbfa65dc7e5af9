#include "core/nn/tensordict_module.h"

#include <algorithm>

#include "core/dict/change/update.h"
#include "core/dict/data/data.h"
#include "core/dict/lock.h"
#include "core/dict/select.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

// What setting would refuse, found before the first output is written: the same set on a stand-in for the node that the
// value would go to.
void check_fits(const Node& data, PathView key, const Entry& value) {
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
  if (e.is_tensor() || e.is_data()) probe->put(Key(key[depth]), e);
  if (target->locked()) Lock::acquire(*probe);
  try {
    probe->set(PathView(key.begin() + depth, key.size() - depth), value);
  } catch (const Error& refused) {
    throw Error(refused).key(to_string(key));
  }
}

std::string names(const Keys& keys) {
  std::string text;
  for (const Path& k : keys) text += (text.empty() ? "" : ", ") + to_string(k);
  return '[' + text + ']';
}

// A failure of the module inside says which keys it worked on, and the shapes of what it read.
Error at_keys(const Error& cause, const Keys& in_keys, const std::vector<Entry>& inputs, const Keys& out_keys) {
  std::string shapes;
  for (const Entry& e : inputs)
    shapes += (shapes.empty() ? "" : ", ") + (e.is_tensor() ? to_string(e.tensor().sizes()) : std::string("no tensor"));
  return Error(cause)
      .message(cause.message() + " (in the module with in_keys " + names(in_keys) + " of shapes " + shapes +
               " and out_keys " + names(out_keys) + ')')
      .cause(cause.cause());
}

// One value that stands for the whole batch fits any: that of the node it will stand in.
void settle_data(const Node& result, PathView key, Entry& value) {
  if (!value.is_data() || value.data()->stacked()) return;
  Entry parent;
  PathView above = key;
  while (above.size() > 1 && !parent.is_node()) {
    above = above.parent();
    parent = result.get(above);
  }
  at::IntArrayRef batch = parent.is_node() ? parent.node()->batch_size() : result.batch_size();
  value = Data::uniform(value.data()->value(), batch);
}

// A dict that has every out-key stands for its values.
void spread_outputs(std::vector<Entry>& outputs, const Keys& keys) {
  if (outputs.size() != 1 || !outputs[0].is_node()) return;
  NodePtr node = outputs[0].node();
  if (!std::all_of(keys.begin(), keys.end(), [&](const Path& k) { return bool(node->look_at(k, Detail::kind)); }))
    return;
  outputs.clear();
  for (const Path& k : keys) outputs.push_back(node->get(k));
}

}  // namespace

TensorDictModule::TensorDictModule(ModulePtr inner, Keys in_keys, Keys out_keys, Options options)
    : KeyedModule(std::move(in_keys), std::move(out_keys)), options_(std::move(options)) {
  if (options_.inplace == Inplace::unchanged) options_.inplace = Inplace::no;
  if (!options_.argument_names.empty() && options_.argument_names.size() != this->in_keys().size())
    throw Error(Code::argument, std::to_string(options_.argument_names.size()) + " argument names were given for " +
                                    std::to_string(this->in_keys().size()) + " in-keys");
  add_child("module", std::move(inner));
}

void TensorDictModule::check_child(const Key& name, const Module* child) const {
  if (name.text() == "module" && !child) throw Error(Code::argument, "the module to wrap is missing").key("module");
}

Inputs TensorDictModule::read(const Node& data) const {
  Inputs inputs;
  for (size_t i = 0; i < in_keys().size(); ++i) {
    Entry e = data.get(in_keys()[i]);
    if (!e && options_.strict) {
      Keys there;
      data.visit([&](const Key& k, const Entry&) { there.emplace_back(std::vector<Key>{k}); });
      throw Error(Code::key, "key not found in TensorDict with keys " + names(there)).key(to_string(in_keys()[i]));
    }
    if (options_.argument_names.empty())
      inputs.positional.push_back(std::move(e));
    else
      inputs.named.emplace_back(options_.argument_names[i], std::move(e));
  }
  return inputs;
}

std::vector<Entry> TensorDictModule::outputs(State state, const Inputs& inputs) const {
  try {
    return state.module(0).values(state.child(0), inputs, out_keys_source().size());
  } catch (...) {
    Keys missing;
    for (size_t i = 0; i < inputs.positional.size(); ++i)
      if (!inputs.positional[i]) missing.push_back(in_keys()[i]);
    Error cause = current_error();
    if (missing.empty()) {
      std::vector<Entry> given = inputs.positional;
      for (const auto& named : inputs.named) given.push_back(named.second);
      throw at_keys(cause, in_keys(), given, out_keys_source());
    }
    throw Error(Code::key, "some inputs that are necessary for the module call may be missing from the dict: " +
                               names(missing) + "; the module said: " + cause.message())
        .key(to_string(missing[0]))
        .where(cause.where())
        .cause(std::make_shared<const Error>(cause));
  }
}

NodePtr TensorDictModule::result_for(const NodePtr& data, const Run& how) const {
  if (how.out) return how.out;
  if (options_.inplace == Inplace::yes) return data;
  return options_.inplace == Inplace::empty ? emptied(*data, false) : TensorDict::make({});
}

// The common case: tensors in, one tensor out, all keys written. Makes nothing but the tensor. False, and nothing has
// happened, if it is another case.
bool TensorDictModule::run_plain(State state, const NodePtr& data, const NodePtr& result) const {
  const Keys& keys = out_keys_source();
  const Module& inner = state.module(0);
  if (keys.size() != 1 || selected() || is_dropped(keys[0])) return false;
  if (!options_.argument_names.empty() || !inner.takes_plain_tensors()) return false;
  c10::SmallVector<at::Tensor, 4> inputs;
  for (const Path& k : in_keys()) {
    Entry e = data->get(k);
    if (!e.is_tensor()) return false;
    inputs.push_back(e.take_tensor());
  }
  at::Tensor output;
  try {
    inner.call_into(state.child(0), inputs, &output, 1);
  } catch (...) {
    throw at_keys(current_error(), in_keys(), {inputs.begin(), inputs.end()}, keys);
  }
  result->set(keys[0], std::move(output));
  return true;
}

NodePtr TensorDictModule::do_run(State state, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  NodePtr result = result_for(data, how);
  if (run_plain(state, data, result)) return result;
  std::vector<Entry> values = outputs(state, read(*data));
  spread_outputs(values, out_keys());
  const Keys& keys = out_keys_source();
  if (values.size() == out_keys().size() && selected() && values.size() < keys.size())
    throw Error(Code::argument, "a dict of outputs must have all out-keys of the module: " + names(keys));
  if (values.size() > keys.size())
    throw Error(Code::argument,
                "There are more tensors (" + std::to_string(values.size()) + ") than out_keys " + names(keys) + '.');
  if (values.size() < keys.size())
    throw Error(Code::argument,
                "There are more out_keys " + names(keys) + " than tensors (" + std::to_string(values.size()) + ").");

  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i] && !is_dropped(keys[i]))
      throw Error(Code::key, "the module returned an input that is missing from the dict").key(to_string(keys[i]));
  for (size_t i = 0; i < values.size(); ++i) settle_data(*result, keys[i], values[i]);
  if (values.size() > 1)
    for (size_t i = 0; i < values.size(); ++i)
      if (!is_dropped(keys[i])) check_fits(*result, keys[i], values[i]);
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_dropped(keys[i])) result->set(keys[i], std::move(values[i]));
  if (selected()) prune(*result);
  return result;
}

WrapModule::WrapModule(Function function, bool inplace, Keys in_keys, Keys out_keys)
    : KeyedModule(std::move(in_keys), std::move(out_keys)), function_(std::move(function)), inplace_(inplace) {}

NodePtr WrapModule::do_run(State, const NodePtr& data, const Run& how) const {
  if (how.skip_existing && !out_keys().empty() && skips(*data, how)) return data;
  NodePtr result = function_(data);
  NodePtr target = how.out ? how.out : inplace_ ? data : NodePtr();
  if (!target || target == result) return result;
  update(*target, *result, {});
  return target;
}

}  // namespace td
