#include "core/dict/persistent/persistent.h"

#include <algorithm>

#include "core/dict/any_node.h"
#include "core/dict/batch_size.h"
#include "core/dict/change/write.h"
#include "core/dict/data/plain.h"
#include "core/dict/tensordict.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/ops.h"
#include "core/warnings.h"

namespace td {

namespace {

std::string one_key(const KeyView& key) {
  return to_string(PathView(&key, 1));
}

// Tensors without memory of their own, and data without values.
Entry stand_in(const Stored& stored, at::IntArrayRef batch) {
  if (stored.kind == Stored::Kind::tensor)
    return Entry(at::empty(at::IntArrayRef(), at::TensorOptions(stored.type)).expand(stored.sizes));
  at::Tensor ids = at::zeros(at::IntArrayRef(), at::TensorOptions(at::kLong));
  return Entry(c10::make_intrusive<Data>(ids.expand(stored.stacked ? at::IntArrayRef(stored.sizes) : batch),
                                         std::make_shared<const std::vector<Value>>(1), stored.stacked));
}

}  // namespace

NodePtr Persistent::make(StorePtr store, const Batch& batch) {
  auto made = c10::make_intrusive<Persistent>(std::move(store));
  made->settle(batch);
  return made;
}

void Persistent::settle(const Batch& batch) {
  auto moment = store_->moment(nullptr);
  optional<Labels> kept = store_->labels();
  if (batch.given) {
    bool longer = !batch.exact && kept && begins_with(kept->batch, *batch.given) && fits(kept->batch);
    adopt_batch(longer ? kept->batch : *batch.given);
    visit(Detail::shape, [&](const Key& k, const Entry& e) {
      KeyView view = k.view();
      if (e.is_tensor() && !begins_with(e.tensor().sizes(), batch_size()))
        batch_mismatch({&view, 1}, batch_size(), e.tensor().sizes());
    });
  } else {
    if (kept && kept->batch.size() > batch.limit) kept = nullopt;
    bool as_kept = false;
    if (kept && fits(kept->batch)) try {
        adopt_batch(kept->batch);
        for (const std::string& key : store_->keys())
          if (store_->look(key).kind == Stored::Kind::node) child(key, {Dims(kept->batch)});
        as_kept = true;
      } catch (const Error& e) {  // other software changed the file
        if (e.code() != Code::shape) throw;
        children_.clear();
      }
    if (!as_kept) {
      adopt_batch({});
      for (const std::string& key : store_->keys())
        if (store_->look(key).kind == Stored::Kind::node) child(key, batch);
      Dims common = common_batch();
      if (common.size() > batch.limit) common.resize(batch.limit);
      adopt_batch(common);
    }
  }
  if (kept && kept->names.size() == batch_dims()) adopt_names(kept->names);
}

// Whether the entries of this level have the batch size; those that are dicts decide when they are made.
bool Persistent::fits(at::IntArrayRef batch) const {
  for (const std::string& key : store_->keys()) {
    Stored s = store_->look(key);
    if ((s.kind == Stored::Kind::tensor || s.stacked) && !begins_with(s.sizes, batch)) return false;
  }
  return true;
}

Dims Persistent::common_batch() const {
  Dims common;
  bool any = false;
  auto meet = [&](at::IntArrayRef sizes) {
    if (!any) common.assign(sizes.begin(), sizes.end());
    any = true;
    size_t same = 0;
    while (same < std::min(common.size(), sizes.size()) && common[same] == sizes[same]) ++same;
    common.resize(same);
  };
  for (const std::string& key : store_->keys()) {
    Stored s = store_->look(key);
    if (s.kind == Stored::Kind::node)
      meet(child(key, {})->batch_size());
    else if (s.counts)
      meet(s.sizes);
  }
  return common;
}

NodePtr Persistent::child(const std::string& key, const Batch& batch) const {
  std::lock_guard<std::mutex> guard(mutex_);
  NodePtr& slot = children_[key];
  try {
    if (!slot) slot = make(store_->below(key), batch);
  } catch (Error& e) {
    children_.erase(key);
    KeyView view(key);
    throw e.key().empty() ? e.key(one_key(view)) : e;
  }
  return slot;
}

void Persistent::check_writable(PathView path) const {
  if (store_->writable()) return;
  throw Error(Code::locked, "the file was opened for reading only")
      .key(path.size() ? to_string(path) : "")
      .where(store_->file())
      .hint_naming("open it with {OPEN_READ_WRITE}");
}

at::Tensor Persistent::read(const KeyView& key, const IndexList& part) const {
  at::Tensor t = store_->read(key.text, part);
  return device() && t.device() != *device() ? t.to(*device()) : t;
}

void Persistent::write(const KeyView& key, const IndexList& part, const at::Tensor& value) const {
  check_writable({&key, 1});
  store_->write(key.text, part, value);
}

const Entry* Persistent::peek(const KeyView& key, Entry& made) const {
  WarningScope warnings;
  const IndexList all;
  auto moment = store_->moment(&all, key.text);
  switch (store_->look(key.text).kind) {
    case Stored::Kind::none:
      return nullptr;
    case Stored::Kind::tensor:
      made = Entry(read(key, {}));
      break;
    case Stored::Kind::node:
      made = Entry(child(std::string(key.text), {Dims(batch_size().begin(), batch_size().end())}));
      break;
    case Stored::Kind::data:
      made = Entry(store_->read_data(key.text, batch_size()));
  }
  return &made;
}

void Persistent::plan_write(Writes& writes, const KeyView& key, at::Tensor value, const Path& path) const {
  check_writable(path);
  writes.add_stored(*this, key, std::move(value), path);
}

NodePtr Persistent::clone() const {
  const IndexList all;
  auto moment = store_->moment(&all);
  return plain_copy(*this);
}

// In memory, also the dicts below.
NodePtr Persistent::kept(NodePtr chosen) const {
  return plain_copy(*chosen);
}

Entry Persistent::look(const KeyView& key, Detail detail) const {
  if (detail == Detail::value) return find(key);
  Stored stored = store_->look(key.text);
  if (stored.kind == Stored::Kind::none) return Entry();
  if (stored.kind == Stored::Kind::node)
    return Entry(child(std::string(key.text), {Dims(batch_size().begin(), batch_size().end())}));
  return stand_in(stored, batch_size());
}

bool Persistent::replace(const KeyView& key, Entry& value) {
  if (!has_common(key)) return false;
  put(Key(key), std::move(value));
  return true;
}

constexpr const char* no_place = "a dict in a file cannot hold it";

void Persistent::put(const Key& key, Entry value) {
  KeyView view = key.view();
  check_writable({&view, 1});
  if (value.is_unbatched()) refuse_unbatched_entry(Path(std::vector<Key>{key}), no_place);
  if (value.is_node()) refuse_unbatched(*value.node(), no_place);
  if (value.is_node() && (has_lazy(*value.node()) || has_persistent(*value.node())))
    value = Entry(plain_copy(*value.node()));
  store_->put(key.text(), value);
  forget(view);
}

bool Persistent::erase(KeyView key) {
  check_writable({&key, 1});
  bool erased = store_->erase(key.text);
  forget(key);
  return erased;
}

void Persistent::forget(const KeyView& key) const {
  std::lock_guard<std::mutex> guard(mutex_);
  children_.erase(std::string(key.text));
}

void Persistent::visit(Detail detail, Visitor fn) const {
  const IndexList all;
  auto moment = store_->moment(detail == Detail::value ? &all : nullptr);
  for (std::string& key : store_->keys()) {
    Key k(std::move(key));
    Entry e;
    try {
      e = look(k.view(), detail);
    } catch (Error& error) {
      throw error.key().empty() ? error.key(one_key(k.view())) : error;
    }
    if (e) fn(k, e);
  }
}

bool Persistent::has_common(const KeyView& key) const {
  return store_->look(key.text).kind != Stored::Kind::none;
}

NodePtr Persistent::make_like(at::IntArrayRef batch) const {
  return TensorDict::make(batch, device());
}

void Persistent::set_batch_size(at::IntArrayRef given) {
  Dims batch(given.begin(), given.end());
  NodePtr checked = TensorDict::make({}, nullopt);  // which names the entry that does not fit
  visit(Detail::shape, [&](const Key& k, const Entry& e) { checked->put(k, e); });
  checked->set_batch_size(batch);  // and tells the dicts below
  adopt_batch(batch);
  if (!names().empty()) adopt_names(spread(names(), batch.size()));
  keep_labels();
}

void Persistent::set_names(const Names& names) {
  NodePtr holder = TensorDict::make(batch_size(), nullopt);
  visit(Detail::shape, [&](const Key& k, const Entry& e) {
    if (e.is_node()) holder->put(k, e);
  });
  holder->set_names(names);
  adopt_names(holder->names());
  keep_labels();
}

// What was opened to be read keeps them in memory.
void Persistent::keep_labels() {
  if (store_->writable()) store_->set_labels({Dims(batch_size().begin(), batch_size().end()), names()});
}

}  // namespace td
