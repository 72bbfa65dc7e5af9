// A group of an HDF5 file as a level of a dict: datasets are tensors and data, groups are levels below it.
#pragma once

#include "core/dict/persistent/persistent.h"
#include "core/storage/hdf5/dataset.h"

namespace td::storage::hdf5 {

class Group final : public Store {
 public:
  Group(FilePtr file, Hid group, size_t depth);  // inside a Section
  ~Group() override;

  const std::string& file() const override { return file_->path(); }
  bool writable() const override { return file_->writable(); }
  std::vector<std::string> keys() const override;
  Stored look(std::string_view key) const override;
  at::Tensor read(std::string_view key, const IndexList& part) const override;
  DataPtr read_data(std::string_view key, at::IntArrayRef batch) const override;
  std::shared_ptr<Store> below(std::string_view key) const override;
  optional<Labels> labels() const override;

  void write(std::string_view key, const IndexList& part, const at::Tensor& value) override;
  void put(std::string_view key, const Entry& value) override;
  bool erase(std::string_view key) override;
  void rename(std::string_view from, Store& to, std::string_view key) override;
  void set_labels(const Labels& labels) override;
  void flush() override;
  void close() override;

 private:
  struct Found;
  hid_t id() const;
  Found find(std::string_view key) const;
  Dataset dataset(std::string_view key) const;  // that can be read; throws what it is not
  bool is_readable(std::string_view key) const;
  void link(hid_t object, const std::string& key);

  FilePtr file_;
  hid_t group_;
  size_t depth_;
};

}  // namespace td::storage::hdf5
