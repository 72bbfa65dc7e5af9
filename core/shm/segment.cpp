#include "core/shm/segment.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/dict/lock.h"
#include "core/error.h"
#include "core/shm/header.h"
#include "core/shm/new_name.h"
#include "core/shm/registry.h"
#include "core/shm/segment_file.h"
#include "core/shm/wait.h"
#include "core/system/fd_passing.h"

namespace td {

namespace {

using storage::Mapping;
using storage::Outline;
using storage::PlacedLeaf;

std::atomic<uint64_t> fork_count{0};

void mark_all_shared(Node& node) {
  node.mark_shared();
  node.parts([](const Entry& e) {
    if (e.is_node()) mark_all_shared(*e.node());
  });
}

shm::Occupant look_at_segment(const std::string& path) {
  shm::Occupant there;
  there.file = shm::open_named(path);
  if (!there.file) return there;
  int64_t size = storage::size_of(there.file, path);
  auto facts = shm::read_header(storage::read_bytes(there.file, 0, std::min(size, shm::header_page), path), size, path);
  there.still_dead = [facts] { return !shm::owner_alive(facts.owner_byte, facts.owner); };
  there.standing = there.still_dead() ? shm::Occupant::dead : shm::Occupant::owned;
  there.pid = facts.owner.pid;
  there.identity = shm::identity(there.file);
  return there;
}

void check_same_type(const Path& path, const storage::LeafType& held, const at::Tensor& given) {
  if (given.sizes() != at::IntArrayRef(held.sizes))
    throw Error(Code::shape, "the segment holds shape " + to_string(held.sizes) + ", got " + to_string(given.sizes()))
        .key(to_string(path))
        .hint("create another segment for another structure");
  const storage::LeafType type = storage::leaf_type(given, path);
  if (type.dtype != held.dtype || (type.stored != 0 && type.stored != held.stored))
    throw Error(Code::dtype,
                "the segment holds " + storage::python_dtype(held) + ", got " + storage::python_dtype(type))
        .key(to_string(path))
        .hint("convert it first");
}

// The leaves of `src` in the order of the outline, as they will be written. Throws unless the structure is the same.
Leaves matching_leaves(const Outline& outline, const Node& src, const char* memory) {
  Leaves matched;
  storage::Pairing pairing;
  pairing.leaf = [&](const Path& path, const PlacedLeaf& leaf, const at::Tensor& t) {
    check_same_type(path, leaf.type, t);
    if (leaf.fixed && std::memcmp(memory + leaf.offset, data(t), static_cast<size_t>(leaf.type.bytes)) != 0)
      throw Error(Code::shape, "the components of the jagged tensor have other sizes")
          .key(to_string(path))
          .hint("create another segment for another structure");
    matched.push_back(t);
  };
  // Non-tensor data is in the metadata, which must not change while processes read it.
  pairing.data = [](const Path& path, const Data& held, const Data& given) {
    if (!given.same_as(held))
      throw Error(Code::unsupported, "the data in a segment cannot change")
          .key(to_string(path))
          .hint("keep what changes in tensors, or create another segment");
  };
  storage::pair(outline, src, pairing);
  for (at::Tensor& t : matched) t = storage::dense(t);
  return matched;
}

}  // namespace

SegmentPtr Segment::create(std::string_view name, const Node& node, const Options& options) {
  std::string path = shm::path_of(name);
  if (options.snapshots == 1 || options.snapshots > shm::max_snapshots)
    throw Error(Code::argument, "the number of snapshots is " + std::to_string(options.snapshots)).hint("0, or 2 to 8");
  shm::SegmentPlan plan = shm::plan_segment(node, options.snapshots);
  plan.facts.owner = shm::this_process();
  plan.facts.keep = options.keep;
  shm::NewName new_name(path, "segment", look_at_segment, options.replace_dead);
  new_name.check();
  storage::Fd file = shm::make_unnamed(plan.facts.total_bytes, path);
  plan.facts.owner_byte = shm::owner_byte();
  auto mapping = std::make_shared<const Mapping>(file, plan.facts.total_bytes, Mapping::Mode::write, path);
  if (options.large_pages) shm::prefer_large_pages(mapping->data(), mapping->size());
  shm::write_segment(mapping->data(), plan, node);
  Owner owner{plan.facts.owner, fork_count.load(), shm::identity(file), options.keep};
  auto segment = c10::make_intrusive<Segment>(path, mapping, plan.outline);
  new_name.give(file.get());
  segment->owner_ = owner;
  segment->maker_ = Maker{plan.facts.owner, plan.facts.owner_byte};
  if (plan.facts.snapshots > 0)
    segment->snapshots_ =
        std::make_shared<shm::SegmentSnapshots>(std::move(file), plan.facts, mapping, std::move(plan.outline), path);
  return segment;
}

SegmentPtr Segment::open(std::string_view name, const OpenOptions& options) {
  std::string path = shm::path_of(name);
  return shm::when_there(path, options.patience, [&] { return open_now(path, options); });
}

SegmentPtr Segment::open_now(const std::string& path, const OpenOptions& options) {
  storage::Fd file = shm::open_named(path);
  if (!file) throw Error(Code::not_found, "there is no such segment").where(path);
  shm::SegmentPlan plan = shm::read_segment(file, path);
  auto mapping = std::make_shared<const Mapping>(file, plan.facts.total_bytes, Mapping::Mode::read, path);
  if (options.large_pages) shm::prefer_large_pages(mapping->data(), mapping->size());
  if (options.populate) shm::populate(mapping->data(), mapping->size(), path);
  const bool snapshots = plan.facts.snapshots > 0;
  auto segment = c10::make_intrusive<Segment>(path, mapping, snapshots ? plan.outline : std::move(plan.outline));
  segment->maker_ = Maker{plan.facts.owner, plan.facts.owner_byte};
  if (!snapshots) return segment;
  // Readers mark what they read, so they need the first page for writing.
  storage::Fd both = shm::open_shared(path);
  if (!both || !(shm::identity(both) == shm::identity(file)))
    throw Error(Code::not_found, "the segment was replaced during the call").where(path).hint("open it again");
  segment->snapshots_ =
      std::make_shared<shm::SegmentSnapshots>(std::move(both), plan.facts, mapping, std::move(plan.outline), path);
  return segment;
}

storage::Fd Segment::export_memory(const Node& node) {
  const std::string where = "memory to export";
  shm::SegmentPlan plan = shm::plan_segment(node, 0);
  plan.facts.owner = shm::this_process();
  storage::Fd file = shm::make_memory(plan.facts.total_bytes, where);
  {
    Mapping mapping(file, plan.facts.total_bytes, Mapping::Mode::write, where);
    shm::write_segment(mapping.data(), plan, node);
  }
  shm::seal(file, where);
  return file;
}

SegmentPtr Segment::import_memory(int fd) {
  std::string where = "descriptor " + std::to_string(fd);
  storage::Fd file = shm::open_sealed(fd, where);
  shm::SegmentPlan plan = shm::read_segment(file, where);
  if (plan.facts.snapshots > 0) throw Error(Code::unsupported, "sealed memory cannot hold snapshots").where(where);
  auto mapping = std::make_shared<const Mapping>(file, plan.facts.total_bytes, Mapping::Mode::read, where);
  return c10::make_intrusive<Segment>(where, std::move(mapping), std::move(plan.outline));
}

void Segment::send(const Node& node, int socket) {
  storage::Fd file = export_memory(node);
  shm::send_descriptor(socket, file.get());
}

SegmentPtr Segment::receive(int socket, int64_t timeout_ms) {
  return import_memory(shm::receive_descriptor(socket, timeout_ms).get());
}

void Segment::unlink(std::string_view name) {
  std::string path = shm::path_of(name);
  storage::Fd file = shm::open_named(path);
  if (!file) throw Error(Code::not_found, "there is no such segment").where(path);
  int64_t size = std::min(storage::size_of(file, path), shm::header_page);
  if (!shm::has_magic(storage::read_bytes(file, 0, size, path)))
    throw Error(Code::corrupt, "it is not a segment")
        .where(path)
        .hint("it is not removed; do that yourself if you are sure");
  if (!shm::unlink_safely(path, shm::identity(file)))
    throw Error(Code::not_found, "there is no such segment").where(path);
}

Segment::~Segment() {
  if (!owner_ || owner_->keep) return;
  try {
    if (!owned_here()) return;
    shm::unlink_safely(path_, owner_->file);
  } catch (
      const std::
          exception&) {  // a destructor cannot fail: the name stays, and create will report that its owner has ended
  }
}

NodePtr Segment::dict() const {
  Access access = owner_ ? Access::read_write : Access::read_only;
  NodePtr node = storage::build(outline_, [&](const PlacedLeaf& leaf) { return view(leaf, access); });
  mark_all_shared(*node);
  Lock::acquire(*node);
  return node;
}

NodePtr Segment::snapshot() const {
  if (!snapshots_)
    throw Error(Code::unsupported, "the segment has no snapshots")
        .where(path_)
        .hint("create it with the option `snapshots`");
  return snapshots_->newest();
}

void Segment::update(const Node& src) {
  if (!owned_here())
    throw Error(Code::locked, "only the process that created the segment may update it")
        .where(path_)
        .hint("create another segment for the answer");
  Leaves sources = matching_leaves(outline_, src, mapping_->data());
  // Views of this very segment may be overwritten before they are read, unless they are copied onto themselves.
  size_t i = 0;
  storage::for_each_leaf(outline_, [&](const PlacedLeaf& leaf) {
    at::Tensor& t = sources[i++];
    if (t.numel() > 0 && mapping_->holds(data(t)) && data(t) != mapping_->data() + leaf.offset) t = t.clone();
  });
  if (snapshots_) snapshots_->update([&](char* base) { shm::copy_leaves(base, outline_, sources); });
  write_leaves(sources);
  shm::wake_all(shm::changing_half(mapping_->data()));  // whether or not anybody sleeps: they could not leave a mark
}

// A reader that sees the same even number before and after has seen no part of an update.
// tests/models: version
void Segment::write_leaves(const Leaves& sources) {
  shm::Counter& version = shm::counter(mapping_->data());
  uint64_t odd = version.load(std::memory_order_relaxed) | 1;
  version.store(odd, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  shm::copy_leaves(mapping_->data(), outline_, sources);
  version.store(odd + 1, std::memory_order_release);
}

// tests/models: version
uint64_t Segment::version() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return shm::counter(mapping_->data()).load(std::memory_order_acquire);
}

bool Segment::owned_here() const {
  return owner_ && owner_->fork_count == fork_count.load() && owner_->process.pid == shm::this_process().pid;
}

at::Tensor Segment::view(const PlacedLeaf& leaf, Access access) const {
  return storage::leaf_tensor(leaf.type, mapping_->data() + leaf.offset, mapping_, access);
}

void segment_after_fork() noexcept {
  fork_count.fetch_add(1);
}

}  // namespace td
