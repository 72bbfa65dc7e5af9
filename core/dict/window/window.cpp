#include "core/dict/window/window.h"

#include "core/dict/change/assign.h"
#include "core/dict/change/entry_at.h"
#include "core/dict/change/write.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

NodePtr Window::make(NodePtr source, IndexList indices) {
  source->check_current();
  IndexList part = normalized(std::move(indices), source->batch_size());
  Dims batch = indexed_sizes(source->batch_size(), part);
  Names names = indexed_names(source->names(), part, static_cast<int64_t>(batch.size()));
  NodePtr made = c10::make_intrusive<Window>(source, std::move(part), batch);
  made->adopt_names(std::move(names));
  if (made->lends() && source->is_shared()) made->mark_shared();
  if (made->lends() && source->is_memmap()) made->mark_memmap();
  return made;
}

at::Tensor Window::taken(const at::Tensor& whole) const {
  at::Tensor part = take_view(whole, indices_);
  return has_tensors(indices_) ? picked(part, advanced(indices_)) : part;
}

NodePtr Window::below(const KeyView& key, const NodePtr& source) const {
  std::lock_guard<std::mutex> guard(mutex_);
  NodePtr& child = children_[std::string(key.text)];
  if (!child || static_cast<const Window&>(*child).source_ != source) child = make(source, indices_);
  return child;
}

Entry Window::shown(const KeyView& key, const Entry& entry) const {
  if (entry.is_node()) return Entry(below(key, entry.node()));
  if (entry.is_unbatched()) return entry;
  if (entry.is_tensor()) return Entry(taken(entry.tensor()));
  return Entry(entry.data()->with(taken(entry.data()->ids()), entry.data()->stacked()));
}

const Entry* Window::peek(const KeyView& key, Entry& made) const {
  check_current();
  Entry held;
  const Entry* entry = source_->peek(key, held);
  if (!entry) return nullptr;
  made = shown(key, *entry);
  return &made;
}

void Window::visit(Detail /*detail*/, Visitor fn) const {
  check_current();
  source_->visit([&](const Key& k, const Entry& e) { fn(k, shown(k, e)); });
}

bool Window::replace(const KeyView& key, Entry& value) {
  if (!source_->has_common(key)) return false;
  put(Key(key), std::move(value));
  return true;
}

// The entry keeps what it has in all other places.
void Window::put(const Key& key, Entry value) {
  NodePtr one = TensorDict::make(batch_size(), device());
  one->put(key, std::move(value));
  assign(*source_, indices_, *one);
}

NodePtr Window::make_like(at::IntArrayRef batch) const {
  return TensorDict::make(batch, device());
}

void Window::check_current() const {
  source_->check_current();
  if (source_->batch_size() == at::IntArrayRef(whole_)) return;
  throw Error(Code::shape, "the batch size of the dict that the window shows changed to " +
                               to_string(source_->batch_size()) + " from " + to_string(whole_))
      .hint("make another window");
}

void Window::plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const {
  if (lends()) return Node::plan_write(writes, key, std::move(value), path);
  writes.add_stored(*this, key, std::move(value), path);
}

void Window::write_entry(const KeyView& key, const at::Tensor& value) const {
  if (source_->look(key, Detail::kind).is_unbatched()) return source_->copy_into({&key, 1}, value);
  assign_at(*source_, {&key, 1}, indices_, value);
}

void Window::set_batch_size(at::IntArrayRef batch) {
  if (batch == batch_size()) return;
  throw Error(Code::shape, "a window has the batch size that its index selects, " + to_string(batch_size()) +
                               "; it cannot become " + to_string(batch))
      .hint_naming("make a copy with {dict_copy} first");
}

void Window::set_names(const Names& given) {
  if (tidy(Names(given)) == names()) return;
  throw Error(Code::unsupported, "the dims of a window always have the names that they have in the dict it shows");
}

}  // namespace td
