#include "core/math/reduce.h"

#include <algorithm>

#include <ATen/ops/cat.h>

#include "core/dict/any_node.h"
#include "core/dict/copy.h"
#include "core/dict/lazy/lazy.h"
#include "core/dict/settle.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

// Calls an operator that reduces, whatever its schema calls a dim: a list, one number, or none.
class Reduction {
 public:
  Reduction(const Op& op, const std::vector<NamedArg>& kwargs, size_t room) : op_(op), kwargs_(kwargs), room_(room) {
    for (const NamedArg& k : kwargs)
      if (k.name == "dim" || k.name == "keepdim" || k.name == "out")
        throw Error(Code::argument, "`" + std::string(k.name) + "` cannot be given by name")
            .where(op.name())
            .hint_naming("set the dims and keepdim in {reduce_options}");
    bool quantile = op.name() == "aten::quantile" || op.name() == "aten::nanquantile";
    for (const NamedArg& k : kwargs)
      if (quantile && k.name == "q" && k.value.kind == Arg::Kind::tensor && k.value.tensor.dim() == 1)
        lead_ = {k.value.tensor.sizes()[0]};
  }

  // The dims that results have before all others: one for several quantiles.
  const Dims& lead() const { return lead_; }

  // To one number.
  Leaves whole(const at::Tensor& t) const {
    Leaves out = op_.fits({Arg(t)}, kwargs_) ? call(t, kwargs_) : over(t.flatten(), Arg(0));
    for (const at::Tensor& r : out)
      if (rank(r) != 0)
        throw Error(Code::shape, "the operator does not reduce to one number").where(op_.name()).hint("give it dims");
    return out;
  }

  // Along `dims`, ascending and not negative. `keeps` is set if the operator keeps the dims as they are.
  Leaves along(const at::Tensor& t, const std::vector<int64_t>& dims, bool keepdim, bool* keeps = nullptr) const {
    Leaves out;
    if (dims.size() == 1) {
      out = over(t, Arg(dims[0]));
    } else if (fits(t, Arg(at::IntArrayRef(dims)))) {
      out = over(t, Arg(at::IntArrayRef(dims)));
    } else {
      at::Tensor joined = with_last(t, dims);
      out = over(joined, Arg(joined.dim() - 1));
      for (const at::Tensor& r : out)
        if (rank(r) == joined.dim()) throw Error(Code::argument, "the operator reduces one dim only").where(op_.name());
    }
    if (keeps) *keeps = !out.empty() && rank(out[0]) == t.dim();
    if (keepdim)
      for (at::Tensor& r : out)
        if (rank(r) != t.dim())
          for (int64_t d : dims) r = r.unsqueeze(d + static_cast<int64_t>(lead_.size()));
    return out;
  }

 private:
  int64_t rank(const at::Tensor& result) const { return result.dim() - static_cast<int64_t>(lead_.size()); }

  std::vector<NamedArg> with_dim(const Arg& dim) const {
    std::vector<NamedArg> named = kwargs_;
    named.push_back({"dim", dim});
    return named;
  }
  bool fits(const at::Tensor& t, const Arg& dim) const { return op_.fits({Arg(t)}, with_dim(dim)); }
  Leaves over(const at::Tensor& t, const Arg& dim) const { return call(t, with_dim(dim)); }

  Leaves call(const at::Tensor& t, const std::vector<NamedArg>& named) const {
    Leaves out;
    for (const c10::IValue& v : op_.call({Arg(t)}, named, room_)) {
      if (!v.isTensor())
        throw Error(Code::unsupported, "the operator returns something that is not a tensor").where(op_.name());
      out.push_back(v.toTensor());
    }
    return out;
  }

  // The dims as one, behind all others.
  static at::Tensor with_last(const at::Tensor& t, const std::vector<int64_t>& dims) {
    std::vector<int64_t> order;
    for (int64_t d = 0; d < t.dim(); ++d)
      if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(d);
    int64_t kept = static_cast<int64_t>(order.size());
    order.insert(order.end(), dims.begin(), dims.end());
    return t.permute(order).flatten(kept, -1);
  }

  const Op& op_;
  const std::vector<NamedArg>& kwargs_;
  size_t room_;
  Dims lead_;
};

