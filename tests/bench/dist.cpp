// A normal distribution: the log-density of 1000 values, and as many draws with gradients to the parameters. The floor is
// what torch.distributions.Normal computes, written out with LibTorch.
#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/randn_like.h>

#include "tests/bench/harness.h"
#include "tests/bench/setup.h"

namespace bench {

namespace {

constexpr int64_t size = 1000;

using Dist = std::shared_ptr<td_dist>;

Dist normal(const at::Tensor& loc, const at::Tensor& scale, const char* config) {
  Dict params = new_dict({});
  must(td_dict_set(params.get(), TD_KEY("loc"), copy_of(loc).get(), &failure));
  must(td_dict_set(params.get(), TD_KEY("scale"), copy_of(scale).get(), &failure));
  td_dist* made = nullptr;
  must(td_dist_new(TD_STR("td.normal"), params.get(), TD_STR(config), &made, &failure));
  return Dist(made, td_dist_release);
}

at::Tensor log_prob(const at::Tensor& loc, const at::Tensor& scale, const at::Tensor& x) {
  return -((x - loc).pow(2)) / (scale.pow(2) * 2) - scale.log() - 0.9189385332046727;
}

void add_normal(Rows& rows, const char* name, const char* config) {
  rows.add(name, [=](Row& row) {
    at::Tensor loc = at::randn({size}), scale = at::full({size}, 1.5), x = at::randn({size});
    Dist dist = normal(loc, scale, config);
    Tensor value = copy_of(x);
    row.ours([=] {
         td_tensor *density, *draw;
         must(td_dist_log_prob(dist.get(), value.get(), &density, nullptr));
         must(td_dist_rsample(dist.get(), nullptr, 0, nullptr, &draw, nullptr));
         td_tensor_release(density);
         td_tensor_release(draw);
       })
        .floor("raw operators", [=] {
          at::Tensor density = log_prob(loc, scale, x), draw = loc + at::randn_like(loc) * scale;
          benchmark::DoNotOptimize(density);
          benchmark::DoNotOptimize(draw);
        });
  });
}

}  // namespace

void add_dist_rows(Rows& rows) {
  add_normal(rows, "Normal log_prob + rsample, 1000 elements", R"({"validate_args": false})");
  add_normal(rows, "Normal log_prob + rsample, 1000 elements, validated", "{}");
}

}  // namespace bench
