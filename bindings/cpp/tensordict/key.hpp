// Keys: a string, or several for an entry below a node. No separator is parsed: dots and slashes are ordinary characters.
//
//     td.get("obs");
//     td.get({"next", "obs"});
//     const Path path({"next", "obs"});         // made ready once, for many look-ups: taken wherever a key is
#ifndef TENSORDICT_KEY_HPP
#define TENSORDICT_KEY_HPP

#include <string>
#include <vector>

#include "handle.hpp"
#include "span.hpp"

namespace tensordict {

// A key that owns its text: `key[0]`, `key.size()`, `key.back()`. To compare one with text, see operator==.
class Key {
 public:
  Key(std::string part) : parts_{std::move(part)} {}
  Key(const char* part) : parts_{part} {}
  Key(std::nullptr_t) = delete;
  Key(std::string_view part) : parts_{std::string(part)} {}
  Key(std::initializer_list<std::string_view> parts) : parts_(parts.begin(), parts.end()) {}
  explicit Key(std::vector<std::string> parts) : parts_(std::move(parts)) {}
  static Key copy_of(const td_key& key) {
    if (key.n == TD_PREPARED)
      return copy_of(detail::got<td_key>(td_path_view, reinterpret_cast<const td_path*>(key.parts)));
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < key.n; ++i) parts.emplace_back(detail::view(key.parts[i]));
    return Key(std::move(parts));
  }

  std::size_t size() const noexcept { return parts_.size(); }
  const std::string& operator[](std::size_t i) const { return parts_[i]; }
  const std::string& back() const { return parts_.back(); }
  auto begin() const noexcept { return parts_.begin(); }
  auto end() const noexcept { return parts_.end(); }
  const std::vector<std::string>& parts() const noexcept { return parts_; }

  // This key with another part behind it.
  Key operator/(std::string_view part) const {
    Key longer = *this;
    longer.parts_.emplace_back(part);
    return longer;
  }

  std::string joined(std::string_view separator = ".") const {
    std::string out;
    for (const std::string& part : parts_) (out += &part == parts_.data() ? "" : separator) += part;
    return out;
  }

  friend bool operator==(const Key& a, const Key& b) noexcept { return a.parts_ == b.parts_; }
  friend bool operator!=(const Key& a, const Key& b) noexcept { return !(a == b); }
  friend bool operator<(const Key& a, const Key& b) noexcept { return a.parts_ < b.parts_; }

 private:
  std::vector<std::string> parts_;
};

class Path;

// A key as an argument. It borrows the text or the Path for the call, and must not go into a variable.
class KeyView {
 public:
  template <void (*Retain)(const td_path*), void (*Release)(const td_path*)>
  KeyView(const Handle<Path, td_path, Retain, Release>& path) noexcept : prepared_(path.get()), n_(TD_PREPARED) {}
  KeyView(const char* part) : KeyView(std::string_view(part)) {}
  KeyView(const std::string& part) : KeyView(std::string_view(part)) {}
  KeyView(std::string_view part) { add(part); }
  KeyView(std::initializer_list<std::string_view> parts) {
    for (std::string_view part : parts) add(part);
  }
  KeyView(const Key& key) {
    for (const std::string& part : key) add(part);
  }
  KeyView(std::nullptr_t) = delete;

  // Points into this object.
  td_key raw() const noexcept {
    if (n_ == TD_PREPARED) return td_key{reinterpret_cast<const td_str*>(prepared_), n_};
    return td_key{more_.empty() ? few_ : more_.data(), n_};
  }

 private:
  void add(std::string_view part) {
    if (n_ == kFew) more_.assign(few_, few_ + n_);
    if (n_ >= kFew) more_.push_back(detail::str(part));
    if (n_ < kFew) few_[n_] = detail::str(part);
    ++n_;
  }

  static constexpr std::size_t kFew = 4;  // keys are seldom longer, and need no memory of their own then
  td_str few_[kFew];
  std::vector<td_str> more_;
  const td_path* prepared_ = nullptr;
  std::size_t n_ = 0;
};

namespace detail {

// `td_dict_get(td, KeyArgument(key), ...)`
class KeyArgument {
 public:
  explicit KeyArgument(const KeyView& key) noexcept : raw_(key.raw()) {}
  operator const td_key*() const noexcept { return &raw_; }

