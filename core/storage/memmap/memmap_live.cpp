#include "core/storage/memmap/memmap_live.h"

#include <algorithm>

#include "core/dict/change/become.h"
#include "core/dict/copy.h"
#include "core/dict/lock.h"
#include "core/dict/tensordict.h"
#include "core/error.h"
#include "core/storage/archive/archive.h"
#include "core/storage/formats.h"
#include "core/storage/leaf.h"
#include "core/storage/memmap/folder.h"
#include "core/storage/memmap/live_directory.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/memmap/memmap_plan.h"
#include "core/system/file.h"
#include "core/tensor/ops.h"
#include "core/tensor/origin.h"

namespace td::storage {

namespace {

Mode mode_of(const Home& home) {
  return home.writable ? Mode::read_write : home.copied ? Mode::copy_on_write : Mode::read;
}

const Home& writable_home(const Node& node, PathView path) {
  if (!node.home() || !node.home()->writable)
    throw Error(Code::unsupported, "the dict is not mapped from a directory for writing")
        .key(to_string(path))
        .hint_naming("open the directory with {OPEN_READ_WRITE}, or make it with {dict_memmap_like}");
  return *node.home();
}

// The node that exists already, and how many parts of the path lead to it.
std::pair<NodePtr, size_t> deepest_node(Node& root, PathView path) {
  NodePtr node = itself(root);
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    Entry e = node->find(path[i]);
    if (!e) return {node, i};
    if (!e.is_node()) throw Error(Code::key, "the path runs through an entry that is not a dict").key(to_string(path));
    node = e.take_node();
  }
  return {node, path.size() - 1};
}

// The tensor in the nodes that are missing: what has to be added below one key.
NodePtr in_new_nodes(PathView path, const at::Tensor& value, const Node& parent) {
  NodePtr node = TensorDict::make(parent.batch_size(), c10::Device(c10::kCPU));
  node->put(Key(path[path.size() - 1]), Entry(value));
  for (size_t i = path.size() - 1; i-- > 1;) {
    NodePtr outer = TensorDict::make(parent.batch_size(), c10::Device(c10::kCPU));
    outer->put(Key(path[i]), Entry(std::move(node)));
    node = std::move(outer);
  }
  return node;
}

void make_zeros(PlannedDirectory& plan) {
  for (PlannedFile& f : plan.files)
    if (!f.table) f.tensors.clear();
  for (auto& below : plan.directories) make_zeros(below.second);
}

void check_names(const Node& node, const std::vector<std::string>& wanted, PathView path) {
  node.visit([&](const Key& key, const Entry& entry) {
    for (const std::string& name : file_names(key, entry))
      if (std::find(wanted.begin(), wanted.end(), name) != wanted.end())
        throw Error(Code::key, "two entries would have the name " + name + " in one directory")
            .key(to_string(path))
            .hint("choose another key");
  });
}

// The files of one leaf, and the leaf in them.
at::Tensor make_leaf(LiveDirectory& directory, const Home& home, const Key& key, const PlannedDirectory& plan,
                     const at::Tensor& value, bool zeros) {
  LeafType type = leaf_type(value, Path(std::vector<Key>{key}));
  LeafBytes bytes;
  directory.add(key, leaf_member(c10::Device(c10::kCPU), type), [&] {
    if (type.bytes == 0) return;
    const std::string& name = plan.files[0].name;
    directory.put(name, [&](const Fd& file, const std::string& where) {
      allocate(file, type.bytes, where);
      if (zeros) return;
      at::Tensor d = dense(value);
      write_bytes(file, data(d), static_cast<size_t>(type.bytes), where);
    });
    bytes = open_folder(home.directory, Mode::read_write)->leaf(name, type.bytes);
    if (!bytes.data) throw Error(Code::io, "the file has vanished").where(home.directory + '/' + name);
  });
  at::Tensor t = leaf_tensor(type, bytes.data, std::move(bytes.owner));
  return bytes.file ? as_file(std::move(t)) : t;
}

// New nodes with one leaf at their end.
NodePtr make_nodes(LiveDirectory& directory, const Home& home, const Key& key, const PlannedDirectory& plan) {
  const auto& [name, below] = plan.directories[0];
  NodePtr made;
  directory.add(key, "{\"type\":\"TensorDict\"}", [&, &name = name, &below = below] {
    SaveOptions replace;
    replace.overwrite = true;  // what a killed process left
    write_plan(below, home.directory + '/' + name, replace);
    made = read_memmap(*open_folder(home.directory + '/' + name, Mode::read_write), false);
  });
  return made;
}

at::Tensor make(Node& root, PathView path, const at::Tensor& value, bool zeros) {
  auto [node, depth] = deepest_node(root, path);
  Key key{path[depth]};
  const Home& home = writable_home(*node, path);
  if (node->find(key))
    throw Error(Code::exists, "the entry exists already").key(to_string(path)).hint("write into its tensor");
  at::IntArrayRef batch = node->batch_size();
  if (value.sizes().size() < batch.size() || value.sizes().slice(0, batch.size()) != batch)
    throw Error(Code::shape, "batch mismatch: batch size " + to_string(batch) + ", got " + to_string(value.sizes()))
        .key(to_string(path))
        .hint("leading dims must equal the batch size");

  // Everything that a save would refuse is refused here, also two entries that would share a file.
  PathView rest(path.begin() + depth, path.size() - depth);
  NodePtr level = TensorDict::make(batch, node->device());
  level->put(key, rest.size() == 1 ? Entry(value) : Entry(in_new_nodes(rest, value, *node)));
  PlannedDirectory plan = plan_memmap(*level);
  check_names(*node, file_names(key, level->find(key)), path);
  if (zeros) make_zeros(plan);

  LiveDirectory directory(home.directory);
  Entry made = rest.size() == 1 ? Entry(make_leaf(directory, home, key, plan, value, zeros))
                                : Entry(make_nodes(directory, home, key, plan));
  at::Tensor leaf = made.is_tensor() ? made.tensor() : made.node()->tensor(rest.below());
  bool new_nodes = made.is_node();
  node->put(key, std::move(made));
  if (new_nodes && node->locked()) Lock::acquire(root.locked() ? root : *node);
  return leaf;
}

}  // namespace

