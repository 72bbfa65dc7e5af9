#include "core/shm/segment.h"

#include "capi/convert.h"
#include "capi/shared/waits.h"
#include "core/census.h"

using namespace td;
using namespace td::capi;

td_status td_segment_create(td_str name, const td_dict* dict, const td_segment_options* given, td_segment** result,
                            td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    td_segment_options o = options(given);
    if (o.snapshots < 0) throw Error(Code::argument, "the number of snapshots is " + std::to_string(o.snapshots));
    Segment::Options chosen;
    chosen.keep = o.keep != 0;
    chosen.snapshots = static_cast<unsigned>(o.snapshots);
    chosen.large_pages = o.large_pages != 0;
    chosen.replace_dead = o.replace_dead != 0;
    slot = own<td_segment>(Segment::create(text(name, "name"), ref(dict), chosen));
  });
}

td_status td_segment_open(td_str name, const td_segment_open_options* given, td_segment** result,
                          td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    td_segment_open_options o = options(given);
    slot = own<td_segment>(
        Segment::open(text(name, "name"), {o.populate != 0, o.large_pages != 0, {o.timeout_ms, flag_of(o.cancel)}}));
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

td_status td_segment_snapshot(const td_segment* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    slot = own<td_dict>(ref(self).snapshot());
  });
}

td_status td_segment_export(const td_dict* dict, int32_t* out_fd, td_error** err) noexcept {
  return guard(err, [&] {
    int32_t& fd = out(out_fd);
    fd = Segment::export_memory(ref(dict)).release();
  });
}

td_status td_segment_import(int32_t fd, td_segment** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    slot = own<td_segment>(Segment::import_memory(fd));
  });
}

td_status td_segment_send(const td_dict* dict, int32_t socket, td_error** err) noexcept {
  return guard(err, [&] { Segment::send(ref(dict), socket); });
}

td_status td_segment_receive(int32_t socket, int64_t timeout_ms, td_segment** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_segment*& slot = out(result);
    slot = own<td_segment>(Segment::receive(socket, timeout_ms));
  });
}

td_status td_segment_list(td_str prefix, td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, list_shared(text(prefix, "prefix"))); });
}

td_status td_segment_prune(td_str prefix, int64_t* out_removed, td_error** err) noexcept {
  return guard(err, [&] {
    int64_t& removed = out(out_removed);
    removed = prune_shared(text(prefix, "prefix"));
  });
}

uint64_t td_segment_version(const td_segment* self) noexcept {
  return self ? guard_value<uint64_t>(0, [&] { return ref(self).version(); }) : 0;
}

td_status td_segment_wait(const td_segment* self, uint64_t seen, int64_t timeout_ms, const td_cancel* cancel,
                          uint64_t* out_version, td_error** err) noexcept {
  return guard(err, [&] {
    uint64_t& version = out(out_version);
    version = ref(self).wait(seen, timeout_ms, flag_of(cancel));
  });
}

td_str td_segment_path(const td_segment* self) noexcept {
  if (!self) return {"", 0};
  return guard_value<td_str>({"", 0}, [&] { return view(ref(self).path()); });
}

int64_t td_segment_nbytes(const td_segment* self) noexcept {
  if (!self) return 0;
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
