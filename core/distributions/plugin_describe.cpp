// What a distribution of a plugin type says about itself, and how far it is from others.
#include "core/distributions/ops.h"
#include "core/distributions/plugin_distribution.h"
#include "core/error.h"
#include "core/plugin/tables.h"

namespace td {

at::Tensor PluginDistribution::param(std::string_view name) const {
  for (size_t i = 0; i < params_.size(); ++i)
    if (plugin::text(table_.params[i]) == name) return broadcast(i);
  return {};
}

std::string PluginDistribution::class_name() const {
  std::string_view name = plugin::text(table_.name);
  return name.empty() ? instance_->id() : std::string(name);
}

std::string PluginDistribution::repr() const {
  std::string list;
  for (size_t i = 0; i < params_.size(); ++i) {
    if (!params_[i].defined()) continue;
    at::Tensor t = broadcast(i);
    std::string shown = size_text(t.sizes());
    if (t.numel() == 1 && t.dim() == 0) shown = values_text(t);
    if (t.numel() == 1 && t.dim() > 0) shown = "tensor(" + values_text(t) + ")";
    list += (list.empty() ? "" : ", ") + param_name(i) + ": " + shown;
  }
  return class_name() + "(" + list + ")";
}

Constraint PluginDistribution::support() const {
  return {table_.support, event_shape().size(), std::string(plugin::text(table_.support_name))};
}

at::Tensor PluginDistribution::within_support(const at::Tensor& value) const {
  if (table_.support != TD_CONSTRAINT_OWN) return satisfying(support(), value);
  if (!table_.within) throw Error(Code::plugin, "the table has no function \"within\"").where(instance_->id());
  return result_of([&](td_tensor* const* params, td_tensor** out, td_error** err) {
    return table_.within(instance_->self(), params, plugin::borrow(value), out, err);
  });
}

Distribution::Point PluginDistribution::point() const {
  if (table_.traits & TD_DISTRIBUTION_NO_POINT) return Point::refused;
  if (table_.traits & TD_DISTRIBUTION_POINT_IS_MODE) return Point::mode;
  return table_.traits & TD_DISTRIBUTION_POINT_IS_MEAN ? Point::mean : Point::by_support;
}

// One of the two tables' functions: of this distribution and another one, or of another one and this.
at::Tensor PluginDistribution::divergence(Divergence function, const PluginDistribution& other) const {
  if (!function) return {};
  std::vector<at::Tensor> held;
  auto lend = [&](const PluginDistribution& d) {
    Handles lent;
    for (size_t i = 0; i < d.params_.size(); ++i) {
      held.push_back(d.broadcast(i));
      lent.push_back(plugin::borrow(held.back()));
    }
    return lent;
  };
  Handles ours = lend(*this), theirs = lend(other);
  const td_str id{other.type_id().data(), other.type_id().size()};
  bool unknown = false;
  td_tensor* given = nullptr;
  instance_->call([&](td_error** err) {
    td_status status = function(instance_->self(), ours.data(), id, theirs.data(), &given, err);
    unknown = status == TD_ERR_UNSUPPORTED && !*err;
    return unknown ? TD_OK : status;
  });
  if (unknown) return {};
  if (!given) throw Error(Code::plugin, "the distribution type returned no tensor").where(instance_->id());
  return plugin::adopt(given);
}

at::Tensor PluginDistribution::kl_to(const PluginDistribution& other) const {
  at::Tensor known = divergence(table_.kl, other);
  return known.defined() ? known : other.divergence(other.table_.kl_from, *this);
}

}  // namespace td
