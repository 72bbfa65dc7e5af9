#include "core/group/channel/channels.h"

#include "capi/convert.h"
#include "capi/shared/waits.h"
#include "core/shm/channel.h"
#include "core/shm/message.h"

using namespace td;
using namespace td::capi;

namespace {

uint32_t roles_of(td_channel_role roles) {
  if (roles == TD_CHANNEL_ROLE_OBSERVES) return 0;
  if (roles < 1 || roles > (TD_CHANNEL_ROLE_PRODUCES | TD_CHANNEL_ROLE_CONSUMES))
    throw Error(Code::argument, "unknown roles " + std::to_string(roles))
        .hint("give TD_CHANNEL_ROLE_PRODUCES, TD_CHANNEL_ROLE_CONSUMES or both, or TD_CHANNEL_ROLE_OBSERVES alone");
  return static_cast<uint32_t>(roles);
}

uint32_t option(const char* name, int32_t value) {
  if (value < 0) throw Error(Code::argument, std::string("the option ") + name + " is " + std::to_string(value));
  return static_cast<uint32_t>(value);
}

shm::ChannelFacts facts_of(const td_channel_options& o) {
  shm::ChannelFacts f;
  f.rules = {static_cast<shm::ChannelMode>(option("mode", o.mode)),
             static_cast<shm::Overflow>(option("overflow", o.overflow)), option("slots", or_default(o.slots, 8)),
             option("members", or_default(o.members, 32)), option("deliveries", o.deliveries)};
  f.max_held = option("max_held", o.max_held);
  f.keep = o.keep != 0;
  return f;
}

}  // namespace

td_status td_channel_create(td_str name, const td_dict* schema, const td_channel_options* given, td_channel** result,
                            td_error** err) noexcept {
  return guard(err, [&] {
    td_channel*& slot = out(result);
    td_channel_options o = options(given);
    slot = own<td_channel>(create_channel(
        text(name, "name"), ref(schema),
        {facts_of(o), roles_of(or_default<int32_t>(o.roles, TD_CHANNEL_ROLE_PRODUCES)), o.replace_dead != 0}));
  });
}

td_status td_channel_open(td_str name, td_channel_role roles, const td_channel_open_options* given, td_channel** result,
                          td_error** err) noexcept {
  return guard(err, [&] {
    td_channel*& slot = out(result);
    td_channel_open_options o = options(given);
    slot = own<td_channel>(open_channel(text(name, "name"), roles_of(roles), {o.timeout_ms, flag_of(o.cancel)}));
  });
}

td_status td_channel_acquire(td_channel* self, int64_t timeout_ms, const td_cancel* cancel, td_message** result,
                             td_error** err) noexcept {
  return guard(err, [&] {
    td_message*& slot = out(result);
    slot = own<td_message>(ref(self).acquire(timeout_ms, cancel ? &ref(cancel) : nullptr));
  });
}

td_status td_channel_take(td_channel* self, int64_t timeout_ms, const td_cancel* cancel, td_message** result,
                          td_error** err) noexcept {
  return guard(err, [&] {
    td_message*& slot = out(result);
    slot = own<td_message>(ref(self).take(timeout_ms, cancel ? &ref(cancel) : nullptr));
  });
}

td_status td_channel_descriptor(td_channel* self, td_channel_role role, int32_t* out_fd, td_error** err) noexcept {
  return guard(err, [&] {
    int32_t& fd = out(out_fd);
    if (role != TD_CHANNEL_ROLE_PRODUCES && role != TD_CHANNEL_ROLE_CONSUMES)
      throw Error(Code::argument, "a descriptor serves one role, not the roles " + std::to_string(role))
          .hint("give TD_CHANNEL_ROLE_PRODUCES or TD_CHANNEL_ROLE_CONSUMES");
    fd = ref(self).descriptor(role == TD_CHANNEL_ROLE_CONSUMES ? shm::consumes : shm::produces);
  });
}

td_status td_channel_close(td_channel* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).close(); });
}

