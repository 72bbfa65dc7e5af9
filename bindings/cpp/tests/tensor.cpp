#include <algorithm>
#include <complex>
#include <numeric>
#include <sstream>

#include "check.hpp"

using namespace tensordict;

TEST(tensor, copies_values_of_lists_vectors_and_arrays) {
  const Tensor x = Tensor::of({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3});
  CHECK_EQ(x.shape(), Shape{2, 3});
  CHECK_EQ(x.strides(), Shape{3, 1});
  CHECK_EQ(x.size(-1), 3);
  CHECK(x.dtype() == DType::float32);
  CHECK_EQ(x.nbytes(), 24);
  CHECK_EQ(x.itemsize(), 4);
  CHECK_EQ(x.device(), "cpu");
  CHECK(Tensor::of(std::vector<std::int64_t>{1, 2}).dtype() == DType::int64);
  CHECK(Tensor::of(std::array<std::uint8_t, 2>{1, 2}).dtype() == DType::uint8);
  CHECK(Tensor::of({std::complex<double>(1, 2)}).dtype() == DType::complex128);
  CHECK_EQ(Tensor::scalar(true).item<bool>(), true);
  CHECK_THROWS(ShapeError, Tensor::of({1.f, 2.f}, {3}));
  CHECK_THROWS(ShapeError, Tensor::of({1.f, 2.f}, {-2}));
  CHECK_EQ(Tensor::of(std::vector<float>(), {3, 0, 2}).numel(), 0);
  CHECK_THROWS(IndexError, x.size(2));
}

TEST(tensor, takes_a_vector_over_and_lends_memory) {
  std::vector<double> numbers(4);
  std::iota(numbers.begin(), numbers.end(), 0);
  const double* where = numbers.data();
  const Tensor taken = Tensor::from(std::move(numbers), {2, 2});
  CHECK(taken.data() == where);

  float lent[] = {1, 2, 3, 4};
  int released = 0;
  {
    Tensor x = Tensor::from_memory(lent, {2}, [&] { ++released; }, {2});
    CHECK_EQ(x.to_vector<float>(), std::vector<float>{1, 3});
    const Tensor second = x.share();
    CHECK(second.is(x));
    x += 1;
    CHECK_EQ(released, 0);
  }
  CHECK_EQ(released, 1);
  CHECK_EQ(lent[2], 4.f);
  CHECK_THROWS(ShapeError, Tensor::from_memory(lent, {2}, [&] { ++released; }, {1, 1}));
  CHECK_EQ(released, 2);
}

TEST(tensor, is_printed_as_in_python) {
  const Tensor x = Tensor::of({1.0, -0.5}, {2});
  CHECK_EQ(x.repr(), "tensor([ 1.0000, -0.5000], dtype=torch.float64)");
  std::ostringstream out;
  out << Tensor::of({1.f, 2.f});
  CHECK_EQ(out.str(), "tensor([1., 2.])");
}

TEST(tensor, is_made_on_request) {
  CHECK_EQ(Tensor::zeros({2}, {DType::int32}).to_vector<std::int32_t>(), std::vector<std::int32_t>{0, 0});
  CHECK_EQ(Tensor::full({2}, 3).to_vector<float>(), std::vector<float>{3, 3});
  CHECK_EQ(Tensor::ones({}).item<double>(), 1.0);
  CHECK_EQ(Tensor::empty({0, 3}).numel(), 0);
  Generator a(7), b(1);
  b.seed(7);
  CHECK(Tensor::randn({3}, {}, a).to_vector<float>() == Tensor::randn({3}, {}, b).to_vector<float>());
  Generator c(1);
  c.load_state(a.state());
  CHECK(Tensor::randn({3}, {}, a).to_vector<float>() == Tensor::randn({3}, {}, c).to_vector<float>());
  CHECK_EQ(c.initial_seed(), 7u);
  CHECK_THROWS(DTypeError, c.load_state(Tensor::zeros({2})));
  manual_seed(3);
  const auto first = Tensor::randn({2}).to_vector<float>();
  manual_seed(3);
  CHECK(first == Tensor::randn({2}).to_vector<float>());
  CHECK_THROWS(DeviceError, Tensor::zeros({1}, {DType::none, "nowhere"}));
}

TEST(tensor, views_its_elements) {
  Tensor x = Tensor::of({1, 2, 3, 4, 5, 6}, {2, 3});
  View<int> v = x.mutable_view<int>();
  v(1, 2) = 60;
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  CHECK_EQ(x.to_vector<int>(), std::vector<int>{60, 5, 4, 3, 2, 1});
  const Tensor column = x.index({slice(0), 1});
  const View<const int> w = column.view<int>();
  CHECK_EQ(w(1), 2);
  CHECK(!w.is_contiguous());
  CHECK_THROWS(ArgumentError, w.span());
  CHECK_THROWS(IndexError, w(2));
  CHECK_THROWS(IndexError, w(0, 0));
  CHECK_THROWS(DTypeError, x.view<float>());
  CHECK_THROWS(std::out_of_range, v.span().at(6));
}

