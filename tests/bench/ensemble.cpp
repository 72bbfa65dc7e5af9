// Modules: a long sequence of short ones, the states of many, and an ensemble of perceptrons through td_module_vmap, whose
// floor is the same vmap written out with LibTorch's functorch.
#include <memory>

#include <ATen/core/grad_mode.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/ops/add.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/stack.h>
#include <torch/optim/adam.h>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

namespace functorch = at::functorch;

constexpr int64_t batch = 256;
constexpr const char* config = R"({"in_features": 64, "hidden": [64], "out_features": 10})";

using Module = std::shared_ptr<td_module>;

Module own(td_module* m) {
  return Module(m, td_module_release);
}

Module new_perceptron() {
  td_module *perceptron = nullptr, *keyed = nullptr;
  must(td_module_new(TD_STR("td.mlp"), TD_STR(config), nullptr, &perceptron, &failure));
  Module inner = own(perceptron);
  must(td_module_tensordict(perceptron, TD_KEY("x"), 1, TD_KEY("y"), 1, nullptr, &keyed, &failure));
  return own(keyed);
}

struct Ensemble {
  Module module;
  Dict states, data;

  explicit Ensemble(int64_t members) {
    std::vector<Module> owned;
    std::vector<td_module*> modules;
    for (int64_t i = 0; i < members; ++i) {
      owned.push_back(new_perceptron());
      modules.push_back(owned.back().get());
    }
    module = owned.front();
    td_dict* stacked = nullptr;
    must(td_dict_from_modules(modules.data(), modules.size(), nullptr, &stacked, &failure));
    states = bench::own(stacked);
    data = new_dict({batch});
    must(td_dict_set(data.get(), TD_KEY("x"), copy_of(at::randn({batch, 64})).get(), &failure));
  }

  void forward() const {
    td_dict* out;
    must(td_module_vmap(module.get(), states.get(), data.get(), nullptr, &out, nullptr));
    td_dict_release(out);
  }
};

struct ByHand {
  int64_t members;
  at::Tensor x = at::randn({batch, 64}), w0, b0, w1, b1;

  explicit ByHand(int64_t n)
      : members(n),
        w0(at::randn({n, 64, 64}).requires_grad_()),
        b0(at::randn({n, 64}).requires_grad_()),
        w1(at::randn({n, 10, 64}).requires_grad_()),
        b1(at::randn({n, 10}).requires_grad_()) {}

  void forward() const { benchmark::DoNotOptimize(output()); }

  at::Tensor output() const {
    int64_t level =
        functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, members, functorch::RandomnessType::Error);
    auto member = [&](const at::Tensor& t) { return functorch::makeBatched(t, 0, level); };
    at::Tensor h = at::relu(at::linear(x, member(w0), member(b0)));
    at::Tensor y = at::linear(h, member(w1), member(b1));
    const auto* batched = functorch::maybeGetBatchedImpl(y);
    at::Tensor out = batched->value().movedim(batched->bdim(), 0);
    functorch::popDynamicLayerAndDeleteMetadata();
    return out;
  }
};

void add_members(Rows& rows, int64_t n) {
  std::string name = "ensemble of " + std::to_string(n) + ", forward";
  rows.add(name, [=](Row& row) {
    Ensemble ours(n);
    ByHand by_hand(n);
    row.ours([=] {
         td_no_grad* scope;
         must(td_no_grad_begin(&scope, nullptr));
         ours.forward();
         must(td_no_grad_end(scope, nullptr));
         td_no_grad_release(scope);
       })
        .floor("functorch by hand", [=] {
          at::NoGradGuard no_grad;
          by_hand.forward();
        });
  });
  rows.add(name + ", recorded", [=](Row& row) {
    Ensemble ours(n);
    ByHand by_hand(n);
    row.ours([=] { ours.forward(); }).floor("functorch by hand", [=] { by_hand.forward(); });
  });
}

// x + 1, as a function of the caller's that does no more than it must.
td_status add_one(void* add, td_tensor* const* inputs, size_t, td_tensor** outputs, size_t, td_error** err) {
  td_value args[] = {td_value_tensor(inputs[0]), td_value_int(1)}, out;
  td_status status = td_op_call(static_cast<const td_op*>(add), args, 2, nullptr, 0, &out, 1, err);
  if (status == TD_OK) outputs[0] = out.as.tensor;
  return status;
}

