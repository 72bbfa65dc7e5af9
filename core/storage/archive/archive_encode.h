// Streams of compressed bytes as zip files hold them.
#pragma once

#include <functional>
#include <memory>

#include "core/storage/archive/zip.h"
#include "core/storage/options.h"

namespace td::storage {

using Part = std::function<void(const void* bytes, size_t size)>;

class Encoder {
 public:
  virtual ~Encoder() = default;
  // Gives what is ready to `out`; with `last` all the rest.
  virtual void pack(const void* bytes, size_t size, bool last, const Part& out) = 0;
};

// Throws Error(unsupported) for what this build cannot write.
zip::Method method_of(Compression compression);

std::unique_ptr<Encoder> make_encoder(Compression compression);

}  // namespace td::storage
