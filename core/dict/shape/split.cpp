#include "core/dict/shape/split.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/data/plain.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/shape/batch_op.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"

namespace td {

namespace {

struct Range {
  int64_t start, length;
};

class Narrowed final : public BatchOp {
 public:
  Narrowed(size_t dim, Range range) : dim_(dim), range_(range) {}
  Dims batch(at::IntArrayRef batch) const override {
    Dims out(batch.begin(), batch.end());
    out[dim_] = range_.length;
    return out;
  }
  Names names(const Names& names) const override { return names; }
  at::Tensor leaf(const at::Tensor& t) const override {
    return viewed(
        t,
        [&](Geometry& g) {
          g.offset += range_.start * g.strides[dim_];
          g.sizes[dim_] = range_.length;
        },
        [&](const at::Tensor& from) { return from.narrow(static_cast<int64_t>(dim_), range_.start, range_.length); });
  }
  NodePtr stack(const LazyStack& stack) const override {
    return narrow_stack(stack, dim_, range_.start, range_.length);
  }

 private:
  size_t dim_;
  Range range_;
};

// Of a file, which is read once for all pieces; null of a dict in memory.
NodePtr read_whole(const Node& node) {
  if (!node.stored()) return {};
  NodePtr read = plain_copy(node);
  carry_lock(node, *read);
  return read;
}

Nodes pieces(const Node& node, size_t dim, const std::vector<Range>& ranges) {
  if (ranges.size() > 1)
    if (NodePtr read = read_whole(node)) return pieces(*read, dim, ranges);
  if (node.batch_size()[dim] < 0)
    throw Error(Code::shape, "the members have different sizes along dim " + std::to_string(dim) + ": batch size " +
                                 to_string(node.batch_size()));
  Nodes out;
  for (const Range& r : ranges) out.push_back(apply(node, Narrowed(dim, r)));
  return out;
}

constexpr int64_t max_pieces = int64_t{1} << 24;

int64_t positive(int64_t n, const char* what) {
  if (n < 1) throw Error(Code::argument, std::string(what) + " is " + std::to_string(n)).hint("it must be 1 or more");
  return n;
}

// Every `size` elements, and what is left; one empty piece of nothing.
std::vector<Range> every(int64_t size, int64_t whole) {
  std::vector<Range> ranges;
  for (int64_t start = 0; start < whole; start += std::min(size, whole - start))
    ranges.push_back({start, std::min(size, whole - start)});
  if (whole == 0) ranges.push_back({0, 0});
  return ranges;
}

}  // namespace

NodePtr narrow(const Node& node, int64_t given_dim, int64_t start, int64_t length) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  int64_t whole = node.batch_size()[dim];
  if (start < -whole || start > whole)
    throw Error(Code::index, "start " + std::to_string(start) + " is out of range for batch dim " +
                                 std::to_string(dim) + " of size " + std::to_string(whole));
  if (start < 0) start += whole;
  if (length < 0 || length > whole - start)
    throw Error(Code::shape, std::to_string(length) + " elements from " + std::to_string(start) +
                                 " on are not within batch dim " + std::to_string(dim) + " of size " +
                                 std::to_string(whole));
  return pieces(node, dim, {{start, length}})[0];
}

Nodes split(const Node& node, int64_t size, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  return pieces(node, dim, every(positive(size, "the size of a piece"), node.batch_size()[dim]));
}

Nodes split_sizes(const Node& node, at::IntArrayRef sizes, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  int64_t whole = node.batch_size()[dim], start = 0;
  std::vector<Range> ranges;
  for (int64_t size : sizes) {
    if (size < 0 || size > whole - start) {
      start = -1;
      break;
    }
    ranges.push_back({start, size});
    start += size;
  }
  if (start != whole || sizes.empty())
    throw Error(Code::shape, "pieces of sizes " + to_string(sizes) + " do not add up to batch dim " +
                                 std::to_string(dim) + " of size " + std::to_string(whole));
  return pieces(node, dim, ranges);
}

Nodes chunk(const Node& node, int64_t chunks, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  int64_t whole = node.batch_size()[dim];
  positive(chunks, "the number of pieces");
  if (whole == 0) return tensor_split(node, chunks, given_dim);
  return pieces(node, dim, every((whole - 1) / chunks + 1, whole));
}

Nodes tensor_split(const Node& node, int64_t sections, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  int64_t whole = node.batch_size()[dim], start = 0;
  positive(sections, "the number of pieces");
  if (sections > max_pieces)
    throw Error(Code::argument,
                std::to_string(sections) + " pieces are too many; the limit is " + std::to_string(max_pieces));
  std::vector<Range> ranges;
  for (int64_t i = 0; i < sections; ++i) {
    ranges.push_back({start, whole / sections + (i < whole % sections)});
    start += ranges.back().length;
  }
  return pieces(node, dim, ranges);
}

// The slices between the indices, with the rules of Python's slices.
Nodes tensor_split_at(const Node& node, at::IntArrayRef indices, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  int64_t whole = node.batch_size()[dim], start = 0;
  std::vector<Range> ranges;
  auto add = [&](int64_t stop) {
    ranges.push_back({start, std::max<int64_t>(stop - start, 0)});
    start = stop;
  };
  for (int64_t i : indices) add(std::clamp<int64_t>(i < 0 ? i + whole : i, 0, whole));
  add(whole);
  return pieces(node, dim, ranges);
}

Nodes unbind(const Node& node, int64_t given_dim) {
  size_t dim = batch_dim(given_dim, node.batch_dims());
  if (NodePtr read = read_whole(node)) return unbind(*read, given_dim);
  if (has_lazy(node))
    return around_stacks(
        Several{&node}, [&](const Several& n) { return unbind(*n[0], given_dim); },
        [&](const LazyStack& stack, const Several&) { return unbind_stack(stack, dim); });
  Dims batch(node.batch_size().begin(), node.batch_size().end());
  batch.erase(batch.begin() + dim);
  Names names = node.names();
  if (!names.empty()) names.erase(names.begin() + static_cast<std::ptrdiff_t>(dim));
  Nodes out;
  for (int64_t k = 0; k < node.batch_size()[dim]; ++k)
    out.push_back(rebuild_views(
        node,
        [&](const at::Tensor& t) {
          return viewed(
              t,
              [&](Geometry& g) {
                g.offset += k * g.strides[dim];
                g.sizes.erase(g.sizes.begin() + dim);
                g.strides.erase(g.strides.begin() + dim);
              },
              [&](const at::Tensor& from) { return from.select(static_cast<int64_t>(dim), k); });
        },
        batch, names));
  return out;
}

}  // namespace td
