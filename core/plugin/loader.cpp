#include "core/plugin/loader.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <boost/dll/library_info.hpp>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>

#include "core/error.h"
#include "core/fork.h"
#include "core/plugin/call.h"
#include "core/plugin/manifest.h"
#include "core/plugin/registry.h"
#include "core/plugin/tables.h"
#include "core/plugin/trust.h"
#include "core/system/file.h"

namespace td::plugin {

namespace {

namespace fs = std::filesystem;

constexpr const char* entry_name = "td_plugin_entry";

struct Loader {
  ProcessMutex mutex;  // loads one plugin at a time
  std::atomic<bool> bundled_done{false};
  bool bundled_begun = false;
  std::set<FileId> loaded, loading;
  std::vector<boost::dll::shared_library> libraries;
  std::vector<std::pair<std::string, std::string>> lines;  // file, what became of it
};

// Never destroyed: unloading at exit would pull the code away from under instances that are still alive.
Loader& loader = *new Loader;

void note(const std::string& file, std::string line) {
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  for (auto& known : loader.lines)
    if (known.first == file) {
      known.second = std::move(line);
      return;
    }
  loader.lines.emplace_back(file, std::move(line));
}

// A further sentence about a file that was loaded.
void append(const std::string& file, const std::string& sentence) {
  for (auto& known : loader.lines)
    if (known.first == file) known.second += "; " + sentence;
}

fs::path canonical(const std::string& path) {
  if (path.empty()) throw Error(Code::argument, "the file name is empty");
  std::error_code failed;
  fs::path result = fs::canonical(path, failed);
  if (failed) throw os_error(failed.value(), "open", path);
  return result;
}

void check_entry(const fs::path& file) {
  std::vector<std::string> symbols;
  try {
    symbols = boost::dll::library_info(file).symbols();
  } catch (const std::exception& e) {
    throw Error(Code::plugin, std::string("its symbols cannot be read: ") + e.what());
  }
  if (std::find(symbols.begin(), symbols.end(), entry_name) == symbols.end())
    throw Error(Code::plugin, std::string("not a plugin: it does not export ") + entry_name);
}

boost::dll::shared_library open(const fs::path& file) {
  using mode = boost::dll::load_mode::type;
  auto flags = boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local;
  try {
    return boost::dll::shared_library(file, static_cast<mode>(static_cast<int>(flags) | RTLD_NODELETE));
  } catch (const std::exception& e) {
    throw Error(Code::plugin, e.what());
  }
}

// Plugins built for 1.0 have a shorter td_plugin, which is fine: they leave the rest as it is.
td_plugin run_entry(const boost::dll::shared_library& library) {
  td_plugin plugin{};
  plugin.magic = TD_PLUGIN_MAGIC;
  plugin.abi_major = TD_PLUGIN_ABI_MAJOR;
  plugin.abi_minor = TD_PLUGIN_ABI_MINOR;
  plugin.struct_size = sizeof(td_plugin);
  auto& entry = library.get<td_status(const td_host*, td_plugin*, td_error**)>(entry_name);
  try {
    call("", [&](td_error** err) { return entry(&host(), &plugin, err); });
  } catch (const Error& e) {
    throw Error(e.code() == Code::version ? Code::version : Code::plugin, "its entry function failed: " + e.message())
        .hint(e.hint());
  }
  return plugin;
}

std::string describe(const td_plugin& plugin, const std::vector<std::string>& remarks) {
  auto word = [](td_str s) { return s.data ? std::string(text(s)) : std::string("?"); };
  std::string line = "loaded: " + word(plugin.id) + " " + word(plugin.version) + " (" + word(plugin.vendor) + ", " +
                     word(plugin.license) + ")";
  for (const std::string& remark : remarks) line += ", " + remark;
  return line;
}

// A manifest of its name that stands beside a file.
optional<fs::path> manifest_beside(const fs::path& file) {
  fs::path path = file;
  path.replace_extension(".toml");
  std::error_code failed;
  return fs::exists(path, failed) ? optional<fs::path>(path) : nullopt;
}

// A file whose entry runs, which may ask for it again.
class Loading {
 public:
  explicit Loading(const FileId& id) : id_(id) { loader.loading.insert(id_); }
  ~Loading() { loader.loading.erase(id_); }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

