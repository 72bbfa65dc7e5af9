// A part of Module: parameters, state dicts, training mode, the tree of modules.
#ifndef TENSORDICT_MODULE_STATE_HPP
#define TENSORDICT_MODULE_STATE_HPP

#include "../scope.hpp"
#include "function.hpp"

namespace tensordict {

struct ListOptions {
  std::optional<Key> prefix = std::nullopt;  // goes before every name
  bool recurse = true;                       // what is below, too
  bool remove_duplicate = true;              // what stands under several names is listed under the first
};

// Which modules a visit reaches, and in which order.
enum class VisitOrder : td_visit_order {
  modules = TD_VISIT_MODULES,    // all of them, each before what is below it
  children = TD_VISIT_CHILDREN,  // the direct children
  apply = TD_VISIT_APPLY,        // all of them, each after what is below it
};

struct LoadOptions {
  bool strict = true;   // names must be those of the module
  bool assign = false;  // the given tensors take the places of the module's own
};

// The names that were missing, and those that were not expected.
struct Loaded {
  Keys missing, unexpected;
};

namespace detail {

// D is Module, P the part.
template <class D, class P>
class ModulePart {
 protected:
  td_module* self() const noexcept { return static_cast<const D*>(static_cast<const P*>(this))->get(); }
  template <class F, class... A>
  D& done(F function, A... arguments) {
    detail::call(function, self(), arguments...);
    return *static_cast<D*>(static_cast<P*>(this));
  }
};

template <class D, class F>
td_status visit_module(void* userdata, const td_key* name, td_module* module, td_error** err) noexcept {
  return guard(err, [&] {
    D borrowed = D::borrow(module);
    (*static_cast<F*>(userdata))(Key::copy_of(*name), borrowed);
  });
}

}  // namespace detail

template <class D>
class ModuleState : public detail::ModulePart<D, ModuleState<D>> {
  using Part = detail::ModulePart<D, ModuleState<D>>;
  using Part::done, Part::self;
  using Key_ = detail::KeyArgument;

 public:
  // Parameters and buffers with their names, each module's own before those below it.
  std::pair<Keys, std::vector<Tensor>> parameters(const ListOptions& options = {}) const {
    return listed(td_module_parameters, options);
  }
  std::pair<Keys, std::vector<Tensor>> buffers(const ListOptions& options = {}) const {
    return listed(td_module_buffers, options);
  }
  // `function(const Key& name, Module& module)`, for each module there is now; the module itself has a name without parts.
  template <class F>
  void visit(F function, VisitOrder order = VisitOrder::modules, const ListOptions& options = {}) {
    const RawList raw(options);
    detail::call(td_module_visit, self(), static_cast<td_visit_order>(order), raw.get(), detail::visit_module<D, F>,
                 static_cast<void*>(&function));
  }

  Tensor get_parameter(const KeyView& name) const {
    return detail::made<Tensor>(td_module_get_parameter, self(), Key_(name));
  }
  Tensor get_buffer(const KeyView& name) const {
    return detail::made<Tensor>(td_module_get_buffer, self(), Key_(name));
  }
  D get_submodule(const KeyView& name) const { return detail::made<D>(td_module_get_submodule, self(), Key_(name)); }
  // In place of what is there; nullptr for none.
  D& set_parameter(const KeyView& name, const Tensor* value) {
    return done(td_module_set_parameter, Key_(name), raw_of(value));
  }
  D& set_buffer(const KeyView& name, const Tensor* value) {
    return done(td_module_set_buffer, Key_(name), raw_of(value));
  }
  D& set_submodule(const KeyView& name, const D& module) {
    return done(td_module_set_submodule, Key_(name), module.get());
  }
  // New members; nullptr for a name that holds nothing yet.
  D& register_parameter(std::string_view name, const Tensor* value) {
    return done(td_module_register_parameter, detail::str(name), raw_of(value));
  }
  D& register_buffer(std::string_view name, const Tensor* value, bool persistent = true) {
    return done(td_module_register_buffer, detail::str(name), raw_of(value), detail::raw(persistent));
  }
  D& register_module(std::string_view name, const D* module) {
    return done(td_module_register_module, detail::str(name), module ? module->get() : nullptr);
  }

