#include "core/distributions/constraint.h"

#include <limits>

#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>

#include "core/distributions/ops.h"

namespace td {

namespace {

// The event dims that a constraint looks at together.
size_t own_event_dims(td_constraint kind) {
  switch (kind) {
    case TD_CONSTRAINT_SIMPLEX:
    case TD_CONSTRAINT_ONE_HOT:
    case TD_CONSTRAINT_NORMALIZED:
    case TD_CONSTRAINT_LOG_NORMALIZED:
      return 1;
    case TD_CONSTRAINT_LOWER_CHOLESKY:
    case TD_CONSTRAINT_POSITIVE_DEFINITE:
    case TD_CONSTRAINT_CORR_CHOLESKY:
      return 2;
    default:
      return 0;
  }
}

const char* constraint_name(td_constraint kind) {
  switch (kind) {
    case TD_CONSTRAINT_REAL:
    case TD_CONSTRAINT_LOG_NORMALIZED:
      return "Real()";
    case TD_CONSTRAINT_POSITIVE:
      return "GreaterThan(lower_bound=0.0)";
    case TD_CONSTRAINT_NONNEGATIVE:
      return "GreaterThanEq(lower_bound=0.0)";
    case TD_CONSTRAINT_UNIT_INTERVAL:
    case TD_CONSTRAINT_POSITIVE_PROBABILITY:
      return "Interval(lower_bound=0.0, upper_bound=1.0)";
    case TD_CONSTRAINT_HALF_OPEN_INTERVAL:
      return "HalfOpenInterval(lower_bound=0.0, upper_bound=1.0)";
    case TD_CONSTRAINT_BOOLEAN:
      return "Boolean()";
    case TD_CONSTRAINT_NONNEGATIVE_INTEGER:
      return "IntegerGreaterThan(lower_bound=0)";
    case TD_CONSTRAINT_SIMPLEX:
    case TD_CONSTRAINT_NORMALIZED:
      return "Simplex()";
    case TD_CONSTRAINT_ONE_HOT:
      return "OneHot()";
    case TD_CONSTRAINT_LOWER_CHOLESKY:
      return "LowerCholesky()";
    case TD_CONSTRAINT_POSITIVE_DEFINITE:
      return "PositiveDefinite()";
    case TD_CONSTRAINT_CORR_CHOLESKY:
      return "CorrCholesky()";
    default:
      return "";
  }
}

// All over the last `n` dims.
at::Tensor all_rightmost(at::Tensor t, size_t n) {
  for (size_t i = 0; i < n; ++i) t = t.all(-1);
  return t;
}

at::Tensor simplex(const at::Tensor& v) {
  return (v >= 0).all(-1).logical_and((v.sum(-1) - 1).abs() < 1e-6);
}

at::Tensor lower_cholesky(const at::Tensor& v) {
  at::Tensor lower = all_rightmost(v.tril() == v, 2);
  return lower.logical_and((v.diagonal(0, -2, -1) > 0).all(-1));
}

at::Tensor positive_definite(const at::Tensor& v) {
  at::Tensor symmetric = all_rightmost(at::isclose(v, v.transpose(-2, -1), 1e-5, 1e-6), 2);
  if (!symmetric.all().item<bool>()) return symmetric;
  return std::get<1>(at::linalg_cholesky_ex(v)) == 0;
}

at::Tensor corr_cholesky(const at::Tensor& v) {
  double eps = v.scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                              : static_cast<double>(std::numeric_limits<float>::epsilon());
  at::Tensor norm = at::linalg_vector_norm(v, 2, at::IntArrayRef{-1});
  at::Tensor unit = ((norm - 1).abs() <= eps * static_cast<double>(v.size(-1)) * 10).all(-1);
  return lower_cholesky(v).logical_and(unit);
}

at::Tensor elements_satisfying(td_constraint kind, const at::Tensor& v) {
  switch (kind) {
    case TD_CONSTRAINT_REAL:
      return v == v;
    case TD_CONSTRAINT_POSITIVE:
      return v > 0;
    case TD_CONSTRAINT_NONNEGATIVE:
      return v >= 0;
    case TD_CONSTRAINT_UNIT_INTERVAL:
      return (v >= 0).logical_and(v <= 1);
    case TD_CONSTRAINT_HALF_OPEN_INTERVAL:
      return (v >= 0).logical_and(v < 1);
    case TD_CONSTRAINT_POSITIVE_PROBABILITY:
      return (v > 0).logical_and(v <= 1);
    case TD_CONSTRAINT_BOOLEAN:
      return (v == 0).logical_or(v == 1);
    case TD_CONSTRAINT_NONNEGATIVE_INTEGER:
      return (v.remainder(1) == 0).logical_and(v >= 0);
    case TD_CONSTRAINT_SIMPLEX:
      return simplex(v);
    case TD_CONSTRAINT_NORMALIZED:
      return simplex(v / v.sum(-1, true));
    case TD_CONSTRAINT_LOG_NORMALIZED: {
      at::Tensor normalized = v - v.logsumexp(-1, true);
      return (normalized == normalized).all(-1);
    }
    case TD_CONSTRAINT_ONE_HOT:
      return (v == 0).logical_or(v == 1).all(-1).logical_and(v.sum(-1) == 1);
    case TD_CONSTRAINT_LOWER_CHOLESKY:
      return lower_cholesky(v);
    case TD_CONSTRAINT_POSITIVE_DEFINITE:
      return positive_definite(v);
    default:
      return corr_cholesky(v);
  }
}

// Without operators where that is easy: most parameters are small, and each operator costs a microsecond.
template <class T>
bool scan(td_constraint kind, const T* p, int64_t n) {
  bool all = true;
  switch (kind) {
    case TD_CONSTRAINT_REAL:
      for (int64_t i = 0; i < n; ++i) all &= p[i] == p[i];
      return all;
    case TD_CONSTRAINT_POSITIVE:
      for (int64_t i = 0; i < n; ++i) all &= p[i] > 0;
      return all;
    case TD_CONSTRAINT_NONNEGATIVE:
      for (int64_t i = 0; i < n; ++i) all &= p[i] >= 0;
      return all;
    default:
      for (int64_t i = 0; i < n; ++i) all &= p[i] >= 0 && p[i] <= 1;
      return all;
  }
}

bool scannable(td_constraint kind, const at::Tensor& v) {
  return (kind == TD_CONSTRAINT_REAL || kind == TD_CONSTRAINT_POSITIVE || kind == TD_CONSTRAINT_NONNEGATIVE ||
          kind == TD_CONSTRAINT_UNIT_INTERVAL) &&
         v.device().is_cpu() && v.layout() == at::kStrided && v.is_contiguous() && v.has_storage() &&
         (v.scalar_type() == at::kFloat || v.scalar_type() == at::kDouble);
}

}  // namespace

std::string Constraint::text() const {
  if (kind == TD_CONSTRAINT_OWN) return own_text;
  size_t own = own_event_dims(kind), more = event_dims > own ? event_dims - own : 0;
  if (kind == TD_CONSTRAINT_LOG_NORMALIZED) more = 1;
  if (more == 0) return constraint_name(kind);
  return std::string("IndependentConstraint(") + constraint_name(kind) + ", " + std::to_string(more) + ")";
}

bool batched_by_vmap(const at::Tensor& t) {
  return t.defined() && t.key_set().has(c10::DispatchKey::FuncTorchBatched);
}

at::Tensor satisfying(const Constraint& constraint, const at::Tensor& value) {
  at::AutoGradMode no_grad(false);
  size_t own = own_event_dims(constraint.kind);
  at::Tensor each = elements_satisfying(constraint.kind, value);
  return constraint.event_dims > own ? all_rightmost(std::move(each), constraint.event_dims - own) : each;
}

bool satisfied(const Constraint& constraint, const at::Tensor& value) {
  if (constraint.kind == TD_CONSTRAINT_NONE || batched_by_vmap(value)) return true;
  if (scannable(constraint.kind, value))
    return value.scalar_type() == at::kFloat ? scan(constraint.kind, value.data_ptr<float>(), value.numel())
                                             : scan(constraint.kind, value.data_ptr<double>(), value.numel());
  return satisfying(constraint, value).all().item<bool>();
}

}  // namespace td
