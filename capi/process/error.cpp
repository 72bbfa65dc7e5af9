#include "capi/convert.h"
#include "capi/guard.h"
#include "core/tensor/factory.h"

#include <atomic>
#include <cctype>
#include <memory>
#include <string>

// Refcounted and immutable; one without memory stands ready.
struct td_error {
  std::atomic<int64_t> references{1};
  bool permanent = false;
  td_status code = TD_ERR_OOM;
  std::string message, key, where, hint;
  std::string hint_format;  // empty if the hint names nothing
  const td_error* cause = nullptr;
  std::shared_ptr<const td::Error> origin;
  void* userdata = nullptr;
  td_release_fn destroy = nullptr;
};

namespace td::capi {

namespace {

struct OutOfMemory : td_error {
  OutOfMemory() {
    permanent = true;
    message = "out of memory";
  }
} no_memory;

td_error* out_of_memory() {
  return &no_memory;
}

// A key, and what a file says, may be as long as its maker likes. The middle is left out, not the half of a letter.
std::string shortened(const std::string& s, size_t most) {
  if (s.size() <= most) return s;
  auto inside_letter = [&](size_t at) { return (static_cast<unsigned char>(s[at]) & 0xC0) == 0x80; };
  size_t front = most / 2, back = s.size() - most / 2;
  while (front > 0 && inside_letter(front)) --front;
  while (back < s.size() && inside_letter(back)) ++back;
  return s.substr(0, front) + " ... " + s.substr(back);
}

// The hint with the names of this header, or with names in braces that others word.
std::string worded(const std::string& hint, bool braces) {
  std::string out;
  for (size_t i = 0; i < hint.size(); ++i) {
    if (hint[i] == Error::name_begins)
      out += braces ? "{" : std::isupper(static_cast<unsigned char>(hint[i + 1])) ? "TD_" : "td_";
    else if (hint[i] != Error::name_ends)
      out += hint[i];
    else if (braces)
      out += '}';
  }
  return out;
}

// Whether the message already says all that the cause would add.
bool repeats(const Error& e, const Error& cause) {
  auto same = [](const std::string& part, const std::string& ours) { return part.empty() || part == ours; };
  return e.message().find(cause.message()) != std::string::npos && same(cause.key(), e.key()) &&
         same(cause.where(), e.where()) && same(cause.hint(), e.hint());
}

constexpr size_t longest_name = 1000, longest_part = 3000, longest_text = 8000;

std::string whole_text(const Error& e) {
  std::string s = shortened(e.message(), longest_part);
  if (!e.key().empty()) s += " at " + shortened(e.key(), longest_name);
  if (!e.where().empty()) s += " ('" + shortened(e.where(), longest_name) + "')";
  if (!e.hint().empty()) s += ": " + shortened(worded(e.hint(), false), longest_part);
  const Error* cause = e.cause().get();
  while (cause && repeats(e, *cause)) cause = cause->cause().get();
  if (cause) s += " (because: " + whole_text(*cause) + ")";
  s = shortened(s, longest_text);
  // Files are quoted here, and the reader may be a terminal, or take a NUL for the end.
  for (char& c : s)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return s;
}

// A reference to what a callback handed up, which is not made anew.
const td_error* cause_of(const Error& e) {
  if (!e.cause()) return nullptr;
  if (!e.cause()->foreign()) return make_error(*e.cause());
  const auto* same = static_cast<const td_error*>(e.cause()->foreign().get());
  td_error_retain(same);
  return same;
}

}  // namespace

td_error* make_error(const Error& e) noexcept {
  try {
    auto made = std::make_unique<td_error>();
    made->code = static_cast<td_status>(e.code());
    made->message = whole_text(e);
    made->key = e.key();
    made->where = e.where();
    made->hint = worded(e.hint(), false);
    if (e.hint().find(Error::name_begins) != std::string::npos) made->hint_format = worded(e.hint(), true);
    made->origin = std::make_shared<const Error>(e);
    made->cause = cause_of(e);
    live::add(TD_OBJECT_ERROR, 1);
    return made.release();
  } catch (...) {
    return out_of_memory();
  }
}

td_status fail(td_error** err) noexcept {
  try {
    Error e = current_error();
    if (!err) return static_cast<td_status>(e.code());
    *err = make_error(e);
    return (*err)->code;
  } catch (...) {
    if (err) *err = out_of_memory();
    return TD_ERR_OOM;
  }
}

void throw_foreign(Code code, td_status status, td_error* err, std::string_view where) {
  std::shared_ptr<const td_error> whole(err, td_error_release);
  std::shared_ptr<Error> cause;
  if (!err)
    cause =
        std::make_shared<Error>(static_cast<Code>(status), std::string("failed with ") + td_status_name(status).data);
  else if (err->origin)
    cause = std::make_shared<Error>(*err->origin);
  else
    cause = std::make_shared<Error>(static_cast<Code>(err->code), err->message);
  cause->foreign(whole);
  throw Error(code, cause->message()).where(std::string(where)).key(cause->key()).hint(cause->hint()).cause(cause);
}

void throw_escaped(const std::string& where) {
  auto cause = std::make_shared<const Error>(current_error());
  throw Error(Code::callback, "an exception left " + where).cause(std::move(cause));
}

void throw_null(const char* what) {
  throw Error(Code::argument, std::string(what) + " is NULL");
}

void throw_options(size_t struct_size) {
  throw Error(Code::argument, "the struct_size " + std::to_string(struct_size) + " of a struct is not valid")
      .hint(
          "start from its TD_..._INIT macro; it ends after a whole member, and members newer than this library are "
          "zero");
}

void throw_reserved() {
  throw Error(Code::argument, "the reserved bytes of a struct are not 0")
      .hint("start from its TD_..._INIT macro; or the header is newer than this library");
}

}  // namespace td::capi

