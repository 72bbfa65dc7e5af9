#include "core/distributions/plugin_distribution.h"

#include <algorithm>
#include <cstring>

#include <c10/core/GradMode.h>

#include "core/distributions/ops.h"
#include "core/error.h"
#include "core/plugin/tables.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

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

at::IntArrayRef without_event(const at::Tensor& t, int64_t event_dims) {
  return t.sizes().slice(0, static_cast<size_t>(t.dim() - event_dims));
}

}  // namespace

DistributionType::DistributionType(std::string_view type, std::string_view config)
    : instance_(std::make_shared<PluginInstance>(TD_PLUGIN_KIND_DISTRIBUTION, type)), config_(config) {
  const td_plugin_type& head = instance_->table<td_plugin_type>();
  std::memcpy(static_cast<void*>(&table_), &head, std::min(head.struct_size, sizeof table_));
  bool validate = true;
  if (plugin::Config(config).get("validate_args", validate)) validate_ = validate;
  instance_->create(
      config, table_.destroy,
      [&](const td_config* parsed, void** self, td_error** err) {
        plugin::Config::of(parsed).get("validate_args", validate);  // so that it counts as known
        return table_.create(&plugin::host(), parsed, self, err);
      },
      "validate_args");
}

PluginDistribution::PluginDistribution(const DistributionType& type, const Node& params)
    : instance_(type.instance_), table_(type.table_) {
  take_params(params);
  // What the config leaves open may be for these parameters to say.
  const std::string whole = with_event_dims(type.config_);
  if (whole != type.config_) instance_ = DistributionType(type.id(), whole).instance_;
  const bool validate = type.validate_.value_or(validate_by_default());
  adopt_validation(validate);
  check_choices();
  find_batch();
  find_event();
  if (validate) check_params();
}

PluginDistribution::PluginDistribution(const PluginDistribution& other, at::IntArrayRef batch)
    : instance_(other.instance_), event_dims_(other.event_dims_), table_(other.table_), params_(other.params_) {
  adopt_validation(other.validates());
  adopt_shapes(batch, other.event_shape());
  for (size_t i = 0; i < params_.size(); ++i)
    if (params_[i].defined()) params_[i] = broadcast(i);
}

td_distribution_param PluginDistribution::rule(size_t i) const {
  if (!table_.param_rules) return {TD_CONSTRAINT_NONE, 0, 0, 0, 0};
  td_distribution_param rule = table_.param_rules[i];
  if (rule.event_dims == TD_EVENT_DIMS_OF_CONFIG) rule.event_dims = event_dims_;
  return rule;
}

std::string PluginDistribution::param_name(size_t i) const {
  return std::string(plugin::text(table_.params[i]));
}

void PluginDistribution::find_batch() {
  static const char* const numerals[] = {"zero", "one", "two"};
  Dims batch;
  for (size_t i = 0; i < params_.size(); ++i) {
    if (!params_[i].defined()) continue;
    int64_t event_dims = rule(i).event_dims;
    std::string name = param_name(i);
    if (params_[i].dim() < event_dims) {
      std::string what = name == "loc"    ? "loc must be at least "
                         : event_dims > 1 ? name + " matrix must be at least "
                                          : "`" + name + "` parameter must be at least ";
      throw Error(Code::shape, what + (event_dims <= 2 ? numerals[event_dims] : std::to_string(event_dims)) +
                                   "-dimensional" + (event_dims > 1 ? ", with optional leading batch dimensions" : "."))
          .where(instance_->id());
    }
    Dims joined = batch;
    at::IntArrayRef sizes = without_event(params_[i], event_dims);
    if (!broadcast_into(joined, sizes))
      throw Error(Code::shape, "shape " + to_string(sizes) + " does not broadcast with " + to_string(batch) +
                                   ", the shape of the parameters before it")
          .key(to_string(Path(std::vector<Key>{name})))
          .where(instance_->id());
    batch = std::move(joined);
  }
  adopt_shapes(batch, {});
}

void PluginDistribution::find_event() {
  if (!table_.event_shape) return;
  constexpr size_t capacity = 8;
  int64_t sizes[capacity];
  size_t n = 0;
  Handles handles;
  for (const at::Tensor& t : params_) handles.push_back(plugin::borrow(t));
  instance_->call(
      [&](td_error** err) { return table_.event_shape(instance_->self(), handles.data(), sizes, capacity, &n, err); });
  if (n > capacity)
    throw Error(Code::plugin, "the distribution type has more than 8 event dims").where(instance_->id());
  Dims batch(batch_shape().begin(), batch_shape().end());
  adopt_shapes(batch, {sizes, n});
}

void PluginDistribution::check_params() const {
  for (size_t i = 0; i < params_.size(); ++i) {
    if (!params_[i].defined()) continue;
    Constraint constraint{rule(i).constraint, static_cast<size_t>(rule(i).event_dims), {}};
    if (satisfied(constraint, params_[i])) continue;
    bool only_zero = constraint.kind == TD_CONSTRAINT_POSITIVE_PROBABILITY &&
                     satisfied({TD_CONSTRAINT_UNIT_INTERVAL, 0, {}}, params_[i]);
    std::string fault = only_zero ? " to be positive but found invalid values: "
                                  : " to satisfy the constraint " + constraint.text() + ", but found invalid values: ";
    throw Error(Code::argument, "Expected parameter " + param_name(i) + " (Tensor of shape " +
                                    tuple_text(params_[i].sizes()) + ") of distribution " + repr() + fault +
                                    values_text(params_[i]))
        .key(to_string(Path(std::vector<Key>{param_name(i)})))
        .where(instance_->id());
  }
  if (!table_.check || std::any_of(params_.begin(), params_.end(), batched_by_vmap)) return;
  std::vector<at::Tensor> held;
  Handles handles;
  for (size_t i = 0; i < params_.size(); ++i) {
    held.push_back(broadcast(i));
    handles.push_back(plugin::borrow(held.back()));
  }
  instance_->call([&](td_error** err) { return table_.check(instance_->self(), handles.data(), err); });
}

