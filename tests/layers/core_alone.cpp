// The core without the C API: this program links core/ and nothing of capi/, so a symbol that core takes from above fails the
// link, and what needs the C API says so when it is asked for.
#include <cstdio>
#include <cstdlib>

#include "core/dict/tensordict.h"
#include "core/plugin/border.h"
#include "core/tensor/ops.h"

namespace {

void expect(bool held, const char *what) {
  if (held) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  const td::Path path{"next", "obs"};
  td::NodePtr dict = td::TensorDict::make({2, 3});
  dict->set(path, at::zeros({2, 3, 4}));
  expect(dict->tensor(path).numel() == 24, "a dict holds what was set");

  bool told = false;
  try {
    td::plugin::host();
  } catch (const td::Error &error) {
    told = error.code() == td::Code::unsupported;
  }
  expect(told, "plugins need the C API, and the core says so");
  return 0;
}
