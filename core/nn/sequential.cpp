#include "core/nn/sequential.h"

#include <algorithm>
#include <typeinfo>

#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/select.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/nn/containers.h"

namespace td {

namespace {

using Members = std::vector<ModulePtr>;

const KeyedModule& keyed_member(const Members& members, size_t i) {
  const KeyedModule* keyed = members[i] ? members[i]->keyed() : nullptr;
  if (!keyed)
    throw Error(Code::argument, "module " + std::to_string(i) + " has no keys")
        .hint_naming("wrap it with {module_tensordict}");
  return *keyed;
}

// The keys that are read before any member writes them, in the order of the first reader.
Keys all_in_keys(const Members& members) {
  Keys in, produced;
  for (size_t i = 0; i < members.size(); ++i) {
    const KeyedModule& m = keyed_member(members, i);
    for (const Path& k : m.in_keys())
      if (!has_key(produced, k) && !has_key(in, k)) in.push_back(k);
    produced.insert(produced.end(), m.out_keys().begin(), m.out_keys().end());
  }
  return in;
}

// What anybody produced, in the order of the last producer.
Keys all_out_keys(const Members& members) {
  Keys all, last;
  for (size_t i = 0; i < members.size(); ++i) {
    const Keys& keys = keyed_member(members, i).out_keys();
    all.insert(all.end(), keys.begin(), keys.end());
  }
  for (auto k = all.rbegin(); k != all.rend(); ++k)
    if (!has_key(last, *k)) last.push_back(*k);
  std::reverse(last.begin(), last.end());
  return last;
}

bool has_all(const Node& data, const Keys& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const Path& k) { return bool(data.look_at(k, Detail::kind)); });
}

}  // namespace

Sequential::Sequential(const Members& members, Options options)
    : KeyedModule(all_in_keys(members), all_out_keys(members)), options_(std::move(options)) {
  if (!options_.names.empty() && options_.names.size() != members.size())
    throw Error(Code::argument, std::to_string(options_.names.size()) + " names were given for " +
                                    std::to_string(members.size()) + " members");
  add_child("module", c10::make_intrusive<ModuleList>(members, options_.names));
  if (!options_.selected_out_keys.empty()) select_out_keys(options_.selected_out_keys);
}

void Sequential::check_child(const Key& name, const Module* child) const {
  if (name.text() != "module") return;
  const auto* list = dynamic_cast<const ModuleList*>(child);
  if (!list) throw Error(Code::argument, "a sequence keeps its members in a list").key("module");
  Members all;
  for (const Child& c : list->children()) all.push_back(c.module);
  for (size_t i = 0; i < all.size(); ++i) keyed_member(all, i);
  check_members(all);
}

const ModuleList& Sequential::list() const {
  return static_cast<const ModuleList&>(*children()[0].module);
}

// Callers with the list may have added members.
Members Sequential::members() const {
  Members out;
  for (const Child& c : list().children()) out.push_back(c.module);
  for (size_t i = 0; i < out.size(); ++i) keyed_member(out, i);
  return out;
}

std::vector<std::string> Sequential::names() const {
  std::vector<std::string> out;
  for (const Child& c : list().children())
    if (list().named()) out.push_back(c.name.text());
  return out;
}

void Sequential::refresh() {
  replace_keys(all_in_keys(members()), all_out_keys(members()));
}

void Sequential::set_member(size_t index, ModulePtr member) {
  Members all = members();
  if (index >= all.size()) throw Error(Code::index, "there is no member " + std::to_string(index));
  all[index] = member;
  keyed_member(all, index);
  if (member->contains(this)) throw Error(Code::argument, "a sequence cannot contain itself");
  check_members(all);
  children()[0].module->set_child(index, std::move(member));
  refresh();
}

void Sequential::erase_member(size_t index) {
  Members all = members();
  if (index >= all.size()) throw Error(Code::index, "there is no member " + std::to_string(index));
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
  check_members(all);
  if (list().named()) {
    children()[0].module->erase_child(index);
  } else {  // the numbers close up
    set_child(0, c10::make_intrusive<ModuleList>(all));
  }
  refresh();
}

ModulePtr Sequential::slice(int64_t start, int64_t stop, int64_t step) const {
  Members all = members(), chosen;
  Options options;
  std::vector<std::string> all_names = names();
  auto n = static_cast<int64_t>(all.size());
  if (step == 0) throw Error(Code::argument, "the step of a slice must not be 0");
  const int64_t most = std::max<int64_t>(n, 1);  // a longer step takes the same, and cannot overflow
  step = std::min(std::max(step, -most), most);
  auto clamp = [&](int64_t i) {
    if (i < 0) i += n;
    return std::min(std::max<int64_t>(i, step > 0 ? 0 : -1), step > 0 ? n : n - 1);
  };
  start = clamp(start);
  stop = clamp(stop);
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    chosen.push_back(all[static_cast<size_t>(i)]);
    if (!all_names.empty()) options.names.push_back(all_names[static_cast<size_t>(i)]);
  }
  return of_members(chosen, std::move(options), Part::slice);
}

ModulePtr Sequential::of_members(const Members& members, Options options, Part) const {
  return c10::make_intrusive<Sequential>(members, std::move(options));
}

// ---- Selection ------------------------------------------------------------------------------------------------------

void Sequential::select_out_keys(Keys keys) {
  for (const Path& k : keys)
    if (!has_key(out_keys(), k))
      throw Error(Code::key, "All keys in selected_out_keys must be in out_keys.").key(to_string(k));
  KeyedModule::select_out_keys(std::move(keys));
  narrowed_ = true;
}

