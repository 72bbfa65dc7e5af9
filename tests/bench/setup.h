// What rows are made of: the library's handles, owned, and calls that must succeed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>

#include "tensordict.h"

namespace bench {

// The error of the last call that failed; set-up passes its address, timed calls pass NULL.
inline td_error* failure = nullptr;

[[noreturn]] inline void stop(const char* why) {
  std::fprintf(stderr, "bench: %s\n", why);
  std::exit(1);
}

inline void must(td_status status) {
  if (status == TD_OK) return;
  stop(failure ? td_error_message(failure).data : td_status_name(status).data);
}

using Tensor = std::shared_ptr<td_tensor>;
using Dict = std::shared_ptr<td_dict>;
using Path = std::shared_ptr<td_path>;
using Tensors = std::vector<at::Tensor>;

inline Tensor own(td_tensor* t) {
  return Tensor(t, td_tensor_release);
}
inline Dict own(td_dict* d) {
  return Dict(d, td_dict_release);
}

// A tensor of ours with the same values.
inline Tensor copy_of(const at::Tensor& t) {
  at::Tensor dense = t.contiguous();
  td_dtype dtype = dense.scalar_type() == at::kLong   ? TD_DTYPE_INT64
                   : dense.scalar_type() == at::kByte ? TD_DTYPE_UINT8
                                                      : TD_DTYPE_FLOAT32;
  td_tensor* made = nullptr;
  must(td_tensor_copy_from(dense.data_ptr(), dtype, dense.sizes().data(), dense.sizes().size(), &made, &failure));
  return own(made);
}

inline Path path(const td_key* key) {
  td_path* made = nullptr;
  must(td_path_new(key, &made, &failure));
  return Path(made, td_path_release);
}

inline Dict new_dict(std::vector<int64_t> batch) {
  td_dict* made = nullptr;
  must(td_dict_new(batch.data(), batch.size(), nullptr, &made, &failure));
  return own(made);
}

inline std::string leaf_name(size_t i) {
  return "leaf_" + std::to_string(i);
}

inline Tensors random_leaves(size_t n) {
  Tensors leaves;
  for (size_t i = 0; i < n; ++i) leaves.push_back(at::randn({128, 4}));
  return leaves;
}

// The same for each leaf, by hand.
template <class F>
void each(const Tensors& leaves, F make) {
  Tensors made;
  made.reserve(leaves.size());
  for (const at::Tensor& t : leaves) made.push_back(make(t));
  benchmark::DoNotOptimize(made.data());
}

// Stacks tensors of one shape by nothing but a new tensor and memcpy.
inline void stack_bytes(const Tensors& tensors) {
  std::vector<int64_t> sizes = tensors[0].sizes().vec();
  sizes.insert(sizes.begin(), static_cast<int64_t>(tensors.size()));
  at::Tensor made = at::empty(sizes, tensors[0].options());
  auto* to = static_cast<char*>(made.data_ptr());
  for (const at::Tensor& t : tensors) {
    std::memcpy(to, t.data_ptr(), t.nbytes());
    to += t.nbytes();
  }
  benchmark::DoNotOptimize(made);
}

// A dict of batch size [batch] with copies of `leaves` under leaf_0, leaf_1, ...
inline Dict dict_of(const Tensors& leaves, int64_t batch) {
  Dict d = new_dict({batch});
  for (size_t i = 0; i < leaves.size(); ++i)
    must(td_dict_set(d.get(), TD_KEY(leaf_name(i).c_str()), copy_of(leaves[i]).get(), &failure));
  return d;
}

// 32 dicts of 3 leaves, and of each leaf all that are to be joined.
struct ManyDicts {
  std::vector<Tensors> columns;
  std::vector<Dict> owned;
  std::vector<const td_dict*> dicts;

  ManyDicts() {
    for (int i = 0; i < 3; ++i) columns.push_back(random_leaves(32));
    for (size_t i = 0; i < 32; ++i) {
      owned.push_back(dict_of({columns[0][i], columns[1][i], columns[2][i]}, 128));
      dicts.push_back(owned.back().get());
    }
  }
};

}  // namespace bench
