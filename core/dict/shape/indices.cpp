#include "core/dict/shape/indices.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/tensor/fast.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

using IndexKind = Index::Kind;

size_t dims_taken(const Index& i) {
  if (i.kind == IndexKind::integer || i.kind == IndexKind::slice) return 1;
  if (i.kind == IndexKind::tensor) return i.tensor.scalar_type() == at::kBool ? static_cast<size_t>(i.tensor.dim()) : 1;
  return 0;
}

// A device finds a bad index when the call is over, and then no other call works in this process.
void check_rows_elsewhere(const at::Tensor& rows, int64_t size) {
  if (rows.is_meta()) return;
  at::Tensor here = rows.to(at::kCPU).contiguous();
  check_rows(static_cast<const int64_t*>(data(here)), here.numel(), size);
}

}  // namespace

void check_rows(const int64_t* rows, int64_t count, int64_t size) {
  bool outside = false;
  for (int64_t k = 0; k < count; ++k) outside |= rows[k] < -size || rows[k] >= size;
  if (!outside) return;
  for (int64_t k = 0; k < count; ++k)
    if (rows[k] < -size || rows[k] >= size)
      throw Error(Code::index,
                  "index " + std::to_string(rows[k]) + " is out of range for size " + std::to_string(size));
}

IndexList without_ellipsis(IndexList indices, at::IntArrayRef batch) {
  size_t taken = 0, ellipses = 0;
  for (const Index& i : indices) {
    taken += dims_taken(i);
    ellipses += i.kind == IndexKind::ellipsis;
  }
  if (taken > batch.size() || ellipses > 1) return normalized(std::move(indices), batch);  // throws
  if (ellipses == 0) return indices;
  IndexList out;
  for (const Index& i : indices) {
    if (i.kind == IndexKind::ellipsis)
      out.insert(out.end(), batch.size() - taken, {IndexKind::slice, 0, INT64_MAX, 1, {}});
    else
      out.push_back(i);
  }
  return out;
}

IndexList normalized(IndexList indices, at::IntArrayRef batch, const char* what) {
  size_t taken = 0, ellipses = 0;
  for (const Index& i : indices) {
    taken += dims_taken(i);
    ellipses += i.kind == IndexKind::ellipsis;
  }
  if (ellipses > 1) throw Error(Code::index, "the index has more than one ellipsis");
  if (taken > batch.size())
    throw Error(Code::index,
                "the index takes " + std::to_string(taken) + " dims, but the " + what + " is " + to_string(batch))
        .hint(std::string("only dims of the ") + what + " can be indexed");
  IndexList out;
  out.reserve(ellipses ? batch.size() + indices.size() : indices.size());
  size_t dim = 0;
  for (Index& i : indices) {
    if (i.kind == IndexKind::ellipsis) {
      for (size_t k = 0; k < batch.size() - taken; ++k, ++dim) out.push_back({IndexKind::slice, 0, batch[dim], 1, {}});
      continue;
    }
    int64_t size = dims_taken(i) ? batch[dim] : 0;
    if (i.kind == IndexKind::integer) {
      if (i.start < -size || i.start >= size)
        throw Error(Code::index, "index " + std::to_string(i.start) + " is out of range for dim " +
                                     std::to_string(dim) + " of " + what + " " + to_string(batch));
      if (i.start < 0) i.start += size;
    } else if (i.kind == IndexKind::slice) {
      if (i.step < 1)
        throw Error(Code::index, "the step of a slice is " + std::to_string(i.step)).hint("the step must be 1 or more");
      auto clamp = [size](int64_t p) { return std::clamp<int64_t>(p < 0 ? p + size : p, 0, size); };
      i.step = std::min(i.step, std::max<int64_t>(size, 1));  // a longer step takes the same, and cannot overflow
      i.start = clamp(i.start);
      i.stop = std::max(i.start, clamp(i.stop));
    } else if (i.kind == IndexKind::tensor) {
      auto type = i.tensor.scalar_type();
      if (type != at::kBool && (!c10::isIntegralType(type, false) || type == at::kByte))
        throw Error(Code::dtype, "an index tensor must hold signed integers or bool");
      if (type == at::kBool && i.tensor.dim() == 0) {
        // Makes a new dim, of which all is taken or nothing.
        out.push_back({IndexKind::none, 0, 0, 1, at::nonzero(i.tensor.reshape({1})).reshape({-1})});
        continue;
      }
      if (type == at::kBool)
        for (int64_t k = 0; k < i.tensor.dim(); ++k)
          if (i.tensor.size(k) != batch[dim + static_cast<size_t>(k)])
            throw Error(Code::index, "a mask of shape " + to_string(i.tensor.sizes()) + " does not match " + what +
                                         " " + to_string(batch) + " from dim " + std::to_string(dim));
      if (type != at::kBool && type != at::kLong) i.tensor = i.tensor.to(at::kLong);  // LibTorch 1.13 takes no int32
      if (type != at::kBool && !i.tensor.device().is_cpu()) check_rows_elsewhere(i.tensor, size);
    }
    dim += dims_taken(i);
    out.push_back(std::move(i));
  }
  return out;
}

