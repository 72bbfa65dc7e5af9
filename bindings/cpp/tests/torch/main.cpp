// Conversion to and from at::Tensor, in a program that uses LibTorch itself.
#include <cstdio>
#include <tensordict.hpp>
#include <tensordict/torch.hpp>

using namespace tensordict;

namespace {

int failures = 0;

void check(bool truth, const char* what) {
  if (truth) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

void run() {
  Tensor ours = Tensor::of({1.f, 2.f, 3.f, 4.f}, {2, 2});
  at::Tensor theirs = to_torch(ours);
  theirs.mul_(2);
  check(ours[1][1].item<float>() == 8, "writes of theirs show in ours");
  check(theirs.sizes() == at::IntArrayRef({2, 2}), "the shape");

  const Tensor back = from_torch(theirs.t());
  check(back.shape() == Shape{2, 2} && back.data() == ours.data(), "the memory is the same");
  check(back.strides() == Shape{1, 2}, "strides go along");

  at::Tensor grown = at::ones({3}, at::kLong);
  Dict td({3});
  td.set({"n", "x"}, from_torch(grown));
  grown.fill_(5);
  check(td.get({"n", "x"})[2].item<int>() == 5, "writes of theirs show in a dict");
  check(to_torch(td)[0].second.dtype() == at::kLong, "all tensors of a dict");

  Tensor leaf = Tensor::of({1.f});
  leaf.requires_grad_();
  check(!to_torch(leaf).requires_grad(), "history stays behind");
}

}  // namespace

int main() {
  run();
  check(live_objects(TD_OBJECT_TENSOR) == 0, "all tensors are given back");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
