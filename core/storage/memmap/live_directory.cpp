#include "core/storage/memmap/live_directory.h"

#include <cctype>
#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/storage/json.h"
#include "core/storage/json_text.h"
#include "core/storage/memmap/memmap.h"
#include "core/storage/names.h"
#include "core/system/permissions.h"

namespace td::storage {

namespace {

constexpr const char* making = ".making";

// The text with one member more at its end, where Python adds it too.
std::string with_member(const std::string& meta, const Key& key, const std::string& value, const std::string& where) {
  boost::json::value parsed = parse_json(meta, where);
  if (!parsed.is_object() || parsed.get_object().empty())
    throw Error(Code::corrupt, "meta.json does not hold an object").where(where);
  if (member(parsed.get_object(), key.text()))
    throw Error(Code::exists, "another process has added this key").where(where).hint("refresh the dict");
  std::string text = meta.substr(0, meta.rfind('}'));
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  text += ',';
  append_json(text, key.text());
  return text + ':' + value + '}';
}

}  // namespace

LiveDirectory::LiveDirectory(const std::string& path) : path_(path) {
  do {  // the last holder of the lock may have replaced the directory
    directory_ = Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory_) throw os_error(errno, "open", path);
    while (flock(directory_.get(), LOCK_EX) != 0 && errno == EINTR) continue;  // without locks there are no rivals
  } while (!is_at(path));
}

LiveDirectory::~LiveDirectory() {
  unlock(directory_);
}

bool LiveDirectory::is_at(const std::string& path) const {
  struct stat mine, there;
  return fstat(directory_.get(), &mine) != 0 || stat(path.c_str(), &there) != 0 ||
         (mine.st_dev == there.st_dev && mine.st_ino == there.st_ino);
}

void LiveDirectory::add(const Key& key, const std::string& value, const std::function<void()>& make_files) {
  std::string name(meta_name), where = path_ + '/' + name;
  int64_t size = 0;
  Fd file = open_regular(directory_.get(), name, where, &size);
  if (!file || size > longest_meta) throw Error(Code::corrupt, "meta.json is missing or too large").where(where);
  std::string text = with_member(json_text(read_bytes(file, 0, size, where), where), key, value, where);
  make_files();
  put(name, [&](const Fd& to, const std::string& at) { write_bytes(to, text.data(), text.size(), at); });
}

void LiveDirectory::put(const std::string& name, const std::function<void(const Fd&, const std::string&)>& fill) {
  std::string where = path_ + '/' + name;
  unlinkat(directory_.get(), making, 0);
  Fd file(openat(directory_.get(), making, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) throw os_error(errno, "create", where);
  try {
    if (optional<Permissions> rights = Permissions::of(path_ + '/' + std::string(meta_name)))
      rights->give_to(file, where);
    fill(file, where);
    if (renameat(directory_.get(), making, directory_.get(), name.c_str()) != 0) throw os_error(errno, "rename", where);
  } catch (...) {
    unlinkat(directory_.get(), making, 0);
    throw;
  }
}

}  // namespace td::storage
