#include "core/tensor/op.h"

#include "capi/value.h"
#include "core/tensor/known_op.h"

using namespace td::capi;

namespace {

void call(const td::Op& op, const td_value* args, size_t n_args, const td_named_value* kwargs, size_t n_kwargs,
          td_value* outs, size_t n_outs) {
  if (n_outs > 0 && !outs) throw_null("outs");
  td::Op::Results results = op.call(arguments(args, n_args), named_arguments(kwargs, n_kwargs), n_outs);
  own_results(results, outs, n_outs);
  td::Op::recycle(std::move(results));
}

}  // namespace

td_status td_op_find(td_str name, td_str overload, td_op** out_op, td_error** err) noexcept {
  return guard(err, [&] {
    auto wanted = given(overload) ? td::optional<std::string_view>(text(overload, "overload")) : td::nullopt;
    give(out_op, td::Op::find(text(name, "operator name"), wanted));
  });
}

td_status td_op_schema(const td_op* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, ref(self).schemas()); });
}

td_status td_op_call(const td_op* self, const td_value* args, size_t n_args, const td_named_value* kwargs,
                     size_t n_kwargs, td_value* outs, size_t n_outs, td_error** err) noexcept {
  return guard(err, [&] { call(ref(self), args, n_args, kwargs, n_kwargs, outs, n_outs); });
}

td_status td_op_run(td_str name, const td_value* args, size_t n_args, const td_named_value* kwargs, size_t n_kwargs,
                    td_value* outs, size_t n_outs, td_error** err) noexcept {
  return guard(err,
               [&] { call(*td::known_op(text(name, "operator name")), args, n_args, kwargs, n_kwargs, outs, n_outs); });
}

void td_value_clear(td_value* self) noexcept {
  if (!self) return;
  if (self->kind == TD_VALUE_TENSOR) td_tensor_release(self->as.tensor);
  if (self->kind == TD_VALUE_DICT) td_dict_release(const_cast<td_dict*>(self->as.dict));
  if (self->kind == TD_VALUE_DATA) td_data_list_release(self->as.data);
  if (self->kind == TD_VALUE_TENSOR_LIST) td_tensor_list_release(self->as.list);
  *self = td_value_none();
}

void td_op_retain(const td_op* self) noexcept {
  retain(self);
}
void td_op_release(const td_op* self) noexcept {
  release(self);
}