// Ten modules of one operator each, on a scalar: what the sequence itself costs.
void add_sequence_row(Rows& rows) {
  rows.add("sequence of 10 one-op modules", [](Row& row) {
    td_op* op = nullptr;
    must(td_op_find(TD_STR("add"), TD_STR("Scalar"), &op, &failure));
    std::shared_ptr<td_op> add(op, td_op_release);
    std::vector<Module> owned;
    std::vector<td_module*> members;
    for (int i = 0; i < 10; ++i) {
      td_module *function = nullptr, *keyed = nullptr;
      std::string in = "x" + std::to_string(i), out = "x" + std::to_string(i + 1);
      must(td_module_from_function(TD_CALLBACKS(td_module_function, add_one, op, nullptr), &function, &failure));
      must(td_module_tensordict(function, TD_KEY(in.c_str()), 1, TD_KEY(out.c_str()), 1, nullptr, &keyed, &failure));
      td_module_release(function);
      owned.push_back(own(keyed));
      members.push_back(keyed);
    }
    td_module* made = nullptr;
    must(td_module_sequential(members.data(), members.size(), nullptr, &made, &failure));
    Module sequence = own(made);
    Dict data = new_dict({});
    must(td_dict_set(data.get(), TD_KEY("x0"), copy_of(at::randn({})).get(), &failure));
    at::Tensor start = at::randn({});
    row.ours([=] {
         (void)add, (void)owned;
         must(td_module_forward(sequence.get(), data.get(), nullptr));
       })
        .floor("ten at::add", [=] {
          at::Tensor x = start;
          for (int i = 0; i < 10; ++i) x = at::add(x, 1);
          benchmark::DoNotOptimize(x);
        });
  });
}

void add_states_row(Rows& rows) {
  rows.add("from_modules of 10", [](Row& row) {
    std::vector<Module> owned;
    std::vector<td_module*> modules;
    for (int i = 0; i < 10; ++i) {
      owned.push_back(new_perceptron());
      modules.push_back(owned.back().get());
    }
    ByHand by_hand(10);
    std::vector<Tensors> columns;
    for (const at::Tensor& t : {by_hand.w0, by_hand.b0, by_hand.w1, by_hand.b1}) columns.push_back(t.detach().unbind());
    row.ours([=] {
         (void)owned;
         td_dict* states = nullptr;
         must(td_dict_from_modules(modules.data(), modules.size(), nullptr, &states, nullptr));
         td_dict_release(states);
       })
        .floor("four at::stack", [=] {
          at::NoGradGuard no_grad;
          for (const Tensors& column : columns) benchmark::DoNotOptimize(at::stack(column).requires_grad_());
        });
  });
}

// Forward, backward and a step of Adam.
void add_training_row(Rows& rows) {
  rows.add("ensemble of 10, training step", [](Row& row) {
    Ensemble ours(10);
    td_optimizer* made = nullptr;
    must(td_optimizer_adam(ours.states.get(), nullptr, &made, &failure));
    std::shared_ptr<td_optimizer> adam(made, td_optimizer_release);
    td_op* op = nullptr;
    must(td_op_find(TD_STR("sum"), TD_NO_STR, &op, &failure));
    std::shared_ptr<td_op> sum(op, td_op_release);
    ByHand by_hand(10);
    auto by_torch = std::make_shared<torch::optim::Adam>(Tensors{by_hand.w0, by_hand.b0, by_hand.w1, by_hand.b1});
    row.ours([=] {
         td_dict* out = nullptr;
         td_tensor* y = nullptr;
         td_value total;
         must(td_optimizer_zero_grad(adam.get(), nullptr));
         must(td_module_vmap(ours.module.get(), ours.states.get(), ours.data.get(), nullptr, &out, nullptr));
         must(td_dict_get(out, TD_KEY("y"), &y, nullptr));
         td_value arg = td_value_tensor(y);
         must(td_op_call(sum.get(), &arg, 1, nullptr, 0, &total, 1, nullptr));
         must(td_tensor_backward(total.as.tensor, nullptr, 0, nullptr));
         must(td_optimizer_step(adam.get(), nullptr));
         td_value_clear(&total);
         td_tensor_release(y);
         td_dict_release(out);
       })
        .floor("LibTorch by hand", [=] {
          by_torch->zero_grad();
          by_hand.output().sum().backward();
          by_torch->step();
        });
  });
}

}  // namespace

void add_ensemble_rows(Rows& rows) {
  add_sequence_row(rows);
  add_states_row(rows);
  add_training_row(rows);
  add_members(rows, 8);
  add_members(rows, 10);
}

}  // namespace bench
