#include "check.hpp"

using namespace tensordict;

namespace {

const char* const kMlp = R"({"in_features": 3, "hidden": [4], "out_features": 2})";

Module mlp() {
  Generator rng(3);
  return Module::create("td.mlp", kMlp, rng);
}

Module policy(const Module& net) {
  return Module::tensordict(net, {"x"}, {"y"});
}

Dict batch() {
  return Dict({{"x", Tensor::ones({2, 3})}}, {2});
}

}  // namespace

TEST(module, runs_on_tensors_and_on_dicts) {
  const Module net = mlp();
  CHECK_EQ(net(Tensor::ones({5, 3})).shape(), Shape{5, 2});
  const Module keyed = policy(net);
  Dict td = batch();
  keyed.forward(td);
  CHECK_EQ(td.get("y").shape(), Shape{2, 2});
  CHECK(keyed(td).is(td) || keyed(td).contains("y"));
  CHECK(keyed.in_keys()[0] == Key("x"));
  CHECK(keyed.has_keys());
  CHECK(!net.has_keys());
  CHECK(net.repr().size() > 3);
  CHECK_THROWS(NotFoundError, Module::create("td.no_such_type"));
  CHECK_THROWS(ArgumentError, Module::create("td.mlp", "{}"));
  Dict empty({});
  CHECK_THROWS(KeyError, policy(mlp()).forward(empty));
}

TEST(module, lambdas_of_tensors) {
  const Module twice = Module::function([](const Tensor& x) { return x * 2; });
  CHECK_EQ(twice(Tensor::ones({1})).item<float>(), 2.f);
  const Module both = Module::function([](const Tensor& a, const Tensor& b) { return std::make_pair(a + b, a - b); });
  CHECK_EQ(both.call({Tensor::ones({1}), Tensor::ones({1})}, 2)[1].item<float>(), 0.f);
  CHECK_THROWS(ArgumentError, both.call({Tensor::ones({1})}, 2));
  CHECK_THROWS(ArgumentError, twice.call({Tensor::ones({1})}, 2));
  const Module any = Module::function([](const std::vector<Tensor>& all) { return all[0].op("sum"); });
  CHECK_EQ(any(Tensor::ones({4})).item<float>(), 4.f);
  const Module bad = Module::function([](const Tensor&) -> Tensor { throw std::overflow_error("mine"); });
  Dict td = batch();
  const Module sequence = Module::sequential({Module::tensordict(bad, {"x"}, {"y"})});
  CHECK_EQ(CHECK_THROWS(std::overflow_error, sequence(td)), "mine");
}

TEST(module, lambdas_of_values_and_of_dicts) {
  ModuleOptions options;
  options.argument_names = {"image"};
  const Module named = Module::tensordict(Module::values([](const std::vector<Entry>& args, const NamedEntries& named) {
                                            CHECK(args.empty());
                                            CHECK_EQ(named[0].first, "image");
                                            return outputs(named[0].second.tensor() + 1, "text");
                                          }),
                                          {"x"}, {"y", "label"}, options);
  Dict td = batch();
  named(td);
  CHECK_EQ(td.get("y")[0][0].item<float>(), 2.f);
  CHECK_EQ(td.data("label")[0].text(), "text");
  const Module number = Module::tensordict(Module::values([](const std::vector<Entry>& args) {
                                             CHECK(!args[0]);
                                             return Output(Data(2.5));
                                           }),
                                           {"missing"}, {"number"}, ModuleOptions());
  Dict plain({});
  number(plain);
  CHECK_EQ(plain.get("number").item<double>(), 2.5);
  const Module wrapped = Module::wrap([](Dict& data) { data.set("z", data.get("x").clone()); }, {"x"}, {"z"});
  wrapped(td);
  CHECK(td.contains("z"));
  const Module replaces = Module::wrap([](Dict& data) { return data.select({"x"}); }, {"x"}, {"x"});
  CHECK_EQ(replaces(td).count(), 1u);
}

