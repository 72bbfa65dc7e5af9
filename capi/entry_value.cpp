#include "capi/entry_value.h"

#include "capi/value.h"

#include "core/dict/data/data.h"
#include "core/tensor/ops.h"

namespace td::capi {

namespace {

// As torch.tensor makes it of Python's numbers.
at::Tensor as_tensor(const td_value& v) {
  if (v.kind == TD_VALUE_BOOL) return at::scalar_tensor(v.as.i != 0, at::kBool);
  if (v.kind == TD_VALUE_INT) return at::scalar_tensor(v.as.i, at::kLong);
  if (v.kind == TD_VALUE_DOUBLE) return at::scalar_tensor(v.as.f);
  if (v.kind == TD_VALUE_COMPLEX)
    return at::scalar_tensor(number(&v, "value"), at::typeMetaToScalarType(at::get_default_complex_dtype()));
  if (v.as.u > INT64_MAX)
    throw Error(Code::argument, "an int64 tensor cannot hold " + std::to_string(v.as.u))
        .hint("make a tensor of dtype uint64 of it");
  return at::scalar_tensor(static_cast<int64_t>(v.as.u), at::kLong);
}

DataPtr text_data(const td_value& v) {
  Value value;
  value.kind = Value::Kind::text;
  value.text = std::string(text(v.as.str, "a string value"));
  check_utf8(value.text, "a string value");
  return Data::uniform(std::move(value), {});
}

}  // namespace

Entry entry_of(const td_value& v) {
  switch (v.kind) {
    case TD_VALUE_NONE:
    case TD_VALUE_DEFAULT:
      return {};
    case TD_VALUE_TENSOR:
      return v.as.tensor ? Entry(tensor(v.as.tensor)) : Entry();
    case TD_VALUE_INT:
    case TD_VALUE_DOUBLE:
    case TD_VALUE_BOOL:
    case TD_VALUE_UINT:
    case TD_VALUE_COMPLEX:
      return Entry(as_tensor(v));
    case TD_VALUE_STR:
      return Entry(text_data(v));
    case TD_VALUE_DICT:
      return Entry(share(const_cast<td_dict*>(v.as.dict)));
    case TD_VALUE_DATA:
      return Entry(DataPtr(share(v.as.data)));
    default:
      throw Error(Code::argument, "a value of kind " + kind_name(v.kind) + " is not an entry of a dict");
  }
}

std::vector<Entry> FilledValues::take() {
  for (size_t i = 0; i < values_.size(); ++i) {
    const td_value& v = values_[i];
    if (v.kind == TD_VALUE_TENSOR && v.as.tensor) entries_[i] = Entry(adopt(v.as.tensor));
    if (v.kind == TD_VALUE_DICT && v.as.dict) {
      entries_[i] = Entry(share(const_cast<td_dict*>(v.as.dict)));
      release(v.as.dict);
    }
    if (v.kind == TD_VALUE_DATA && v.as.data) {
      entries_[i] = Entry(DataPtr(share(v.as.data)));
      release(v.as.data);
    }
    if (v.kind == TD_VALUE_TENSOR_LIST) td_tensor_list_release(v.as.list);  // refused below
  }
  for (size_t i = 0; i < values_.size(); ++i)
    if (!entries_[i]) entries_[i] = entry_of(values_[i]);
  return std::move(entries_);
}

td_value borrowed_value(const Entry& e) {
  if (e.is_tensor()) return td_value_tensor(reinterpret_cast<td_tensor*>(e.tensor().unsafeGetTensorImpl()));
  if (e.is_node()) return td_value_dict(reinterpret_cast<const td_dict*>(e.node().get()));
  if (e.is_data()) return td_value_data(reinterpret_cast<const td_data_list*>(e.data().get()));
  return td_value_none();
}

td_value owned_value(const Entry& e) {
  if (e.is_tensor()) return td_value_tensor(own(e.tensor()));
  if (e.is_node()) return td_value_dict(own<td_dict>(NodePtr(e.node())));
  td_value v = td_value_none();
  if (e.is_data()) v = td_value_data(own<td_data_list>(DataPtr(e.data())));
  return v;
}

Randomness randomness(td_randomness r) {
  switch (r) {
    case TD_RANDOMNESS_ERROR:
      return Randomness::error;
    case TD_RANDOMNESS_DIFFERENT:
      return Randomness::different;
    case TD_RANDOMNESS_SAME:
      return Randomness::same;
    default:
      throw Error(Code::argument, "no such randomness: " + std::to_string(r));
  }
}

Inputs inputs_of(const td_value* args, size_t n_args, const td_named_value* kwargs, size_t n_kwargs) {
  if ((n_args > 0 && !args) || (n_kwargs > 0 && !kwargs)) throw_null("the arguments");
  Inputs inputs;
  for (size_t i = 0; i < n_args; ++i) inputs.positional.push_back(entry_of(args[i]));
  for (size_t i = 0; i < n_kwargs; ++i)
    inputs.named.emplace_back(text(kwargs[i].name, "an argument's name"), entry_of(kwargs[i].value));
  return inputs;
}

}  // namespace td::capi
