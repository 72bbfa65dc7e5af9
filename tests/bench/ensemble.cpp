// An ensemble of perceptrons through td_module_vmap; the floor is the same vmap written out with LibTorch's functorch.
#include <memory>

#include <ATen/core/grad_mode.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>

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
  must(td_module_create(TD_STR("td.mlp"), TD_STR(config), nullptr, &perceptron, &failure));
  Module inner = own(perceptron);
  must(td_module_tensordict(perceptron, TD_KEY("x"), 1, TD_KEY("y"), 1, &keyed, &failure));
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
    must(td_dict_from_modules(modules.data(), modules.size(), &stacked, &failure));
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

  void forward() const {
    int64_t level =
        functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, members, functorch::RandomnessType::Error);
    auto member = [&](const at::Tensor& t) { return functorch::makeBatched(t, 0, level); };
    at::Tensor h = at::relu(at::linear(x, member(w0), member(b0)));
    at::Tensor y = at::linear(h, member(w1), member(b1));
    const auto* batched = functorch::maybeGetBatchedImpl(y);
    at::Tensor out = batched->value().movedim(batched->bdim(), 0);
    functorch::popDynamicLayerAndDeleteMetadata();
    benchmark::DoNotOptimize(out);
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

}  // namespace

void add_ensemble_rows(Rows& rows) {
  add_members(rows, 8);
  add_members(rows, 10);
}

}  // namespace bench
