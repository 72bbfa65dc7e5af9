#include "core/storage/hdf5/dataset.h"

#include <algorithm>

#include "core/storage/hdf5/attributes.h"
#include "core/storage/hdf5/part.h"
#include "core/storage/hdf5/values.h"
#include "core/storage/leaf.h"
#include "core/tensor/memory.h"
#include "core/tensor/ops.h"

namespace td::storage::hdf5 {

namespace {

// Beyond this much, memory must be accounted for by what the file stores; gzip packs at most 1,032 bytes into one.
constexpr double always_allowed = 64 << 20, packed_into_one = 1100;

// Filters that are part of the library; all others would be looked for in files that this one names.
constexpr H5Z_filter_t last_own_filter = H5Z_FILTER_SCALEOFFSET;

std::string filter_of(hid_t layout) {
  for (int i = 0; i < H5Pget_nfilters(layout); ++i) {
    unsigned flags = 0;
    size_t none = 0;
    char name[64] = "";
    H5Z_filter_t filter =
        H5Pget_filter2(layout, static_cast<unsigned>(i), &flags, &none, nullptr, sizeof name, name, nullptr);
    if (filter < 0 || filter > last_own_filter || H5Zfilter_avail(filter) <= 0)
      return name[0] ? std::string(name, strnlen(name, sizeof name)) : std::to_string(filter);
  }
  return "";
}

bool take_sizes(hid_t space, Dataset& out) {
  H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_SCALAR) return true;
  int rank = H5Sget_simple_extent_ndims(space);
  if (kind != H5S_SIMPLE || rank < 0) return false;
  std::vector<hsize_t> sizes(static_cast<size_t>(rank));
  if (H5Sget_simple_extent_dims(space, sizes.data(), nullptr) < 0) return false;
  for (hsize_t n : sizes) {
    if (n > INT64_MAX) return false;
    out.sizes.push_back(static_cast<int64_t>(n));
  }
  try {
    checked_numel(out.sizes, 16);
  } catch (const Error&) {
    out.sizes.clear();
    return false;
  }
  return true;
}

// Chunks of about a megabyte, of whole rows where these are not larger.
Dims chunk_sizes(at::IntArrayRef sizes, size_t element, const DatasetOptions& options) {
  constexpr int64_t target = 1 << 20;
  Dims chunks(sizes.begin(), sizes.end());
  int64_t below = static_cast<int64_t>(element);
  for (size_t d = chunks.size(); d-- > 0;) {
    if (!options.chunks.empty())
      chunks[d] = d < options.chunks.size() ? std::min(options.chunks[d], sizes[d]) : sizes[d];
    else
      chunks[d] = std::clamp<int64_t>(target / below, 1, std::max<int64_t>(sizes[d], 1));
    chunks[d] = std::max<int64_t>(chunks[d], 1);
    below *= chunks[d];
  }
  return chunks;
}

Hid layout_for(const at::Tensor& value, const DatasetOptions& options, const std::string& key,
               const std::string& file) {
  Hid layout = opened(H5Pcreate(H5P_DATASET_CREATE), Code::oom, "make a dataset", file);
  if (value.dim() == 0 || value.numel() == 0 || (options.chunks.empty() && options.compression == 0)) return layout;
  Dims chunks = chunk_sizes(value.sizes(), value.element_size(), options);
  if (checked_numel(chunks, value.element_size()) * static_cast<int64_t>(value.element_size()) > UINT32_MAX)
    throw Error(Code::argument, "a chunk of sizes " + to_string(chunks) + " is larger than 4 GiB").key(key);
  std::vector<hsize_t> sizes(chunks.begin(), chunks.end());
  done(H5Pset_chunk(layout.get(), static_cast<int>(sizes.size()), sizes.data()), Code::internal, "set chunks", file);
  if (options.shuffle) done(H5Pset_shuffle(layout.get()), Code::unsupported, "shuffle", file);
  if (options.compression)
    done(H5Pset_deflate(layout.get(), static_cast<unsigned>(options.compression)), Code::unsupported, "compress", file);
  return layout;
}

// Bytes of bools are 0 or 1, whatever a file says.
void tidy_bools(const at::Tensor& t) {
  auto* p = static_cast<uint8_t*>(t.data_ptr());
  for (int64_t i = 0; i < t.numel(); ++i) p[i] = p[i] != 0;
}

bool stores_less(const Dataset& dataset) {
  auto bytes = static_cast<double>(H5Tget_size(dataset.type.get()));
  for (int64_t size : dataset.sizes) bytes *= static_cast<double>(size);
  return bytes > static_cast<double>(H5Dget_storage_size(dataset.id.get()));
}

}  // namespace

Stored Dataset::stored() const {
  Stored out;
  out.kind = Stored::Kind::data;
  if (!why.empty()) return out;
  out.sizes = sizes;
  out.type = element.dtype;
  if (element.kind == ElementType::Kind::tensor) out.kind = Stored::Kind::tensor;
  out.stacked = element.kind != ElementType::Kind::tensor && stacked && !sizes.empty();
  out.counts = out.kind == Stored::Kind::tensor || out.stacked ||
               (element.kind == ElementType::Kind::numpy && element.is_number);
  return out;
}

