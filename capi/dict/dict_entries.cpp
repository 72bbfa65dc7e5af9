// Entries of any kind: one under a key, and all of a dict in one call.
#include "capi/convert.h"
#include "core/dict/data/data.h"
#include "core/tensor/unmap.h"

using namespace td::capi;

namespace {

td_entry_kind kind_of(const td::Entry& e) {
  constexpr td_entry_kind kinds[] = {TD_ENTRY_NONE, TD_ENTRY_TENSOR, TD_ENTRY_DICT, TD_ENTRY_DATA};
  return kinds[static_cast<size_t>(e.kind())];
}

td_entry borrowed(const td::Entry& e) {
  td_entry out = {kind_of(e), 0, nullptr, nullptr, nullptr};
  if (e.is_tensor()) out.tensor = reinterpret_cast<td_tensor*>(e.tensor().unsafeGetTensorImpl());
  if (e.is_node()) out.dict = reinterpret_cast<td_dict*>(e.node().get());
  if (e.is_data()) out.data = reinterpret_cast<td_data_list*>(e.data().get());
  return out;
}

td_entry owned(td::Entry e) {
  td_entry out = {kind_of(e), 0, nullptr, nullptr, nullptr};
  if (e.is_tensor()) out.tensor = own(e.take_tensor());
  if (e.is_node()) out.dict = own<td_dict>(e.take_node());
  if (e.is_data()) out.data = own<td_data_list>(e.data());
  return out;
}

}  // namespace

td_status td_dict_lookup(const td_dict* self, const td_key* key, td_entry* out_entry, td_error** err) noexcept {
  return guard_look(err, [&] {
    td_entry& entry = out(out_entry);
    entry = owned(ref(self).lookup(KeyArg(key)));
  });
}

void td_entry_clear(td_entry* self) noexcept {
  if (!self) return;
  td_tensor_release(self->tensor);
  td_dict_release(self->dict);
  td_data_list_release(self->data);
  *self = {TD_ENTRY_NONE, 0, nullptr, nullptr, nullptr};
}

td_status td_dict_entries(const td_dict* self, uint64_t flags, td_entries** out_entries, td_error** err) noexcept {
  return guard(err, [&] {
    td::KeyedEntries all = td::keyed_entries(ref(self), key_choice(flags));
    auto list = c10::make_intrusive<EntryList>();
    list->keys = keys_of(std::move(all.keys));
    list->held = std::move(all.entries);
    list->entries.reserve(list->held.size());
    for (const td::Entry& e : list->held) list->entries.push_back(borrowed(e));
    give(out_entries, std::move(list));
  });
}

td_status td_entries_view(const td_entries* self, const td_key** out_keys_view, const td_entry** out_entries_view,
                          size_t* out_size, td_error** err) noexcept {
  return guard_look(err, [&] {
    const EntryList& list = ref(self);
    out(out_size) = list.held.size();
    if (out_keys_view) *out_keys_view = list.keys->keys.data();
    if (out_entries_view) *out_entries_view = list.entries.data();
  });
}

void td_entries_retain(const td_entries* self) noexcept {
  retain(self);
}
void td_entries_release(const td_entries* self) noexcept {
  td::UnmapTogether leaves;
  release(self);
}
