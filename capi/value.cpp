#include "capi/value.h"

#include "core/tensor/dtype.h"
#include "core/tensor/generator.h"

namespace td::capi {

namespace {

using Kind = Arg::Kind;

template <class T>
at::ArrayRef<T> array(const T* data, size_t n) {
  if (n > 0 && !data) throw_null("an array in a value");
  return {data, n};
}

td_value result(const c10::IValue& v) {
  td_value out = td_value_none();
  if (v.isTensor()) {
    out = td_value_tensor(own(v.toTensor()));
    if (!out.as.tensor) out = td_value_none();
  } else if (v.isInt()) {
    out = td_value_int(v.toInt());
  } else if (v.isDouble()) {
    out = td_value_double(v.toDouble());
  } else if (v.isBool()) {
    out = td_value_bool(v.toBool());
  } else if (v.isTensorList()) {
    auto list = c10::make_intrusive<TensorList>(v.toTensorVector());
    out.kind = TD_VALUE_TENSOR_LIST;
    out.as.list = own<td_tensor_list>(std::move(list));
  } else if (!v.isNone()) {
    throw Error(Code::unsupported, "the operator returned a " + v.tagKind());
  }
  return out;
}

}  // namespace

Arg argument(const td_value& v) {
  Arg a;
  if (v.reserved != 0) throw Error(Code::argument, "the member reserved of a td_value is not 0");
  switch (v.kind) {
    case TD_VALUE_DEFAULT:
      return a;
    case TD_VALUE_NONE:
      a.kind = Kind::none;
      return a;
    case TD_VALUE_TENSOR:
      return v.as.tensor ? Arg(tensor(v.as.tensor)) : Arg(at::Tensor());
    case TD_VALUE_INT:
      return Arg(v.as.i);
    case TD_VALUE_DOUBLE:
      return Arg(v.as.f);
    case TD_VALUE_BOOL:
      return Arg(v.as.i != 0);
    case TD_VALUE_STR:
      a.kind = Kind::text;
      a.text = text({v.as.str, v.size}, "a string value");
      return a;
    case TD_VALUE_DTYPE:
      return Arg(scalar_type(static_cast<int32_t>(v.as.i)));
    case TD_VALUE_INTS:
      return Arg(array(v.as.ints, v.size));
    case TD_VALUE_DOUBLES:
      a.kind = Kind::reals;
      a.reals = array(v.as.doubles, v.size);
      return a;
    case TD_VALUE_BOOLS:
      a.kind = Kind::booleans;
      a.booleans = array(v.as.bools, v.size);
      return a;
    case TD_VALUE_TENSORS:
      a.kind = Kind::tensors;
      for (td_tensor* const& t : array(v.as.tensors, v.size)) a.tensors.push_back(t ? tensor(t) : at::Tensor());
      return a;
    case TD_VALUE_GENERATOR:
      a.kind = Kind::generator;
      a.generator = &ref(v.as.generator);
      return a;
    case TD_VALUE_DICT:
      throw Error(Code::argument, "a dict is not an argument of an operator").hint("use td_dict_apply_op");
    default:
      throw Error(Code::argument, "a value of kind " + std::to_string(v.kind) + " is not an argument");
  }
}

DictArg dict_argument(const td_value& v) {
  if (v.kind == TD_VALUE_DICT) return {Arg(), &ref(v.as.dict)};
  return {argument(v), nullptr};
}

c10::SmallVector<Arg, 6> arguments(const td_value* values, size_t n) {
  c10::SmallVector<Arg, 6> out;
  out.reserve(n);
  for (const td_value& v : array(values, n)) out.push_back(argument(v));
  return out;
}

std::vector<NamedArg> named_arguments(const td_named_value* values, size_t n) {
  std::vector<NamedArg> out;
  out.reserve(n);
  for (const td_named_value& v : array(values, n))
    out.push_back({text(v.name, "an argument's name"), argument(v.value)});
  return out;
}

void own_results(const Op::Results& results, td_value* outs, size_t n_outs) {
  if (n_outs < results.size())
    throw Error(Code::argument, "the operator returns " + std::to_string(results.size()) +
                                    " results, there is room for " + std::to_string(n_outs));
  if (n_outs > 0 && !outs) throw_null("outs");
  c10::SmallVector<td_value, 4> owned;
  try {
    for (const c10::IValue& v : results) owned.push_back(result(v));
  } catch (...) {
    for (td_value& v : owned) td_value_clear(&v);
    throw;
  }
  for (size_t i = 0; i < n_outs; ++i) outs[i] = i < owned.size() ? owned[i] : td_value_none();
}

}  // namespace td::capi
