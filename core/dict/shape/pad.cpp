#include "core/dict/shape/pad.h"

#include <algorithm>

#include "core/dict/align.h"
#include "core/dict/any_node.h"
#include "core/dict/change/assign.h"
#include "core/dict/lazy/around_stacks.h"
#include "core/dict/lazy/lazy.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// The values and, last, no value: what data is padded with.
std::pair<Data::Pool, int64_t> with_none(const Data::Pool::element_type& pool) {
  auto more = std::make_shared<std::vector<Value>>(pool);
  more->push_back(Value());
  return {more, static_cast<int64_t>(pool.size())};
}

Dims padded_batch(at::IntArrayRef batch, at::IntArrayRef pairs) {
  if (pairs.size() % 2 != 0)
    throw Error(Code::argument, std::to_string(pairs.size()) + " amounts of padding were given, which are not pairs")
        .hint("give two amounts for each dim: before and after it");
  if (pairs.size() / 2 > batch.size())
    throw Error(Code::shape, "padding was given for " + std::to_string(pairs.size() / 2) +
                                 " dims, but the batch size is " + to_string(batch))
        .hint("only batch dims can be padded");
  Dims out(batch.begin(), batch.end());
  for (size_t d = 0; d < pairs.size() / 2; ++d) {
    int64_t before = pairs[2 * d], after = pairs[2 * d + 1], kept = out[d], size = 0;
    bool overflow = __builtin_add_overflow(kept, std::min<int64_t>(before, 0), &kept) ||
                    __builtin_add_overflow(kept, std::min<int64_t>(after, 0), &kept) ||
                    __builtin_add_overflow(kept, std::max<int64_t>(before, 0), &size) ||
                    __builtin_add_overflow(size, std::max<int64_t>(after, 0), &size);
    if (overflow || kept < 0)
      throw Error(Code::shape, "padding of " + std::to_string(before) + " and " + std::to_string(after) +
                                   " does not fit batch dim " + std::to_string(d) + " of size " +
                                   std::to_string(out[d]));
    out[d] = size;
  }
  return out;
}

at::Tensor padded(const at::Tensor& t, at::IntArrayRef pairs, const c10::Scalar& value) {
  std::vector<int64_t> amounts(2 * static_cast<size_t>(t.dim()));  // LibTorch counts from the last dim
  for (size_t d = 0; d < pairs.size() / 2; ++d) {
    size_t from_end = static_cast<size_t>(t.dim()) - 1 - d;
    amounts[2 * from_end] = pairs[2 * d];
    amounts[2 * from_end + 1] = pairs[2 * d + 1];
  }
  return at::constant_pad_nd(t, amounts, value);
}

}  // namespace

NodePtr pad(const Node& node, at::IntArrayRef pairs, const c10::Scalar& value) {
  if (has_lazy(node)) return pad(*dense(node), pairs, value);
  Dims batch = padded_batch(node.batch_size(), pairs);
  std::vector<bool> unbatched;
  Leaves all = leaves(node, unbatched);
  for (size_t i = 0; i < all.size(); ++i)
    if (!unbatched[i]) number(value, all[i].scalar_type());
  for (size_t i = 0; i < all.size(); ++i)
    if (!unbatched[i]) all[i] = padded(all[i], pairs, value);
  std::vector<DataPtr> data;
  for (const auto& column : align({&node}, [](const std::vector<const Node*>&, const Path&) {}).data) {
    const Data& d = *column.entries[0];
    auto [pool, none] = with_none(d.pool());
    data.push_back(c10::make_intrusive<Data>(padded(d.ids(), pairs, c10::Scalar(none)), pool, true));
  }
  return rebuild(node, std::move(all), data, batch, node.names());
}

namespace {

class PadSequence {
 public:
  PadSequence(const std::vector<const Node*>& nodes, const PadSequenceOptions& options)
      : nodes_(nodes), options_(options), pad_dim_(options.pad_dim) {}

