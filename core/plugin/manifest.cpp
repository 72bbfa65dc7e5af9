#include "core/plugin/manifest.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#if __has_include(<toml++/toml.h>)
#include <toml++/toml.h>
#define TD_HAS_TOML 1
#endif

#include "core/error.h"
#include "core/plugin/kind.h"
#include "core/plugin/sha256.h"
#include "core/plugin/tables.h"

namespace td::plugin {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void bad_manifest(const fs::path& path, const std::string& what) {
  throw Error(Code::plugin, "its manifest " + path.filename().string() + " " + what).where(path.string());
}

#if defined(TD_HAS_TOML)
constexpr uintmax_t manifest_limit = 1 << 20;

#if defined(__x86_64__)
constexpr const char* platform = "x86_64-linux";
#elif defined(__aarch64__)
constexpr const char* platform = "aarch64-linux";
#else
constexpr const char* platform = "";
#endif

toml::table parse(const fs::path& path) {
  std::error_code failed;
  uintmax_t size = fs::file_size(path, failed);
  if (failed) throw os_error(failed.value(), "open", path.string());
  if (size > manifest_limit) bad_manifest(path, "is longer than a megabyte");
  try {
    return toml::parse_file(path.string());
  } catch (const toml::parse_error& e) {
    bad_manifest(path,
                 "is not TOML: " + std::string(e.description()) + " in line " + std::to_string(e.source().begin.line));
  }
}

std::string word(const toml::table& table, const char* name, const fs::path& path) {
  const toml::node* node = table.get(name);
  if (!node) return {};
  if (!node->is_string()) bad_manifest(path, "has a \"" + std::string(name) + "\" that is not text");
  return node->as_string()->get();
}

void check_abi(const std::string& abi, const fs::path& path) {
  if (abi.empty()) return;
  int major = 0, minor = 0, used = 0;
  if (std::sscanf(abi.c_str(), "%d.%d%n", &major, &minor, &used) != 2 || static_cast<size_t>(used) != abi.size())
    bad_manifest(path, "has an \"abi\" that is not two numbers: " + abi);
  if (major != TD_PLUGIN_ABI_MAJOR || minor > TD_PLUGIN_ABI_MINOR)
    throw Error(Code::version, "its manifest says plugin ABI " + abi + ", but this library offers " +
                                   std::to_string(TD_PLUGIN_ABI_MAJOR) + "." + std::to_string(TD_PLUGIN_ABI_MINOR))
        .where(path.string());
}

fs::path file_beside(const std::string& name, const fs::path& path) {
  fs::path file(name);
  if (name.empty() || file.has_parent_path() || name == "." || name == "..")
    bad_manifest(path, "names the file \"" + name + "\", which is not beside it");
  return path.parent_path() / file;
}

void check_words(const toml::table& table, const fs::path& path) {
  static const std::set<std::string_view> known = {"schema", "id",     "version",  "license",     "kinds",  "abi",
                                                   "file",   "sha256", "platform", "description", "vendor", "homepage"};
  for (const auto& entry : table)
    if (!known.count(entry.first.str()))
      bad_manifest(path, "has the unknown member \"" + std::string(entry.first.str()) + "\"");
}
#endif

}  // namespace

#if defined(TD_HAS_TOML)
Manifest read_manifest(const fs::path& path) {
  toml::table table = parse(path);
  int64_t schema = table["schema"].value_or(int64_t{0});
  if (schema > 1)
    throw Error(Code::version, "its manifest has schema " + std::to_string(schema) + ", but this library reads only 1")
        .where(path.string());
  if (schema != 1) bad_manifest(path, "does not begin with schema = 1");
  check_words(table, path);
  check_abi(word(table, "abi", path), path);
  Manifest m;
  m.id = word(table, "id", path), m.version = word(table, "version", path), m.sha256 = word(table, "sha256", path);
  std::string file = word(table, "file", path);
  if (const toml::table* here = table["platform"][platform].as_table()) {
    if (here->get("file")) file = word(*here, "file", path);
    m.sha256 = word(*here, "sha256", path);
  } else if (table.contains("platform") && file.empty()) {
    bad_manifest(path, std::string("has no file for ") + platform);
  }
  if (file.empty()) file = path.stem().string() + ".so";
  m.file = file_beside(file, path);
  if (const toml::node* kinds = table.get("kinds")) {
    if (!kinds->is_array()) bad_manifest(path, "has \"kinds\" that are not a list");
    for (const toml::node& kind : *kinds->as_array()) m.kinds.push_back(kind.value_or(std::string("?")));
  }
  bool hex = m.sha256.size() == 64 && m.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!m.sha256.empty() && !hex) bad_manifest(path, "has a sha256 that is not 64 lower-case hexadecimal digits");
  return m;
}
#else
Manifest read_manifest(const fs::path& path) {
  throw Error(Code::unsupported, "its manifest cannot be read: the library was built without toml++")
      .where(path.string());
}
#endif

void check_digest(const Manifest& manifest) {
  if (manifest.sha256.empty()) return;
  std::ifstream stream(manifest.file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad()) throw os_error(errno, "read", manifest.file.string());
  std::string digest = sha256_hex(bytes);
  if (digest != manifest.sha256)
    throw Error(Code::plugin, "its sha256 is " + digest + ", but its manifest says " + manifest.sha256)
        .where(manifest.file.string())
        .hint("the file was changed after the manifest was written");
}

void check_described(const Manifest& manifest, const td_plugin& plugin) {
  auto same = [&](const char* what, const std::string& said, td_str is) {
    if (!said.empty() && said != text(is))
      throw Error(Code::plugin,
                  std::string("its ") + what + " is " + std::string(text(is)) + ", but its manifest says " + said);
  };
  same("id", manifest.id, plugin.id);
  same("version", manifest.version, plugin.version);
  if (manifest.kinds.empty()) return;
  for (size_t i = 0; i < plugin.n_types; ++i) {
    std::string kind = kind_name(plugin.types[i]->kind);
    if (known(plugin.types[i]->kind) &&
        std::find(manifest.kinds.begin(), manifest.kinds.end(), kind) == manifest.kinds.end())
      throw Error(Code::plugin, "it offers a " + kind + " that its manifest does not list");
  }
}

}  // namespace td::plugin
