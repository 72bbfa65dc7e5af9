// Joining dicts: cat, stack into what exists, padding.
#include "capi/convert.h"
#include "capi/value.h"
#include "core/dict/shape/cat.h"
#include "core/dict/shape/pad.h"
#include "core/dict/shape/unpad.h"

using namespace td::capi;

namespace {

std::vector<const td::Node*> nodes(const td_dict* const* dicts, size_t n) {
  if (n > 0 && !dicts) throw_null("dicts");
  std::vector<const td::Node*> out;
  for (size_t i = 0; i < n; ++i) out.push_back(&ref(dicts[i]));
  return out;
}

td::PadSequenceOptions pad_sequence_options(const td_pad_sequence_options* given) {
  td_pad_sequence_options o = options(given);
  td::PadSequenceOptions core;
  core.pad_dim = o.pad_dim;
  if (o.value) core.value = number(o.value, "value");
  core.left = o.left;
  if (o.mask_key) core.mask_key = td::Path(KeyArg(o.mask_key));
  if (o.n_values > 0 && !o.values) throw_null("values");
  for (size_t i = 0; i < o.n_values; ++i)
    core.values.emplace_back(td::Path(KeyArg(o.values[i].key)), number(&o.values[i].value, "value"));
  return core;
}

td::UnpadOptions unpad_options(const td_unpad_sequence_options* given) {
  td_unpad_sequence_options o = options(given);
  if ((o.mask_key != nullptr) + (o.masks != nullptr) + (o.mask != nullptr) > 1)
    throw td::Error(td::Code::argument, "more than one of mask_key, masks and mask is set")
        .hint("set only one of them");
  td::UnpadOptions core;
  core.pad_dim = o.pad_dim;
  core.mask_key = o.mask_key ? td::Path(KeyArg(o.mask_key)) : td::Path({"masks"});
  if (o.masks) core.masks = &ref(o.masks);
  if (o.mask) core.mask = tensor(o.mask);
  return core;
}

}  // namespace

td_status td_dict_cat(const td_dict* const* dicts, size_t n, int64_t dim, td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::cat(nodes(dicts, n), dim)); });
}

td_status td_dict_cat_into(const td_dict* const* dicts, size_t n, int64_t dim, td_dict* target,
                           td_error** err) noexcept {
  return guard(err, [&] { td::cat_into(nodes(dicts, n), dim, ref(target)); });
}

td_status td_dict_stack_into(const td_dict* const* dicts, size_t n, int64_t dim, td_dict* target,
                             td_error** err) noexcept {
  return guard(err, [&] { td::stack_into(nodes(dicts, n), dim, ref(target)); });
}

td_status td_dict_pad(const td_dict* self, const int64_t* pairs, size_t n, const td_value* value, td_dict** out_dict,
                      td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::pad(ref(self), dims(pairs, n), number(value, "value"))); });
}

td_status td_dict_pad_sequence(const td_dict* const* dicts, size_t n, const td_pad_sequence_options* given,
                               td_dict** out_dict, td_error** err) noexcept {
  return guard(err, [&] { give(out_dict, td::pad_sequence(nodes(dicts, n), pad_sequence_options(given))); });
}

td_status td_dict_unpad_sequence(const td_dict* self, const td_unpad_sequence_options* given, td_dict** out_dict,
                                 td_error** err) noexcept {
  return guard(err, [&] {
    out(out_dict);
    give(out_dict, td::unpad_sequence(ref(self), unpad_options(given)));
  });
}
