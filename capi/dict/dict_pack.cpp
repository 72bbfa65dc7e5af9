// All tensors of a dict as one, and layouts that take them apart.
#include "core/dict/shape/pack.h"

#include "capi/convert.h"
#include "core/dict/shape/pack_layout.h"
#include "core/tensor/memory.h"

using namespace td::capi;

namespace {

std::vector<td::PackLayout::Column> columns_of(const td_pack_entry* entries, size_t n) {
  if (n > 0 && !entries) throw_null("columns");
  std::vector<td::PackLayout::Column> out;
  for (size_t i = 0; i < n; ++i) {
    at::IntArrayRef sizes = dims(entries[i].dims, entries[i].ndim);
    out.push_back({td::Path(KeyArg(entries[i].key)), {sizes.begin(), sizes.end()}});
  }
  return out;
}

std::vector<td::PackLayout::Nested> nested_of(const td_pack_entry* entries, size_t n) {
  if (n > 0 && !entries) throw_null("nested");
  std::vector<td::PackLayout::Nested> out;
  for (size_t i = 0; i < n; ++i) {
    at::IntArrayRef sizes = dims(entries[i].dims, entries[i].ndim);
    out.push_back({td::Path(KeyArg(entries[i].key)), {sizes.begin(), sizes.end()}, nullptr});
  }
  return out;
}

template <class Entry>
td_keys* keys_of(const std::vector<Entry>& entries) {
  std::vector<td::Path> paths;
  for (const Entry& e : entries) paths.push_back(e.path);
  return own_keys(std::move(paths));
}

}  // namespace

td_status td_dict_pack(const td_dict* self, int64_t dim, const td_pack_layout* layout, td_tensor** out_tensor,
                       td_pack_layout** out_layout, td_error** err) noexcept {
  return guard(err, [&] {
    td_tensor*& slot = out(out_tensor);
    td::Packed packed = td::pack(ref(self), dim, layout ? &ref(layout) : nullptr);
    slot = own(std::move(packed.flat));
    if (out_layout) *out_layout = own<td_pack_layout>(std::move(packed.layout));
  });
}

td_status td_pack_layout_new(const td_pack_entry* columns, size_t n_columns, const td_pack_entry* nested,
                             size_t n_nested, int64_t dim, td_str device, td_pack_layout** out_layout,
                             td_error** err) noexcept {
  return guard(err, [&] {
    td::PackLayout::Root root;
    if (given(device)) root.device = td::parse_device(std::string(text(device, "device")));
    give(out_layout, td::checked_layout(columns_of(columns, n_columns), nested_of(nested, n_nested), dim, root));
  });
}

td_status td_pack_layout_unpack(const td_pack_layout* self, const td_tensor* packed, td_dict** out_dict,
                                td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, ref(self).unpack(tensor(packed))); });
}

td_status td_pack_layout_keys(const td_pack_layout* self, td_keys** out_keys, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = keys_of(ref(self).columns());
  });
}

td_status td_pack_layout_nested(const td_pack_layout* self, td_keys** out_keys, td_error** err) noexcept {
  return guard(err, [&] {
    td_keys*& slot = out(out_keys);
    slot = keys_of(ref(self).nested());
  });
}

// The part at `index` of a list of a layout, or null.
template <class Part>
static const Part* part(const std::vector<Part>& parts, int64_t index) noexcept {
  const size_t i = place(index, parts.size());
  return i < parts.size() ? &parts[i] : nullptr;
}

size_t td_pack_layout_shape(const td_pack_layout* self, int64_t index, int64_t* out_sizes, size_t capacity) noexcept {
  const auto* column = self ? part(ref(self).columns(), index) : nullptr;
  return column ? fill(column->shape, out_sizes, capacity) : 0;
}

size_t td_pack_layout_nested_shape(const td_pack_layout* self, int64_t index, int64_t* out_sizes,
                                   size_t capacity) noexcept {
  const auto* nested = self ? part(ref(self).nested(), index) : nullptr;
  return nested ? fill(nested->batch, out_sizes, capacity) : 0;
}

int64_t td_pack_layout_offset(const td_pack_layout* self, int64_t index) noexcept {
  const auto* column = self ? part(ref(self).columns(), index) : nullptr;
  return column ? column->offset : -1;
}

int64_t td_pack_layout_numel(const td_pack_layout* self) noexcept {
  return self ? ref(self).numel() : 0;
}

int64_t td_pack_layout_dim(const td_pack_layout* self) noexcept {
  return self ? ref(self).dim() : 0;
}

td_str td_pack_layout_device(const td_pack_layout* self) noexcept {
  return self ? device_text(ref(self).root().device) : td_str{NULL, 0};
}

td_bool td_pack_layout_equal(const td_pack_layout* self, const td_pack_layout* other) noexcept {
  if (!self || !other) return self == other;
  return ref(self).same_as(ref(other));
}

td_status td_pack_layout_repr(const td_pack_layout* self, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] { give(out_text, ref(self).repr()); });
}

void td_pack_layout_retain(const td_pack_layout* self) noexcept {
  retain(self);
}
void td_pack_layout_release(const td_pack_layout* self) noexcept {
  release(self);
}
