// SHA-256 (FIPS 180-4).
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
  uint32_t state[8];
  uint64_t size;
  uint8_t block[64];
} sha256;

void sha256_begin(sha256 *self);
void sha256_add(sha256 *self, const void *data, size_t size);
void sha256_end(sha256 *self, char hex[65]);

// All at once.
void sha256_hex(const void *data, size_t size, char hex[65]);

#endif
