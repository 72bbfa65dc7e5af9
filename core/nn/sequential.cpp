#include "core/nn/sequential.h"

#include <algorithm>

#include "core/error.h"

namespace td {

namespace {

using Keys = std::vector<Path>;
using Members = std::vector<const KeyedModule*>;

Members keyed(const std::vector<ModulePtr>& modules) {
  Members members;
  for (size_t i = 0; i < modules.size(); ++i) {
    members.push_back(dynamic_cast<const KeyedModule*>(modules[i].get()));
    if (!members.back())
      throw Error(Code::argument, "module " + std::to_string(i) + " has no keys")
          .hint("give it some with td_module_tensordict");
  }
  return members;
}

bool has(const Keys& keys, const Path& key) {
  return std::any_of(keys.begin(), keys.end(), [&](const Path& k) { return same(k, key); });
}

// What nobody produced before it was read, in the order of the first reader.
Keys all_in_keys(const Members& members) {
  Keys in, produced;
  for (const KeyedModule* m : members) {
    for (const Path& k : m->in_keys())
      if (!has(produced, k) && !has(in, k)) in.push_back(k);
    produced.insert(produced.end(), m->out_keys().begin(), m->out_keys().end());
  }
  return in;
}

// What anybody produced, in the order of the last producer.
Keys all_out_keys(const Members& members) {
  Keys all, last;
  for (const KeyedModule* m : members) all.insert(all.end(), m->out_keys().begin(), m->out_keys().end());
  for (auto k = all.rbegin(); k != all.rend(); ++k)
    if (!has(last, *k)) last.push_back(*k);
  std::reverse(last.begin(), last.end());
  return last;
}

}  // namespace

Sequential::Sequential(const std::vector<ModulePtr>& members)
    : KeyedModule(all_in_keys(keyed(members)), all_out_keys(keyed(members))) {
  for (size_t i = 0; i < members.size(); ++i) add_child({"module", std::to_string(i).c_str()}, members[i]);
}

void Sequential::forward(State state, Node& data) const {
  for (size_t i = 0; i < child_count(); ++i) {
    try {
      child(i).forward(child_state(state, i), data);
    } catch (...) {
      Error e = current_error();
      throw Error(e.code(), "module " + std::to_string(i) + ": " + e.message())
          .key(e.key())
          .where(e.where())
          .hint(e.hint())
          .cause(e.cause());
    }
  }
}

}  // namespace td
