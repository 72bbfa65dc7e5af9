#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "check_run.h"
#include "cli.h"
#include "json.h"
#include "report.h"
#include "text.h"

typedef struct checking {
  const check_options *options;
  const char *file;
  uint64_t seed;
  int passed, failed, skipped, count;
} checking;

static void full_name(char *name, size_t size, const trial *t, const test *which) {
  snprintf(name, size, "%s%s%s/%s", t->kind, *t->id ? "/" : "", t->id, which->name);
}

static void print_json(checking *c, const char *name, const test *which, const result *r) {
  static const char *const words[] = {"pass", "fail", "skip"};
  int members = 0;
  fputs(c->count++ ? ",\n  {" : "\n  {", stdout);
  json_key(stdout, &members, "test");
  json_text(stdout, name);
  json_key(stdout, &members, "result");
  json_text(stdout, words[r->outcome]);
  json_key(stdout, &members, "message");
  json_text(stdout, r->message);
  json_key(stdout, &members, "about");
  json_text(stdout, which->what);
  json_key(stdout, &members, "seconds");
  printf("%.3f}", r->seconds);
}

static void print_line(const checking *c, const char *name, const test *which, const result *r) {
  static const char *const words[] = {"ok    ", "FAILED", "skip  "};
  if (r->outcome == OUTCOME_PASS && !c->options->verbose) return;
  text t = {0};
  text_str(&t, words[r->outcome]);
  text_str(&t, " ");
  text_shown(&t, name, strlen(name));
  text_str(&t, ": ");
  text_shown(&t, *r->message ? r->message : which->what, strlen(*r->message ? r->message : which->what));
  puts(t.data);
  if (r->outcome == OUTCOME_FAIL)
    printf("       again: tensordict plugin check --reproduce '%s@%llu'%s%s%s %s\n", name, (unsigned long long)c->seed,
           c->options->config ? " --config '" : "", c->options->config ? c->options->config : "",
           c->options->config ? "'" : "", c->file);
  text_clear(&t);
}

static void run_tests(checking *c, trial *t) {
  char name[512];
  for (const test *which = tests_of(t->kind); which && which->name; ++which) {
    full_name(name, sizeof name, t, which);
    if (c->options->only && !strstr(name, c->options->only)) continue;
    if (c->options->names_only) {
      printf("%-50s %s\n", name, which->what);
      continue;
    }
    result r = run_apart(t, which, c->options->timeout);
    c->passed += r.outcome == OUTCOME_PASS;
    c->failed += r.outcome == OUTCOME_FAIL;
    c->skipped += r.outcome == OUTCOME_SKIP;
    if (c->options->json)
      print_json(c, name, which, &r);
    else
      print_line(c, name, which, &r);
    free(r.message);
    fflush(stdout);
  }
}

// ---- What is in the file --------------------------------------------------------------------------------------------------
static void run_types(checking *c, const char *types) {
  for (size_t i = 0, n = json_objects(types); i < n; ++i) {
    char *object = json_object(types, i), *kind = json_member(object, "kind"), *id = json_member(object, "id");
    trial t = {c->file, kind, id, object, c->options->config ? c->options->config : "{}", c->seed, c->seed};
    run_tests(c, &t);
    free(object);
    free(kind);
    free(id);
  }
}

static void run_all(checking *c) {
  trial t = {c->file, "file", "", "{}", "{}", c->seed, c->seed};
  run_tests(c, &t);
  // Asked of a process of its own: to load the file here could crash this one. Why it fails is what file/load reports.
  result types = types_apart(c->file, c->options->timeout);
  if (types.outcome == OUTCOME_PASS)
    run_types(c, types.message);
  else if (!c->failed && !c->options->names_only)
    c->failed = 1, warn("%s: %s", c->file, types.message);
  free(types.message);
}

// "kind/id/test@seed", as a report names it: one test again, here, so that a debugger can watch.
static int reproduce(checking *c) {
  char *kind = xcopy(c->options->reproduce, strlen(c->options->reproduce));
  char *at = strrchr(kind, '@'), *first = strchr(kind, '/'), *last = strrchr(kind, '/');
  if (!at || !first || at < last) die_usage("--reproduce takes TEST@SEED, as a report names it");
  *at = *first = *last = 0;
  const char *id = first == last ? "" : first + 1;
  const test *which = find_test(kind, last + 1);
  if (!which) die_usage("no test '%s' exists for the kind '%s'", last + 1, kind);
  trial t = {c->file, kind, id, "{}", c->options->config ? c->options->config : "{}", 0, 0};
  t.seed = t.random = parse_seed(at + 1);
  result types = types_apart(c->file, c->options->timeout);
  for (size_t i = 0, n = types.outcome == OUTCOME_PASS ? json_objects(types.message) : 0; i < n; ++i) {
    char *object = json_object(types.message, i), *of = json_member(object, "id");
    if (!strcmp(of, id)) t.about = object;
  }
  run_here(&t, which);
  printf("%s passed\n", c->options->reproduce);
  return EXIT_GOOD;
}

static uint64_t fresh_seed(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return ((uint64_t)t.tv_sec << 20 ^ (uint64_t)t.tv_nsec) & 0xffffffff;
}

int check_plugin(const char *file, const check_options *options) {
  checking c = {options, file, options->seeded ? options->seed : fresh_seed(), 0, 0, 0, 0};
  if (options->reproduce) return reproduce(&c);
  if (access(file, R_OK)) die("%s: %s", file, strerror(errno));
  if (options->json) {
    fputs("{\"file\": ", stdout);
    json_text(stdout, file);
    printf(", \"seed\": %llu,\n \"tests\": [", (unsigned long long)c.seed);
  }
  run_all(&c);
  if (options->json)
    printf("],\n \"passed\": %d, \"failed\": %d, \"skipped\": %d}\n", c.passed, c.failed, c.skipped);
  else if (!options->names_only)
    printf("%d passed, %d failed, %d skipped (seed %llu)\n", c.passed, c.failed, c.skipped, (unsigned long long)c.seed);
  return c.failed ? EXIT_FAILED : EXIT_GOOD;
}
