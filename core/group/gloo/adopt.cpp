// Groups that Python has made in this process, which LibTorch knows by name.
#include "core/torch_compat.h"
#if TD_TORCH_KNOWS_GROUPS
#include <torch/csrc/distributed/c10d/GroupRegistry.hpp>
#endif

#include <ATen/ops/tensor.h>

#include "core/error.h"
#include "core/group/gloo/engine_transport.h"

namespace td::group {

#if TD_TORCH_KNOWS_GROUPS

namespace {

// Each rank says that it is this library, and how it speaks.
void meet_in(EngineTransport& group) {
  const at::Tensor mine = at::tensor({int64_t{0x74656e736f726431}, int64_t{TD_TORCH_GROUP_WIRE}});
  const std::vector<at::Tensor> all = group.all_gather(mine);
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].equal(mine))
      throw Error(Code::version, "rank " + std::to_string(i) + " did not adopt the group as this library does")
          .hint("all ranks adopt it at the same point, or, beside stock Python, none waits for the others");
}

}  // namespace

std::unique_ptr<Transport> adopt(const std::string& name, bool beside_stock) {
  const std::string where = "the group '" + name + "'";
  c10::intrusive_ptr<c10d::ProcessGroup> group;
  try {
    group = c10d::resolve_process_group(name);
  } catch (const std::exception&) {
    throw Error(Code::not_found, "this process has no group of this name")
        .where(where)
        .hint("give the group_name of a group of torch.distributed that this process is in");
  }
  EnginePtr engine;
  try {
    engine = group->getBackend(c10::DeviceType::CPU);
  } catch (const std::exception&) {
    throw Error(Code::unsupported, "the group exchanges no tensors on the CPU: " + group->getBackendName())
        .where(where)
        .hint("make a group with a backend for the CPU, such as gloo or \"cpu:gloo,cuda:nccl\"");
  }
  const int32_t rank = engine->getRank(), size = engine->getSize();
  EngineFacts facts{where, std::vector<bool>(static_cast<size_t>(size), !beside_stock), 0, rank, size};
  auto made = std::make_unique<EngineTransport>(std::move(engine), StorePtr(store_of(*group, 0)), std::move(facts));
  if (!beside_stock) meet_in(*made);
  return made;
}

#else

std::unique_ptr<Transport> adopt(const std::string& name, bool) {
  throw Error(Code::unsupported, "LibTorch " TORCH_VERSION " does not know the groups of Python")
      .where("the group '" + name + "'")
      .hint("use LibTorch 2.2 or later, or open a group");
}

#endif

}  // namespace td::group
