// Reading a file of torch.jit: whatever is wrong with it is an Error that names it.
//
// SPDX-License-Identifier: MIT
#pragma once

#include <torch/csrc/jit/ir/ir.h>
#include <torch/script.h>
#include <torch/version.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <malloc.h>
#include <sys/stat.h>

#include "tensordict_plugin.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace torchscript {

using td::plugin::Error;

inline void check_readable(const std::string &file) {
  struct stat facts {};
  int failed = ::stat(file.c_str(), &facts) == 0 ? 0 : errno;
  if (failed == ENOENT || failed == ENOTDIR) throw Error(TD_ERR_NOT_FOUND, file + " does not exist");
  if (!failed && !S_ISREG(facts.st_mode)) throw Error(TD_ERR_IO, file + " is not a regular file");
  if (!failed && !std::ifstream(file, std::ios::binary)) failed = errno ? errno : EIO;
  if (failed) throw Error(TD_ERR_IO, file + " cannot be read: " + std::strerror(failed));
}

// What LibTorch says, as one line, without its stack and without the place in its code where it noticed.
inline std::string in_one_line(const char *what) {
  std::string text;
  for (const char *c = what; *c && text.size() < 300; ++c) {
    bool blank = *c == '\n' || *c == ' ';
    if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : *c;
  }
  text = text.substr(0, text.find("Exception raised from"));
  const std::string noticed = "please report a bug to PyTorch.";
  const size_t said = text.find(noticed);
  if (said == std::string::npos) return text;
  const size_t words = text.find_first_not_of(' ', said + noticed.size());
  return words == std::string::npos ? "its parts do not fit each other" : text.substr(words);
}

[[noreturn]] inline void refuse(const std::string &file, const char *what) {
  if (std::strstr(what, "Unknown builtin op"))
    throw Error(TD_ERR_VERSION, file + " needs a newer LibTorch than " TORCH_VERSION ": " + in_one_line(what));
  throw Error(TD_ERR_CORRUPT, file + " is not a TorchScript module: " + in_one_line(what));
}

// LibTorch believes what a file says about the sizes of its tensors.
inline void check_memory(const at::Tensor &t, const std::string &file) {
  if (!t.defined() || t.layout() != at::kStrided || !t.has_storage() || !t.device().is_cpu()) return;
  int64_t last = t.numel() == 0 ? -1 : t.storage_offset();
  bool whole = t.storage_offset() >= 0;
  for (int64_t d = 0; d < t.dim() && t.numel() > 0; ++d) {
    int64_t reach = 0;
    whole = whole && t.stride(d) >= 0 && !__builtin_mul_overflow(t.size(d) - 1, t.stride(d), &reach) &&
            !__builtin_add_overflow(last, reach, &last);
  }
  int64_t bytes = 0;
  whole = whole && !__builtin_mul_overflow(last + 1, static_cast<int64_t>(t.element_size()), &bytes);
  void *memory = t.storage().data_ptr().get_context();
  size_t there = memory ? ::malloc_usable_size(memory) : 0;
  whole = whole && static_cast<size_t>(bytes) <= t.storage().nbytes() && static_cast<size_t>(bytes) <= there;
  if (!whole) throw Error(TD_ERR_CORRUPT, file + " has a tensor that is larger than its data");
}

inline void check_constants(const torch::jit::Block &block, const std::string &file) {
  for (const torch::jit::Node *node : block.nodes()) {
    if (node->kind() == c10::prim::Constant && node->hasAttribute(c10::attr::value) &&
        node->kindOf(c10::attr::value) == torch::jit::AttributeKind::t)
      check_memory(node->t(c10::attr::value), file);
    for (const torch::jit::Block *inner : node->blocks()) check_constants(*inner, file);
  }
}

// Of the tensors that are written into the code of a method, and of what it calls.
inline void check_constants(const torch::jit::Function &method, const std::string &file) {
  std::shared_ptr<torch::jit::Graph> graph = torch::jit::toGraphFunction(method).graph()->copy();
  torch::jit::Inline(*graph);
  check_constants(*graph->block(), file);
}

// A file that torch::jit::load gives up on leaves half a module behind, in a circle of its own: not ours to free.
inline torch::jit::Module load_module(const std::string &file) {
#if defined(__SANITIZE_ADDRESS__)
  __lsan::ScopedDisabler not_ours;
#endif
  return torch::jit::load(file, at::kCPU);
}

inline torch::jit::Module load(const std::string &file) {
  check_readable(file);
  try {
    torch::jit::Module module = load_module(file);
    if (!module._ivalue()->type()->is_module()) throw Error(TD_ERR_CORRUPT, file + " does not hold a module");
    c10::IValue::HashAliasedIValues parts;
    c10::IValue(module._ivalue()).getSubValues(parts);
    for (const c10::IValue &part : parts)
      if (part.isTensor()) check_memory(part.toTensor(), file);
    return module;
  } catch (const Error &) {
    throw;
  } catch (const c10::Error &e) {
    refuse(file, e.what_without_backtrace());
  } catch (const std::exception &e) {
    refuse(file, e.what());
  }
}

}  // namespace torchscript
