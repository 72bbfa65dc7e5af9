#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "progress.h"
#include "sha256.h"
#include "source.h"
#include "text.h"
#include "tree.h"
#include "value.h"

const char help_verify[] =
    "usage: tensordict verify [--trusted] [--sha256] [--json] [--progress] PATH...\n"
    "\n"
    "Opens each PATH strictly (every size, type and name is checked, links are not followed) and reads every byte of "
    "it;\n"
    "of archives it also compares the checksums.\n"
    "A line for each says what is wrong, or that all is well; the others are still looked at.\n"
    "\n"
    "      --sha256   also print one digest over keys, types and contents; equal for equal content in any format\n"
    "      --json     one JSON object for each PATH: path, ok, and format, sums and sha256, or the error\n"
    "      --progress show a progress bar even if stderr is not a terminal\n"
    "      --trusted  open HDF5 files too; damaged ones crash the HDF5 library\n"
    "  -h, --help     print this text\n"
    "\n"
    "Exit status: 0 all are sound; 1 one is not; 2 wrong usage; 3 output lost.\n";

// Reads every page, which shows what a disk cannot read; a digest is worked out only for who asked for it.
static void add_bytes(sha256 *hash, const char *bytes, size_t size) {
  static volatile char seen;
  for (size_t at = 0; at < size; at += READ_PIECE) {
    size_t n = size - at < READ_PIECE ? size - at : READ_PIECE;
    if (hash) sha256_add(hash, bytes + at, n);
    for (size_t i = at; !hash && i < at + n; i += 4096) seen = bytes[i];
    have_read((int64_t)n);
  }
  (void)seen;
}

static void add_number(sha256 *hash, int64_t n) {
  if (!hash) return;
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (uint8_t)((uint64_t)n >> (8 * i));
  sha256_add(hash, bytes, sizeof bytes);
}

static void add_text(sha256 *hash, const char *data, size_t size) {
  if (!hash) return;
  add_number(hash, (int64_t)size);
  sha256_add(hash, data, size);
}

static void add_data(sha256 *hash, const td_data_list *list) {
  add_number(hash, td_data_list_is_stack(list));
  for (size_t i = 0; i < td_data_list_size(list); ++i) {
    td_data value;
    td_error *err = NULL;
    check(td_data_list_get(list, i, &value, &err), &err);
    int64_t number;
    memcpy(&number, &value.f, sizeof number);
    add_number(hash, value.kind);
    add_number(hash, value.i);
    add_number(hash, number);
    add_text(hash, value.text.data, value.text.size);
  }
}

// Reads all of it into the digest.
static td_status add_item(sha256 *hash, const item *self, td_error **err) {
  td_tensor *t = NULL, *held = NULL;
  const char *bytes;
  add_number(hash, self->kind);
  add_text(hash, self->key, self->key_size);
  add_number(hash, (int64_t)self->ndim);
  for (size_t i = 0; i < self->ndim; ++i) add_number(hash, self->dims[i]);
  add_number(hash, self->nested);
  for (size_t i = 0; i < self->n_members; ++i) {
    td_status status = add_item(hash, tree_component(self, i), err);
    if (status != TD_OK) return status;
  }
  if (self->kind == ITEM_TENSOR && !self->nested) {
    td_status status = tree_tensor(self, &t, err);
    if (status == TD_OK) status = dense_bytes(t, &held, &bytes, err);
    td_tensor_release(t);
    if (status != TD_OK) return status;
    add_number(hash, self->dtype);
    add_bytes(hash, bytes, (size_t)td_tensor_nbytes(held));
    td_tensor_release(held);
  } else if (self->kind == ITEM_DATA) {
    add_data(hash, self->data);
  } else if (self->kind == ITEM_DICT) {
    add_number(hash, self->stack_dim);
    add_number(hash, (int64_t)self->n_children);
  }
  const item **children = tree_sorted(self);
  td_status status = TD_OK;
  for (size_t i = 0; i < self->n_children && status == TD_OK; ++i) status = add_item(hash, children[i], err);
  free(children);
  return status;
}

static void print_sound(const source *s, const item *root, const char *digest) {
  counts n = tree_counts(root);
  text line = {0};
  text_shown(&line, s->path, strlen(s->path));
  text_str(&line, ": ok (");
  text_str(&line, s->format);
  text_str(&line, ", ");
  text_int(&line, n.tensors);
  text_str(&line, " tensors, ");
  text_int(&line, n.values);
  text_str(&line, " values, ");
  text_bytes(&line, n.bytes);
  text_str(&line, ")");
  if (digest) {
    text_str(&line, " ");
    text_str(&line, digest);
  }
  puts(line.data);
  text_clear(&line);
}

static void print_json(const char *path, const source *s, const item *root, const char *digest, const char *error) {
  int members = 0;
  putchar('{');
  json_key(stdout, &members, "path");
  json_text(stdout, path);
  json_key(stdout, &members, "ok");
  fputs(error ? "false" : "true", stdout);
  if (error) {
    json_key(stdout, &members, "error");
    json_text(stdout, error);
  } else {
    counts n = tree_counts(root);
    json_key(stdout, &members, "format");
    json_text(stdout, s->format);
    json_key(stdout, &members, "tensors");
    printf("%lld", (long long)n.tensors);
    json_key(stdout, &members, "values");
    printf("%lld", (long long)n.values);
    json_key(stdout, &members, "bytes");
    printf("%lld", (long long)n.bytes);
    if (digest) {
      json_key(stdout, &members, "sha256");
      json_text(stdout, digest);
    }
  }
  puts("}");
}

static void print_damage(const char *path, int json, td_error *err, const char *otherwise) {
  const char *words = err ? td_error_message(err).data : otherwise;
  if (json)
    print_json(path, NULL, NULL, NULL, words);
  else if (err && strstr(words, path))
    warn("%s", words);
  else
    warn("%s: %s", path, words);
  td_error_release(err);
}

static int is_sound(const char *path, int digest, int json, int bar) {
  source s;
  td_error *err = NULL;
  char hex[65];
  if (try_source(path, &s, &err) != TD_OK) {
    print_damage(path, json, err, "it cannot be opened");
    return 0;
  }
  item *root = tree_of(s.dict);
  begin_reading(bar ? 2 : 1, tree_counts(root).bytes);
  sha256 *hash = digest ? sha256_begin() : NULL;
  td_status status = add_item(hash, root, &err);
  if (status == TD_OK && !strcmp(s.format, "archive")) status = td_archive_verify(TD_STR(path), &err);
  if (hash) sha256_end(hash, hex);
  end_reading();
  if (status != TD_OK)
    print_damage(path, json, err, td_status_name(status).data);
  else if (json)
    print_json(path, &s, root, digest ? hex : NULL, NULL);
  else
    print_sound(&s, root, digest ? hex : NULL);
  tree_free(root);
  close_source(&s);
  return status == TD_OK;
}

int cmd_verify(int argc, char **argv) {
  int digest = 0, json = 0, bar = 0, sound = 1;
  const option options[] = {{"sha256", 0, &digest, NULL},
                            {"json", 0, &json, NULL},
                            {"progress", 0, &bar, NULL},
                            TRUSTED_OPTION,
                            {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("a PATH is missing");
  for (int i = 0; i < argc; ++i) sound &= is_sound(argv[i], digest, json, bar);
  return sound ? EXIT_GOOD : EXIT_FAILED;
}
