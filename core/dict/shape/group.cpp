#include "core/dict/shape/group.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/dict/data/value_order.h"
#include "core/dict/shape/index.h"
#include "core/dict/shape/split.h"
#include "core/dict/unbatched.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/factory.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// The rows in the order of their values, and where in it each value begins.
struct Order {
  std::vector<int64_t> rows, starts;

  template <class Before, class Same>
  Order(int64_t n, Before before, Same same) : rows(static_cast<size_t>(n)) {
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(), before);
    for (int64_t i = 0; i < n; ++i)
      if (i == 0 || !same(rows[static_cast<size_t>(i - 1)], rows[static_cast<size_t>(i)])) starts.push_back(i);
  }

  static at::Tensor numbers(const std::vector<int64_t>& all) {
    return copy_of(all.data(), at::kLong, {static_cast<int64_t>(all.size())});
  }
  at::Tensor first_rows() const {
    std::vector<int64_t> first;
    for (int64_t start : starts) first.push_back(rows[static_cast<size_t>(start)]);
    return numbers(first);
  }
  std::vector<int64_t> counts() const {
    std::vector<int64_t> out;
    for (size_t i = 0; i < starts.size(); ++i)
      out.push_back((i + 1 < starts.size() ? starts[i + 1] : static_cast<int64_t>(rows.size())) - starts[i]);
    return out;
  }
};

template <class T>
Order order_of(const at::Tensor& flat, int64_t n) {
  const T* first = static_cast<const T*>(data(flat));
  int64_t width = n > 0 ? flat.numel() / n : 0;
  return Order(
      n,
      [=](int64_t a, int64_t b) {
        for (int64_t i = 0; i < width; ++i) {
          T x = first[a * width + i], y = first[b * width + i];
          if (x < y || y < x) return x < y;
          if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
        }
        return false;
      },
      [=](int64_t a, int64_t b) { return std::equal(first + a * width, first + (a + 1) * width, first + b * width); });
}

// Of values as they lie in the memory of this process, row after row.
Order order_of(const at::Tensor& values, at::ScalarType type, int64_t n) {
  switch (type) {
    case at::kBool:
    case at::kByte:
      return order_of<uint8_t>(values, n);
    case at::kChar:
      return order_of<int8_t>(values, n);
    case at::kShort:
      return order_of<int16_t>(values, n);
    case at::kInt:
      return order_of<int32_t>(values, n);
    case at::kLong:
      return order_of<int64_t>(values, n);
#if TD_TORCH_HAS_WIDE_UINT
    case at::kUInt16:
      return order_of<uint16_t>(values, n);
    case at::kUInt32:
      return order_of<uint32_t>(values, n);
    case at::kUInt64:
      return order_of<uint64_t>(values, n);
#endif
    case at::kHalf:
    case at::kBFloat16:
      return order_of<float>(values.to(at::kFloat), n);
    case at::kFloat:
      return order_of<float>(values, n);
    case at::kDouble:
      return order_of<double>(values, n);
    default:
      throw Error(Code::dtype, "values of " + std::string(dtype_name(type)) + " have no order");
  }
}

Order order_of(const Data& entry, int64_t n) {
  std::vector<const Value*> all = entry.values();
  for (const Value& v : entry.pool()) check_ordered(v);
  auto width = n > 0 ? static_cast<int64_t>(all.size()) / n : 0;
  const Value* const* first = all.data();
  auto compare = [=](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width; ++i)
      if (int found = compare_values(*first[a * width + i], *first[b * width + i])) return found;
    return 0;
  };
  return Order(
      n, [=](int64_t a, int64_t b) { return compare(a, b) < 0; },
      [=](int64_t a, int64_t b) {
        return compare(a, b) == 0 &&
               std::none_of(first + a * width, first + (a + 1) * width, [](const Value* v) { return holds_nan(*v); });
      });
}

Nodes grouped(const Node& node, const Order& order) {
  if (order.starts.empty()) return {};
  NodePtr rows = index(node, {{Index::Kind::tensor, 0, 0, 1, Order::numbers(order.rows)}});
  return split_sizes(*rows, order.counts(), 0);
}

}  // namespace

Groups group_by(const Node& node, PathView key) {
  Entry entry = node.get(key);
  if (!entry || entry.is_node()) node.tensor(key);  // says what is there instead
  if (entry.is_unbatched()) refuse_unbatched_entry(Path(key), "it has no rows to group by");
  if (node.batch_dims() == 0)
    throw Error(Code::shape, "a dict without batch dims has no rows").hint("set the batch size first");
  int64_t n = node.batch_size()[0];
  if (n < 0)
    throw Error(Code::shape,
                "the members of the stack have different numbers of rows: batch size " + to_string(node.batch_size()));
  try {
    if (entry.is_data()) {
      const Data& d = *entry.data();
      Order order = order_of(d, n);
      return {{}, d.with(d.ids().index_select(0, order.first_rows()), true), grouped(node, order)};
    }
    const at::Tensor& t = entry.tensor();
    for (int64_t i = 1; i < t.dim(); ++i)
      if (t.size(i) == 0) throw Error(Code::shape, "rows of shape " + to_string(t.sizes()) + " have no elements");
    at::Tensor values = t.detach().to(at::kCPU).contiguous();
    Order order = order_of(values, t.scalar_type(), n);
    return {t.index_select(0, order.first_rows().to(t.device())), {}, grouped(node, order)};
  } catch (Error& e) {
    if (!e.key().empty()) throw;
    throw e.key(to_string(key));
  }
}

}  // namespace td
