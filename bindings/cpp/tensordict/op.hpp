// Every operator of ATen by name, through LibTorch's dispatcher, so that autograd and vmap see it.
//
//     Tensor y = x.op("softmax", -1);
//     const Op max("max", "dim");                       // looked up once
//     std::vector<Result> both = max.call({x, 1}, {Named("keepdim", true)}, 2);
#ifndef TENSORDICT_OP_HPP
#define TENSORDICT_OP_HPP

#include "tensor_list.hpp"

namespace tensordict {

class Op : public Handle<Op, td_op, td_op_retain, td_op_release> {
 public:
  explicit Op(Adopted raw) noexcept : Handle(raw) {}
  // Without an overload each call takes the first whose schema takes the arguments; "" is the one without a name.
  explicit Op(std::string_view name, std::optional<std::string_view> overload = std::nullopt)
      : Op(detail::made<Op>(
            td_op_find, detail::str(name),
            overload ? td_str{overload->data() ? overload->data() : "", overload->size()} : td_str{nullptr, 0})) {}

  // The schemas, one a line.
  std::string schema() const { return detail::text_of(td_op_schema, get()); }

  // Calls the operator: arguments by position, then by name, then the schema's defaults. `n` results are wanted.
  std::vector<Result> call(std::initializer_list<Value> values, std::initializer_list<Named> named = {},
                           std::size_t n = 1) const {
    Arguments arguments;
    for (const Value& value : values) arguments.add(value);
    for (const Named& value : named) arguments.add(value);
    return call(arguments, n);
  }
  std::vector<Result> call(const Arguments& arguments, std::size_t n) const {
    detail::Outputs outputs(n);
    detail::call(td_op_call, get(), arguments.data(), arguments.size(), arguments.named_data(), arguments.named_size(),
                 outputs.data(), n);
    return detail::results_of(outputs, n);
  }
  // The one tensor that it gives.
  template <class... A>
  Tensor operator()(const A&... arguments) const {
    return call(Arguments::of(arguments...), 1)[0].tensor();
  }
};

// Finds an operator, "max" or "max.dim", and calls it; `n` results are wanted.
inline std::vector<Result> run_op(std::string_view name, const Arguments& arguments, std::size_t n = 1) {
  detail::Outputs outputs(n);
  detail::call(td_op_run, detail::str(name), arguments.data(), arguments.size(), arguments.named_data(),
               arguments.named_size(), outputs.data(), n);
  return detail::results_of(outputs, n);
}

template <class... A>
Tensor Tensor::op(std::string_view name, const A&... arguments) const {
  return run_op(name, Arguments::of(*this, arguments...))[0].tensor();
}

namespace detail {

// An operator that is looked up at its first use in the process, and kept.
struct KnownOps {
  const Op add{"add"};
  const Op sub{"sub"};
  const Op mul{"mul"};
  const Op div{"div"};
  const Op eq{"eq"};
  const Op ne{"ne"};
  const Op lt{"lt"};
  const Op le{"le"};
  const Op gt{"gt"};
  const Op ge{"ge"};
  const Op bitwise_and{"bitwise_and"};
  const Op bitwise_or{"bitwise_or"};
  const Op neg{"neg"}, rsub{"rsub"}, reciprocal{"reciprocal"};
  const Op add_{"add_"}, sub_{"sub_"}, mul_{"mul_"}, div_{"div_"};

  static const KnownOps& get() {
    static const KnownOps all;
    return all;
  }
};

// What may stand beside a tensor or a dict in arithmetic.
template <class N>
using IfNumber = std::enable_if_t<std::is_arithmetic_v<N>>;

}  // namespace detail

// Pointwise, with broadcasting, as in PyTorch: comparisons give a bool tensor.
inline Tensor operator+(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().add(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator+(const Tensor& a, N b) {
  return detail::KnownOps::get().add(a, b);
}
inline Tensor operator-(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().sub(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator-(const Tensor& a, N b) {
  return detail::KnownOps::get().sub(a, b);
}
inline Tensor operator*(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().mul(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator*(const Tensor& a, N b) {
  return detail::KnownOps::get().mul(a, b);
}
inline Tensor operator/(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().div(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator/(const Tensor& a, N b) {
  return detail::KnownOps::get().div(a, b);
}
inline Tensor operator==(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().eq(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator==(const Tensor& a, N b) {
  return detail::KnownOps::get().eq(a, b);
}
inline Tensor operator!=(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().ne(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator!=(const Tensor& a, N b) {
  return detail::KnownOps::get().ne(a, b);
}
inline Tensor operator<(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().lt(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator<(const Tensor& a, N b) {
  return detail::KnownOps::get().lt(a, b);
}
inline Tensor operator<=(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().le(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator<=(const Tensor& a, N b) {
  return detail::KnownOps::get().le(a, b);
}
inline Tensor operator>(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().gt(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator>(const Tensor& a, N b) {
  return detail::KnownOps::get().gt(a, b);
}
inline Tensor operator>=(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().ge(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator>=(const Tensor& a, N b) {
  return detail::KnownOps::get().ge(a, b);
}
inline Tensor operator&(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().bitwise_and(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator&(const Tensor& a, N b) {
  return detail::KnownOps::get().bitwise_and(a, b);
}
inline Tensor operator|(const Tensor& a, const Tensor& b) {
  return detail::KnownOps::get().bitwise_or(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator|(const Tensor& a, N b) {
  return detail::KnownOps::get().bitwise_or(a, b);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator+(N a, const Tensor& b) {
  return b + a;
}
template <class N, class = detail::IfNumber<N>>
Tensor operator-(N a, const Tensor& b) {
  return detail::KnownOps::get().rsub(b, a);
}
template <class N, class = detail::IfNumber<N>>
Tensor operator*(N a, const Tensor& b) {
  return b * a;
}
template <class N, class = detail::IfNumber<N>>
Tensor operator/(N a, const Tensor& b) {
  return detail::KnownOps::get().reciprocal(b) * a;
}
inline Tensor operator-(const Tensor& a) {
  return detail::KnownOps::get().neg(a);
}

// In place.
template <class B>
Tensor& operator+=(Tensor& a, const B& b) {
  detail::KnownOps::get().add_(a, b);
  return a;
}
template <class B>
Tensor& operator-=(Tensor& a, const B& b) {
  detail::KnownOps::get().sub_(a, b);
  return a;
}
template <class B>
Tensor& operator*=(Tensor& a, const B& b) {
  detail::KnownOps::get().mul_(a, b);
  return a;
}
template <class B>
Tensor& operator/=(Tensor& a, const B& b) {
  detail::KnownOps::get().div_(a, b);
  return a;
}

}  // namespace tensordict

#endif