using namespace td::capi;

#define CODE(name, NAME, number) \
  static_assert(static_cast<td_status>(td::Code::name) == TD_ERR_##NAME, "the header and core/codes.inc agree");
#include "core/codes.inc"

td_str td_status_name(td_status status) noexcept {
  switch (status) {
    case TD_OK:
      return view("TD_OK");
#define CODE(name, NAME, number) \
  case TD_ERR_##NAME:            \
    return view("TD_ERR_" #NAME);
#include "core/codes.inc"
    default:
      return view("TD_ERR_?");
  }
}

td_error* td_error_new(td_status code, td_str message) noexcept {
  try {
    if (code == TD_OK) code = TD_ERR_ARGUMENT;
    std::string text = given(message) ? std::string(td::capi::text(message, "message")) : std::string();
    return make_error(td::Error(static_cast<td::Code>(code), text.empty() ? td_status_name(code).data : text));
  } catch (const td::Error& e) {
    return make_error(e);
  } catch (...) {
    return out_of_memory();
  }
}

td_error* td_error_new_with(td_status code, td_str message, void* userdata, td_release_fn destroy) noexcept {
  td_error* made = td_error_new(code, message);
  if (made->permanent) {
    if (destroy) td::call_release(destroy, userdata);
    return made;
  }
  made->userdata = userdata;
  made->destroy = destroy;
  return made;
}

void* td_error_userdata(const td_error* self, td_release_fn destroy) noexcept {
  return self && (!destroy || destroy == self->destroy) ? self->userdata : nullptr;
}

static td_str present(const std::string& text) noexcept {
  return text.empty() ? td_str{NULL, 0} : view(text);
}

td_status td_error_code(const td_error* self) noexcept {
  return self ? self->code : TD_OK;
}
td_str td_error_message(const td_error* self) noexcept {
  return self ? view(self->message) : td_str{NULL, 0};
}
td_str td_error_key(const td_error* self) noexcept {
  return self ? present(self->key) : td_str{NULL, 0};
}
td_str td_error_where(const td_error* self) noexcept {
  return self ? present(self->where) : td_str{NULL, 0};
}
td_str td_error_hint(const td_error* self) noexcept {
  return self ? present(self->hint) : td_str{NULL, 0};
}
td_str td_error_hint_format(const td_error* self) noexcept {
  return self ? present(self->hint_format.empty() ? self->hint : self->hint_format) : td_str{NULL, 0};
}
const td_error* td_error_cause(const td_error* self) noexcept {
  return self ? self->cause : nullptr;
}

void td_error_retain(const td_error* self) noexcept {
  if (!self || self->permanent) return;
  td::live::add(TD_OBJECT_ERROR, 1);
  const_cast<td_error*>(self)->references.fetch_add(1, std::memory_order_relaxed);
}

void td_error_release(const td_error* self) noexcept {
  if (!self || self->permanent) return;
  td::live::add(TD_OBJECT_ERROR, -1);
  if (const_cast<td_error*>(self)->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  td_error_release(self->cause);
  if (self->destroy) td::call_release(self->destroy, self->userdata);
  delete self;
}
