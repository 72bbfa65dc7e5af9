#include "core/storage/leaf.h"

#include "core/error.h"
#include "core/storage/json.h"
#include "core/tensor/dtype.h"
#include "core/tensor/stored.h"

namespace td::storage {

namespace {

int64_t bytes_of(at::IntArrayRef sizes, at::ScalarType dtype) {
  auto itemsize = static_cast<int64_t>(c10::elementSize(dtype));
  return checked_numel(sizes, static_cast<size_t>(itemsize)) * itemsize;
}

}  // namespace

LeafType parse_leaf_type(const boost::json::value& dtype, const boost::json::value& shape) {
  const boost::json::string* name = dtype.if_string();
  if (!name) throw Error(Code::corrupt, "the dtype is not a string");
  const int32_t code = dtype_code_named({name->data(), name->size()});
  const bool known = has_dtype(code);
  LeafType leaf{known ? scalar_type(code) : at::kByte, parse_dims(shape, "the shape"), 0, known ? 0 : code};
  if (!known && dtype_size(code) > 1) leaf.sizes.push_back(dtype_size(code));
  try {
    leaf.bytes = bytes_of(leaf.sizes, leaf.dtype);
  } catch (const Error& e) {
    throw Error(Code::corrupt, e.message());
  }
  return leaf;
}

Dims parse_batch(const boost::json::value& batch) {
  Dims dims = parse_dims(batch, "the batch size");
  try {
    checked_numel(dims, 1);
  } catch (const Error& e) {
    throw Error(Code::corrupt, "the batch size: " + e.message());
  }
  return dims;
}

LeafType leaf_type(const at::Tensor& t, PathView path) {
  auto refuse = [&](const std::string& why) {
    return Error(Code::unsupported, why).key(to_string(path)).hint("store a dense tensor instead");
  };
  if (t.dim() > 64) throw Error(Code::shape, "more than 64 dims, which no reader takes").key(to_string(path));
  if (t.is_nested()) throw refuse("nested tensors cannot be written yet");
  if (t.layout() != at::kStrided) throw refuse("sparse tensors have no bytes to write");
  if (t.is_meta() || !t.has_storage()) throw refuse("the tensor has no bytes to write");
  if (dtype_code(t.scalar_type()) == 0)
    throw refuse(std::string("the format has no name for dtype ") + c10::toString(t.scalar_type()));
  Dims sizes(t.sizes().begin(), t.sizes().end());
  return {t.scalar_type(), sizes, bytes_of(sizes, t.scalar_type()), stored_dtype(t)};
}

at::IntArrayRef stored_sizes(const LeafType& type) {
  at::IntArrayRef sizes = type.sizes;
  return type.stored != 0 && dtype_size(type.stored) > 1 ? sizes.slice(0, sizes.size() - 1) : sizes;
}

at::Tensor leaf_tensor(const LeafType& type, void* data, std::shared_ptr<const void> owner, Access access) {
  return type.stored == 0 ? from_memory(data, type.dtype, type.sizes, {}, std::move(owner), access)
                          : from_stored(data, type.stored, type.sizes, std::move(owner), access);
}

at::Tensor dense(const at::Tensor& t) {
  at::Tensor d = t.requires_grad() ? t.detach() : t;
  if (!d.device().is_cpu()) d = d.cpu();
  // Without a call of LibTorch's where it would do nothing: in a thread's first one it takes a lock of its own.
  if (d.is_conj() || d.is_neg()) d = d.resolve_conj().resolve_neg();
  return d.is_contiguous() ? d : d.contiguous();
}

void check_batch(at::IntArrayRef sizes, at::IntArrayRef batch) {
  if (sizes.size() < batch.size() || sizes.slice(0, batch.size()) != batch)
    throw Error(Code::corrupt, "batch mismatch: batch size " + to_string(batch) + ", got " + to_string(sizes))
        .hint("leading dims must equal the batch size");
}

std::string python_dtype(at::ScalarType dtype) {
  return "torch." + std::string(dtype_name(dtype));
}

std::string python_dtype(const LeafType& type) {
  return type.stored == 0 ? python_dtype(type.dtype) : "torch." + std::string(dtype_name(type.stored));
}

}  // namespace td::storage
