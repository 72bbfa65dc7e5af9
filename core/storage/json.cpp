#include "core/storage/json.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value_stack.hpp>

#include "core/error.h"

namespace td::storage {

namespace {

namespace bj = boost::json;
using ErrorCode = boost::system::error_code;  // since 1.87 Boost.JSON has no name of its own for it

// Stands in front of the text of a number that bj::value cannot hold. No document has such a string: it is not UTF-8.
constexpr std::string_view odd_mark = "\xFF";

// The members of an object that is open. Most have few, for which a set is not worth its nodes.
class MemberNames {
 public:
  bool add(const std::string& name) {
    constexpr size_t few = 16;
    if (names_.size() < few) {
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) return false;
      names_.push_back(name);
      return true;
    }
    if (set_.empty()) set_.insert(names_.begin(), names_.end());
    return set_.insert(name).second;
  }
  void clear() {
    names_.clear();
    set_.clear();
  }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> set_;
};

// Builds a value like bj::parse does, but refuses an object that has a member twice, and keeps odd numbers.
class Handler {
 public:
  static constexpr size_t max_object_size = size_t(-1), max_array_size = size_t(-1), max_key_size = size_t(-1),
                          max_string_size = size_t(-1);

  bj::value release() { return stack_.release(); }
  void words_of_nulls(std::vector<std::string_view> words) { words_ = std::move(words); }
  const std::string& duplicate() const { return duplicate_; }
  bool has_duplicate() const { return has_duplicate_; }

  bool on_document_begin(ErrorCode&) { return true; }
  bool on_document_end(ErrorCode&) { return true; }
  bool on_array_begin(ErrorCode&) { return true; }
  bool on_array_end(size_t n, ErrorCode&) { return stack_.push_array(n), true; }
  bool on_object_begin(ErrorCode&) {
    if (open_ == keys_.size()) keys_.emplace_back();
    keys_[open_++].clear();
    return true;
  }
  bool on_object_end(size_t n, ErrorCode&) {
    --open_;
    stack_.push_object(n);
    return true;
  }
  bool on_string_part(bj::string_view s, size_t, ErrorCode&) { return stack_.push_chars(s), true; }
  bool on_string(bj::string_view s, size_t, ErrorCode&) { return stack_.push_string(s), true; }
  bool on_key_part(bj::string_view s, size_t, ErrorCode&) {
    key_.append(s.data(), s.size());
    stack_.push_chars(s);
    return true;
  }
  bool on_key(bj::string_view s, size_t, ErrorCode& ec) {
    key_.append(s.data(), s.size());
    stack_.push_key(s);
    if (!keys_[open_ - 1].add(key_)) {
      duplicate_ = key_;
      has_duplicate_ = true;
      ec = bj::error::syntax;
      return false;
    }
    key_.clear();
    return true;
  }
  bool on_number_part(bj::string_view, ErrorCode&) { return true; }
  bool on_int64(int64_t i, bj::string_view, ErrorCode&) { return stack_.push_int64(i), true; }
  bool on_uint64(uint64_t u, bj::string_view, ErrorCode&) { return stack_.push_uint64(u), true; }
  bool on_double(double d, bj::string_view s, ErrorCode&) {
    if (s.find_first_of(".eE") == s.npos)
      push_odd({s.data(), s.size()});
    else
      stack_.push_double(d);
    return true;
  }
  bool on_bool(bool b, ErrorCode&) { return stack_.push_bool(b), true; }
  bool on_null(ErrorCode&) {
    std::string_view word = nulls_ < words_.size() ? words_[nulls_] : "";
    ++nulls_;
    if (word.empty())
      stack_.push_null();
    else
      push_odd(word);
    return true;
  }
  bool on_comment_part(bj::string_view, ErrorCode&) { return true; }
  bool on_comment(bj::string_view, ErrorCode&) { return true; }

  // One block of memory for all, which the value shares.
  Handler() { stack_.reset(bj::make_shared_resource<bj::monotonic_resource>()); }
  ~Handler() = default;

 private:
  void push_odd(std::string_view text) {
    stack_.push_string(bj::string_view(odd_mark.data(), odd_mark.size()));
    stack_.push_string(bj::string_view(text.data(), text.size()));
    stack_.push_array(2);
  }

