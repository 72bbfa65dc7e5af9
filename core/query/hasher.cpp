#include "core/query/hasher.h"

#include <cstring>
#include <utility>

#include "core/dict/node.h"
#include "core/error.h"
#include "core/plugin/call.h"
#include "core/query/rows.h"
#include "core/tensor/ops.h"

namespace td {

namespace {

class FunctionHasher final : public Hasher {
 public:
  explicit FunctionHasher(std::function<at::Tensor(const at::Tensor&)> function) : function_(std::move(function)) {}

  bool takes_bytes() const override { return false; }
  bool thread_safe() const override { return true; }
  void hash(const uint8_t*, size_t, size_t, size_t, int64_t*) const override {
    throw Error(Code::unsupported, "a hash function of the caller hashes tensors, not bytes");
  }
  at::Tensor hash_tensor(const at::Tensor& rows) const override { return function_(rows); }
  HasherPtr clone() const override {
    throw Error(Code::unsupported, "a hash function of the caller cannot be copied")
        .hint("give a list with one function for each key");
  }
  std::string describe() const override { return R"({"type":null})"; }
  std::string identity() const override { return {}; }
  void save(const td_writer&) const override {
    throw Error(Code::unsupported, "a hash function of the caller has no state to save");
  }
  void load(const td_reader&) override {
    throw Error(Code::unsupported, "a hash function of the caller has no state to load");
  }

 private:
  std::function<at::Tensor(const at::Tensor&)> function_;
};

at::Tensor checked(at::Tensor hashes, const at::Tensor& rows, const std::string& key) {
  if (hashes.dim() != 1 || hashes.size(0) != rows.size(0))
    throw Error(Code::plugin,
                "a hash returned shape " + to_string(hashes.sizes()) + " for " + std::to_string(rows.size(0)) + " rows")
        .key(key)
        .hint("a hash must return one number for each row of the leading dim");
  if (!at::isIntegralType(hashes.scalar_type(), false))
    throw Error(Code::dtype, std::string("a hash returned ") + c10::toString(hashes.scalar_type()) + ", not integers")
        .key(key);
  return hashes.detach().to(at::kCPU, at::kLong).contiguous();
}

}  // namespace

at::Tensor Hasher::hash(const at::Tensor& rows, const std::string& key) const {
  if (!takes_bytes()) {
    if (rows.dim() == 0)
      throw Error(Code::shape, "a tensor without dims has no rows").key(key).hint("add a leading dim");
    return checked(hash_tensor(rows), rows, key);
  }
  Rows bytes(rows, key);
  at::Tensor hashes = at::empty({static_cast<int64_t>(bytes.size())}, at::kLong);
  hash(bytes.data(), bytes.size(), bytes.row_bytes(), bytes.stride(), hashes.data_ptr<int64_t>());
  return hashes;
}

std::string saved_state(const Hasher& hasher) {
  std::string all;
  hasher.save(plugin::appending_to(all));
  return all;
}

void restore_state(Hasher& hasher, std::string_view all) {
  td_reader reader{sizeof(td_reader),
                   [](void* source, void* out, size_t size, size_t* got, td_error**) -> td_status {
                     auto& left = *static_cast<std::string_view*>(source);
                     *got = size < left.size() ? size : left.size();
                     std::memcpy(out, left.data(), *got);
                     left.remove_prefix(*got);
                     return TD_OK;
                   },
                   &all};
  hasher.load(reader);
}

HasherPtr make_hasher(std::function<at::Tensor(const at::Tensor&)> function) {
  return c10::make_intrusive<FunctionHasher>(std::move(function));
}

}  // namespace td
