// Keys: immutable strings that carry their hash, so that a look-up hashes a string at most once.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <c10/util/SmallVector.h>
#include <boost/container_hash/hash.hpp>

namespace td {

// A borrowed key with its hash.
struct KeyView {
  std::string_view text;
  size_t hash;

  KeyView(std::string_view t, size_t h) : text(t), hash(h) {}
  KeyView(std::string_view t) : text(t), hash(boost::hash<std::string_view>{}(t)) {}  // NOLINT: a string is a key
};

inline bool operator==(const KeyView& a, const KeyView& b) {
  if (a.hash != b.hash || a.text.size() != b.text.size()) return false;
  return std::char_traits<char>::compare(a.text.data(), b.text.data(), a.text.size()) == 0;  // string_view's is a call
}

// An owned key; copies share the string.
class Key {
 public:
  Key(std::string text) : Key(KeyView(text)) {}  // NOLINT: a string is a key
  Key(const char* text) : Key(KeyView(text)) {}  // NOLINT
  explicit Key(KeyView k) : text_(std::make_shared<const std::string>(k.text)), hash_(k.hash) {}

  const std::string& text() const { return *text_; }
  size_t hash() const { return hash_; }
  KeyView view() const { return {*text_, hash_}; }
  operator KeyView() const { return view(); }                                      // NOLINT
  bool is(const KeyView& k) const { return hash_ == k.hash && *text_ == k.text; }  // reads the text last

 private:
  std::shared_ptr<const std::string> text_;
  size_t hash_;
};

// A borrowed nested key: one or more parts.
class PathView {
 public:
  PathView(const KeyView* parts, size_t n) : parts_(parts), n_(n) {}

  size_t size() const { return n_; }
  const KeyView& operator[](size_t i) const { return parts_[i]; }
  const KeyView& back() const { return parts_[n_ - 1]; }
  const KeyView* begin() const { return parts_; }
  const KeyView* end() const { return parts_ + n_; }
  PathView parent() const { return {parts_, n_ - 1}; }
  PathView below() const { return {parts_ + 1, n_ - 1}; }  // what follows the first part

 private:
  const KeyView* parts_;
  size_t n_;
};

// An owned nested key.
class Path {
 public:
  using Keys = c10::SmallVector<Key, 2>;  // most have one or two parts
  Path() = default;
  Path(const Path&) = default;
  Path& operator=(const Path&) = default;
  Path(Path&& other) noexcept : keys_(std::move(other.keys_)), views_(std::move(other.views_)) {}
  Path& operator=(Path&& other) noexcept {
    keys_ = std::move(other.keys_);
    views_ = std::move(other.views_);
    return *this;
  }
  Path(std::initializer_list<const char*> parts);
  explicit Path(PathView path);
  explicit Path(const std::vector<Key>& parts) : keys_(parts.begin(), parts.end()) { rebuild(); }
  template <unsigned n>  // so that a list in braces is the one above
  explicit Path(const c10::SmallVector<Key, n>& parts) : keys_(parts) {
    rebuild();
  }

  PathView view() const { return {views_.data(), views_.size()}; }
  operator PathView() const { return view(); }  // NOLINT
  const Keys& keys() const { return keys_; }
  size_t size() const { return keys_.size(); }
  Path operator+(const Key& child) const;

 private:
  void rebuild();
  Keys keys_;
  c10::SmallVector<KeyView, 2> views_;  // of the texts, which never move
};

// `"a"` or `("next", "obs")`, as errors show a key.
std::string to_string(PathView path);

// Throws Error(argument) unless the text is UTF-8.
void check_utf8(std::string_view text, const char* what);

}  // namespace td
