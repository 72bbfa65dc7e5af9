// The checksum of headers and metadata: CRC-32C, which processors have an instruction for.
#pragma once

#include <cstdint>
#include <string_view>

namespace td::shm {

uint32_t crc32c(std::string_view bytes);

}  // namespace td::shm
