#include "core/shm/segment_snapshots.h"

#include "core/error.h"

namespace td::shm {

struct SegmentSnapshots::Pin {
  std::shared_ptr<SegmentSnapshots> snapshots;
  unsigned buffer = 0;
  ~Pin() {
    if (snapshots) snapshots->words_.let_go(buffer);
  }
};

SegmentSnapshots::SegmentSnapshots(storage::Fd file, const Facts& facts, storage::MappingPtr data,
                                   storage::Outline outline, std::string path)
    : path_(std::move(path)),
      facts_(facts),
      page_(file, header_page, storage::Mapping::Mode::write, path_),
      data_(std::move(data)),
      views_(std::move(outline)),
      words_(*reinterpret_cast<SnapshotWords*>(page_.data() + snapshot_words_offset), facts.snapshots,
             std::move(file)) {}

void SegmentSnapshots::check(Snapshots::Found found, const char* held) const {
  if (found == Snapshots::Found::none) throw Error(Code::nospace, held).where(path_);
  if (found == Snapshots::Found::corrupt)
    throw Error(Code::corrupt, "the words of the snapshots contradict each other")
        .where(path_)
        .hint("a process wrote over them: remove the segment and create it again");
}

NodePtr SegmentSnapshots::newest() {
  if (!words_.ours())
    throw Error(Code::unsupported, "the segment was opened before this process was forked")
        .where(path_)
        .hint("open it again in the child");
  auto pin = std::make_shared<Pin>();
  check(words_.pin(pin->buffer), "62 processes read snapshots of the segment already");
  pin->snapshots = shared_from_this();
  char* memory = base(pin->buffer);
  return views_.over(memory, header_page + facts_.data_bytes, std::move(pin), Access::read_only);
}

void SegmentSnapshots::update(const std::function<void(char* base)>& fill) {
  unsigned buffer;
  check(words_.begin(buffer), "readers hold all older snapshots of the segment");
  fill(base(buffer));
  words_.commit(buffer);
}

}  // namespace td::shm
