// Entries of a lazy stack on a server: one string has the tensors of all members.
#pragma once

#include <vector>

#include "core/storage/redis/leaf.h"
#include "core/storage/redis/rows.h"

namespace td::storage::redis {

inline constexpr int64_t max_stack_members = int64_t{1} << 20;

// Finds out from the texts of a leaf where each member's tensor is. `batch` is that of a member. What does not fit is
// said in `why`.
void read_members(Leaf& leaf, const StackOf& stack, at::IntArrayRef batch);

LeafType member_type(const Leaf& leaf, size_t member);

// Where the bytes of one member are among those of all, in their order.
std::vector<Rows::Run> member_runs(const Leaf& leaf, size_t member);

// Where a run of the bytes of a member is, which are at `runs`.
std::vector<Rows::Run> placed(const std::vector<Rows::Run>& runs, Rows::Run run);

}  // namespace td::storage::redis
