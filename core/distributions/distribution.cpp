#include "core/distributions/distribution.h"

#include <algorithm>
#include <atomic>

#include "core/dict/data/value_text.h"
#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

std::atomic<bool> default_validation{true};

}  // namespace

std::string tuple_text(at::IntArrayRef dims) {
  std::string text = "(";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + (dims.size() == 1 ? ",)" : ")");
}

bool validate_by_default() {
  return default_validation;
}
void set_validate_by_default(bool validate) {
  default_validation = validate;
}

const char* stat_name(Distribution::Stat which) {
  static const char* const names[] = {
      "mean", "mode", "variance", "entropy", "median", "stddev", "deterministic_sample", "perplexity"};
  return names[static_cast<size_t>(which)];
}

std::string size_text(at::IntArrayRef dims) {
  std::string text = "torch.Size([";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "])";
}

std::string number_text(double x) {
  Value real;
  real.kind = Value::Kind::real, real.f = x;
  return python_text(real, false);
}

std::string values_text(const at::Tensor& t) {
  constexpr int64_t shown = 8;
  if (batched_by_vmap(t)) return "(inside vmap)";
  at::Tensor flat = t.detach().reshape({-1}).slice(0, 0, shown).to(at::kCPU, at::kDouble).contiguous();
  const double* p = flat.data_ptr<double>();
  std::string text;
  for (int64_t i = 0; i < flat.numel(); ++i) text += (i ? ", " : "") + number_text(p[i]);
  if (t.numel() > shown) text += ", ...";
  return t.dim() == 0 ? text : "[" + text + "]";
}

at::Tensor sum_rightmost(const at::Tensor& t, size_t n) {
  if (n == 0) return t;
  std::vector<int64_t> dims;
  for (size_t i = 1; i <= n; ++i) dims.push_back(-static_cast<int64_t>(i));
  return t.sum(dims);
}

void Distribution::not_offered(const char* what) const {
  throw Error(Code::unsupported, "the distribution " + class_name() + " has no " + what);
}

at::Tensor Distribution::enumerate_support(bool) const {
  not_offered("enumerate_support");
}

DistributionPtr Distribution::expand(at::IntArrayRef) const {
  not_offered("expand");
}

void Distribution::check_value(const at::Tensor& value) const {
  at::IntArrayRef sizes = value.sizes();
  Dims expected(batch_.begin(), batch_.end());
  expected.append(event_.begin(), event_.end());
  if (sizes.size() < event_.size() || sizes.slice(sizes.size() - event_.size()) != at::IntArrayRef(event_))
    throw Error(Code::shape, "The right-most size of value must match event_shape: " + size_text(sizes) + " vs " +
                                 size_text(event_) + ".")
        .where(class_name());
  for (size_t i = 1; i <= std::min(sizes.size(), static_cast<size_t>(expected.size())); ++i) {
    int64_t got = sizes[sizes.size() - i], wanted = expected[expected.size() - i];
    if (got != 1 && wanted != 1 && got != wanted)
      throw Error(Code::shape, "Value is not broadcastable with batch_shape+event_shape: " + size_text(sizes) + " vs " +
                                   size_text(expected) + ".")
          .where(class_name());
  }
  Constraint constraint = support();
  bool inside = true;
  if (constraint.kind == TD_CONSTRAINT_OWN) {
    at::Tensor each = batched_by_vmap(value) ? at::Tensor() : within_support(value);
    inside = !each.defined() || batched_by_vmap(each) || each.all().item<bool>();
  } else {
    inside = satisfied(constraint, value);
  }
  if (!inside)
    throw Error(Code::argument, "Expected value argument (Tensor of shape " + tuple_text(sizes) +
                                    ") to be within the support (" + constraint.text() + ") of the distribution " +
                                    repr() + ", but found invalid values: " + values_text(value))
        .where(class_name());
}

}  // namespace td
