#include "core/text/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/tensor/ops.h"
#include "core/torch_compat.h"

namespace td {

namespace {

// The type that holds every value of `type` exactly.
at::ScalarType widest(at::ScalarType type) {
  if (c10::isFloatingType(type)) return at::kDouble;
#if TD_TORCH_HAS_WIDE_UINT
  if (type == at::ScalarType::UInt64) return type;
#endif
  return type == at::kBool ? at::kBool : at::kLong;
}

// As Python formats: nan has no sign.
std::string formatted(const char* form, double value) {
  if (std::isnan(value)) return "nan";
  char text[400];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

}  // namespace

TensorNumbers::TensorNumbers(const at::Tensor& t)
    : values_(t.to(at::kCPU, widest(t.scalar_type())).resolve_neg().contiguous()) {
  if (values_.scalar_type() == at::kDouble) choose_form();
  const double* reals = values_.scalar_type() == at::kDouble ? values_.data_ptr<double>() : nullptr;
  for (int64_t i = 0; i < values_.numel(); ++i)
    if (!reals || (std::isfinite(reals[i]) && reals[i] != 0)) width_ = std::max(width_, bare(i).size());
}

void TensorNumbers::choose_form() {
  const double* values = values_.data_ptr<double>();
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < values_.numel(); ++i) {
    if (!std::isfinite(values[i]) || values[i] == 0) continue;
    least = std::min(least, std::abs(values[i]));
    most = std::max(most, std::abs(values[i]));
    if (values[i] != std::ceil(values[i])) whole_ = false;
  }
  scientific_ = most > 0 && (most / least > 1000.0 || most > 1.0e8 || least < 1.0e-4);
}

std::string TensorNumbers::bare(int64_t i) const {
  switch (values_.scalar_type()) {
    case at::kDouble: {
      const double value = values_.data_ptr<double>()[i];
      if (scientific_) return formatted("%.4e", value);
      if (!whole_) return formatted("%.4f", value);
      return formatted("%.0f", value) + (std::isfinite(value) ? "." : "");
    }
    case at::kBool:
      return values_.data_ptr<bool>()[i] ? "True" : "False";
    case at::kLong:
      return std::to_string(values_.data_ptr<int64_t>()[i]);
    default:
      return std::to_string(static_cast<const uint64_t*>(values_.data_ptr())[i]);
  }
}

std::string TensorNumbers::at(int64_t i) const {
  std::string text = bare(i);
  return std::string(width_ - std::min(width_, text.size()), ' ') + text;
}

}  // namespace td