TEST(module, sequences) {
  const Module net = mlp();
  SequenceOptions options;
  options.names = {"net", "sum"};
  Module sequence = Module::sequential(
      {policy(net), Module::tensordict([](const Tensor& y) { return y.op("sum", Ints{-1}); }, {"y"}, {"s"})}, options);
  CHECK_EQ(sequence.size(), 2u);
  CHECK(sequence[1].out_keys()[0] == Key("s"));
  CHECK_EQ(sequence.slice(0, 1).size(), 1u);
  CHECK_EQ(sequence.select_subsequence(std::nullopt, std::vector<Key>{Key("y")}).size(), 1u);
  sequence.select_out_keys({"s"});
  CHECK_EQ(sequence.out_keys_source().size(), 2u);
  sequence.reset_out_keys();
  RunOptions run;
  Dict td = batch(), out({2});
  run.tensordict_out = &out;
  CHECK(sequence.run(td, run).contains("s"));
  CHECK(!td.contains("s"));
  CHECK_EQ(sequence.dispatch({Tensor::ones({2, 3})}).size(), 2u);
  CHECK_EQ(sequence.dispatch({}, {Named("x", Tensor::ones({2, 3}))})[1].tensor().numel(), 2);
  sequence.set_member(1, sequence[0]).delete_member(1);
  CHECK_EQ(sequence.size(), 1u);
  CHECK_THROWS(IndexError, sequence[4]);
  CHECK_EQ(Module::chain({net, Module::function([](const Tensor& x) { return x * 0; })}, {"a", "b"}).size(), 2u);
  CHECK_EQ(Module::list({net}).size(), 1u);
  CHECK_THROWS(ArgumentError, Module::chain({net}, {"a", "b"}));
}

TEST(module, has_state) {
  Module net = mlp();
  const auto [names, tensors] = net.parameters();
  CHECK_EQ(tensors.size(), 4u);
  CHECK(net.buffers().first.empty());
  const Dict state = net.state_dict("net.");
  CHECK_EQ(state.count(), 4u);
  Module other = mlp();
  const Loaded loaded = other.load_state_dict(net.state_dict());
  CHECK(loaded.missing.empty() && loaded.unexpected.empty());
  CHECK_THROWS(KeyError, other.load_state_dict(Dict({})));
  int seen = 0;
  net.visit([&](const Key& name, Module& module) { seen += module.defined() && name.size() < 9; });
  CHECK(seen > 0);
  CHECK_THROWS(std::logic_error, net.visit([&](const Key&, Module&) { throw std::logic_error("stop"); }));
  const Key first = names[0];
  CHECK(net.get_parameter(first).is(tensors[0]) || net.get_parameter(first).data() == tensors[0].data());
  net.set_parameter(first, &tensors[0]);
  const Tensor buffer = Tensor::zeros({1});
  net.register_buffer("extra", &buffer).register_parameter("weight", nullptr).register_module("inner", &other);
  CHECK_EQ(net.get_buffer("extra").numel(), 1);
  net.set_buffer("extra", nullptr);
  CHECK(net.get_submodule("inner").is(other) || net.get_submodule("inner").repr() == other.repr());
  net.set_submodule("inner", mlp());
  net.eval();
  CHECK(!net.is_training());
  net.train().requires_grad_(false).zero_grad().to(DType::float64).to_type(DType::float32);
  CHECK(net.reset_parameters() > 0);
  other.to_empty("cpu");
  CHECK_EQ(Module::from_params(Dict::from_module(other)).parameters().second.size(), 4u);
  other.share_memory();
  CHECK(other.parameters().second[0].is_shared());
}