 private:
  td_key raw_;
};

// A key among options, which may be left out; the Key lives as long as this.
class OptionalKey {
 public:
  explicit OptionalKey(const std::optional<Key>& key) {
    if (!key) return;
    for (const std::string& part : *key) parts_.push_back(str(part));
    raw_ = td_key{parts_.data(), parts_.size()};
  }
  OptionalKey(const OptionalKey&) = delete;
  const td_key* get() const noexcept { return parts_.empty() ? nullptr : &raw_; }

 private:
  std::vector<td_str> parts_;
  td_key raw_{nullptr, 0};
};

}  // namespace detail

// Keys as an argument: `{"obs", {"next", "obs"}}`, or a std::vector of them.
class KeyViews {
 public:
  KeyViews() = default;
  KeyViews(std::initializer_list<KeyView> keys) : views_(keys) { point(); }
  KeyViews(const std::vector<Key>& keys) : views_(keys.begin(), keys.end()) { point(); }
  KeyViews(const std::vector<std::string>& keys) : views_(keys.begin(), keys.end()) { point(); }
  KeyViews(KeyViews&& other) noexcept = default;
  KeyViews(const KeyViews&) = delete;

  const td_key* data() const noexcept { return raws_.data(); }
  std::size_t size() const noexcept { return raws_.size(); }

 private:
  void point() {
    for (const KeyView& view : views_) raws_.push_back(view.raw());
  }

  std::vector<KeyView> views_;
  std::vector<td_key> raws_;
};

// Texts as an argument; an empty optional is "none", as for the name of a dim.
class Texts {
 public:
  Texts() = default;
  Texts(std::initializer_list<std::string_view> texts) {
    for (std::string_view text : texts) raws_.push_back(detail::str(text));
  }
  Texts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) raws_.push_back(detail::str(text));
  }
  Texts(const std::vector<std::optional<std::string>>& texts) {
    for (const auto& text : texts) raws_.push_back(text ? detail::str(*text) : td_str{nullptr, 0});
  }
  const td_str* data() const noexcept { return raws_.data(); }
  const td_str* data_or_null() const noexcept { return raws_.empty() ? nullptr : raws_.data(); }
  std::size_t size() const noexcept { return raws_.size(); }

 private:
  std::vector<td_str> raws_;
};

// The keys of a dict or a module at one moment: a range of Key.
class Keys : public Handle<Keys, td_keys, td_keys_retain, td_keys_release> {
 public:
  explicit Keys(Adopted raw) noexcept : Handle(raw) {}

  std::size_t size() const noexcept { return td_keys_size(get()); }
  bool empty() const noexcept { return size() == 0; }
  Key operator[](std::size_t i) const { return Key::copy_of(detail::got<td_key>(td_keys_get, get(), i)); }
  std::vector<Key> to_vector() const {
    const td_key* keys = nullptr;
    std::size_t n = 0;
    detail::call(td_keys_view, get(), &keys, &n);
    std::vector<Key> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(Key::copy_of(keys[i]));
    return out;
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Key;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Key;

    Iterator(const Keys* keys, std::size_t i) noexcept : keys_(keys), i_(i) {}
    Key operator*() const { return (*keys_)[i_]; }
    Iterator& operator++() noexcept {
      ++i_;
      return *this;
    }
    Iterator operator++(int) noexcept { return Iterator(keys_, i_++); }
    friend bool operator==(Iterator a, Iterator b) noexcept { return a.i_ == b.i_; }
    friend bool operator!=(Iterator a, Iterator b) noexcept { return a.i_ != b.i_; }

   private:
    const Keys* keys_;
    std::size_t i_;
  };
  Iterator begin() const noexcept { return Iterator(this, 0); }
  Iterator end() const noexcept { return Iterator(this, size()); }
};

// A key made ready for repeated look-ups: the text is copied and hashed once.
class Path : public Handle<Path, td_path, td_path_retain, td_path_release> {
 public:
  explicit Path(Adopted raw) noexcept : Handle(raw) {}
  explicit Path(const KeyView& key) : Path(detail::made<Path>(td_path_new, detail::KeyArgument(key))) {}

  Key key() const { return Key::copy_of(detail::got<td_key>(td_path_view, get())); }
};

}  // namespace tensordict

#endif
