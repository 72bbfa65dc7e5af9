// JSON on a stream, valid whatever comes in: bytes that are not UTF-8 become U+FFFD, NaN and infinities "nan" and "inf".
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Members and elements are separated by who writes them: json_next writes the comma, but before the first.
void json_next(FILE *out, int *count);
void json_key(FILE *out, int *count, const char *name);  // , "name":
void json_string(FILE *out, const char *data, size_t size);
void json_text(FILE *out, const char *s);  // of a NUL-terminated string; null for NULL
void json_double(FILE *out, double f);
void json_dims(FILE *out, const int64_t *dims, size_t n);
void json_hex(FILE *out, const void *bytes, size_t size);  // with quotes

// Copies JSON of the library, in which NaN, Infinity and -Infinity may stand.
void json_copy(FILE *out, const char *data, size_t size);

#endif
