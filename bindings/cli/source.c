#include "source.h"

#include <string.h>

#include "cli.h"
#include "remote.h"

int trust_files;

static const struct {
  td_format format;
  const char *word;
} words[] = {{TD_FORMAT_MEMMAP, "memmap"}, {TD_FORMAT_CONSOLIDATED, "consolidated"}, {TD_FORMAT_ARCHIVE, "archive"},
             {TD_FORMAT_HDF5, "h5"},       {TD_FORMAT_SAFETENSORS, "safetensors"},   {TD_FORMAT_TORCH_SAVE, "torch"}};

const char *format_word(td_format format) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (words[i].format == format) return words[i].word;
  return "?";
}

td_format format_of_word(const char *word) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (!strcmp(words[i].word, word)) return words[i].format;
  return TD_FORMAT_AUTO;
}

const char *segment_name(const char *path) {
  return strncmp(path, "shm:", 4) ? NULL : path + 4;
}

static td_status open_segment(const char *name, source *out, td_error **err) {
  td_status status = td_segment_open(TD_STR(name), NULL, &out->segment, err);
  if (status == TD_OK) status = td_segment_dict(out->segment, &out->dict, err);
  out->format = "segment";
  return status;
}

static td_status open_url(const char *url, source *out, td_error **err) {
  out->format = "server";
  return td_remote_open(TD_STR(url), NULL, &out->dict, err);
}

static td_status open_file(const char *path, source *out, td_error **err) {
  td_format format;
  td_status status = td_format_detect(TD_STR(path), &format, err);
  if (status != TD_OK) return status;
  out->format = format_word(format);
  td_open_options o = TD_OPEN_OPTIONS_INIT;
  o.trusted = trust_files != 0;
  return td_open(TD_STR(path), &o, &out->dict, err);
}

td_status try_source(const char *path, source *out, td_error **err) {
  memset(out, 0, sizeof *out);
  out->path = path;
  const char *name = segment_name(path);
  td_status status = name           ? open_segment(name, out, err)
                     : is_url(path) ? open_url(path, out, err)
                                    : open_file(path, out, err);
  if (status != TD_OK) close_source(out);
  return status;
}

source open_source(const char *path) {
  source s;
  td_error *err = NULL;
  check(try_source(path, &s, &err), &err);
  return s;
}

void close_source(source *self) {
  td_dict_release(self->dict);
  td_segment_release(self->segment);
  self->dict = NULL;
  self->segment = NULL;
}
