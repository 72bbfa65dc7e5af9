#include "core/storage/redis/fetch.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/storage/redis/members.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td::storage::redis {

namespace {

// Ranges that lie so close together are read with what is between them.
constexpr int64_t close_enough = 256;

}  // namespace

Fetch::Fetch(const Leaf& leaf, const IndexList& part) : type_(leaf.type), data_(leaf.data) {
  if (data_) {
    ranges_.push_back({0, leaf.bytes});
    return;
  }
  part_ = canonical(part, type_.sizes);
  Rows rows(part_, type_);
  sizes_ = rows.sizes();
  bytes_ = rows.bytes();
  runs_ = rows.runs();
  for (const Rows::Run& run : runs_) {
    if (!ranges_.empty()) {
      Rows::Run& last = ranges_.back();
      const int64_t end = last.offset + last.bytes;
      if (run.offset >= last.offset && run.offset <= end + close_enough) {
        last.bytes = std::max(end, run.offset + run.bytes) - last.offset;
        continue;
      }
    }
    ranges_.push_back(run);
  }
}

Fetch::Fetch(const Leaf& leaf, optional<size_t> member) : type_(leaf.type), data_(true) {
  if (member)
    ranges_ = member_runs(leaf, *member);
  else if (leaf.bytes)
    ranges_.push_back({0, leaf.bytes});
}

void Fetch::ask(Request& request, const std::string& key) const {
  for (const Rows::Run& range : ranges_)
    request.add({"GETRANGE", key, std::to_string(range.offset), std::to_string(range.offset + range.bytes - 1)});
}

int64_t Fetch::bytes() const {
  int64_t sum = 0;
  for (const Rows::Run& range : ranges_) sum += range.bytes;
  return sum;
}

Fetched Fetch::take(std::vector<Reply>& replies, size_t first) const {
  for (size_t i = 0; i < ranges_.size(); ++i)
    if (static_cast<int64_t>(text_of(replies[first + i]).size()) != ranges_[i].bytes)
      throw Error(Code::corrupt, "the server sends " + std::to_string(replies[first + i].text.size()) +
                                     " bytes in place of " + std::to_string(ranges_[i].bytes));
  Fetched out;
  out.part = part_;
  if (data_) {
    if (!ranges_.empty()) out.text = std::move(replies[first].text);
    for (size_t i = 1; i < ranges_.size(); ++i) out.text += replies[first + i].text;
    return out;
  }
  LeafType type = type_;
  type.sizes = sizes_;
  std::string bytes;
  if (runs_.size() == 1) {
    bytes = std::move(replies[first].text);
  } else {
    bytes.resize(static_cast<size_t>(bytes_));
    char* to = bytes.data();
    size_t range = 0;
    for (const Rows::Run& run : runs_) {
      const auto inside = [&](const Rows::Run& r) {
        return run.offset >= r.offset && run.offset + run.bytes <= r.offset + r.bytes;
      };
      while (!inside(ranges_[range])) ++range;
      std::memcpy(to, replies[first + range].text.data() + (run.offset - ranges_[range].offset),
                  static_cast<size_t>(run.bytes));
      to += run.bytes;
    }
  }
  out.tensor = tensor_of(type, std::move(bytes));
  return out;
}

at::Tensor tensor_of(const LeafType& type, std::string bytes) {
  if (type.dtype == at::kBool)  // whatever the server says
    for (char& c : bytes) c = c != 0;
  auto owner = std::make_shared<std::string>(std::move(bytes));
  char* memory = owner->data();
  return leaf_tensor(type, memory, std::move(owner));
}

}  // namespace td::storage::redis
