// One level of a dict on a server: the entries whose paths begin with its own.
#pragma once

#include <string>

#include "core/dict/persistent/persistent.h"
#include "core/storage/redis/remote_dict.h"

namespace td::storage::redis {

class Level final : public Store {
 public:
  Level(RemoteDictPtr dict, std::string path, optional<size_t> member = nullopt)
      : dict_(std::move(dict)), path_(std::move(path)), member_(member) {}

  const std::string& file() const override { return dict_->text(); }
  bool writable() const override { return dict_->writable(); }
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
  void flush() override {}
  void close() override { dict_->close(); }

  std::shared_ptr<const void> moment(const IndexList* part, std::string_view key) const override;
  std::shared_ptr<const void> moment_of_all(std::string_view key) const override;
  std::unique_ptr<Gathered> change(optional<int64_t> version) override;
  bool changing() const override;
  optional<int64_t> version() const override;

 private:
  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + separator + std::string(key);
  }
  const Moment& at_moment(Moment& made, const std::string& path) const;
  const Fetched& fetched(Moment& made, const std::string& path, const IndexList& part) const;
  at::Tensor read_member(const std::string& path, const IndexList& part) const;
  [[noreturn]] void refuse_alone(const std::string& path) const;
  template <class F>
  void in_change(const std::string& path, F&& fn);

  RemoteDictPtr dict_;
  std::string path_;         // "" is the root
  optional<size_t> member_;  // of a lazy stack, whose entry in all leaves this one has
};

}  // namespace td::storage::redis
