#include "core/group/reduction.h"

#include <algorithm>

#include <ATen/ops/cat.h>
#include <ATen/ops/view_as_real.h>

#include "core/error.h"
#include "core/tensor/dtype.h"

namespace td::group {

namespace {

using Bucket = std::vector<at::Tensor>;

std::vector<Bucket> buckets_of(const std::vector<at::Tensor>& leaves, int64_t most) {
  std::vector<Bucket> by_dtype, out;
  for (const at::Tensor& t : leaves) {
    auto same = [&](const Bucket& b) { return b[0].scalar_type() == t.scalar_type(); };
    auto found = std::find_if(by_dtype.begin(), by_dtype.end(), same);
    if (found == by_dtype.end())
      by_dtype.push_back({t});
    else
      found->push_back(t);
  }
  for (const Bucket& all : by_dtype) {
    int64_t bytes = 0;
    out.emplace_back();
    for (const at::Tensor& t : all) {
      const int64_t n = static_cast<int64_t>(t.nbytes());
      if (!out.back().empty() && bytes + n > most) out.emplace_back(), bytes = 0;
      out.back().push_back(t);
      bytes += n;
    }
  }
  return out;
}

}  // namespace

at::Tensor reducible(const at::Tensor& t, Reduction op) {
  switch (t.scalar_type()) {
    case at::kFloat:
    case at::kDouble:
    case at::kHalf:
    case at::kChar:
    case at::kByte:
    case at::kInt:
    case at::kLong:
#if TD_TORCH_GROUP_WIRE >= 2
    case at::kBFloat16:
#endif
      return t;
    case at::kComplexFloat:
    case at::kComplexDouble:
      if (op == Reduction::sum) return at::view_as_real(t);
      throw Error(Code::dtype, "complex numbers can only be summed");
    default:
      throw Error(Code::dtype, "tensors of " + std::string(dtype_name(t.scalar_type())) + " cannot be reduced")
          .hint(
              "Gloo reduces float16, bfloat16 since LibTorch 2, float32, float64, int8, uint8, int32 and int64; "
              "convert the tensor first");
  }
}

void reduce_leaves(const std::vector<at::Tensor>& leaves, int64_t bucket_bytes,
                   const std::function<void(const at::Tensor&)>& reduce) {
  if (bucket_bytes == 0) {
    for (const at::Tensor& t : leaves) reduce(t);
    return;
  }
  for (const Bucket& bucket : buckets_of(leaves, bucket_bytes)) {
    if (bucket.size() == 1) {
      reduce(bucket[0]);
      continue;
    }
    std::vector<at::Tensor> flat;
    for (const at::Tensor& t : bucket) flat.push_back(t.reshape({-1}));
    const at::Tensor joint = at::cat(flat);
    reduce(joint);
    int64_t at = 0;
    for (const at::Tensor& t : bucket) {
      t.copy_(joint.narrow(0, at, t.numel()).view(t.sizes()));
      at += t.numel();
    }
  }
}

}  // namespace td::group
