// Conversion to and from at::Tensor, and operators of the program's own, in a program that uses LibTorch itself.
#include <torch/library.h>
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

// An operator of the program's own, the way to one that takes a list of texts: ATen has none.
at::Tensor lengths(std::vector<std::string> texts, const at::Tensor& factor) {
  at::Tensor out = at::empty({static_cast<int64_t>(texts.size())}, at::kLong);
  for (size_t i = 0; i < texts.size(); ++i)
    out[static_cast<int64_t>(i)] = static_cast<int64_t>(texts[i].size()) * (texts[i] == "it's \u00e9" ? 10 : 1);
  return out * factor;
}

bool runs(std::string_view name) {
  try {
    return run_op(name, Arguments::of(std::vector<std::string>{"a", "", "it's \u00e9"}, Tensor::scalar(2)))[0]
               .tensor()
               .to_vector<std::int64_t>() == std::vector<std::int64_t>{2, 0, 140};
  } catch (const NotFoundError&) {
    return false;
  }
}

void run_own_operators() {
  check(!runs("td_test::lengths"), "what is not registered is not found");
  {
    torch::Library library(torch::Library::DEF, "td_test", c10::nullopt, __FILE__, __LINE__);
    library.def("lengths(str[] texts, Tensor factor) -> Tensor", lengths);
    check(runs("td_test::lengths") && runs("td_test::lengths"), "a list of texts is an argument");
    check(run_op("td_test::lengths", Arguments::of(std::vector<std::string>(), 1))[0].tensor().numel() == 0,
          "a list without texts is one, too");
    try {
      run_op("td_test::lengths", Arguments::of("text", 1));
      check(false, "a text is not a list of texts");
    } catch (const ArgumentError&) {
    }
  }
  check(!runs("td_test::lengths"), "what was removed is not remembered");
  torch::Library library(torch::Library::DEF, "td_test", c10::nullopt, __FILE__, __LINE__);
  library.def("lengths(str[] texts, Tensor factor) -> Tensor", lengths);
  check(runs("td_test::lengths"), "what is registered again is found");
}

}  // namespace

int main() {
  run();
  run_own_operators();
  check(live_objects(TD_OBJECT_TENSOR) == 0, "all tensors are given back");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