void PluginDistribution::check_offered(bool there, const char* what) const {
  if (!there) throw Error(Code::unsupported, std::string("the distribution has no ") + what).where(instance_->id());
}

// At each call, so that it is recorded for the gradients of that call.
at::Tensor PluginDistribution::broadcast(size_t i) const {
  const at::Tensor& t = params_[i];
  if (!t.defined()) return t;
  Dims sizes(batch_shape().begin(), batch_shape().end());
  at::IntArrayRef own = t.sizes().slice(static_cast<size_t>(t.dim() - rule(i).event_dims));
  sizes.append(own.begin(), own.end());
  return t.sizes() == at::IntArrayRef(sizes) ? t : t.expand(sizes);
}

at::Tensor PluginDistribution::draw(Sampler sampler, at::IntArrayRef shape, Generator* generator) const {
  std::vector<int64_t> dims = shape.vec();
  dims.insert(dims.end(), batch_shape().begin(), batch_shape().end());
  std::vector<int64_t> all = dims;
  all.insert(all.end(), event_shape().begin(), event_shape().end());
  checked_numel(all, sizeof(double));
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return sampler(instance_->self(), params, dims.data(), dims.size(), plugin::borrow(generator), out, err);
  });
}

at::Tensor PluginDistribution::sample(at::IntArrayRef shape, Generator* generator) const {
  check_offered(table_.sample, "sample");
  at::AutoGradMode no_grad(false);
  return draw(table_.sample, shape, generator);
}

at::Tensor PluginDistribution::rsample(at::IntArrayRef shape, Generator* generator) const {
  check_offered(table_.rsample, "rsample");
  return draw(table_.rsample, shape, generator);
}

at::Tensor PluginDistribution::value(ValueOf what, const at::Tensor& value) const {
  struct Row {
    ValueFunction function;
    const char* name;
  };
  const Row rows[] = {{table_.log_prob, "log_prob"}, {table_.cdf, "cdf"}, {table_.icdf, "icdf"}};
  const Row& row = rows[static_cast<size_t>(what)];
  check_offered(row.function, row.name);
  // Python checks a cdf's value where the base distribution meets it, and there 0 is the limit of what it may be.
  bool may_be_zero = what == ValueOf::cdf && table_.support == TD_CONSTRAINT_POSITIVE;
  bool checked = validates() && !(table_.traits & TD_DISTRIBUTION_ANY_VALUE);
  if (checked && what != ValueOf::icdf) check_value(may_be_zero ? value.masked_fill(value == 0, 1) : value);
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return row.function(instance_->self(), params, plugin::borrow(value), out, err);
  });
}

PluginDistribution::Statistic PluginDistribution::statistic(Stat which) const {
  switch (which) {
    case Stat::mean:
      return table_.mean;
    case Stat::mode:
      return table_.mode;
    case Stat::variance:
      return table_.variance;
    case Stat::entropy:
    case Stat::perplexity:
      return table_.entropy;
    case Stat::median:
      return table_.median;
    case Stat::stddev:
      return table_.stddev ? table_.stddev : table_.variance;
    default:
      return table_.deterministic;
  }
}

bool PluginDistribution::has(Stat which) const {
  return statistic(which) != nullptr;
}

at::Tensor PluginDistribution::stat(Stat which) const {
  Statistic function = statistic(which);
  check_offered(function, stat_name(which));
  at::Tensor result = result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return function(instance_->self(), params, out, err);
  });
  if (which == Stat::stddev && !table_.stddev) return result.sqrt();
  return which == Stat::perplexity ? result.exp() : result;
}

at::Tensor PluginDistribution::enumerate_support(bool expand) const {
  check_offered(table_.enumerate, "enumerate_support");
  at::Tensor values = result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return table_.enumerate(instance_->self(), params, out, err);
  });
  std::vector<int64_t> shape{values.size(0)};
  shape.insert(shape.end(), batch_shape().size(), 1);
  shape.insert(shape.end(), event_shape().begin(), event_shape().end());
  values = values.reshape(shape);
  if (!expand) return values;
  std::copy(batch_shape().begin(), batch_shape().end(), shape.begin() + 1);
  return values.expand(shape);
}

DistributionPtr PluginDistribution::expand(at::IntArrayRef batch) const {
  Dims joined(batch.begin(), batch.end());
  if (!broadcast_into(joined, batch_shape()) || at::IntArrayRef(joined) != batch)
    throw Error(Code::shape, "batch shape " + to_string(batch_shape()) + " cannot be expanded to " + to_string(batch))
        .where(instance_->id());
  return c10::make_intrusive<PluginDistribution>(*this, batch);
}

}  // namespace td
