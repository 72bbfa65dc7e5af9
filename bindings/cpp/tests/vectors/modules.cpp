// Modules with keys, the keys of sequences and of their parts, and mappings of parameters.
#include "vectors.hpp"

namespace vectors {

Module keyed(const object& spec) {
  const std::vector<Key> in = keys_of(spec.at("in")), out = keys_of(spec.at("out"));
  return Module::tensordict(
      [n = out.size()](const std::vector<Tensor>& inputs) {
        const auto count = static_cast<double>(inputs.size());
        std::vector<Tensor> outputs;
        for (std::size_t i = 0; i < n; ++i) outputs.push_back(inputs[i % inputs.size()] + count);
        return outputs;
      },
      in, out);
}

Module sequence(const json::value& spec, const SequenceOptions& options) {
  std::vector<Module> members;
  for (const json::value& m : spec.as_array()) {
    const object& o = m.as_object();
    members.push_back(o.contains("seq") ? sequence(o.at("seq")) : keyed(o));
  }
  return Module::sequential(members, options);
}

namespace {

// The members have the keys of the spec, at every depth.
void check_members(const Module& m, const json::array& spec) {
  check(m.size() == spec.size(), "there are " + std::to_string(m.size()) + " members");
  for (std::size_t i = 0; i < spec.size(); ++i) {
    const Module member = m.member(static_cast<std::int64_t>(i));
    const object& o = spec[i].as_object();
    if (o.contains("seq")) {
      check_members(member, o.at("seq").as_array());
      continue;
    }
    check_keys(member.in_keys().to_vector(), keys_of(o.at("in")), "the in-keys of member " + std::to_string(i));
    check_keys(member.out_keys().to_vector(), keys_of(o.at("out")), "the out-keys of member " + std::to_string(i));
  }
}

void seq_keys(const object& v) {
  const Module s = sequence(v.at("spec"));
  check_keys(s.in_keys().to_vector(), keys_of(v.at("in_keys")), "the in-keys");
  check_keys(s.out_keys().to_vector(), keys_of(v.at("out_keys")), "the out-keys");
}

std::optional<std::vector<Key>> keys_or_none(const json::value& v) {
  if (v.is_null()) return std::nullopt;
  return keys_of(v);
}

void select_subsequence(const object& v) {
  const Module s = sequence(v.at("spec"));
  auto select = [&] { return s.select_subsequence(keys_or_none(v.at("in_keys")), keys_or_none(v.at("out_keys"))); };
  if (v.contains("error")) {
    refused(select, "the selection");
    return;
  }
  const Module result = select();
  check_members(result, v.at("result").as_array());
  check_keys(result.in_keys().to_vector(), keys_of(v.at("result_in_keys")), "the in-keys");
  check_keys(result.out_keys().to_vector(), keys_of(v.at("result_out_keys")), "the out-keys");
}

std::string written(object config) {
  return json::serialize(config);
}

// A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
void mapping(const object& v) {
  const std::string name = text(v.at("name"));
  const DType dtype = dtype_of(v);
  if (name == "inv_softplus") {
    const Module inverse = Module::create("td.inv_softplus", "{}");
    return check_values(inverse(tensor(v.at("x"), dtype)), v.at("y"), 1e-6, "y");
  }
  const Module m = Module::create("td.normal_param_extractor", written({{"scale_mapping", name}, {"scale_lb", -1e30}}));
  json::array both(v.at("x").as_array().size(), json::value(0.0));
  for (const json::value& x : v.at("x").as_array()) both.push_back(x);
  check_values(m.call({tensor(both, dtype)}, 2)[1], v.at("y"), 1e-6, "y");
}

void normal_param_extractor(const object& v) {
  const Module m = Module::create("td.normal_param_extractor",
                                  written({{"scale_mapping", v.at("scale_mapping")}, {"scale_lb", v.at("scale_lb")}}));
  const Tensor x = tensor(v.at("x"), DType::float32);
  if (v.contains("error")) {
    refused([&] { m.call({x}, 2); }, "the extractor");
    return;
  }
  const std::vector<Tensor> both = m.call({x}, 2);
  check_values(both[0], v.at("loc"), 1e-6, "loc");
  check_values(both[1], v.at("scale"), 1e-6, "scale");
}

}  // namespace

void add_module_kinds(Kinds& kinds) {
  kinds["seq_keys"] = seq_keys;
  kinds["select_subsequence"] = select_subsequence;
  kinds["mapping"] = mapping;
  kinds["npe"] = normal_param_extractor;
}

}  // namespace vectors
