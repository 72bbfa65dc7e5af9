// The state of modules: from_module(s), stack_module_state.
#include "vectors.hpp"

namespace vectors {
namespace {

// Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))
Module nested_network(std::uint64_t seed) {
  Generator rng(seed);
  std::vector<Module> inner, outer;
  inner.push_back(Module::create("td.batch_norm1d", R"({"num_features": 3})"));
  inner.push_back(Module::create("td.linear", R"({"in_features": 3, "out_features": 1, "bias": false})", rng));
  outer.push_back(Module::create("td.linear", R"({"in_features": 2, "out_features": 3})", rng));
  outer.push_back(Module::create("td.relu", "{}"));
  outer.push_back(Module::chain(inner));
  return Module::chain(outer);
}

Module linear(std::int64_t out, bool bias = true) {
  return Module::create("td.linear",
                        json::serialize(object{{"in_features", 1}, {"out_features", out}, {"bias", bias}}));
}

std::string dtype_text(DType dtype) {
  return dtype == DType::float32   ? "float32"
         : dtype == DType::float64 ? "float64"
         : dtype == DType::int64   ? "int64"
                                   : "?";
}

void check_leaves(const Dict& d, const object& leaves) {
  std::map<std::string, Key> by_name;
  for (const Key& k : leaf_keys(d)) by_name.emplace(k.joined(), k);
  check(by_name.size() == leaves.size(), "there are " + std::to_string(by_name.size()) + " leaves");
  for (const auto& expected : leaves) {
    const std::string name(expected.key());
    check(by_name.count(name) == 1, "there is no " + name);
    const object& leaf = expected.value().as_object();
    const Tensor t = d.get(by_name.at(name));
    check_shape(t, leaf.at("shape"), name);
    check(text(leaf.at("dtype")) == dtype_text(t.dtype()), "the dtype of " + name);
    check(t.requires_grad() == leaf.at("requires_grad").as_bool(), "requires_grad of " + name);
    if (leaf.contains("stride0")) check(t.strides()[0] == leaf.at("stride0").as_int64(), "the first stride of " + name);
  }
}

FromModulesOptions options_of(const object& kwargs) {
  FromModulesOptions options;
  options.expand_identical = flag(kwargs, "expand_identical");
  options.lazy_stack = flag(kwargs, "lazy_stack");
  options.as_module = flag(kwargs, "as_module");
  options.use_state_dict = flag(kwargs, "use_state_dict");
  return options;
}

void from_module_kind(const object& v) {
  check_leaves(Dict::from_module(nested_network(0)), v.at("leaves").as_object());
}

void from_modules_kind(const object& v) {
  const std::int64_t n = v.at("leaves").as_object().begin()->value().at("shape").at(0).as_int64();
  std::vector<Module> modules;
  for (std::int64_t i = 0; i < n; ++i)
    modules.push_back(i > 0 && flag(v, "shared") ? modules[0].share() : nested_network(static_cast<std::uint64_t>(i)));
  FromModulesOptions options;
  if (v.contains("kwargs")) options = options_of(v.at("kwargs").as_object());
  if (text(v.at("id")) == "from_modules.use_state_dict") options.use_state_dict = true;
  const Dict state = from_modules(modules, options);
  check_leaves(state, v.at("leaves").as_object());
  check(state.batch_size() == Shape{n}, "the batch size");
  if (v.contains("locked")) check(state.is_locked() == v.at("locked").as_bool(), "the lock");
  if (!v.contains("kwargs")) return;
  const DictKind kind = options.as_module    ? DictKind::params
                        : options.lazy_stack ? DictKind::lazy_stack
                                             : DictKind::tensordict;
  check(state.dict_kind() == kind, "the kind of dict");
}

bool says(const object& v, const char* part) {
  return text(v.at("id")).find(part) != std::string::npos;
}

void from_modules_error(const object& v) {
  std::vector<Module> modules;
  if (!says(v, "none")) {
    modules.push_back(linear(1));
    modules.push_back(says(v, "shape") ? linear(2) : linear(1, !says(v, "missing")));
  }
  const FromModulesOptions options = options_of(v.at("kwargs").as_object());
  refused([&] { from_modules(modules, options); }, "from_modules");
}

void check_stacked(const Dict& d, const object& leaves) {
  check(leaf_keys(d).size() == leaves.size(), "there are " + std::to_string(leaf_keys(d).size()) + " leaves");
  for (const auto& expected : leaves) {
    const std::string name(expected.key());
    const Tensor t = d.get(name);
    check_shape(t, expected.value().at(0), name);
    check(t.requires_grad() == expected.value().at(1).as_bool(), "requires_grad of " + name);
  }
}

void stack_state(const object& v) {
  std::vector<Module> modules;
  for (std::uint64_t i = 0; i < 2; ++i) modules.push_back(nested_network(i));
  const auto [params, buffers] = stack_module_state(modules);
  check_stacked(params, v.at("params").as_object());
  check_stacked(buffers, v.at("buffers").as_object());
}

void stack_state_error(const object& v) {
  std::vector<Module> modules;
  if (!says(v, "empty")) {
    modules.push_back(linear(1));
    modules.push_back(says(v, "class") || says(v, "type") ? Module::create("td.relu", "{}")
                                                          : linear(says(v, "shape") ? 2 : 1));
  }
  if (says(v, "train")) modules[1].eval();
  if (says(v, "requires_grad")) modules[1].get_parameter("weight").requires_grad_(false);
  refused([&] { stack_module_state(modules); }, "stack_module_state");
}

}  // namespace

void add_state_kinds(Kinds& kinds) {
  kinds["from_module"] = from_module_kind;
  kinds["from_modules"] = from_modules_kind;
  kinds["from_modules_error"] = from_modules_error;
  kinds["stack_module_state"] = stack_state;
  kinds["stack_module_state_error"] = stack_state_error;
}

}  // namespace vectors