Dataset describe(Hid dataset) {
  Dataset out;
  out.id = std::move(dataset);
  out.type = Hid(H5Dget_type(out.id.get()));
  Hid space(H5Dget_space(out.id.get())), layout(H5Dget_create_plist(out.id.get()));
  if (!out.type || !space || !layout) {
    out.code = Code::corrupt;
    out.why = "its description cannot be read";
    return out;
  }
  if (H5Pget_layout(layout.get()) == H5D_VIRTUAL || H5Pget_external_count(layout.get()) != 0) {
    out.code = Code::corrupt;
    out.why = "its values lie in other files, which are not read";
    return out;
  }
  if (!take_sizes(space.get(), out)) {
    out.why = "it has no sizes, or sizes larger than any memory";
    return out;
  }
  // A compact dataset lies beside its description; libhdf5 copies from there as much as the sizes say.
  if (H5Pget_layout(layout.get()) == H5D_COMPACT && stores_less(out)) {
    out.code = Code::corrupt;
    out.why = "it stores fewer bytes than its sizes need";
    return out;
  }
  out.element = element_type(out.type.get());
  if (std::string filter = filter_of(layout.get()); !filter.empty())
    out.why = "it was packed with the filter '" + filter + "', which HDF5 itself does not have";
  else if (out.element.kind == ElementType::Kind::other)
    out.why = "it holds " + out.element.why;
  out.stacked = has_attribute(out.id.get(), stack_mark);
  return out;
}

void check_bytes(const Dataset& dataset, at::IntArrayRef sizes, size_t element, const File& file) {
  double bytes = static_cast<double>(checked_numel(sizes, element)) * static_cast<double>(element);
  double stored = static_cast<double>(H5Dget_storage_size(dataset.id.get()));
  stored = std::min(stored, static_cast<double>(file.size()));
  if (bytes <= always_allowed + packed_into_one * stored) return;
  throw Error(Code::corrupt, "sizes " + to_string(sizes) + " take " + std::to_string(static_cast<int64_t>(bytes)) +
                                 " bytes, but the file stores " + std::to_string(static_cast<int64_t>(stored)))
      .where(file.path())
      .hint_naming("{dict_index} and {dict_get_at} read a part");
}

at::Tensor read_tensor(const Dataset& dataset, const IndexList& indices, const File& file) {
  Part part(indices, dataset.sizes);
  Hid type = memory_type(dataset.element.dtype, dataset.type.get());
  check_bytes(dataset, part.sizes(), c10::elementSize(dataset.element.dtype), file);
  at::Tensor t = at::empty(part.sizes(), at::TensorOptions(dataset.element.dtype));
  part.read(dataset.id.get(), type.get(), t.data_ptr(), file.path());
  if (dataset.element.dtype == at::kBool) tidy_bools(t);
  if (indices.empty()) return t;
  t = take_view(t, part.within());
  return has_tensors(part.within()) ? at::index(t, advanced(part.within())) : t;
}

void write_tensor(const Dataset& dataset, const IndexList& indices, const at::Tensor& given, const File& file) {
  Part part(indices, dataset.sizes);
  Hid type = memory_type(dataset.element.dtype, dataset.type.get());
  at::Tensor value = given.detach().to(at::kCPU, dataset.element.dtype);
  at::Tensor t;
  if (has_tensors(part.within())) {
    check_bytes(dataset, part.sizes(), c10::elementSize(dataset.element.dtype), file);
    t = at::empty(part.sizes(), at::TensorOptions(dataset.element.dtype));
    part.read(dataset.id.get(), type.get(), t.data_ptr(), file.path());
    take_view(t, part.within()).index_put_(advanced(part.within()), value);
  } else {
    t = dense(indices.empty() ? value.expand(dataset.sizes) : value);
  }
  part.write(dataset.id.get(), type.get(), t.data_ptr(), file.path());
}

Hid make_tensor(const at::Tensor& value, const std::string& key, const File& file) {
  Hid type = file_type(value.scalar_type(), key);
  if (value.dim() > H5S_MAX_RANK)
    throw Error(Code::unsupported, "HDF5 files have no place for more than 32 dims").key(key);
  at::Tensor t = dense(value);
  Hid space;
  if (value.dim() == 0) {
    space = opened(H5Screate(H5S_SCALAR), Code::oom, "make a dataset", file.path());
  } else {
    std::vector<hsize_t> sizes(value.sizes().begin(), value.sizes().end());
    space = opened(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), Code::oom, "make a dataset",
                   file.path());
  }
  Hid layout = layout_for(t, file.datasets(), key, file.path());
  Hid made = opened(H5Dcreate_anon(file.id(), type.get(), space.get(), layout.get(), H5P_DEFAULT), Code::io,
                    "make a dataset", file.path());
  if (t.numel() > 0)
    done(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, t.data_ptr()), Code::io, "write a dataset",
         file.path());
  return made;
}

}  // namespace td::storage::hdf5
