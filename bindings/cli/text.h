// Text that grows, and text for people: nothing in it moves the cursor, rings or turns the reading direction.
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct text {
  char *data;  // ends with a NUL; NULL while empty
  size_t size, capacity;
} text;

void text_add(text *t, const char *data, size_t size);
void text_str(text *t, const char *s);
void text_int(text *t, int64_t i);
void text_clear(text *t);  // and its memory

// Decodes one character of UTF-8 from [p, end) into `*c` and returns its bytes; 0 if it is not valid.
size_t utf8_decode(const char *p, const char *end, uint32_t *c);

// Adds foreign text for a terminal: control and format characters and bytes that are not UTF-8 as \n, \x1b, \u202e.
void text_shown(text *t, const char *data, size_t size);
// The same in quotes, cut to about `width` characters.
void text_quoted(text *t, const char *data, size_t size, size_t width);

void text_dims(text *t, const int64_t *dims, size_t n);  // "[2, 3]"
void text_bytes(text *t, int64_t bytes);                 // "1.5 MiB"
// The shortest form that reads back as the same number: of a double, and of a float or narrower (9 digits at most).
void text_double(text *t, double f);
void text_float(text *t, float f);

#endif
