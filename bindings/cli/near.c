#include "near.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

// Damerau and Levenshtein's distance, in which no part is edited twice.
size_t letters_apart(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), rows[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (size_t i = 0; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      if (!i || !j) {
        rows[i][j] = i + j;
        continue;
      }
      rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[n][m];
}

int is_near(const char *typed, const char *meant) {
  size_t max_distance = strlen(meant) < 4 ? 1 : 2;
  return letters_apart(typed, meant) <= max_distance;
}