 private:
  FileId id_;
};

void load_trusted(const fs::path& file, const optional<Manifest>& manifest, bool bundled) {
  FileId id = check_trusted(file);
  if (loader.loaded.count(id) || loader.loading.count(id)) return;
  if (manifest) check_digest(*manifest);
  check_libraries(file);
  check_entry(file);
  loader.libraries.push_back(open(file));
  Loading now(id);
  td_plugin plugin = run_entry(loader.libraries.back());
  if (manifest) {
    check(plugin);
    check_described(*manifest, plugin);
  }
  Added added = add(plugin, file.string(), bundled);
  loader.loaded.insert(id);
  note(file.string(), describe(plugin, added.remarks));
  for (auto& other : added.replaced) append(other.first, other.second);
}

void load_file(const fs::path& file, bool bundled) {
  if (file.extension() == ".toml") {
    check_trusted(file);
    Manifest manifest = read_manifest(file);
    manifest.file = canonical(manifest.file.string());
    return load_trusted(manifest.file, manifest, bundled);
  }
  optional<Manifest> manifest;
  if (optional<fs::path> path = manifest_beside(file)) {
    check_trusted(*path);
    manifest = read_manifest(*path);
    // A manifest names the file for one platform; a file that the manifest beside it does not name is refused.
    if (manifest->file.filename() != file.filename())
      throw Error(Code::plugin, "its manifest " + path->filename().string() + " is for another file, " +
                                    manifest->file.filename().string());
  }
  load_trusted(file, manifest, bundled);
}

// The caller holds the mutex. Errors name the file, whatever they were about.
void load_one(const std::string& path, bool bundled = false) {
  std::string file = path;
  try {
    fs::path real = canonical(path);
    file = real.string();
    load_file(real, bundled);
  } catch (...) {
    Error e = current_error();
    std::string message = e.message();
    if (!e.where().empty() && e.where() != file) message += " (" + e.where() + ")";
    note(file, "refused: " + message + (e.hint().empty() ? "" : ": " + e.hint()));
    throw e.message(message).where(file);
  }
}

std::vector<std::string> files_of(const fs::path& directory) {
  std::vector<std::string> files;
  storage::Fd opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) throw os_error(errno, "list", directory.string());
  for (const std::string& name : storage::names_in(opened, directory.string())) {
    const fs::path path = directory / name;
    bool wanted = path.extension() == ".so" || path.extension() == ".toml";
    if (wanted && name[0] != '.') files.push_back(path.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void load_directory(const fs::path& directory, bool bundled = false) {
  for (const std::string& file : files_of(directory)) {
    try {
      load_one(file, bundled);
    } catch (const Error&) {  // it stands in the report
    }
  }
}

// Installed they lie in TD_PLUGIN_DIR beside the library, in a build directory in plugins.
void load_bundled_locked() {
  std::error_code failed;
  fs::path self = fs::canonical(boost::dll::this_line_location(failed), failed);
  fs::path installed = self.parent_path() / TD_PLUGIN_DIR, built = self.parent_path() / "plugins";
  for (const fs::path& directory : {installed, built})
    if (fs::is_directory(directory, failed)) {
      try {
        load_directory(directory, true);
      } catch (const Error& e) {
        note(directory.string(), "refused: " + e.message());
      }
      return;
    }
  note(installed.string(), "no bundled plugins found: neither this directory exists nor " + built.string());
}

// Directories that the environment lists; what is wrong with them stands in the report.
void load_environment() {
  const char* list = std::getenv("TENSORDICT_PLUGIN_PATH");
  if (!list || !*list) return;
  if (is_set_id_process())
    return note("TENSORDICT_PLUGIN_PATH", "ignored: the process runs with privileges that differ from its user's");
  std::string rest = list;
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    std::string directory = rest.substr(0, end);
    rest.erase(0, end + 1);
    if (directory.empty()) continue;
    try {
      if (directory[0] != '/') throw Error(Code::plugin, "TENSORDICT_PLUGIN_PATH contains a path that is not absolute");
      load_directory(canonical(directory));
    } catch (const Error& e) {
      note(directory, "refused: " + e.message());
    }
  }
}

}  // namespace

void load(const std::string& file) {
  load_bundled();
  ProcessLock hold(loader.mutex);
  load_one(file);
}

void add_path(const std::string& directory) {
  load_bundled();
  ProcessLock hold(loader.mutex);
  load_directory(canonical(directory));
}

void load_bundled() {
  if (loader.bundled_done.load(std::memory_order_acquire)) return;
  ProcessLock hold(loader.mutex);
  if (loader.bundled_begun) return;  // also for a plugin that asks while it is loaded
  loader.bundled_begun = true;
  try {
    load_bundled_locked();
    load_environment();
  } catch (...) {
    loader.bundled_begun = false;
    throw;
  }
  loader.bundled_done.store(true, std::memory_order_release);
}

std::string report() {
  load_bundled();
  ProcessLock hold(loader.mutex);
  std::string all;
  for (const auto& line : loader.lines) all += line.first + ": " + line.second + "\n";
  return all;
}

}  // namespace td::plugin