std::vector<int64_t> checked_dims(const Node& node, const ReduceOptions& o) {
  int64_t n = static_cast<int64_t>(node.batch_dims());
  std::vector<int64_t> dims = o.dims;
  if (o.feature && (!dims.empty() || o.keepdim))
    throw Error(Code::argument, "a reduction of the feature dims takes neither dims nor keepdim");
  if (dims.empty() && o.keepdim)
    throw Error(Code::argument, "keepdim requires dims").hint("give the batch dims to reduce");
  for (int64_t& d : dims) {
    if (d < -n || d >= n)
      throw Error(Code::index,
                  "dim " + std::to_string(d) + " is out of range for " + std::to_string(n) + " batch dims");
    if (d < 0) d += n;
  }
  std::sort(dims.begin(), dims.end());
  if (std::adjacent_find(dims.begin(), dims.end()) != dims.end()) throw Error(Code::argument, "a dim is given twice");
  return dims;
}

at::Tensor flat_features(const at::Tensor& t, size_t batch_dims) {
  int64_t n = static_cast<int64_t>(batch_dims);
  return t.dim() > n ? t.flatten(n, -1) : t.unsqueeze(-1);
}

void check_joinable(const Leaves& all, const std::vector<Path>& paths, int64_t join) {
  Dims expected(all[0].sizes().begin(), all[0].sizes().end());
  for (size_t i = 1; i < all.size(); ++i) {
    Dims sizes(all[i].sizes().begin(), all[i].sizes().end());
    if (sizes.size() == expected.size()) sizes[static_cast<size_t>(join)] = expected[static_cast<size_t>(join)];
    if (sizes != expected)
      throw Error(Code::shape, "a leaf of shape " + to_string(all[i].sizes()) + " cannot be joined with one of shape " +
                                   to_string(all[0].sizes()) + " along dim " + std::to_string(join))
          .key(to_string(paths[i]));
  }
}

template <class List>
List without(const List& list, const std::vector<int64_t>& dims, bool keepdim, typename List::value_type kept) {
  List out;
  for (size_t i = 0; i < list.size(); ++i) {
    bool reduced = std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) != dims.end();
    if (!reduced)
      out.push_back(list[i]);
    else if (keepdim)
      out.push_back(kept ? kept : list[i]);
  }
  return out;
}

struct Shape {
  std::vector<size_t> batch_dims;  // of the node around each leaf
  std::vector<Path> paths;         // of the leaves
  std::vector<bool> unbatched;     // of which a reduction of batch dims leaves these as they are
  std::vector<std::pair<Path, DataPtr>> data;
};

void look(const Node& node, const Path& prefix, Shape& out) {
  node.visit([&](const Key& k, const Entry& e) {
    Path path = prefix + k;
    if (e.is_node()) {
      look(*e.node(), path, out);
    } else if (e.is_data()) {
      out.data.emplace_back(path, e.data());
    } else {
      out.batch_dims.push_back(node.batch_dims());
      out.paths.push_back(path);
      out.unbatched.push_back(e.is_unbatched());
    }
  });
}

// What the operator does to one leaf; without a leaf, to one element of the same batch dims.
class Plan {
 public:
  Plan(const Node& node, const Op& op, const std::vector<NamedArg>& kwargs, const ReduceOptions& o, size_t room)
      : node_(node), options_(o), dims_(checked_dims(node, o)), reduction_(op, kwargs, room) {
    look(node, Path(), shape_);
  }

  std::vector<NodePtr> run() {
    Leaves all = leaves(node_);
    std::vector<Leaves> columns;
    for (size_t i = 0; i < all.size(); ++i)
      if (!shape_.unbatched[i]) add(columns, results(all[i], i), i, all.size());
    if (columns.empty()) {
      Leaves probe = on(at::zeros(std::vector<int64_t>(node_.batch_dims(), 1)), node_.batch_dims());
      columns.resize(probe.size(), Leaves(all.size()));
    }
    for (size_t i = 0; i < all.size(); ++i)
      if (shape_.unbatched[i]) add(columns, whole(all[i], i, columns.size()), i, all.size());
    std::vector<NodePtr> out;
    for (const Leaves& column : columns) out.push_back(built(column));
    return out;
  }

 private:
  static void add(std::vector<Leaves>& columns, Leaves results, size_t i, size_t n) {
    columns.resize(results.size(), Leaves(n));
    for (size_t k = 0; k < results.size(); ++k) columns[k][i] = std::move(results[k]);
  }

  Leaves whole(const at::Tensor& leaf, size_t i, size_t results) const {
    if (options_.feature) refuse_unbatched_entry(shape_.paths[i], "its dims are not feature dims");
    if (results != 1) refuse_unbatched_entry(shape_.paths[i], "the operator returns several results for each leaf");
    return {leaf};
  }

