#include "core/nn/probabilistic.h"

#include <algorithm>
#include <set>

#include <ATen/ops/randint.h>

#include "core/dict/change/edit.h"
#include "core/dict/change/update.h"
#include "core/dict/copy.h"
#include "core/dict/data/data.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/tensordict.h"
#include "core/distributions/composite.h"
#include "core/distributions/ops.h"
#include "core/error.h"

namespace td {

namespace {

const char* const sum_name = "sample_log_prob";

Keys named_after(const Keys& samples) {
  Keys out;
  for (const Path& k : samples) out.push_back(with_suffix(k, "_log_prob"));
  return out;
}

ProbabilisticModule::Options completed(ProbabilisticModule::Options o, const Keys& in_keys, const Keys& samples) {
  const size_t wanted = o.aggregate ? 1 : samples.size(), given = o.log_prob_keys.size();
  if (given != 0 && given != wanted)
    throw Error(Code::argument, std::to_string(given) + " log-probability keys were given for " +
                                    std::to_string(wanted) + (o.aggregate ? " sum" : " samples"))
        .hint(o.aggregate ? "an aggregated log-probability has one key" : "each sample has one log-probability key");
  if (given == 0) o.log_prob_keys = o.aggregate ? Keys{Path{sum_name}} : named_after(samples);
  if (o.param_names.empty())
    for (const Path& k : in_keys) o.param_names.push_back(k.keys().back().text());
  return o;
}

// The samples, and what is written beside them.
Keys all_written(const Keys& samples, const ProbabilisticModule::Options& options) {
  Keys all = samples;
  if (options.return_log_prob)
    for (const Path& k : options.log_prob_keys)
      if (!has_key(all, k)) all.push_back(k);
  return all;
}

const Composite* composite(const Distribution& dist) {
  return dynamic_cast<const Composite*>(&dist);
}

// A custom key must leave the samples as they are.
void check_apart(const Keys& samples, const Keys& keys) {
  for (const Path& k : keys)
    for (const Path& s : samples)
      if (starts_with(k, s) || starts_with(s, k))
        throw Error(Code::argument, "a log-probability key would overwrite the sample " + to_string(s))
            .key(to_string(k));
}

// Makes a distribution; what it lacks is named by the keys of the data.
DistributionPtr made(const ProbabilisticModule::Maker& maker, const Node& params, const Keys& missing) {
  try {
    DistributionPtr dist = maker.make(params);
    if (!dist) throw Error(Code::callback, "the function returned no distribution").where(maker.name);
    return dist;
  } catch (...) {
    Error cause = current_error();
    if (missing.empty() || (cause.code() != Code::key && cause.code() != Code::argument)) throw Error(cause);
    std::string names;
    for (const Path& k : missing) names += (names.empty() ? "" : ", ") + to_string(k);
    throw Error(Code::key,
                "parameters of the distribution are missing in the dict: [" + names + "]; " + cause.message())
        .key(to_string(missing[0]))
        .where(cause.where())
        .cause(std::make_shared<const Error>(cause));
  }
}

at::IntArrayRef sizes_of(const optional<Dims>& dims) {
  return dims ? at::IntArrayRef(*dims) : at::IntArrayRef();
}

}  // namespace

NodePtr log_prob_dict_of(const Distribution& dist, const Node& data, const Keys& samples, const Keys& keys,
                         bool include_sum) {
  if (const Composite* c = composite(dist)) {
    NodePtr named = c->log_prob_dict(data, include_sum), out = TensorDict::make(named->batch_size());
    for (const Composite::Part& p : c->parts()) {
      auto sample = std::find_if(samples.begin(), samples.end(), [&](const Path& k) { return same(k, p.name); });
      Path name = with_suffix(p.name, "_log_prob");
      auto at = static_cast<size_t>(sample - samples.begin());
      bool keyed = sample != samples.end() && at < keys.size();
      out->set(keyed ? keys[at] : name, named->tensor(name));
    }
    if (Entry sum = named->get(Path{sum_name})) out->set(Path{sum_name}, sum.tensor());
    return out;
  }
  if (samples.empty() || keys.empty())
    throw Error(Code::unsupported,
                "the distribution " + dist.class_name() + " has one value, but there is no key for it")
        .hint("only composite distributions have an aggregated log-probability");
  at::Tensor log_prob = dist.log_prob(data.tensor(samples[0]));
  const size_t batch_dims = data.batch_dims();
  const bool batched =
      log_prob.sizes().size() >= batch_dims && log_prob.sizes().slice(0, batch_dims) == data.batch_size();
  NodePtr out = TensorDict::make(batched ? data.batch_size() : at::IntArrayRef());
  out->set(keys[0], log_prob);
  if (include_sum)
    out->set(Path{sum_name}, batched ? sum_rightmost(log_prob, log_prob.sizes().size() - batch_dims) : log_prob);
  return out;
}

// ---- Making it ------------------------------------------------------------------------------------------------------

ProbabilisticModule::ProbabilisticModule(Maker maker, Keys in_keys, Keys sample_keys, Options options)
    : ProbabilisticModule(std::move(maker), in_keys, sample_keys, completed(std::move(options), in_keys, sample_keys),
                          0) {}

ProbabilisticModule::ProbabilisticModule(Maker maker, const Keys& in_keys, Keys sample_keys, Options options, int)
    : KeyedModule(in_keys, all_written(sample_keys, options)),
      maker_(std::move(maker)),
      sample_keys_(std::move(sample_keys)),
      options_(std::move(options)) {
  check_names();
  if (options_.return_log_prob) check_apart(sample_keys_, options_.log_prob_keys);
  if (options_.n_empirical < 0) throw Error(Code::argument, "the number of draws is negative");
  for (int64_t n : sizes_of(options_.num_samples))
    if (n < 0) throw Error(Code::argument, "the number of samples is negative");
}

void ProbabilisticModule::check_names() const {
  if (sample_keys_.empty()) throw Error(Code::argument, "the module has no out-keys");
  if (maker_.plain && sample_keys_.size() != 1)
    throw Error(Code::argument, "one distribution returns one value, but there are " +
                                    std::to_string(sample_keys_.size()) + " out-keys");
  if (options_.param_names.size() != in_keys().size())
    throw Error(Code::argument, std::to_string(options_.param_names.size()) + " names of parameters were given for " +
                                    std::to_string(in_keys().size()) + " in-keys");
  std::set<std::string> seen;
  auto check = [&](const std::string& name) {
    if (!seen.insert(name).second) throw Error(Code::argument, "the parameter '" + name + "' is given twice").key(name);
  };
  for (const std::string& name : options_.param_names) check(name);
  if (options_.constants) options_.constants->visit([&](const Key& k, const Entry&) { check(k.text()); });
}

void ProbabilisticModule::select_out_keys(Keys) {
  throw Error(Code::unsupported, "the out-keys of a probabilistic module cannot be selected")
      .hint("put the module into a sequence and select in the sequence");
}

std::string ProbabilisticModule::extra_repr() const {
  static const char* const types[] = {"none", "mode", "median", "mean", "random", "deterministic"};
  return "distribution_class=" + maker_.name +
         ",\ndefault_interaction_type=" + types[static_cast<size_t>(options_.interaction)] +
         ",\nnum_samples=" + (options_.num_samples ? size_text(*options_.num_samples) : "None");
}

// ---- Distributions and values ---------------------------------------------------------------------------------------

DistributionPtr ProbabilisticModule::dist(const Node& data) const {
  NodePtr params = TensorDict::make({});
  Keys missing;
  for (size_t i = 0; i < in_keys().size(); ++i) {
    Entry e = data.get(in_keys()[i]);
    if (e)
      params->put(options_.param_names[i], std::move(e));
    else
      missing.push_back(in_keys()[i]);
  }
  if (options_.constants) options_.constants->visit([&](const Key& k, const Entry& e) { params->put(k, e); });
  return made(maker_, *params, missing);
}

NodePtr ProbabilisticModule::values(const Distribution& dist, Interaction type, Generator* generator) const {
  if (type == Interaction::none) type = options_.interaction;
  DrawOptions draw{sizes_of(options_.num_samples), generator, options_.n_empirical};
  if (const Composite* c = composite(dist)) {
    NodePtr out = c->interact_dict(type, draw);
    for (const Path& k : sample_keys_)
      if (!out->get(k)) throw Error(Code::key, "the distribution has no part of this name").key(to_string(k));
    return out;
  }
  if (sample_keys_.size() != 1)
    throw Error(Code::argument, "the distribution " + dist.class_name() + " returns one value, but there are " +
                                    std::to_string(sample_keys_.size()) + " out-keys");
  NodePtr out = TensorDict::make({});
  out->set(sample_keys_[0], interact(dist, type, draw));
  return out;
}

NodePtr ProbabilisticModule::scores(const Distribution& dist, const Node& data, bool include_sum) const {
  if (!composite(dist) || !options_.aggregate)
    return log_prob_dict_of(dist, data, sample_keys_, options_.log_prob_keys, include_sum);
  NodePtr out = log_prob_dict_of(dist, data, {}, {}, true);
  const Path& key = options_.log_prob_keys[0];
  if (same(key, Path{sum_name})) return out;
  at::Tensor sum = out->tensor(Path{sum_name});
  if (!include_sum) out->erase_path(Path{sum_name});
  out->set(key, sum);
  return out;
}

at::Tensor ProbabilisticModule::log_prob(State, const NodePtr& data, const LogProbOptions& options) const {
  DistributionPtr made = options.dist ? options.dist : dist(*data);
  if (const Composite* c = composite(*made)) return c->log_prob_sum(*data);
  return made->log_prob(data->tensor(sample_keys_[0]));
}

NodePtr ProbabilisticModule::log_prob_dict(State, const NodePtr& data, const LogProbOptions& options) const {
  return scores(options.dist ? *options.dist : *dist(*data), *data, options.include_sum);
}

// ---- Seeds in the data ----------------------------------------------------------------------------------------------

ProbabilisticModule::Seed ProbabilisticModule::seed_of(const Node& data) const {
  if (options_.generator || !options_.generator_key) return {options_.generator, {}};
  const Path& key = *options_.generator_key;
  Entry e = data.get(key);
  if (!e) return {};
  int64_t seed = 0;
  if (e.is_tensor() && e.tensor().numel() == 1 && at::isIntegralType(e.tensor().scalar_type(), false)) {
    seed = e.tensor().item<int64_t>();
  } else if (e.is_data() && e.data()->value().kind == Value::Kind::integer) {
    seed = e.data()->value().i;
  } else {
    throw Error(Code::argument, "a seed must be one integer").key(to_string(key));
  }
  return {c10::make_intrusive<Generator>(static_cast<uint64_t>(seed)), std::move(e)};
}

// In the form of the one before.
Entry ProbabilisticModule::next_seed(const Seed& seed) const {
  at::Tensor next = at::randint(0, int64_t{1} << 62, {}, seed.generator->get(), at::kLong);
  if (seed.form.is_tensor()) return next.reshape(seed.form.tensor().sizes()).to(seed.form.tensor().device());
  Value value;
  value.kind = Value::Kind::integer;
  value.i = next.item<int64_t>();
  return Data::uniform(std::move(value), seed.form.data()->batch());
}

NodePtr ProbabilisticModule::draw(const Distribution& dist, const NodePtr& data, Interaction type) const {
  Seed seed = seed_of(*data);
  NodePtr out = values(dist, type, seed.generator.get());
  if (seed.form) data->set(*options_.generator_key, next_seed(seed));
  return out;
}

// ---- Running --------------------------------------------------------------------------------------------------------

NodePtr ProbabilisticModule::do_run(State, const NodePtr& data, const Run& how) const {
  if (skips(*data, how)) return data;
  NodePtr target = how.out ? how.out : data;
  DistributionPtr made = dist(*data);
  if (!how.requires_sample) {
    if (options_.return_log_prob) update(*target, *scores(*made, *data, false), {});
    return target;
  }
  Seed seed = seed_of(*data);
  NodePtr outputs = values(*made, current_interaction(), seed.generator.get());
  NodePtr more = options_.return_log_prob ? scores(*made, *outputs, false) : NodePtr();
  Edit edit;
  if (seed.form) edit.set(*data, *options_.generator_key, next_seed(seed));
  if (options_.num_samples) {
    Dims sizes = *options_.num_samples;
    sizes.append(target->batch_size().begin(), target->batch_size().end());
    target = expand(*target, sizes);
  }
  write(edit, *target, *outputs);
  if (more) write(edit, *target, *more);
  edit.keep();
  return target;
}

// As update does, but each leaf by itself: nodes that are made get the batch size of the target.
void ProbabilisticModule::write(Edit& edit, Node& target, const Node& values) const {
  for (const Path& k : leaf_paths(values)) edit.set(target, k, values.tensor(k));
}

}  // namespace td
