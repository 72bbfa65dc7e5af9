// DLPack: tensors of NumPy, JAX, CuPy, Arrow and PyTorch, without a copy. For programs that have a dlpack.h and include it
// before; the functions of Tensor that these build on need none.
#ifndef TENSORDICT_DLPACK_HPP
#define TENSORDICT_DLPACK_HPP

#include "tensor.hpp"

namespace tensordict {

// Calls the struct's own deleter.
template <class Managed>
struct DlpackDeleter {
  void operator()(Managed* managed) const {
    if (managed && managed->deleter) managed->deleter(managed);
  }
};

// Owns the struct until somebody takes it with release().
template <class Managed>
using Dlpack = std::unique_ptr<Managed, DlpackDeleter<Managed>>;

template <class Managed = DLManagedTensor>
Dlpack<Managed> to_dlpack(const Tensor& tensor) {
  if constexpr (std::is_same_v<Managed, DLManagedTensor>)
    return Dlpack<Managed>(tensor.to_dlpack_unversioned());
  else
    return Dlpack<Managed>(tensor.to_dlpack());
}

template <class Managed>
Tensor from_dlpack(Dlpack<Managed> managed) {
  if constexpr (std::is_same_v<Managed, DLManagedTensor>)
    return Tensor::from_dlpack_unversioned(managed.release());
  else
    return Tensor::from_dlpack(managed.release());
}

}  // namespace tensordict

#endif
