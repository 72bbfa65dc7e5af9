#include "core/query/query.h"

#include "capi/convert.h"
#include "capi/guard.h"

using namespace td::capi;

td_status td_query_new(const td_key* in_keys, size_t n, const td_query_options* given_options, td_query** result,
                       td_error** err) noexcept {
  return guard(err, [&] {
    td_query_options o = options(given_options, td_query_options TD_QUERY_OPTIONS_INIT);
    td::Query::Options made;
    if (o.index_key) made.index_key = paths(o.index_key, 1, "index_key").front();
    if (o.hash_key) made.hash_key = paths(o.hash_key, 1, "hash_key").front();
    if (given(o.hash_type)) made.hash_type = text(o.hash_type, "hash_type");
    if (given(o.hash_config)) made.hash_config = text(o.hash_config, "hash_config");
    give(result, c10::make_intrusive<td::Query>(paths(in_keys, n, "in_keys"), std::move(made)));
  });
}

td_status td_query_forward(td_query* self, td_dict* data, uint64_t flags, td_error** err) noexcept {
  return guard(err, [&] {
    if (flags & ~uint64_t{TD_QUERY_DEFAULT}) throw td::Error(td::Code::argument, "unknown query flags");
    ref(self).forward(ref(data), flags & TD_QUERY_EXTEND, flags & TD_QUERY_WRITE_HASH);
  });
}

int64_t td_query_size(const td_query* self) noexcept {
  return guard_value(int64_t{0}, [&] { return static_cast<int64_t>(ref(self).size()); });
}

void td_query_retain(const td_query* self) noexcept {
  retain(self);
}
void td_query_release(const td_query* self) noexcept {
  release(self);
}
