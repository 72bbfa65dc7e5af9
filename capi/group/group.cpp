#include "core/group/group.h"

#include "capi/convert.h"
#include "capi/group/transfer.h"
#include "capi/shared/waits.h"

using namespace td;
using namespace td::capi;

namespace {

std::string text_or_none(td_str s, const char* what) {
  return given(s) ? std::string(text(s, what)) : std::string();
}

group::Options group_options(td_str store, const td_group_options& o) {
  group::Options g;
  g.store = std::string(text(store, "store"));
  g.prefix = text_or_none(o.prefix, "prefix");
  g.address = text_or_none(o.address, "address");
  g.timeout_ms = or_default<int64_t>(o.timeout_ms, 300000);
  g.rank = o.rank;
  g.size = o.size;
  g.serve = o.serve != 0;
  g.serve_everywhere = o.serve_everywhere != 0;
  return g;
}

}  // namespace

td_status td_group_open(td_str store, const td_group_options* given, td_group** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_group*& slot = out(result);
    slot = own<td_group>(Group::open(group_options(store, options(given))));
  });
}

td_status td_group_adopt(td_str name, td_bool beside_stock, td_group** result, td_error** err) noexcept {
  return guard(err, [&] {
    td_group*& slot = out(result);
    slot = own<td_group>(Group::adopt(std::string(text(name, "name")), beside_stock != 0));
  });
}

int32_t td_group_rank(const td_group* self) noexcept {
  return self ? ref(self).rank() : -1;
}

size_t td_group_size(const td_group* self) noexcept {
  return self ? static_cast<size_t>(ref(self).size()) : 0;
}

td_status td_group_barrier(const td_group* self, td_error** err) noexcept {
  return guard(err, [&] { ref(self).barrier(); });
}

td_status td_group_set(const td_group* self, td_str key, td_str value, td_error** err) noexcept {
  return guard(err, [&] { ref(self).set(std::string(text(key, "key")), std::string(text(value, "value"))); });
}

td_status td_group_get(const td_group* self, td_str key, int64_t timeout_ms, const td_cancel* cancel,
                       td_string** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, ref(self).get(std::string(text(key, "key")), timeout_ms, flag_of(cancel)));
  });
}

td_status td_group_add(const td_group* self, td_str key, int64_t n, int64_t* result, td_error** err) noexcept {
  return guard(err, [&] {
    int64_t& sum = out(result);
    sum = ref(self).add(std::string(text(key, "key")), n);
  });
}

td_status td_group_remove(const td_group* self, td_str key, td_bool* out_removed, td_error** err) noexcept {
  return guard(err, [&] {
    td_bool& removed = out(out_removed);
    removed = ref(self).remove(std::string(text(key, "key")));
  });
}

td_status td_dict_send(const td_dict* self, const td_group* group, int32_t dst, const td_transfer_options* given,
                       td_error** err) noexcept {
  return guard(err, [&] { ref(group).send(ref(self), dst, transfer(given)); });
}

td_status td_dict_recv(td_dict* self, const td_group* group, int32_t src, const td_transfer_options* given,
                       td_error** err) noexcept {
  return guard(err, [&] { ref(group).receive(ref(self), src, transfer(given)); });
}

td_status td_dict_init_remote(const td_dict* self, const td_group* group, int32_t dst, td_error** err) noexcept {
  return guard(err, [&] { ref(group).send_described(ref(self), dst); });
}

td_status td_dict_from_remote_init(const td_group* group, int32_t src, td_dict** result, td_error** err) noexcept {
  return guard(err, [&] {
    out(result);
    give(result, ref(group).receive_described(src));
  });
}

void td_group_retain(const td_group* self) noexcept {
  retain(self);
}
void td_group_release(const td_group* self) noexcept {
  release(self);
}