at::Tensor take_view(const at::Tensor& t, const IndexList& indices, By by) {
  if (by == By::hand && fast::views(t)) {
    at::IntArrayRef from = t.sizes(), steps = t.strides();
    Dims sizes, strides;
    int64_t offset = t.storage_offset();
    if (indices.size() == 1 && indices[0].kind == IndexKind::slice) {
      const Index& i = indices[0];
      sizes.append(from.begin(), from.end());
      strides.append(steps.begin(), steps.end());
      offset += i.start * steps[0];
      sizes[0] = i.length();
      strides[0] *= i.step;
      return fast::view(t, sizes, strides, offset);
    }
    size_t dim = 0;
    for (const Index& i : indices) {
      if (i.kind == IndexKind::none) {
        sizes.push_back(1);
        strides.push_back(dim < from.size() ? from[dim] * steps[dim] : 1);
        continue;
      }
      int64_t stride = steps[dim], size = from[dim];
      ++dim;
      if (i.kind == IndexKind::tensor) {
        sizes.push_back(size);
        strides.push_back(stride);
        for (size_t k = 1; k < dims_taken(i); ++k, ++dim) {
          sizes.push_back(from[dim]);
          strides.push_back(steps[dim]);
        }
        continue;
      }
      offset += i.start * stride;
      if (i.kind == IndexKind::integer) continue;
      sizes.push_back(i.length());
      strides.push_back(stride * i.step);
    }
    sizes.append(from.begin() + dim, from.end());
    strides.append(steps.begin() + dim, steps.end());
    return fast::view(t, sizes, strides, offset);
  }
  at::Tensor v = t;
  int64_t dim = 0;
  for (const Index& i : indices) {
    if (i.kind == IndexKind::integer) v = v.select(dim, i.start);
    if (i.kind == IndexKind::slice) v = v.slice(dim++, i.start, i.stop, i.step);
    if (i.kind == IndexKind::none) v = v.unsqueeze(dim++);
    if (i.kind == IndexKind::tensor) dim += static_cast<int64_t>(dims_taken(i));
  }
  return v;
}

bool has_tensors(const IndexList& indices) {
  return std::any_of(indices.begin(), indices.end(), [](const Index& i) { return i.tensor.defined(); });
}

c10::List<optional<at::Tensor>> advanced(const IndexList& indices) {
  c10::List<optional<at::Tensor>> list;
  for (const Index& i : indices) {
    if (i.tensor.defined())
      list.push_back(i.tensor);
    else if (i.kind != IndexKind::integer)
      list.push_back(nullopt);
  }
  // LibTorch 1.13 takes a mask with dims named after it for one over the last dims.
  while (!list.empty() && !list.get(list.size() - 1)) list.pop_back();
  return list;
}

namespace {

using Picks = c10::List<optional<at::Tensor>>;

// LibTorch brings indices from the CPU to a device itself, and nothing back. Ids of data are on the CPU always.
bool reach(const Picks& list, const c10::Device& device) {
  for (optional<at::Tensor> t : list)
    if (t && t->device() != device && !t->device().is_cpu()) return false;
  return true;
}

Picks brought(const Picks& list, const c10::Device& device) {
  Picks there;
  for (optional<at::Tensor> t : list) there.push_back(t && !t->is_meta() ? optional<at::Tensor>(t->to(device)) : t);
  return there;
}

}  // namespace

at::Tensor picked(const at::Tensor& view, const Picks& list) {
  return reach(list, view.device()) ? at::index(view, list) : at::index(view, brought(list, view.device()));
}

void put_picked(const at::Tensor& view, const Picks& list, const at::Tensor& value) {
  at::Tensor to = view;
  to.index_put_(reach(list, view.device()) ? list : brought(list, view.device()), value);
}

