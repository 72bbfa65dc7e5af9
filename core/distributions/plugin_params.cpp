// Which parameters a type of a plugin is given.
#include <algorithm>

#include <boost/json/serialize.hpp>

#include "core/distributions/ops.h"
#include "core/distributions/plugin_distribution.h"
#include "core/plugin/tables.h"

namespace td {

void PluginDistribution::take_params(const Node& params) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table_.n_params; ++i) names.push_back(param_name(i));
  params.visit([&](const Key& k, const Entry&) {
    if (std::find(names.begin(), names.end(), k.text()) == names.end())
      throw Error(Code::key, "the distribution type has no such parameter")
          .key(to_string(Path(std::vector<Key>{k})))
          .where(instance_->id());
  });
  for (size_t i = 0; i < names.size(); ++i) {
    Path key(std::vector<Key>{names[i]});
    bool may_lack = rule(i).choice > 0 || (rule(i).flags & (TD_PARAM_OPTIONAL | TD_PARAM_FREE));
    params_.push_back(may_lack && !params.get(key) ? at::Tensor() : params.tensor(key));
  }
  bool numbers = true;
  for (size_t i = 0; i < names.size(); ++i)
    numbers = numbers && params_[i].defined() && params_[i].dim() == 0 && (rule(i).flags & TD_PARAM_WIDENS);
  for (size_t i = 0; numbers && i < names.size(); ++i)
    while (params_[i].dim() < rule(i).event_dims) params_[i] = params_[i].unsqueeze(0);
  for (size_t i = 0; i < names.size(); ++i) {
    if (params_[i].defined() || !(rule(i).flags & TD_PARAM_OPTIONAL)) continue;
    auto like = std::find_if(params_.begin(), params_.end(), [](const at::Tensor& t) { return t.defined(); });
    at::TensorOptions options = like == params_.end() ? at::TensorOptions() : like->options();
    params_[i] = at::full({}, rule(i).otherwise, options.requires_grad(nullopt));
  }
}

void PluginDistribution::check_choices() const {
  for (size_t i = 0; i < params_.size(); ++i) {
    int32_t choice = rule(i).choice;
    if (choice == 0) continue;
    std::vector<std::string> names;
    int taken = 0;
    bool first = true;
    for (size_t j = 0; j < params_.size(); ++j) {
      if (rule(j).choice != choice) continue;
      first = first && j >= i;
      names.push_back(param_name(j));
      taken += params_[j].defined();
    }
    if (!first || taken == 1) continue;
    if (names.size() == 2)
      throw Error(Code::argument, "Either `" + names[0] + "` or `" + names[1] + "` must be specified, but not both.")
          .where(instance_->id());
    std::string list = names[0];
    for (size_t j = 1; j < names.size(); ++j) list += " or " + names[j];
    throw Error(Code::argument, "Exactly one of " + list + " may be specified.").where(instance_->id());
  }
}

// The config with "event_dims" for types that leave it to the config. Parameters of fewer dims are the same for the
// whole event.
std::string PluginDistribution::with_event_dims(std::string_view config) {
  constexpr int64_t limit = 8;
  std::vector<at::Tensor*> open;
  int64_t most = 0, n = -1;
  for (size_t i = 0; table_.param_rules && i < params_.size(); ++i)
    if (table_.param_rules[i].event_dims == TD_EVENT_DIMS_OF_CONFIG && params_[i].defined()) {
      open.push_back(&params_[i]);
      most = std::max(most, params_[i].dim());
    }
  if (open.empty()) return std::string(config);
  const plugin::Config parsed(config);
  const bool given = parsed.get("event_dims", n);
  if (!given) n = std::min<int64_t>(1, most);
  if (n < 0 || n > limit)
    throw Error(Code::argument, "event_dims must be between 0 and " + std::to_string(limit)).where(instance_->id());
  event_dims_ = static_cast<int32_t>(n);
  for (at::Tensor* t : open)
    while (t->dim() < n && t->dim() < most) *t = t->unsqueeze(0);
  if (given) return std::string(config);
  boost::json::object whole = parsed.object();
  whole["event_dims"] = n;
  return boost::json::serialize(whole);
}

}  // namespace td
