#include "core/distributions/composite.h"

#include <algorithm>

#include "core/dict/change/edit.h"
#include "core/dict/tensordict.h"
#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

Dims joined(at::IntArrayRef shape, at::IntArrayRef batch) {
  Dims all(shape.begin(), shape.end());
  all.append(batch.begin(), batch.end());
  return all;
}

// Without the dims beyond the batch.
at::Tensor over_batch(const at::Tensor& t, size_t batch_dims) {
  size_t dims = static_cast<size_t>(t.dim());
  return dims > batch_dims ? sum_rightmost(t, dims - batch_dims) : t;
}

}  // namespace

Path with_suffix(const Path& key, const char* suffix) {
  Path::Keys parts = key.keys();
  parts.back() = Key(parts.back().text() + suffix);
  return Path(parts);
}

Composite::Composite(at::IntArrayRef batch, std::vector<Part> parts) : parts_(std::move(parts)) {
  adopt_shapes(batch, {});
}

void Composite::no_tensor() const {
  throw Error(Code::unsupported, "Expected a tensordict sample, but got a Tensor instead.")
      .where(class_name())
      .hint_naming("use the functions for dicts, such as {dist_sample_dict} and {dist_log_prob_dict}");
}

std::string Composite::repr() const {
  std::string text = "CompositeDistribution({";
  for (size_t i = 0; i < parts_.size(); ++i)
    text += (i ? ", " : "") + to_string(parts_[i].name) + ": " + parts_[i].dist->repr();
  return text + "})";
}

bool Composite::has_rsample() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.dist->has_rsample(); });
}

template <class F>
NodePtr Composite::collect(at::IntArrayRef shape, F&& draw) const {
  NodePtr out = TensorDict::make(joined(shape, batch_shape()));
  for (const Part& p : parts_) out->set(p.name, draw(*p.dist));
  return out;
}

NodePtr Composite::sample_dict(at::IntArrayRef shape, Generator* generator) const {
  return collect(shape, [&](const Distribution& d) { return d.sample(shape, generator); });
}

NodePtr Composite::rsample_dict(at::IntArrayRef shape, Generator* generator) const {
  return collect(shape, [&](const Distribution& d) { return d.rsample(shape, generator); });
}

NodePtr Composite::interact_dict(Interaction type, const DrawOptions& options) const {
  if (type == Interaction::median) not_offered("median");
  if (type == Interaction::random)
    return has_rsample() ? rsample_dict(options.shape, options.generator)
                         : sample_dict(options.shape, options.generator);
  return collect(options.shape, [&](const Distribution& d) { return interact(d, type, options); });
}

at::Tensor Composite::entropy_of(const Distribution& dist) const {
  if (dist.has(Stat::entropy)) return dist.stat(Stat::entropy);
  return -dist.log_prob(dist.rsample({1}, nullptr)).mean(0);
}

NodePtr Composite::stat_dict(Stat which) const {
  if (which == Stat::deterministic) return interact_dict(Interaction::deterministic, {});
  if (which != Stat::entropy) return collect({}, [&](const Distribution& d) { return d.stat(which); });
  NodePtr out = TensorDict::make(batch_shape());
  for (const Part& p : parts_) out->set(with_suffix(p.name, "_entropy"), entropy_of(*p.dist));
  return out;
}

at::Tensor Composite::entropy_sum() const {
  at::Tensor sum = at::scalar_tensor(0.0);
  for (const Part& p : parts_) sum = sum + over_batch(entropy_of(*p.dist), batch_shape().size());
  return sum;
}

at::Tensor Composite::stat(Stat which) const {
  if (which == Stat::entropy) return entropy_sum();
  no_tensor();
}

DistributionPtr Composite::expand(at::IntArrayRef batch) const {
  std::vector<Part> parts;
  for (const Part& p : parts_) {
    at::IntArrayRef own = p.dist->batch_shape();
    size_t shared = std::min(batch_shape().size(), own.size());
    parts.push_back({p.name, p.dist->expand(joined(batch, own.slice(shared)))});
  }
  return c10::make_intrusive<Composite>(batch, std::move(parts));
}

NodePtr Composite::log_prob_dict(const Node& sample, bool include_sum) const {
  NodePtr out = TensorDict::make(sample.batch_size());
  at::Tensor sum;
  for (const Part& p : parts_) {
    at::Tensor log_prob = p.dist->log_prob(sample.tensor(p.name));
    out->set(with_suffix(p.name, "_log_prob"), log_prob);
    log_prob = over_batch(log_prob, sample.batch_dims());
    sum = sum.defined() ? sum + log_prob : log_prob;
  }
  if (include_sum && sum.defined()) out->set(Path{"sample_log_prob"}, sum);
  return out;
}

at::Tensor Composite::log_prob_sum(const Node& sample) const {
  at::Tensor sum;
  for (const Part& p : parts_) {
    at::Tensor log_prob = over_batch(p.dist->log_prob(sample.tensor(p.name)), sample.batch_dims());
    sum = sum.defined() ? sum + log_prob : log_prob;
  }
  return sum.defined() ? sum : at::full(sample.batch_size(), 0.0);
}

// All, or none.
void Composite::write_all(Node& sample, const char* suffix, const std::vector<at::Tensor>& values) const {
  Edit edit;
  for (size_t i = 0; i < parts_.size(); ++i) edit.set(sample, with_suffix(parts_[i].name, suffix), Entry(values[i]));
  edit.keep();
}

void Composite::write_cdf(Node& sample) const {
  std::vector<at::Tensor> values;
  for (const Part& p : parts_) values.push_back(p.dist->value(ValueOf::cdf, sample.tensor(p.name)));
  write_all(sample, "_cdf", values);
}

void Composite::write_icdf(Node& sample) const {
  std::vector<at::Tensor> values;
  for (const Part& p : parts_) {
    Path cdf = with_suffix(p.name, "_cdf");
    at::Tensor prob = sample.get(cdf) ? sample.tensor(cdf) : p.dist->value(ValueOf::cdf, sample.tensor(p.name));
    values.push_back(p.dist->value(ValueOf::icdf, prob));
  }
  write_all(sample, "_icdf", values);
}

}  // namespace td
