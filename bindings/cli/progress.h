// A bar on stderr while a save or a long read runs: on a terminal only, and not before there is something to wait for.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "tensordict.h"

typedef struct progress {
  td_progress callback;  // to give to td_save
  const char *label;
  double begun, shown;         // seconds
  int drawn, always, stopped;  // stopped: by a signal
} progress;

// `wanted`: 0 never, 1 on a terminal, 2 always.
const td_progress *begin_progress(progress *self, const char *label, int wanted);
void end_progress(progress *self);  // takes the bar away

// The same while a command reads `total` bytes, one bar at a time. Whoever prints a line hides the bar first.
enum { READ_PIECE = 1 << 24 };  // how much to read before the bar moves
void begin_reading(int wanted, int64_t total);
void have_read(int64_t bytes);
void hide_reading(void);
void end_reading(void);

#endif
