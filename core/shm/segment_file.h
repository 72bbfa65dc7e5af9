// The bytes of a segment, wherever they lie:
//   [header page][tensors, each at a multiple of 64][snapshots, each laid out like the tensors][JSON][int64 length]
#pragma once

#include <string>

#include "core/dict/copy.h"
#include "core/shm/header.h"
#include "core/storage/consolidated.h"
#include "core/system/file.h"

namespace td::shm {

struct SegmentPlan {
  storage::Outline outline;
  std::string json;
  Facts facts;
};

// `snapshots` is 0, or 2 to max_snapshots, in which nested tensors stay lazy stacks. Throws what storage::plan throws.
SegmentPlan plan_segment(const Node& node, unsigned snapshots);

// Fills the whole of a new file.
void write_segment(char* base, const SegmentPlan& plan, const Node& node);

// Reads header and metadata, as anybody may have written them, through private copies.
SegmentPlan read_segment(const storage::Fd& file, const std::string& where);

// Copies the leaves, row-major, to where the outline says.
void copy_leaves(char* base, const storage::Outline& outline, const Leaves& leaves);

}  // namespace td::shm
