#include "core/nn/distribution.h"

#include <algorithm>

#include <c10/core/GradMode.h>

#include "core/error.h"
#include "core/plugin/tables.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

td_tensor* const* handles(const std::vector<at::Tensor>& tensors) {
  static_assert(sizeof(at::Tensor) == sizeof(td_tensor*), "an array of tensors is an array of handles");
  return reinterpret_cast<td_tensor* const*>(tensors.data());
}

// Extends `batch` so that a tensor of `sizes` fits into it; false if it cannot.
bool broadcast_into(Dims& batch, at::IntArrayRef sizes) {
  if (batch.size() < sizes.size()) batch.insert(batch.begin(), sizes.size() - batch.size(), 1);
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t& dim = batch[batch.size() - sizes.size() + i];
    if (dim == 1) dim = sizes[i];
    if (sizes[i] != dim && sizes[i] != 1) return false;
  }
  return true;
}

}  // namespace

Distribution::Distribution(std::string_view type, const Node& params, std::string_view config)
    : instance_(TD_PLUGIN_DISTRIBUTION, type) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table().n_params; ++i) names.emplace_back(plugin::text(table().params[i]));
  params.visit([&](const Key& k, const Entry&) {
    if (std::find(names.begin(), names.end(), k.text()) == names.end())
      throw Error(Code::key, "the type has no such parameter")
          .key(to_string(Path(std::vector<Key>{k})))
          .where(instance_.id());
  });
  for (const std::string& name : names) {
    Path key(std::vector<Key>{name});
    at::Tensor param = params.tensor(key);
    Dims joined = batch_;
    if (!broadcast_into(joined, param.sizes()))
      throw Error(Code::shape, "shape " + to_string(param.sizes()) + " does not broadcast with " + to_string(batch_) +
                                   ", the shape of the parameters before it")
          .key(to_string(key))
          .where(instance_.id());
    params_.push_back(std::move(param));
    batch_ = std::move(joined);
  }
  instance_.create(config, table().destroy, [&](const td_config* parsed, void** self, td_error** err) {
    return table().create(&plugin::host(), parsed, self, err);
  });
}

void Distribution::check_offered(bool there, const char* what) const {
  if (!there) throw Error(Code::unsupported, std::string("the distribution has no ") + what).where(instance_.id());
}

// At each call, so that it is recorded for the gradients of that call.
std::vector<at::Tensor> Distribution::broadcast() const {
  std::vector<at::Tensor> out = params_;
  for (at::Tensor& t : out)
    if (t.sizes() != at::IntArrayRef(batch_)) t = t.expand(batch_);
  return out;
}

template <class F>
at::Tensor Distribution::result_of(F&& function) const {
  td_tensor* result = nullptr;
  std::vector<at::Tensor> params = broadcast();
  instance_.call([&](td_error** err) { return function(handles(params), &result, err); });
  if (!result) throw Error(Code::plugin, "the type returned no tensor").where(instance_.id());
  return plugin::adopt(result);
}

at::Tensor Distribution::draw(Sampler sampler, at::IntArrayRef shape, Generator* generator) const {
  std::vector<int64_t> dims = shape.vec();
  dims.insert(dims.end(), batch_.begin(), batch_.end());
  checked_numel(dims, 1);
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return sampler(instance_.self(), params, dims.data(), dims.size(), plugin::borrow(generator), out, err);
  });
}

at::Tensor Distribution::sample(at::IntArrayRef shape, Generator* generator) const {
  check_offered(table().sample, "sample");
  at::AutoGradMode no_grad(false);
  return draw(table().sample, shape, generator);
}

at::Tensor Distribution::rsample(at::IntArrayRef shape, Generator* generator) const {
  check_offered(table().rsample, "rsample");
  return draw(table().rsample, shape, generator);
}

at::Tensor Distribution::log_prob(const at::Tensor& value) const {
  check_offered(table().log_prob, "log_prob");
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return table().log_prob(instance_.self(), params, plugin::borrow(value), out, err);
  });
}

at::Tensor Distribution::stat(Stat which) const {
  struct Row {
    Statistic function;
    const char* name;
  };
  const Row rows[] = {
      {table().mean, "mean"}, {table().mode, "mode"}, {table().variance, "variance"}, {table().entropy, "entropy"}};
  const Row& row = rows[static_cast<size_t>(which)];
  check_offered(row.function, row.name);
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return row.function(instance_.self(), params, out, err);
  });
}

}  // namespace td