  NodePtr run() {
    size_t rank = nodes_[0]->batch_dims();
    find_batch_dim(nodes_, Path());
    if (!any_ && pad_dim_ >= -static_cast<int64_t>(rank) && pad_dim_ < static_cast<int64_t>(rank))
      batch_dim_ = static_cast<size_t>(pad_dim_ < 0 ? pad_dim_ + static_cast<int64_t>(rank) : pad_dim_);
    batch_.assign(nodes_[0]->batch_size().begin(), nodes_[0]->batch_size().end());
    for (size_t i = 1; i < nodes_.size(); ++i) {
      at::IntArrayRef other = nodes_[i]->batch_size();
      bool equal = other.size() == rank;
      for (size_t d = 0; equal && d < rank; ++d) equal = d == batch_dim_ || other[d] == batch_[d];
      if (!equal)
        throw Error(Code::shape, "batch sizes differ: " + to_string(nodes_[0]->batch_size()) + " and " +
                                     to_string(other) + " in dict " + std::to_string(i));
      if (batch_dim_ < rank) batch_[batch_dim_] = std::max(batch_[batch_dim_], other[batch_dim_]);
    }
    batch_.insert(batch_.begin(), static_cast<int64_t>(nodes_.size()));
    NodePtr made = nodes_[0]->make_like(batch_), masks = nodes_[0]->make_like(batch_);
    level(nodes_, *made, *masks, Path());
    for (const auto& [path, value] : options_.values)
      if (!made->get(path).is_tensor())
        throw Error(Code::key, "a padding value was given for an entry that is not a tensor in all dicts")
            .key(to_string(path));
    if (const auto& key = options_.mask_key) {
      if (made->get(*key))
        throw Error(Code::exists, "the dict already has an entry under the key of the masks").key(to_string(*key));
      made->set(*key, std::move(masks));
    }
    return made;
  }

 private:
  // Calls `fn` for each entry that is in all of them, of one kind.
  template <class Fn>
  static void common(const std::vector<const Node*>& nodes, Fn fn) {
    nodes[0]->visit([&](const Key& k, const Entry& e) {
      std::vector<Entry> entries;
      for (const Node* n : nodes) {
        Entry other = n->find(k);
        if (!other || other.is_node() != e.is_node() || other.is_batched() != e.is_batched() ||
            other.is_data() != e.is_data())
          return;
        entries.push_back(std::move(other));
      }
      fn(k, entries);
    });
  }

  static std::vector<const Node*> children(const std::vector<Entry>& entries) {
    std::vector<const Node*> out;
    for (const Entry& e : entries) out.push_back(e.node().get());
    return out;
  }

  size_t place(const at::Tensor& t, const Path& path) const {
    if (t.dim() == 0) throw Error(Code::shape, "a tensor without dims cannot be padded").key(to_string(path));
    if (pad_dim_ < -t.dim() || pad_dim_ >= t.dim())
      throw Error(Code::index, "dim " + std::to_string(pad_dim_) + " is out of range for shape " + to_string(t.sizes()))
          .key(to_string(path));
    return static_cast<size_t>(pad_dim_ < 0 ? pad_dim_ + t.dim() : pad_dim_);
  }

  // The batch dim that is padded, or none; it must be the same for all entries.
  void find_batch_dim(const std::vector<const Node*>& nodes, const Path& prefix) {
    common(nodes, [&](const Key& k, const std::vector<Entry>& entries) {
      Path path = prefix + k;
      if (entries[0].is_node()) return find_batch_dim(children(entries), path);
      if (!entries[0].is_batched()) return;
      size_t at = place(entries[0].tensor(), path);
      if (at >= nodes_[0]->batch_dims()) at = SIZE_MAX;
      if (any_ && at != batch_dim_)
        throw Error(Code::shape, "dim " + std::to_string(pad_dim_) + " is not the same batch dim for all entries")
            .key(to_string(path))
            .hint("give the dim counted from the first one");
      any_ = true;
      batch_dim_ = at;
    });
  }

  void level(const std::vector<const Node*>& nodes, Node& made, Node& masks, const Path& prefix) {
    common(nodes, [&](const Key& k, const std::vector<Entry>& entries) {
      Path path = prefix + k;
      if (entries[0].is_node()) {
        NodePtr child = entries[0].node()->make_like(batch_), child_masks = entries[0].node()->make_like(batch_);
        level(children(entries), *child, *child_masks, path);
        made.put(k, Entry(std::move(child)));
        masks.put(k, Entry(std::move(child_masks)));
      } else if (entries[0].is_unbatched()) {
        made.put(k, entries[0]);
      } else if (entries[0].is_data()) {
        made.put(k, Entry(joined(entries)));
      } else {
        joined(entries, k, made, masks, path);
      }
    });
  }

