#include <iostream>
#include <tensordict.hpp>

int main() {
  tensordict::check_version();
  tensordict::Dict td({{"a", tensordict::Tensor::ones({32})}}, {32});
  const bool works = (td + 1).get("a")[0].item<int>() == 2;
  std::cout << tensordict::version() << ", in C++: " << (works ? "works" : "fails") << "\n";
  return works ? 0 : 1;
}
