// What is sent to a server and what it answers, in the Redis protocol (RESP 2). libhiredis takes answers apart.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

struct redisReader;

namespace td::storage::redis {

// Commands that are sent together.
class Request {
 public:
  using Words = std::vector<std::string>;
  Request& add(const Words& words) { return add(words, {}); }
  // With the bytes of a contiguous tensor on the CPU, or a part of them, as the last word; they are not copied.
  Request& add(const Words& words, const at::Tensor& bytes);
  Request& add(const Words& words, const at::Tensor& owner, std::string_view bytes);
  void append(const Request& other);

  struct Chunk {
    std::string own;
    std::string_view others;  // in place of it, and kept alive
    at::Tensor owner;
    std::string_view text() const { return owner.defined() ? others : std::string_view(own); }
  };
  const std::vector<Chunk>& chunks() const { return chunks_; }
  size_t commands() const { return commands_; }

 private:
  std::string& tail();
  std::vector<Chunk> chunks_;
  size_t commands_ = 0;
};

struct Reply {
  enum class Kind { nil, status, error, integer, text, list };
  Kind kind = Kind::nil;
  int64_t integer = 0;
  std::string text;
  std::vector<Reply> items;
};

// Takes answers apart as they arrive.
class ReplyReader {
 public:
  ReplyReader();
  void feed(const char* bytes, size_t n);
  bool next(Reply& out);  // false if more bytes are needed; throws Error(corrupt) for what is no answer

 private:
  std::unique_ptr<redisReader, void (*)(redisReader*)> reader_;
};

// Throws what the server refused; `reply` is returned if it did not.
const Reply& accepted(const Reply& reply);
// The same, and Error(corrupt) for an answer of another kind.
const std::string& text_of(const Reply& reply);
const std::vector<Reply>& list_of(const Reply& reply);
int64_t integer_of(const Reply& reply);
bool is_nil(const Reply& reply);

}  // namespace td::storage::redis
