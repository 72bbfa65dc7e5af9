// The program of the README: a batch in memory, on disk and in shared memory.
#include <iostream>
#include <tensordict.hpp>
using namespace tensordict;

int main() {
  Dict td({{"obs", Tensor::zeros({32, 4})}, {{"next", "reward"}, Tensor::ones({32})}}, {32});  // a batch of 32
  td["next"]["obs"] = td["obs"].tensor() + 1;                                                  // any operator of ATen
  td["task"] = "digits";                                                                       // text beside tensors
  for (const auto& [key, entry] : td.items(KeysFlag::nested))
    if (entry.is_tensor()) std::cout << key.joined() << ": " << entry.tensor().numel() << " elements\n";
  std::cout << td[slice(0, 8)] << "\n";
  td.save("batch.td", {true});  // overwrites; stock Python opens it
  try {
    Dict::open("batch.td").get("missing");
  } catch (const KeyError& e) {
    std::cout << e.what() << "\n";  // names the key, and lists the existing keys
  }
}
