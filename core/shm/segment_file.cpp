#include "core/shm/segment_file.h"

#include <cstring>

#include "core/error.h"
#include "core/system/crc32c.h"
#include "core/tensor/memory.h"

namespace td::shm {

namespace {

int64_t aligned(int64_t offset) {
  return (offset + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
}

}  // namespace

SegmentPlan plan_segment(const Node& node, unsigned snapshots) {
  SegmentPlan plan;
  plan.outline = storage::plan(node, header_page, tensor_alignment, snapshots == 0);
  plan.json = storage::to_json(plan.outline);
  Facts& facts = plan.facts;
  facts.snapshots = snapshots;
  facts.data_bytes = aligned(storage::end_of(plan.outline, header_page)) - header_page;
  facts.meta_offset = header_page + facts.stride() * (snapshots + 1);
  facts.meta_bytes = static_cast<int64_t>(plan.json.size());
  facts.meta_crc = crc32c(plan.json);
  facts.total_bytes = facts.meta_offset + facts.meta_bytes + footer_size;
  return plan;
}

void copy_leaves(char* base, const storage::Outline& outline, const Leaves& leaves) {
  size_t i = 0;
  storage::for_each_leaf(outline, [&](const storage::PlacedLeaf& leaf) {
    const at::Tensor& t = leaves[i++];
    if (t.numel() > 0) std::memmove(base + leaf.offset, data(t), static_cast<size_t>(leaf.type.bytes));
  });
}

void write_segment(char* base, const SegmentPlan& plan, const Node& node) {
  const Facts& facts = plan.facts;
  storage::Pairing copy;
  copy.leaf = [&](const Path&, const storage::PlacedLeaf& leaf, const at::Tensor& given) {
    at::Tensor t = storage::dense(given);
    if (t.numel() > 0) std::memcpy(base + leaf.offset, data(t), static_cast<size_t>(leaf.type.bytes));
  };
  copy.data = [](const Path&, const Data&, const Data&) {};
  storage::pair(plan.outline, node, copy);
  // The first of the snapshots is the newest: its words are zero.
  if (facts.snapshots > 0)
    std::memcpy(base + header_page + facts.stride(), base + header_page, static_cast<size_t>(facts.data_bytes));
  std::memcpy(base + facts.meta_offset, plan.json.data(), plan.json.size());
  std::memcpy(base + facts.meta_offset + facts.meta_bytes, &facts.meta_bytes, sizeof facts.meta_bytes);
  write_header(base, facts);
}

SegmentPlan read_segment(const storage::Fd& file, const std::string& where) {
  int64_t size = storage::size_of(file, where);
  if (size < header_page + footer_size) throw Error(Code::corrupt, "it is too short for a segment").where(where);
  SegmentPlan plan;
  Facts& facts = plan.facts;
  facts = read_header(storage::read_bytes(file, 0, header_page, where), size, where);
  plan.json = storage::read_bytes(file, facts.meta_offset, facts.meta_bytes + footer_size, where);
  int64_t length;
  std::memcpy(&length, plan.json.data() + facts.meta_bytes, sizeof length);
  plan.json.resize(static_cast<size_t>(facts.meta_bytes));
  if (length != facts.meta_bytes) throw Error(Code::corrupt, "the footer contradicts the header").where(where);
  if (crc32c(plan.json) != facts.meta_crc)
    throw Error(Code::corrupt, "the checksum of the metadata is wrong").where(where);
  storage::Extents extents{header_page, header_page + facts.data_bytes, tensor_alignment, true, facts.snapshots == 0};
  plan.outline = storage::parse_outline(plan.json, extents, where);
  return plan;
}

}  // namespace td::shm
