#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/dict/key.h"
#include "core/error.h"
#include "core/storage/archive/zip.h"

namespace td::storage::zip {

namespace {

constexpr int64_t local_size = 30, record_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr uint32_t in_zip64 = 0xFFFFFFFF;
constexpr uint16_t encrypted = 1, sizes_follow = 8, strongly_encrypted = 0x40, masked = 0x2000;
constexpr uint16_t zip64_block = 1, unicode_path_block = 0x7075;

template <class T>
T number(std::string_view bytes, size_t at) {
  T n;
  std::memcpy(&n, bytes.data() + at, sizeof n);
  return n;
}

uint16_t u16(std::string_view b, size_t at) {
  return number<uint16_t>(b, at);
}
uint32_t u32(std::string_view b, size_t at) {
  return number<uint32_t>(b, at);
}

Error broken(const std::string& why) {
  return Error(Code::corrupt, why).hint("the archive was truncated or changed; copy it again");
}

// The data of the extra block `id`, empty if there is none.
std::string_view extra_block(std::string_view extra, uint16_t id) {
  while (extra.size() >= 4) {
    size_t size = u16(extra, 2);
    if (size > extra.size() - 4) throw broken("a block of an entry is truncated");
    if (u16(extra, 0) == id) return extra.substr(4, size);
    extra.remove_prefix(4 + size);
  }
  return {};
}

// Takes the next number of a zip64 block for a field that says that it is there.
class Zip64 {
 public:
  explicit Zip64(std::string_view extra) : block_(extra_block(extra, zip64_block)) {}
  int64_t wide(uint32_t field) {
    if (field != in_zip64) return field;
    if (block_.size() < 8) throw broken("a size or an offset of 64 bits is missing");
    auto n = number<uint64_t>(block_, 0);
    block_.remove_prefix(8);
    if (n > (uint64_t{1} << 62)) throw broken("a size or an offset is beyond all files");
    return static_cast<int64_t>(n);
  }

 private:
  std::string_view block_;
};

// Info-ZIP puts names beyond ASCII into a block of their own.
std::string name_of(std::string_view name, std::string_view extra) {
  std::string_view block = extra_block(extra, unicode_path_block);
  if (block.size() > 5 && block[0] == 1 && u32(block, 1) == crc32(0, name.data(), name.size())) name = block.substr(5);
  return std::string(name);
}

void check_name(const std::string& name) {
  try {
    check_utf8(name, "a name");
  } catch (const Error&) {
    throw broken("the name of an entry is not UTF-8");
  }
  auto refuse = [&] { return broken("the entry \"" + name + "\" is outside the archive"); };
  if (name.empty() || name.find('\0') != name.npos) throw broken("an entry has no name");
  std::string_view rest = name;
  if (rest.back() == '/') rest.remove_suffix(1);
  for (;;) {
    size_t end = rest.find('/');
    std::string_view part = rest.substr(0, end);
    if (part.empty() || part == "." || part == "..") throw refuse();
    if (end == rest.npos) return;
    rest.remove_prefix(end + 1);
  }
}

struct Directory {
  int64_t offset, size, count;
};

class Reader {
 public:
  explicit Reader(MappedFile& file) : file_(file) {}

  std::vector<Entry> read() {
    Directory directory = find_directory();
    records_ = file_.read(directory.offset, directory.size);
    payload_end_ = directory.offset;
    std::vector<Entry> entries;
    size_t at = 0;
    for (int64_t i = 0; i < directory.count; ++i) {
      entries.push_back(read_record(at));
      entries.back().record += directory.offset;
    }
    if (at != records_.size()) throw broken("the directory of the archive does not have the length that it states");
    file_.map(directory.offset);
    std::unordered_set<std::string_view> names;
    for (Entry& e : entries) {
      if (!names.insert(e.name).second) throw broken("two entries have the name \"" + e.name + '"');
      try {
        check_local(e);
      } catch (Error& error) {
        throw error.where(file_.path() + "::" + e.name);
      }
    }
    check_overlap(entries);
    return entries;
  }

 private:
  Directory find_directory() const {
    int64_t tail = std::min<int64_t>(file_.size(), end_size + 0xFFFF);
    std::string end = file_.read(file_.size() - tail, tail);
    for (int64_t at = tail - end_size; at >= 0; --at) {
      std::string_view record = std::string_view(end).substr(static_cast<size_t>(at));
      if (record.compare(0, 4, "PK\5\6") != 0 || u16(record, 20) != tail - at - end_size) continue;
      return directory_at(record, file_.size() - tail + at);
    }
    throw broken("the end of the archive is missing");
  }

