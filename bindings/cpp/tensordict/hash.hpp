// Hashes: rows in, 64 bits a row out. Types come from plugins: "td.siphash", "td.xxh3" and others, or are lambdas.
//
//     Hash hash = Hash::create("td.siphash", R"({"seed": 42})");
//     Tensor hashes = hash(rows);                             // int64 [rows]
#ifndef TENSORDICT_HASH_HPP
#define TENSORDICT_HASH_HPP

#include "module/function.hpp"

namespace tensordict {

namespace detail {

template <class F>
td_status call_hash(void* userdata, const td_tensor* rows, td_tensor** out, td_error** err) noexcept {
  return guard(err, [&] {
    const Tensor borrowed = Tensor::borrow(rows);
    Tensor made = (*static_cast<F*>(userdata))(borrowed);
    *out = made.release();
  });
}

inline td_status write_to_text(void* target, const void* bytes, std::size_t size, td_error** err) noexcept {
  return guard(err, [&] { static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), size); });
}

inline td_status read_from_text(void* source, void* bytes, std::size_t size, std::size_t* got,
                                td_error** err) noexcept {
  return guard(err, [&] {
    auto& rest = *static_cast<std::string_view*>(source);
    *got = rest.copy(static_cast<char*>(bytes), size);
    rest.remove_prefix(*got);
  });
}

}  // namespace detail

class Hash : public Handle<Hash, td_hash, td_hash_retain, td_hash_release> {
 public:
  explicit Hash(Adopted raw) noexcept : Handle(raw) {}

  static Hash create(std::string_view type, std::string_view config = {}) {
    return detail::made<Hash>(td_hash_new, detail::str(type), detail::optional_str(config));
  }
  // `function(const Tensor& rows)` gives an integer tensor with one element for each row. It may be called from any thread.
  template <class F>
  static Hash function(F function) {
    return detail::made<Hash>(td_hash_from_function,
                              detail::callback<td_hash_function>(std::move(function), detail::call_hash<F>));
  }
  // An independent hash that gives the same values.
  Hash clone() const { return detail::made<Hash>(td_hash_clone, get()); }

  Tensor operator()(const Tensor& rows) const { return detail::made<Tensor>(td_hash_call, get(), rows.get()); }
  // Of `n` rows of `row_bytes` bytes each, `stride` bytes from one to the next (0: they lie in a row).
  std::vector<std::uint64_t> rows(const void* rows, std::size_t n, std::size_t row_bytes,
                                  std::size_t stride = 0) const {
    std::vector<std::uint64_t> out(n);
    detail::call(td_hash_rows, get(), rows, n, row_bytes, stride ? stride : row_bytes, out.data());
    return out;
  }
  // Type, version, config and what it takes, as JSON.
  std::string describe() const { return detail::text_of(td_hash_describe, get()); }
  // What the hash has beyond its config, as bytes.
  std::string save() const {
    std::string out;
    detail::call(td_hash_save, get(), detail::lend(td_writer{sizeof(td_writer), detail::write_to_text, &out}));
    return out;
  }
  void load(std::string_view bytes) {
    detail::call(td_hash_load, get(), detail::lend(td_reader{sizeof(td_reader), detail::read_from_text, &bytes}));
  }
};

}  // namespace tensordict

#endif
