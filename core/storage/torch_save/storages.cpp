#include "core/storage/torch_save/storages.h"

#include <algorithm>

#include "core/error.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"

namespace td::storage {

namespace {

using pickled::Item;
using pickled::Kind;
using pickled::Program;

struct StorageClass {
  std::string_view name, dtype;
};
constexpr StorageClass classes[] = {{"FloatStorage", "float32"},
                                    {"DoubleStorage", "float64"},
                                    {"HalfStorage", "float16"},
                                    {"BFloat16Storage", "bfloat16"},
                                    {"LongStorage", "int64"},
                                    {"IntStorage", "int32"},
                                    {"ShortStorage", "int16"},
                                    {"CharStorage", "int8"},
                                    {"ByteStorage", "uint8"},
                                    {"BoolStorage", "bool"},
                                    {"ComplexFloatStorage", "complex64"},
                                    {"ComplexDoubleStorage", "complex128"}};
constexpr std::string_view untyped = "torch.storage.UntypedStorage";

// "float32" of "torch.FloatStorage" and "torch.cuda.FloatStorage"; empty for an untyped storage.
std::string_view dtype_of_class(std::string_view name) {
  if (name == untyped) return {};
  const std::string_view word = name.substr(name.rfind('.') + 1);
  for (const StorageClass& c : classes)
    if (name.substr(0, 6) == "torch." && word == c.name) return c.dtype;
  throw Error(Code::dtype, "the storage class " + std::string(name) + " is not known here");
}

Dims dims(const Program& p, pickled::Index list, const char* what) {
  Dims out;
  const Item& item = p.items[list];
  if (item.members.size() > 64) throw Error(Code::corrupt, std::string("more than 64 ") + what);
  for (pickled::Index i : item.members) {
    const Item& n = p.items[i];
    if (n.kind != Kind::integer || n.wide || n.i < 0)
      throw Error(Code::corrupt, std::string("one of the ") + what + " is no size");
    out.push_back(n.i);
  }
  return out;
}

// One more than the number of the last element that the tensor reaches, which has some.
int64_t reach(at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset) {
  int64_t last = offset, step = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) || __builtin_add_overflow(last, step, &last))
      throw Error(Code::corrupt, "the strides reach beyond all memory");
  if (last == INT64_MAX) throw Error(Code::corrupt, "the offset is beyond all memory");
  return last + 1;
}

bool is_row_major(at::IntArrayRef sizes, at::IntArrayRef strides) {
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
    if (sizes[i] != 1 && strides[i] != step) return false;
  return true;
}

}  // namespace

Storages::Storages(const MappedFile& file, const std::vector<zip::Entry>& entries, const std::string& folder)
    : file_(file), folder_(folder) {
  constexpr int64_t always = int64_t{64} << 20, repeats = 1032;
  left_ = file.size() > INT64_MAX / repeats ? INT64_MAX : std::max(always, repeats * file.size());
  const std::string data = folder + "/data/";
  for (const zip::Entry& e : entries)
    if (e.name.compare(0, data.size(), data) == 0) entries_.emplace(e.name.substr(data.size()), &e);
}

const zip::Entry& Storages::entry(const std::string& key) const {
  auto found = entries_.find(key);
  const std::string name = file_.path() + "::" + folder_ + "/data/" + key;
  if (found == entries_.end()) throw Error(Code::corrupt, "the storage is missing").where(name);
  if (found->second->method != zip::stored)
    throw Error(Code::unsupported, "the storage is compressed, which torch.save does not do")
        .where(name)
        .hint("pack the file again without compression");
  return *found->second;
}

at::Tensor Storages::whole(const zip::Entry& e, at::ScalarType dtype) {
  at::Tensor& t = made_[{&e, dtype}];
  const auto itemsize = static_cast<int64_t>(c10::elementSize(dtype));
  const int64_t elements = e.size / itemsize;
  if (!t.defined()) t = file_.tensor(e.payload, LeafType{dtype, Dims{elements}, elements * itemsize});
  return t;
}

void Storages::charge(int64_t bytes) {
  if (bytes > left_)
    throw Error(Code::unsupported,
                "the tensors would have more than 1032 times the bytes of the file, and more than 64 MiB")
        .hint("they repeat elements: in Python, save what clone() makes of them");
  left_ -= bytes;
}

at::Tensor Storages::tensor(const Program& p, const Item& t) {
  const Item &storage = p.items[t.members[pickled::storage_part]], &offset = p.items[t.members[pickled::offset_part]];
  const std::string_view of_class = dtype_of_class(p.items[storage.members[0]].text);
  if (t.text.empty() && of_class.empty()) throw Error(Code::corrupt, "the tensor has no dtype");
  const int32_t code = dtype_code_named(t.text.empty() ? of_class : t.text);
  const int64_t itemsize = dtype_size(code);
  const zip::Entry& e = entry(std::string(storage.text));
  int64_t bytes = 0;
  if (storage.wide || storage.i < 0 ||
      __builtin_mul_overflow(storage.i, of_class.empty() ? 1 : dtype_size(dtype_code_named(of_class)), &bytes) ||
      bytes != e.size)
    throw Error(Code::corrupt, "the storage has " + std::to_string(e.size) + " bytes, not what the pickle says")
        .where(file_.path() + "::" + e.name);
  Dims sizes = dims(p, t.members[pickled::sizes_part], "sizes");
  const Dims strides = dims(p, t.members[pickled::strides_part], "strides");
  if (sizes.size() != strides.size()) throw Error(Code::corrupt, "the strides and sizes differ in number");
  const int64_t elements = checked_numel(sizes, static_cast<size_t>(itemsize));
  charge(elements * itemsize);
  if (offset.wide || offset.i < 0) throw Error(Code::corrupt, "the offset of the tensor is not a valid number");
  if (elements > 0 && reach(sizes, strides, offset.i) > e.size / itemsize)
    throw Error(Code::corrupt, "the tensor reaches beyond its storage");
  if (has_dtype(code)) {
    const at::ScalarType dtype = scalar_type(code);
    if (elements == 0) return file_.tensor(0, LeafType{dtype, sizes, 0});
    return whole(e, dtype).as_strided(sizes, strides, offset.i);
  }
  if (elements > 0 && !is_row_major(sizes, strides))
    throw Error(Code::unsupported, "the tensor is not row-major, and this LibTorch lacks its dtype")
        .hint("in Python, save what contiguous() makes of it");
  if (itemsize > 1) sizes.push_back(itemsize);
  const int64_t start = elements > 0 ? e.payload + offset.i * itemsize : 0;
  return file_.tensor(start, LeafType{at::kByte, sizes, elements * itemsize, code});
}

}  // namespace td::storage