  Leaves results(const at::Tensor& leaf, size_t i) {
    try {
      return on(leaf, shape_.batch_dims[i]);
    } catch (Error& e) {
      throw e.key(to_string(shape_.paths[i]));
    } catch (const c10::Error&) {
      throw current_error().key(to_string(shape_.paths[i]));
    }
  }

  Leaves on(const at::Tensor& leaf, size_t batch_dims) {
    if (options_.feature) {
      at::Tensor flat = flat_features(leaf, batch_dims);
      Leaves out = reduction_.along(flat, {static_cast<int64_t>(batch_dims)}, false);
      for (at::Tensor& r : out)
        if (reduction_.lead().empty() && r.sizes() == flat.sizes()) r = r.reshape(leaf.sizes());
      keeps_ = true;  // the batch dims
      return out;
    }
    if (dims_.empty()) return reduction_.whole(leaf);
    return reduction_.along(leaf, dims_, options_.keepdim, &keeps_);
  }

  NodePtr built(const Leaves& column) const {
    NodePtr made;
    if (dims_.empty() && !keeps_) return rebuild_flat(node_, column, {});
    std::vector<DataPtr> data;
    for (const auto& [path, d] : shape_.data)
      data.push_back(keeps_ && reduction_.lead().empty() ? d : for_batch(*d, batch(d->batch()), path));
    Names names = spread(node_.names(), node_.batch_dims());
    if (!keeps_) names = without<Names>(names, dims_, options_.keepdim, nullopt);
    names.insert(names.begin(), reduction_.lead().size(), nullopt);
    made = rebuild(node_, Leaves(column), data, batch(node_.batch_size()), tidy(names));
    settle(*made, Emptied::keep);
    return made;
  }

  Dims batch(at::IntArrayRef from) const {
    Dims out(from.begin(), from.end());
    if (!keeps_) out = without<Dims>(out, dims_, options_.keepdim, 1);
    out.insert(out.begin(), reduction_.lead().begin(), reduction_.lead().end());
    return out;
  }

  const Node& node_;
  const ReduceOptions& options_;
  std::vector<int64_t> dims_;
  Reduction reduction_;
  Shape shape_;
  bool keeps_ = false;
};

// Such an operator would have written before its result shows that it does not reduce.
void refuse_in_place(const Op& op) {
  if (writes(op)) throw Error(Code::shape, "an operator that works in place cannot reduce").where(op.name());
}

}  // namespace

std::vector<NodePtr> reduce(const Node& node, const Op& op, const std::vector<NamedArg>& kwargs,
                            const ReduceOptions& options, size_t n_outs) {
  refuse_in_place(op);
  if (has_lazy(node)) return reduce(*dense(node), op, kwargs, options, n_outs);
  return Plan(node, op, kwargs, options, n_outs).run();
}

at::Tensor reduce_all(const Node& node, const Op& op, const std::vector<NamedArg>& kwargs,
                      const ReduceOptions& options) {
  refuse_in_place(op);
  if (has_lazy(node)) return reduce_all(*dense(node), op, kwargs, options);
  std::vector<int64_t> dims = checked_dims(node, options);
  if (options.feature || !dims.empty()) refuse_unbatched(node, "it has no batch dims to reduce");
  Reduction reduction(op, kwargs, 1);
  Leaves all = leaves(node);
  if (all.empty()) throw Error(Code::argument, "the dict has no tensors to reduce").where(op.name());
  int64_t join = options.feature ? static_cast<int64_t>(node.batch_dims()) : dims.empty() ? 0 : dims[0];
  for (at::Tensor& t : all) {
    if (options.feature)
      t = flat_features(t, node.batch_dims());
    else if (dims.empty())
      t = t.flatten();
  }
  check_joinable(all, leaf_paths(node), join);
  at::Tensor joined = at::cat(all, join);
  if (options.feature) dims = {join};
  Leaves out = dims.empty() ? reduction.whole(joined) : reduction.along(joined, dims, options.keepdim);
  if (out.size() != 1) throw Error(Code::argument, "the operator does not return a tensor").where(op.name());
  return out[0];
}

bool all(const Node& node) {
  Leaves l = leaves(node);
  return std::all_of(l.begin(), l.end(), [](const at::Tensor& t) { return t.all().item<bool>(); });
}

bool any(const Node& node) {
  Leaves l = leaves(node);
  return std::any_of(l.begin(), l.end(), [](const at::Tensor& t) { return t.any().item<bool>(); });
}

}  // namespace td
