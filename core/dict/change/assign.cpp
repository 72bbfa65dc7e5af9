#include "core/dict/change/assign.h"

#include <algorithm>
#include <cstring>

#include <c10/core/GradMode.h>

#include "core/dict/any_node.h"
#include "core/dict/batch_size.h"
#include "core/dict/change/edit.h"
#include "core/dict/change/inside.h"
#include "core/dict/lazy/lazy_ops.h"
#include "core/dict/lazy/write_through.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/autograd.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"
#include "core/tensor/scalar.h"

namespace td {

at::Tensor number(const c10::Scalar& value, at::ScalarType type) {
  try {
    return at::full(at::IntArrayRef(), value, at::TensorOptions(type));
  } catch (const std::exception&) {
    throw Error(Code::argument, "the dtype of an entry cannot hold " + to_string(value));
  }
}

namespace {

bool trails_with(at::IntArrayRef dims, at::IntArrayRef tail) {
  return tail.size() <= dims.size() && dims.slice(dims.size() - tail.size()) == tail;
}

Dims joined(at::IntArrayRef head, at::IntArrayRef tail) {
  Dims out(head.begin(), head.end());
  out.append(tail.begin(), tail.end());
  return out;
}

bool kinds_agree(const Entry& a, const Entry& b) {
  return a.is_node() == b.is_node() && a.is_tensor() == b.is_tensor();
}

// Pools grow with every write of new values; values that no element uses any more are dropped.
DataPtr compact(DataPtr d) {
  if (d->pool().size() <= 2 * static_cast<size_t>(d->ids().numel()) + 16) return d;
  std::vector<Value> values;
  for (const Value* v : d->values()) values.push_back(*v);
  return Data::stack(std::move(values), d->batch());
}

bool copies_by_hand(const at::Tensor& to, const at::Tensor& from) {
  return fast::arenas(to) && fast::arenas(from) && !to.requires_grad() && !from.requires_grad() &&
         to.scalar_type() == from.scalar_type() && to.sizes() == from.sizes() && to.is_contiguous() &&
         from.is_contiguous();
}

}  // namespace

// LibTorch has to know a view through which gradients will flow into its base, or flow already.
bool Assignment::Write::tracked() const {
  return (value.requires_grad() || target.requires_grad()) && c10::GradMode::is_enabled();
}

void Assignment::Write::reach(By by) {
  refresh_view(target);
  view = take_view(target, indices, by);
  if (has_tensors(indices)) rows = advanced(indices);
}

// A plain row-major part of a plain tensor is written with memcpy, and autograd is told as the operator would.
void Assignment::Write::run() const {
  if (rows) {
    put_picked(view, *rows, value);
  } else if (copies_by_hand(view, value)) {
    size_t bytes = static_cast<size_t>(view.numel()) * view.element_size();
    if (bytes) std::memmove(const_cast<void*>(td::data(view)), td::data(value), bytes);
    if (!view.is_inference()) view.unsafeGetTensorImpl()->bump_version();
  } else {
    view.copy_(value);
  }
}

void Assignment::Write::at_once() {
  reach(tracked() ? By::operators : By::hand);
  run();
}

Assignment::Write Assignment::write(const at::Tensor& target, const IndexList& indices, at::IntArrayRef sizes,
                                    at::Tensor value, const Path& path) {
  std::string key = path.size() ? to_string(path) : "";
  checks_.check_copy(target, value, key);
  if (!broadcasts_to(value.sizes(), sizes))
    throw Error(Code::shape,
                "a value of shape " + to_string(value.sizes()) + " does not broadcast to shape " + to_string(sizes))
        .key(key);
  if (value.scalar_type() != target.scalar_type() || value.device() != target.device())
    value = value.to(target.options());
  return {target, indices, value.sizes() == sizes ? value : value.expand(sizes), {}};
}

// What belongs to the whole batch is written whole, whatever the index.
Assignment::Write Assignment::whole(const at::Tensor& target, const at::Tensor& value, const Path& path) {
  if (value.sizes() == target.sizes()) return write(target, {}, target.sizes(), value, path);
  throw Error(Code::shape, "a value of shape " + to_string(value.sizes()) +
                               " does not broadcast to an unbatched entry of shape " + to_string(target.sizes()))
      .key(to_string(path))
      .hint("an index does not select from an unbatched entry: all of it is written");
}

at::Tensor Assignment::fitted(const at::Tensor& value, const Place& place, const Path& path) const {
  if (place.expand) return value.expand(joined(place.indexed, value.sizes().slice(place.value_dims)));
  if (begins_with(value.sizes(), place.indexed)) return value;
  throw Error(Code::shape, "the index selects batch size " + to_string(place.indexed) + ", but the value has shape " +
                               to_string(value.sizes()))
      .key(to_string(path))
      .hint("the value must have the selected batch size, or its last dims");
}

// An entry that the target lacks: zeros, or no value, where the index does not reach.
Entry Assignment::fresh(const Node& parent, const Entry& value, const Place& place, const Path& path) {
  if (value.is_node()) {
    const Node& from = *value.node();
    size_t shared = place.expand || begins_with(from.batch_size(), place.indexed)
                        ? (place.expand ? place.value_dims : place.indexed.size())
                        : from.batch_dims();
    Dims batch = joined(place.batch, from.batch_size().slice(std::min(shared, from.batch_dims())));
    if (batch.size() < parent.batch_dims()) batch.assign(parent.batch_size().begin(), parent.batch_size().end());
    NodePtr made = TensorDict::make(batch, parent.device());
    if (!parent.names().empty()) made->adopt_names(spread(parent.names(), batch.size()));
    from.visit([&](const Key& k, const Entry& e) { made->put(k, fresh(*made, e, place, path + k)); });
    return Entry(std::move(made));
  }
  if (value.is_unbatched()) {  // an ordinary entry, whose elements under the index are this tensor
    const at::Tensor& t = value.tensor();
    Dims sizes = joined(parent.batch_size(), t.sizes());
    at::Tensor made = at::zeros(sizes, parent.device() ? t.options().device(*parent.device()) : t.options());
    write(made, place.indices, indexed_sizes(sizes, place.indices), t, path).at_once();
    return Entry(std::move(made));
  }
  at::Tensor source = value.is_data() ? value.data()->ids() : value.tensor();
  if (value.is_data() && !value.data()->stacked())
    return Entry(Data::uniform(value.data()->value(), parent.batch_size()));
  source = fitted(source, place, path);
  Dims sizes = joined(place.batch, source.sizes().slice(place.indexed.size()));
  if (!begins_with(sizes, parent.batch_size()))
    throw Error(Code::shape, "batch mismatch: batch size " + to_string(parent.batch_size()) +
                                 ", but the new entry would have shape " + to_string(sizes))
        .key(to_string(path));
  auto options = parent.device() ? source.options().device(*parent.device()) : source.options();
  if (value.is_tensor()) {
    at::Tensor made = at::zeros(sizes, options);
    write(made, place.indices, source.sizes(), source, path).at_once();
    return Entry(std::move(made));
  }
  auto pool = std::make_shared<std::vector<Value>>(value.data()->pool());
  at::Tensor ids = at::full(sizes, static_cast<int64_t>(pool->size()), source.options());
  pool->push_back(Value());
  write(ids, place.indices, source.sizes(), source, path).at_once();
  return Entry(compact(c10::make_intrusive<Data>(std::move(ids), std::move(pool), true)));
}

void Assignment::data(Node& target, const NodePtr& hold, const Key& key, const DataPtr& value, const Place& place,
                      const Path& path) {
  Put* put = nullptr;
  for (Put& p : puts_)
    if (p.parent == &target && p.key.view() == key.view()) put = &p;
  DataPtr now = put ? put->value.data() : target.find(key).data();
  if (!now->stacked() && !value->stacked() && now->value() == value->value()) return;
  Dims sizes = joined(place.indexed, now->batch().slice(place.batch.size()));
  Merged merged = merge({now, value->stacked() ? value : Data::uniform(value->value(), sizes)});
  at::Tensor ids = merged.ids[0].contiguous(), source = merged.ids[1];
  if (value->stacked()) source = fitted(source, place, path);
  write(ids, place.indices, sizes, source, path).at_once();
  Entry entry(compact(c10::make_intrusive<Data>(std::move(ids), merged.pool, true)));
  if (put)
    put->value = std::move(entry);
  else
    puts_.push_back({&target, hold, key, std::move(entry)});
}

void Assignment::node(Node& target, const NodePtr& hold, const Node& value, const Place& place, const Path& prefix) {
  value.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    Entry there = this->there(target, k);
    if (!there) {
      if (as_it_is_) throw Error(Code::key, "the target has no such entry").key(to_string(path));
      if (target.locked())
        throw Error(Code::locked, "cannot add an entry to a locked dict")
            .key(to_string(path))
            .hint("unlock it, or write existing entries only");
      puts_.push_back({&target, hold, k, fresh(target, e, place, path)});
      return;
    }
    if (!kinds_agree(there, e))
      throw Error(Code::key, "the entry and its new value are of different kinds")
          .key(to_string(path))
          .hint("write tensors to tensors, dicts to dicts, non-tensor data to non-tensor data");
    if (e.is_node() && members(*there.node(), place.indices, *e.node(), path)) return;
    if (e.is_node()) return node(*there.node(), there.node(), *e.node(), place, path);
    if (e.is_data()) return data(target, hold, k, e.data(), place, path);
    const at::Tensor& t = there.tensor();
    if (there.is_unbatched()) {
      if (!leave_unbatched_) writes_.push_back(whole(t, e.tensor(), path));
      return;
    }
    Dims sizes = joined(place.indexed, t.sizes().slice(place.batch.size()));
    if (e.is_unbatched()) {  // the same for every element that the index selects
      writes_.push_back(write(t, place.indices, sizes, e.tensor(), path));
      return;
    }
    at::Tensor source = fitted(e.tensor(), place, path);
    if (as_it_is_ ? source.sizes() != at::IntArrayRef(sizes) : source.dim() != static_cast<int64_t>(sizes.size()))
      throw Error(Code::shape,
                  "a value of shape " + to_string(source.sizes()) + " does not broadcast to shape " + to_string(sizes))
          .key(to_string(path));
    writes_.push_back(write(t, place.indices, sizes, std::move(source), path));
  });
}

