// A map in a file that others have, and rows of this process's own in front of it: copy on write. The file may still
// grow; what comes after the opening is not seen.
#pragma once

#include "core/query/file_map.h"
#include "core/query/index_map.h"

namespace td {

class LayeredMap final : public Indices {
 public:
  explicit LayeredMap(FileMapPtr below);

  int64_t size() const override { return base_size_ + own_->size(); }
  int64_t next() const override { return base_next_ + own_->next(); }
  int64_t nbytes() const override { return own_->nbytes(); }

  void look_up(const int64_t* hashes, size_t n, int64_t* indices, int64_t below, const Keys* keys) const override;
  void extend(const int64_t* hashes, size_t n, int64_t* indices, const Keys* keys) override;
  void undo() noexcept override { own_->undo(); }
  // Throws Error(unsupported) for rows of the file.
  int64_t erase(const int64_t* hashes, size_t n, const Keys* keys) override;
  void clear() override;
  State state() const override;
  void load(State state) override;

 private:
  // Looks in the file, and gives the rows that are not in it.
  std::vector<int64_t> look_below(const int64_t* hashes, size_t n, int64_t* indices) const;
  void put_above(const std::vector<int64_t>& own, int64_t* indices, size_t n) const;
  void drop_base() noexcept;

  FileMapPtr base_;
  int64_t base_next_, base_size_;
  c10::intrusive_ptr<IndexMap> own_;
};

}  // namespace td
