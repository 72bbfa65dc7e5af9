#include "core/nn/keyed_module.h"

#include <algorithm>

#include "core/dict/select.h"
#include "core/dict/tensordict.h"
#include "core/error.h"

namespace td {

namespace {

void check_count(const char* what, size_t expected, size_t got) {
  if (expected == got) return;
  throw Error(Code::argument,
              "the module has " + std::to_string(expected) + ' ' + what + ", got " + std::to_string(got));
}

std::string joined(const Path& key, const std::string& separator) {
  std::string text;
  for (const Key& k : key.keys()) text += (text.empty() ? "" : separator) + k.text();
  return text;
}

Entry value_of(const Node& data, const Path& key) {
  Entry e = data.get(key);
  if (!e)
    throw Error(Code::key, "the module has not written this out-key")
        .key(to_string(key))
        .hint("a member that was skipped writes nothing; \"_\" is never written");
  return e;
}

}  // namespace

bool has_key(const Keys& keys, PathView key) {
  return std::any_of(keys.begin(), keys.end(), [&](const Path& k) { return same(k, key); });
}

bool is_dropped(PathView key) {
  return key.size() == 1 && key[0].text == "_";
}

void KeyedModule::select_out_keys(Keys keys) {
  for (const Path& k : keys)
    if (!has_key(out_keys_, k))
      throw Error(Code::key, "cannot select an out-key that the module does not have").key(to_string(k));
  out_keys_ = std::move(keys);
  selected_ = true;
}

void KeyedModule::reset_out_keys() {
  out_keys_ = source_;
  selected_ = false;
}

void KeyedModule::replace_keys(Keys in_keys, Keys out_keys) {
  in_keys_ = std::move(in_keys);
  source_ = out_keys_ = std::move(out_keys);
  selected_ = false;
}

bool KeyedModule::skips(const Node& data, const Run& how) const {
  if (!how.skip_existing) return false;
  return std::all_of(out_keys_.begin(), out_keys_.end(),
                     [&](const Path& k) { return data.look_at(k, Detail::kind) && !has_key(in_keys_, k); });
}

Tensors KeyedModule::do_call(State state, TensorsView inputs, size_t n_outputs) const {
  check_count("inputs", in_keys_.size(), inputs.size());
  check_count("outputs", out_keys_.size(), n_outputs);
  NodePtr data = TensorDict::make({});
  for (size_t i = 0; i < inputs.size(); ++i) data->set(in_keys_[i], inputs[i]);
  Keys wanted = out_keys_;
  NodePtr result = run(state, data, {});
  Tensors outputs;
  for (const Path& key : wanted) outputs.push_back(result->tensor(key));
  return outputs;
}

std::vector<Entry> KeyedModule::dispatch(State state, const Inputs& arguments, const std::string& separator,
                                         const Run& how) const {
  NodePtr data = TensorDict::make({});
  size_t position = 0;
  std::vector<bool> used(arguments.named.size());
  for (const Path& key : in_keys_) {
    std::string name = joined(key, separator);
    auto named = std::find_if(arguments.named.begin(), arguments.named.end(),
                              [&](const auto& a) { return a.first == name && !used[&a - arguments.named.data()]; });
    bool by_name = named != arguments.named.end();
    Entry value;
    if (position < arguments.positional.size()) {
      if (by_name) throw Error(Code::argument, "Duplicated argument in args and kwargs.").key(to_string(key));
      value = arguments.positional[position++];
    } else if (by_name) {
      used[static_cast<size_t>(named - arguments.named.begin())] = true;
      value = named->second;
    }
    if (value) data->set(key, std::move(value));
  }
  if (position < arguments.positional.size())
    throw Error(Code::argument, "the module takes " + std::to_string(in_keys_.size()) + " arguments, got " +
                                    std::to_string(arguments.positional.size()));
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      throw Error(Code::argument, "no in-key has the name of the argument '" + arguments.named[i].first + "'");

  Keys wanted = out_keys_;
  NodePtr result = run(state, data, how);
  std::vector<Entry> outputs;
  for (const Path& key : wanted) outputs.push_back(value_of(*result, key));
  return outputs;
}

void KeyedModule::prune(Node& result) const {
  Keys kept = in_keys_, dropped;
  kept.insert(kept.end(), out_keys_.begin(), out_keys_.end());
  for (const Path& k : out_keys_source())
    if (!has_key(kept, k)) dropped.push_back(k);
  drop_keys(result, dropped, kept);
}

}  // namespace td