  Directory directory_at(std::string_view end, int64_t position) const {
    if (u16(end, 4) != 0 || u16(end, 6) != 0 || u16(end, 8) != u16(end, 10))
      throw Error(Code::unsupported, "the archive is split into several files");
    Directory d{u32(end, 16), u32(end, 12), u16(end, 10)};
    int64_t behind = position;
    std::string locator;
    if (position >= locator_size + end64_size) locator = file_.read(position - locator_size, locator_size);
    if (locator.compare(0, 4, "PK\6\7") == 0) {
      auto at = number<uint64_t>(locator, 8);
      if (u32(locator, 4) != 0 || u32(locator, 16) != 1)
        throw Error(Code::unsupported, "the archive is split into several files");
      if (at > static_cast<uint64_t>(position - locator_size - end64_size))
        throw broken("the end of the archive points outside it");
      std::string end64 = file_.read(static_cast<int64_t>(at), end64_size);
      if (end64.compare(0, 4, "PK\6\6") != 0) throw broken("the end of the archive is not where it should be");
      constexpr uint64_t most = uint64_t{1} << 62;
      auto count = number<uint64_t>(end64, 32), size = number<uint64_t>(end64, 40),
           offset = number<uint64_t>(end64, 48);
      if (count > most || size > most || offset > most)
        throw broken("the directory of the archive is beyond all files");
      d = {static_cast<int64_t>(offset), static_cast<int64_t>(size), static_cast<int64_t>(count)};
      behind = static_cast<int64_t>(at);
    }
    if (d.size > behind || d.offset != behind - d.size)
      throw broken("the directory of the archive is not where its end says")
          .hint("there is data before or after the archive");
    if (d.count > d.size / record_size) throw broken("the directory of the archive is too short for its entries");
    return d;
  }

  Entry read_record(size_t& at) const {
    std::string_view r = std::string_view(records_).substr(at);
    if (r.size() < record_size || r.compare(0, 4, "PK\1\2") != 0)
      throw broken("the directory of the archive is truncated");
    size_t name = u16(r, 28), extra = u16(r, 30), comment = u16(r, 32);
    if (r.size() - record_size < name + extra + comment) throw broken("the directory of the archive is truncated");
    std::string_view blocks = r.substr(record_size + name, extra);
    Entry e;
    e.name = name_of(r.substr(record_size, name), blocks);
    check_name(e.name);  // before an error quotes it
    e.flags = u16(r, 8);
    e.method = u16(r, 10);
    e.crc = u32(r, 16);
    Zip64 wide(blocks);
    e.size = wide.wide(u32(r, 24));
    e.packed = wide.wide(u32(r, 20));
    e.header = wide.wide(u32(r, 42));
    e.record = static_cast<int64_t>(at);
    if (e.flags & (encrypted | strongly_encrypted | masked))
      throw Error(Code::unsupported, "the entry is encrypted").where(file_.path() + "::" + e.name);
    if (u16(r, 34) != 0) throw Error(Code::unsupported, "the archive is split into several files");
    at += record_size + name + extra + comment;
    return e;
  }

  // What the header in front of the payload says must be what the directory says.
  void check_local(Entry& e) const {
    if (e.header > payload_end_ - local_size) throw broken("the entry is outside the archive");
    std::string_view h(file_.mapping()->data() + e.header, static_cast<size_t>(payload_end_ - e.header));
    if (h.compare(0, 4, "PK\3\4") != 0) throw broken("there is no entry where the directory says");
    size_t name = u16(h, 26), extra = u16(h, 28);
    if (h.size() - local_size < name + extra) throw broken("the header of the entry is truncated");
    std::string_view blocks = h.substr(local_size + name, extra);
    if (name_of(h.substr(local_size, name), blocks) != e.name) throw broken("the entry has another name in its header");
    if (u16(h, 8) != e.method || ((u16(h, 6) ^ e.flags) & (encrypted | sizes_follow)) != 0)
      throw broken("the entry has another method in its header");
    if (!(e.flags & sizes_follow)) {
      Zip64 wide(blocks);
      int64_t size = wide.wide(u32(h, 22)), packed = wide.wide(u32(h, 18));
      if (size != e.size || packed != e.packed || u32(h, 14) != e.crc)
        throw broken("the entry has another size or checksum in its header");
    }
    e.payload = e.header + local_size + static_cast<int64_t>(name + extra);
    if (e.packed > payload_end_ - e.payload) throw broken("the entry reaches beyond the archive");
    if (e.method == stored && e.packed != e.size) throw broken("the entry is stored, but has two sizes");
    if (e.name.back() == '/' && e.size != 0) throw broken("the entry is a directory, but has bytes");
  }

  static void check_overlap(const std::vector<Entry>& entries) {
    std::vector<const Entry*> order;
    for (const Entry& e : entries) order.push_back(&e);
    std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) { return a->header < b->header; });
    for (size_t i = 1; i < order.size(); ++i)
      if (order[i - 1]->payload + order[i - 1]->packed > order[i]->header)
        throw broken("the entries \"" + order[i - 1]->name + "\" and \"" + order[i]->name + "\" overlap");
  }

  MappedFile& file_;
  std::string records_;
  int64_t payload_end_ = 0;
};

}  // namespace

std::vector<Entry> read_directory(MappedFile& file) {
  try {
    return Reader(file).read();
  } catch (Error& e) {
    throw e.where().empty() ? e.where(file.path()) : e;
  }
}

std::string method_name(uint16_t method) {
  switch (method) {
    case stored:
      return "stored";
    case deflated:
      return "deflate";
    case bzip2:
      return "bzip2";
    case lzma:
      return "lzma";
    default:
      return "number " + std::to_string(method);
  }
}

}  // namespace td::storage::zip
