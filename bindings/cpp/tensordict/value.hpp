// What operators, modules and dicts take and give: tensors, numbers, lists of them, text.
#ifndef TENSORDICT_VALUE_HPP
#define TENSORDICT_VALUE_HPP

#include <complex>

#include "data.hpp"
#include "dtype.hpp"
#include "handle.hpp"
#include "key.hpp"
#include "span.hpp"

namespace tensordict {

class Tensor;
class TensorList;
class Dict;
class Generator;

// A number of any kind, exact: 64-bit integers are not rounded.
class Number {
 public:
  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>>
  Number(N number) noexcept {
    if constexpr (std::is_same_v<N, bool>)
      raw_ = td_value_bool(number);
    else if constexpr (std::is_floating_point_v<N>)
      raw_ = td_value_double(static_cast<double>(number));
    else if constexpr (std::is_unsigned_v<N>)
      raw_ = td_value_uint(static_cast<std::uint64_t>(number));
    else
      raw_ = td_value_int(static_cast<std::int64_t>(number));
  }
  Number(std::complex<double> number) noexcept : raw_(td_value_complex(number.real(), number.imag())) {}

  td_value raw() const noexcept { return raw_; }
  operator const td_value*() const noexcept { return &raw_; }  // NOLINT: an argument of tensordict.h

 private:
  td_value raw_;
};

// The value of an argument. It borrows what it is made of for the call, and must not go into a variable.
class Value {
 public:
  // "No value", for parameters that are optional; Value::standard() is the operator's own default.
  Value(std::nullopt_t) noexcept : raw_(td_value_none()) {}
  Value(std::nullptr_t) noexcept : Value(std::nullopt) {}
  static Value standard() noexcept { return Value(td_value_default()); }

  template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>>
  Value(N number) noexcept : raw_(Number(number).raw()) {}
  Value(std::complex<double> number) noexcept : raw_(Number(number).raw()) {}
  Value(DType dtype) noexcept : raw_(td_value_dtype(detail::raw(dtype))) {}
  Value(const char* text) noexcept : Value(std::string_view(text)) {}
  Value(std::string_view text) noexcept : raw_(td_value_str(detail::str(text))) {}
  Value(const std::string& text) noexcept : Value(std::string_view(text)) {}

  // Tensors, dicts, data and generators.
  template <class D, class T, void (*Retain)(const T*), void (*Release)(const T*)>
  Value(const Handle<D, T, Retain, Release>& handle) noexcept : raw_(of(handle.get())) {}
  template <class H>
  Value(const std::optional<H>& handle) noexcept : Value(handle ? Value(*handle) : Value(std::nullopt)) {}

  Value(std::initializer_list<std::int64_t> ints) noexcept : Value(Ints(ints)) {}
  Value(Ints ints) noexcept : raw_(td_value_ints(ints.data(), ints.size())) {}
  Value(const std::vector<std::int64_t>& ints) noexcept : Value(Ints(ints)) {}
  Value(List<double> doubles) noexcept : raw_(array(TD_VALUE_DOUBLES, doubles.size())) {
    raw_.as.doubles = doubles.data();
  }
  Value(const std::vector<double>& doubles) noexcept : Value(List<double>(doubles)) {}
  Value(Span<const bool> bools) noexcept : raw_(array(TD_VALUE_BOOLS, bools.size())) {
    raw_.as.bools = reinterpret_cast<const td_bool*>(bools.data());
  }
  Value(const std::vector<std::string>& texts) : raw_(array(TD_VALUE_STRS, texts.size())) {
    for (const std::string& text : texts) texts_.push_back(detail::str(text));
  }
  Value(const std::vector<Tensor>& tensors);
  Value(const std::vector<std::optional<Tensor>>& tensors);

  td_value raw() const noexcept {
    td_value out = raw_;
    if (out.kind == TD_VALUE_TENSORS) out.as.tensors = tensors_.data();
    if (out.kind == TD_VALUE_STRS) out.as.strs = texts_.data();
    return out;
  }

 private:
  explicit Value(td_value raw) noexcept : raw_(raw) {}

  static td_value of(td_tensor* tensor) noexcept { return td_value_tensor(tensor); }
  static td_value of(td_dict* dict) noexcept { return td_value_dict(dict); }
  static td_value of(td_data_list* data) noexcept { return td_value_data(data); }
  static td_value of(td_generator* generator) noexcept { return td_value_generator(generator); }
  static td_value array(td_value_kind kind, std::size_t size) noexcept {
    td_value out = td_value_none();
    out.kind = kind;
    out.size = size;
    return out;
  }

