// Turns rows into 64-bit hashes by an instance of a hash type, or by a function of the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include "plugins/tensordict_plugin.h"

namespace td {

class Hasher;
using HasherPtr = c10::intrusive_ptr<Hasher>;

class Hasher : public c10::intrusive_ptr_target {
 public:
  // True for hashes of bytes, which may be split: every row counts for itself.
  virtual bool takes_bytes() const = 0;
  virtual bool thread_safe() const = 0;

  // out[i] = hash of the `row_bytes` bytes at rows + i * stride. Throws Error(unsupported) unless takes_bytes().
  virtual void hash(const uint8_t* rows, size_t n, size_t row_bytes, size_t stride, int64_t* out) const = 0;

  // One int64 for each row of the leading dim. `key` is named in errors.
  at::Tensor hash(const at::Tensor& rows, const std::string& key) const;

  virtual HasherPtr clone() const = 0;       // independent, with the same hashes
  virtual std::string describe() const = 0;  // JSON
  // The type's id and config, by which saved hashes are recognised; empty for a function.
  virtual std::string identity() const = 0;

  virtual void save(const td_writer& to) const = 0;
  virtual void load(const td_reader& from) = 0;

 protected:
  virtual at::Tensor hash_tensor(const at::Tensor& rows) const = 0;
};

// Returns, as a string, the state that save writes and load reads.
std::string saved_state(const Hasher& hasher);
void restore_state(Hasher& hasher, std::string_view bytes);

// The first use of a type checks it against its own test vectors.
HasherPtr make_hasher(std::string_view type, std::string_view config);

// `function` gives an integer tensor with one element for each row.
HasherPtr make_hasher(std::function<at::Tensor(const at::Tensor&)> function);

}  // namespace td
