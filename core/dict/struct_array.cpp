#include "core/dict/struct_array.h"

#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/memory.h"

namespace td {

namespace {

// The view of a field in all records.
at::Tensor field_view(char* data, size_t itemsize, at::IntArrayRef batch, const RecordField& f,
                      const std::shared_ptr<const void>& owner) {
  size_t unit = c10::elementSize(f.type);
  size_t bytes = static_cast<size_t>(checked_numel(f.dims, unit)) * unit;
  if (f.offset > itemsize || bytes > itemsize - f.offset)
    throw Error(Code::argument, "bytes " + std::to_string(f.offset) + " to " + std::to_string(f.offset + bytes) +
                                    " are outside a record of " + std::to_string(itemsize) + " bytes");
  if (itemsize % unit != 0)
    throw Error(Code::argument, "records of " + std::to_string(itemsize) + " bytes are not a multiple of the dtype's " +
                                    std::to_string(unit))
        .hint("pad the records, or copy the field");
  Dims sizes(batch.begin(), batch.end()), strides(batch.size() + f.dims.size());
  sizes.append(f.dims.begin(), f.dims.end());
  auto step = static_cast<int64_t>(itemsize / unit);
  for (size_t i = batch.size(); i-- > 0; step *= batch[i] == 0 ? 1 : batch[i]) strides[i] = step;
  step = 1;
  for (size_t i = f.dims.size(); i-- > 0; step *= f.dims[i] == 0 ? 1 : f.dims[i]) strides[batch.size() + i] = step;
  return from_memory(data ? data + f.offset : nullptr, f.type, sizes, strides, owner);
}

template <class F>
void named(const RecordField& f, F&& body) {
  try {
    body();
  } catch (Error& e) {
    throw e.key(to_string(f.path));
  }
}

}  // namespace

NodePtr from_struct_array(void* data, size_t itemsize, at::IntArrayRef batch, const std::vector<RecordField>& fields,
                          const std::shared_ptr<const void>& owner) {
  checked_numel(batch, itemsize);
  NodePtr made = TensorDict::make(batch);
  for (const RecordField& f : fields)
    named(f, [&] {
      if (made->get(f.path)) throw Error(Code::argument, "two fields have this key");
      made->set(f.path, field_view(static_cast<char*>(data), itemsize, batch, f, owner));
    });
  return made;
}

void to_struct_array(const Node& node, const std::vector<RecordField>& fields, size_t itemsize, void* data,
                     size_t size) {
  at::IntArrayRef batch = node.batch_size();
  auto bytes = static_cast<size_t>(checked_numel(batch, itemsize)) * itemsize;
  if (bytes > size)
    throw Error(Code::argument,
                "the buffer has " + std::to_string(size) + " bytes, but the records need " + std::to_string(bytes));
  std::vector<std::pair<at::Tensor, at::Tensor>> copies;
  for (const RecordField& f : fields)
    named(f, [&] {
      at::Tensor from = node.tensor(f.path).detach();
      at::Tensor to = field_view(static_cast<char*>(data), itemsize, batch, f, nullptr);
      if (from.sizes() != to.sizes())
        throw Error(Code::shape, "the entry has shape " + to_string(from.sizes()) + ", but the field needs " +
                                     to_string(to.sizes()));
      if (from.is_complex() && !to.is_complex()) throw Error(Code::dtype, "the entry is complex, but the field is not");
      copies.emplace_back(to, from);
    });
  for (auto& [to, from] : copies) to.copy_(from);
}

}  // namespace td
