// Running modules on dicts and on values.
#include "vectors.hpp"

namespace vectors {
namespace {

void run_module(const object& v) {
  Module m = keyed(v.at("module").as_object());
  if (v.contains("select")) m.select_out_keys(keys_of(v.at("select")));
  Dict data = dict_of(keys_of(v.at("input_keys")));
  const Dict result = m(data);
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  if (v.contains("same_object")) check(result.is(data) == v.at("same_object").as_bool(), "the same object");
  if (!v.contains("dispatch_value")) return;
  const std::vector<Result> outs = m.dispatch({0.0, 1.0});
  check(outs.size() == 1, "one value is dispatched");
  check_values(outs[0].tensor(), v.at("dispatch_value"), 1e-6, "the dispatched value");
}

// [a->b, b->c] with inplace=False.
void run_sequence_to_new_dict(const object& v) {
  SequenceOptions options;
  options.inplace = Inplace::no;
  const Module s = sequence(json::parse(R"([{"in": ["a"], "out": ["b"]}, {"in": ["b"], "out": ["c"]}])"), options);
  Dict data({{"a", Tensor::of({0.f, 1.f, 2.f})}}, {3});
  const Dict result = s(data);
  check(!result.is(data), "another dict");
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  check_same_set(leaf_keys(data), keys_of(v.at("input_keys_after")), "the keys of the input");
  check(result.batch_size().size() == v.at("output_batch_size").as_array().size(), "the batch size");
}

Inplace inplace_of(const object& v) {
  if (!v.contains("inplace") || v.at("inplace").is_null()) return Inplace::none;
  const json::value& given = v.at("inplace");
  if (given.is_string()) return Inplace::empty;
  return given.as_bool() ? Inplace::yes : Inplace::no;
}

// "lazy": the keys of each member of a lazy stack.
Dict lazy_of(const json::value& members) {
  std::vector<Dict> dicts;
  for (const json::value& keys : members.as_array()) dicts.push_back(dict_of(keys_of(keys)));
  return lazy_stack(dicts);
}

// "part": the keys of select_subsequence.
Module part_of(const Module& whole, const object& keys) {
  std::optional<std::vector<Key>> in, out;
  if (keys.contains("in_keys")) in = keys_of(keys.at("in_keys"));
  if (keys.contains("out_keys")) out = keys_of(keys.at("out_keys"));
  return whole.select_subsequence(in, out);
}

// A sequence with options, or a part of it, on a dict of the "input_keys" or on a lazy stack.
void run_sequence(const object& v) {
  SequenceOptions options;
  options.inplace = inplace_of(v);
  options.partial_tolerant = flag(v, "partial_tolerant");
  if (v.contains("select")) options.selected_out_keys = keys_of(v.at("select"));
  Module s = sequence(v.at("spec"), options);
  if (v.contains("part")) s = part_of(s, v.at("part").as_object());
  Dict data = v.contains("lazy") ? lazy_of(v.at("lazy")) : dict_of(keys_of(v.at("input_keys")));
  const Dict result = s(data);
  check(result.is(data) == v.at("same_object").as_bool(), "the same object");
  if (v.contains("members")) {
    const json::array& expected = v.at("members").as_array();
    for (std::size_t i = 0; i < expected.size(); ++i)
      check_same_set(leaf_keys(result[static_cast<std::int64_t>(i)]), keys_of(expected[i]), "the keys of a member");
    return;
  }
  check_same_set(leaf_keys(result), keys_of(v.at("output_keys")), "the keys of the output");
  check_same_set(leaf_keys(data), keys_of(v.at("input_keys_after")), "the keys of the input");
  if (v.contains("values")) check_leaf_values(result, v.at("values").as_array(), 1e-6);
}

void run(const object& v) {
  if (v.contains("module")) return run_module(v);
  if (v.contains("spec")) return run_sequence(v);
  check(text(v.at("id")) == "run.seq_inplace_false", "this vector is not known");
  run_sequence_to_new_dict(v);
}

void dispatch(const object& v) {
  const Module m = keyed(v.at("module").as_object());
  Arguments arguments;
  std::vector<std::string> names;  // the arguments point to them
  if (v.contains("args"))
    for (const json::value& a : v.at("args").as_array()) arguments.add(Value(number(a)));
  if (v.contains("kwargs")) {
    const object& kwargs = v.at("kwargs").as_object();
    for (const auto& kwarg : kwargs) names.emplace_back(kwarg.key());
    for (const std::string& name : names) arguments.add(Named{name, number(kwargs.at(name))});
  }
  if (v.contains("error")) {
    const Error e = refused([&] { m.dispatch(arguments); }, "dispatch");
    if (v.contains("message")) check(std::string(e.what()).find(text(v.at("message"))) != std::string::npos, e.what());
    return;
  }
  const std::vector<Result> outs = m.dispatch(arguments);
  const json::array expected = v.at("out").is_array() ? v.at("out").as_array() : json::array{v.at("out")};
  check(outs.size() == expected.size(), "the number of outputs");
  for (std::size_t i = 0; i < outs.size(); ++i) check_values(outs[i].tensor(), expected[i], 1e-6, "an output");
}

Module linear_policy() {
  return Module::tensordict(Module::create("td.linear", R"({"in_features": 2, "out_features": 1})"), {"x"}, {"y"});
}

// Three linear layers over data of a batch size: what batch size and shapes come out.
void run_batch_sizes(const object& v) {
  std::vector<Module> modules;
  for (int i = 0; i < 3; ++i) modules.push_back(linear_policy());
  const Dict states = from_modules(modules);
  const Shape batch = ints(v.at("batch"));
  Shape x = batch, z = batch;
  x.push_back(2);
  z.push_back(4);
  Dict data(batch);
  data.set("x", Tensor::ones(x)).set({"n", "z"}, Tensor::ones(z));
  VmapOptions options;
  if (!v.at("data_dim").is_null()) options.data_dim = static_cast<std::int32_t>(v.at("data_dim").as_int64());
  const Dict result = modules[0].vmap(states, data, options);
  check(result.batch_size() == ints(v.at("out_batch")), "the batch size");
  check(leaf_keys(result).size() == v.at("shapes").as_array().size(), "the number of leaves");
  for (const json::value& leaf : v.at("shapes").as_array())
    check_shape(result.get(key_of(leaf.at(0))), leaf.at(1), key_of(leaf.at(0)).joined());
}

// An ensemble of linear layers, forwards and backwards.
void vmap_kind(const object& v) {
  if (v.contains("out_batch")) return run_batch_sizes(v);
  check(v.contains("weights"), "this vector is not known");
  const std::size_t n = v.at("weights").as_array().size();
  const Module single = Module::create("td.linear", R"({"in_features": 2, "out_features": 1})");
  std::vector<Module> modules;
  for (std::size_t i = 0; i < n; ++i)
    modules.push_back(Module::create("td.linear", R"({"in_features": 2, "out_features": 1})"));
  Dict states = from_modules(modules);
  {
    const NoGrad no_grad;
    states.copy_into("weight", tensor(v.at("weights"), DType::float32));
    states.copy_into("bias", tensor(json::array(n, json::array{v.at("bias")}), DType::float32));
  }
  const Module policy = Module::tensordict(single, {"x"}, {"y"});
  Dict data({{"x", tensor(v.at("x"), DType::float32)}}, Ints());
  Dict under({static_cast<std::int64_t>(n)});  // the states as the module with keys has them
  under.set("module", states);
  const Tensor y = policy.vmap(under, data).get("y");
  check_values(y, v.at("y"), 1e-6, "y");
  y.op("sum").backward();
  check_values(states.get("weight").grad().value(), v.at("grad_weight"), 1e-6, "the gradient of the weights");
  check_values(states.get("bias").grad().value(), v.at("grad_bias"), 1e-6, "the gradient of the biases");
}

}  // namespace

void add_running_kinds(Kinds& kinds) {
  kinds["run"] = run;
  kinds["dispatch"] = dispatch;
  kinds["vmap"] = vmap_kind;
}

}  // namespace vectors
