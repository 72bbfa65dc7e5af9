// A part of Dict: device and dtype, gradients, parameters, states, locks, text.
#ifndef TENSORDICT_DICT_STATE_HPP
#define TENSORDICT_DICT_STATE_HPP

#include "part.hpp"

namespace tensordict {

// What text shows: `ReprFlag::shape | ReprFlag::dtype`.
enum class ReprFlag : std::uint64_t {
  batch_size = TD_REPR_BATCH_SIZE,
  device = TD_REPR_DEVICE,
  is_shared = TD_REPR_IS_SHARED,
  shape = TD_REPR_SHAPE,
  field_device = TD_REPR_FIELD_DEVICE,
  dtype = TD_REPR_DTYPE,
  field_is_shared = TD_REPR_FIELD_IS_SHARED,
  grad = TD_REPR_GRAD,
  is_contiguous = TD_REPR_IS_CONTIGUOUS,
  is_view = TD_REPR_IS_VIEW,
  storage_size = TD_REPR_STORAGE_SIZE,
  plain = TD_REPR_PLAIN,
  unsorted = TD_REPR_UNSORTED,
  compact = TD_REPR_COMPACT,
  standard = TD_REPR_DEFAULT,
  brief = TD_REPR_BRIEF,
};
constexpr ReprFlag operator|(ReprFlag a, ReprFlag b) noexcept {
  return static_cast<ReprFlag>(static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b));
}

struct BackwardOptions {
  bool retain_graph = false;
  bool create_graph = false;  // records the gradients too, for those of higher order
  bool allow_unused = false;  // autograd_grad leaves out what was not used
};

struct ParamsOptions {
  bool no_convert = false;  // tensors stay what they are
  bool lock = false;        // the dict is locked, and changes go through the parameters only
};

struct LoadStateOptions {
  bool strict = true;   // both must have the same entries
  bool assign = false;  // the tensors of the state replace those there are
};

template <class D>
class DictState : public detail::DictPart<D, DictState<D>> {
  using Part = detail::DictPart<D, DictState<D>>;
  using Part::done, Part::made, Part::self;

 public:
  // The device that entries are moved to, if there is one.
  std::optional<std::string> device() const { return detail::maybe(td_dict_device(self())); }
  // Forgets it, or takes the one that all tensors are on.
  D& clear_device_() { return done(td_dict_clear_device_); }
  D& auto_device_() { return done(td_dict_auto_device_); }
  // Another dtype for every tensor, another device for all.
  D to(DType dtype, std::string_view device = {}) const {
    return made(td_dict_to, detail::raw(dtype), detail::optional_str(device));
  }
  D to(std::string_view device) const { return to(DType::none, device); }
  D pin_memory() const { return made(td_dict_pin_memory); }
  // The dtype that all tensors have, else DType::none.
  DType dtype() const noexcept { return static_cast<DType>(td_dict_dtype(self())); }
  bool is_floating_point() const noexcept { return td_dict_is_floating_point(self()); }

  bool requires_grad() const noexcept { return td_dict_requires_grad(self()); }
  D& requires_grad_(bool on = true) { return done(td_dict_requires_grad_, detail::raw(on)); }
  D detach() const { return made(td_dict_detach); }
  D& detach_() { return done(td_dict_detach_); }
  // The collected gradients, if a leaf has one.
  std::optional<D> grad() const { return detail::maybe_made<D>(td_dict_grad, self()); }
  D& zero_grad(bool set_to_none = true) { return done(td_dict_zero_grad, detail::raw(set_to_none)); }
  // `gradient` may be nullptr for leaves of one element; with `inputs` gradients are added to its tensors only.
  void backward(const D* gradient = nullptr, bool retain_graph = false) const {
    BackwardOptions options;
    options.retain_graph = retain_graph;
    backward(gradient, nullptr, options);
  }
  void backward(const D* gradient, const D* inputs, const BackwardOptions& options) const {
    const td_backward_options raw = raw_of(options);
    detail::call(td_dict_backward, self(), raw_or_null(gradient), raw_or_null(inputs), &raw);
  }
  // The gradients for the tensors of `inputs`, added to none.
  D autograd_grad(const D& inputs, const D* gradient = nullptr, const BackwardOptions& options = {}) const {
    const td_backward_options raw = raw_of(options);
    return made(td_dict_autograd_grad, inputs.get(), raw_or_null(gradient), &raw);
  }

