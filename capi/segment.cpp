#include "core/shm/segment.h"

#include "capi/convert.h"

using namespace td;
using namespace td::capi;

td_status td_segment_create(td_str name, const td_dict* dict, const td_segment_options* given, td_segment** result,
                            td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    td_segment_options o = options(given, td_segment_options TD_SEGMENT_OPTIONS_INIT);
    slot = own<td_segment>(Segment::create(text(name, "name"), ref(dict), o.keep != 0));
  });
}

td_status td_segment_open(td_str name, td_segment** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    slot = own<td_segment>(Segment::open(text(name, "name")));
  });
}

td_status td_segment_dict(const td_segment* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    slot = own<td_dict>(ref(self).dict());
  });
}

td_status td_segment_update(td_segment* self, const td_dict* src, td_error** err) noexcept {
  return guard(err, [&] { ref(self).update(ref(src)); });
}

uint64_t td_segment_version(const td_segment* self) noexcept {
  return guard_value<uint64_t>(0, [&] { return ref(self).version(); });
}

td_str td_segment_path(const td_segment* self) noexcept {
  return guard_value<td_str>({nullptr, 0}, [&] { return view(ref(self).path()); });
}

int64_t td_segment_nbytes(const td_segment* self) noexcept {
  return guard_value<int64_t>(0, [&] { return ref(self).nbytes(); });
}

td_status td_segment_unlink(td_str name, td_error** err) noexcept {
  return guard(err, [&] { Segment::unlink(text(name, "name")); });
}

void td_segment_retain(const td_segment* self) noexcept {
  retain(self);
}
void td_segment_release(const td_segment* self) noexcept {
  release(self);
}
