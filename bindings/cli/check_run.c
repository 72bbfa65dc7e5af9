#include "check_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "report.h"
#include "text.h"

enum { ANSWER = 3, MOST = 1 << 24 };  // where the child's process writes its answer, and how much is read of it

#define LIST_TYPES "__types"

static int answers_here;  // 1: to stdout, for --reproduce

const test *tests_of(const char *kind) {
  return !strcmp(kind, "file")           ? file_tests
         : !strcmp(kind, "hash")         ? hash_tests
         : !strcmp(kind, "distribution") ? dist_tests
         : !strcmp(kind, "module")       ? module_tests
                                         : NULL;
}

const test *find_test(const char *kind, const char *name) {
  const test *tests = tests_of(kind);
  for (; tests && tests->name; ++tests)
    if (!strcmp(tests->name, name)) return tests;
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- In the process of the test -------------------------------------------------------------------------------------------
void answer_trial(const char *verdict, const char *message) {
  text line = {0};
  text_str(&line, verdict);
  text_str(&line, "\t");
  text_str(&line, message);
  if (answers_here) {
    warn("%s: %s", verdict, message);
    return;
  }
  for (size_t done = 0; done < line.size;) {
    ssize_t n = write(ANSWER, line.data + done, line.size - done);
    if (n < 0 && errno != EINTR) _exit(EXIT_OUTPUT);
    if (n > 0) done += (size_t)n;
  }
  text_clear(&line);
}

static void load(trial *t) {
  td_error *err = NULL;
  must(td_plugins_load(TD_STR(t->file), &err), &err, "loading it");
}

void run_here(trial *t, const test *which) {
  answers_here = 1;
  if (strcmp(t->kind, "file")) load(t);
  which->run(t);
}

// The types whose file it is, as an array.
static void list_types(const trial *t) {
  td_string *list;
  td_error *err = NULL;
  text own = {0};
  must(td_plugins_list(&list, &err), &err, "listing its types");
  const char *all = td_string_view(list).data;
  char *file = realpath(t->file, NULL);
  for (size_t i = 0, n = json_objects(all); i < n; ++i) {
    char *object = json_object(all, i), *from = json_member(object, "file");
    if (file && from && !strcmp(file, from)) {
      text_str(&own, own.size ? "," : "[");
      text_str(&own, object);
    }
    free(object);
    free(from);
  }
  text_str(&own, own.size ? "]" : "[]");
  answer_trial("pass", own.data);
  _exit(EXIT_GOOD);
}

// Runs the test of this name, answers and ends the process. What the plugin does at the end of a process is not what is tested.
static void run_trial(trial *t, const char *name) {
  const test *which = find_test(t->kind, name);
  const int listing = !strcmp(name, LIST_TYPES);
  // The tests of the file load it themselves: how that goes is what they look at.
  if (listing || strcmp(t->kind, "file")) load(t);
  if (listing) list_types(t);
  which->run(t);
  answer_trial("pass", "");
  _exit(EXIT_GOOD);
}

// ---- In the process that asks ---------------------------------------------------------------------------------------------
// A fork, not another program: loading LibTorch anew takes longer than most tests. Nothing was run here before, so the
// child finds no thread missing and no lock taken.
static void start_child(const trial *given, const char *name, const int ends[2]) {
  trial t = *given;
  setpgid(0, 0);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  int answers = fcntl(ends[1], F_DUPFD, ANSWER + 1);
  close(ends[0]);
  if (ends[1] != ANSWER) close(ends[1]);
  dup2(answers, ANSWER);
  close(answers);
  close(nothing);
  fcntl(ANSWER, F_SETFD, FD_CLOEXEC);
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  td_after_fork();
  td_set_num_threads(1, NULL);
  t.random = t.seed;
  run_trial(&t, name);
}

// Reads until the child's end is closed; 0 if that took too long.
static int read_answer(int from, text *answer, double until) {
  char bytes[4096];
  for (;;) {
    struct pollfd p = {from, POLLIN, 0};
    double left = until - now();
    int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return 0;
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0 || answer->size > MOST) return 1;
    text_add(answer, bytes, (size_t)got);
  }
}

static char *words(const char *format, int number) {
  char line[128];
  snprintf(line, sizeof line, format, number);
  return xcopy(line, strlen(line));
}

static void judge(result *r, int status, const char *answer) {
  const char *message = answer ? strchr(answer, '\t') : NULL;
  r->outcome = OUTCOME_FAIL;
  if (WIFSIGNALED(status)) {
    const char *name = strsignal(WTERMSIG(status));
    text t = {0};
    text_str(&t, "crashed: ");
    text_str(&t, name ? name : "a signal");
    r->message = t.data;
  } else if (!message) {
    r->message = words("the process ended with status %d during the test", WEXITSTATUS(status));
  } else {
    r->message = xcopy(message + 1, strlen(message + 1));
    if (!strncmp(answer, "pass", 4)) r->outcome = OUTCOME_PASS;
    if (!strncmp(answer, "skip", 4)) r->outcome = OUTCOME_SKIP;
  }
}

static result run_child(const trial *t, const char *name, int timeout) {
  result r = {OUTCOME_FAIL, NULL, 0};
  text answer = {0};
  int ends[2], status = 0;
  double begun = now();
  fflush(stdout);
  if (pipe2(ends, O_CLOEXEC)) die("no pipe: %s", strerror(errno));
  pid_t child = fork();
  if (child < 0) die("no process: %s", strerror(errno));
  if (!child) start_child(t, name, ends);
  close(ends[1]);
  int in_time = read_answer(ends[0], &answer, begun + timeout);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // whatever it may have started
  if (in_time)
    judge(&r, status, answer.data);
  else
    r.message = words("took more than %d s", timeout);
  r.seconds = now() - begun;
  text_clear(&answer);
  return r;
}

result run_apart(const trial *t, const test *which, int timeout) {
  return run_child(t, which->name, timeout);
}

result types_apart(const char *file, int timeout) {
  trial t = {file, "file", "", "{}", "{}", 0, 0};
  return run_child(&t, LIST_TYPES, timeout);
}
