// What torch.distributions gives for every type: values, statistics, draws, gradients and divergences (dist.txt).
#include <cmath>
#include <istream>
#include <sstream>

#include "vectors.hpp"

namespace vectors {
namespace {

// What is left of a line.
class Words {
 public:
  explicit Words(const std::string& line) : in_(line) {}
  std::string next() {
    std::string word;
    check(static_cast<bool>(in_ >> word), "a line ends too early");
    return word;
  }
  Shape next_ints() {
    Shape out(static_cast<std::size_t>(std::stoll(next())));
    for (std::int64_t& n : out) n = std::stoll(next());
    return out;
  }
  std::string rest() {
    std::string out;
    std::getline(in_ >> std::ws, out);
    return out;
  }
  Tensor tensor() {
    static const std::map<std::string, DType> dtypes = {
        {"f32", DType::float32}, {"f64", DType::float64}, {"i64", DType::int64}, {"bool", DType::bool_}};
    const DType dtype = dtypes.at(next());
    const Shape shape = next_ints();
    std::vector<double> numbers;
    for (std::string word; in_ >> word;) numbers.push_back(std::stod(word));
    return Tensor::of(numbers, shape).to(dtype);
  }

 private:
  std::istringstream in_;
};

void check_same(const Tensor& got, const Tensor& expected, double tolerance, const std::string& what) {
  check(got.shape() == expected.shape(), "the shape of " + what);
  const std::vector<double> a = values(got), b = values(expected);
  for (std::size_t i = 0; i < a.size(); ++i)
    check(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])) ||
              std::fabs(a[i] - b[i]) <= 2 * tolerance * std::fmax(1, std::fabs(b[i])),
          what + '[' + std::to_string(i) + "] = " + std::to_string(a[i]) + ", not " + std::to_string(b[i]));
}

// A distribution with what stock Python says of it.
class Case {
 public:
  void line(const std::string& text) {
    Words words(text);
    const std::string what = words.next();
    if (what == "type") {
      type_ = words.rest();
    } else if (what == "config") {
      config_ = words.rest();
    } else if (what == "transforms") {
      transforms_ = words.rest();
    } else if (what == "independent") {
      independent_ = std::stoll(words.rest());
    } else if (what == "param") {
      const std::string name = words.next();
      Tensor t = words.tensor();
      if (t.dtype() != DType::int64 && t.dtype() != DType::bool_) t.requires_grad_();
      params_.set(name, t);
    } else if (what == "value") {
      value_ = words.tensor();
    } else if (what == "batch") {
      check(dist().batch_shape() == words.next_ints(), "the batch shape");
    } else if (what == "event") {
      check(dist().event_shape() == words.next_ints(), "the event shape");
    } else if (what == "without") {
      const std::string name = words.rest();
      const Error e = refused([&] { ask(name); }, name);
      check(e.status() == TD_ERR_UNSUPPORTED, name + " fails with " + std::string(e.status_name()));
    } else if (what == "draw") {
      draw(words.tensor());
    } else if (what == "grad") {
      const std::string name = words.next();
      check_same(params_.get(name).grad().value(), words.tensor(), 1e-5, "the gradient of " + name);
    } else {
      const Tensor expected = words.tensor();
      check_same(ask(what), expected, expected.dtype() == DType::float32 ? 1e-6 : 1e-9, what);
    }
  }

 private:
  const Dist& dist() {
    if (!dist_) {
      dist_ = Dist::create(type_, params_, config_);
      if (!transforms_.empty()) dist_ = Dist::transformed(*dist_, transforms_);
      if (independent_ != 0) dist_ = Dist::independent(*dist_, independent_);
    }
    return *dist_;
  }

  Tensor ask(const std::string& what) {
    static const std::map<std::string, DistStat> stats = {
        {"mean", DistStat::mean},       {"mode", DistStat::mode},     {"variance", DistStat::variance},
        {"entropy", DistStat::entropy}, {"stddev", DistStat::stddev}, {"median", DistStat::median}};
    if (what == "log_prob") return dist().log_prob(value_.value());
    if (what == "cdf") return dist().cdf(value_.value());
    if (what == "enumerate") return dist().enumerate_support();
    if (what == "icdf") {
      Shape shape(dist().batch_shape().size() + 1, 1);
      shape[0] = 3;
      return dist().icdf(Tensor::of(std::vector<double>{0.1, 0.5, 0.9}, shape));
    }
    check(stats.count(what) == 1, "what is " + what);
    return dist().stat(stats.at(what));
  }

  // Three values of seed 0, and the gradients that follow.
  void draw(const Tensor& expected) {
    Generator generator(0);
    if (!dist().has_rsample()) return check_same(dist().sample({3}, generator), expected, 1e-6, "a draw");
    const Tensor got = dist().rsample({3}, generator);
    if (got.requires_grad()) got.op("sum").backward();
    check_same(got, expected, 1e-6, "a draw");
  }

  std::string type_, config_, transforms_;
  std::int64_t independent_ = 0;
  Dict params_{Ints()};
  std::optional<Tensor> value_;
  std::optional<Dist> dist_;
};

// The divergence of a pair, or that the library has none.
void divergence(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> types;
  Dict p{Ints()}, q{Ints()};
  std::optional<Tensor> expected;
  for (const std::string& line : lines) {
    Words words(line);
    const std::string what = words.next();
    if (what == "without") continue;  // no result says the same
    if (what == "result") {
      expected = words.tensor();
      continue;
    }
    const std::string side = words.next();
    if (what == "type") {
      types[side] = words.next();
    } else {
      const std::string name = words.next();
      (side == "p" ? p : q).set(name, words.tensor());
    }
  }
  const Dist a = Dist::create(types["p"], p), b = Dist::create(types["q"], q);
  if (expected) return check_same(kl_divergence(a, b), *expected, 1e-8, types["p"] + " from " + types["q"]);
  check(refused([&] { kl_divergence(a, b); }, "the divergence").status() == TD_ERR_UNSUPPORTED, "another error");
}

}  // namespace

int replay_distributions(std::istream& file, const Report& report) {
  int blocks = 0;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line != "end") {
      lines.push_back(line);
      continue;
    }
    ++blocks;
    const std::string head = lines.front();
    lines.erase(lines.begin());
    report(head, [&] {
      if (head == "kl") return divergence(lines);
      Case one;
      for (const std::string& l : lines) one.line(l);
    });
    lines.clear();
  }
  return blocks;
}

}  // namespace vectors
