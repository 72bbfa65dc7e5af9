// Dicts in named shared memory, which any process of the same user opens without a copy, stock Python too.
//
//     Segment mine = Segment::create("digits.predictions", td);       // the owner
//     const Dict seen = Segment::open("digits.predictions").dict();   // everybody else, read-only
#ifndef TENSORDICT_SEGMENT_HPP
#define TENSORDICT_SEGMENT_HPP

#include "cancel.hpp"
#include "dict.hpp"

namespace tensordict {

struct SegmentOptions {
  bool keep = false;           // the name outlives the owner's last reference
  bool large_pages = false;    // ask the system for large pages
  std::int32_t snapshots = 0;  // buffers for snapshot: 0, or 2 to 8
  bool replace_dead = false;   // in place of a segment whose owner has ended
};

struct SegmentOpenOptions {
  bool populate = false;  // every page is mapped now, instead of when it is first read
  bool large_pages = false;
  Timeout timeout{0};              // how long to wait for the name
  const Cancel* cancel = nullptr;  // ends that wait
};

class Segment : public Handle<Segment, td_segment, td_segment_retain, td_segment_release> {
 public:
  explicit Segment(Adopted raw) noexcept : Handle(raw) {}

  // Copies `dict` into a new segment. The name goes with the owner's last reference, unless it is kept.
  static Segment create(std::string_view name, const Dict& dict, const SegmentOptions& options = {}) {
    td_segment_options raw = TD_SEGMENT_OPTIONS_INIT;
    raw.keep = options.keep;
    raw.large_pages = options.large_pages;
    raw.snapshots = options.snapshots;
    raw.replace_dead = options.replace_dead;
    return detail::made<Segment>(td_segment_create, detail::str(name), dict.get(), &raw);
  }
  static Segment open(std::string_view name) {
    return detail::made<Segment>(td_segment_open, detail::str(name), nullptr);
  }
  static Segment open(std::string_view name, const SegmentOpenOptions& options) {
    td_segment_open_options raw = TD_SEGMENT_OPEN_OPTIONS_INIT;
    raw.populate = options.populate;
    raw.large_pages = options.large_pages;
    raw.timeout_ms = static_cast<std::int64_t>(options.timeout.count());
    raw.cancel = options.cancel ? options.cancel->get() : nullptr;
    return detail::made<Segment>(td_segment_open, detail::str(name), &raw);
  }

  // Locked views of the shared memory: the owner's may be written, the others' are read-only. They outlive the segment.
  Dict dict() const { return detail::made<Dict>(td_segment_dict, get()); }
  // Copies the values of `source` into the segment's tensors: other processes see them without reopening.
  void update(const Dict& source) { detail::call(td_segment_update, get(), source.get()); }
  // The newest complete state: nothing in it is torn, and no update touches it while one of its tensors lives.
  Dict snapshot() const { return detail::made<Dict>(td_segment_snapshot, get()); }
  // Updates begun and ended: odd while one is under way.
  std::uint64_t version() const noexcept { return td_segment_version(get()); }
  // Waits until an update later than `seen` has ended, and gives the version then. TimeoutError; CancelledError once
  // `cancel` is requested; ClosedError once the owner has ended.
  std::uint64_t wait(std::uint64_t seen, Timeout timeout = forever, const Cancel* cancel = nullptr) const {
    return detail::got<std::uint64_t>(td_segment_wait, get(), seen, static_cast<std::int64_t>(timeout.count()),
                                      cancel ? cancel->get() : nullptr);
  }
  // The file that stock Python opens.
  std::string path() const { return std::string(detail::view(td_segment_path(get()))); }
  std::int64_t nbytes() const noexcept { return td_segment_nbytes(get()); }

  static void unlink(std::string_view name) { detail::call(td_segment_unlink, detail::str(name)); }
  // Segments, channels and maps of this user, as a JSON array.
  static std::string list(std::string_view prefix = "") {
    return detail::text_of(td_segment_list, detail::str(prefix));
  }
  // Removes the names that killed processes have left; gives how many there were.
  static std::int64_t prune(std::string_view prefix = "") {
    return detail::got<std::int64_t>(td_segment_prune, detail::str(prefix));
  }

  // Through a Unix socket, in nameless memory that nobody can change any more, to and from a process that need not be
  // trusted.
  static void send(const Dict& dict, int socket) { detail::call(td_segment_send, dict.get(), socket); }
  static Segment receive(int socket, Timeout timeout = forever) {
    return detail::made<Segment>(td_segment_receive, socket, static_cast<std::int64_t>(timeout.count()));
  }
  // The same as a descriptor, which gets there in a way of the caller's, who closes it.
  static int export_descriptor(const Dict& dict) { return detail::got<std::int32_t>(td_segment_export, dict.get()); }
  static Segment import_descriptor(int descriptor) { return detail::made<Segment>(td_segment_import, descriptor); }
};

}  // namespace tensordict

#endif