TEST(module, runs_with_other_parameters) {
  Module net = mlp();
  const Module keyed = policy(net);
  const Dict state = Dict::from_module(keyed);
  Dict zeros = state * 0, td = batch();
  keyed.forward_with(zeros, td);
  CHECK(!td.get("y").op("any").item<bool>());
  CHECK(!net.functional_call({Dict::from_module(net) * 0}, {Tensor::ones({1, 3})})[0].op("any").item<bool>());
  Dict own = Dict::from_module(net) * 0;
  {
    Scope swapped = net.swap(own);
    CHECK(!net(Tensor::ones({1, 3})).op("any").item<bool>());
    CHECK_THROWS(ArgumentError, swapped.dict());
  }
  CHECK(net(Tensor::ones({1, 3})).op("any").item<bool>());
  const Dict states = from_modules({keyed, policy(mlp())});
  CHECK_EQ(states.batch_size(), Shape{2});
  CHECK_EQ(keyed.vmap(states, batch()).batch_size(), Shape{2, 2});
  CHECK_EQ(stack_module_state({net, mlp()}).first.batch_size(), Shape{2});
  FromModulesOptions options;
  options.lock = false;
  CHECK(!from_modules({net}, options).is_locked());
  const Module ensemble = Module::ensemble(keyed, 3);
  CHECK_EQ(ensemble(td).batch_size(), Shape{3, 2});
}

TEST(module, has_hooks) {
  Module net = mlp();
  const std::uint64_t id =
      net.add_forward_hook([](const Module&, HookCall& call) { call.set_output(0, call.output(0) * 0 + 7); });
  net.add_forward_pre_hook([](const Module&, HookCall& call) {
    CHECK_EQ(call.n_inputs(), 1u);
    CHECK(!call.data());
    call.set_input(0, call.input(0) + 1);
    call.set_input(0, call.input(0) + 2);
    CHECK_THROWS(IndexError, call.input(1));
  });
  CHECK_EQ(net(Tensor::ones({1, 3}))[0][0].item<float>(), 7.f);
  net.remove_hook(id);
  CHECK_THROWS(NotFoundError, net.remove_hook(id));
  Module keyed = policy(net);
  keyed.add_forward_hook([](const Module&, HookCall& call) { call.set_result(call.result()->select({"y"})); });
  Dict td = batch();
  CHECK_EQ(keyed.run(td).count(), 1u);

  Module plain = mlp();
  plain.add_state_hook(StateHookKind::state_dict,
                       [](const Module&, Dict& state, std::string_view prefix) { state.set("more", Data(prefix)); });
  CHECK_EQ(plain.state_dict("p.").data("more")[0].text(), "p.");
  Module other = mlp();
  std::string got;
  other.set_extra_state([](const Module&, Dict& state) { state.set("_extra_state", "kept"); },
                        [&](const Module&, const Dict& state) { got = state.data("_extra_state")[0].text(); });
  other.load_state_dict(other.state_dict());
  CHECK_EQ(got, "kept");
  Module throws = mlp();
  throws.add_forward_pre_hook([](const Module&, HookCall&) { throw std::length_error("hook"); });
  CHECK_THROWS(std::length_error, throws(Tensor::ones({1, 3})));
}

TEST(module, has_backward_hooks) {
  Module net = Module::create("td.tanh");
  std::vector<float> seen;
  const std::uint64_t pre = net.add_backward_pre_hook([&](const Module&, BackwardCall& call) {
    CHECK_EQ(call.n_inputs(), 0u);
    seen.push_back(call.grad_output(0)->item<float>());
    call.set_grad_output(0, *call.grad_output(0) * 3);
  });
  net.add_backward_hook([&](const Module&, BackwardCall& call) {
    CHECK_THROWS(IndexError, call.grad_input(1));
    seen.push_back(call.grad_input(0)->item<float>());
    call.set_grad_input(0, std::nullopt);
    call.set_grad_input(0, *call.grad_input(0) + 1);
  });
  Tensor x = Tensor::zeros({1});
  x.requires_grad_();
  net(x).backward();
  CHECK_EQ(x.grad()->item<float>(), 4.f);
  CHECK_EQ(seen, (std::vector<float>{1, 3}));
  net.remove_hook(pre);
  net.add_backward_hook([](const Module&, BackwardCall&) { throw std::length_error("hook"); });
  CHECK_THROWS(std::length_error, net(x).backward());
}

