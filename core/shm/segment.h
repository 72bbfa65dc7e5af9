// A dict in a named file of shared memory, laid out as Python's consolidated format behind a page of our own:
//   [header page][tensors, each at a multiple of 64][snapshots][JSON][int64 length of the JSON]
// A name becomes visible when everything behind it is complete; a process killed before leaves nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <c10/util/intrusive_ptr.h>

#include "core/dict/copy.h"
#include "core/dict/node.h"
#include "core/shm/name_wait.h"
#include "core/shm/segment_snapshots.h"
#include "core/storage/consolidated.h"
#include "core/system/mapping.h"
#include "core/system/platform.h"
#include "core/tensor/memory.h"

namespace td {

class Segment;
using SegmentPtr = c10::intrusive_ptr<Segment>;

class Segment final : public c10::intrusive_ptr_target {
 public:
  struct Options {
    bool keep = false;          // the name outlives the owner
    unsigned snapshots = 0;     // 0, or 2 to shm::max_snapshots
    bool large_pages = false;   // where the system has them
    bool replace_dead = false;  // in place of one whose owner has ended
  };
  static SegmentPtr create(std::string_view name, const Node& node, const Options& options);
  struct OpenOptions {
    bool populate = false;  // maps every page now, instead of when it is first read
    bool large_pages = false;
    shm::Patience patience{};  // until the name is there
  };
  static SegmentPtr open(std::string_view name, const OpenOptions& options);
  static void unlink(std::string_view name);

  // A sealed file of memory with a copy of `node`, for a process that need not trust this one: the caller's descriptor.
  static storage::Fd export_memory(const Node& node);
  // The segment in it; `fd` stays the caller's. Throws Error(argument) if it is not sealed.
  static SegmentPtr import_memory(int fd);

  // The two through a Unix socket.
  static void send(const Node& node, int socket);
  static SegmentPtr receive(int socket, int64_t timeout_ms);

  // New nodes each time, locked, around views of the memory, which the views keep mapped.
  NodePtr dict() const;

  // The newest complete state, which no update touches while a view of it lives. Throws without snapshots.
  NodePtr snapshot() const;

  // Copies the leaves of `src`, which has the same structure. All that can fail comes before the first byte is written.
  void update(const Node& src);

  uint64_t version() const;  // odd while an update is under way

  // The version of the first state found that is complete and later than `seen`. Throws Error(timeout),
  // Error(cancelled), or Error(closed) once the process that could update it has ended.
  uint64_t wait(uint64_t seen, int64_t timeout_ms, shm::CancelFlag* cancel) const;

  const std::string& path() const { return path_; }
  int64_t nbytes() const { return mapping_->size(); }

  Segment(std::string path, storage::MappingPtr mapping, storage::Outline outline)
      : path_(std::move(path)), mapping_(std::move(mapping)), outline_(std::move(outline)) {}
  ~Segment() override;

 private:
  struct Owner {
    shm::Process process;
    uint64_t fork_count;
    shm::Identity file;
    bool keep;
  };

  // The only process that may update it; the same for every process that asks.
  struct Maker {
    shm::Process process;
    uint64_t byte;
  };

  static SegmentPtr open_now(const std::string& path, const OpenOptions& options);
  bool owned_here() const;  // created by this process: not by one that it was forked from
  at::Tensor view(const storage::PlacedLeaf& leaf, Access access) const;
  void write_leaves(const Leaves& sources);

  std::string path_;
  storage::MappingPtr mapping_;
  storage::Outline outline_;  // private: what others write into the segment cannot move a view
  optional<Owner> owner_;
  optional<Maker> maker_;               // none for memory that cannot change
  shm::SegmentSnapshotsPtr snapshots_;  // null without
};

// Call in a forked child: segments that the parent created are its own no longer.
void segment_after_fork() noexcept;

}  // namespace td
