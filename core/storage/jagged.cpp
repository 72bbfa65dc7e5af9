#include "core/storage/jagged.h"

#include "core/error.h"
#include "core/storage/leaf.h"
#include "core/tensor/ops.h"

namespace td::storage {

int64_t ragged_dim(const Components& components, const ComponentType& type, size_t batch) {
  size_t dims = type.sizes.size(), found = dims;
  if (dims == 0) throw Error(Code::unsupported, "components without dims do not make a jagged tensor");
  for (const at::Tensor& t : components) {
    for (size_t d = 0; d < dims; ++d) {
      if (t.sizes()[d] == components[0].sizes()[d] || d == found) continue;
      if (found < dims)
        throw Error(Code::unsupported,
                    "the components differ in more than one dim, so they do not make a jagged tensor");
      found = d;
    }
  }
  if (found == dims) found = type.ragged_dim && *type.ragged_dim >= batch ? *type.ragged_dim : batch;
  if (found < batch || found >= dims)
    throw Error(Code::unsupported,
                "a jagged tensor needs a dim behind the batch dims, in which its components may differ");
  return static_cast<int64_t>(found);
}

int64_t joint_size(const Components& components, int64_t dim) {
  int64_t total = 0;
  for (const at::Tensor& t : components) {
    bool same = t.dim() > dim;
    for (int64_t d = 0; same && d < t.dim(); ++d) same = d == dim || t.size(d) == components[0].size(d);
    if (!same || __builtin_add_overflow(total, t.size(dim), &total))
      throw Error(Code::shape, "the components differ in another dim than " + std::to_string(dim));
  }
  return total;
}

at::Tensor joint(Components components, const ComponentType& type, int64_t dim) {
  if (components.empty()) {
    Dims sizes = type.sizes;
    sizes[static_cast<size_t>(dim)] = 0;
    return at::empty(sizes, at::TensorOptions(type.dtype));
  }
  for (at::Tensor& t : components) t = dense(t);
  return at::cat(components, dim);
}

at::Tensor offsets_of(const Components& components, int64_t dim) {
  at::Tensor offsets = at::zeros({static_cast<int64_t>(components.size()) + 1}, at::TensorOptions(at::kLong));
  auto* out = static_cast<int64_t*>(offsets.data_ptr());
  for (size_t i = 0; i < components.size(); ++i) out[i + 1] = out[i] + components[i].size(dim);
  return offsets;
}

Components components_of(const at::Tensor& values, int64_t dim, const std::vector<int64_t>& offsets,
                         const std::vector<int64_t>& lengths) {
  int64_t end = values.size(dim);
  Components components;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    int64_t start = offsets[i], next = offsets[i + 1];
    bool inside = start >= 0 && start <= next && next <= end;
    if (!inside || (!lengths.empty() && (lengths[i] < 0 || lengths[i] > end - start)))
      throw Error(Code::corrupt, "component " + std::to_string(i) + " of a jagged tensor lies outside its values");
    components.push_back(values.narrow(dim, start, lengths.empty() ? next - start : lengths[i]));
  }
  return components;
}

}  // namespace td::storage
