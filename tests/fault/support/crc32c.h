/* The checksum of headers and metadata, by another program than the library's. */
#ifndef TESTS_FAULT_CRC32C_H
#define TESTS_FAULT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t crc32c(const unsigned char *p, size_t n) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < n; ++i) {
    crc ^= p[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0x82F63B78u & (0u - (crc & 1)));
  }
  return ~crc;
}

#endif
