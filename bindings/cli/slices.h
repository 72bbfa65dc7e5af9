// Parts of a tensor as one writes them in Python: "3", "-1", "2:5", "0,:,1:3".
#ifndef CLI_SLICES_H
#define CLI_SLICES_H

#include "tensordict.h"

// Ends the process as wrong usage if `text` is none.
void check_slices(const char *text);

// The part of `t`, a view; `t` is released. Ends the process if an index is out of range.
td_tensor *slices_of(td_tensor *t, const char *text);

#endif