at::Tensor make_memmap(Node& root, PathView path, at::IntArrayRef sizes, at::ScalarType type) {
  checked_numel(sizes, c10::elementSize(type));
  return make(root, path, at::zeros({}, at::TensorOptions(type)).expand(sizes), true);
}

at::Tensor make_memmap(Node& root, PathView path, const at::Tensor& value) {
  return make(root, path, value, false);
}

namespace {

// As in the original: an archive cannot be mapped, so the dict is in memory.
NodePtr archive_like(const Node& node, const std::string& path, const SaveOptions& options) {
  Leaves all = leaves(node);
  for (at::Tensor& t : all) t = at::zeros(t.sizes(), at::TensorOptions(t.scalar_type()).device(t.device()));
  NodePtr made = rebuild(node, all, node.batch_size(), node.names());
  save_archive(*made, path, options);
  return made;
}

}  // namespace

NodePtr memmap_like(const Node& node, const std::string& path, const SaveOptions& options) {
  if (format_to_save(path, options.format) == Format::archive) return archive_like(node, path, options);
  if (options.format != Format::automatic && options.format != Format::memmap)
    throw Error(Code::unsupported,
                std::string("a dict lives in a memmap directory, and in no ") + format_name(options.format))
        .where(path)
        .hint_naming("leave the format to {FORMAT_AUTO} or {FORMAT_MEMMAP}, or write an archive");
  PlannedDirectory plan = plan_memmap(node);
  make_zeros(plan);
  write_plan(plan, checked_path(path), options);
  return open_memmap(path, {Mode::read_write, Format::memmap, false});
}

void refresh_memmap(Node& node) {
  if (!node.home())
    throw Error(Code::unsupported, "the dict was not opened from a directory").hint_naming("open it with {open}");
  bool relock = node.home()->writable && node.locked();
  become(node, *read_memmap(*open_folder(node.home()->directory, mode_of(*node.home())), false), relock);
  if (relock) Lock::acquire(node);
}

}  // namespace td::storage
