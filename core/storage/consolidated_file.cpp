#include <algorithm>
#include <cstring>

#include "core/dict/lock.h"
#include "core/error.h"
#include "core/storage/consolidated.h"
#include "core/storage/json_text.h"
#include "core/storage/memmap/mapped_file.h"
#include "core/storage/staged_writer.h"

namespace td::storage {

namespace {

constexpr int64_t footer = 8;

std::string read_metadata(const MappedFile& file) {
  if (file.size() < footer) throw Error(Code::corrupt, "the file is too short to be consolidated").where(file.path());
  int64_t n;
  std::memcpy(&n, file.read(file.size() - footer, footer).data(), footer);
  if (n <= 0 || n > file.size() - footer)
    throw Error(Code::corrupt, "the footer says that the metadata has " + std::to_string(n) + " bytes, in a file of " +
                                   std::to_string(file.size()))
        .where(file.path())
        .hint("the file was truncated, or is not a consolidated file");
  if (n > longest_metadata) throw Error(Code::corrupt, "the metadata is too long").where(file.path());
  return file.read(file.size() - footer - n, n);
}

}  // namespace

void lock_again(const Outline& o, Node& node) {
  if (o.locked) {
    Lock::acquire(node);
    return;
  }
  size_t i = 0;
  if (o.stack_dim) {
    node.parts([&](const Entry& e) { lock_again(o.nodes[i++].second, *e.node()); });
    return;
  }
  for (const auto& [key, child] : o.nodes)
    if (!child.stack) lock_again(child, *node.find(key).node());
}

NodePtr open_consolidated(const std::string& path, const OpenOptions& options) {
  MappedFile file(path, options.mode);
  std::string json = read_metadata(file);
  int64_t end = file.size() - footer - static_cast<int64_t>(json.size());
  Outline outline = parse_outline(json_text(std::move(json), path), {0, end, 1, !options.lenient, true}, path);
  file.map(end);
  NodePtr node;
  try {
    node = build(outline, [&](const PlacedLeaf& leaf) { return file.tensor(leaf.offset, leaf.type); });
  } catch (Error& e) {
    throw e.where().empty() ? e.where(path) : e;
  }
  lock_again(outline, *node);
  return node;
}

void save_consolidated(const Node& node, const std::string& path, const SaveOptions& options) {
  if (options.compression != Compression::none)
    throw Error(Code::unsupported, "consolidated files cannot be compressed").where(path).hint("save an archive, .tdz");
  Outline outline = plan(node, 0, 8, true);
  std::string json = to_json(outline);
  int64_t end = end_of(outline, 0), length = static_cast<int64_t>(json.size());

  StagedFile staged(path, options.overwrite);
  StagedWriter writer(staged, end + length + footer, options);
  // The plan follows the order of entries, the outline has nodes behind leaves: write in the order of the file.
  std::vector<std::pair<int64_t, at::Tensor>> leaves;
  Pairing collect;
  collect.leaf = [&](const Path&, const PlacedLeaf& l, const at::Tensor& t) { leaves.emplace_back(l.offset, t); };
  collect.data = [](const Path&, const Data&, const Data&) {};
  pair(outline, node, collect);
  std::sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [offset, t] : leaves) {
    if (t.numel() == 0) continue;
    writer.zeros(static_cast<size_t>(offset - writer.position()));
    writer.write(dense(t));
    t.reset();
  }
  writer.zeros(static_cast<size_t>(end - writer.position()));
  writer.write(json.data(), json.size());
  writer.write(&length, sizeof length);
  writer.finish();
  staged.publish(options.sync);
}

}  // namespace td::storage
