#include "core/storage/pickle.h"

#include <cstdint>
#include <cstring>

namespace td::storage {

namespace {

// Opcodes of protocol 4.
constexpr char proto = '\x80', frame = '\x95', memoize = '\x94', short_text = '\x8c', long_bytes = '\x8e', stop = '.';

std::string little_endian(uint64_t n, size_t width) {
  std::string out;
  for (size_t i = 0; i < width; ++i) out += static_cast<char>(n >> 8 * i & 0xFF);
  return out;
}

std::string framed(const std::string& body) {
  return std::string{proto, 4, frame} + little_endian(body.size(), 8) + body;
}

void append_bytes(std::string& out, std::string_view bytes) {
  if (bytes.size() < 256)
    out += std::string("C") + static_cast<char>(bytes.size());
  else if (bytes.size() <= UINT32_MAX)
    out += 'B' + little_endian(bytes.size(), 4);
  else
    out += long_bytes + little_endian(bytes.size(), 8);
  out += bytes;
  out += memoize;
}

void append_bytes_list(std::string& out, at::IntArrayRef batch, const Value* const*& next) {
  if (batch.empty()) return append_bytes(out, (*next++)->text);
  constexpr int64_t at_once = 1000;  // as Python does it
  out += ']';
  out += memoize;
  for (int64_t done = 0; done < batch[0];) {
    int64_t n = std::min(at_once, batch[0] - done);
    if (n > 1) out += '(';
    for (int64_t i = 0; i < n; ++i) append_bytes_list(out, batch.slice(1), next);
    out += n > 1 ? 'e' : 'a';
    done += n;
  }
}

// Reads what the functions above write, however it is framed and memoized.
class PickleReader {
 public:
  explicit PickleReader(std::string_view pickle) : rest_(pickle) {}

  bool begins() { return take(std::string_view("\x80", 1)) && skip(1); }
  bool ends() { return take(std::string_view(&stop, 1)) && rest_.empty(); }

  bool take(std::string_view expected) {
    while (!rest_.empty() && (rest_[0] == frame || rest_[0] == memoize))
      rest_.remove_prefix(std::min(rest_.size(), rest_[0] == frame ? size_t{9} : size_t{1}));
    if (rest_.substr(0, expected.size()) != expected) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool take_bytes(std::string& out) {
    size_t width = take("C") ? 1 : take("B") ? 4 : take(std::string_view(&long_bytes, 1)) ? 8 : 0;
    if (width == 0 || rest_.size() < width) return false;
    uint64_t n = 0;
    for (size_t i = 0; i < width; ++i) n |= static_cast<uint64_t>(static_cast<unsigned char>(rest_[i])) << 8 * i;
    rest_.remove_prefix(width);
    if (n > rest_.size()) return false;
    out.assign(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return true;
  }

  bool take_list(at::IntArrayRef batch, std::vector<Value>& out) {
    if (batch.empty()) {
      Value v;
      v.kind = Value::Kind::bytes;
      if (!take_bytes(v.text)) return false;
      out.push_back(std::move(v));
      return true;
    }
    if (!take("]")) return false;
    for (int64_t done = 0; done < batch[0];) {
      if (!take("(")) {
        if (!take_list(batch.slice(1), out) || !take("a")) return false;
        ++done;
        continue;
      }
      while (!take("e"))
        if (done++ >= batch[0] || !take_list(batch.slice(1), out)) return false;
    }
    return true;
  }

 private:
  bool skip(size_t n) {
    if (rest_.size() < n) return false;
    rest_.remove_prefix(n);
    return true;
  }

  std::string_view rest_;
};

const std::string data_key = std::string{short_text, 4} + "data";

}  // namespace

std::string pickle_bytes(std::string_view bytes) {
  std::string body = std::string{'}', memoize} + data_key + memoize;
  append_bytes(body, bytes);
  return framed(body + 's' + stop);
}

optional<std::string> unpickle_bytes(std::string_view pickle) {
  PickleReader reader(pickle);
  std::string bytes;
  if (reader.begins() && reader.take("}") && reader.take(data_key) && reader.take_bytes(bytes) && reader.take("s") &&
      reader.ends())
    return bytes;
  return nullopt;
}

std::string pickle_bytes(const std::vector<const Value*>& values, at::IntArrayRef batch) {
  std::string body;
  const Value* const* next = values.data();
  append_bytes_list(body, batch, next);
  return framed(body + stop);
}

optional<std::vector<Value>> unpickle_bytes(std::string_view pickle, at::IntArrayRef batch) {
  PickleReader reader(pickle);
  std::vector<Value> values;
  if (reader.begins() && reader.take_list(batch, values) && reader.ends()) return values;
  return nullopt;
}

}  // namespace td::storage
