#include "core/dict/shape/unpad.h"

#include <algorithm>

#include "core/dict/copy.h"
#include "core/dict/lazy/lazy_stack.h"
#include "core/dict/select.h"
#include "core/dict/shape/index.h"
#include "core/dict/walk.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// What a mask marks in each row: one run, which may be empty.
struct Runs {
  std::vector<int64_t> starts, lengths;
};

Runs runs_of(const at::Tensor& mask, const std::string& key) {
  at::Tensor marks = mask.detach().ne(0).to(at::kCPU).contiguous();
  const auto* mark = static_cast<const bool*>(data(marks));
  int64_t width = marks.size(1);
  Runs out;
  for (int64_t row = 0; row < marks.size(0); ++row, mark += width) {
    const bool *first = std::find(mark, mark + width, true), *last = std::find(first, mark + width, false);
    if (std::find(last, mark + width, true) != mark + width)
      throw Error(Code::argument, "the mask has a gap in row " + std::to_string(row))
          .key(key)
          .hint("each row must mark one run without gaps");
    out.starts.push_back(first == mark + width ? 0 : first - mark);
    out.lengths.push_back(last - first);
  }
  return out;
}

class Unpad {
 public:
  Unpad(const Node& padded, const UnpadOptions& options)
      : padded_(padded), options_(options), sample_dims_(padded.batch_dims() - 1) {
    KeyChoice tensors;
    tensors.nested = tensors.leaves_only = true;
    for (Path& path : keys(padded, tensors)) {
      if (padded.look_at(path, Detail::kind).is_unbatched()) continue;
      at::Tensor t = padded.tensor(path);
      leaves_.push_back({path, t.sizes().vec(), place(t, path)});
    }
  }

  Nodes samples() const {
    int64_t n = padded_.batch_size()[0];
    Nodes out;
    bool whole = sample_dims_ > 0 &&
                 std::all_of(leaves_.begin(), leaves_.end(), [&](const Leaf& l) { return l.place < sample_dims_; });
    std::vector<Runs> runs;
    if (whole) runs.push_back(runs_of_batch());
    if (!whole)
      for (const Leaf& l : leaves_) runs.push_back(runs_of_leaf(l.path, l.place, l.sizes[l.place + 1]));
    for (int64_t i = 0; i < n; ++i) out.push_back(whole ? cut(i, runs[0]) : cut_leaves(i, runs));
    return out;
  }

 private:
  struct Leaf {
    Path path;
    std::vector<int64_t> sizes;
    size_t place;  // of the padded dim, in a sample
  };

  size_t place(const at::Tensor& t, const Path& path) const {
    int64_t dims = t.dim() - 1, at = options_.pad_dim < 0 ? options_.pad_dim + dims : options_.pad_dim;
    if (at < 0 || at >= dims)
      throw Error(Code::index, "dim " + std::to_string(options_.pad_dim) + " is out of range for samples of shape " +
                                   to_string(t.sizes().slice(1)))
          .key(to_string(path));
    return static_cast<size_t>(at);
  }

  size_t batch_place() const {
    if (!leaves_.empty()) return leaves_[0].place;
    auto dims = static_cast<int64_t>(sample_dims_);
    int64_t at = options_.pad_dim < 0 ? options_.pad_dim + dims : options_.pad_dim;
    if (at < 0 || at >= dims)
      throw Error(Code::index, "dim " + std::to_string(options_.pad_dim) + " is out of range for samples of " +
                                   std::to_string(dims) + " batch dims");
    return static_cast<size_t>(at);
  }

  Runs runs_of_batch() const {
    size_t place = batch_place();
    return runs_of_leaf(leaves_.empty() ? Path() : leaves_[0].path, place, padded_.batch_size()[place + 1]);
  }

  Runs runs_of_leaf(const Path& path, size_t place, int64_t longest) const {
    std::string key = path.size() > 0 ? to_string(path) : std::string();
    at::Tensor mask = options_.mask.defined() ? options_.mask : mask_of(path, place, key);
    if (mask.dim() != 2 || mask.size(0) != padded_.batch_size()[0] || mask.size(1) != longest)
      throw Error(Code::shape, "the mask has shape " + to_string(mask.sizes()) + ", but there are " +
                                   std::to_string(padded_.batch_size()[0]) + " samples of " + std::to_string(longest))
          .key(key)
          .hint("a mask must have one row per sample, as long as the padded dim");
    return runs_of(mask, key);
  }

  // Masks have the batch dims, and the padded one after them where it is none: a position counts where any of it does.
  at::Tensor mask_of(const Path& path, size_t place, const std::string& key) const {
    Entry found = path.size() > 0 ? options_.masks->get(path) : Entry();
    if (!found.is_tensor()) {
      Error error(Code::key, "there is no mask for the entry");
      if (!key.empty()) error.key(key);
      throw error;
    }
    at::Tensor mask = found.tensor();
    auto at = static_cast<int64_t>(std::min(place, sample_dims_) + 1);
    if (at >= mask.dim()) return mask;  // whose shape is refused
    mask = mask.ne(0).movedim(at, -1);
    return mask.dim() > 2 ? mask.flatten(1, -2).any(1) : mask;
  }

  NodePtr cut(int64_t i, const Runs& runs) const {
    auto row = static_cast<size_t>(i);
    IndexList indices(batch_place(), {Index::Kind::slice, 0, INT64_MAX, 1, {}});
    indices.insert(indices.begin(), {Index::Kind::integer, i, 0, 1, {}});
    indices.push_back({Index::Kind::slice, runs.starts[row], runs.starts[row] + runs.lengths[row], 1, {}});
    return index(padded_, indices);
  }

  NodePtr cut_leaves(int64_t i, const std::vector<Runs>& runs) const {
    auto row = static_cast<size_t>(i);
    NodePtr sample = index(padded_, {{Index::Kind::integer, i, 0, 1, {}}});
    bool own = false;  // a row of a lazy stack is a member itself
    for (size_t l = 0; l < leaves_.size(); ++l) {
      const Leaf& leaf = leaves_[l];
      int64_t start = runs[l].starts[row], length = runs[l].lengths[row];
      if (length == leaf.sizes[leaf.place + 1]) continue;
      if (!own) sample = shallow_copy(*sample);
      own = true;
      sample->set(leaf.path, sample->tensor(leaf.path).narrow(static_cast<int64_t>(leaf.place), start, length));
    }
    return sample;
  }

  const Node& padded_;
  const UnpadOptions& options_;
  size_t sample_dims_;
  std::vector<Leaf> leaves_;
};

}  // namespace

NodePtr unpad_sequence(const Node& node, const UnpadOptions& options) {
  if (node.batch_dims() == 0)
    throw Error(Code::shape, "a dict without batch dims has no samples").hint("samples are along the first batch dim");
  if (node.batch_size()[0] < 0)
    throw Error(Code::shape, "the members of the stack have different numbers of samples: batch size " +
                                 to_string(node.batch_size()));
  UnpadOptions how = options;
  NodePtr masks, padded;
  if (!how.masks && !how.mask.defined()) {
    masks = node.node(how.mask_key);
    how.masks = masks.get();
    padded = exclude(node, {how.mask_key});
  }
  const Node& from = padded ? *padded : node;
  return LazyStack::make(Unpad(from, how).samples(), 0, from.batch_size().slice(1));
}

}  // namespace td
