// The safetensors format: [int64 length of the JSON][JSON][tensors]. Its keys are flat; Python's tensordict keeps the
// tree in the metadata, and files of other writers are trees of their names, taken apart at each dot.
#pragma once

#include <string>

#include "core/dict/node.h"
#include "core/storage/options.h"

namespace td::storage {

NodePtr open_safetensors(const std::string& path, const OpenOptions& options);
void save_safetensors(const Node& node, const std::string& path, const SaveOptions& options);

// Names and limits that the reader and the writer share.
namespace safetensors {

inline constexpr int64_t longest_header = 100'000'000;  // of the format
inline constexpr const char *metadata_member = "__metadata__", *tree_member = "tensordict";
inline constexpr int64_t tree_version = 1;
inline constexpr size_t deepest_tree = 900;  // three levels of JSON a dict, and a value; Python reads no 1000

struct Type {
  const char *name, *torch;
};
// In the order of the format, which puts tensors of the last first.
inline constexpr Type types[] = {{"BOOL", "bool"},
                                 {"U8", "uint8"},
                                 {"I8", "int8"},
                                 {"F8_E5M2", "float8_e5m2"},
                                 {"F8_E4M3", "float8_e4m3fn"},
                                 {"F8_E8M0", "float8_e8m0fnu"},
                                 {"F8_E4M3FNUZ", "float8_e4m3fnuz"},
                                 {"F8_E5M2FNUZ", "float8_e5m2fnuz"},
                                 {"I16", "int16"},
                                 {"U16", "uint16"},
                                 {"F16", "float16"},
                                 {"BF16", "bfloat16"},
                                 {"I32", "int32"},
                                 {"U32", "uint32"},
                                 {"F32", "float32"},
                                 {"C64", "complex64"},
                                 {"F64", "float64"},
                                 {"I64", "int64"},
                                 {"U64", "uint64"}};

}  // namespace safetensors

}  // namespace td::storage
