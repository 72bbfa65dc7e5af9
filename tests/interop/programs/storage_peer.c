/* The library's side of test_storage.py: one command a process, text on stdout.
 *
 *   save DIR             saves a dict that test_storage.py knows by heart
 *   copy FROM TO         opens a save and saves it again
 *   show DIR             prints each leaf: key dtype shape sum
 *   live DIR             obeys lines on stdin on a directory that is open for writing
 *   hold FROM NAME       opens a save, creates a segment of it, prints its path, and waits for the end of stdin
 *   own NAME [KEY]       creates a segment of the same dict, prints its path, adds 1 to "a" at each line on stdin; or of
 *                        a dict that has only this, as KEY; own-snapshots with snapshots, own-stacks with snapshots and a
 *                        lazy stack, to which it adds too
 */
#include "saves.h"
#include "serve.h"

/* Members of other shapes and keys, all filled with `value`. */
static void add_stack(td_dict *d, double value) {
  td_dict *members[2] = {NULL, NULL}, *stack = NULL;
  for (int64_t i = 0; i < 2; ++i) {
    td_tensor *x = NULL;
    check(td_dict_new(NULL, 0, NULL, &members[i], &err));
    check(td_tensor_full(TD_SHAPE(i + 2), TD_VALUE(td_value_double(value)), TD_DTYPE_FLOAT32, TD_NO_STR, &x, &err));
    check(td_dict_set(members[i], TD_KEY("x"), x, &err));
    if (i) check(td_dict_set(members[i], TD_KEY("n", "own"), x, &err));
    td_tensor_release(x);
  }
  check(td_dict_lazy_stack(members, 2, 0, &stack, &err));
  check(td_dict_set_dict(d, TD_KEY("stack"), stack, &err));
  td_dict_release(members[0]), td_dict_release(members[1]), td_dict_release(stack);
}

/* The same, or only its "a" under another key. */
static td_dict *example_as(const char *key, float offset) {
  td_dict *whole = example(offset), *d = NULL;
  td_tensor *a = NULL;
  if (!key) return whole;
  check(td_dict_get(whole, TD_KEY("a"), &a, &err));
  check(td_dict_new(TD_SHAPE(2), NULL, &d, &err));
  check(td_dict_set(d, TD_KEY(key), a, &err));
  td_tensor_release(a), td_dict_release(whole);
  return d;
}

static int run(int argc, char **argv) {
  const char *command = argc > 2 ? argv[1] : "";
  td_dict *d = NULL;
  if (argc > 2 && do_saves(command, argv[2], argc > 3 ? argv[3] : NULL)) {
    return 0;
  } else if (!strcmp(command, "hold") && argc == 4) {
    td_segment *s = NULL;
    check(td_open(TD_STR(argv[2]), NULL, &d, &err));
    check(td_segment_create(TD_STR(argv[3]), d, NULL, &s, &err));
    puts(td_segment_path(s).data), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
    }
    td_segment_release(s);
  } else if (!strncmp(command, "own", 3)) {
    int stacks = !strcmp(command, "own-stacks");
    td_segment *s = NULL;
    td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
    const char *key = argc > 3 ? argv[3] : NULL;
    float offset = 0;
    o.snapshots = strcmp(command, "own") ? 3 : 0;
    d = example_as(key, offset);
    if (stacks) add_stack(d, offset);
    check(td_segment_create(TD_STR(argv[2]), d, &o, &s, &err));
    puts(td_segment_path(s).data), fflush(stdout);
    for (char line[64]; fgets(line, sizeof line, stdin);) {
      td_dict *next = example_as(key, ++offset);
      if (stacks) add_stack(next, offset);
      check(td_segment_update(s, next, &err));
      td_dict_release(next);
      printf("%llu\n", (unsigned long long)td_segment_version(s)), fflush(stdout);
    }
    td_segment_release(s);
  } else {
    fprintf(stderr, "usage: storage_peer save|copy|show|watch|hold|own|own-snapshots ...\n");
    return 2;
  }
  td_dict_release(d);
  return 0;
}

MAIN_THAT_SERVES(run)
