// What the elements of a tensor are like: what one looks for in a run that went wrong.
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stdio.h>

#include "text.h"
#include "tree.h"

typedef struct stats {
  int numbers;  // 0: the dtype has no order (complex), or its elements are kept as bytes
  int64_t count, nans, infinities;
  double low, high, mean;  // of the numbers that are neither NaN nor infinite
  int64_t finite;
} stats;

// Of a tensor that is not nested, read whole. Ends the process if that fails.
stats stats_of(const item *leaf);

void stats_text(text *t, const stats *s);  // "min -1.5  max 2.0  mean 0.25  nan 3"
void stats_json(FILE *out, const stats *s);

#endif
