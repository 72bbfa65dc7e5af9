#include "core/dict/change/scope.h"

#include <unordered_map>

#include "core/dict/change/update.h"
#include "core/dict/convert.h"
#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/lock.h"
#include "core/dict/shape/flatten_keys.h"
#include "core/dict/shape/geometry.h"
#include "core/dict/shape/permute.h"
#include "core/dict/shape/repeat.h"
#include "core/dict/shape/shape.h"
#include "core/dict/shape/squeeze.h"
#include "core/dict/walk.h"
#include "core/error.h"

namespace td {

namespace {

// The topmost locked nodes.
void collect_locked(const NodePtr& node, std::vector<NodePtr>& out) {
  if (node->locked()) {
    out.push_back(node);
    return;
  }
  node->parts(Detail::kind, [&](const Entry& e) {
    if (e.is_node()) collect_locked(e.node(), out);
  });
}

bool same_memory(const at::Tensor& a, const at::Tensor& b) {
  return a.has_storage() && b.has_storage() && a.storage().is_alias_of(b.storage()) &&
         a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
         a.storage_offset() == b.storage_offset();
}

// Without the tensors that stand on the memory of the original's: whatever was written there, it has. Nodes are new,
// but stacks, which take their members back.
NodePtr changed(const NodePtr& back, const Node& original) {
  if (back->has_members() || original.has_members()) return back;
  Entries kept;
  back->visit([&](const Key& k, const Entry& e) {
    Entry old = original.find(k.view());
    if (e.is_node() && old.is_node())
      kept.emplace_back(k, Entry(changed(e.node(), *old.node())));
    else if (!e.is_tensor() || !old.is_tensor() || !same_memory(e.tensor(), old.tensor()))
      kept.emplace_back(k, e);
  });
  return with_entries(*back, kept);
}

std::string joined(PathView path, const std::string& separator) {
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) out += (i ? separator : "") + std::string(path[i].text);
  return out;
}

// Where each entry of one form of the keys stands in the other, so that keys which have the separator themselves find
// back.
using Places = std::unordered_map<std::string, Path>;

// Members of a stack are turned back one by one.
NodePtr unflattened(const Node& flat, const Places& places, const std::string& separator) {
  auto each = [&](const NodePtr& m, size_t) { return unflattened(*m, places, separator); };
  if (NodePtr made = flat.map_members(each)) return made;
  Entries others;
  flat.visit([&](const Key& k, const Entry& e) {
    if (!places.count(k.text())) others.emplace_back(k, e);
  });
  NodePtr out = unflatten_keys(*with_entries(flat, others), separator);
  flat.visit([&](const Key& k, const Entry& e) {
    auto place = places.find(k.text());
    if (place != places.end()) out->set(place->second, e);
  });
  return out;
}

// `places` is by the repr of the path.
NodePtr flattened(const Node& nested, const Places& places, const std::string& separator) {
  auto each = [&](const NodePtr& m, size_t) { return flattened(*m, places, separator); };
  if (NodePtr made = nested.map_members(each)) return made;
  NodePtr out = with_entries(nested, {});
  KeyChoice choice;
  choice.nested = choice.leaves_only = choice.data = true;
  for (const Path& path : keys(nested, choice)) {
    auto place = places.find(to_string(path.view()));
    Path to = place != places.end() ? place->second : Path({Key(joined(path, separator))});
    if (out->get(to))
      throw Error(Code::exists, "two entries would have the key " + to_string(to.view())).key(to_string(path.view()));
    out->set(to, nested.get(path));
  }
  return out;
}

std::vector<Path> entry_paths(const Node& node) {
  KeyChoice choice;
  choice.nested = choice.leaves_only = choice.data = true;
  return keys(node, choice);
}

Dims own_batch(const Node& node) {
  return {node.batch_size().begin(), node.batch_size().end()};
}

ScopePtr make_scope(const NodePtr& node, NodePtr inner, Scope::Inverse inverse) {
  return c10::make_intrusive<Scope>(node, std::move(inner), std::move(inverse));
}

}  // namespace

Scope::Scope(NodePtr original, NodePtr inner, Inverse inverse)
    : original_(std::move(original)), inner_(std::move(inner)), inverse_(std::move(inverse)) {}

void Scope::relock() noexcept {
  for (const NodePtr& n : locked_) Lock::reacquire(*n);
  locked_.clear();
}

void Scope::check_open() const {
  if (!open_) throw Error(Code::closed, "the scope has ended already");
}

void Scope::cancel() {
  check_open();
  open_ = false;
  relock();
}

void Scope::end() {
  check_open();
  if (inner_ != original_) {
    NodePtr back = changed(inverse_(*inner_), *original_);
    if (original_->locked())
      update_values(*original_, *back);
    else
      update(*original_, *back, {});
  }
  open_ = false;
  relock();
}

ScopePtr scope_unlock(const NodePtr& node) {
  ScopePtr scope = make_scope(node, node, nullptr);
  collect_locked(node, scope->locked_);
  try {
    Lock::release(*node);
  } catch (...) {
    scope->locked_.clear();
    throw;
  }
  return scope;
}

ScopePtr scope_flatten_keys(const NodePtr& node, std::string separator) {
  NodePtr inner = flatten_keys(*node, separator);
  Places places;
  for (const Path& path : entry_paths(*node)) places.emplace(joined(path, separator), path);
  return make_scope(node, std::move(inner), [places = std::move(places), separator](const Node& flat) {
    return unflattened(flat, places, separator);
  });
}

