#include "core/dict/shape/pack.h"

#include <algorithm>
#include <map>

#include "core/dict/unbatched.h"
#include "core/dict/walk.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

struct Leaf {
  Path path;
  at::Tensor tensor;
};

// Members with other keys than the first are not told apart by what the stack shows.
void check_even(const Node& node, const Path& path) {
  node.each_member([&](const NodePtr& m, size_t) {
    if (m->count() == node.count()) return;
    Error error(Code::key, "the members of a lazy stack have different keys");
    if (path.size() > 0) error.key(to_string(path));
    throw error.hint_naming("fill the missing entries with {dict_densify}");
  });
}

// What is to be packed, by sorted keys.
struct Contents {
  std::vector<Leaf> leaves;
  std::vector<PackLayout::Nested> nested;

  explicit Contents(const Node& node) {
    check_even(node, Path());
    KeyChoice choice;
    choice.nested = choice.sorted = true;
    for (Path& path : keys(node, choice)) {
      Entry e = node.get(path);
      if (e.is_data())
        throw Error(Code::unsupported, "non-tensor data cannot be packed")
            .key(to_string(path))
            .hint_naming("remove it with {dict_filter_non_tensor_data}");
      if (e.is_unbatched()) refuse_unbatched_entry(path, "it has no rows to pack");
      if (e.is_node()) {
        const Node& below = *e.node();
        check_even(below, path);
        at::IntArrayRef more = below.batch_size().slice(std::min(node.batch_dims(), below.batch_dims()));
        nested.push_back({std::move(path), {more.begin(), more.end()}, below.python_class()});
      } else {
        leaves.push_back({std::move(path), e.tensor()});
      }
    }
  }

  // In the order of the columns, which are exactly these keys.
  void arrange(const PackLayout& layout) {
    std::map<std::string, Leaf> by_key;
    for (Leaf& l : leaves) by_key.emplace(to_string(l.path), std::move(l));
    leaves.clear();
    for (const PackLayout::Column& c : layout.columns()) {
      auto found = by_key.find(to_string(c.path));
      if (found == by_key.end())
        throw Error(Code::key, "the dict has no such tensor, but the layout has").key(to_string(c.path));
      leaves.push_back(std::move(found->second));
      by_key.erase(found);
    }
    if (!by_key.empty())
      throw Error(Code::key, "the layout has no such tensor, but the dict has").key(by_key.begin()->first);
  }
};

void check_alike(const Leaf& first, const Leaf& leaf) {
  const at::Tensor &a = first.tensor, &b = leaf.tensor;
  if (a.scalar_type() != b.scalar_type())
    throw Error(Code::dtype,
                "tensors of different dtypes cannot be packed: " + std::string(dtype_name(a.scalar_type())) + " and " +
                    std::string(dtype_name(b.scalar_type())))
        .key(to_string(leaf.path))
        .hint_naming("use {dict_to} to cast or move all of them");
  if (a.device() != b.device())
    throw Error(Code::device,
                "tensors on different devices cannot be packed: " + a.device().str() + " and " + b.device().str())
        .key(to_string(leaf.path));
}

}  // namespace

Packed pack(const Node& node, int64_t dim, const PackLayout* layout) {
  size_t rank = node.batch_dims() + 1, place = packed_dim(dim, rank);
  if (layout && packed_dim(layout->dim(), rank) != place)
    throw Error(Code::argument, "cannot pack along dim " + std::to_string(dim) + " with a layout along dim " +
                                    std::to_string(layout->dim()));
  Contents contents(node);
  if (layout) contents.arrange(*layout);
  std::vector<PackLayout::Column> columns;
  std::vector<at::Tensor> parts;
  for (const Leaf& leaf : contents.leaves) {
    check_alike(contents.leaves[0], leaf);
    at::IntArrayRef features = leaf.tensor.sizes().slice(node.batch_dims());
    PackLayout::Column column{leaf.path, {features.begin(), features.end()}};
    if (layout && layout->columns()[columns.size()].shape != column.shape)
      throw Error(Code::shape, "the feature dims are " + to_string(features) + ", but in the layout they are " +
                                   to_string(layout->columns()[columns.size()].shape))
          .key(to_string(leaf.path));
    Dims sizes(leaf.tensor.sizes().begin(), leaf.tensor.sizes().begin() + node.batch_dims());
    sizes.push_back(checked_numel(features, 1));
    at::Tensor part = leaf.tensor.reshape(sizes);
    parts.push_back(place + 1 == rank ? part : part.movedim(-1, static_cast<int64_t>(place)));
    columns.push_back(std::move(column));
  }
  auto made = c10::make_intrusive<PackLayout>(std::move(columns), std::move(contents.nested),
                                              static_cast<int64_t>(place) - static_cast<int64_t>(rank),
                                              PackLayout::Root{node.device(), node.python_class()});
  if (!parts.empty()) return {at::cat(parts, static_cast<int64_t>(place)).contiguous(), std::move(made)};
  Dims sizes(node.batch_size().begin(), node.batch_size().end());
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(place), 0);
  checked_numel(sizes, sizeof(float));
  return {at::empty(sizes, at::TensorOptions(at::kFloat).device(node.device() ? *node.device() : at::kCPU)),
          std::move(made)};
}

}  // namespace td