  td_value raw_;
  std::vector<td_tensor*> tensors_;
  std::vector<td_str> texts_;
};

// An argument by the name that it has in the operator's schema: `x.op("add", y, Named("alpha", 2))`.
struct Named {
  Named(std::string_view its_name, Value its_value) : name(its_name), value(std::move(its_value)) {}
  std::string_view name;
  Value value;
};

// Arguments of a call, by position and by name, where their number is not known beforehand. They borrow as a Value does.
class Arguments {
 public:
  Arguments() = default;
  template <class... A>
  static Arguments of(const A&... arguments) {
    Arguments out;
    (out.add(arguments), ...);
    return out;
  }
  void add(const Named& named) { named_.push_back(td_named_value{detail::str(named.name), keep(named.value)}); }
  void add(const Value& value) { values_.push_back(keep(value)); }

  const td_value* data() const noexcept { return values_.data(); }
  std::size_t size() const noexcept { return values_.size(); }
  const td_named_value* named_data() const noexcept { return named_.data(); }
  std::size_t named_size() const noexcept { return named_.size(); }

 private:
  // Only lists of tensors and of texts point into the Value itself: of those a copy lives as long as this.
  td_value keep(const Value& value) {
    const td_value raw = value.raw();
    if (raw.kind != TD_VALUE_TENSORS && raw.kind != TD_VALUE_STRS) return raw;
    kept_.push_back(std::make_unique<Value>(value));
    return kept_.back()->raw();
  }

  std::vector<std::unique_ptr<Value>> kept_;
  std::vector<td_value> values_;
  std::vector<td_named_value> named_;
};

namespace detail {

// N outputs of a call, which are given back if nobody takes them.
class Outputs {
 public:
  explicit Outputs(std::size_t n) : values_(n, td_value_none()) {}
  Outputs(Outputs&&) = default;
  ~Outputs() {
    for (td_value& value : values_) td_value_clear(&value);
  }
  td_value* data() noexcept { return values_.data(); }
  std::size_t size() const noexcept { return values_.size(); }
  td_value take(std::size_t i) noexcept { return std::exchange(values_[i], td_value_none()); }

 private:
  std::vector<td_value> values_;
};

}  // namespace detail

// What a call gave: asks for what it holds, and throws ArgumentError if that is something else.
class Result {
 public:
  static Result adopt(td_value raw) noexcept { return Result(raw); }
  Result(Result&& other) noexcept : raw_(std::exchange(other.raw_, td_value_none())) {}
  Result& operator=(Result&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Result() { td_value_clear(&raw_); }

  td_value_kind kind() const noexcept { return raw_.kind; }
  bool is_none() const noexcept { return kind() == TD_VALUE_NONE; }
  std::int64_t integer() const { return need(TD_VALUE_INT, "an integer").i; }
  std::uint64_t unsigned_integer() const { return need(TD_VALUE_UINT, "an element of dtype uint64").u; }
  double real() const {
    if (kind() == TD_VALUE_UINT) return static_cast<double>(raw_.as.u);
    return kind() == TD_VALUE_INT ? static_cast<double>(raw_.as.i) : need(TD_VALUE_DOUBLE, "a real number").f;
  }
  std::complex<double> complex() const {
    const td_complex& c = need(TD_VALUE_COMPLEX, "a complex number").c;
    return {c.re, c.im};
  }
  bool boolean() const { return need(TD_VALUE_BOOL, "a truth value").i != 0; }
  DType dtype() const { return static_cast<DType>(need(TD_VALUE_DTYPE, "a dtype").i); }
  Tensor tensor() const;
  Dict dict() const;
  DataList data() const { return DataList::borrow(need(TD_VALUE_DATA, "non-tensor data").data); }
  std::vector<Tensor> tensors() const;

  // Gives up what is owned.
  td_value release() noexcept { return std::exchange(raw_, td_value_none()); }

 private:
  explicit Result(td_value raw) noexcept : raw_(raw) {}
  const decltype(td_value::as)& need(td_value_kind wanted, const char* what) const {
    if (kind() != wanted) throw ArgumentError(std::string("the result is not ") + what);
    return raw_.as;
  }

  td_value raw_;
};

namespace detail {

inline std::vector<Result> results_of(Outputs& outputs, std::size_t n) {
  std::vector<Result> out;
  for (std::size_t i = 0; i < n && i < outputs.size(); ++i) out.push_back(Result::adopt(outputs.take(i)));
  return out;
}

}  // namespace detail
}  // namespace tensordict

#endif
