#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "report.h"
#include "shared.h"
#include "source.h"
#include "text.h"

const char help_shm[] =
    "usage: tensordict shm ls [--json] [PREFIX]\n"
    "       tensordict shm show [--depth N] [--stats] [--json] NAME [KEY...]\n"
    "       tensordict shm prune [--dry-run] [PREFIX]\n"
    "       tensordict shm rm [--force] NAME...\n"
    "\n"
    "ls      segments, channels and maps of this user: kind, bytes, owner and whether it is alive, name\n"
    "show    the tree of a segment, or a channel's state and the tree of its messages; as tensordict show shm:NAME\n"
    "prune   removes what killed processes left behind, except what was made to be kept\n"
    "rm      removes names, also kept ones; processes that have it open can still use it\n"
    "\n"
    "      --json      print JSON (ls, show)\n"
    "      --stats     least, greatest and mean elements, and NaNs (show, of segments)\n"
    "  -d, --depth N   go N levels down (show; default: all)\n"
    "  -n, --dry-run   only print the names without an owner (prune)\n"
    "  -f, --force     also while its owner is running (rm)\n"
    "  -h, --help      print this text\n"
    "\n"
    "Exit status: 0; 1 on failure; 2 wrong usage; 3 output lost.\n";

// NAME may be given as a PATH would be.
static const char *bare(const char *name) {
  const char *behind = segment_name(name);
  return behind ? behind : name;
}

static int is_damaged(const shared *s) {
  return s->kind && !strcmp(s->kind, "damaged");
}

static void print_shared(const shared *s) {
  const char *owner = is_damaged(s) ? "?" : s->alive ? "alive" : s->keep ? "kept" : "gone";
  text size = {0}, shown = {0};
  text_bytes(&size, s->bytes ? strtoll(s->bytes, NULL, 10) : 0);
  text_shown(&shown, s->name ? s->name : "", s->name ? strlen(s->name) : 0);
  printf("%-8s %10s  %8s %-5s  %s\n", s->kind ? s->kind : "?", s->bytes ? size.data : "?", s->pid ? s->pid : "?", owner,
         shown.data ? shown.data : "");
  text_clear(&size);
  text_clear(&shown);
}

static void print_list(const char *prefix, int left_over_only) {
  char *all = shared_list(prefix);
  for (size_t i = 0, n = json_objects(all); i < n; ++i) {
    char *object = json_object(all, i);
    shared s = shared_of(object);
    if (!left_over_only || !(s.alive || s.keep || is_damaged(&s))) print_shared(&s);
    shared_clear(&s);
    free(object);
  }
  free(all);
}

static int list(int argc, char **argv) {
  int json = 0;
  const option options[] = {{"json", 0, &json, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc > 1) die_usage("one PREFIX at most");
  const char *prefix = argc ? argv[0] : NULL;
  if (!json) {
    print_list(prefix, 0);
    return EXIT_GOOD;
  }
  char *all = shared_list(prefix);
  puts(all);
  free(all);
  return EXIT_GOOD;
}

static int show(int argc, char **argv) {
  show_options o = {NULL, 0, 0};
  const option options[] = {
      {"depth", 'd', NULL, &o.depth}, {"stats", 0, &o.stats, NULL}, {"json", 0, &o.json, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("a NAME is missing");
  text path = {0};
  text_str(&path, "shm:");
  text_str(&path, bare(argv[0]));
  int status = show_source(path.data, argv + 1, (size_t)argc - 1, &o);
  text_clear(&path);
  return status;
}

static int prune(int argc, char **argv) {
  int dry = 0;
  const option options[] = {{"dry-run", 'n', &dry, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc > 1) die_usage("one PREFIX at most");
  const char *prefix = argc ? argv[0] : NULL;
  if (dry) {
    print_list(prefix, 1);
    return EXIT_GOOD;
  }
  int64_t removed;
  td_error *err = NULL;
  check(td_segment_prune(prefix ? TD_STR(prefix) : TD_NO_STR, &removed, &err), &err);
  printf("%lld removed\n", (long long)removed);
  return EXIT_GOOD;
}

// What is damaged may have been any of the three, and each looks first whether it is its own.
static int unlink_shared(const shared *s) {
  static const struct {
    const char *kind;
    td_status (*unlink)(td_str, td_error **);
  } kinds[] = {{"segment", td_segment_unlink}, {"channel", td_channel_unlink}, {"map", td_query_unlink}};
  td_error *err = NULL;
  for (size_t i = 0; i < 3; ++i) {
    if (!is_damaged(s) && strcmp(s->kind, kinds[i].kind)) continue;
    td_error_release(err);
    err = NULL;
    if (kinds[i].unlink(TD_STR(s->name), &err) == TD_OK) return 1;
  }
  warn("%s", err ? td_error_message(err).data : s->name);
  td_error_release(err);
  return 0;
}

static int remove_one(const char *name, int force) {
  shared s;
  int removed = 0;
  if (!shared_find(name, &s)) {
    warn("shm:%s: this user has no segment, channel or map of this name", name);
    return 0;
  }
  if (s.alive && !force)
    warn("shm:%s: this %s of process %s is in use; --force removes the name, but processes that have it open keep it",
         name, s.kind, s.pid);
  else
    removed = unlink_shared(&s);
  shared_clear(&s);
  return removed;
}

static int rm(int argc, char **argv) {
  int force = 0, failed = 0;
  const option options[] = {{"force", 'f', &force, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("a NAME is missing");
  for (int i = 0; i < argc; ++i) failed |= !remove_one(bare(argv[i]), force);
  return failed ? EXIT_FAILED : EXIT_GOOD;
}

int cmd_shm(int argc, char **argv) {
  static const subcommand all[] = {
      {"shm ls", list}, {"shm show", show}, {"shm prune", prune}, {"shm rm", rm}, {NULL, NULL}};
  return run_subcommand(argc, argv, all, "ls, show, prune or rm");
}