  D& train(bool training = true) { return done(td_module_train, detail::raw(training)); }
  D& eval() { return train(false); }
  bool is_training() const noexcept { return td_module_is_training(self()); }
  bool has_keys() const noexcept { return td_module_has_keys(self()); }
  std::string repr() const { return detail::text_of(td_module_repr, self()); }
  // The id of its plugin type, "td.mlp", or the name that repr shows; and the config that it was made with, as JSON.
  std::string type_name() const { return detail::text_of(td_module_type_name, self()); }
  std::string config() const { return detail::text_of(td_module_config, self()); }

  D& requires_grad_(bool on = true) { return done(td_module_requires_grad_, detail::raw(on)); }
  D& zero_grad(bool set_to_none = true) { return done(td_module_zero_grad, detail::raw(set_to_none)); }
  // Casts floating-point and complex tensors, or moves all; to_type casts integers, too.
  D& to(DType dtype, std::string_view device = {}) {
    return done(td_module_to, detail::raw(dtype), detail::optional_str(device));
  }
  D& to_type(DType dtype) { return done(td_module_to_type, detail::raw(dtype)); }
  // New tensors of the same shapes, whose values are not set: for a module on "meta".
  D& to_empty(std::string_view device) { return done(td_module_to_empty, detail::str(device)); }
  D& share_memory() { return done(td_module_share_memory); }

  // Draws all parameters anew; gives how many modules had any. Or draws into the tensors of `params`, and gives them as leaves.
  std::size_t reset_parameters(WithGenerator generator = {}) {
    std::size_t n = 0;
    detail::call(td_module_reset_parameters, self(), nullptr, generator.get(), nullptr, &n);
    return n;
  }
  Dict reset_parameters(const Dict& params, WithGenerator generator = {}) {
    td_dict* out = nullptr;
    detail::call(td_module_reset_parameters, self(), params.get(), generator.get(), &out, nullptr);
    return Dict::adopt(out);
  }

  // A flat dict of dotted names, `prefix` before each; detached, unless `keep_vars`.
  Dict state_dict(std::string_view prefix = {}, bool keep_vars = false) const {
    return detail::made<Dict>(td_module_state_dict, self(), detail::optional_str(prefix), detail::raw(keep_vars));
  }
  Loaded load_state_dict(const Dict& state, const LoadOptions& options = {}) {
    td_load_options raw = TD_LOAD_OPTIONS_INIT;
    raw.lenient = !options.strict;
    raw.assign = options.assign;
    td_keys *missing = nullptr, *unexpected = nullptr;
    detail::call(td_module_load_state_dict, self(), state.get(), &raw, &missing, &unexpected);
    Keys owned = Keys::adopt(missing);
    return Loaded{std::move(owned), Keys::adopt(unexpected)};
  }
  // The tensors of `params` in the places of the module's own, until the scope ends or goes.
  Scope swap(Dict& params, bool preserve_module_state = false) {
    return detail::made<Scope>(td_module_swap, self(), params.get(), detail::raw(preserve_module_state));
  }

 private:
  class RawList {
   public:
    explicit RawList(const ListOptions& options) : prefix_(options.prefix) {
      raw_.prefix = prefix_.get();
      raw_.shallow = !options.recurse;
      raw_.keep_duplicates = !options.remove_duplicate;
    }
    RawList(const RawList&) = delete;
    const td_list_options* get() const noexcept { return &raw_; }

   private:
    detail::OptionalKey prefix_;
    td_list_options raw_ = TD_LIST_OPTIONS_INIT;
  };

  static td_tensor* raw_of(const Tensor* tensor) noexcept { return tensor ? tensor->get() : nullptr; }
  template <class F>
  std::pair<Keys, std::vector<Tensor>> listed(F function, const ListOptions& options) const {
    const RawList raw(options);
    td_keys* keys = nullptr;
    td_tensor_list* tensors = nullptr;
    detail::call(function, self(), raw.get(), &keys, &tensors);
    Keys owned = Keys::adopt(keys);
    return {std::move(owned), TensorList::adopt(tensors).to_vector()};
  }
};

}  // namespace tensordict

#endif
