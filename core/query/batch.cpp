#include "core/query/batch.h"

#include <limits>

#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

#include "core/dict/unbatched.h"
#include "core/error.h"

namespace td {

namespace {

// One zero and one NaN.
at::Tensor one_of_each(const at::Tensor& t) {
  if (t.is_complex()) return at::view_as_complex(one_of_each(at::view_as_real(t.resolve_conj())));
  if (!t.is_floating_point()) return t;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return at::nan_to_num(t.detach(), std::numeric_limits<double>::quiet_NaN(), infinity, -infinity).add_(0);
}

}  // namespace

QueryBatch::QueryBatch(const Node& data, const std::vector<Path>& keys, const std::vector<std::string>& names,
                       bool canonical, c10::function_ref<bool(size_t)> as_bytes) {
  columns.reserve(keys.size());
  tensors.reserve(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (data.look_at(keys[i], Detail::kind).is_unbatched())
      refuse_unbatched_entry(Path(keys[i]), "it has no rows to look up");
    at::Tensor t = data.tensor(keys[i]);
    if (t.dim() == 0)
      throw Error(Code::shape, "a tensor without dims has no rows").key(names[i]).hint("add a leading dim");
    if (i == 0) n = t.size(0);
    if (t.size(0) != n)
      throw Error(Code::shape,
                  "it has " + std::to_string(t.size(0)) + " rows, but " + names[0] + " has " + std::to_string(n))
          .key(names[i])
          .hint("all inputs must have the same number of rows, which is the size of the leading dim");
    tensors.push_back(canonical ? one_of_each(t) : std::move(t));
    if (as_bytes(i))
      columns.emplace_back(tensors.back(), names[i]);
    else
      columns.emplace_back();
  }
}

std::string QueryBatch::key_of(size_t row) const {
  std::string key;
  for (const Rows& c : columns) {
    uint64_t size = c.row_bytes();
    key.append(reinterpret_cast<const char*>(&size), sizeof size);
    key.append(reinterpret_cast<const char*>(c.data() + row * c.stride()), size);
  }
  return key;
}

}  // namespace td
