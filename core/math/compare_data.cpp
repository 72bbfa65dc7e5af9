#include "core/math/compare_data.h"

#include <algorithm>
#include <vector>

#include "core/dict/copy.h"
#include "core/dict/entries.h"
#include "core/dict/shape/geometry.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

bool whole_number(const Value& v) {
  return v.kind == Value::Kind::integer || v.kind == Value::Kind::boolean;
}

bool same_number(int64_t i, double f) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  return f >= -limit && f < limit && static_cast<double>(static_cast<int64_t>(f)) == f && static_cast<int64_t>(f) == i;
}

// The numbers of the values, with the joint batch dims in place of the dict's own and `features` dims after them.
at::Tensor numbers_for(const Data& d, const Node& dict, at::IntArrayRef batch, int64_t features) {
  at::Tensor ids = d.ids();
  while (ids.dim() - static_cast<int64_t>(dict.batch_dims()) < features) ids = ids.unsqueeze(-1);
  return ids.expand(with_batch(ids.sizes(), dict.batch_dims(), batch));
}

Dims broadcast(const at::Tensor& x, const at::Tensor& y, const Path& path) {
  Dims sizes(x.sizes().begin(), x.sizes().end());
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t size = y.size(static_cast<int64_t>(d));
    if (sizes[d] != size && sizes[d] != 1 && size != 1)
      throw Error(Code::shape, "non-tensor data of batch size " + to_string(x.sizes()) + " and of batch size " +
                                   to_string(y.sizes()) + " do not broadcast")
          .key(to_string(path));
    if (sizes[d] == 1) sizes[d] = size;
  }
  return sizes;
}

at::Tensor on_device(at::Tensor t, const Node& holder) {
  return holder.device() ? t.to(*holder.device()) : t;
}

// Over one dict, or one member of a lazy stack: the batch dims of all its entries are those of this root.
class CompareData {
 public:
  CompareData(Node& result, const Node& a, const Node& b, Path at, Comparison comparison, Missing missing)
      : root_(result), a_(a), b_(b), at_(std::move(at)), comparison_(comparison), missing_(missing) {}

  void run() { level(root_, a_, b_, Path()); }

 private:
  void level(Node& result, const Node& a, const Node& b, const Path& prefix) {
    if (result.has_members() && a.has_members()) {
      Nodes own = all_members(a), others = *a.apart(b);
      result.each_member([&](const NodePtr& m, size_t i) {
        CompareData(*m, *own[i], *others[i], full(prefix), comparison_, missing_).run();
      });
      return;
    }
    a.visit(Detail::shape, [&](const Key& k, const Entry& e) {
      Path path = prefix + k;
      Entry other = b.look(k, Detail::shape);
      if (e.is_node() && other.is_node()) {
        if (Entry below = result.find(k); below.is_node()) level(*below.node(), *e.node(), *b.find(k).node(), path);
      } else if (e.is_node()) {
        lone_below(*e.node(), a_, path);
      } else if (e.is_data() && !other.is_data()) {
        lone(*a.find(k).data(), a_, path);
      } else if (e.is_data() && comparison_ != Comparison::order) {
        result.put(k, Entry(on_device(compared(*a.find(k).data(), *b.find(k).data(), path), result)));
      }
    });
    b.visit(Detail::shape, [&](const Key& k, const Entry& e) {
      if (a.has_common(k)) return;
      if (e.is_node()) lone_below(*b.find(k).node(), b_, prefix + k);
      if (e.is_data()) lone(*b.find(k).data(), b_, prefix + k);
    });
  }

  at::Tensor compared(const Data& a, const Data& b, const Path& path) const {
    int64_t features = std::max(a.ids().dim() - static_cast<int64_t>(a_.batch_dims()),
                                b.ids().dim() - static_cast<int64_t>(b_.batch_dims()));
    at::Tensor x = numbers_for(a, a_, root_.batch_size(), features),
               y = numbers_for(b, b_, root_.batch_size(), features);
    Dims sizes = broadcast(x, y, full(path));
    if (checked_numel(sizes, 1) > 0 && !a.stacked() && !b.stacked()) return filled(sizes, holds(a.value(), b.value()));
    std::vector<const Value*> left = a.with(x.expand(sizes), true)->values(),
                              right = b.with(y.expand(sizes), true)->values();
    at::Tensor out = filled(sizes, false);
    auto* to = static_cast<bool*>(const_cast<void*>(data(out)));
    for (size_t i = 0; i < left.size(); ++i) to[i] = holds(*left[i], *right[i]);
    return out;
  }

  bool holds(const Value& a, const Value& b) const { return equal_values(a, b) == (comparison_ == Comparison::equal); }

  static at::Tensor filled(at::IntArrayRef sizes, bool value) {
    return at::full(sizes, value ? 1 : 0, at::TensorOptions(at::kBool));
  }

  // Data that only `owner` has: whatever stands for them in the other dict is not equal to them.
  void lone(const Data& d, const Node& owner, const Path& path) const {
    if (missing_ == Missing::error)
      throw Error(Code::key, "the non-tensor data is not in all dicts")
          .key(to_string(full(path)))
          .hint_naming("skip or fill such entries with {pointwise_options}");
    if (comparison_ == Comparison::order) return;
    if (missing_ == Missing::fill) {
      Dims sizes = with_batch(d.batch(), owner.batch_dims(), root_.batch_size());
      checked_numel(sizes, 1);
      root_.set(path, on_device(filled(sizes, comparison_ == Comparison::unequal), root_));
    } else if (root_.get(path)) {
      root_.erase_path(path);
    }
  }

  void lone_below(const Node& node, const Node& owner, const Path& prefix) const {
    node.visit(Detail::shape, [&](const Key& k, const Entry& e) {
      if (e.is_node()) lone_below(*node.find(k).node(), owner, prefix + k);
      if (e.is_data()) lone(*node.find(k).data(), owner, prefix + k);
    });
  }

  Path full(const Path& path) const {
    Path out = at_;
    for (const Key& k : path.keys()) out = out + k;
    return out;
  }

  Node& root_;
  const Node& a_;
  const Node& b_;
  Path at_;  // where the root is
  Comparison comparison_;
  Missing missing_;
};

}  // namespace

bool equal_values(const Value& a, const Value& b) {
  using Kind = Value::Kind;
  if (whole_number(a) && whole_number(b)) return a.i == b.i;
  if (whole_number(a) && b.kind == Kind::real) return same_number(a.i, b.f);
  if (a.kind == Kind::real && whole_number(b)) return same_number(b.i, a.f);
  if (a.kind == Kind::real && b.kind == Kind::real) return a.f == b.f;
  return a == b;
}

void compare_data(Node& result, const Node& a, const Node& b, Comparison comparison, Missing missing) {
  CompareData(result, a, b, Path(), comparison, missing).run();
}

}  // namespace td
