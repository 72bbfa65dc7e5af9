#include "sha256.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int succeeded) {
  if (succeeded) return;
  fputs("libcrypto cannot compute SHA-256\n", stderr);
  exit(EXIT_FAILURE);
}

sha256 *sha256_begin(void) {
  sha256 *self = EVP_MD_CTX_new();
  must(self && EVP_DigestInit_ex(self, EVP_sha256(), NULL));
  return self;
}

void sha256_add(sha256 *self, const void *data, size_t size) {
  must(EVP_DigestUpdate(self, data, size));
}

void sha256_end(sha256 *self, char hex[65]) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  must(EVP_DigestFinal_ex(self, digest, &size));
  for (unsigned i = 0; i < size; ++i) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  EVP_MD_CTX_free(self);
}

void sha256_hex(const void *data, size_t size, char hex[65]) {
  sha256 *hash = sha256_begin();
  sha256_add(hash, data, size);
  sha256_end(hash, hex);
}