TEST(tensor, a_view_outlives_its_tensor) {
  std::optional<Tensor> x = Tensor::of({1.5, 2.5});
  const View<const double> v = x->view<double>();
  x.reset();
  CHECK_EQ(v(1), 2.5);
}

#if defined(__cpp_designated_initializers)
TEST(tensor, options_have_names_where_the_language_has) {
  CHECK(Tensor::zeros({2}, {.dtype = DType::int8}).dtype() == DType::int8);
}
#endif

#if defined(__cpp_lib_span)
TEST(tensor, a_view_is_a_std_span_where_there_is_one) {
  const Tensor x = Tensor::of({1.f, 2.f});
  const auto v = x.view<float>();
  const std::span<const float> s = v.span();
  CHECK_EQ(s[1], 2.f);
  CHECK_EQ(Tensor::of(s).to_vector<float>(), std::vector<float>{1, 2});
}
#endif

TEST(tensor, is_converted_copied_and_indexed) {
  const Tensor x = Tensor::of({1.25f, 2.75f, -1.f}, {3});
  CHECK_EQ(x.to(DType::int64).to_vector<std::int64_t>(), std::vector<std::int64_t>{1, 2, -1});
  CHECK(x.to("cpu").is_contiguous());
  Tensor copy = x.clone();
  copy.copy_(Tensor::of({9}));
  CHECK_EQ(copy[2].item<float>(), 9.f);
  CHECK_EQ(x[slice(1)].numel(), 2);
  CHECK_EQ(x[x > 0].numel(), 2);
  CHECK_EQ(x.index({newdim, ellipsis}).shape(), Shape{1, 3});
  CHECK_THROWS(IndexError, x[3]);
  CHECK_EQ(x.expand_right({3, 2}).shape(), Shape{3, 2});
  CHECK_EQ(x.expand_as_right(Tensor::zeros({3, 4})).shape(), Shape{3, 4});
  CHECK(!x.is_shared());
  CHECK(!x.is_read_only());
  CHECK_EQ(x.contiguous().ndim(), 1u);
}

TEST(tensor, calls_operators) {
  const Tensor x = Tensor::of({1.f, 2.f, 3.f, 4.f}, {2, 2});
  CHECK_EQ((x * 2 + x - 1).to_vector<float>(), std::vector<float>{2, 5, 8, 11});
  CHECK_EQ((10 - x).to_vector<float>(), std::vector<float>{9, 8, 7, 6});
  CHECK_EQ((1 / Tensor::of({2.f, 4.f})).to_vector<float>(), std::vector<float>{.5f, .25f});
  CHECK_EQ((-x)[0][0].item<float>(), -1.f);
  CHECK_EQ((x > 1).op("logical_not").to_vector<bool>(), std::vector<bool>{true, false, false, false});
  CHECK_EQ(((x > 1) & (x < 4)).op("sum").item<int>(), 2);
  CHECK_EQ(x.op("sum", Ints{1}).shape(), Shape{2});
  CHECK_EQ(x.op("add", x, Named("alpha", 2)).to_vector<float>(), std::vector<float>{3, 6, 9, 12});
  const Op max("max", "dim");
  const std::vector<Result> both = max.call({x, 1}, {Named("keepdim", true)}, 2);
  CHECK_EQ(both[1].tensor().to_vector<std::int64_t>(), std::vector<std::int64_t>{1, 1});
  CHECK_THROWS(ArgumentError, both[0].integer());
  CHECK(max.schema().find("max.dim") != std::string::npos);
  std::vector<Tensor> twice;
  twice.push_back(x.share());
  twice.push_back(x.share());
  CHECK_EQ(Op("cat")(twice, 0).size(0), 4);
  CHECK_EQ(run_op("max.dim", Arguments::of(x, 0, Named("keepdim", true)), 2)[1].tensor().ndim(), x.ndim());
  CHECK_THROWS(NotFoundError, run_op("max.dims", Arguments::of(x, 0)));
  const std::vector<Result> parts = Op("split").call({x, 1});
  CHECK_EQ(parts[0].tensors().size(), 2u);
  CHECK_THROWS(NotFoundError, Op("no_such_operator"));
  CHECK_THROWS(ArgumentError, x.op("add"));
}

TEST(tensor, records_gradients) {
  Tensor w = Tensor::of({2.f, 3.f});
  w.requires_grad_();
  (w * w).op("sum").backward();
  CHECK(w.requires_grad());
  CHECK_EQ(w.grad()->to_vector<float>(), std::vector<float>{4, 6});
  (w * 1).backward(Tensor::of({1.f, 1.f}), true);
  CHECK(!w.detach().requires_grad());
  CHECK(!no_grad([&] { return (w * 2).requires_grad(); }));
  {
    NoGrad outer;
    NoGrad inner;
    CHECK_THROWS(ArgumentError, outer.end());
    inner.end();
    CHECK(!(w + 1).requires_grad());
  }
  CHECK((w + 1).requires_grad());
  CHECK(!Tensor::zeros({1}).grad());
}
