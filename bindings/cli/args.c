#include "args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "near.h"

static const option *named(const option *options, const char *name, size_t size) {
  for (; options->name; ++options)
    if (strlen(options->name) == size && !memcmp(options->name, name, size)) return options;
  return NULL;
}

static const option *lettered(const option *options, char letter) {
  for (; options->name; ++options)
    if (options->letter == letter) return options;
  return NULL;
}

static void die_unknown(const option *options, const char *argument, size_t size) {
  char *name = xcopy(argument + 2, size);
  for (; options->name; ++options)
    if (is_near(name, options->name)) die_usage("unknown option %s; did you mean --%s?", argument, options->name);
  die_usage("unknown option %s", argument);
}

static void help(void) {
  char *name = xcopy(command_name, strcspn(command_name, " "));
  fputs(find_command(name)->help, stdout);
  free(name);
  exit(finish(EXIT_GOOD));
}

// Takes one option, and returns how many arguments it was.
static int take(const option *o, const char *shown, const char *value, const char *next) {
  if (o->flag) {
    if (value) die_usage("%s takes no value", shown);
    *o->flag = 1;
    return 1;
  }
  if (!value && !next) die_usage("%s needs a value", shown);
  *o->value = value ? value : next;
  return value ? 1 : 2;
}

// Takes "-qf", "-j4", "-j 4" and "-qj4", and returns how many arguments it was.
static int take_letters(const option *options, const char *argument, const char *next) {
  for (const char *letter = argument + 1; *letter; ++letter) {
    char shown[] = {'-', *letter, 0};
    if (*letter == 'h') help();
    const option *o = lettered(options, *letter);
    if (!o && argument[2]) die_usage("unknown option %s in %s", shown, argument);
    if (!o) die_usage("unknown option %s", argument);
    if (!o->flag) return take(o, shown, letter[1] ? letter + 1 : NULL, next);
    take(o, shown, NULL, NULL);
  }
  return 1;
}

int parse_options(int argc, char **argv, const option *options) {
  int kept = 0;
  for (int i = 0; i < argc;) {
    char *argument = argv[i];
    const char *next = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argument, "--")) {
      while (++i < argc) argv[kept++] = argv[i];
    } else if (!strcmp(argument, "--help")) {
      help();
    } else if (!strncmp(argument, "--", 2)) {
      char *equals = strchr(argument, '=');
      size_t size = equals ? (size_t)(equals - argument - 2) : strlen(argument + 2);
      const option *o = named(options, argument + 2, size);
      if (!o) die_unknown(options, argument, size);
      i += take(o, argument, equals ? equals + 1 : NULL, next);
    } else if (argument[0] == '-' && argument[1]) {
      i += take_letters(options, argument, next);
    } else {
      argv[kept++] = argument;
      ++i;
    }
  }
  return kept;
}

int run_subcommand(int argc, char **argv, const subcommand *all, const char *names) {
  if (argc && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))) help();
  if (!argc) die_usage("%s is needed", names);
  const char *meant = NULL;
  for (; all->name; ++all) {
    const char *name = strchr(all->name, ' ') + 1;
    if (is_near(argv[0], name)) meant = name;
    if (strcmp(name, argv[0])) continue;
    command_name = all->name;
    return all->run(argc - 1, argv + 1);
  }
  if (meant) die_usage("unknown command '%s'; did you mean '%s'?", argv[0], meant);
  die_usage("unknown command '%s'; %s comes first", argv[0], names);
}

int64_t parse_number(const char *text, const char *what, int64_t low, int64_t high) {
  char *end;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  if (errno || end == text || *end || n < low || n > high)
    die_usage("%s must be a whole number from %lld to %lld, not '%s'", what, (long long)low, (long long)high, text);
  return n;
}

uint64_t parse_seed(const char *text) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 0);
  if (errno || end == text || *end || text[0] == '-') die_usage("a seed must be a 64-bit number, not '%s'", text);
  return n;
}
