#include "core/storage/nested.h"

#include "core/dict/lazy_stack.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
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
  if (table.sizes.size() != 2)
    throw Error(Code::corrupt, "the shape " + to_string(table.sizes) + " of a nested tensor is not [components, dims]");
  int64_t count = table.sizes[0], dims = table.sizes[1];
  if (dims > 64) throw Error(Code::corrupt, "the components have more than 64 dims");
  check_batch({count}, parent.batch_size());
  constexpr int64_t most_components = int64_t{1} << 24;
  if (count > most_components)
    throw Error(Code::corrupt, "a nested tensor of " + std::to_string(count) + " components");

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
  for (int64_t i = 0; i < count; ++i)
    if (__builtin_add_overflow(total, component_bytes(sizes(i), itemsize), &total))
      throw Error(Code::corrupt, "the components are too large");
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
  return Entry(nested_node(components, parent.device(), parent.is_memmap()));
}

NodePtr nested_node(const std::vector<at::Tensor>& components, const optional<c10::Device>& device, bool memmap) {
  Nodes members;
  for (const at::Tensor& t : components) {
    NodePtr member = TensorDict::make({}, device);
    if (memmap) member->mark_memmap();
    member->put(component_key, Entry(t));
    members.push_back(std::move(member));
  }
  NodePtr stack = LazyStack::make(std::move(members), 0);
  static const auto nested_class = std::make_shared<const PythonClass>(PythonClass{nested_tensor, "", ""});
  stack->adopt_python_class(nested_class);
  return stack;
}

optional<NestedParts> nested_parts(const Node& node) {
  const LazyStack* stack = node.lazy();
  if (!stack || !node.python_class() || node.python_class()->name != nested_tensor) return nullopt;
  if (stack->batch_dims() != 1 || stack->members().empty()) return nullopt;
  NestedParts parts;
  for (const NodePtr& m : stack->members()) {
    Entry e = m->count() == 1 ? m->find(Key(component_key)) : Entry();
    if (!e.is_tensor()) return nullopt;
    const at::Tensor &t = e.tensor(), &first = parts.components.empty() ? t : parts.components[0];
    if (t.layout() != at::kStrided || t.dim() != first.dim() || t.scalar_type() != first.scalar_type()) return nullopt;
    parts.components.push_back(t);
  }
  int64_t dims = parts.components[0].dim();
  parts.table = at::empty({static_cast<int64_t>(parts.components.size()), dims}, at::TensorOptions(at::kLong));
  auto* cell = static_cast<int64_t*>(const_cast<void*>(data(parts.table)));
  for (const at::Tensor& t : parts.components)
    for (int64_t size : t.sizes()) *cell++ = size;
  return parts;
}

}  // namespace td::storage
