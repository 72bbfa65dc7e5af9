#include "core/storage/redis/members.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>

#include "core/dict/batch_size.h"
#include "core/error.h"
#include "core/storage/json.h"

namespace td::storage::redis {

namespace {

[[noreturn]] void other_bytes(const Leaf& leaf, int64_t expected) {
  throw Error(Code::corrupt,
              "it has " + std::to_string(leaf.bytes) + " bytes, but shape and dtype make " + std::to_string(expected));
}

void read_table(Leaf& leaf, const StackOf& stack, at::IntArrayRef batch) {
  if (!leaf.dtype || !leaf.shapes) throw Error(Code::corrupt, "it has no dtype or no shapes");
  const boost::json::string dtype(*leaf.dtype);
  const boost::json::value shapes = parse_json(*leaf.shapes, "the shapes");
  const boost::json::array* list = shapes.if_array();
  if (!list || static_cast<int64_t>(list->size()) != stack.count)
    throw Error(Code::corrupt, "it does not have one shape for each of " + std::to_string(stack.count) + " members");
  auto table = std::make_shared<MemberTable>();
  int64_t offset = 0;
  for (const boost::json::value& shape : *list) {
    table->types.push_back(parse_leaf_type(dtype, shape));
    table->offsets.push_back(offset);
    check_batch(table->types.back().sizes, batch);
    if (__builtin_add_overflow(offset, table->types.back().bytes, &offset))
      throw Error(Code::corrupt, "the members have more bytes than 64 bits can count");
  }
  if (offset != leaf.bytes) other_bytes(leaf, offset);
  leaf.members = std::move(table);
}

// The members lie one after the other, or all along the dim of the stack; where the shape allows both, the server says
// which.
void read_whole(Leaf& leaf, const StackOf& stack, at::IntArrayRef batch) {
  if (!leaf.shape || !leaf.dtype) throw Error(Code::corrupt, "it has no shape or no dtype");
  leaf.type = parse_leaf_type(boost::json::string(*leaf.dtype), parse_json(*leaf.shape, "the shape"));
  Dims first(batch.begin(), batch.end()), inside = first;
  first.insert(first.begin(), stack.count);
  inside.insert(inside.begin() + stack.dim, stack.count);
  const bool in_turn = begins_with(leaf.type.sizes, first), along = begins_with(leaf.type.sizes, inside);
  if (!in_turn && !along)
    throw Error(Code::corrupt, "shape " + to_string(leaf.type.sizes) + " does not begin with the batch size of the " +
                                   "stack, " + to_string(inside));
  const bool batch_order = along && (!in_turn || leaf.order == std::string("batch"));
  leaf.member_dim = batch_order ? stack.dim : 0;
  if (leaf.type.bytes != leaf.bytes) other_bytes(leaf, leaf.type.bytes);
}

}  // namespace

void read_members(Leaf& leaf, const StackOf& stack, at::IntArrayRef batch) try {
  if (leaf.data) throw Error(Code::unsupported, "a lazy stack on a server cannot hold non-tensor data");
  if (leaf.homogeneous == std::string("0"))
    read_table(leaf, stack, batch);
  else
    read_whole(leaf, stack, batch);
} catch (const Error& e) {
  leaf.why = e.message();
  leaf.code = e.code();
}

LeafType member_type(const Leaf& leaf, size_t member) {
  if (leaf.members) return leaf.members->types[member];
  LeafType type = leaf.type;
  const int64_t count = type.sizes[leaf.member_dim];
  type.sizes.erase(type.sizes.begin() + leaf.member_dim);
  type.bytes = count ? type.bytes / count : 0;
  return type;
}

std::vector<Rows::Run> member_runs(const Leaf& leaf, size_t member) {
  const LeafType type = member_type(leaf, member);
  if (type.bytes == 0) return {};
  if (leaf.members) return {{leaf.members->offsets[member], type.bytes}};
  int64_t rows = 1;
  for (size_t d = 0; d < leaf.member_dim; ++d) rows *= leaf.type.sizes[d];
  const int64_t block = type.bytes / rows, count = leaf.type.sizes[leaf.member_dim];
  std::vector<Rows::Run> runs;
  for (int64_t row = 0; row < rows; ++row)
    runs.push_back({(row * count + static_cast<int64_t>(member)) * block, block});
  return runs;
}

std::vector<Rows::Run> placed(const std::vector<Rows::Run>& runs, Rows::Run run) {
  std::vector<Rows::Run> out;
  if (run.bytes == 0) return out;
  const int64_t block = runs[0].bytes;  // all of them are of one size
  while (run.bytes > 0) {
    const Rows::Run& in = runs[static_cast<size_t>(run.offset / block)];
    const int64_t begin = run.offset % block, n = std::min(run.bytes, block - begin);
    out.push_back({in.offset + begin, n});
    run.offset += n;
    run.bytes -= n;
  }
  return out;
}

}  // namespace td::storage::redis
