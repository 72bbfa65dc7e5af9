/* The library's side of test_remote.py: one command a process.
 *
 *   fetch URL DIRECTORY    saves what a dict on a server has
 *   store DIRECTORY URL    makes a dict on a server with what a save has, in one update, and prints its version
 *   change URL             writes into a dict of Python's, that has "a" [4, 2] float32 and "n" {"b" [4] int64}
 *   fill URL MEMBER NUMBER  writes a number into all tensors of one member of a lazy stack, or of all for -1
 *   list URL               prints the ids
 *   remove URL
 *   feature NAME           prints 1 if this build has it
 */
#include <stdlib.h>
#include <string.h>

#include "full.h"
#include "peer.h"
#include "serve.h"

static td_dict *opened(const char *url, td_open_mode mode) {
  td_dict *d = NULL;
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.mode = mode;
  check(td_remote_open(TD_STR(url), &options, &d, &err));
  return d;
}

static td_dict *stored(const char *directory, const char *url) {
  td_dict *from = NULL, *d = NULL;
  int64_t batch[16], version = 0;
  check(td_open(TD_STR(directory), NULL, &from, &err));
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.batch_size = batch, options.ndim = td_dict_batch_size(from, batch, 16);
  check(td_remote_create(TD_STR(url), &options, &d, &err));
  check(td_dict_update(d, from, NULL, &err));
  check(td_remote_version(d, &version, &err));
  printf("%lld\n", (long long)version);
  td_dict_release(from);
  return d;
}

static td_dict *changed(const char *url) {
  td_dict *d = opened(url, TD_OPEN_READ_WRITE), *row = NULL, *rows = NULL;
  const td_index second[] = {TD_INT(1)}, last[] = {TD_SLICE(2, 4)};
  check(td_dict_new(TD_NO_DIMS, NULL, &row, &err));
  put(row, TD_KEY("a"), full(7, TD_DTYPE_FLOAT32, TD_SHAPE(2)));
  check(td_dict_set_at(d, second, 1, row, &err));
  check(td_dict_new(TD_SHAPE(2), NULL, &rows, &err));
  put(rows, TD_KEY("n", "b"), full(-1, TD_DTYPE_INT64, TD_SHAPE(2)));
  check(td_dict_set_at(d, last, 1, rows, &err));
  put(d, TD_KEY("n", "c"), full(2, TD_DTYPE_BFLOAT16, TD_SHAPE(4, 1)));
  check(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("m"), 0, &err));
  td_dict_release(row), td_dict_release(rows);
  return d;
}

static td_dict *filled(const char *url, long member, long number) {
  td_dict *d = opened(url, TD_OPEN_READ_WRITE), *part = NULL;
  td_dict_list *members = NULL;
  td_keys *keys = NULL;
  check(td_dict_members(d, &members, &err));
  if (member >= 0) check(td_dict_list_get(members, (size_t)member, &part, &err));
  check(td_dict_keys(d, TD_KEYS_NESTED + TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    check(td_keys_get(keys, i, &key, &err));
    check(td_dict_fill_(part ? part : d, &key, TD_VALUE(td_value_int(number)), &err));
  }
  td_keys_release(keys), td_dict_list_release(members), td_dict_release(part);
  return d;
}

static void list(const char *url) {
  td_keys *ids = NULL;
  check(td_remote_list(TD_STR(url), NULL, &ids, &err));
  for (size_t i = 0; i < td_keys_size(ids); ++i) {
    td_key id;
    check(td_keys_get(ids, i, &id, &err));
    printf("%.*s\n", (int)id.parts[0].size, id.parts[0].data);
  }
  td_keys_release(ids);
}

static int run(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (!strcmp(command, "fetch") && argc == 4) {
    d = opened(argv[2], TD_OPEN_READ);
    check(td_save(d, TD_STR(argv[3]), NULL, &err));
  } else if (!strcmp(command, "store") && argc == 4) {
    d = stored(argv[2], argv[3]);
  } else if (!strcmp(command, "change")) {
    d = changed(argv[2]);
  } else if (!strcmp(command, "fill") && argc == 5) {
    d = filled(argv[2], atol(argv[3]), atol(argv[4]));
  } else if (!strcmp(command, "list")) {
    list(argv[2]);
  } else if (!strcmp(command, "feature")) {
    printf("%d\n", td_has_feature(TD_STR(argv[2])));
  } else if (!strcmp(command, "remove")) {
    check(td_remote_remove(TD_STR(argv[2]), NULL, &err));
  } else {
    fprintf(stderr, "usage: remote_peer fetch|store|change|fill|list|remove|feature URL ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}

MAIN_THAT_SERVES(run)
