// A file, or the front of one, in memory. Tensors hold it by shared_ptr, so it is unmapped with the last of them.
#pragma once

#include <memory>
#include <new>
#include <string>

#include <boost/interprocess/mapped_region.hpp>

#include "core/error.h"
#include "core/system/file.h"

namespace td::storage {

class Mapping {
 public:
  enum class Mode { read, copy_on_write, write };

  // Maps the first `size` bytes, which the caller has compared with the file's size; keeps no descriptor.
  Mapping(const Fd& file, int64_t size, Mode mode, const std::string& where);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* data() const { return static_cast<char*>(region_.get_address()); }
  int64_t size() const { return static_cast<int64_t>(region_.get_size()); }
  bool holds(const void* p) const { return data() <= p && p < data() + size(); }

 private:
  boost::interprocess::mapped_region region_;
};

using MappingPtr = std::shared_ptr<const Mapping>;

// Of a call that failed with `error_number`; says which limit it may have met.
[[noreturn]] void throw_unmapped(int error_number, int64_t size, const std::string& where);

// Returns the number of mappings that a process may have.
int64_t mappings_allowed();

// Memory is mapped, too, so an allocation may be the first to meet the limit. This needs no memory for its text.
struct OutOfMappings : std::bad_alloc {};

// To be called where an allocation failed, before what is mapped is let go: throws OutOfMappings if that is a lot.
[[noreturn]] void rethrow_as_out_of_mappings();

// Returns what OutOfMappings says once there is memory again.
Error out_of_mappings();

}  // namespace td::storage