ScopePtr scope_unflatten_keys(const NodePtr& node, std::string separator) {
  NodePtr inner = unflatten_keys(*node, separator);
  Places places;
  for (const Path& path : entry_paths(*node)) {
    Path::Keys parts = split_key(path.keys()[0].text(), separator).keys();
    parts.insert(parts.end(), path.keys().begin() + 1, path.keys().end());
    places.emplace(to_string(Path(parts).view()), path);
  }
  return make_scope(node, std::move(inner), [places = std::move(places), separator](const Node& nested) {
    return flattened(nested, places, separator);
  });
}

ScopePtr scope_view(const NodePtr& node, at::IntArrayRef sizes) {
  return make_scope(node, view(*node, sizes), [batch = own_batch(*node)](const Node& n) { return reshape(n, batch); });
}

ScopePtr scope_flatten(const NodePtr& node, int64_t start, int64_t end) {
  NodePtr inner = flatten(*node, start, end);
  Dims batch = own_batch(*node);
  if (batch.empty()) return make_scope(node, std::move(inner), [](const Node& n) { return squeeze(n, {0}); });
  auto first = static_cast<int64_t>(batch_dim(start, batch.size()));
  auto last = static_cast<int64_t>(batch_dim(end, batch.size()));
  Dims sizes(batch.begin() + first, batch.begin() + last + 1);
  return make_scope(node, std::move(inner), [first, sizes](const Node& n) { return unflatten(n, first, sizes); });
}

ScopePtr scope_unflatten(const NodePtr& node, int64_t dim, at::IntArrayRef sizes) {
  NodePtr inner = unflatten(*node, dim, sizes);
  auto first = static_cast<int64_t>(batch_dim(dim, node->batch_dims()));
  int64_t last = first + static_cast<int64_t>(sizes.size()) - 1;
  return make_scope(node, std::move(inner), [first, last](const Node& n) { return flatten(n, first, last); });
}

ScopePtr scope_squeeze(const NodePtr& node, at::IntArrayRef dims) {
  NodePtr inner = squeeze(*node, dims);
  Dims batch = own_batch(*node), gone;
  for (size_t d = 0; d < batch.size(); ++d) {
    bool meant = dims.empty();
    for (int64_t given : dims) meant = meant || batch_dim(given, batch.size()) == d;
    if (meant && batch[d] == 1) gone.push_back(static_cast<int64_t>(d));
  }
  return make_scope(node, std::move(inner), [gone](const Node& n) {
    NodePtr made = itself(n);
    for (int64_t d : gone) made = unsqueeze(*made, d);
    return made;
  });
}

ScopePtr scope_unsqueeze(const NodePtr& node, int64_t dim) {
  NodePtr inner = unsqueeze(*node, dim);
  int64_t at = dim < 0 ? dim + static_cast<int64_t>(node->batch_dims()) + 1 : dim;
  return make_scope(node, std::move(inner), [at](const Node& n) { return squeeze(n, {at}); });
}

ScopePtr scope_permute(const NodePtr& node, at::IntArrayRef dims) {
  NodePtr inner = permute(*node, dims);
  auto ndim = static_cast<int64_t>(dims.size());
  auto all = static_cast<int64_t>(node->batch_dims());
  Dims back(dims.size());
  for (int64_t i = 0; i < ndim; ++i) back[dims[i] < 0 ? dims[i] + all : dims[i]] = i;
  return make_scope(node, std::move(inner), [back](const Node& n) { return permute(n, back); });
}

ScopePtr scope_transpose(const NodePtr& node, int64_t a, int64_t b) {
  return make_scope(node, transpose(*node, a, b), [a, b](const Node& n) { return transpose(n, a, b); });
}

ScopePtr scope_movedim(const NodePtr& node, at::IntArrayRef from, at::IntArrayRef to) {
  Dims there(from.begin(), from.end()), back(to.begin(), to.end());
  return make_scope(node, movedim(*node, from, to), [there, back](const Node& n) { return movedim(n, back, there); });
}

ScopePtr scope_flip(const NodePtr& node, at::IntArrayRef dims) {
  Dims same(dims.begin(), dims.end());
  return make_scope(node, flip(*node, dims), [same](const Node& n) { return flip(n, same); });
}

ScopePtr scope_roll(const NodePtr& node, at::IntArrayRef shifts, at::IntArrayRef dims) {
  Dims back = within_a_turn(*node, shifts, dims), same(dims.begin(), dims.end());
  for (int64_t& s : back) s = -s;
  return make_scope(node, roll(*node, shifts, dims), [back, same](const Node& n) { return roll(n, back, same); });
}

ScopePtr scope_to(const NodePtr& node, optional<at::ScalarType> type, optional<c10::Device> device) {
  NodePtr inner = to(node, type, device);
  bool cast = static_cast<bool>(type);
  return make_scope(node, std::move(inner), [node, cast](const Node& n) {
    Leaves all = leaves(n);
    std::vector<Path> paths = leaf_paths(n);
    for (size_t i = 0; i < all.size(); ++i) {
      Entry old = node->look_at(paths[i], Detail::kind);
      if (!old.is_tensor()) continue;
      const at::Tensor& t = old.tensor();
      all[i] = cast ? all[i].to(t.device(), t.scalar_type()) : all[i].to(t.device());
    }
    return rebuild(n, all, n.batch_size(), n.names());
  });
}

}  // namespace td