  // Parameters: leaves that require grad. The dict's own entries become them, too.
  D params(const ParamsOptions& options = {}) {
    td_params_options raw = TD_PARAMS_OPTIONS_INIT;
    raw.no_convert = options.no_convert;
    raw.lock = options.lock;
    return made(td_dict_params, &raw);
  }
  // The tensors that require grad, and the others, with their keys in the same order.
  std::pair<Keys, std::vector<Tensor>> parameters() const { return listed(td_dict_parameters); }
  std::pair<Keys, std::vector<Tensor>> buffers() const { return listed(td_dict_buffers); }
  // Elements and bytes of all tensors; a tensor under several keys counts once, unless duplicates count.
  std::int64_t param_count(bool count_duplicates = true) const noexcept {
    return td_dict_param_count(self(), detail::raw(count_duplicates));
  }
  std::int64_t param_bytes(bool count_duplicates = true) const noexcept {
    return td_dict_param_bytes(self(), detail::raw(count_duplicates));
  }
  // Scales all gradients so that their joint norm is at most `max_norm`; gives what it was.
  double clip_grad_norm_(double max_norm, double norm_type = 2, bool error_if_nonfinite = false) {
    return detail::got<double>(td_dict_clip_grad_norm_, self(), max_norm, norm_type, detail::raw(error_if_nonfinite));
  }
  D& clip_grad_value_(double value) { return done(td_dict_clip_grad_value_, value); }

  D state_dict() const { return made(td_dict_state_dict); }
  D& load_state_dict(const D& state, const LoadStateOptions& options = {}) {
    td_load_state_options raw = TD_LOAD_STATE_OPTIONS_INIT;
    raw.lenient = !options.strict;
    raw.assign = options.assign;
    return done(td_dict_load_state_dict, state.get(), &raw);
  }

  // Forbids structural changes here and below; values may still be written in place.
  D& lock() { return done(td_dict_lock_); }
  D& unlock() { return done(td_dict_unlock_); }
  bool is_locked() const noexcept { return td_dict_is_locked(self()); }
  // Moves the memory of all tensors to where processes that are forked from now on share it, and locks the dict.
  D& share_memory() { return done(td_dict_share_memory_); }
  bool is_shared() const noexcept { return td_dict_is_shared(self()); }

  // As Python prints it.
  std::string repr() const { return detail::text_of(td_dict_repr, self(), td_repr_flags{0}); }
  std::string repr(ReprFlag flags) const {
    return detail::text_of(td_dict_repr, self(), static_cast<std::uint64_t>(flags));
  }

 private:
  static td_dict* raw_or_null(const D* dict) noexcept { return dict ? dict->get() : nullptr; }
  static td_backward_options raw_of(const BackwardOptions& options) {
    td_backward_options raw = TD_BACKWARD_OPTIONS_INIT;
    raw.retain_graph = options.retain_graph;
    raw.create_graph = options.create_graph;
    raw.allow_unused = options.allow_unused;
    return raw;
  }
  template <class F>
  std::pair<Keys, std::vector<Tensor>> listed(F function) const {
    td_keys* keys = nullptr;
    td_tensor_list* tensors = nullptr;
    detail::call(function, self(), &keys, &tensors);
    Keys owned = Keys::adopt(keys);
    return {std::move(owned), TensorList::adopt(tensors).to_vector()};
  }
};

}  // namespace tensordict

#endif
