#include "capi/convert.h"

#include <algorithm>

#include "core/tensor/factory.h"

namespace td::capi {

std::string_view text(td_str s, const char* what) {
  if (!s.data) {
    if (s.size == 0 || s.size == TD_STRLEN) return {};
    throw Error(Code::argument, std::string(what) + " has a size but no data");
  }
  return {s.data, s.size == TD_STRLEN ? std::strlen(s.data) : s.size};
}

td_string* own_string(std::string s) {
  return own<td_string>(c10::make_intrusive<String>(std::move(s)));
}

Ptr<td_keys> keys_of(std::vector<Path> list) {
  auto keys = c10::make_intrusive<Keys>();
  keys->paths = std::move(list);
  keys->keys.reserve(keys->paths.size());
  size_t all = 0;
  for (const Path& p : keys->paths) all += p.size();
  keys->parts.reserve(all);  // so that they stay where they are
  for (const Path& p : keys->paths) {
    keys->keys.push_back({keys->parts.data() + keys->parts.size(), p.size()});
    for (const Key& k : p.keys()) keys->parts.push_back(view(k.text()));
  }
  return keys;
}

TensorList::TensorList(std::vector<at::Tensor> all) : tensors(std::move(all)) {
  handles.reserve(tensors.size());
  for (const at::Tensor& t : tensors)
    handles.push_back(t.defined() ? reinterpret_cast<td_tensor*>(t.unsafeGetTensorImpl()) : nullptr);
}

td_keys* own_keys(std::vector<Path> list) {
  return own<td_keys>(keys_of(std::move(list)));
}

KeyArg::KeyArg(const td_key* key) {
  if (!key) throw_null("key");
  if (key->n == TD_PREPARED) {
    prepared_ = &ref(reinterpret_cast<const td_path*>(key->parts)).path;
    return;
  }
  if (key->n == 0 || !key->parts) throw Error(Code::argument, "a key needs at least one part");
  for (size_t i = 0; i < key->n; ++i) parts_.emplace_back(text(key->parts[i], "key part"));
}

std::vector<Path> paths(const td_key* keys, size_t n, const char* what) {
  if (n > 0 && !keys) throw_null(what);
  std::vector<Path> out;
  for (size_t i = 0; i < n; ++i) {
    const KeyArg key(&keys[i]);
    Path path = key.path();
    if (!key.is_prepared())
      for (const Key& k : path.keys()) check_utf8(k.text(), "key");
    out.push_back(std::move(path));
  }
  return out;
}

KeyChoice key_choice(uint64_t flags) {
  if (flags & ~uint64_t{TD_KEYS_NESTED | TD_KEYS_LEAVES | TD_KEYS_SORTED | TD_KEYS_CHILDREN_FIRST | TD_KEYS_DATA |
                        TD_KEYS_DATA_ONLY})
    throw Error(Code::argument, "unknown flags for keys");
  KeyChoice choice;
  choice.nested = flags & TD_KEYS_NESTED;
  choice.leaves_only = flags & TD_KEYS_LEAVES;
  choice.data = flags & TD_KEYS_DATA;
  choice.data_only = flags & TD_KEYS_DATA_ONLY;
  choice.sorted = flags & TD_KEYS_SORTED;
  choice.children_first = flags & TD_KEYS_CHILDREN_FIRST;
  return choice;
}

at::IntArrayRef dims(const int64_t* data, size_t ndim) {
  if (ndim > 0 && !data) throw_null("shape");
  if (ndim > 64) throw Error(Code::shape, "more than 64 dims");
  return {data, ndim};
}

size_t fill(at::IntArrayRef from, int64_t* out, size_t capacity) {
  if (out) std::copy_n(from.begin(), std::min(capacity, from.size()), out);
  return from.size();
}

std::shared_ptr<const void> owner_of(td_release_fn fn, void* owner) {
  return {owner, [fn](const void* o) {
            if (fn) call_release(fn, const_cast<void*>(o));
          }};
}

size_t place(int64_t index, size_t n) noexcept {
  const int64_t size = static_cast<int64_t>(n), i = index < 0 ? index + size : index;
  return i < 0 || i >= size ? n : static_cast<size_t>(i);
}

size_t position(int64_t index, size_t n, const char* what) {
  const size_t i = place(index, n);
  if (i == n)
    throw Error(Code::index,
                std::string(what) + " " + std::to_string(index) + " is out of range for " + std::to_string(n));
  return i;
}

}  // namespace td::capi