Entry Assignment::there(const Node& target, const Key& key) const {
  for (const Put& p : puts_)
    if (p.parent == &target && p.key.view() == key.view()) return p.value;
  return target.find(key);
}

void Assignment::values(Node& target, IndexList given, const Node& value) {
  values(target, NodePtr(), std::move(given), value, Path());
}

void Assignment::values(Node& target, const NodePtr& hold, IndexList given, const Node& value, const Path& prefix) {
  if (members(target, given, value, prefix)) return;
  Place place;
  place.indices = normalized(std::move(given), target.batch_size());
  place.batch.assign(target.batch_size().begin(), target.batch_size().end());
  place.indexed = indexed_sizes(target.batch_size(), place.indices);
  place.value_dims = value.batch_dims();
  place.expand = value.batch_dims() > 0 && value.batch_dims() < place.indexed.size() &&
                 trails_with(place.indexed, value.batch_size());
  node(target, hold, value, place, prefix);
}

void Assignment::number_into(const at::Tensor& target, const IndexList& indices, size_t batch_dims,
                             const c10::Scalar& value, const Path& path) {
  auto same = [&](const at::Tensor& n) { return n.scalar_type() == target.scalar_type(); };
  auto n = std::find_if(numbers_.begin(), numbers_.end(), same);
  if (n == numbers_.end()) n = numbers_.insert(n, number(value, target.scalar_type()));
  Dims sizes = joined(indexed_sizes(target.sizes().slice(0, batch_dims), indices), target.sizes().slice(batch_dims));
  writes_.push_back(write(target, indices, sizes, *n, path));
}

