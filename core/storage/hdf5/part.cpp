#include "core/storage/hdf5/part.h"

#include <algorithm>

#include "core/tensor/ops.h"

namespace td::storage::hdf5 {

namespace {

// Rows that lie so close together are read with what is between them.
constexpr int64_t close_enough = 4;

std::vector<int64_t> numbers_of(const at::Tensor& t) {
  at::Tensor flat = t.to(at::kCPU, at::kLong).contiguous();
  const auto* p = static_cast<const int64_t*>(flat.data_ptr());
  return {p, p + flat.numel()};
}

at::Tensor tensor_of(const std::vector<int64_t>& numbers, at::IntArrayRef sizes) {
  at::Tensor made = at::empty(sizes, at::TensorOptions(at::kLong));
  std::copy(numbers.begin(), numbers.end(), static_cast<int64_t*>(made.data_ptr()));
  return made;
}

}  // namespace

Part::Part(const IndexList& part, at::IntArrayRef dims)
    : start_(dims.size(), 0), step_(dims.size(), 1), count_(dims.begin(), dims.end()) {
  size_t dim = 0;
  for (const Index& i : part) {
    switch (i.kind) {
      case Index::Kind::integer:
        start_[dim] = i.start;
        count_[dim] = 1;
        within_.push_back({Index::Kind::integer, 0, 0, 1, {}});
        ++dim;
        break;
      case Index::Kind::slice:
        start_[dim] = i.start;
        step_[dim] = i.step;
        count_[dim] = i.length();
        within_.push_back({Index::Kind::slice, 0, count_[dim], 1, {}});
        ++dim;
        break;
      case Index::Kind::none:
        within_.push_back(i);
        break;
      case Index::Kind::ellipsis:
        break;  // a normalized index has none
      case Index::Kind::tensor:
        if (i.tensor.scalar_type() != at::kBool) {
          take_rows(i.tensor, dims[dim], dim);
          ++dim;
        } else if (i.tensor.dim() == 1) {
          take_rows(at::nonzero(i.tensor).select(1, 0), dims[dim], dim);
          ++dim;
        } else {
          take_mask(i.tensor, dim);
          dim += static_cast<size_t>(i.tensor.dim());
        }
    }
  }
}

void Part::take_rows(const at::Tensor& given, int64_t size, size_t dim) {
  std::vector<int64_t> numbers = numbers_of(given);
  check_rows(numbers.data(), static_cast<int64_t>(numbers.size()), size);
  for (int64_t& n : numbers)
    if (n < 0) n += size;
  std::vector<int64_t> rows = numbers;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  int64_t span = rows.empty() ? 0 : rows.back() - rows.front() + 1;
  if (!rows_.empty() || span <= close_enough * static_cast<int64_t>(rows.size())) {
    start_[dim] = rows.empty() ? 0 : rows.front();
    count_[dim] = span;
    for (int64_t& n : numbers) n -= start_[dim];
  } else {
    for (int64_t& n : numbers) n = std::lower_bound(rows.begin(), rows.end(), n) - rows.begin();
    count_[dim] = static_cast<int64_t>(rows.size());
    rows_ = std::move(rows);
    rows_dim_ = dim;
  }
  within_.push_back({Index::Kind::tensor, 0, 0, 1, tensor_of(numbers, given.sizes())});
}

void Part::take_mask(const at::Tensor& given, size_t dim) {
  at::Tensor mask = given.to(at::kCPU), places = at::nonzero(mask);
  for (int64_t d = 0; d < mask.dim(); ++d, ++dim) {
    bool any = places.size(0) > 0;
    start_[dim] = any ? places.select(1, d).min().item().toLong() : 0;
    count_[dim] = any ? places.select(1, d).max().item().toLong() - start_[dim] + 1 : 0;
    mask = mask.narrow(d, start_[dim], count_[dim]);
  }
  within_.push_back({Index::Kind::tensor, 0, 0, 1, mask});
}

template <class F>
void Part::each_selection(hid_t dataset, const std::string& file, F&& fn) const {
  if (std::find(count_.begin(), count_.end(), 0) != count_.end()) return;
  if (count_.empty()) return fn(H5S_ALL, H5S_ALL);
  using Sizes = std::vector<hsize_t>;
  Sizes start(start_.begin(), start_.end()), step(step_.begin(), step_.end()), count(count_.begin(), count_.end());
  auto rank = static_cast<int>(count.size());
  Hid space = opened(H5Dget_space(dataset), Code::corrupt, "read a dataset", file);
  Hid memory = opened(H5Screate_simple(rank, count.data(), nullptr), Code::oom, "select", file);
  auto select = [&] {
    done(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), step.data(), count.data(), nullptr),
         Code::corrupt, "select rows", file);
  };
  if (rows_.empty()) {
    select();
    return fn(memory.get(), space.get());
  }
  Sizes place(count.size(), 0);
  for (size_t first = 0; first < rows_.size();) {
    size_t next = first + 1;
    while (next < rows_.size() && rows_[next] == rows_[next - 1] + 1) ++next;
    start[rows_dim_] = static_cast<hsize_t>(rows_[first]);
    count[rows_dim_] = next - first;
    place[rows_dim_] = first;
    select();
    done(H5Sselect_hyperslab(memory.get(), H5S_SELECT_SET, place.data(), nullptr, count.data(), nullptr),
         Code::internal, "select", file);
    fn(memory.get(), space.get());
    first = next;
  }
}

void Part::read(hid_t dataset, hid_t type, void* memory, const std::string& file) const {
  each_selection(dataset, file, [&](hid_t here, hid_t there) {
    done(H5Dread(dataset, type, here, there, H5P_DEFAULT, memory), Code::corrupt, "read a dataset", file);
  });
}

void Part::write(hid_t dataset, hid_t type, const void* memory, const std::string& file) const {
  each_selection(dataset, file, [&](hid_t here, hid_t there) {
    done(H5Dwrite(dataset, type, here, there, H5P_DEFAULT, memory), Code::io, "write a dataset", file);
  });
}

}  // namespace td::storage::hdf5
