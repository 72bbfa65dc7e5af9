#include "core/tensor/kernels.h"

#include "core/tensor/fast.h"
#include "core/tensor/memory.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TD_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define TD_CLONES
#endif

namespace td {

namespace {

#define TD_KERNEL(name, type, sign)                                         \
  TD_CLONES void name(const type* a, const type* b, type* out, int64_t n) { \
    for (int64_t i = 0; i < n; ++i) out[i] = a[i] sign b[i];                \
  }                                                                         \
  TD_CLONES void name(const type* a, type b, type* out, int64_t n) {        \
    for (int64_t i = 0; i < n; ++i) out[i] = a[i] sign b;                   \
  }
TD_KERNEL(add, float, +)
TD_KERNEL(sub, float, -)
TD_KERNEL(mul, float, *)
TD_KERNEL(add, double, +)
TD_KERNEL(sub, double, -)
TD_KERNEL(mul, double, *)
#undef TD_KERNEL

enum class Kernel { none, add, sub, mul };

Kernel kernel_named(const std::string& op) {
  if (op == "aten::add") return Kernel::add;
  if (op == "aten::sub") return Kernel::sub;
  if (op == "aten::mul") return Kernel::mul;
  return Kernel::none;
}

template <class T>
void run(Kernel kernel, const at::Tensor& a, const at::Tensor* b, double scalar, const at::Tensor& out) {
  const T* x = static_cast<const T*>(data(a));
  T* y = static_cast<T*>(const_cast<void*>(data(out)));
  int64_t n = a.numel();
  auto with = [&](auto second) {
    if (kernel == Kernel::add) return add(x, second, y, n);
    if (kernel == Kernel::sub) return sub(x, second, y, n);
    return mul(x, second, y, n);
  };
  if (b)
    with(static_cast<const T*>(data(*b)));
  else
    with(static_cast<T>(scalar));
}

bool simple(const at::Tensor& t) {
  return (t.scalar_type() == at::kFloat || t.scalar_type() == at::kDouble) && t.dim() > 0 && fast::arenas(t) &&
         t.is_contiguous();
}

}  // namespace

bool pointwise_by_hand(const std::string& op, const std::vector<at::Tensor>& leaves,
                       const std::vector<at::Tensor>* others, const Arg* scalar, std::vector<at::Tensor>& results) {
  Kernel kernel = kernel_named(op);
  if (kernel == Kernel::none || leaves.empty()) return false;
  constexpr int64_t exact = int64_t{1} << 53;  // larger integers would be rounded twice
  if (scalar && scalar->kind == Arg::Kind::integer && (scalar->i > exact || scalar->i < -exact)) return false;
  bool number = scalar && (scalar->kind == Arg::Kind::integer || scalar->kind == Arg::Kind::real);
  if (!others && !number) return false;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!simple(leaves[i])) return false;
    if (others && (!simple((*others)[i]) || (*others)[i].scalar_type() != leaves[i].scalar_type() ||
                   (*others)[i].sizes() != leaves[i].sizes()))
      return false;
  }
  double value = !number ? 0 : scalar->kind == Arg::Kind::real ? scalar->f : static_cast<double>(scalar->i);
  fast::Arena arena;
  for (const at::Tensor& t : leaves) arena.plan(t.sizes(), t.scalar_type());
  for (size_t i = 0; i < leaves.size(); ++i) {
    at::Tensor out = arena.take(leaves[i].sizes(), leaves[i].scalar_type());
    const at::Tensor* second = others ? &(*others)[i] : nullptr;
    if (leaves[i].scalar_type() == at::kFloat)
      run<float>(kernel, leaves[i], second, value, out);
    else
      run<double>(kernel, leaves[i], second, value, out);
    results.push_back(std::move(out));
  }
  return true;
}

}  // namespace td
