#include "core/dict/copy.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "core/dict/batch_size.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/stored.h"

namespace td {

namespace {

// Another thread that adds an entry after the leaves were collected.
template <class T>
const T& taken(const std::vector<T>& all, size_t& at) {
  if (at == all.size()) throw Error(Code::busy, "another thread changed the dict during the call");
  return all[at++];
}

struct Rebuild {
  const Leaves* next;  // null: what `make` makes of each leaf, or each as it is
  bool with_data = false;
  Stacked stacked = Stacked::as_before;
  const std::vector<DataPtr>* next_data = nullptr;
  bool views = false;  // of mapped files are mapped too
  const MakeLeaf* make = nullptr;
  Leaves* last_use = nullptr;       // `next`, if nobody else needs them
  at::IntArrayRef root_batch = {};  // which all that `make` gets must begin with
  size_t at = 0, data_at = 0;
  size_t short_by = 0;  // batch dims that the node which is copied lacks, and its parent has

  at::Tensor next_tensor() {
    const at::Tensor& t = taken(*next, at);
    check_dims(t);
    return last_use ? std::move((*last_use)[at - 1]) : t;
  }

  at::Tensor made_of(const at::Tensor& t) const {
    if (!begins_with(t.sizes(), root_batch)) throw stale_leaf(t.sizes(), root_batch);
    at::Tensor made = (*make)(t);
    check_dims(made);
    return made;
  }

  // An entry with more dims than its node keeps the rest, like a node does.
  Entry leaf(const Entry& e, size_t dims_here, at::IntArrayRef batch) {
    if (e.is_unbatched() && with_data) return e;
    if (e.is_tensor()) return make ? e.with(made_of(e.tensor())) : next ? e.with(next_tensor()) : e;
    if (next_data) return Entry(taken(*next_data, data_at));
    const Data& d = *e.data();
    if (with_data) return Entry(in_other_dims(d, make ? made_of(d.ids()) : taken(*next, at)));
    size_t shared = std::min(dims_here, d.batch().size());
    Dims dims(batch.begin(), batch.end());
    dims.append(d.batch().begin() + shared, d.batch().end());
    if (d.batch() == at::IntArrayRef(dims)) return e;
    at::Tensor ids = d.ids();
    for (size_t i = shared; i < dims_here; ++i) ids = ids.unsqueeze(static_cast<int64_t>(shared));
    return Entry(d.with(ids.expand(dims), d.stacked()));
  }

  // Numbers without strides are those of one value, of which a stack was made.
  DataPtr in_other_dims(const Data& d, at::Tensor ids) const {
    bool made_stack = stacked == Stacked::all && !d.stacked();
    if (made_stack) ids = ids.as_strided(ids.sizes(), Dims(ids.sizes().size(), 0));
    bool one = stacked == Stacked::undone && !d.pool().empty() &&
               std::all_of(ids.strides().begin(), ids.strides().end(), [](int64_t step) { return step == 0; });
    return d.with(std::move(ids), made_stack || (d.stacked() && !one));
  }

  NodePtr over_members(const Node& from, at::IntArrayRef batch, const Names& names) {
    if (!from.has_members()) return {};
    if (make) throw no_stacks();
    if (batch != from.batch_size()) throw stale_leaf(from.batch_size(), batch);
    NodePtr made = from.map_members([&](const NodePtr& m, size_t) { return node(*m, m->batch_size(), m->names()); });
    made->adopt_names(names);
    return made;
  }

  NodePtr node(const Node& from, at::IntArrayRef batch, const Names& names) {
    if (const TensorDict* plain = from.plain()) {
      const Walk here = plain->walk();  // so that there are as many entries as keys
      c10::intrusive_ptr<TensorDict> made = TensorDict::make_with_keys_of(*plain, batch);
      if (!names.empty()) made->adopt_names(names);
      if (views && from.is_memmap()) made->mark_memmap();
      for (const Entry& e : plain->entries()) {
        if (!e) continue;
        if (e.is_batched() && make)
          made->append(made_of(e.tensor()));
        else if (e.is_batched())
          made->append(next ? next_tensor() : e.tensor());
        else if (e.is_node())
          made->append(below(from, *e.node(), batch, names));
        else
          made->append(entry(from, e, batch, names));
      }
      return made;
    }
    if (NodePtr made = over_members(from, batch, names)) return made;
    NodePtr made = from.make_like(batch);
    if (!names.empty()) made->adopt_names(names);
    auto put = [&](const Key& k, const Entry& e) { made->put(k, entry(from, e, batch, names)); };
    if (next)
      from.visit(Detail::shape, [&](const Key& k, const Entry& e) {
        put(k, e.is_data() || (with_data && e.is_unbatched()) ? from.find(k) : e);
      });
    else
      from.visit(put);
    return made;
  }

