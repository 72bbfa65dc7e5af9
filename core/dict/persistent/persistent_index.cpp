// Parts of files: only the rows that an index selects are read or written.
#include <algorithm>

#include "core/dict/batch_size.h"
#include "core/dict/change/assign.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/together.h"
#include "core/dict/data/plain.h"
#include "core/dict/persistent/persistent.h"
#include "core/dict/shape/index.h"
#include "core/dict/tensordict.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

Dims followed_by(at::IntArrayRef head, at::IntArrayRef tail) {
  Dims out(head.begin(), head.end());
  out.append(tail.begin(), tail.end());
  return out;
}

at::Tensor expanded_to(const at::Tensor& value, at::IntArrayRef sizes, const Path& path) {
  auto rank = static_cast<int64_t>(sizes.size());
  bool fits = value.dim() <= rank;
  for (int64_t d = 1; fits && d <= value.dim(); ++d)
    fits = value.size(-d) == 1 || value.size(-d) == sizes[static_cast<size_t>(rank - d)];
  if (fits) return value.expand(sizes);
  throw Error(Code::shape,
              "a value of shape " + to_string(value.sizes()) + " does not broadcast to shape " + to_string(sizes))
      .key(to_string(path));
}

struct PartWrite {
  const Persistent* file;
  Key key;
  IndexList part;
  at::Tensor value;
};

// Every write to the tensors that `target` has under the keys of `value`; false if there is something else to do.
class PartWrites {
 public:
  PartWrites(const Persistent& target, const IndexList& part, const Node& value)
      : part_(part), batch_dims_(target.batch_dims()), value_dims_(value.batch_dims()) {
    indexed_ = indexed_sizes(target.batch_size(), part);
    expand_ = value_dims_ > 0 && value_dims_ < indexed_.size() &&
              at::IntArrayRef(indexed_).slice(indexed_.size() - value_dims_) == value.batch_size();
    simple_ = level(target, value, Path());
  }

  bool simple() const { return simple_; }
  void commit() {
    for (const PartWrite& w : writes_) w.file->write(w.key, w.part, w.value);
  }

 private:
  bool level(const Persistent& target, const Node& value, const Path& prefix) {
    bool simple = true;
    value.visit([&](const Key& k, const Entry& e) {
      if (!simple) return;
      Entry there = target.look(k, Detail::shape);
      Path path = prefix + k;
      if (e.is_unbatched()) refuse_unbatched_entry(path, "a dict in a file cannot hold it");
      if (there.is_node() && e.is_node())
        simple = Persistent::of(*there.node()) && level(*Persistent::of(*there.node()), *e.node(), path);
      else if (there.is_tensor() && e.is_tensor())
        add(target, k, there.tensor().sizes(), e.tensor(), path);
      else
        simple = false;
    });
    return simple;
  }

  void add(const Persistent& target, const Key& k, at::IntArrayRef there, at::Tensor value, const Path& path) {
    target.check_writable(path);
    if (expand_) {
      value = value.expand(followed_by(indexed_, value.sizes().slice(value_dims_)));
    } else if (!begins_with(value.sizes(), indexed_)) {
      throw Error(Code::shape, "the index selects batch size " + to_string(indexed_) + ", but the value has shape " +
                                   to_string(value.sizes()))
          .key(to_string(path))
          .hint("the value must have the selected batch size, or its last dims");
    }
    Dims sizes = followed_by(indexed_, there.slice(batch_dims_));
    if (value.dim() != static_cast<int64_t>(sizes.size()))
      throw Error(Code::shape,
                  "a value of shape " + to_string(value.sizes()) + " does not broadcast to shape " + to_string(sizes))
          .key(to_string(path));
    writes_.push_back({&target, k, part_, expanded_to(value, sizes, path)});
  }

  const IndexList& part_;
  size_t batch_dims_, value_dims_;
  Dims indexed_;
  bool expand_ = false, simple_ = false;
  std::vector<PartWrite> writes_;
};

void collect_fills(const Persistent& target, const IndexList& part, size_t batch_dims, at::IntArrayRef indexed,
                   const c10::Scalar& value, const Path& prefix, std::vector<PartWrite>& out) {
  target.visit(Detail::shape, [&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    const Persistent* below = e.is_node() ? Persistent::of(*e.node()) : nullptr;
    if (below) collect_fills(*below, part, batch_dims, indexed, value, path, out);
    if (!e.is_tensor()) return;
    Dims sizes = followed_by(indexed, e.tensor().sizes().slice(batch_dims));
    try {
      out.push_back({&target, k, part, number(value, e.tensor().scalar_type()).expand(sizes)});
    } catch (Error& error) {
      throw error.key(to_string(path));
    }
  });
}

