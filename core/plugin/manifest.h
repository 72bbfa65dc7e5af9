// Reads the manifest of a plugin before the plugin is loaded: a file of the same name that ends with .toml.
//
//     schema = 1
//     id = "org.example.fnv1a"
//     version = "1.0.0"
//     license = "MIT"
//     kinds = ["hash"]
//     abi = "1.0"                        # the plugin ABI it was built for
//     file = "fnv1a.so"                  # without one: the manifest's own name with .so
//     sha256 = "9f86d0...0a08"
//     [platform.x86_64-linux]            # instead of file and sha256, or over them
//     file = "fnv1a-x86_64.so"
//     sha256 = "..."
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugins/tensordict_plugin.h"

namespace td::plugin {

struct Manifest {
  std::string id, version, sha256;  // empty: not said
  std::vector<std::string> kinds;
  std::filesystem::path file;  // beside the manifest
};

// Throws Error(plugin) for what is no manifest, or names no file for this platform or one elsewhere; Error(version) for
// a newer schema or another ABI; Error(unsupported) if the library was built without TOML.
Manifest read_manifest(const std::filesystem::path& path);

// Throws Error(plugin) if the file is not the one that the manifest means.
void check_digest(const Manifest& manifest);

// Throws Error(plugin) if the plugin says something else than its manifest.
void check_described(const Manifest& manifest, const td_plugin& plugin);

}  // namespace td::plugin
