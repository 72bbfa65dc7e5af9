// To and from at::Tensor, without a copy, for programs that use LibTorch themselves. It must be the LibTorch that libtensordict
// was built on: a process has one.
//
//     at::Tensor image = to_torch(td.get("image"));
//     td.set("logits", from_torch(net->forward(image)));
#ifndef TENSORDICT_TORCH_HPP
#define TENSORDICT_TORCH_HPP

#include <ATen/ATen.h>
#include <ATen/DLConvertor.h>

#include "dict.hpp"
#include "dlpack.hpp"

namespace tensordict {

// They share the memory, and what is written through one shows in the other. History stays behind: a tensor that requires
// grad is detached first. LockedError for memory that is read-only, since at::Tensor does not know of any.
inline at::Tensor to_torch(const Tensor& tensor) {
  Dlpack<DLManagedTensor> managed =
      to_dlpack<DLManagedTensor>(tensor.requires_grad() ? tensor.detach() : tensor.share());
  at::Tensor out = at::fromDLPack(managed.get());
  managed.release();
  return out;
}

inline Tensor from_torch(const at::Tensor& tensor) {
  return Tensor::from_dlpack_unversioned(at::toDLPack(tensor.detach()));
}

// All tensors of a dict, nested ones too, with their keys.
inline std::vector<std::pair<Key, at::Tensor>> to_torch(const Dict& dict) {
  std::vector<std::pair<Key, at::Tensor>> out;
  auto leaves = dict.leaves();
  for (std::size_t i = 0; i < leaves.second.size(); ++i) out.emplace_back(leaves.first[i], to_torch(leaves.second[i]));
  return out;
}

}  // namespace tensordict

#endif
