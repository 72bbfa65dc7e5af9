#include "core/storage/nested.h"

#include <algorithm>

#include "core/dict/entries.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/dtype.h"
#include "core/tensor/ops.h"

namespace td::storage {

namespace {

int64_t component_bytes(at::IntArrayRef sizes, size_t itemsize) {
  try {
    return checked_numel(sizes, itemsize) * static_cast<int64_t>(itemsize);
  } catch (const Error& e) {
    throw Error(Code::corrupt, "the sizes of a component: " + e.message());
  }
}

}  // namespace

Entry read_nested(const LeafType& table, const Node& parent, Access access,
                  const std::function<LeafBytes(std::string_view, int64_t)>& bytes) {
  if (table.stored != 0) scalar_type(table.stored);  // refused: its components would need one more dim
  if (table.sizes.size() != 2)
    throw Error(Code::corrupt, "the shape " + to_string(table.sizes) + " of a nested tensor is not [components, dims]");
  int64_t count = table.sizes[0], dims = table.sizes[1];
  if (dims > 64) throw Error(Code::corrupt, "the components have more than 64 dims");
  at::IntArrayRef batch = parent.batch_size(), shared = batch.empty() ? batch : batch.slice(1);
  check_batch({count}, batch.slice(0, std::min<size_t>(batch.size(), 1)));
  if (static_cast<size_t>(dims) < shared.size())
    throw Error(Code::corrupt, "batch mismatch: batch size " + to_string(batch) + ", but components of " +
                                   std::to_string(dims) + " dims");
  constexpr int64_t max_components = int64_t{1} << 24;
  if (count > max_components) throw Error(Code::corrupt, "a nested tensor of " + std::to_string(count) + " components");

  // Nothing is made of the table before the files are known to be as large as it says.
  LeafBytes rows, elements;
  if (count > 0 && dims > 0) {
    rows = bytes(shape_suffix, count * dims * static_cast<int64_t>(sizeof(int64_t)));
    if (!rows.data) return {};
  }
  const auto* table_row = reinterpret_cast<const int64_t*>(rows.data);
  auto sizes = [&](int64_t i) { return at::IntArrayRef(table_row + i * dims, static_cast<size_t>(dims)); };
  size_t itemsize = c10::elementSize(table.dtype);
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (sizes(i).slice(0, shared.size()) != shared)
      throw Error(Code::corrupt, "batch mismatch: batch size " + to_string(batch) + ", but component " +
                                     std::to_string(i) + " has shape " + to_string(sizes(i)))
          .hint("the first dims of all components must equal the batch size behind its first dim");
    if (__builtin_add_overflow(total, component_bytes(sizes(i), itemsize), &total))
      throw Error(Code::corrupt, "the components are too large");
  }
  if (total > 0) {
    elements = bytes(".memmap", total);
    if (!elements.data) return {};
  }

  std::vector<at::Tensor> components;
  char* next = elements.data;
  for (int64_t i = 0; i < count; ++i) {
    at::Tensor t = from_memory(next, table.dtype, sizes(i), {}, elements.owner, access);
    if (t.numel() > 0) next += static_cast<size_t>(t.numel()) * itemsize;
    components.push_back(std::move(t));
  }
  ComponentType type{table.dtype, Dims(shared.begin(), shared.end()), nullopt};
  type.sizes.resize(static_cast<size_t>(dims), 0);
  return Entry(nested_node(components, type, batch, parent.device(), parent.is_memmap()));
}

NodePtr nested_node(const std::vector<at::Tensor>& components, const ComponentType& type, at::IntArrayRef batch,
                    const optional<c10::Device>& device, bool memmap) {
  at::IntArrayRef shared = batch.empty() ? batch : batch.slice(1);
  Nodes members;
  for (const at::Tensor& t : components) {
    NodePtr member = TensorDict::make(shared, device);
    if (memmap) member->mark_memmap();
    member->put(Key(component_key), Entry(t));
    members.push_back(std::move(member));
  }
  NodePtr stack = LazyStack::make(std::move(members), 0, shared);
  stack->adopt_python_class(nested_class(type));
  return stack;
}

optional<NestedParts> nested_parts(const Node& node) {
  optional<ComponentType> type = node.member_dim() == 0 ? component_type(node) : nullopt;
  if (!type) return nullopt;
  NestedParts parts{{}, std::move(*type)};
  for (const NodePtr& m : all_members(node)) {
    Entry e = m->count() == 1 ? m->find(Key(component_key)) : Entry();
    if (!e.is_tensor()) return nullopt;
    const at::Tensor& t = e.tensor();
    if (t.layout() != at::kStrided || t.sizes().size() != parts.type.sizes.size() ||
        t.scalar_type() != parts.type.dtype)
      return nullopt;
    parts.components.push_back(t);
  }
  at::IntArrayRef shared = node.batch_size().slice(1), sizes = parts.type.sizes;
  bool fits = sizes.size() >= shared.size() && (!parts.components.empty() || sizes.slice(0, shared.size()) == shared);
  return fits ? optional<NestedParts>(std::move(parts)) : nullopt;
}

at::Tensor size_table(const NestedParts& parts) {
  auto rows = static_cast<int64_t>(parts.components.size()), dims = static_cast<int64_t>(parts.type.sizes.size());
  at::Tensor table = at::empty({rows, dims}, at::TensorOptions(at::kLong));
  auto* cell = static_cast<int64_t*>(const_cast<void*>(data(table)));
  for (const at::Tensor& t : parts.components)
    for (int64_t size : t.sizes()) *cell++ = size;
  return table;
}

}  // namespace td::storage
