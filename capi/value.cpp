#include "capi/value.h"

#include <iterator>

#include "core/tensor/dtype.h"
#include "core/tensor/generator.h"
#include "core/tensor/scalar.h"

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
  } else if (v.isComplexDouble()) {
    c10::complex<double> c = v.toComplexDouble();
    out = td_value_complex(c.real(), c.imag());
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

// `a` is new. It is filled where it stands, because an argument is long.
void fill(Arg& a, const td_value& v) {
  if (v.reserved != 0) throw Error(Code::argument, "the member reserved of a td_value is not 0");
  switch (v.kind) {
    case TD_VALUE_DEFAULT:
      return;
    case TD_VALUE_NONE:
      a.kind = Kind::none;
      return;
    case TD_VALUE_TENSOR:
      a.kind = v.as.tensor ? Kind::tensor : Kind::none;
      if (v.as.tensor) a.tensor = tensor(v.as.tensor);
      return;
    case TD_VALUE_INT:
      a.kind = Kind::integer;
      a.i = v.as.i;
      return;
    case TD_VALUE_DOUBLE:
      a.kind = Kind::real;
      a.f = v.as.f;
      return;
    case TD_VALUE_BOOL:
      a.kind = Kind::boolean;
      a.i = v.as.i != 0;
      return;
    case TD_VALUE_STR:
      a.kind = Kind::text;
      a.text = text(v.as.str, "a string value");
      return;
    case TD_VALUE_STRS:
      a.kind = Kind::texts;
      for (const td_str& s : array(v.as.strs, v.size)) a.texts.push_back(text(s, "a string value"));
      return;
    case TD_VALUE_UINT:
      a = v.as.u <= INT64_MAX ? Arg(static_cast<int64_t>(v.as.u)) : Arg(unsigned_scalar(v.as.u));
      return;
    case TD_VALUE_COMPLEX:
      a = Arg(c10::Scalar(c10::complex<double>(v.as.c.re, v.as.c.im)));
      return;
    case TD_VALUE_DTYPE:
      a = Arg(scalar_type(static_cast<int32_t>(v.as.i)));
      return;
    case TD_VALUE_INTS:
      a.kind = Kind::ints;
      a.ints = array(v.as.ints, v.size);
      return;
    case TD_VALUE_DOUBLES:
      a.kind = Kind::reals;
      a.reals = array(v.as.doubles, v.size);
      return;
    case TD_VALUE_BOOLS:
      a.kind = Kind::booleans;
      a.booleans = array(v.as.bools, v.size);
      return;
    case TD_VALUE_TENSORS:
      a.kind = Kind::tensors;
      for (td_tensor* const& t : array(v.as.tensors, v.size)) a.tensors.push_back(t ? tensor(t) : at::Tensor());
      return;
    case TD_VALUE_GENERATOR:
      a.kind = Kind::generator;
      a.generator = &ref(v.as.generator);
      return;
    case TD_VALUE_DICT:
      throw Error(Code::argument, "a dict is not an argument of an operator").hint("use td_dict_apply_op");
    default:
      throw Error(Code::argument, "a value of kind " + kind_name(v.kind) + " is not an argument of an operator");
  }
}

}  // namespace

Arg argument(const td_value& v) {
  Arg a;
  fill(a, v);
  return a;
}

std::string kind_name(td_value_kind kind) {
  static constexpr const char* names[] = {"DEFAULT", "NONE", "TENSOR",  "INT",   "DOUBLE",  "BOOL",        "STR",
                                          "DTYPE",   "INTS", "DOUBLES", "BOOLS", "TENSORS", "TENSOR_LIST", "GENERATOR",
                                          "DICT",    "UINT", "COMPLEX", "STRS",  "DATA"};
  bool known = kind >= 0 && static_cast<size_t>(kind) < std::size(names);
  return known ? names[kind] : std::to_string(kind);
}

td_value scalar_value(const c10::Scalar& s, bool is_unsigned) {
  if (s.isComplex()) return td_value_complex(s.toComplexDouble().real(), s.toComplexDouble().imag());
  if (s.isBoolean()) return td_value_bool(s.toBool());
  if (s.isFloatingPoint()) return td_value_double(s.toDouble());
  return is_unsigned ? td_value_uint(unsigned_number(s)) : td_value_int(s.toLong());
}

c10::Scalar number(const td_value* v, const char* what) {
  if (!v) throw_null(what);
  if (v->reserved != 0) throw Error(Code::argument, "the member reserved of a td_value is not 0");
  switch (v->kind) {
    case TD_VALUE_INT:
      return c10::Scalar(v->as.i);
    case TD_VALUE_UINT:
      return unsigned_scalar(v->as.u);
    case TD_VALUE_DOUBLE:
      return c10::Scalar(v->as.f);
    case TD_VALUE_BOOL:
      return c10::Scalar(v->as.i != 0);
    case TD_VALUE_COMPLEX:
      return c10::Scalar(c10::complex<double>(v->as.c.re, v->as.c.im));
    default:
      throw Error(Code::argument, std::string(what) + " is not a number but of kind " + kind_name(v->kind))
          .hint("give a number: INT, UINT, DOUBLE, BOOL or COMPLEX");
  }
}

DictArg dict_argument(const td_value& v) {
  if (v.kind == TD_VALUE_DICT) return {Arg(), &ref(v.as.dict)};
  return {argument(v), nullptr};
}

c10::SmallVector<Arg, 6> arguments(const td_value* values, size_t n) {
  c10::SmallVector<Arg, 6> out;
  out.reserve(n);
  for (const td_value& v : array(values, n)) {
    out.emplace_back();
    fill(out.back(), v);
  }
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
                                    " results, but there is room for " + std::to_string(n_outs));
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
