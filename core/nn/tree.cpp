#include "core/nn/tree.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace td {

namespace {

ModulePtr pointer_to(const Module& m) {
  auto& object = const_cast<Module&>(m);
  c10::raw::intrusive_ptr::incref(static_cast<c10::intrusive_ptr_target*>(&object));
  return ModulePtr::reclaim(&object);
}

const Module::Child* child_named(const Module& m, const Key& name) {
  for (const Module::Child& c : m.children())
    if (c.name.view() == name.view()) return &c;
  return nullptr;
}

void list_modules(const Module& m, const Path& name, bool dedup, std::set<const Module*>& seen,
                  std::vector<NamedModule>& out) {
  if (!seen.insert(&m).second && dedup) return;
  out.push_back({name, pointer_to(m)});
  for (const Module::Child& c : m.children())
    if (c.module) list_modules(*c.module, name + c.name, dedup, seen, out);
}

void list_apply_order(const Module& m, std::vector<ModulePtr>& out) {
  for (const NamedModule& c : named_children(m)) list_apply_order(*c.module, out);
  out.push_back(pointer_to(m));
}

[[noreturn]] void no_member(const Module& at, const Path& path, const std::string& what) {
  throw Error(Code::key, at.type_name() + " has no " + what).key(to_string(path));
}

}  // namespace

Path joined_path(const Path& a, const Path& b) {
  Path::Keys keys = a.keys();
  keys.insert(keys.end(), b.keys().begin(), b.keys().end());
  return Path(keys);
}

std::vector<NamedModule> named_modules(const Module& root, const ListOptions& options) {
  std::vector<NamedModule> out;
  std::set<const Module*> seen;
  list_modules(root, options.prefix, options.remove_duplicate, seen, out);
  return out;
}

std::vector<NamedModule> named_children(const Module& root) {
  std::vector<NamedModule> out;
  std::set<const Module*> seen;
  for (const Module::Child& c : root.children())
    if (c.module && seen.insert(c.module.get()).second) out.push_back({Path(std::vector<Key>{c.name}), c.module});
  return out;
}

std::vector<ModulePtr> apply_order(const Module& root) {
  std::vector<ModulePtr> out;
  list_apply_order(root, out);
  return out;
}

std::vector<NamedTensor> named_tensors(const Module& root, Role role, const ListOptions& options) {
  std::vector<NamedModule> modules;
  if (options.recurse)
    modules = named_modules(root, options);
  else
    modules.push_back({options.prefix, pointer_to(root)});
  std::vector<NamedTensor> out;
  std::set<const at::TensorImpl*> seen;
  for (const NamedModule& m : modules)
    for (const Module::Held& t : m.module->tensors()) {
      if (t.role != role || !t.value.defined()) continue;
      if (!seen.insert(t.value.unsafeGetTensorImpl()).second && options.remove_duplicate) continue;
      out.push_back({joined_path(m.name, t.name), t.value});
    }
  return out;
}

ModulePtr find_module(const Module& root, const Path& name) {
  ModulePtr at = pointer_to(root);
  for (const Key& k : name.keys()) {
    const Module::Child* c = child_named(*at, k);
    if (!c || !c->module) return {};
    at = ModulePtr(c->module);
  }
  return at;
}

TensorPlace find_tensor(const Module& root, const Path& name) {
  auto* at = const_cast<Module*>(&root);
  for (size_t depth = 0; depth < name.size(); ++depth) {
    PathView rest(name.view().begin() + depth, name.size() - depth);
    for (size_t i = 0; i < at->tensors().size(); ++i)
      if (same(at->tensors()[i].name, rest)) return {at, i};
    const Module::Child* c = child_named(*at, name.keys()[depth]);
    if (!c || !c->module) return {};
    at = c->module.get();
  }
  return {};
}

TensorPlace tensor_at(const Module& root, Role role, const Path& name) {
  TensorPlace place = find_tensor(root, name);
  const char* what = role == Role::parameter ? "parameter" : "buffer";
  if (!place.module) no_member(root, name, std::string(what) + " of this name");
  if (place.role() != role) throw Error(Code::key, std::string("this is not a ") + what).key(to_string(name));
  return place;
}

ModulePtr module_at(const Module& root, const Path& name) {
  ModulePtr at = pointer_to(root);
  for (size_t i = 0; i < name.size(); ++i) {
    const Module::Child* c = child_named(*at, name.keys()[i]);
    if (!c) {
      bool tensor = find_tensor(*at, Path(std::vector<Key>{name.keys()[i]})).module != nullptr;
      if (tensor) throw Error(Code::key, '"' + name.keys()[i].text() + "\" is not a module").key(to_string(name));
      no_member(*at, name, "member \"" + name.keys()[i].text() + '"');
    }
    if (!c->module) throw Error(Code::key, "there is no module under this name").key(to_string(name));
    at = ModulePtr(c->module);
  }
  return at;
}

void set_submodule(Module& root, const Path& name, ModulePtr module) {
  if (name.size() == 0) throw Error(Code::argument, "Cannot set the submodule without a target name!");
  Path::Keys keys = name.keys();
  Key last = keys.back();
  keys.pop_back();
  ModulePtr owner = module_at(root, Path(keys));
  for (size_t i = 0; i < owner->children().size(); ++i)
    if (owner->children()[i].name.view() == last.view()) return owner->set_child(i, std::move(module));
  owner->register_child(last, std::move(module));
}

}  // namespace td
