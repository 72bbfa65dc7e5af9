#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "check.h"
#include "cli.h"
#include "report.h"
#include "text.h"

const char help_plugin[] =
    "usage: tensordict plugin list [--json] [--path DIR]\n"
    "       tensordict plugin why [--path DIR] [TEXT]\n"
    "       tensordict plugin check [OPTION...] FILE\n"
    "\n"
    "list    the types that plugins offer: kind, id, version, file\n"
    "why     whether each plugin file was loaded, and if not, why; only lines with TEXT\n"
    "check   tests a plugin file; each test runs in its own process, so a crash or hang affects no other\n"
    "\n"
    "  -p, --path DIR        look for plugins there too (list, why)\n"
    "      --json            print JSON (list, check)\n"
    "      --seed N          the seed for random choices (check; default: drawn and printed)\n"
    "      --reproduce SPEC  run one test again, as named in a report: TEST@SEED, in this process (check)\n"
    "      --only TEXT       only tests with TEXT in their names (check)\n"
    "      --timeout S       seconds for each test (check; default 30)\n"
    "      --config JSON     make instances with this config instead of {} (check)\n"
    "      --list            print the names of the tests without running them (check)\n"
    "  -v, --verbose         also print the tests that passed (check)\n"
    "  -h, --help            print this text\n"
    "\n"
    "Exit status: 0; 1 a test failed (why: a file was refused); 2 wrong usage; 3 output lost.\n";

static td_string *listed(td_status (*get)(td_string **, td_error **)) {
  td_string *s;
  td_error *err = NULL;
  check(get(&s, &err), &err);
  return s;
}

static void print_type(const char *object) {
  static const char *const members[] = {"kind", "id", "version", "file"};
  static const size_t widths[] = {13, 24, 9, 0};
  text line = {0};
  for (size_t i = 0; i < 4; ++i) {
    char *value = json_member(object, members[i]);
    size_t begin = line.size;
    if (value) text_shown(&line, value, strlen(value));
    free(value);
    while (i < 3 && (line.size - begin < widths[i] || line.data[line.size - 1] != ' ')) text_str(&line, " ");
  }
  puts(line.data);
  text_clear(&line);
}

static void look_in(const char *path) {
  td_error *err = NULL;
  if (path) check(td_plugins_add_path(TD_STR(path), &err), &err);
}

static int list(int argc, char **argv) {
  int json = 0;
  const char *path = NULL;
  const option options[] = {{"path", 'p', NULL, &path}, {"json", 0, &json, NULL}, {NULL, 0, NULL, NULL}};
  if (parse_options(argc, argv, options)) die_usage("no argument is needed");
  look_in(path);
  td_string *types = listed(td_plugins_list);
  const char *all = td_string_view(types).data;
  if (json) puts(all);
  for (size_t i = 0; !json && i < json_objects(all); ++i) {
    char *object = json_object(all, i);
    print_type(object);
    free(object);
  }
  td_string_release(types);
  return EXIT_GOOD;
}

static int why(int argc, char **argv) {
  int refused = 0, found = 0;
  const char *path = NULL;
  const option options[] = {{"path", 'p', NULL, &path}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (argc > 1) die_usage("one TEXT at most");
  const char *wanted = argc ? argv[0] : NULL;
  look_in(path);
  td_string *report = listed(td_plugins_report);
  char *copy = xcopy(td_string_view(report).data, td_string_view(report).size);
  for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
    if (wanted && !strstr(line, wanted)) continue;
    text t = {0};
    text_shown(&t, line, strlen(line));
    puts(t.data);
    text_clear(&t);
    found = 1;
    refused |= strstr(line, ": refused: ") != NULL;
  }
  free(copy);
  td_string_release(report);
  if (wanted && !found) die("no file that was looked at has '%s' in its path or report", wanted);
  return refused ? EXIT_FAILED : EXIT_GOOD;
}

static int check_file(int argc, char **argv) {
  check_options c = CHECK_OPTIONS_INIT;
  const char *seed = NULL, *timeout = NULL;
  const option options[] = {
      {"json", 0, &c.json, NULL},       {"seed", 0, NULL, &seed},           {"reproduce", 0, NULL, &c.reproduce},
      {"only", 0, NULL, &c.only},       {"timeout", 0, NULL, &timeout},     {"config", 0, NULL, &c.config},
      {"list", 0, &c.names_only, NULL}, {"verbose", 'v', &c.verbose, NULL}, {NULL, 0, NULL, NULL}};
  argc = parse_options(argc, argv, options);
  if (c.reproduce && (c.json || seed || c.only || c.names_only))
    die_usage("--reproduce cannot be combined with --json, --seed, --only or --list");
  if (c.names_only && c.json) die_usage("--list and --json exclude each other");
  if (seed) c.seed = parse_seed(seed), c.seeded = 1;
  if (timeout) c.timeout = (int)parse_number(timeout, "--timeout", 1, 86400);
  if (argc != 1) die_usage("one FILE is needed");
  td_abi_version();  // the launcher becomes the tool here, and not in a process that a test was forked into
  return check_plugin(argv[0], &c);
}

int cmd_plugin(int argc, char **argv) {
  static const subcommand all[] = {
      {"plugin list", list}, {"plugin why", why}, {"plugin check", check_file}, {NULL, NULL}};
  return run_subcommand(argc, argv, all, "list, why or check");
}
