#include <utility>

#include "capi/convert.h"
#include "capi/guard.h"
#include "core/query/hasher.h"
#include "core/tensor/factory.h"

using namespace td::capi;

namespace {

std::string_view config_text(td_str config) {
  return given(config) ? text(config, "config") : std::string_view();
}

// The caller's function, and the only owner of its userdata.
class HashFunction {
 public:
  explicit HashFunction(td_hash_function function) : function_(function) {}
  HashFunction(HashFunction&& other) noexcept : function_(std::exchange(other.function_, {})) {}
  HashFunction& operator=(HashFunction&&) = delete;
  ~HashFunction() {
    if (function_.destroy) td::call_release(function_.destroy, function_.userdata);
  }

  bool given() const { return function_.fn != nullptr; }

  at::Tensor operator()(const at::Tensor& rows) const {
    td_tensor* out = nullptr;
    td_error* err = nullptr;
    td_status status = call(rows, &out, &err);
    if (status != TD_OK) throw_foreign(td::Code::callback, status, err, "a hash function");
    td_error_release(err);
    if (!out) throw td::Error(td::Code::callback, "a hash function succeeded without hashes");
    return adopt(out);
  }

 private:
  td_status call(const at::Tensor& rows, td_tensor** out, td_error** err) const {
    try {
      return function_.fn(function_.userdata, reinterpret_cast<const td_tensor*>(rows.unsafeGetTensorImpl()), out, err);
    } catch (...) {
      td_error_release(*err);
      throw_escaped("a hash function");
    }
  }

  td_hash_function function_;
};

}  // namespace

td_status td_hash_create(td_str type, td_str config, td_hash** result, td_error** err) noexcept {
  return guard(err, [&] { give(result, td::make_hasher(text(type, "type"), config_text(config))); });
}

td_status td_hash_from_function(td_hash_function function, td_hash** result, td_error** err) noexcept {
  return guard(err, [&] {
    HashFunction given(function);
    if (!given.given()) throw_null("the hash function");
    auto owned = std::make_shared<HashFunction>(std::move(given));
    give(result, td::make_hasher([owned](const at::Tensor& rows) { return (*owned)(rows); }));
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

td_status td_hash_save(const td_hash* self, td_writer to, td_error** err) noexcept {
  return guard(err, [&] {
    if (!to.write) throw_null("the writer's function");
    ref(self).save(to);
  });
}

td_status td_hash_load(td_hash* self, td_reader from, td_error** err) noexcept {
  return guard(err, [&] {
    if (!from.read) throw_null("the reader's function");
    ref(self).load(from);
  });
}

void td_hash_retain(const td_hash* self) noexcept {
  retain(self);
}
void td_hash_release(const td_hash* self) noexcept {
  release(self);
}