  Entry entry(const Node& from, const Entry& e, at::IntArrayRef batch, const Names& names) {
    if (e.is_node()) return Entry(below(from, *e.node(), batch, names));
    return leaf(e, from.batch_dims() + short_by, batch);
  }

  NodePtr below(const Node& from, const Node& child, at::IntArrayRef batch, const Names& names) {
    size_t dims_here = from.batch_dims() + short_by;
    size_t shared = std::min(dims_here, child.batch_dims());
    Dims inner(batch.begin(), batch.end());
    inner.append(child.batch_size().begin() + shared, child.batch_size().end());
    Names inner_names;
    if (!names.empty() || !child.names().empty()) {
      Names own = spread(child.names(), child.batch_dims());
      inner_names = spread(names, batch.size());
      inner_names.insert(inner_names.end(), own.begin() + static_cast<std::ptrdiff_t>(shared), own.end());
    }
    size_t around = std::exchange(short_by, dims_here - shared);
    NodePtr made = node(child, inner, inner_names);
    short_by = around;
    return made;
  }
};

}  // namespace

NodePtr rebuild(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names) {
  return Rebuild{&leaves}.node(node, batch, names);
}

NodePtr rebuild(const Node& node, Leaves&& leaves, at::IntArrayRef batch, const Names& names) {
  Rebuild all{&leaves};
  all.last_use = &leaves;
  return all.node(node, batch, names);
}

NodePtr rebuild(const Node& node, Leaves&& leaves, const std::vector<DataPtr>& data, at::IntArrayRef batch,
                const Names& names) {
  Rebuild all{&leaves, false, Stacked::as_before, &data};
  all.last_use = &leaves;
  return all.node(node, batch, names);
}

NodePtr rebuild_batch(const Node& node, const Leaves& leaves, at::IntArrayRef batch, const Names& names,
                      Stacked stacked) {
  return Rebuild{&leaves, true, stacked}.node(node, batch, names);
}

NodePtr rebuild_views(const Node& node, MakeLeaf leaf, at::IntArrayRef batch, const Names& names, Stacked stacked,
                      bool mapped) {
  node.check_current();
  Rebuild all{nullptr, true, stacked, nullptr, mapped};
  all.make = &leaf;
  all.root_batch = node.batch_size();
  return all.node(node, batch, names);
}

NodePtr shallow_copy(const Node& node) {
  if (NodePtr made = node.around([](const NodePtr& inside) { return shallow_copy(*inside); })) return made;
  return Rebuild{nullptr}.node(node, node.batch_size(), node.names());
}

NodePtr deep_copy(const Node& node) {
  return node.clone();
}

NodePtr Node::clone() const {
  Leaves all = leaves(*this);
  fast::Arena arena;
  std::vector<bool> by_hand(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    by_hand[i] = fast::arenas(all[i]) && all[i].is_contiguous() && stored_dtype(all[i]) == 0;
    if (by_hand[i]) arena.plan(all[i].sizes(), all[i].scalar_type());
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!by_hand[i]) {
      all[i] = clone_tensor(all[i]);
      continue;
    }
    at::Tensor copy = arena.take(all[i].sizes(), all[i].scalar_type());
    size_t bytes = static_cast<size_t>(copy.numel()) * copy.element_size();
    if (bytes) std::memcpy(fast::bytes(copy), fast::bytes(all[i]), bytes);
    all[i] = std::move(copy);
  }
  return rebuild(*this, std::move(all), batch_size(), names());
}

NodePtr moved(const Node& node, const c10::Device& to) {
  if (NodePtr made = node.map_members([&](const NodePtr& m, size_t) { return moved(*m, to); })) return made;
  NodePtr made = TensorDict::make(node.batch_size(), to);
  made->adopt_names(node.names());
  node.visit([&](const Key& k, const Entry& e) {
    made->put(k, e.is_node() ? Entry(moved(*e.node(), to)) : e.is_tensor() ? e.with(e.tensor().to(to)) : e);
  });
  return made;
}

}  // namespace td
