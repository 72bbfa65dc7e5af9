// The rows of bench.c in C++.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <tensordict.hpp>

using namespace tensordict;

namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class F>
void row(const char* name, F call) {
  const auto run = [&](long calls) {
    const double start = now();
    for (long i = 0; i < calls; ++i) call();
    return now() - start;
  };
  long calls = 1;
  while (run(calls) < 20e6) calls *= 2;
  std::array<double, 9> times{};
  for (double& time : times) time = run(calls) / static_cast<double>(calls);
  std::sort(times.begin(), times.end());
  std::printf("%s\t%.1f\n", name, times[times.size() / 2]);
}

void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

int main() {
  const Tensor obs = Tensor::zeros({128, 4}), small = Tensor::zeros({4});
  Dict td({{{"next", "obs"}, obs}}, {128}), wide(Shape{});
  for (int i = 0; i < 100; ++i) wide["leaf_" + std::to_string(i)] = small;
  const Path path({"next", "obs"});
  const Module identity = Module::function([](const Tensor& x) { return x.share(); });

  row("an empty call", [] { td_abi_version(); });
  row("get, prepared key", [&] { td.get(path); });
  row("get, two strings", [&] { td.get({"next", "obs"}); });
  row("look-up of a missing key", [&] { expect(!td.find({"next", "none"})); });
  row("iterate 100 entries", [&] {
    std::int64_t elements = 0;
    for (const auto& [key, entry] : wide.items()) elements += entry.tensor().numel();
    expect(elements == 400);
  });
  row("view of a tensor", [&] { expect(obs.view<float>().data()[511] == 0); });
  row("a callback", [&] { identity(obs); });
}
