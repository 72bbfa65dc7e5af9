// Modules that make a distribution of what they read, and write a value of it.
#include "capi/callback.h"
#include "capi/distributions/dist.h"
#include "capi/module/module_keys.h"
#include "core/distributions/composite.h"
#include "core/distributions/plugin_distribution.h"
#include "core/nn/probabilistic_sequential.h"

using namespace td::capi;

namespace {

using ProbabilisticModule = td::ProbabilisticModule;

ProbabilisticModule::Options probabilistic_options(const td_probabilistic_options* given_options, size_t n_in) {
  td_probabilistic_options o = options(given_options);
  ProbabilisticModule::Options core;
  const td::Interaction type = interaction(o.default_interaction);
  if (type != td::Interaction::none) core.interaction = type;
  core.return_log_prob = o.return_log_prob != 0;
  core.aggregate = o.aggregate != 0;
  core.log_prob_keys = paths(o.log_prob_keys, o.n_log_prob_keys, "log_prob_keys");
  core.n_empirical = o.n_empirical_estimate;
  if (o.num_samples || o.n_num_samples > 0) {
    at::IntArrayRef sizes = dims(o.num_samples, o.n_num_samples);
    core.num_samples = td::Dims(sizes.begin(), sizes.end());
  }
  if (o.generator) core.generator = share(o.generator);
  if (o.generator_key) core.generator_key = paths(o.generator_key, 1, "generator_key").front();
  core.param_names = texts(o.param_names, n_in, "the name of a parameter");
  if (o.params) core.constants = share(const_cast<td_dict*>(o.params));
  return core;
}

td::Keys sample_keys(const td_key* keys, size_t n) {
  td::Keys out = paths(keys, n, "out_keys");
  return out.empty() ? td::Keys{td::Path{"_"}} : out;
}

td::ModulePtr probabilistic_module(ProbabilisticModule::Maker maker, td::Keys in, td::Keys out,
                                   const td_probabilistic_options* given_options) {
  ProbabilisticModule::Options core = probabilistic_options(given_options, in.size());
  return c10::make_intrusive<ProbabilisticModule>(std::move(maker), std::move(in), std::move(out), std::move(core));
}

struct TypedPart {
  td::Path params, name;
  td::DistributionType type;
};

td::DistributionPtr composite_of(const td::Node& params, const std::vector<TypedPart>& parts) {
  std::vector<td::Composite::Part> made;
  for (const TypedPart& p : parts)
    made.push_back({p.name, c10::make_intrusive<td::PluginDistribution>(p.type, *params.node(p.params))});
  return c10::make_intrusive<td::Composite>(params.batch_size(), std::move(made));
}

td::DistributionPtr call_maker(const Owned<td_dist_function>& function, const td::Node& params) {
  td_dist* result = nullptr;
  function("a distribution function", reinterpret_cast<const td_dict*>(&params), &result);
  if (!result) return {};
  td::DistributionPtr dist = share(result);
  release(result);
  return dist;
}

const td::Probabilistic& probabilistic(const td_module* self) {
  const td::Probabilistic* p = td::probabilistic(ref(self));
  if (!p) throw td::Error(td::Code::unsupported, "the module has no distribution");
  return *p;
}

td::NodePtr shared_or_null(td_dict* dict) {
  return dict ? share(dict) : td::NodePtr();
}

td::LogProbOptions log_prob_options(const td_log_prob_options* given_options) {
  td_log_prob_options o = options(given_options);
  td::LogProbOptions core;
  if (o.dist) core.dist = share(const_cast<td_dist*>(o.dist));
  core.include_sum = o.include_sum != 0;
  core.given_samples = o.given_samples != 0;
  return core;
}

template <class F>
td_status give_dist_keys(const td_module* self, td_keys** out_keys, td_error** err, F&& of) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = own_keys(of(probabilistic(self)));
  });
}

}  // namespace

// ---- Making them ----------------------------------------------------------------------------------------------------

td_status td_module_probabilistic(td_str type, td_str config, const td_key* in_keys, size_t n_in,
                                  const td_key* out_keys, size_t n_out, const td_probabilistic_options* given_options,
                                  td_module** out_module, td_error** err) noexcept {
  return guard(err, [&] {
    std::string name(given(type) ? text(type, "type") : "td.delta");
    td::DistributionType made(name, text(config, "config"));
    auto make = [made](const td::Node& params) -> td::DistributionPtr {
      return c10::make_intrusive<td::PluginDistribution>(made, params);
    };
    give(out_module, probabilistic_module({std::move(make), name, true}, paths(in_keys, n_in, "in_keys"),
                                          sample_keys(out_keys, n_out), given_options));
  });
}

