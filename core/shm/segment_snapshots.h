// The snapshots of one segment as this process sees them: words to write, buffers to read, views that hold them.
#pragma once

#include <memory>

#include "core/shm/header.h"
#include "core/shm/slot_views.h"
#include "core/shm/snapshot_words.h"
#include "core/system/mapping.h"

namespace td::shm {

class SegmentSnapshots : public std::enable_shared_from_this<SegmentSnapshots> {
 public:
  // `file` is open for writing, and of a description of its own; `data` maps the whole of it.
  SegmentSnapshots(storage::Fd file, const Facts& facts, storage::MappingPtr data, storage::Outline outline,
                   std::string path);

  // The newest state, locked and read-only; it stays as it is while a view of it lives.
  NodePtr newest();

  // Gives `fill` the base to which the outline's offsets belong, of a buffer without readers, and makes it the newest.
  void update(const std::function<void(char* base)>& fill);

 private:
  struct Pin;
  char* base(unsigned buffer) const { return data_->data() + facts_.stride() * (buffer + 1); }
  void check(Snapshots::Found found, const char* held) const;

  std::string path_;
  Facts facts_;
  storage::Mapping page_;
  storage::MappingPtr data_;
  SlotViews views_;
  Snapshots words_;
};
using SegmentSnapshotsPtr = std::shared_ptr<SegmentSnapshots>;

}  // namespace td::shm