void Assignment::fill(const Node& target, IndexList given, const c10::Scalar& value) {
  fill(target, std::move(given), value, Path());
}

void Assignment::fill(const Node& target, IndexList given, const c10::Scalar& value, const Path& prefix) {
  if (fill_members(target, given, value, prefix)) return;
  IndexList indices = normalized(std::move(given), target.batch_size());
  target.visit([&](const Key& k, const Entry& e) {
    if (e.is_node()) fill(*e.node(), indices, value, prefix + k);
    if (e.is_batched()) number_into(e.tensor(), indices, target.batch_dims(), value, prefix + k);
  });
}

void Assignment::tensor(const at::Tensor& target, IndexList given, const at::Tensor& value, const Path& key) {
  IndexList indices = normalized(std::move(given), target.sizes(), "shape");
  writes_.push_back(write(target, indices, indexed_sizes(target.sizes(), indices), value, key));
}

void Assignment::commit() {
  auto storage = [](const at::Tensor& t) { return t.has_storage() ? t.storage().unsafeGetStorageImpl() : nullptr; };
  std::vector<const void*> written;
  for (const Write& w : writes_) written.push_back(storage(w.target));
  std::sort(written.begin(), written.end());
  auto apart = [&](at::Tensor& t) {  // from what is written, an index as well as a value
    if (!t.defined()) return;
    if (const void* from = storage(t); from && std::binary_search(written.begin(), written.end(), from)) t = t.clone();
  };
  for (Write& w : writes_) {
    apart(w.value);
    for (Index& index : w.indices) apart(index.tensor);
  }
  // A write that is recorded changes how views are seen after it: those are reached one by one.
  const bool tracked = std::any_of(writes_.begin(), writes_.end(), [](const Write& w) { return w.tracked(); });
  if (!tracked)
    for (Write& w : writes_) w.reach(By::hand);
  Edit edit;
  for (Put& p : puts_) {
    Opened opened(*p.parent);
    edit.put(*p.parent, p.key, std::move(p.value));
  }
  for (Write& w : writes_)
    if (tracked)
      w.at_once();
    else
      w.run();
  edit.keep();
}

namespace {

// Files take whole tensors.
bool goes_through_a_copy(const Node& target, const IndexList& indices) {
  return has_persistent(target) || picks_elements(target, indices);
}

}  // namespace

void assign(Node& target, IndexList indices, const Node& value) {
  OnData on_data(target);
  if (assign_to_stack(target, indices, value)) return;
  if (target.assign_part(indices, value)) return;
  if (goes_through_a_copy(target, indices) && write_through(target, [&](Node& copy) { assign(copy, indices, value); }))
    return;
  Assignment all;
  all.values(target, std::move(indices), value);
  all.commit();
}

void assign(Node& target, IndexList indices, const c10::Scalar& value) {
  OnData on_data(target);
  if (target.fill_part(indices, value)) return;
  if (goes_through_a_copy(target, indices) && write_through(target, [&](Node& copy) { assign(copy, indices, value); }))
    return;
  Assignment all;
  all.fill(target, std::move(indices), value);
  all.commit();
}

}  // namespace td