Dims indexed_sizes(at::IntArrayRef dims, const IndexList& indices) {
  if (!has_tensors(indices)) {
    Dims sizes;
    size_t dim = 0;
    for (const Index& i : indices) {
      if (i.kind == IndexKind::none) sizes.push_back(1);
      if (i.kind == IndexKind::slice) sizes.push_back(i.length());
      dim += dims_taken(i);
    }
    sizes.append(dims.begin() + dim, dims.end());
    return sizes;
  }
  // A stand-in without memory of its own goes through the same steps.
  at::Tensor t = take_view(at::empty(at::IntArrayRef(), at::TensorOptions(at::kByte)).expand(dims), indices);
  if (has_tensors(indices)) t = picked(t, advanced(indices));
  return Dims(t.sizes().begin(), t.sizes().end());
}

// Integers take a name away, new dims have none, and one index tensor of one dim, numbers or a mask, keeps the name;
// other index tensors leave dims that none of the old names would fit. Those that are apart from each other move to the
// front.
Names indexed_names(const Names& names, const IndexList& indices, int64_t result_dims) {
  if (names.empty()) return {};
  Names out, moved;
  size_t dim = 0, first_tensor = 0, last_tensor = 0, tensors = 0;
  for (size_t i = 0; i < indices.size(); ++i)
    if (indices[i].kind == IndexKind::tensor) {
      if (tensors++ == 0) first_tensor = i;
      last_tensor = i;
    }
  bool apart = false;
  for (size_t i = first_tensor; i < last_tensor; ++i)
    apart = apart || indices[i].kind == IndexKind::slice || indices[i].kind == IndexKind::none;
  size_t place = 0;
  int64_t width = 0;
  for (const Index& i : indices) {
    if (i.kind == IndexKind::slice) out.push_back(names[dim]);
    if (i.kind == IndexKind::none) out.push_back(nullopt);
    if (i.kind == IndexKind::tensor) {
      bool mask = i.tensor.scalar_type() == at::kBool;
      if (width == 0) place = out.size();
      int64_t dims = mask ? 1 : i.tensor.dim();
      for (; width < dims; ++width) moved.push_back(tensors == 1 && i.tensor.dim() == 1 ? names[dim] : Name());
    }
    dim += dims_taken(i);
  }
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(apart ? 0 : place), moved.begin(), moved.end());
  for (; dim < names.size(); ++dim) out.push_back(names[dim]);
  out.resize(static_cast<size_t>(result_dims));
  return out;
}

namespace {

// With `fixed` the compiler knows the width of a row, and copies it without a call.
template <size_t fixed>
void copy_rows_of(char* to, const char* from, const int64_t* row, int64_t count, int64_t n, size_t bytes) {
  const size_t width = fixed ? fixed : bytes;
  for (int64_t k = 0; k < count; ++k, to += width)
    std::memcpy(to, from + static_cast<size_t>(row[k] + (row[k] < 0 ? n : 0)) * width, width);
}

void copy_rows(char* to, const char* from, const int64_t* row, int64_t count, int64_t n, size_t bytes) {
  switch (bytes) {
    case 4:
      return copy_rows_of<4>(to, from, row, count, n, bytes);
    case 8:
      return copy_rows_of<8>(to, from, row, count, n, bytes);
    case 16:
      return copy_rows_of<16>(to, from, row, count, n, bytes);
    case 32:
      return copy_rows_of<32>(to, from, row, count, n, bytes);
    default:
      return copy_rows_of<0>(to, from, row, count, n, bytes);
  }
}

}  // namespace

bool gather_rows(std::vector<at::Tensor>& all, const at::Tensor& rows, size_t dims) {
  if (rows.dim() != 1 || rows.scalar_type() != at::kLong || !fast::arenas(rows) || all.empty()) return false;
  for (const at::Tensor& t : all)
    if (!fast::arenas(t) || !t.is_contiguous()) return false;
  int64_t n = 1;
  for (int64_t size : all[0].sizes().slice(0, dims)) n *= size;
  at::Tensor order = rows.contiguous();
  const auto* row = static_cast<const int64_t*>(data(order));
  int64_t count = order.numel();
  check_rows(row, count, n);
  auto result_sizes = [count, dims](const at::Tensor& t) {
    Dims sizes(t.sizes().begin() + dims, t.sizes().end());
    sizes.insert(sizes.begin(), count);
    return sizes;
  };
  fast::Arena arena;
  for (const at::Tensor& t : all) arena.plan(result_sizes(t), t.scalar_type());
  for (at::Tensor& t : all) {
    at::Tensor made = arena.take(result_sizes(t), t.scalar_type());
    size_t bytes = n == 0 ? 0 : static_cast<size_t>(t.numel() / n) * t.element_size();
    if (bytes && count) copy_rows(fast::bytes(made), fast::bytes(t), row, count, n, bytes);
    t = std::move(made);
  }
  return true;
}

}  // namespace td
