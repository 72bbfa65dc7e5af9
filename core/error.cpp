#include "core/error.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include <c10/util/Exception.h>

#include "core/torch_compat.h"

namespace td {

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

// LibTorch says most things in text only; the first line without its backtrace is what a reader needs.
std::string first_line(const char* text) {
  std::string s = text;
  s = s.substr(0, s.find("\nException raised from"));
  s = s.substr(0, s.find('\n'));
  return s.empty() ? std::string("LibTorch failed without a message") : s;
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

}  // namespace

Error os_error(int error_number, const std::string& action, const std::string& where) {
  return Error(code_of_errno(error_number), action + ": " + std::strerror(error_number)).where(where);
}

Error current_error() noexcept {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const c10::IndexError& e) {
    return Error(Code::index, first_line(e.what_without_backtrace()));
  } catch (const c10::NotImplementedError& e) {
    return Error(Code::unsupported, first_line(e.what_without_backtrace()));
  } catch (const c10::Error& e) {
    std::string text = first_line(e.what_without_backtrace());
    Code code = code_of_text(text);
    return Error(code, std::move(text));
  } catch (const std::bad_alloc&) {
    return Error(Code::oom, "out of memory");
  } catch (const std::system_error& e) {
    return Error(code_of_errno(e.code().value()), e.what());
  } catch (const std::exception& e) {
    std::string text = first_line(e.what());
    Code code = code_of_text(text);
    return Error(code, std::move(text));
  } catch (...) {
    return Error(Code::internal, "an exception of unknown type");
  }
}

}  // namespace td
