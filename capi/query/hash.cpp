#include "capi/callback.h"
#include "core/query/hasher.h"

using namespace td::capi;

namespace {

std::string_view config_text(td_str config) {
  return given(config) ? text(config, "config") : std::string_view();
}

at::Tensor call_hash(const Owned<td_hash_function>& function, const at::Tensor& rows) {
  td_tensor* result = nullptr;
  function("a hash function", reinterpret_cast<const td_tensor*>(rows.unsafeGetTensorImpl()), &result);
  if (!result) throw td::Error(td::Code::callback, "a hash function returned success but no hashes");
  return adopt(result);
}

// A reader or a writer; its userdata stays the caller's. Throws Error(argument) without its function.
template <class S, class Fn>
S stream(const S* given_stream, Fn S::*function, const char* what) {
  if (!given_stream) throw_null(what);
  S known = options(given_stream);
  if (!(known.*function)) throw_null(what);
  return known;
}

}  // namespace

td_status td_hash_new(td_str type, td_str config, td_hash** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, td::make_hasher(text(type, "type"), config_text(config))); });
}

td_status td_hash_from_function(const td_hash_function* function, td_hash** result, td_error** err) noexcept {
  Owned<td_hash_function> owned(function, "function");
  return guard(err, [&] {
    auto shared = shared_callback(std::move(owned));
    give(result, td::make_hasher([shared](const at::Tensor& rows) { return call_hash(*shared, rows); }));
  });
}

td_status td_hash_clone(const td_hash* self, td_hash** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).clone()); });
}

td_status td_hash_rows(const td_hash* self, const void* rows, size_t n, size_t row_bytes, size_t stride,
                       uint64_t* result, td_error** err) noexcept {
  return guard(err, [&] {
    const td::Hasher& hasher = ref(self);
    if (n > 0 && (!result || (!rows && row_bytes > 0))) throw_null(result ? "rows" : "out");
    static const uint8_t nothing = 0;
    const auto* bytes = rows ? static_cast<const uint8_t*>(rows) : &nothing;
    if (n > 0) hasher.hash(bytes, n, row_bytes, rows ? stride : 0, reinterpret_cast<int64_t*>(result));
  });
}

td_status td_hash_call(const td_hash* self, const td_tensor* rows, td_tensor** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).hash(tensor(rows), std::string())); });
}

td_status td_hash_describe(const td_hash* self, td_string** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, ref(self).describe()); });
}

td_status td_hash_save(const td_hash* self, const td_writer* to, td_error** err) noexcept {
  return guard(err, [&] { ref(self).save(stream(to, &td_writer::write, "the writer")); });
}

td_status td_hash_load(td_hash* self, const td_reader* from, td_error** err) noexcept {
  return guard(err, [&] { ref(self).load(stream(from, &td_reader::read, "the reader")); });
}

void td_hash_retain(const td_hash* self) noexcept {
  retain(self);
}
void td_hash_release(const td_hash* self) noexcept {
  release(self);
}