// Masks without dims make some that no file has.
bool has_truth(const IndexList& indices) {
  return std::any_of(indices.begin(), indices.end(), [](const Index& i) {
    return i.tensor.defined() && i.tensor.scalar_type() == at::kBool && i.tensor.dim() == 0;
  });
}

}  // namespace

NodePtr Persistent::part(IndexList& given) const {
  if (has_truth(given)) return td::index(*plain_copy(*this), std::move(given));
  IndexList indices = normalized(std::move(given), batch_size());
  auto moment = store_->moment(&indices);
  Dims batch = indexed_sizes(batch_size(), indices);
  NodePtr made = TensorDict::make(batch, device());
  made->adopt_names(indexed_names(names(), indices, static_cast<int64_t>(batch.size())));
  visit(Detail::shape, [&](const Key& k, const Entry& e) {
    KeyView view = k.view();
    try {
      if (e.is_tensor()) {
        made->put(k, Entry(read(view, indices)));
      } else if (e.is_node()) {
        made->put(k, Entry(td::index(*e.node(), indices)));
      } else {
        DataPtr data = find(view).data();
        at::Tensor ids = take_view(data->ids(), indices);
        if (has_tensors(indices)) ids = picked(ids, advanced(indices));
        made->put(k, Entry(data->with(std::move(ids), data->stacked())));
      }
    } catch (Error& error) {
      if (!error.key().empty()) throw;
      throw error.key(to_string(PathView(&view, 1)));
    }
  });
  return made;
}

bool Persistent::assign_part(const IndexList& indices, const Node& value) const {
  if (has_truth(indices)) return false;
  IndexList part = normalized(indices, batch_size());
  Together together(*this);
  PartWrites writes(*this, part, value);
  if (writes.simple()) writes.commit();
  if (writes.simple()) together.commit();
  return writes.simple();
}

bool Persistent::fill_part(const IndexList& indices, const c10::Scalar& value) const {
  if (has_truth(indices)) return false;
  check_writable(Path());
  IndexList part = normalized(indices, batch_size());
  Together together(*this);
  std::vector<PartWrite> writes;
  collect_fills(*this, part, batch_dims(), indexed_sizes(batch_size(), part), value, Path(), writes);
  for (const PartWrite& w : writes) w.file->write(w.key, w.part, w.value);
  together.commit();
  return true;
}

bool Persistent::assign_entry(PathView path, const IndexList& indices, const at::Tensor& value) const {
  if (has_truth(indices)) return false;
  Entry e = look(path.back(), Detail::shape);
  if (!e.is_tensor()) tensor({&path.back(), 1});  // throws what is wrong with it
  check_writable(path);
  at::IntArrayRef there = e.tensor().sizes();
  IndexList part = normalized(indices, there, "shape");
  write(path.back(), part, expanded_to(value, indexed_sizes(there, part), Path(path)));
  return true;
}

at::Tensor Persistent::read_entry(const KeyView& key, const IndexList& indices) const {
  if (has_truth(indices)) return {};
  Entry e = look(key, Detail::shape);
  return e.is_tensor() ? read(key, normalized(indices, e.tensor().sizes(), "shape")) : at::Tensor();
}

bool Persistent::rename_entry(PathView from, Node& to, PathView path, bool safe) {
  const Persistent* next = of(to);
  if (!next || &store().file() != &next->store().file()) return false;
  Entry e = look(from.back(), Detail::shape);
  bool into_itself = path.size() >= from.size() && std::equal(from.begin(), from.end(), path.begin());
  if (!e || into_itself || (safe && next->has_common(path.back()))) return false;
  at::IntArrayRef sizes = e.is_tensor() ? e.tensor().sizes() : e.is_node() ? e.node()->batch_size() : e.data()->batch();
  if (!begins_with(sizes, next->batch_size())) return false;
  check_unlocked(*this, Path(from));
  check_unlocked(*next, Path(path));
  check_writable(from);
  store().rename(from.back().text, next->store(), path.back().text);
  forget(from.back());
  next->forget(path.back());
  return true;
}

}  // namespace td
