// A place in the text of a repr, and the small things that are read there.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
#include "core/text/repr_tree.h"

namespace td {

class ReprCursor {
 public:
  explicit ReprCursor(std::string_view text) : text_(text) {}

  size_t at() const { return at_; }
  void seek(size_t at) { at_ = at; }
  std::string_view rest() const { return text_.substr(at_); }
  std::string_view text() const { return text_; }
  bool sees(std::string_view what) const { return rest().substr(0, what.size()) == what; }
  bool take(std::string_view what);
  bool take_line(size_t indent);  // an end of line and so many spaces
  void expect(std::string_view what);
  void expect_line(size_t indent);

  std::string_view word();                         // letters, digits and _, maybe none
  std::string_view until(std::string_view stops);  // what comes before one of these characters
  optional<int64_t> number();
  optional<Dims> dims(std::string_view separator);  // "[3, 4]"
  Dims size();                                      // "torch.Size([3, 4])"

  [[noreturn]] void fail(const std::string& what, size_t at, Code code = Code::argument) const;
  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
  void check_depth(size_t depth) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace td
