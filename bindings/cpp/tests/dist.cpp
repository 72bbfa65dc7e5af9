#include <cmath>

#include "check.hpp"

using namespace tensordict;

namespace {

Dict parameters() {
  return Dict({{"loc", Tensor::of({0.f, 1.f})}, {"scale", Tensor::of({1.f, 2.f})}}, {2});
}

Dist normal() {
  return Dist::create("td.normal", parameters());
}

}  // namespace

TEST(dist, draws_and_scores) {
  const Dist dist = normal();
  Generator a(5), b(5);
  CHECK_EQ(dist.sample({3}, a).to_vector<float>(), dist.rsample({3}, b).to_vector<float>());
  CHECK_EQ(dist.batch_shape(), Shape{2});
  CHECK(dist.event_shape().empty());
  CHECK(dist.has_rsample());
  CHECK(!dist.has_enumerate_support());
  CHECK_EQ(dist.mean().to_vector<float>(), std::vector<float>{0, 1});
  CHECK_EQ(dist.variance().to_vector<float>(), std::vector<float>{1, 4});
  CHECK_EQ(dist.stddev().to_vector<float>(), std::vector<float>{1, 2});
  CHECK_EQ(dist.mode().numel() + dist.entropy().numel(), 4);
  CHECK(std::abs(dist.log_prob(Tensor::zeros({2}))[0].item<float>() + 0.9189385f) < 1e-4f);
  CHECK(std::abs(dist.icdf(dist.cdf(Tensor::ones({2})))[0].item<float>() - 1) < 1e-4f);
  CHECK_EQ(dist.expand({4, 2}).batch_shape(), Shape{4, 2});
  CHECK_EQ(dist.interact(Interaction::mean).to_vector<float>(), std::vector<float>{0, 1});
  CHECK(dist.repr().find("Normal") == 0);
  CHECK_EQ(Dist::independent(dist, 1).event_shape(), Shape{2});
  CHECK_EQ(kl_divergence(dist, dist).to_vector<float>(), std::vector<float>{0, 0});
  const Dist categorical = Dist::create("td.categorical", Dict({{"probs", Tensor::of({.5f, .5f})}}, {}));
  CHECK_EQ(categorical.enumerate_support().numel(), 2);
  CHECK_EQ(Dist::mixture(categorical, dist).batch_shape(), Shape{});
  CHECK_THROWS(NotFoundError, Dist::create("td.none", parameters()));
  CHECK_THROWS(UnsupportedError, dist.enumerate_support());
  set_default_validate_args(true);
}

TEST(dist, is_transformed) {
  const Transform exp = Transform::create(R"("exp")");
  const Tensor x = Tensor::of({0.f, 1.f});
  CHECK(std::abs(exp(x)[1].item<float>() - 2.7182817f) < 1e-4f);
  CHECK(std::abs(exp.inverted()(exp(x))[1].item<float>() - 1) < 1e-4f);
  CHECK(std::abs(exp.inverse(exp.forward(x))[1].item<float>() - 1) < 1e-4f);
  CHECK_EQ(exp.log_abs_det_jacobian(x, exp(x))[1].item<float>(), 1.f);
  CHECK_EQ(exp.repr(), "ExpTransform()");
  CHECK(std::abs(Transform::compose({exp, exp.inverted()})(x)[1].item<float>() - 1) < 1e-4f);
  CHECK_EQ(Transform::cdf_of(normal())(Tensor::zeros({2}))[0].item<float>(), .5f);
  const Dict scale({{"k", Tensor::of({3.f, 3.f})}}, {2});
  const Dist affine = Dist::transformed(normal(), R"({"type": "affine", "loc": 0, "scale": "k"})", &scale);
  CHECK_EQ(affine.sample({2}).shape(), Shape{2, 2});
  const Dist log_normal = Dist::transformed(normal(), {exp});
  CHECK((log_normal.sample({5}) > 0).op("all").item<bool>());
}

TEST(dist, composes) {
  const Dict params({{"a", parameters()}, {"b", parameters()}}, {2});
  const Dist both = Dist::composite(params, {{Key("a"), "td.normal"}, {Key("b"), "td.normal", "", Key("renamed")}});
  Dict sample = both.sample_dict();
  CHECK(sample.contains("renamed"));
  CHECK_EQ(both.rsample_dict({3}).batch_size(), Shape{3, 2});
  CHECK_EQ(both.stat_dict(DistStat::mean).count(), 2u);
  CHECK_EQ(both.interact_dict(Interaction::mode).count(), 2u);
  CHECK(both.log_prob_dict(sample).contains("sample_log_prob"));
  CHECK_EQ(both.log_prob(sample).shape(), Shape{2});
  both.cdf_dict(sample);
  both.icdf_dict(sample);
  CHECK(sample.contains("a_icdf"));
  CHECK_EQ(Dist::composite_of({2}, {"x"}, {normal()}).sample_dict().count(), 1u);
  CHECK_THROWS(ArgumentError, Dist::composite_of({2}, {"x", "y"}, {normal()}));
}

TEST(dist, has_an_interaction_type_for_a_while) {
  CHECK(interaction_from_name("Mean") == Interaction::mean);
  CHECK(current_interaction() == Interaction::standard);
  {
    const SetInteraction random(Interaction::random);
    CHECK(current_interaction() == Interaction::random);
  }
  CHECK(current_interaction() == Interaction::standard);
}

TEST(dist, is_what_modules_draw_from) {
  ProbabilisticOptions options;
  options.return_log_prob = true;
  const Module head = Module::probabilistic("td.normal", {"loc", "scale"}, {"action"}, options);
  Dict td = parameters();
  head(td);
  CHECK(td.contains("action") && td.contains("action_log_prob"));
  CHECK_EQ(head.get_dist(td).mean().numel(), 2);
  CHECK_EQ(head.dist_from_params(td).batch_shape(), Shape{2});
  CHECK_EQ(head.log_prob(td).shape(), Shape{2});
  CHECK_EQ(head.log_prob_dict(td).count(), 1u);
  CHECK_EQ(head.dist_params_keys().size(), 2u);
  CHECK_EQ(head.dist_sample_keys().size(), 1u);
  CHECK_EQ(head.log_prob_keys().size(), 1u);
  CHECK(head.num_samples().empty());
  CHECK(head.default_interaction() == Interaction::deterministic);

  const Module body =
      Module::tensordict([](const Tensor& x) { return tensors(x.share(), x * 0 + 1); }, {"x"}, {"loc", "scale"});
  const Module sequence = Module::probabilistic_sequential({body, head});
  Dict data({{"x", Tensor::ones({2})}}, {2});
  CHECK(sequence(data).contains("action"));
  CHECK(sequence.get_dist_params(data).contains("loc"));
  const Module any = Module::probabilistic_function(
      [](const Dict& params) { return Dist::independent(Dist::create("td.normal", params), 1); }, {"loc", "scale"},
      {"action"});
  CHECK(any(data).contains("action"));
  const Module parts = Module::probabilistic_composite("params", {{Key("a"), "td.normal"}});
  Dict nested({{{"params", "a"}, parameters()}}, {2});
  CHECK(parts(nested).contains("a"));
}
