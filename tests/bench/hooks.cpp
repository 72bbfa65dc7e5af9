// What hooks of modules cost. The floor is the same layer without hooks, by hand; the second the library's own without.
#include <ATen/ops/linear.h>
#include <ATen/ops/ones_like.h>

#include "harness.h"
#include "setup.h"

namespace bench {

namespace {

constexpr int64_t features = 64, batch = 32;

using Module = std::shared_ptr<td_module>;

struct Layer {
  at::Tensor x = at::randn({batch, features}), weight = at::randn({features, features}), bias = at::randn({features});
  Module plain = made(), hooked = made();
  Tensor input = copy_of(x), ones = copy_of(at::ones_like(x));

  static Module made() {
    td_module* m = nullptr;
    must(td_module_new(TD_STR("td.linear"), TD_STR(R"({"in_features": 64, "out_features": 64})"), nullptr, &m,
                       &failure));
    return Module(m, td_module_release);
  }
};

td_status see_forward(void*, const td_module*, td_hook_call*, td_error**) {
  return TD_OK;
}
td_status see_backward(void*, const td_module*, td_backward_call*, td_error**) {
  return TD_OK;
}

void call(const Module& m, const Tensor& input) {
  td_tensor *x = input.get(), *y;
  must(td_module_call(m.get(), &x, 1, &y, 1, nullptr));
  td_tensor_release(y);
}

void train(const Module& m, const Tensor& input, const Tensor& ones) {
  td_tensor *x = input.get(), *y;
  must(td_module_call(m.get(), &x, 1, &y, 1, nullptr));
  must(td_tensor_backward(y, ones.get(), 0, nullptr));
  td_tensor_release(y);
}

}  // namespace

void add_hook_rows(Rows& rows) {
  rows.add("linear, 32 x 64, hooks before and after", [](Row& row) {
    auto l = std::make_shared<Layer>();
    const td_forward_hook hook = {sizeof hook, see_forward, nullptr, nullptr};
    must(td_module_add_forward_pre_hook(l->hooked.get(), &hook, 0, nullptr, &failure));
    must(td_module_add_forward_hook(l->hooked.get(), &hook, 0, nullptr, &failure));
    l->weight.requires_grad_(), l->bias.requires_grad_();
    row.ours([=] { call(l->hooked, l->input); })
        .floor("at::linear", [=] { benchmark::DoNotOptimize(at::linear(l->x, l->weight, l->bias)); })
        .floor("without hooks", [=] { call(l->plain, l->input); });
  });
  rows.add("linear, 32 x 64, with its backward pass and hooks of it", [](Row& row) {
    auto l = std::make_shared<Layer>();
    const td_backward_hook hook = {sizeof hook, see_backward, nullptr, nullptr};
    must(td_module_add_backward_pre_hook(l->hooked.get(), &hook, 0, nullptr, &failure));
    must(td_module_add_backward_hook(l->hooked.get(), &hook, 0, nullptr, &failure));
    must(td_tensor_requires_grad_(l->input.get(), 1, &failure));
    at::Tensor ones = at::ones_like(l->x);
    l->x.requires_grad_(), l->weight.requires_grad_(), l->bias.requires_grad_();
    row.ours([=] { train(l->hooked, l->input, l->ones); })
        .floor("at::linear, backward", [=] { at::linear(l->x, l->weight, l->bias).backward(ones); })
        .floor("without hooks", [=] { train(l->plain, l->input, l->ones); });
  });
}

}  // namespace bench
