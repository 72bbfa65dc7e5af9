// tensordict.hpp: TensorDict for C++17, header-only over the C ABI of libtensordict. No LibTorch is needed to build with it; for
// conversion to and from at::Tensor include tensordict/torch.hpp as well.
//
// SPDX-License-Identifier: MIT
//
//     #include <tensordict.hpp>
//     using namespace tensordict;
//
//     Dict td({{"obs", Tensor::zeros({32, 4})}, {{"next", "reward"}, Tensor::ones({32})}}, {32});
//     td["next"]["obs"] = td["obs"].tensor() + 1;
//     td.save("batch.td");
//
// Objects are unique handles that give their reference back at the end of their life; `share`, `copy` and `clone` say what
// they copy. Failures are exceptions (error.hpp). Each function is the one of tensordict.h that it calls, where its errors
// and its rules stand.
#ifndef TENSORDICT_HPP
#define TENSORDICT_HPP

#include "tensordict/autograd.hpp"
#include "tensordict/cancel.hpp"
#include "tensordict/channel.hpp"
#include "tensordict/equal.hpp"
#include "tensordict/group.hpp"
#include "tensordict/optimizer.hpp"
#include "tensordict/pack.hpp"
#include "tensordict/plugins.hpp"
#include "tensordict/process.hpp"
#include "tensordict/store.hpp"
#include "tensordict/vmap.hpp"

#endif
