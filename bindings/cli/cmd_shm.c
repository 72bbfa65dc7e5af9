#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "report.h"
#include "text.h"

const char help_shm[] =
    "usage: tensordict shm ls [--json] [PREFIX]\n"
    "       tensordict shm show NAME [KEY...]\n"
    "       tensordict shm prune [--dry-run] [PREFIX]\n"
    "\n"
    "ls      segments and channels of this user: kind, bytes, owner and whether it is alive, name\n"
    "show    the tree of a segment; the same as tensordict show shm:NAME\n"
    "prune   removes what killed processes have left behind; not what its owner wanted kept\n"
    "\n"
    "      --json      print JSON (ls)\n"
    "      --dry-run   only say what has no owner any more (prune)\n"
    "  -h, --help      this text\n"
    "\n"
    "Exit status: 0; 1 on failure; 2 wrong usage; 3 output lost.\n";

static char *listed(const char *prefix) {
  td_string *list;
  td_error *err = NULL;
  check(td_segment_list(prefix ? TD_STR(prefix) : TD_NO_STR, &list, &err), &err);
  char *copy = xcopy(td_string_view(list).data, td_string_view(list).size);
  td_string_release(list);
  return copy;
}

static int is(const char *object, const char *name, const char *value) {
  char *found = json_member(object, name);
  int same = found && !strcmp(found, value);
  free(found);
  return same;
}

static int is_left_over(const char *object) {
  return !is(object, "alive", "true") && !is(object, "keep", "true");
}

static void print_segment(const char *object) {
  char *name = json_member(object, "name"), *kind = json_member(object, "kind"), *bytes = json_member(object, "bytes");
  char *pid = json_member(object, "pid");
  const char *owner = is(object, "alive", "true") ? "alive" : is(object, "keep", "true") ? "kept" : "gone";
  text size = {0}, shown = {0};
  text_bytes(&size, bytes ? strtoll(bytes, NULL, 10) : 0);
  text_shown(&shown, name ? name : "", name ? strlen(name) : 0);
  printf("%-8s %10s  %8s %-5s  %s\n", kind ? kind : "?", size.data, pid ? pid : "?", owner,
         shown.data ? shown.data : "");
  text_clear(&size);
  text_clear(&shown);
  free(name);
  free(kind);
  free(bytes);
  free(pid);
}

static int list(const char *prefix, int json, int left_over_only) {
  char *all = listed(prefix);
  if (json) puts(all);
  for (size_t i = 0; !json && i < json_objects(all); ++i) {
    char *object = json_object(all, i);
    if (!left_over_only || is_left_over(object)) print_segment(object);
    free(object);
  }
  free(all);
  return EXIT_GOOD;
}

static int show(int argc, char **argv) {
  size_t size = strlen(argv[1]);
  char *path = xalloc(size + 5);
  memcpy(path, "shm:", 4);
  memcpy(path + 4, argv[1], size);
  argv[1] = path;
  int status = cmd_show(argc - 1, argv + 1);
  free(path);
  return status;
}

static int prune(const char *prefix) {
  int64_t removed;
  td_error *err = NULL;
  check(td_segment_prune(prefix ? TD_STR(prefix) : TD_NO_STR, &removed, &err), &err);
  printf("%lld removed\n", (long long)removed);
  return EXIT_GOOD;
}

int cmd_shm(int argc, char **argv) {
  int json = 0, dry = 0;
  const option options[] = {{"json", 0, &json, NULL}, {"dry-run", 'n', &dry, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("ls, show or prune is needed");
  const char *prefix = argc > 1 ? argv[1] : NULL;
  if (!strcmp(argv[0], "ls") && argc <= 2) return list(prefix, json, 0);
  if (!strcmp(argv[0], "show") && argc >= 2) return show(argc, argv);
  if (!strcmp(argv[0], "prune") && argc <= 2) return dry ? list(prefix, 0, 1) : prune(prefix);
  die_usage("there is no `shm %s` with these arguments", argv[0]);
}