  void joined(const std::vector<Entry>& entries, const Key& k, Node& made, Node& masks, const Path& path) const {
    const at::Tensor& first = entries[0].tensor();
    size_t at = place(first, path);
    Dims sizes(first.sizes().begin(), first.sizes().end());
    at::ScalarType type = first.scalar_type();
    for (const Entry& e : entries) {
      const at::Tensor& t = e.tensor();
      bool fits = t.dim() == first.dim();
      for (size_t d = 0; fits && d < sizes.size(); ++d) fits = d == at || t.sizes()[d] == sizes[d];
      if (!fits)
        throw Error(Code::shape, "shapes differ: " + to_string(first.sizes()) + " and " + to_string(t.sizes()))
            .key(to_string(path))
            .hint("they may differ only in the dim that is padded");
      sizes[at] = std::max(sizes[at], t.sizes()[at]);
      type = c10::promoteTypes(type, t.scalar_type());
    }
    sizes.insert(sizes.begin(), static_cast<int64_t>(entries.size()));
    at::Tensor all = filled(sizes, type, first.device(), path);
    for (size_t i = 0; i < entries.size(); ++i)
      taken(all, i, at, entries[i].tensor().sizes()[at]).copy_(entries[i].tensor());
    made.put(k, Entry(std::move(all)));
    if (options_.mask_key) masks.put(k, Entry(mask(entries, at, sizes[at + 1], first.device())));
  }

  // Of the batch size, with one dim more where a feature dim is padded.
  at::Tensor mask(const std::vector<Entry>& entries, size_t at, int64_t longest, c10::Device device) const {
    Dims sizes = batch_;
    if (at + 1 >= batch_.size()) sizes.push_back(longest);
    size_t along = std::min(at, batch_.size() - 1);
    at::Tensor all = at::zeros(sizes, at::TensorOptions(at::kBool).device(device));
    for (size_t i = 0; i < entries.size(); ++i) taken(all, i, along, entries[i].tensor().sizes()[at]).fill_(true);
    return all;
  }

  at::Tensor filled(at::IntArrayRef sizes, at::ScalarType type, c10::Device device, const Path& path) const {
    c10::Scalar value = options_.value;
    for (const auto& [key, given] : options_.values)
      if (std::equal(key.view().begin(), key.view().end(), path.view().begin(), path.view().end())) value = given;
    try {
      return number(value, type).to(device).expand(sizes).clone(at::MemoryFormat::Contiguous);
    } catch (Error& e) {
      throw e.key(to_string(path));
    }
  }

  // The part of the result that `size` values of dict `i` take along its dim `at`.
  at::Tensor taken(const at::Tensor& all, size_t i, size_t at, int64_t size) const {
    at::Tensor one = all.select(0, static_cast<int64_t>(i));
    auto dim = static_cast<int64_t>(at);
    return one.narrow(dim, options_.left ? one.sizes()[at] - size : 0, size);
  }

  DataPtr joined(const std::vector<Entry>& entries) const {
    std::vector<DataPtr> all;
    for (const Entry& e : entries) all.push_back(e.data());
    Merged merged = merge(all);
    auto [pool, none] = with_none(*merged.pool);
    for (at::Tensor& ids : merged.ids) {
      Dims pairs;
      if (batch_dim_ != SIZE_MAX) {
        pairs.resize(2 * batch_dim_ + 2, 0);
        pairs[2 * batch_dim_ + (options_.left ? 0 : 1)] = batch_[batch_dim_ + 1] - ids.sizes()[batch_dim_];
      }
      ids = padded(ids, pairs, c10::Scalar(none));
    }
    return c10::make_intrusive<Data>(at::stack(merged.ids, 0), pool, true);
  }

  const std::vector<const Node*>& nodes_;
  const PadSequenceOptions& options_;
  int64_t pad_dim_;
  bool any_ = false;
  size_t batch_dim_ = SIZE_MAX;
  Dims batch_;  // of the result
};

}  // namespace

NodePtr pad_sequence(const std::vector<const Node*>& nodes, const PadSequenceOptions& options) {
  if (nodes.empty()) throw Error(Code::argument, "nothing to pad and stack");
  if (std::any_of(nodes.begin(), nodes.end(), [](const Node* n) { return has_lazy(*n); })) {
    Nodes copies;
    for (const Node* n : nodes) copies.push_back(dense(*n));
    return pad_sequence(several(copies), options);
  }
  return PadSequence(nodes, options).run();
}

}  // namespace td
