// Dicts as text, and back.
#include "capi/convert.h"
#include "core/tensor/memory.h"
#include "core/text/compact_repr.h"
#include "core/text/from_repr.h"
#include "core/text/repr.h"

using namespace td::capi;

namespace {

td::ReprOptions repr_options(uint64_t flags) {
  constexpr uint64_t known = (uint64_t{TD_REPR_NO_FIELDS} << 1) - 1, fields = uint64_t{TD_REPR_PLAIN} * 2 - 1;
  if (flags & ~known) throw td::Error(td::Code::argument, "unknown flags of a repr");
  if ((flags & TD_REPR_NO_FIELDS) && (flags & fields))
    throw td::Error(td::Code::argument, "a repr without fields cannot show a field");
  auto has = [&](uint64_t flag) { return (flags & flag) != 0; };
  td::ReprOptions o;
  o.batch_size = has(TD_REPR_BATCH_SIZE);
  o.device = has(TD_REPR_DEVICE);
  o.is_shared = has(TD_REPR_IS_SHARED);
  o.shape = has(TD_REPR_SHAPE);
  o.field_device = has(TD_REPR_FIELD_DEVICE);
  o.dtype = has(TD_REPR_DTYPE);
  o.field_is_shared = has(TD_REPR_FIELD_IS_SHARED);
  o.grad = has(TD_REPR_GRAD);
  o.is_contiguous = has(TD_REPR_IS_CONTIGUOUS);
  o.is_view = has(TD_REPR_IS_VIEW);
  o.storage_size = has(TD_REPR_STORAGE_SIZE);
  o.plain = has(TD_REPR_PLAIN);
  o.sorted = !has(TD_REPR_UNSORTED);
  return o;
}

}  // namespace

td_status td_dict_repr(const td_dict* self, uint64_t flags, td_string** out_text, td_error** err) noexcept {
  return guard(err, [&] {
    td::ReprOptions o = repr_options(flags ? flags : uint64_t{TD_REPR_DEFAULT});
    give(out_text, flags & TD_REPR_COMPACT ? td::compact_repr(ref(self), o) : td::repr(ref(self), o));
  });
}

td_status td_dict_parse(td_str source, const td_parse_options* given_options, td_dict** out_dict,
                        td_error** err) noexcept {
  return guard(err, [&] {
    td_parse_options o = options(given_options);
    td::optional<c10::Device> device;
    if (given(o.device)) device = td::parse_device(std::string(text(o.device, "device")));
    give(out_dict, td::from_repr(text(source, "text"), device));
  });
}
