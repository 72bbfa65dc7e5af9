// What a PATH on the command line means: something on disk, shm:NAME, or the URL of a dict on a server.
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "tensordict.h"

typedef struct source {
  const char *path;    // as it was given
  const char *format;  // "memmap", "consolidated", "archive", "h5", "safetensors", "torch", "segment",
                       // "server"
  td_dict *dict;
  td_segment *segment;  // NULL unless it is one
} source;

extern int trust_files;  // --trusted: HDF5 is recognised, too
#define TRUSTED_OPTION \
  { "trusted", 0, &trust_files, NULL }

// Ends the process if it cannot be opened.
source open_source(const char *path);
// As open_source, but the error is the caller's.
td_status try_source(const char *path, source *out, td_error **err);
void close_source(source *self);

// The segment's name in "shm:NAME"; NULL for paths.
const char *segment_name(const char *path);

const char *format_word(td_format format);
td_format format_of_word(const char *word);  // TD_FORMAT_AUTO if there is none of this name

#endif
