// The tree of `show` as JSON.
#ifndef CLI_TREE_JSON_H
#define CLI_TREE_JSON_H

#include <stdio.h>

#include "tree.h"

// `depth` levels of it; negative: all.
void tree_json(FILE *out, const item *self, int64_t depth, int with_stats);

#endif