td_status td_module_probabilistic_composite(const td_key* params, const td_dist_part* parts, size_t n_parts,
                                            const td_probabilistic_options* given_options, td_module** out_module,
                                            td_error** err) noexcept {
  return guard(err, [&] {
    if (n_parts > 0 && !parts) throw_null("parts");
    td::Keys in = paths(params, 1, "params"), names;
    std::vector<TypedPart> typed;
    for (size_t i = 0; i < n_parts; ++i) {
      td::Path key = paths(&parts[i].params, 1, "params").front();
      names.push_back(parts[i].name ? paths(parts[i].name, 1, "name").front() : key);
      typed.push_back(
          {key, names.back(), td::DistributionType(text(parts[i].type, "type"), text(parts[i].config, "config"))});
    }
    td_probabilistic_options o = options(given_options);
    const td_str name = TD_STR("params");
    o.param_names = &name;
    auto make = [typed](const td::Node& all) { return composite_of(*all.node(td::Path{"params"}), typed); };
    give(out_module,
         probabilistic_module({std::move(make), "CompositeDistribution", false}, std::move(in), std::move(names), &o));
  });
}

td_status td_module_probabilistic_function(const td_dist_function* function, const td_key* in_keys, size_t n_in,
                                           const td_key* out_keys, size_t n_out,
                                           const td_probabilistic_options* given_options, td_module** out_module,
                                           td_error** err) noexcept {
  Owned<td_dist_function> owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    out(out_module);
    auto make = [shared](const td::Node& params) { return call_maker(*shared, params); };
    give(out_module, probabilistic_module({std::move(make), "function", false}, paths(in_keys, n_in, "in_keys"),
                                          sample_keys(out_keys, n_out), given_options));
  });
}

td_status td_module_probabilistic_sequential(td_module* const* members, size_t n, td_return_composite return_composite,
                                             const td_sequential_options* given_options, td_module** out_module,
                                             td_error** err) noexcept {
  return guard(err, [&] {
    td::optional<bool> composite;
    if (return_composite < TD_RETURN_COMPOSITE_DEFAULT || return_composite > TD_RETURN_COMPOSITE_TRUE)
      throw td::Error(td::Code::argument, "no such return_composite: " + std::to_string(return_composite));
    if (return_composite != TD_RETURN_COMPOSITE_DEFAULT) composite = return_composite == TD_RETURN_COMPOSITE_TRUE;
    give(out_module, c10::make_intrusive<td::ProbabilisticSequential>(modules_of(members, n),
                                                                      sequential_options(given_options, n), composite));
  });
}

// ---- Distributions --------------------------------------------------------------------------------------------------

td_status td_module_get_dist(const td_module* self, td_dict* data, td_dict* tensordict_out, td_dist** out_dist,
                             td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dist);
    td::LayoutPtr layout = ref(self).layout();
    give(out_dist, probabilistic(self).dist(td::State(*layout), share(data), shared_or_null(tensordict_out), false));
  });
}

td_status td_module_get_dist_params(const td_module* self, td_dict* data, td_dict* tensordict_out, td_dict** out_dict,
                                    td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    auto* sequence = dynamic_cast<const td::ProbabilisticSequential*>(&ref(self));
    if (!sequence) throw td::Error(td::Code::argument, "the module is not a probabilistic sequence");
    td::LayoutPtr layout = sequence->layout();
    give(out_dict, sequence->dist_params(td::State(*layout), share(data), shared_or_null(tensordict_out)));
  });
}

td_status td_module_dist_from_params(const td_module* self, const td_dict* params, td_dist** out_dist,
                                     td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dist);
    give(out_dist, probabilistic(self).dist_of_params(ref(params)));
  });
}

td_status td_module_log_prob(const td_module* self, td_dict* data, const td_log_prob_options* given_options,
                             td_tensor** out_tensor, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_tensor);
    td::LayoutPtr layout = ref(self).layout();
    give(out_tensor, probabilistic(self).log_prob(td::State(*layout), share(data), log_prob_options(given_options)));
  });
}

td_status td_module_log_prob_dict(const td_module* self, td_dict* data, const td_log_prob_options* given_options,
                                  td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    td::LayoutPtr layout = ref(self).layout();
    give(out_dict, probabilistic(self).log_prob_dict(td::State(*layout), share(data), log_prob_options(given_options)));
  });
}

// ---- What they have -------------------------------------------------------------------------------------------------

td_status td_module_dist_params_keys(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_dist_keys(self, out_keys, err, [](const td::Probabilistic& p) { return p.params_keys(); });
}
td_status td_module_dist_sample_keys(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_dist_keys(self, out_keys, err, [](const td::Probabilistic& p) { return p.sample_keys(); });
}
td_status td_module_log_prob_keys(const td_module* self, td_keys** out_keys, td_error** err) noexcept {
  return give_dist_keys(self, out_keys, err, [](const td::Probabilistic& p) { return p.log_prob_keys(); });
}

size_t td_module_num_samples(const td_module* self, int64_t* out_dims, size_t capacity) noexcept {
  return guard_value(size_t{0}, [&] {
    const td::Probabilistic* p = td::probabilistic(ref(self));
    return p ? fill(p->num_samples(), out_dims, capacity) : size_t{0};
  });
}

td_interaction td_module_default_interaction(const td_module* self) noexcept {
  return guard_value(td_interaction{TD_INTERACTION_DEFAULT}, [&] {
    const td::Probabilistic* p = td::probabilistic(ref(self));
    return static_cast<td_interaction>(p ? p->interaction() : td::Interaction::none);
  });
}