void Sequential::reset_out_keys() {
  KeyedModule::reset_out_keys();
}

// ---- Running --------------------------------------------------------------------------------------------------------

namespace {

// Of a lazy stack: what a member makes of one dict, which keeps it.
void run_part(State list, size_t index, const NodePtr& part, const Run& how) {
  const Module& member = list.module(index);
  NodePtr made = member.run(list.child(index), part, how);
  if (made == part) return;
  UpdateOptions outputs;
  outputs.keys = Keys();
  for (const Path& k : member.keyed()->out_keys())
    if (made->look_at(k, Detail::kind)) outputs.keys->push_back(k);
  update(*part, *made, outputs);
}

}  // namespace

NodePtr Sequential::run_member(State state, size_t index, const NodePtr& data, const Run& how) const {
  State list = state.child(0);
  const Module& member = list.module(index);
  try {
    if (!options_.partial_tolerant) return member.run(list.child(index), data, how);
    if (!member.keyed())
      throw Error(Code::argument, "the module has no keys").hint_naming("wrap it with {module_tensordict}");
    const Keys& needed = member.keyed()->in_keys();
    if (has_all(*data, needed)) return member.run(list.child(index), data, how);
    data->each_member([&](const NodePtr& part, size_t) {
      if (has_all(*part, needed)) run_part(list, index, part, how);
    });
    return data;
  } catch (...) {
    Error e = current_error();
    const std::string& key = list.layout().children[index].name.text();
    std::string name = this->list().named() ? '\'' + key + '\'' : key;
    throw e.message("module " + name + ": " + e.message());
  }
}

NodePtr Sequential::run_members(State state, NodePtr data, const Run& how) const {
  Run each = how;
  each.requires_sample = true;
  for (size_t i = 0; i < state.child(0).child_count(); ++i) data = run_member(state, i, data, each);
  return data;
}

NodePtr Sequential::inplace_target(const NodePtr& data) const {
  switch (options_.inplace) {
    case Inplace::yes:
      return data;
    case Inplace::no:
      return TensorDict::make({});
    case Inplace::empty:
      return emptied(*data, false);
    default:
      return {};
  }
}

NodePtr Sequential::target(const NodePtr& data, const NodePtr& given) const {
  return given ? given : inplace_target(data);
}

NodePtr Sequential::do_run(State state, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  Run inner = how;
  inner.out = NodePtr();
  if (!how.out && !narrowed_ && options_.inplace == Inplace::unchanged) return run_members(state, data, inner);

  bool apart = how.out || narrowed_ || options_.inplace == Inplace::no || options_.inplace == Inplace::empty;
  NodePtr result = run_members(state, apart ? shallow_copy(*data) : data, inner);
  UpdateOptions outputs;
  outputs.keys = out_keys();
  NodePtr into = target(data, how.out);
  if (!into) {  // members may have overwritten inputs
    into = data;
    Keys own = leaf_paths(*data);
    outputs.keys->insert(outputs.keys->end(), own.begin(), own.end());
  }
  if (into != result) update(*into, *result, outputs);
  return into;
}

// ---- Subsequences ---------------------------------------------------------------------------------------------------

namespace {

bool is_sequence(const ModulePtr& m) {
  return typeid(*m) == typeid(Sequential);
}

// A nested sequence in place of one, narrowed; null if nothing of it is left.
ModulePtr narrowed(const ModulePtr& m, const optional<Keys>& in, const optional<Keys>& out) {
  try {
    return static_cast<const Sequential&>(*m).select_subsequence(in, out);
  } catch (const Error&) {
    return {};
  }
}

void append(Keys& to, const Keys& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// Forwards: what can run with the inputs there are. Backwards: what anything wanted depends on. A key is wanted for
// good, so that all its producers stay.
std::vector<size_t> Sequential::subsequence(Keys in, Keys out, Members& members) const {
  std::vector<size_t> kept, wanted;
  for (size_t i = 0; i < members.size(); ++i) {
    if (is_sequence(members[i])) {
      ModulePtr part = narrowed(members[i], in, nullopt);
      if (!part) continue;
      members[i] = part;
    }
    const Keys& needed = members[i]->keyed()->in_keys();
    if (!std::all_of(needed.begin(), needed.end(), [&](const Path& k) { return has_key(in, k); })) continue;
    append(in, members[i]->keyed()->out_keys());
    kept.push_back(i);
  }
  for (auto i = kept.rbegin(); i != kept.rend(); ++i) {
    const Keys& made = members[*i]->keyed()->out_keys();
    if (!std::any_of(made.begin(), made.end(), [&](const Path& k) { return has_key(out, k); })) continue;
    if (is_sequence(members[*i])) members[*i] = narrowed(members[*i], nullopt, out);
    append(out, members[*i]->keyed()->in_keys());
    wanted.insert(wanted.begin(), *i);
  }
  return wanted;
}

ModulePtr Sequential::select_subsequence(const optional<Keys>& in, const optional<Keys>& out) const {
  Members all = members(), chosen;
  Options options;
  std::vector<std::string> all_names = names();
  for (size_t i : subsequence(in ? *in : in_keys(), out ? *out : out_keys(), all)) {
    chosen.push_back(all[i]);
    if (!all_names.empty()) options.names.push_back(all_names[i]);
  }
  if (chosen.empty())
    throw Error(Code::argument, "No modules left after selection. Make sure that in_keys and out_keys are coherent.");
  return of_members(chosen, std::move(options), Part::subsequence);
}

}  // namespace td
