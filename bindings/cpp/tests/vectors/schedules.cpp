// Learning rates and momenta of torch.optim.lr_scheduler, step by step (schedule.txt).
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "vectors.hpp"

namespace vectors {

namespace {

// Numbers as float.hex writes them, between `separator`.
std::vector<double> numbers_of(const std::string& text, char separator) {
  std::vector<double> out;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) out.push_back(std::strtod(word.c_str(), nullptr));
  return out;
}

OneCycleOptions other_one_cycle() {
  OneCycleOptions options;
  options.pct_start = 0.4;
  options.div_factor = 10;
  options.final_div_factor = 100;
  options.base_momentum = 0.5;
  options.max_momentum = 0.9;
  options.linear = options.three_phases = true;
  return options;
}

// "cosine,0x1.4p+2,0x0.0p+0"
Schedule schedule_of(Optimizer& optimizer, const std::string& spelled) {
  const std::size_t comma = spelled.find(',');
  const std::string name = spelled.substr(0, comma);
  const std::vector<double> x = numbers_of(spelled.substr(comma + 1), ',');
  const auto count = [&](std::size_t i) { return static_cast<std::int64_t>(x.at(i)); };
  if (name == "step") return Schedule::step_size(optimizer, count(0), x.at(1));
  if (name == "multi_step") {
    std::vector<std::int64_t> milestones;
    for (std::size_t i = 1; i < x.size(); ++i) milestones.push_back(count(i));
    return Schedule::multi_step(optimizer, milestones, x.at(0));
  }
  if (name == "exponential") return Schedule::exponential(optimizer, x.at(0));
  if (name == "cosine") return Schedule::cosine(optimizer, count(0), x.at(1));
  if (name == "linear") return Schedule::linear(optimizer, x.at(0), x.at(1), count(2));
  if (name == "constant") return Schedule::constant(optimizer, x.at(0), count(1));
  OneCycleOptions options;
  if (name == "one_cycle_other") options = other_one_cycle();
  options.keep_momentum = name == "one_cycle_kept";
  check(name.rfind("one_cycle", 0) == 0, "there is no schedule " + name);
  return Schedule::one_cycle(optimizer, x.at(0), count(1), options);
}

// Over one tensor of two elements.
Optimizer optimizer_of(const std::string& name, double lr) {
  Tensor w = Tensor::zeros({2});
  w.requires_grad_();
  const Dict params({{"w", w}}, {});
  if (name == "adam") return Optimizer::adam(params, {lr});
  return Optimizer::sgd(params, {lr, 0.7});
}

// The last bits of a cosine are those of the C library.
void check_near(double got, double wanted, const std::string& what) {
  check(std::abs(got - wanted) <= 1e-14 * std::abs(wanted) + 1e-18,
        what + " is " + std::to_string(got) + ", not " + std::to_string(wanted));
}

// "case", the optimizer, its learning rate, and the schedules; the learning rate and the momentum of each step.
void replay_case(const std::string& head, const std::string& numbers) {
  std::istringstream words(head);
  std::string word, name, lr;
  words >> word >> name >> lr;
  Optimizer optimizer = optimizer_of(name, std::strtod(lr.c_str(), nullptr));
  std::vector<Schedule> schedules;
  while (words >> word) schedules.push_back(schedule_of(optimizer, word));
  const std::vector<double> wanted = numbers_of(numbers, ' ');
  check(wanted.size() > 14 && wanted.size() % 2 == 0, "there are too few numbers");
  for (std::size_t step = 0; step < wanted.size() / 2; ++step) {
    const std::string at = "in step " + std::to_string(step) + " the ";
    if (step > 0)
      for (Schedule& schedule : schedules) schedule.step();
    const double rate = optimizer.option(0, "lr");
    check_near(rate, wanted[2 * step], at + "learning rate");
    check_near(optimizer.option(0, name == "adam" ? "beta1" : "momentum"), wanted[2 * step + 1], at + "momentum");
    check(schedules.at(0).steps() == static_cast<std::int64_t>(step), at + "number of steps is another");
    if (name == "by_hand" && step == 3) optimizer.set_option(0, "lr", 2 * rate);
  }
}

}  // namespace

int replay_schedules(std::istream& file, const Report& report) {
  int replayed = 0;
  for (std::string head, numbers; std::getline(file, head) && std::getline(file, numbers); ++replayed)
    report("schedule " + std::to_string(replayed), [&] { replay_case(head, numbers); });
  return replayed;
}

}  // namespace vectors
