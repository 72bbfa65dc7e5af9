// SHA-256, as OpenSSL computes it.
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>

typedef struct evp_md_ctx_st sha256;

// Without memory the program ends.
sha256 *sha256_begin(void);
void sha256_add(sha256 *self, const void *data, size_t size);
// Frees what sha256_begin returned.
void sha256_end(sha256 *self, char hex[65]);

// All at once.
void sha256_hex(const void *data, size_t size, char hex[65]);

#endif
