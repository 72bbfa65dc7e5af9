// A probability distribution over tensors, or dicts of them: torch.distributions.Distribution.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/distributions/constraint.h"
#include "core/tensor/generator.h"

namespace td {

class Distribution;
using DistributionPtr = c10::intrusive_ptr<Distribution>;

// The function that Distribution::value computes.
enum class ValueOf { log_prob, cdf, icdf };

class Distribution : public c10::intrusive_ptr_target {
 public:
  enum class Stat { mean, mode, variance, entropy, median, stddev, deterministic, perplexity };

  // The value of the interaction "deterministic" for a type without a deterministic sample of its own.
  enum class Point { by_support, mode, mean, refused };

  at::IntArrayRef batch_shape() const { return batch_; }
  at::IntArrayRef event_shape() const { return event_; }
  bool validates() const { return validate_; }

  virtual std::string class_name() const = 0;  // "Normal"
  virtual std::string repr() const = 0;        // "Normal(loc: 0.0, scale: 1.0)"
  virtual bool has_rsample() const = 0;
  virtual bool has_enumerate_support() const { return false; }
  virtual Constraint support() const = 0;
  virtual at::Tensor within_support(const at::Tensor& value) const { return satisfying(support(), value); }
  virtual Point point() const { return Point::by_support; }

  // All throw Error(unsupported) for what the distribution does not offer. A null generator is LibTorch's default one.
  virtual at::Tensor sample(at::IntArrayRef shape, Generator* generator) const = 0;  // without gradients
  virtual at::Tensor rsample(at::IntArrayRef shape,
                             Generator* generator) const = 0;  // with gradients to the parameters
  virtual at::Tensor value(ValueOf what, const at::Tensor& value) const = 0;
  virtual at::Tensor stat(Stat which) const = 0;
  virtual bool has(Stat which) const = 0;
  virtual at::Tensor enumerate_support(bool expand) const;
  virtual DistributionPtr expand(at::IntArrayRef batch) const;

  at::Tensor log_prob(const at::Tensor& v) const { return value(ValueOf::log_prob, v); }

  // Throws Error(shape) or Error(argument) for a value that the distribution cannot have made.
  void check_value(const at::Tensor& value) const;

 protected:
  Distribution() = default;
  [[noreturn]] void not_offered(const char* what) const;
  void adopt_shapes(at::IntArrayRef batch, at::IntArrayRef event) {
    batch_.assign(batch.begin(), batch.end());
    event_.assign(event.begin(), event.end());
  }
  void adopt_validation(bool validate) { validate_ = validate; }

 private:
  Dims batch_, event_;
  bool validate_ = true;
};

// Tells whether new distributions check their arguments, unless their config says otherwise.
bool validate_by_default();
void set_validate_by_default(bool validate);

// The KL divergence of two distributions; Error(unsupported) for a pair without a formula.
at::Tensor kl_divergence(const Distribution& p, const Distribution& q);

const char* stat_name(Distribution::Stat which);

std::string tuple_text(at::IntArrayRef dims);  // "(3,)"

// "torch.Size([3])"
std::string size_text(at::IntArrayRef dims);

// The sum over the last `n` dims.
at::Tensor sum_rightmost(const at::Tensor& t, size_t n);

// The first values of a tensor, for messages: "[0.5, -1.0, ...]".
std::string values_text(const at::Tensor& t);

// A number as Python prints it.
std::string number_text(double x);

}  // namespace td
