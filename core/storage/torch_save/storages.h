// The storages of a file of torch.save, where they lie, and the tensors over them: views of one storage share its
// memory.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/storage/archive/zip.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/torch_save/pickled.h"

namespace td::storage {

class Storages {
 public:
  // `folder` is what all names of the file begin with, without the slash.
  Storages(const MappedFile& file, const std::vector<zip::Entry>& entries, const std::string& folder);

  at::Tensor tensor(const pickled::Program& program, const pickled::Item& tensor);

 private:
  const zip::Entry& entry(const std::string& key) const;
  at::Tensor whole(const zip::Entry& entry, at::ScalarType dtype);
  void charge(int64_t bytes);

  const MappedFile& file_;
  std::string folder_;
  std::unordered_map<std::string, const zip::Entry*> entries_;
  std::map<std::pair<const zip::Entry*, at::ScalarType>, at::Tensor> made_;
  int64_t left_;  // bytes of elements that tensors may still have: those that repeat elements have more than the file
};

}  // namespace td::storage
