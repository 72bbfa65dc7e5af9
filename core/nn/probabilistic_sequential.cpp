#include "core/nn/probabilistic_sequential.h"

#include <algorithm>

#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/tensordict.h"
#include "core/distributions/composite.h"
#include "core/error.h"

namespace td {

namespace {

using Members = std::vector<ModulePtr>;

bool any_probabilistic(const Members& members) {
  return std::any_of(members.begin(), members.end(), [](const ModulePtr& m) { return m && probabilistic(*m); });
}

bool ends_probabilistic(const Members& members) {
  return !members.empty() && members.back() && probabilistic(*members.back());
}

bool composite_by_default(const Members& members) {
  auto direct = std::count_if(members.begin(), members.end(), [](const ModulePtr& m) {
    return dynamic_cast<const ProbabilisticModule*>(m.get()) != nullptr;
  });
  return !ends_probabilistic(members) || direct > 1;
}

void check_made_of(const Members& members, bool composite) {
  if (members.empty()) throw Error(Code::argument, "a probabilistic sequence must have a member");
  if (!composite && !ends_probabilistic(members))
    throw Error(Code::argument, "the last member has no distribution")
        .hint("only a sequence that returns a composite distribution may end with another module");
}

// Itself, or the last one below it.
const Probabilistic* last_in(const Module& module) {
  if (const Probabilistic* p = probabilistic(module)) return p;
  const auto& children = module.children();
  for (auto c = children.rbegin(); c != children.rend(); ++c)
    if (c->module)
      if (const Probabilistic* p = last_in(*c->module)) return p;
  return nullptr;
}

// Callers with the list of members may have added one after the last, or removed all of them.
size_t last_of(State list) {
  if (list.child_count() == 0) throw Error(Code::unsupported, "all members of the sequence were removed");
  return list.child_count() - 1;
}

const Probabilistic& probabilistic_at(State list, size_t index) {
  const Probabilistic* p = probabilistic(list.module(index));
  if (!p)
    throw Error(Code::unsupported, "the last member of the sequence has no distribution")
        .hint("a member was added after the sequence was made");
  return *p;
}

// The value that a distribution is of; throws Error(unsupported) if the members have none.
Path only_sample(const Keys& keys) {
  if (keys.empty())
    throw Error(Code::unsupported, "no member of the sequence has a sample")
        .hint_naming("give the distribution's log-probability with {dist_log_prob}");
  return keys[0];
}

void append_all(Keys& to, Keys from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

// What `get` gives of the probabilistic members, the last one first.
template <class F>
Keys of_all(const Members& members, F&& get) {
  Keys out;
  for (auto m = members.rbegin(); m != members.rend(); ++m)
    if (const Probabilistic* p = probabilistic(**m)) append_all(out, get(*p));
  return out;
}

// The data with a value of what `module` has made of it.
NodePtr with_sample(const Module& module, const Distribution& dist, NodePtr data, bool given_samples) {
  const Probabilistic& member = *probabilistic(module);
  Keys keys = member.sample_keys();
  if (given_samples &&
      std::all_of(keys.begin(), keys.end(), [&](const Path& k) { return bool(data->look_at(k, Detail::kind)); }))
    return data;
  Dims sizes = member.num_samples();
  NodePtr drawn;
  if (auto* single = dynamic_cast<const ProbabilisticModule*>(&module)) {
    drawn = single->draw(dist, data, current_interaction());
  } else {
    Interaction type = current_interaction() != Interaction::none ? current_interaction() : member.interaction();
    DrawOptions draw{sizes, nullptr, 0};
    if (auto* c = dynamic_cast<const Composite*>(&dist)) {
      drawn = c->interact_dict(type, draw);
    } else {
      drawn = TensorDict::make({});
      drawn->set(only_sample(keys), interact(dist, type, draw));
    }
  }
  if (!sizes.empty()) {
    sizes.append(data->batch_size().begin(), data->batch_size().end());
    data = expand(*data, sizes);
  }
  for (const Path& k : leaf_paths(*drawn)) data->set(k, drawn->tensor(k));
  return data;
}

}  // namespace

ProbabilisticSequential::ProbabilisticSequential(const Members& members, Options options, optional<bool> composite)
    : Sequential(members, std::move(options)), composite_(composite.value_or(composite_by_default(members))) {
  check_made_of(members, composite_);
  refresh_sampling();
}

void ProbabilisticSequential::check_members(const Members& members) const {
  check_made_of(members, composite_);
}

void ProbabilisticSequential::refresh() {
  Sequential::refresh();
  refresh_sampling();
}

void ProbabilisticSequential::refresh_sampling() {
  Members all = members();
  const Probabilistic* last = all.empty() ? nullptr : probabilistic(*all.back());
  Keys before = out_keys_before_last(), samples = last ? last->sample_keys() : Keys();
  requires_sample_ =
      !last || !std::all_of(samples.begin(), samples.end(), [&](const Path& k) { return has_key(before, k); });
}

ModulePtr ProbabilisticSequential::of_members(const Members& members, Options options, Part part) const {
  if (part == Part::subsequence)
    return c10::make_intrusive<ProbabilisticSequential>(members, std::move(options), nullopt);
  if (composite_ && any_probabilistic(members))
    return c10::make_intrusive<ProbabilisticSequential>(members, std::move(options), true);
  if (ends_probabilistic(members))
    return c10::make_intrusive<ProbabilisticSequential>(members, std::move(options), nullopt);
  return Sequential::of_members(members, std::move(options), part);
}

Keys ProbabilisticSequential::out_keys_before_last() const {
  Members all = members();
  Keys out;
  for (size_t i = 0; i + 1 < all.size(); ++i) append_all(out, all[i]->keyed()->out_keys());
  return out;
}

// ---- What it has ----------------------------------------------------------------------------------------------------

Keys ProbabilisticSequential::params_keys() const {
  return of_all(members(), [](const Probabilistic& p) { return p.params_keys(); });
}
Keys ProbabilisticSequential::sample_keys() const {
  return of_all(members(), [](const Probabilistic& p) { return p.sample_keys(); });
}
Keys ProbabilisticSequential::log_prob_keys() const {
  return of_all(members(), [](const Probabilistic& p) { return p.log_prob_keys(); });
}

Dims ProbabilisticSequential::num_samples() const {
  Dims all;
  for (const ModulePtr& m : members())
    if (const Probabilistic* p = probabilistic(*m)) {
      Dims own = p->num_samples();
      all.insert(all.begin(), own.begin(), own.end());
    }
  return all;
}

Interaction ProbabilisticSequential::interaction() const {
  Members all = members();
  for (auto m = all.rbegin(); m != all.rend(); ++m)
    if (const Probabilistic* p = probabilistic(**m))
      if (p->interaction() != Interaction::none) return p->interaction();
  return Interaction::none;
}

bool ProbabilisticSequential::aggregates() const {
  Members all = members();
  return std::any_of(all.begin(), all.end(), [](const ModulePtr& m) {
    const Probabilistic* p = probabilistic(*m);
    return p && p->aggregates();
  });
}

// ---- Running --------------------------------------------------------------------------------------------------------

NodePtr ProbabilisticSequential::target(const NodePtr& data, const NodePtr& given) const {
  NodePtr own = inplace_target(data);
  return own ? own : given;
}

NodePtr ProbabilisticSequential::run_before_last(State state, NodePtr data, const Run& how) const {
  Interaction type = current_interaction() != Interaction::none ? current_interaction() : interaction();
  InteractionScope scope(type);
  Run each = how;
  each.requires_sample = true;
  for (size_t i = 0; i + 1 < state.child(0).child_count(); ++i) data = run_member(state, i, data, each);
  return data;
}

NodePtr ProbabilisticSequential::run_members(State state, NodePtr data, const Run& how) const {
  const size_t last = last_of(state.child(0));
  Run each = how;
  each.requires_sample = true;
  if (!composite_) data = run_before_last(state, std::move(data), how);
  for (size_t i = composite_ ? 0 : last; i <= last; ++i) {
    each.requires_sample = i < last || (how.requires_sample && requires_sample_);
    data = run_member(state, i, data, each);
  }
  return data;
}

NodePtr ProbabilisticSequential::dist_params(State state, const NodePtr& data, const NodePtr& out) const {
  NodePtr result = run_before_last(state, out ? shallow_copy(*data) : data, {});
  if (!out) return result;
  UpdateOptions written;
  written.keys = out_keys_before_last();
  update(*out, *result, written);
  return out;
}

// ---- Distributions --------------------------------------------------------------------------------------------------

DistributionPtr ProbabilisticSequential::dist(State state, const NodePtr& data, const NodePtr& out,
                                              bool given_samples) const {
  if (composite_) return composite_dist(state, data, given_samples);
  NodePtr params = run_before_last(state, out ? shallow_copy(*data) : data, {});
  State list = state.child(0);
  const size_t last = last_of(list);
  DistributionPtr dist = probabilistic_at(list, last).dist(list.child(last), params, {}, given_samples);
  if (out) {
    UpdateOptions written;
    written.keys = out_keys_before_last();
    update(*out, *params, written);
  }
  return dist;
}

// Each member but the last draws anew, so that those after it have something to read.
DistributionPtr ProbabilisticSequential::composite_dist(State state, const NodePtr& data, bool given_samples) const {
  State list = state.child(0);
  NodePtr work = shallow_copy(*data);
  std::vector<Composite::Part> parts;
  auto add = [&](const Path& name, const DistributionPtr& dist) {
    for (Composite::Part& p : parts)
      if (same(p.name, name)) return void(p.dist = dist);
    parts.push_back({name, dist});
  };
  for (size_t i = 0; i < list.child_count(); ++i) {
    const Probabilistic* member = probabilistic(list.module(i));
    if (!member) {
      work = run_member(state, i, work, {});
      continue;
    }
    DistributionPtr dist = member->dist(list.child(i), work, {}, given_samples);
    if (i + 1 < list.child_count()) work = with_sample(list.module(i), *dist, work, given_samples);
    if (auto* c = dynamic_cast<const Composite*>(dist.get()))
      for (const Composite::Part& p : c->parts()) add(p.name, p.dist);
    else
      add(only_sample(member->sample_keys()), dist);
  }
  if (parts.empty()) throw Error(Code::unsupported, "no member of the sequence has a distribution");
  return c10::make_intrusive<Composite>(work->batch_size(), std::move(parts));
}

DistributionPtr ProbabilisticSequential::dist_of_params(const Node& params) const {
  Members all = members();
  for (auto m = all.rbegin(); m != all.rend(); ++m)
    if (const Probabilistic* p = last_in(**m)) return p->dist_of_params(params);
  throw Error(Code::unsupported, "no member of the sequence has a distribution");
}

// ---- Log-probabilities ----------------------------------------------------------------------------------------------

at::Tensor ProbabilisticSequential::log_prob(State state, const NodePtr& data, const LogProbOptions& options) const {
  DistributionPtr made = options.dist ? options.dist : dist(state, data, {}, options.given_samples);
  if (auto* c = dynamic_cast<const Composite*>(made.get())) return c->log_prob_sum(*data);
  return made->log_prob(data->tensor(only_sample(sample_keys())));
}

NodePtr ProbabilisticSequential::log_prob_dict(State state, const NodePtr& data, const LogProbOptions& options) const {
  DistributionPtr made = options.dist ? options.dist : dist(state, data, {}, options.given_samples);
  if (composite_ && dynamic_cast<const Composite*>(made.get())) {
    const bool named = !aggregates();
    return log_prob_dict_of(*made, *data, named ? sample_keys() : Keys(), named ? log_prob_keys() : Keys(),
                            options.include_sum || !named);
  }
  State list = state.child(0);
  const size_t last = last_of(list);
  LogProbOptions given = options;
  given.dist = made;
  return probabilistic_at(list, last).log_prob_dict(list.child(last), data, given);
}

}  // namespace td
