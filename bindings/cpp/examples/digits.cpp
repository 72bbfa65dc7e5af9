// Handwritten digits, from the file that Python wrote to a second process, with no copy on the way.
//
//     digits DATA_DIR
//
// 1. opens the data, 2. looks for duplicates, 3. trains eight networks at once, 4. hands the predictions through shared
// memory to a second process, and corrects one of them there.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <tensordict.hpp>

using namespace tensordict;

namespace {

constexpr std::int64_t kTrain = 1437, kBatch = 64, kEpochs = 60;
constexpr int kMembers = 8;
const char* const kConfig = R"({"in_features": 64, "hidden": [64], "out_features": 10})";

// How many rows equal an earlier one.
std::int64_t duplicates(const Tensor& rows) {
  Dict td({{"row", rows}}, {rows.size(0)});
  Query query({"row"});
  query.forward(td);
  return td.len() - query.size();
}

Dict features(const Dict& data) {
  const std::int64_t n = data.len();
  return Dict(
      {{"pixels", data.get("image").op("flatten", 1) / 16.0}, {"label", data.get("label")}, {"row", Op("arange")(n)}},
      {n});
}

// Eight small networks trained as one: their parameters lie stacked in one dict, and vmap runs all of them in the operators
// of one.
class Ensemble {
 public:
  Ensemble() : net_(make(0)), states_(from_modules(all())) {}

  void train(const Dict& rows, Generator& rng) {
    Optimizer adam = Optimizer::adam(states_, {2e-3});
    const Op randperm("randperm");
    for (std::int64_t epoch = 0; epoch < kEpochs; ++epoch)
      for (const Dict& batch : rows[randperm(rows.len(), Named("generator", rng))].split(kBatch)) learn(batch, adam);
  }

  // [members, rows, classes]
  Tensor probability(const Dict& rows) const {
    return no_grad([&] { return net_.vmap(states_, rows).get("logits").op("softmax", -1); });
  }

 private:
  static Module make(std::uint64_t seed) {
    Generator rng(seed);
    return Module::tensordict(Module::create("td.mlp", kConfig, rng), {"pixels"}, {"logits"});
  }
  static std::vector<Module> all() {
    std::vector<Module> nets;
    for (int i = 0; i < kMembers; ++i) nets.push_back(make(static_cast<std::uint64_t>(i)));
    return nets;
  }
  // The mean of the members' losses: each depends on the parameters of one member only, so no gradients mix.
  void learn(const Dict& batch, Optimizer& adam) {
    const Dict seen = net_.vmap(states_, batch);
    const Tensor rows = seen.get("logits").op("flatten", 0, 1), targets = seen.get("label").op("flatten", 0, 1);
    adam.zero_grad();
    rows.op("cross_entropy_loss", targets).backward();
    adam.step();
  }

  Module net_;
  Dict states_;
};

double accuracy(const Tensor& probability, const Tensor& label) {
  return (probability.op("argmax", -1) == label).to(DType::float64).op("mean").item<double>();
}

// What the second process does: looks at the predictions where they lie.
int read(const std::string& name, std::int64_t at) {
  const Segment segment = Segment::open(name);
  const Tensor prediction = segment.dict().get("prediction");
  std::cout << "   second process | " << prediction.numel() << " predictions; number " << at << " is "
            << prediction[at].item<int>() << ", version " << segment.version() << std::endl;
  return prediction[at].item<int>();
}

int run_reader(const char* program, const std::string& name, std::int64_t at) {
  const std::string command = "'" + std::string(program) + "' --read " + name + " " + std::to_string(at);
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int run(const char* program, const std::string& directory) {
  set_num_threads(1);  // for matrices as small as these, a second thread costs more than it brings
  const Dict data = Dict::open(directory + "/memmap");
  std::cout << "1. The data, as Python saved it\n" << data << "\n   " << live_bytes() << " bytes mapped\n\n";

  const Tensor image = data.get("image");
  std::cout << "2. Duplicates among " << data.len() << " images\n   equal in all pixels: " << duplicates(image)
            << "; equal to an earlier one in black and white: " << duplicates(image > 7) << "\n\n";

  Generator rng(0);
  const Dict rows = features(data);
  const Dict shuffled = rows[Op("randperm")(rows.len(), Named("generator", rng))];
  const Dict train = shuffled[slice(0, kTrain)], test = shuffled[slice(kTrain)];
  Ensemble ensemble;
  ensemble.train(train, rng);
  const Tensor each = ensemble.probability(test), mean = each.op("mean", Ints{0});
  std::cout << "3. " << kMembers << " networks of 64-64-10 units trained together\n   alone   ";
  for (int i = 0; i < kMembers; ++i) std::cout << " " << accuracy(each[i], test.get("label"));
  const double together = accuracy(mean, test.get("label"));
  std::cout << "\n   together " << together << "\n\n";

  const Dict predictions({{"prediction", mean.op("argmax", -1)}, {"row", test.get("row")}}, {test.len()});
  const std::string name = "td-cpp-digits-" + std::to_string(getpid());
  Segment shared = Segment::create(name, predictions);
  std::cout << "4. Predictions in shared memory: " << shared.path() << "\n" << std::flush;
  const int before = run_reader(program, name, 0);
  predictions.get("prediction").mutable_view<std::int64_t>()(0) = (before + 1) % 10;
  shared.update(predictions);
  const int after = run_reader(program, name, 0);
  return together > 0.93 && after == (before + 1) % 10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4 && std::string(argv[1]) == "--read") return read(argv[2], std::stoll(argv[3]));
    if (argc == 2) return run(argv[0], argv[1]);
  } catch (const Error& e) {
    std::cerr << e.what() << "\n";
    return 99;
  }
  std::cerr << "usage: digits DATA_DIR\n";
  return 2;
}
