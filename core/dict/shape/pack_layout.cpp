#include "core/dict/shape/pack_layout.h"

#include <algorithm>
#include <set>

#include "core/dict/data/value_text.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

constexpr size_t max_rank = 62;  // LibTorch takes 64, and a batch dim is added

std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items) out += (out.size() > 1 ? ", " : "") + item;
  return out + (items.size() == 1 ? ",)" : ")");
}

std::string torch_size(at::IntArrayRef sizes) {
  return "torch.Size(" + to_string(sizes) + ")";
}

bool same_path(const Path& a, const Path& b) {
  return a.size() == b.size() && std::equal(a.view().begin(), a.view().end(), b.view().begin());
}

std::string class_of(const std::shared_ptr<const PythonClass>& c) {
  return c ? c->name : std::string();
}

std::string class_text(const std::shared_ptr<const PythonClass>& c) {
  return c ? "<class '" + c->name + "'>" : "None";
}

std::string key_text(const Path& path) {
  std::vector<std::string> parts;
  for (const Key& k : path.keys()) {
    Value v;
    v.kind = Value::Kind::text;
    v.text = k.text();
    parts.push_back(python_text(v, true));
  }
  return parts.size() == 1 ? parts[0] : tuple(parts);
}

std::string device_text(const optional<c10::Device>& device) {
  if (!device) return "None";
  std::string name = device->str(), type = name.substr(0, name.find(':'));
  return "device(type='" + type + "'" + (device->has_index() ? ", index=" + std::to_string(device->index()) : "") + ")";
}

Dims extended(at::IntArrayRef batch, at::IntArrayRef more) {
  Dims out(batch.begin(), batch.end());
  out.append(more.begin(), more.end());
  return out;
}

}  // namespace

size_t packed_dim(int64_t dim, size_t rank) {
  auto n = static_cast<int64_t>(rank);
  if (dim < -n || dim >= n)
    throw Error(Code::index, "dim " + std::to_string(dim) + " is out of range for a packed tensor of " +
                                 std::to_string(n) + " dims");
  return static_cast<size_t>(dim < 0 ? dim + n : dim);
}

PackLayout::PackLayout(std::vector<Column> columns, std::vector<Nested> nested, int64_t dim, Root root)
    : columns_(std::move(columns)), nested_(std::move(nested)), dim_(dim), root_(std::move(root)) {
  for (Column& c : columns_) {
    c.offset = numel_;
    c.width = checked_numel(c.shape, 1);
    if (__builtin_add_overflow(numel_, c.width, &numel_))
      throw Error(Code::shape, "the size of the packed dim does not fit 64 bits");
  }
}

bool PackLayout::same_as(const PackLayout& other) const {
  return dim_ == other.dim_ && root_.device == other.root_.device &&
         class_of(root_.python_class) == class_of(other.root_.python_class) &&
         std::equal(columns_.begin(), columns_.end(), other.columns_.begin(), other.columns_.end(),
                    [](const Column& a, const Column& b) { return same_path(a.path, b.path) && a.shape == b.shape; }) &&
         std::equal(nested_.begin(), nested_.end(), other.nested_.begin(), other.nested_.end(),
                    [](const Nested& a, const Nested& b) {
                      return same_path(a.path, b.path) && a.batch == b.batch &&
                             class_of(a.python_class) == class_of(b.python_class);
                    });
}

NodePtr PackLayout::unpack(const at::Tensor& flat) const {
  size_t place = packed_dim(dim_, static_cast<size_t>(flat.dim()));
  if (flat.size(static_cast<int64_t>(place)) != numel_)
    throw Error(Code::shape, "the layout has " + std::to_string(numel_) + " columns, but the tensor has " +
                                 std::to_string(flat.size(static_cast<int64_t>(place))) + " along dim " +
                                 std::to_string(dim_));
  at::Tensor last = flat.movedim(static_cast<int64_t>(place), -1);
  Dims batch(last.sizes().begin(), last.sizes().end() - 1);
  optional<c10::Device> device = root_.device ? optional<c10::Device>(flat.device()) : nullopt;
  NodePtr out = TensorDict::make(batch, device);
  if (root_.python_class) out->adopt_python_class(root_.python_class);
  for (const Nested& n : nested_) {
    NodePtr below = TensorDict::make(extended(batch, n.batch), device);
    if (n.python_class) below->adopt_python_class(n.python_class);
    out->set(n.path, std::move(below));
  }
  for (const Column& c : columns_)
    out->set(c.path, last.narrow(-1, c.offset, c.width).reshape(extended(batch, c.shape)));
  return out;
}

std::string PackLayout::repr() const {
  std::vector<std::string> keys, shapes, nodes, offsets;
  for (const Column& c : columns_) {
    keys.push_back(key_text(c.path));
    shapes.push_back(torch_size(c.shape));
    offsets.push_back(std::to_string(c.offset));
  }
  for (const Nested& n : nested_)
    nodes.push_back(tuple({key_text(n.path), torch_size(n.batch), class_text(n.python_class)}));
  return "PackLayout(keys=" + tuple(keys) + ", shapes=" + tuple(shapes) + ", dim=" + std::to_string(dim_) +
         ", nested=" + tuple(nodes) + ", device=" + device_text(root_.device) +
         ", cls=" + class_text(root_.python_class) + ", offsets=" + tuple(offsets) +
         ", numel=" + std::to_string(numel_) + ")";
}

PackLayoutPtr checked_layout(std::vector<PackLayout::Column> columns, std::vector<PackLayout::Nested> nested,
                             int64_t dim, PackLayout::Root root) {
  std::set<std::string> taken;
  auto take = [&](const Path& path) {
    if (!taken.insert(to_string(path)).second)
      throw Error(Code::exists, "the layout has the key twice").key(to_string(path));
  };
  for (const auto& n : nested) take(n.path);
  for (const auto& c : columns) take(c.path);
  auto made = c10::make_intrusive<PackLayout>(std::move(columns), std::move(nested), dim, std::move(root));
  // A tensor without elements shows whether keys run through others.
  size_t rank = dim < 0 ? static_cast<size_t>(-(dim + 1)) + 1 : static_cast<size_t>(dim) + 1;
  if (rank > max_rank) throw Error(Code::index, "the packed dim is beyond " + std::to_string(max_rank) + " dims");
  Dims sizes(rank + 1, 0);
  sizes[packed_dim(dim, rank + 1)] = made->numel();
  made->unpack(at::empty(sizes, at::TensorOptions(at::kBool)));
  return made;
}

}  // namespace td
