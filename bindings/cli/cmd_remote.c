#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "json.h"
#include "remote.h"
#include "text.h"

const char help_remote[] =
    "usage: tensordict remote ls [--json] URL\n"
    "       tensordict remote show [--depth N] [--stats] [--json] URL [KEY...]\n"
    "       tensordict remote cat [--json|--raw] [--limit N] [--at SLICES] URL KEY...\n"
    "       tensordict remote copy SRC DST\n"
    "       tensordict remote rm URL...\n"
    "\n"
    "Dicts on a Redis or Valkey server, in the layout of Python's TensorDictStore. URL is\n"
    "redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]?id=ID or unix://[[USER]:PASSWORD@]/SOCKET?id=ID; without ?id= for ls.\n"
    "\n"
    "ls      the ids of the dicts on the server\n"
    "show    the tree of a dict; as tensordict show URL\n"
    "cat     the values under one key; as tensordict cat URL KEY...\n"
    "copy    SRC as DST, of which one is a URL: into the server in one transaction, or out of it into a file or\n"
    "        directory whose format is that of its ending. What exists is not replaced.\n"
    "rm      removes dicts with all their entries\n"
    "\n"
    "      --json      print JSON (ls, show, cat)\n"
    "  -h, --help      print this text; tensordict show --help and tensordict cat --help tell their other options\n"
    "\n"
    "Exit status: 0; 1 on failure; 2 wrong usage; 3 output lost.\n";

static void need_url(const char *path) {
  if (!is_url(path)) die_usage("'%s' is no URL; one begins with redis:// or unix://", path);
}

static int list(int argc, char **argv) {
  int json = 0;
  const option options[] = {{"json", 0, &json, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 1) die_usage("a URL is needed");
  need_url(argv[0]);
  td_keys *ids;
  td_error *err = NULL;
  check(td_remote_list(TD_STR(argv[0]), NULL, &ids, &err), &err);
  const size_t n = td_keys_size(ids);
  if (json) putchar('[');
  for (size_t i = 0; i < n; ++i) {
    td_key key;
    check(td_keys_get(ids, i, &key, &err), &err);
    const td_str id = key.parts[0];
    if (json) {
      if (i) fputs(", ", stdout);
      json_string(stdout, id.data, id.size);
    } else {
      text line = {0};
      text_shown(&line, id.data, id.size);
      puts(line.data);
      text_clear(&line);
    }
  }
  if (json) puts("]");
  td_keys_release(ids);
  return EXIT_GOOD;
}

// One of the arguments must be a URL; `run` checks the rest.
static int of_url(int argc, char **argv, int (*run)(int argc, char **argv)) {
  for (int i = 0; i < argc; ++i)
    if (is_url(argv[i]) || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return run(argc, argv);
  die_usage("a URL is needed; it begins with redis:// or unix://");
}

static int show(int argc, char **argv) {
  return of_url(argc, argv, cmd_show);
}

static int cat(int argc, char **argv) {
  return of_url(argc, argv, cmd_cat);
}

static int copy(int argc, char **argv) {
  const option options[] = {{NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc != 2) die_usage("SRC and DST are needed");
  if (!is_url(argv[0]) && !is_url(argv[1])) die_usage("SRC or DST must be a URL; tensordict convert copies files");
  return cmd_convert(argc, argv);
}

static int rm(int argc, char **argv) {
  const option options[] = {{NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc < 1) die_usage("a URL is needed");
  for (int i = 0; i < argc; ++i) need_url(argv[i]);
  int failed = 0;
  for (int i = 0; i < argc; ++i) {
    td_error *err = NULL;
    if (td_remote_remove(TD_STR(argv[i]), NULL, &err) != TD_OK) failed = 1, warn("%s", td_error_message(err).data);
    td_error_release(err);
  }
  return failed ? EXIT_FAILED : EXIT_GOOD;
}

int cmd_remote(int argc, char **argv) {
  static const subcommand all[] = {{"remote ls", list},   {"remote show", show}, {"remote cat", cat},
                                   {"remote copy", copy}, {"remote rm", rm},     {NULL, NULL}};
  return run_subcommand(argc, argv, all, "ls, show, cat, copy or rm");
}
