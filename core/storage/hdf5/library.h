// libhdf5 as this folder uses it: one thread at a time, silent, its identifiers closed by scope, its failures as
// errors.
#pragma once

#ifndef H5_USE_110_API
#define H5_USE_110_API  // later releases offer the same functions under these names
#endif
#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/fork.h"

namespace td::storage::hdf5 {

// The library is not made for threads, and prints its errors unless told not to. While one of these lives, the thread
// has the library for itself, and what the process had set for errors is as before afterwards.
class Section {
 public:
  Section();
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  // Runs code of the caller's in the middle: the library is free for others then, and the process's settings are back.
  template <class F>
  void outside(F code) {
    Outside now(*this);
    code();
  }

 private:
  class Outside {
   public:
    explicit Outside(Section& section);
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    Section& section_;
    unsigned depth_;
  };
  void silence();
  void restore();

  std::unique_lock<ProcessMutex> lock_;
  bool old_style_ = false;
  H5E_auto1_t print1_ = nullptr;
  H5E_auto2_t print2_ = nullptr;
  void* data_ = nullptr;
};

// Closes what it holds; inside a Section only.
class Hid {
 public:
  Hid() = default;
  explicit Hid(hid_t id) : id_(id) {}
  Hid(Hid&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hid& operator=(Hid&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hid();

  hid_t get() const { return id_; }
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

// The reason that the library has for its last failure. Errors of the operating system keep their code; for all others
// it is `code`.
Error failure(Code code, const std::string& action, const std::string& file);

// Throw that, if the library says so.
Hid opened(hid_t id, Code code, const char* action, const std::string& file);
void done(herr_t status, Code code, const char* action, const std::string& file);

}  // namespace td::storage::hdf5
