#include "core/nn/module.h"

#include <algorithm>
#include <unordered_map>

#include "core/dict/copy.h"
#include "core/error.h"
#include "core/levels.h"
#include "core/nn/hooks.h"

namespace td {

namespace {

// Counts the changes of modules for which a layout exists; a layout is valid as long as the count stays the same.
std::atomic<uint64_t> change_epoch{1};

void check_part(const std::string& part, const std::string& name) {
  if (part.empty()) throw Error(Code::argument, "the name is empty or has an empty part").key(name);
  check_utf8(part, "the name of a member");
}

}  // namespace

bool starts_with(PathView path, PathView prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

Module::Module() : hooks_(std::make_unique<Hooks>()) {}
Module::~Module() = default;

// ---- Members --------------------------------------------------------------------------------------------------------

void Module::train(bool training) {
  training_ = training;
  for (Child& c : children_)
    if (c.module) c.module->train(training);
}

bool Module::contains(const Module* other) const {
  if (this == other) return true;
  return std::any_of(children_.begin(), children_.end(),
                     [&](const Child& c) { return c.module && c.module->contains(other); });
}

LayoutPtr Module::known_layout() const {
  std::lock_guard<std::mutex> hold(layout_mutex_);
  return layout_;
}

void Module::changed() {
  if (known_layout()) ++change_epoch;
}

bool Module::is_free(const Path& name) const {
  auto clash = [&](PathView other) { return starts_with(name, other) || starts_with(other, name); };
  return std::none_of(tensors_.begin(), tensors_.end(), [&](const Held& t) { return clash(t.name); }) &&
         std::none_of(children_.begin(), children_.end(),
                      [&](const Child& c) { return name.keys()[0].view() == c.name.view(); });
}

void Module::check_free(const Path& name, Code code) const {
  if (!is_free(name)) throw Error(code, "the name is in use, or is part of a name in use").key(to_string(name));
}

void Module::add_tensor(Role role, const Path& name, at::Tensor tensor) {
  if (name.size() == 0) throw Error(Code::argument, "the name of a parameter is empty");
  for (const Key& k : name.keys()) check_part(k.text(), to_string(name));
  check_free(name, Code::argument);
  tensors_.push_back({name, role, true, std::move(tensor)});
  changed();
}

using Heights = std::unordered_map<const Module*, size_t>;  // a module may stand at many places

static size_t height_of(const Module& module, Heights& known) {
  auto found = known.find(&module);
  if (found != known.end()) return found->second;
  size_t below = 0;
  for (const Module::Child& c : module.children())
    if (c.module) below = std::max(below, height_of(*c.module, known));
  return known[&module] = below + 1;
}

// Records the depth here, because a later addition to this module cannot see its parents.
void Module::sink(size_t level) {
  if (level_ >= level) return;
  level_ = level;
  for (const Child& c : children_)
    if (c.module) c.module->sink(level + 1);
}

void Module::take_in(const Key& name, Module& child) {
  if (child.contains(this)) throw Error(Code::argument, "a module cannot contain itself").key(name.text());
  Heights known;
  size_t levels = level_ + 1 + height_of(child, known);
  if (levels > max_levels)
    throw Error(Code::argument, "the modules would be nested " + std::to_string(levels) +
                                    " levels deep; the limit is " + std::to_string(max_levels))
        .key(name.text());
  child.sink(level_ + 1);
}

void Module::add_child(const Key& name, ModulePtr child) {
  check_part(name.text(), name.text());
  check_free(Path(std::vector<Key>{name}), Code::exists);
  if (child) take_in(name, *child);
  children_.push_back({name, std::move(child)});
  changed();
}

static void check_no_dot(const Path& name, const char* what) {
  for (const Key& k : name.keys()) {
    if (k.text().find('.') != std::string::npos)
      throw Error(Code::argument, std::string(what) + " name can't contain \".\"").key(to_string(name));
    if (k.text().empty())
      throw Error(Code::argument, std::string(what) + " name can't be empty string \"\"").key(to_string(name));
  }
}

void Module::register_tensor(Role role, const Path& name, at::Tensor tensor, bool persistent) {
  check_no_dot(name, role == Role::parameter ? "parameter" : "buffer");
  if (role == Role::parameter && tensor.defined() && tensor.grad_fn())
    throw Error(Code::argument, "cannot make a parameter of a tensor that is computed from others")
        .key(to_string(name))
        .hint("detach it first");
  if (role == Role::parameter && tensor.defined() && !tensor.requires_grad()) {
    if (!tensor.is_floating_point() && !tensor.is_complex())
      throw Error(Code::dtype, "only floating-point and complex tensors can be parameters")
          .key(to_string(name))
          .hint("register it as a buffer");
    tensor = tensor.detach().requires_grad_();
  }
  check_free(name, Code::exists);
  add_tensor(role, name, std::move(tensor));
  tensors_.back().persistent = persistent;
}

void Module::register_child(const Key& name, ModulePtr child) {
  check_no_dot(Path(std::vector<Key>{name}), "module");
  check_child(name, child.get());
  add_child(name, std::move(child));
}

void Module::check_child(const Key&, const Module*) const {}

void Module::set_tensor(size_t index, at::Tensor value) {
  tensors_[index].value = std::move(value);
  changed();
}

void Module::set_child(size_t index, ModulePtr child) {
  check_child(children_[index].name, child.get());
  if (child) take_in(children_[index].name, *child);
  children_[index].module = std::move(child);
  changed();
}

void Module::erase_child(size_t index) {
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
  changed();
}

namespace {

size_t count_given(const Node& node) {
  size_t n = 0;
  node.visit([&](const Key&, const Entry& e) { n += e.is_node() ? count_given(*e.node()) : e.is_tensor(); });
  return n;
}

struct Place {
  const Module* module;
  size_t offset, size;
};

void collect_places(const Layout& layout, size_t offset, std::vector<Place>& out) {
  for (const Layout::Child& c : layout.children) {
    out.push_back({c.module.get(), offset + c.offset, c.layout->slots.size()});
    collect_places(*c.layout, offset + c.offset, out);
  }
}

// A module that stands at several places has one state: what the first of them that is given anything gets.
void repeat_shared(const Layout& layout, const std::vector<bool>& given, Tensors& state) {
  std::vector<Place> places;
  collect_places(layout, 0, places);
  for (size_t i = 0; i < places.size(); ++i) {
    auto is_same = [&](const Place& p) { return p.module == places[i].module; };
    auto touched = [&](const Place& p) {
      auto from = given.begin() + static_cast<std::ptrdiff_t>(p.offset);
      return is_same(p) && std::find(from, from + static_cast<std::ptrdiff_t>(p.size), true) !=
                               from + static_cast<std::ptrdiff_t>(p.size);
    };
    auto source = std::find_if(places.begin(), places.end(), touched);
    if (source == places.end() || source->offset == places[i].offset) continue;
    for (size_t j = 0; j < places[i].size; ++j) state[places[i].offset + j] = state[source->offset + j];
  }
}

bool has_repeats(const Layout& layout) {
  std::vector<Place> places;
  collect_places(layout, 0, places);
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (places[i].module == places[j].module) return true;
  return false;
}

}  // namespace

// ---- Layout ---------------------------------------------------------------------------------------------------------

// Two threads may build it at once: both get the same.
LayoutPtr Module::layout() const {
  uint64_t epoch = change_epoch;
  LayoutPtr known = known_layout();
  if (known && known->epoch == epoch) return known;
  auto made = std::make_shared<Layout>();
  made->epoch = epoch;
  for (const Held& t : tensors_) {
    made->slots.push_back({t.name, t.role, t.persistent});
    made->tensors.push_back(t.value);
  }
  for (const Child& c : children_) {
    if (!c.module) continue;
    LayoutPtr below = c.module->layout();
    made->children.push_back({c.name, c.module, below, made->slots.size()});
    for (const Layout::Slot& s : below->slots) {
      std::vector<Key> keys{c.name};
      keys.insert(keys.end(), s.name.keys().begin(), s.name.keys().end());
      made->slots.push_back({Path(std::move(keys)), s.role, s.persistent});
    }
    made->tensors.insert(made->tensors.end(), below->tensors.begin(), below->tensors.end());
  }
  made->repeats = has_repeats(*made);
  known = made;  // what was there ends outside of the lock
  std::lock_guard<std::mutex> hold(layout_mutex_);
  layout_.swap(known);
  return made;
}

Tensors state_with(const Layout& layout, const Node& given) {
  return state_with(layout, given, [](const at::Tensor& t) { return t; });
}

Tensors state_with(const Layout& layout, const Node& given, Adapter as) {
  Tensors state = layout.tensors;
  std::vector<bool> given_here(layout.repeats ? layout.slots.size() : 0);
  size_t used = 0;
  for (size_t i = 0; i < layout.slots.size(); ++i) {
    Entry e = given.get(layout.slots[i].name);
    if (!e.is_tensor()) continue;
    state[i] = as(e.tensor());
    if (layout.repeats) given_here[i] = true;
    ++used;
  }
  if (count_given(given) != used) {
    for (const Path& path : leaf_paths(given)) {
      bool known = std::any_of(layout.slots.begin(), layout.slots.end(),
                               [&](const Layout::Slot& s) { return same(s.name, path); });
      if (!known) throw Error(Code::key, "the module has no such parameter or buffer").key(to_string(path));
    }
    throw Error(Code::internal, "the state has more leaves than keys");
  }
  if (layout.repeats) repeat_shared(layout, given_here, state);
  return state;
}

}  // namespace td