TEST(module, maps_functions_over_members) {
  VmapFunctionOptions options;
  options.in_dims = {0, vmap_shared};
  const std::vector<Output> both = vmap(
      [](const std::vector<Entry>& x) {
        return outputs(x[0].tensor() + x[1].tensor(), Dict({{"s", x[0].tensor()}}, {}));
      },
      {Tensor::ones({4}), Tensor::scalar(2.f)}, 2, options);
  CHECK_EQ(std::get<Tensor>(both[0]).to_vector<float>(), std::vector<float>{3, 3, 3, 3});
  CHECK_EQ(std::get<Dict>(both[1]).batch_size(), Shape{4});
  CHECK_THROWS(std::logic_error,
               vmap([](const std::vector<Entry>&) -> Output { throw std::logic_error("x"); }, {Tensor::ones({4})}, 1));
}

TEST(optimizer, has_schedules) {
  Module net = mlp();
  Dict params = Dict::from_module(net);
  Optimizer adam = Optimizer::adam(params, {0.5});
  CHECK_EQ(adam.type_name(), "Adam");
  CHECK_EQ(adam.group_count(), 1u);
  CHECK_EQ(adam.option(0, "amsgrad"), 0.0);
  CHECK_EQ(net.type_name(), "td.mlp");
  CHECK(net.config().find("in_features") != std::string::npos);
  Schedule halves = Schedule::exponential(adam, 0.5);
  halves.step();
  CHECK_EQ(adam.option(0, "lr"), 0.25);
  CHECK_EQ(halves.steps(), 1);
  halves.load_state(halves.state());
  Schedule::step_size(adam, 1, 0.5).step();
  Schedule::multi_step(adam, {2, 1}, 0.5).step();
  CHECK_EQ(adam.option(0, "lr"), 0.0625);
  Schedule::cosine(adam, 1).step();
  CHECK_EQ(adam.option(0, "lr"), 0.0);
  Schedule::linear(adam, 0.5, 1, 2).step();
  Schedule::constant(adam, 0.5, 2).step();
  Schedule cycle = Schedule::one_cycle(adam, 0.5, 1, {0});
  cycle.step();
  CHECK_THROWS(ArgumentError, cycle.step());
}

TEST(optimizer, learns) {
  Module net = mlp();
  Dict params = Dict::from_module(net);
  const Tensor x = Tensor::ones({4, 3});
  const auto loss = [&] { return (net(x) * net(x)).op("mean"); };
  const float before = loss().item<float>();
  Optimizer adam = Optimizer::adam(params, {0.1});
  for (int i = 0; i < 20; ++i) {
    adam.zero_grad();
    loss().backward();
    adam.step();
  }
  CHECK(loss().item<float>() < before / 2);
  adam.set_option(0, "lr", 0.5);
  CHECK_EQ(adam.option(0, "lr"), 0.5);
  CHECK_THROWS(KeyError, adam.option(0, "nothing"));
  Optimizer other = Optimizer::adam(params);
  other.load_state(adam.state());
  CHECK_EQ(other.option(0, "lr"), 0.5);
  CHECK_EQ(Optimizer::adamw(params).option(0, "weight_decay"), 1e-2);
  CHECK_EQ(Optimizer::rmsprop(params).option(0, "lr"), 1e-2);
  Optimizer sgd = Optimizer::sgd(params, {0.1, 0.9});
  CHECK_EQ(sgd.option(0, "momentum"), 0.9);
  Tensor more = Tensor::zeros({1});
  more.requires_grad_();
  sgd.add_group(Dict({{"more", more}}, {}));
  CHECK_EQ(sgd.option(1, "momentum"), 0.9);
}
