/* A Redis or Valkey server of the test's own, on a socket in its directory, and a way to talk with it without the
 * library. */
#ifndef TESTS_REDIS_SERVER_H
#define TESTS_REDIS_SERVER_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "support/data.h"
#include "support/files.h"
#include "support/td.h"

static pid_t server_pid;

static inline const char *socket_path(void) {
  return path_of("%s/s", test_dir);
}

/* A connection of the test's own, or -1. */
static inline int raw_connection(void) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  snprintf(a.sun_path, sizeof a.sun_path, "%.100s", socket_path());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0) return fd;
  close(fd);
  return -1;
}

static inline void wait_for_server(void) {
  for (int i = 0; i < 1000; ++i) {
    const int fd = raw_connection();
    char answer = '-'; /* while it reads its file */
    if (fd >= 0) {
      if (write(fd, "PING\r\n", 6) != 6 || read(fd, &answer, 1) != 1) answer = '-';
      close(fd);
    }
    if (answer == '+') return;
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  check(!"the server answers after a while");
}

/* Keeps all changes in a file, so that it can be killed and started again. */
FILES_UNUSED static void start_server(void) {
  server_pid = fork();
  if (server_pid == 0) {
    const char *const names[] = {"redis-server", "valkey-server"};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails stops no server */
    if (!freopen("/dev/null", "w", stdout)) _exit(126);
    for (int i = 0; i < 2; ++i)
      execlp(names[i], names[i], "--port", "0", "--unixsocket", socket_path(), "--save", "", "--dir", test_dir,
             "--appendonly", "yes", "--appendfsync", "always", (char *)NULL);
    _exit(127);
  }
  wait_for_server();
}

FILES_UNUSED static void kill_server(void) {
  kill(server_pid, SIGKILL);
  check(waitpid(server_pid, NULL, 0) == server_pid);
  server_pid = 0;
}

static inline int has_program(const char *name) {
  char command[100];
  snprintf(command, sizeof command, "command -v %s >/dev/null", name);
  return system(command) == 0;
}

FILES_UNUSED static void open_server(void) {
  make_test_dir();
  if (!td_has_feature(TD_STR("redis"))) cr_skip_test("this build cannot talk with Redis servers (libhiredis-dev)");
  if (!has_program("redis-server") && !has_program("valkey-server"))
    cr_skip_test("there is neither redis-server nor valkey-server: dicts on servers are NOT TESTED");
  start_server();
}

FILES_UNUSED static void close_server(void) {
  if (server_pid) kill_server();
  remove_test_dir();
}

/* The answer to a command in one line, as it comes; commands that change something answer one line. */
FILES_UNUSED __attribute__((format(printf, 1, 2))) static const char *raw(const char *format, ...) {
  static char answer[65536];
  char line[4096];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line - 2, format, args);
  va_end(args);
  strcpy(line + n, "\r\n");
  const int fd = raw_connection();
  check(fd >= 0 && write(fd, line, (size_t)n + 2) == n + 2);
  shutdown(fd, SHUT_WR);
  size_t size = 0;
  for (ssize_t got; size + 1 < sizeof answer && (got = read(fd, answer + size, sizeof answer - 1 - size)) > 0;)
    size += (size_t)got;
  answer[size] = '\0';
  close(fd);
  return answer;
}

/* The server answers with such a string, or number, or list. */
#define expect_raw(expected, ...) expect_raw_at(__FILE__, __LINE__, (expected), raw(__VA_ARGS__))
static inline void expect_raw_at(const char *file, int line, const char *expected, const char *answer) {
  char text[4096];
  size_t n = 0;
  for (const char *p = answer; *p && n + 1 < sizeof text;) {
    const size_t length = strcspn(p, "\r");
    if (*p != '$' && *p != '*')
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", n ? " " : "", (int)length, p);
    p += length + (p[length] ? 2 : 0);
  }
  text[n] = '\0';
  if (strcmp(text, expected) == 0) return;
  fprintf(stderr, "%s:%d: the server says '%s', not '%s'\n", file, line, text, expected);
  failed_at(file, line, "the server has what it should", NULL);
}

static inline const char *url_of(const char *id) {
  return path_of("unix://%s?id=%s", socket_path(), id);
}

FILES_UNUSED static td_dict *create_remote(const char *id, const int64_t *batch, size_t ndim) {
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.batch_size = batch, options.ndim = ndim;
  td_dict *d = NULL;
  must(td_remote_create(TD_STR(url_of(id)), &options, &d, &err));
  return d;
}

static inline td_dict *open_url(const char *url, td_open_mode mode) {
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.mode = mode;
  td_dict *d = NULL;
  must(td_remote_open(TD_STR(url), &options, &d, &err));
  return d;
}

FILES_UNUSED static td_dict *open_remote(const char *id, td_open_mode mode) {
  return open_url(url_of(id), mode);
}

FILES_UNUSED static int64_t version_of(const td_dict *d) {
  int64_t version = -1;
  must(td_remote_version(d, &version, &err));
  return version;
}

#endif
