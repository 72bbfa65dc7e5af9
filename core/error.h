// One exception type for the whole core: everything that a caller needs to act, gathered where it goes wrong.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace td {

// The numbers are td_status; capi/process/error.cpp asserts that they agree.
enum class Code : int32_t {
#define CODE(name, NAME, number) name = number,
#include "core/codes.inc"
};

// `throw Error(Code::shape, "batch [32], got [31, 4]").key(path).hint("the leading dims of an entry must equal the
// batch size");`
class Error : public std::exception {
 public:
  Error(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  Error& key(std::string k) { return key_ = std::move(k), *this; }
  Error& where(std::string w) { return where_ = std::move(w), *this; }
  Error& hint(std::string h) { return hint_ = std::move(h), *this; }
  // A hint that names functions or constants of the border: "use {dict_detach}". The code that shows it inserts the
  // names.
  Error& hint_naming(std::string_view h) { return hint_ = mark_names(h), *this; }
  Error& cause(std::shared_ptr<const Error> c) { return cause_ = std::move(c), *this; }
  Error& message(std::string m) { return message_ = std::move(m), *this; }
  // The error of the caller's own function, in the form it has outside the core, which only passes it on.
  Error& foreign(std::shared_ptr<const void> f) { return foreign_ = std::move(f), *this; }

  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& key() const { return key_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }  // names stand between name_begins and name_ends
  const std::shared_ptr<const Error>& cause() const { return cause_; }
  const std::shared_ptr<const void>& foreign() const { return foreign_; }
  const char* what() const noexcept override { return message_.c_str(); }

  static constexpr char name_begins = '\x11', name_ends = '\x12';

 private:
  static std::string mark_names(std::string_view hint);

  Code code_;
  std::string message_, key_, where_, hint_;
  std::shared_ptr<const Error> cause_;
  std::shared_ptr<const void> foreign_;
};

// An Error with the text and the code that fit `errno`: "open: Permission denied".
Error os_error(int error_number, const std::string& action, const std::string& where);

// The current exception as an Error, whatever threw it. Call inside a catch block only.
Error current_error() noexcept;

}  // namespace td
