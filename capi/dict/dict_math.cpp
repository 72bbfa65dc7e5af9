// Arithmetic, comparison and reductions of dicts.
#include "capi/value.h"
#include "core/math/pointwise.h"
#include "core/math/reduce.h"

using namespace td::capi;

namespace {

td::Missing missing(td_missing m) {
  switch (m) {
    case TD_MISSING_ERROR:
      return td::Missing::error;
    case TD_MISSING_SKIP:
      return td::Missing::skip;
    case TD_MISSING_FILL:
      return td::Missing::fill;
    default:
      throw td::Error(td::Code::argument, "no such td_missing: " + std::to_string(m));
  }
}

td::PointwiseOptions pointwise_options(const td_pointwise_options* given) {
  td_pointwise_options o = options(given);
  td::PointwiseOptions core;
  core.missing = missing(o.missing);
  if (core.missing == td::Missing::fill) {
    if (!o.fill) throw_null("fill");
    core.fill = argument(*o.fill);
  }
  return core;
}

td::ReduceOptions reduce_options(const td_reduce_options* given) {
  td_reduce_options o = options(given);
  td::ReduceOptions core;
  for (int64_t d : dims(o.dims, o.n_dims)) core.dims.push_back(d);
  core.keepdim = o.keepdim;
  core.feature = o.feature;
  return core;
}

}  // namespace

td_status td_dict_pointwise(const td_op* op, const td_value* operands, size_t n, const td_named_value* kwargs,
                            size_t n_kwargs, const td_pointwise_options* options, td_dict** out_dict,
                            td_error** err) noexcept {
  return guard(err, [&] {
    if ((n > 0 && !operands) || (n_kwargs > 0 && !kwargs)) throw_null("operands or kwargs");
    const td::Op& called = ref(op);
    if (!td::writes(called)) out(out_dict);
    std::vector<td::DictArg> positional;
    for (size_t i = 0; i < n; ++i) positional.push_back(dict_argument(operands[i]));
    std::vector<td::NamedDictArg> named;
    for (size_t i = 0; i < n_kwargs; ++i)
      named.push_back({text(kwargs[i].name, "an argument's name"), dict_argument(kwargs[i].value)});
    td::NodePtr made = td::pointwise(called, positional, named, pointwise_options(options));
    if (out_dict) give(out_dict, std::move(made));
  });
}

td_status td_dict_reduce(const td_dict* self, const td_op* op, const td_named_value* kwargs, size_t n_kwargs,
                         const td_reduce_options* options, td_dict** outs, size_t n_outs, td_error** err) noexcept {
  return guard(err, [&] {
    if (n_outs > 0 && !outs) throw_null("outs");
    std::vector<td::NodePtr> made =
        td::reduce(ref(self), ref(op), named_arguments(kwargs, n_kwargs), reduce_options(options), n_outs);
    for (size_t i = 0; i < n_outs; ++i) outs[i] = i < made.size() ? own<td_dict>(std::move(made[i])) : nullptr;
  });
}

td_status td_dict_reduce_all(const td_dict* self, const td_op* op, const td_named_value* kwargs, size_t n_kwargs,
                             const td_reduce_options* options, td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    give(out_tensor, td::reduce_all(ref(self), ref(op), named_arguments(kwargs, n_kwargs), reduce_options(options)));
  });
}

td_status td_dict_all(const td_dict* self, td_bool* out_truth, td_error** err) noexcept {
  return guard(err, [&] { out(out_truth) = td::all(ref(self)); });
}

td_status td_dict_any(const td_dict* self, td_bool* out_truth, td_error** err) noexcept {
  return guard(err, [&] { out(out_truth) = td::any(ref(self)); });
}