  bj::value_stack stack_;
  std::vector<MemberNames> keys_;  // of the objects that are open, and of some that were
  size_t open_ = 0;
  std::vector<std::string_view> words_;  // what each null stands for
  size_t nulls_ = 0;
  std::string key_, duplicate_;
  bool has_duplicate_ = false;
};

// Python's json writes NaN and infinities as bare words, which Boost.JSON does not know. They become nulls; `words`
// says what each null of the result was.
std::string without_nan(std::string_view text, std::vector<std::string_view>& words) {
  std::string out;
  bool quoted = false;
  for (size_t i = 0; i < text.size();) {
    size_t n = 1;
    if (quoted) {
      if (text[i] == '\\' && i + 1 < text.size()) n = 2;
      if (text[i] == '"') quoted = false;
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == 'n') {
      words.emplace_back();
    } else {
      for (std::string_view word : {"NaN", "-Infinity", "Infinity"})
        if (text.substr(i, word.size()) == word) {
          out += "null";
          words.push_back(word);
          n = 0;
          i += word.size();
          break;
        }
      if (n == 0) continue;
    }
    out.append(text.substr(i, n));
    i += n;
  }
  return out;
}

bool mentions_nan(std::string_view text) {
  return text.find("NaN") != text.npos || text.find("Infinity") != text.npos;
}

}  // namespace

bj::value parse_json(std::string_view text, const std::string& where, size_t deepest) {
  std::string replaced;
  std::vector<std::string_view> words;
  if (mentions_nan(text)) text = replaced = without_nan(text, words);
  bj::parse_options options;
  options.max_depth = deepest;
  bj::basic_parser<Handler> parser(options);
  parser.handler().words_of_nulls(std::move(words));
  ErrorCode ec;
  size_t used = parser.write_some(false, text.data(), text.size(), ec);
  if (parser.handler().has_duplicate())
    throw Error(Code::corrupt, "the JSON has two members \"" + parser.handler().duplicate() + '"').where(where);
  if (!ec && used < text.size()) ec = bj::error::extra_data;
  if (ec)
    throw Error(Code::corrupt, "bad JSON at byte " + std::to_string(used) + ": " + ec.message())
        .where(where)
        .hint("the file was truncated, or is not what its name says");
  return parser.handler().release();
}

std::string_view odd_number(const bj::value& value) {
  const bj::array* list = value.if_array();
  if (!list || list->size() != 2 || !(*list)[0].is_string() || (*list)[0].get_string() != odd_mark.data()) return {};
  return {(*list)[1].get_string().data(), (*list)[1].get_string().size()};
}

const boost::json::object& object_member(const boost::json::object& object, std::string_view name) {
  const boost::json::value* v = member(object, name);
  if (!v || !v->is_object()) throw Error(Code::corrupt, "the member " + std::string(name) + " is missing or no object");
  return v->get_object();
}

const bj::value* member(const bj::object& object, std::string_view name) {
  return object.if_contains(bj::string_view(name.data(), name.size()));
}

Dims parse_dims(const bj::value& value, const char* what) {
  auto bad = [&](const std::string& why) { return Error(Code::corrupt, std::string(what) + ' ' + why); };
  const bj::array* list = value.if_array();
  if (!list) throw bad("is not a list");
  if (list->size() > 64) throw bad("has more than 64 dims");
  Dims dims;
  for (const bj::value& v : *list) {
    const int64_t* size = v.if_int64();
    if (!size) throw bad("holds something else than an integer of 64 bits");
    if (*size < 0) throw bad("has a negative size " + std::to_string(*size));
    dims.push_back(*size);
  }
  return dims;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') {
      out += c;
      continue;
    }
    constexpr std::string_view named = "\"\\\b\t\n\f\r", letters = "\"\\btnfr";
    const size_t i = named.find(c);
    if (i != named.npos) {
      out += {'\\', letters[i]};
    } else {
      constexpr char hex[] = "0123456789abcdef";
      out += {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    }
  }
  out += '"';
}

void append_name(std::string& out, const Name& name) {
  if (name)
    append_json(out, std::string_view(*name));
  else
    out += "null";
}

void append_names(std::string& out, const Names& names) {
  const char* comma = "[";
  for (const Name& name : names) {
    out += comma;
    append_name(out, name);
    comma = ",";
  }
  out += names.empty() ? "[]" : "]";
}

void append_number(std::string& out, int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, std::end(digits), number).ptr;
  out.append(digits, static_cast<size_t>(end - digits));
}

void append_json(std::string& out, at::IntArrayRef dims) {
  out += '[';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ',';
    append_number(out, dims[i]);
  }
  out += ']';
}

}  // namespace td::storage
