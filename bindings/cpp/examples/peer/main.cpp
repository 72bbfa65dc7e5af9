// Reads and writes what other processes do: Python, C, and programs in other languages. One command a process, text on
// stdout. bindings/go/examples/peer/main.go describes the commands; tests/interop/test_matrix.py runs them.
#include <cstdlib>

#include "peer.hpp"

int main(int argc, char** argv) {
  const peer::Arguments arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
  try {
    if (argc > 2 && (peer::storage(argv[1], arguments) || peer::channel(argv[1], arguments))) return EXIT_SUCCESS;
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return EXIT_FAILURE;
  }
  std::cerr << "usage: peer COMMAND ARGUMENTS\n";
  return 2;
}
