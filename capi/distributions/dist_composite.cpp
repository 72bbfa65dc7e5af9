// Interaction types and composite distributions.
#include "capi/callback.h"
#include "capi/convert.h"
#include "capi/distributions/dist.h"
#include "capi/guard.h"
#include "core/distributions/composite.h"
#include "core/distributions/plugin_distribution.h"

using namespace td::capi;

td::Interaction td::capi::interaction(td_interaction type) {
  if (type < TD_INTERACTION_DEFAULT || type > TD_INTERACTION_DETERMINISTIC)
    throw td::Error(td::Code::argument, "no such interaction type: " + std::to_string(type));
  return static_cast<td::Interaction>(type);
}

namespace {

td::Generator* generator_or_null(td_generator* generator) {
  return generator ? &ref(generator) : nullptr;
}

td::Interaction interaction_or_default(td_interaction type) {
  td::Interaction chosen = interaction(type);
  return chosen == td::Interaction::none ? td::Interaction::deterministic : chosen;
}

td::DrawOptions draw_options(const int64_t* shape, size_t ndim, int64_t n_empirical, td_generator* generator) {
  if (n_empirical < 0) throw td::Error(td::Code::argument, "the number of draws is negative");
  return {dims(shape, ndim), generator_or_null(generator), n_empirical};
}

const td::Composite& composite(const td_dist* dist) {
  auto* c = dynamic_cast<const td::Composite*>(&ref(dist));
  if (!c)
    throw td::Error(td::Code::unsupported, "the distribution " + ref(dist).class_name() + " is not a composite")
        .hint("use td_dist_sample and the other functions that return tensors");
  return *c;
}

td::Composite::Part made_part(const td::Node& params, const td_dist_part& part) {
  td::Path key = paths(&part.params, 1, "params").front();
  td::Path name = part.name ? paths(part.name, 1, "name").front() : key;
  auto dist = c10::make_intrusive<td::PluginDistribution>(text(part.type, "type"), *params.node(key),
                                                          text(part.config, "config"));
  return {std::move(name), std::move(dist)};
}

}  // namespace

td_status td_interaction_from_name(td_str name, td_interaction* out_type, td_error** err) noexcept {
  return guard(err, [&] { out(out_type) = static_cast<td_interaction>(td::parse_interaction(text(name, "name"))); });
}

td_status td_interaction_set(td_interaction type, td_interaction* out_previous, td_error** err) noexcept {
  return guard(err, [&] {
    td::Interaction previous = td::set_interaction(interaction(type));
    if (out_previous) *out_previous = static_cast<td_interaction>(previous);
  });
}

td_status td_interaction_run(td_interaction type, td_run_function fn, void* userdata, td_error** err) noexcept {
  return guard(err, [&] {
    if (!fn) throw_null("fn");
    td::InteractionScope block(interaction(type));
    call_back(fn, userdata, "the function");
  });
}

td_interaction td_interaction_get(void) noexcept {
  return static_cast<td_interaction>(td::current_interaction());
}

td_status td_dist_interact(const td_dist* self, td_interaction type, const int64_t* shape, size_t ndim,
                           int64_t n_empirical, td_generator* generator, td_tensor** out_tensor,
                           td_error** err) noexcept {
  return guard(err, [&] {
    give(out_tensor,
         td::interact(ref(self), interaction_or_default(type), draw_options(shape, ndim, n_empirical, generator)));
  });
}

td_status td_dist_composite(const td_dict* params, const td_dist_part* parts, size_t n, td_dist** out_dist,
                            td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !parts) throw_null("parts");
    std::vector<td::Composite::Part> made;
    for (size_t i = 0; i < n; ++i) made.push_back(made_part(ref(params), parts[i]));
    give(out_dist, td::DistributionPtr(c10::make_intrusive<td::Composite>(ref(params).batch_size(), std::move(made))));
  });
}

td_status td_dist_composite_of(const int64_t* batch, size_t ndim, const td_key* names, td_dist* const* dists, size_t n,
                               td_dist** out_dist, td_error** err) noexcept {
  return guard(err, [&] {
    if (n > 0 && !dists) throw_null("dists");
    std::vector<td::Path> keys = paths(names, n, "names");
    std::vector<td::Composite::Part> parts;
    for (size_t i = 0; i < n; ++i) parts.push_back({std::move(keys[i]), share(dists[i])});
    give(out_dist, td::DistributionPtr(c10::make_intrusive<td::Composite>(dims(batch, ndim), std::move(parts))));
  });
}

td_status td_dist_sample_dict(const td_dist* self, const int64_t* shape, size_t ndim, td_generator* generator,
                              td_dict** out_dict, td_error** err) noexcept {
  return guard(err,
               [&] { give(out_dict, composite(self).sample_dict(dims(shape, ndim), generator_or_null(generator))); });
}

td_status td_dist_rsample_dict(const td_dist* self, const int64_t* shape, size_t ndim, td_generator* generator,
                               td_dict** out_dict, td_error** err) noexcept {
  return guard(err,
               [&] { give(out_dict, composite(self).rsample_dict(dims(shape, ndim), generator_or_null(generator))); });
}

td_status td_dist_get_dict(const td_dist* self, td_dist_stat stat, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, composite(self).stat_dict(dist_stat(stat))); });
}

td_status td_dist_interact_dict(const td_dist* self, td_interaction type, const int64_t* shape, size_t ndim,
                                int64_t n_empirical, td_generator* generator, td_dict** out_dict,
                                td_error** err) noexcept {
  return guard(err, [&] {
    give(out_dict, composite(self).interact_dict(interaction_or_default(type),
                                                 draw_options(shape, ndim, n_empirical, generator)));
  });
}

td_status td_dist_log_prob_dict(const td_dist* self, const td_dict* sample, td_bool include_sum, td_dict** out_dict,
                                td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, composite(self).log_prob_dict(ref(sample), include_sum != 0)); });
}

td_status td_dist_log_prob_sum(const td_dist* self, const td_dict* sample, td_tensor** out_tensor,
                               td_error** err) noexcept {
  return guard(err, [&] { give(out_tensor, composite(self).log_prob_sum(ref(sample))); });
}

td_status td_dist_cdf_dict(const td_dist* self, td_dict* sample, td_error** err) noexcept {
  return guard(err, [&] { composite(self).write_cdf(ref(sample)); });
}

td_status td_dist_icdf_dict(const td_dist* self, td_dict* sample, td_error** err) noexcept {
  return guard(err, [&] { composite(self).write_icdf(ref(sample)); });
}
