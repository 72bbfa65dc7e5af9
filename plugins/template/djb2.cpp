// org.example.djb2: the same start in C++. D. J. Bernstein's hash: http://www.cse.yorku.ca/~oz/hash.html
//
// SPDX-License-Identifier: MIT
#include "tensordict_plugin.hpp"

struct Djb2 {
  static constexpr td::plugin::Hash type{"org.example.djb2", "1.0.0", TD_PLUGIN_DETERMINISTIC | TD_PLUGIN_THREAD_SAFE};
  static constexpr char schema[] = R"({"type":"object","properties":{"start":{"type":"integer","minimum":0}}})";
  static constexpr td_hash_vector vectors[] = {{TD_TEXT("{}"), TD_TEXT(""), 5381},
                                               {TD_TEXT("{}"), TD_TEXT("a"), 5381 * 33 + 'a'}};

  explicit Djb2(td::plugin::Config config) : start_(static_cast<std::uint64_t>(config.integer("start", 5381))) {}

  std::uint64_t operator()(const std::uint8_t *row, std::size_t size) const {
    std::uint64_t hash = start_;
    for (std::size_t i = 0; i < size; ++i) hash = hash * 33 + row[i];
    return hash;
  }

 private:
  std::uint64_t start_;
};

TD_PLUGIN("org.example.djb2", "Example", "1.0.0", "MIT", hash, Djb2)