td_status td_channel_sweep(td_channel* self, int32_t* out_dead, td_error** err) noexcept {
  return guard(err, [&] {
    int32_t& dead = out(out_dead);
    dead = static_cast<int32_t>(ref(self).sweep());
  });
}

td_status td_channel_stats(const td_channel* self, td_channel_statistics* result, td_error** err) noexcept {
  return guard(err, [&] {
    ChannelStats s = ref(self).stats();
    auto n = [](uint64_t count) { return static_cast<int64_t>(count); };
    auto i = [](uint32_t count) { return static_cast<int32_t>(count); };
    td_channel_statistics all = {sizeof all,   n(s.published), n(s.dropped),   n(s.redelivered), n(s.dead_letters),
                                 n(s.aborted), n(s.swept),     i(s.slots),     i(s.free),        i(s.writing),
                                 i(s.ready),   i(s.reading),   i(s.producers), i(s.consumers),   i(s.state),
                                 s.oldest_ms,  s.oldest_pid};
    report(result, all);
  });
}

td_status td_channel_dump(const td_channel* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).dump()); });
}

td_status td_channel_get_options(const td_channel* self, td_channel_options* result, td_error** err) noexcept {
  return guard(err, [&] {
    const Channel& channel = ref(self);
    const shm::ChannelFacts& f = channel.facts();
    td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
    o.mode = static_cast<td_channel_mode>(f.rules.mode);
    o.overflow = static_cast<td_channel_overflow>(f.rules.overflow);
    o.roles =
        channel.roles() ? static_cast<td_channel_role>(channel.roles()) : td_channel_role{TD_CHANNEL_ROLE_OBSERVES};
    o.slots = static_cast<int32_t>(f.rules.slots);
    o.members = static_cast<int32_t>(f.rules.members);
    o.deliveries = static_cast<int32_t>(f.rules.deliveries);
    o.max_held = static_cast<int32_t>(f.max_held);
    o.keep = f.keep;
    report(result, o);
  });
}

td_status td_channel_schema(const td_channel* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    slot = own<td_dict>(ref(self).schema());
  });
}

td_str td_channel_path(const td_channel* self) noexcept {
  if (!self) return {"", 0};
  return guard_value<td_str>({"", 0}, [&] { return view(ref(self).path()); });
}

int64_t td_channel_nbytes(const td_channel* self) noexcept {
  if (!self) return 0;
  return guard_value<int64_t>(0, [&] { return ref(self).nbytes(); });
}

td_status td_channel_unlink(td_str name, td_error** err) noexcept {
  return guard(err, [&] { unlink_channel(text(name, "name")); });
}

void td_channel_retain(const td_channel* self) noexcept {
  retain(self);
}
void td_channel_release(const td_channel* self) noexcept {
  release(self);
}

td_status td_message_dict(const td_message* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    slot = own<td_dict>(ref(self).dict());
  });
}

td_status td_message_clone(const td_message* self, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_dict*& slot = out(result);
    slot = own<td_dict>(ref(self).clone());
  });
}

int64_t td_message_open_views(const td_message* self) noexcept {
  if (!self) return 0;
  return guard_value<int64_t>(0, [&] { return ref(self).open_views(); });
}

td_status td_message_publish(td_message* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).publish(); });
}

int64_t td_message_number(const td_message* self) noexcept {
  if (!self) return -1;
  return guard_value<int64_t>(-1, [&] { return static_cast<int64_t>(ref(self).number()); });
}

int32_t td_message_delivery(const td_message* self) noexcept {
  if (!self) return 0;
  return guard_value<int32_t>(0, [&] { return static_cast<int32_t>(ref(self).delivery()); });
}

int64_t td_message_lag(const td_message* self) noexcept {
  if (!self) return 0;
  return guard_value<int64_t>(0, [&] { return static_cast<int64_t>(ref(self).lag()); });
}

void td_message_retain(const td_message* self) noexcept {
  retain(self);
}
void td_message_release(const td_message* self) noexcept {
  release(self);
}
