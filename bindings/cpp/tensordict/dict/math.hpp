// A part of Dict: operators, reductions, and functions over leaves.
//
//     Dict scaled = td * 2 + other;             // matched by key and by batch dims
//     Dict mean = td.reduce("mean", {{-1}});    // over the last batch dim
//     Dict doubled = td.map([](const Key&, const Tensor& x) { return x * 2; });
#ifndef TENSORDICT_DICT_MATH_HPP
#define TENSORDICT_DICT_MATH_HPP

#include "../op.hpp"
#include "part.hpp"

namespace tensordict {

// What pointwise does with leaves that not every dict has.
enum class Missing : td_missing {
  error = TD_MISSING_ERROR,
  skip = TD_MISSING_SKIP,  // the result lacks them, too
  fill = TD_MISSING_FILL,  // `fill` stands for them
};

struct PointwiseOptions {
  Missing missing = Missing::error;
  Value fill = std::nullopt;  // a number, or a tensor without dims
};

struct ReduceOptions {
  Shape dims = {};       // batch dims; none: every leaf becomes one number
  bool keepdim = false;  // the dims stay, with size 1
  bool feature = false;  // instead of dims: what a leaf has beyond the batch dims becomes one number
};

template <class D>
class DictMath : public detail::DictPart<D, DictMath<D>> {
  using Part = detail::DictPart<D, DictMath<D>>;
  using Part::done, Part::made, Part::self;

 public:
  // Calls the operator for each leaf, with this dict first: `td.pointwise("lerp", other, 0.5)`. One in place ("add_") writes
  // the leaves of this dict, and gives a dict that shares them.
  template <class... A>
  D pointwise(std::string_view op, const A&... operands) const {
    return pointwise(Op(op), Arguments::of(*static_cast<const D*>(this), operands...), {});
  }
  template <class... A>
  D pointwise(const Op& op, const A&... operands) const {
    return pointwise(op, Arguments::of(*static_cast<const D*>(this), operands...), {});
  }
  // The arguments are all operands, in the order of the operator's schema, with a dict among them.
  static D pointwise(const Op& op, const Arguments& all, const PointwiseOptions& options) {
    td_pointwise_options raw = TD_POINTWISE_OPTIONS_INIT;
    const td_value fill = options.fill.raw();
    raw.missing = static_cast<td_missing>(options.missing);
    raw.fill = options.missing == Missing::fill ? &fill : nullptr;
    return detail::made<D>(td_dict_pointwise, op.get(), all.data(), all.size(), all.named_data(), all.named_size(),
                           &raw);
  }

  // The raw form: dicts among the arguments are replaced by each leaf of theirs, all others go to every call unchanged. One
  // dict for each of the `n` results.
  template <class... A>
  std::vector<D> apply_op(const Op& op, std::size_t n, const A&... arguments) const {
    const Arguments all = Arguments::of(*static_cast<const D*>(this), arguments...);
    detail::NewHandles<D> out(n);
    detail::call(td_dict_apply_op, op.get(), all.data(), all.size(), all.named_data(), all.named_size(), out.data(), n);
    return out.take();
  }

  // sum, mean, prod, std, var, max, median, logsumexp, softmax, ... What else the operator takes goes by name.
  template <class... A>
  D reduce(std::string_view op, const ReduceOptions& options = {}, const A&... named) const {
    return std::move(reduce(Op(op), options, 1, Arguments::of(named...)).at(0));
  }
  // For operators of several results: max and min along a dim give values and indices. At most `n`.
  std::vector<D> reduce(const Op& op, const ReduceOptions& options, std::size_t n, const Arguments& named = {}) const {
    const td_reduce_options raw = raw_of(options);
    detail::NewHandles<D> out(n);
    detail::call(td_dict_reduce, self(), op.get(), named.named_data(), named.named_size(), &raw, out.data(), n);
    return out.take();
  }
  // All leaves together, as one tensor.
  template <class... A>
  Tensor reduce_together(std::string_view op, const ReduceOptions& options = {}, const A&... named) const {
    return reduce_together(Op(op), options, Arguments::of(named...));
  }
  Tensor reduce_together(const Op& op, const ReduceOptions& options, const Arguments& named) const {
    const td_reduce_options raw = raw_of(options);
    return detail::made<Tensor>(td_dict_reduce_all, self(), op.get(), named.named_data(), named.named_size(), &raw);
  }
  D sum(const ReduceOptions& options = {}) const { return reduce("sum", options); }
  D mean(const ReduceOptions& options = {}) const { return reduce("mean", options); }
  // Whether every element of every tensor is true, and whether one is.
  bool all() const { return detail::got<td_bool>(td_dict_all, self()) != 0; }
  bool any() const { return detail::got<td_bool>(td_dict_any, self()) != 0; }

 private:
  static td_reduce_options raw_of(const ReduceOptions& options) {
    td_reduce_options raw = TD_REDUCE_OPTIONS_INIT;
    raw.dims = options.dims.empty() ? nullptr : options.dims.data();
    raw.n_dims = options.dims.size();
    raw.keepdim = options.keepdim;
    raw.feature = options.feature;
    return raw;
  }
};

}  // namespace tensordict

#endif
