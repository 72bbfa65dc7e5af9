// Owned strings, key lists and prepared paths.
#include "capi/convert.h"

using namespace td::capi;

td_str td_string_view(const td_string* self) noexcept {
  return self ? view(ref(self).text) : td_str{NULL, 0};
}
void td_string_retain(const td_string* self) noexcept {
  retain(self);
}
void td_string_release(const td_string* self) noexcept {
  release(self);
}

size_t td_keys_size(const td_keys* self) noexcept {
  return self ? ref(self).paths.size() : 0;
}

td_status td_keys_get(const td_keys* self, int64_t index, td_key* out_view, td_error** err) noexcept {
  return guard(err, [&] {
    const Keys& keys = ref(self);
    out(out_view) = keys.keys[position(index, keys.keys.size(), "key")];
  });
}

td_status td_keys_view(const td_keys* self, const td_key** out_view, size_t* out_size, td_error** err) noexcept {
  return guard_look(err, [&] { give_view(ref(self).keys, out_view, out_size); });
}

void td_keys_retain(const td_keys* self) noexcept {
  retain(self);
}
void td_keys_release(const td_keys* self) noexcept {
  release(self);
}

td_status td_path_new(const td_key* key, td_path** out_path, td_error** err) noexcept {
  return guard(err, [&] {
    auto made = c10::make_intrusive<PathHandle>();
    made->path = std::move(paths(key, key ? 1 : (throw_null("key"), 0), "key")[0]);
    for (const td::Key& k : made->path.keys()) made->parts.push_back(view(k.text()));
    give(out_path, std::move(made));
  });
}

td_status td_path_view(const td_path* self, td_key* out_view, td_error** err) noexcept {
  return guard_look(err, [&] {
    const PathHandle& path = ref(self);
    out(out_view) = {path.parts.data(), path.parts.size()};
  });
}

void td_path_retain(const td_path* self) noexcept {
  retain(self);
}
void td_path_release(const td_path* self) noexcept {
  release(self);
}
