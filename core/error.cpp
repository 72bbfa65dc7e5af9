#include "core/error.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>
#include <variant>

#include <c10/util/Exception.h>

#include "core/error_text.h"
#include "core/torch_compat.h"

namespace td {

// Braces that hold anything but a name are text.
std::string Error::mark_names(std::string_view hint) {
  std::string out(hint);
  for (size_t open = out.find('{'); open != std::string::npos; open = out.find('{', open + 1)) {
    const size_t close =
        out.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", open + 1);
    if (close == std::string::npos || out[close] != '}' || close == open + 1) continue;
    out[open] = name_begins;
    out[close] = name_ends;
  }
  return out;
}

namespace {

Code code_of_errno(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return Code::not_found;
    case EEXIST:
    case ENOTEMPTY:
      return Code::exists;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Code::nospace;
    case ENOMEM:
      return Code::oom;
    default:
      return Code::io;
  }
}

// Plain TORCH_CHECKs are sorted by what they talk about, so that a caller can tell a shape from a dtype.
Code code_of_text(const std::string& s) {
  auto says = [&](const char* words) { return s.find(words) != std::string::npos; };
  if (says("not enough memory") || says("can't allocate memory") || says("Tried to allocate")) return Code::oom;
  if (says("must match the size") || says("mismatch") || says("shape") || says("size of tensor") || says("sizes") ||
      says("broadcast") || says("tensor size"))
    return Code::shape;
  if (says("dtype") || says("scalar type") || says("not implemented for '")) return Code::dtype;
  if (says("device") || says("CUDA") || says("backend")) return Code::device;
  return Code::torch;
}

Error unexpected() {
  return Error(Code::internal, "an internal check failed, which is a bug in the library")
      .hint("please report the function and its arguments");
}

// Throws std::bad_alloc where there is no memory for its text.
Error described() {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const c10::IndexError& e) {
    return Error(Code::index, plain_words(e.what_without_backtrace()));
  } catch (const c10::NotImplementedError& e) {
    std::string text = plain_words(e.what_without_backtrace());
    const bool dtype = text.find("not implemented for '") != text.npos;  // a kernel's, from LibTorch 2 on
    return Error(dtype ? Code::dtype : Code::unsupported, std::move(text));
  } catch (const c10::Error& e) {
    std::string text = plain_words(e.what_without_backtrace());
    Code code = code_of_text(text);
    return Error(code, std::move(text));
  } catch (const std::bad_alloc&) {
    return Error(Code::oom, "out of memory");
  } catch (const std::system_error& e) {
    return Error(code_of_errno(e.code().value()), e.what());
  } catch (const std::length_error&) {
    return Error(Code::oom, "out of memory: there are more elements than memory can hold");
  } catch (const std::logic_error&) {  // whose text speaks of the standard library's functions
    return unexpected();
  } catch (const std::bad_variant_access&) {
    return unexpected();
  } catch (const std::bad_cast&) {
    return unexpected();
  } catch (const std::exception& e) {
    std::string text = plain_words(e.what());
    Code code = code_of_text(text);
    return Error(code, std::move(text));
  } catch (...) {
    return Error(Code::internal, "an exception of unknown type");
  }
}

}  // namespace

Error os_error(int error_number, const std::string& action, const std::string& where) {
  return Error(code_of_errno(error_number), action + ": " + std::strerror(error_number)).where(where);
}

Error current_error() noexcept {
  try {
    return described();
  } catch (...) {
    return Error(Code::oom, "out of memory");  // so short that it needs none
  }
}

}  // namespace td
