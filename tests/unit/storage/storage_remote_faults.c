/* Dicts on servers that die, are silent or lie; and writers that are killed. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "support/redis_server.h"

TestSuite(storage_remote_faults, .init = open_server, .fini = close_server);

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

static td_dict *impatient(const char *url, int64_t timeout_ms) {
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE, options.timeout_ms = timeout_ms;
  td_dict *d = NULL;
  must(td_remote_open(TD_STR(url), &options, &d, &err));
  return d;
}

LeaklessTest(storage_remote_faults, a_server_that_is_gone_is_closed_and_the_dict_works_when_it_is_back) {
  td_dict *d = create_remote("G", TD_SHAPE(2)), *update = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(update, TD_KEY("a"), full_f32(5, TD_SHAPE(2)));
  kill_server();
  td_tensor *t = NULL;
  expect_error(td_dict_get(d, TD_KEY("a"), &t, &err), TD_ERR_CLOSED, NULL, NULL);
  expect_error(td_dict_update(d, update, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
  start_server();
  expect_entry(d, TD_KEY("a"), VALUES(0, 1));
  must(td_dict_update(d, update, NULL, &err));
  /* Nobody was told that the connection was lost meanwhile. */
  kill_server();
  start_server();
  expect_entry(d, TD_KEY("a"), VALUES(5, 5));
  kill_server();
  start_server();
  must(td_dict_fill_(d, TD_KEY("a"), TD_VALUE(td_value_double(6)), &err));
  expect_entry(d, TD_KEY("a"), VALUES(6, 6));
  must(td_persistent_close(d, &err));
  expect_error(td_dict_get(d, TD_KEY("a"), &t, &err), TD_ERR_CLOSED, NULL, "closed");
  td_dict_release(update), td_dict_release(d);
}

LeaklessTest(storage_remote_faults, a_silent_server_is_a_timeout) {
  td_dict_release(create_remote("Q", TD_SHAPE(2)));
  td_dict *d = impatient(url_of("Q"), 300);
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  check(kill(server_pid, SIGSTOP) == 0);
  td_tensor *t = NULL;
  const int64_t begin = now_ms();
  expect_error(td_dict_get(d, TD_KEY("a"), &t, &err), TD_ERR_TIMEOUT, NULL, "300 ms");
  check(now_ms() - begin >= 290 && now_ms() - begin < 20000);
  check(kill(server_pid, SIGCONT) == 0);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1));
  td_dict_release(d);
}

LeaklessTest(storage_remote_faults, a_full_server_changes_nothing) {
  td_dict *d = create_remote("M", TD_SHAPE(2)), *update = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(update, TD_KEY("a"), full_f32(5, TD_SHAPE(2)));
  put(update, TD_KEY("b"), full_f32(5, TD_SHAPE(2, 1000)));
  const int64_t version = version_of(d);
  raw("CONFIG SET maxmemory 1");
  expect_error(td_dict_update(d, update, NULL, &err), TD_ERR_NOSPACE, NULL, "OOM");
  raw("CONFIG SET maxmemory 0");
  check(version_of(d) == version && td_dict_count(d) == 1);
  expect_entry(d, TD_KEY("a"), VALUES(0, 1));
  must(td_dict_update(d, update, NULL, &err));
  check(version_of(d) == version + 1);
  td_dict_release(update), td_dict_release(d);
}

/* A writer that is killed at any moment leaves an update as a whole, or none of it. */
LeaklessTest(storage_remote_faults, killed_writers_leave_no_half_of_an_update) {
  enum { KILLS = 12, LONG = 20000 };
  td_dict *d = create_remote("K", TD_SHAPE(1));
  for (int round = 0; round < KILLS; ++round) {
    const pid_t writer = fork();
    if (writer == 0) {
      td_after_fork();
      td_dict *own = open_remote("K", TD_OPEN_READ_WRITE), *update = new_dict(TD_SHAPE(1));
      for (int i = 1;; ++i) {
        put(update, TD_KEY("a"), full_f32(round * 1000 + i, TD_SHAPE(1, LONG)));
        put(update, TD_KEY("n", "b"), full_f32(round * 1000 + i, TD_SHAPE(1, LONG)));
        must(td_dict_update(own, update, NULL, &err));
      }
    }
    for (int64_t end = now_ms() + 150 + 17 * round; now_ms() < end;) {
      td_dict *copy = NULL;
      must(td_dict_clone(d, &copy, &err));
      if (td_dict_count(copy)) {
        td_tensor *a = get(copy, TD_KEY("a")), *b = get(copy, TD_KEY("n", "b"));
        check(same_values(a, b) && ((const float *)address(a))[0] == ((const float *)address(a))[LONG - 1]);
        td_tensor_release(a), td_tensor_release(b);
      }
      td_dict_release(copy);
    }
    check(kill(writer, SIGKILL) == 0 && waitpid(writer, NULL, 0) == writer);
  }
  check(version_of(d) > KILLS);
  td_dict_release(d);
}

/* ---- A server that lies ------------------------------------------------------------------------------------------ */

static atomic_int lying, wrong_bytes;
static unsigned luck = 1;

static unsigned next_number(void) {
  return luck = luck * 1664525u + 1013904223u, luck >> 8;
}

/* Passes on what both say, and changes a byte of some answers. */
static void pass_on(int client) {
  static char bytes[1 << 16];
  const int server = raw_connection();
  struct pollfd p[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
  while (server >= 0 && poll(p, 2, 5000) > 0) {
    const int from = p[0].revents ? 0 : 1;
    const ssize_t n = read(p[from].fd, bytes, sizeof bytes);
    if (n <= 0) break;
    if (from == 1 && next_number() % 4 == 0) {
      static const char likely[] = "0123456789-+$*:[],.\r\n\"\xff";
      const size_t at = next_number() % (size_t)n;
      bytes[at] = next_number() % 4 ? likely[next_number() % (sizeof likely - 1)] : (char)next_number();
      ++wrong_bytes;
    }
    if (send(p[!from].fd, bytes, (size_t)n, MSG_NOSIGNAL) != n) break;
  }
  close(server), close(client);
}

static void *lie(void *listener) {
  while (lying) {
    struct pollfd p = {*(const int *)listener, POLLIN, 0};
    if (poll(&p, 1, 50) == 1) pass_on(accept(p.fd, NULL, NULL));
  }
  return NULL;
}

static void expect_known(td_status status) {
  const td_status known[] = {TD_OK,        TD_ERR_CORRUPT, TD_ERR_TIMEOUT,     TD_ERR_CLOSED, TD_ERR_IO,
                             TD_ERR_DTYPE, TD_ERR_SHAPE,   TD_ERR_UNSUPPORTED, TD_ERR_KEY,    TD_ERR_NOT_FOUND,
                             TD_ERR_BUSY,  TD_ERR_NOSPACE, TD_ERR_LOCKED};
  int found = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) found = found || status == known[i];
  if (!found) failed_at(__FILE__, __LINE__, "a lie is an error that says so", err);
  td_error_release(err);
  err = NULL;
}

LeaklessTest(storage_remote_faults, a_server_that_lies_is_an_error_and_no_crash) {
  enum { LIES = 300 };
  td_dict *honest = create_remote("L", TD_SHAPE(2)), *value = new_dict(TD_SHAPE(2));
  put(value, TD_KEY("a"), range_f32(TD_SHAPE(2, 3)));
  put(value, TD_KEY("n", "b"), counted(TD_DTYPE_INT64, TD_SHAPE(2)));
  const td_data texts[] = {TEXT("x"), TEXT("y")};
  must(td_dict_set_data_stack(value, TD_KEY("s"), texts, 2, &err));
  must(td_dict_update(honest, value, NULL, &err));
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  snprintf(a.sun_path, sizeof a.sun_path, "%.100s/l", test_dir);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(bind(listener, (struct sockaddr *)&a, sizeof a) == 0 && listen(listener, 8) == 0);
  const char *url = path_of("unix://%s/l?id=L", test_dir);
  pthread_t liar;
  lying = 1;
  check(pthread_create(&liar, NULL, lie, &listener) == 0);
  td_remote_options options = TD_REMOTE_OPTIONS_INIT;
  options.mode = TD_OPEN_READ_WRITE, options.timeout_ms = 30;
  const td_index row[] = {TD_INT(1)};
  for (int i = 0; wrong_bytes < LIES && i < 20 * LIES; ++i) {
    td_dict *d = NULL, *copy = NULL;
    const td_status status = td_remote_open(TD_STR(url), &options, &d, &err);
    expect_known(status);
    if (status != TD_OK) continue;
    expect_known(td_dict_clone(d, &copy, &err));
    td_dict_release(copy), copy = NULL;
    expect_known(td_dict_index(d, row, 1, &copy, &err));
    td_dict_release(copy);
    expect_known(td_dict_update(d, value, NULL, &err));
    expect_known(td_dict_set_at_value(d, row, 1, TD_VALUE(td_value_double(1)), &err));
    td_dict_release(d);
  }
  check(wrong_bytes >= LIES);
  lying = 0;
  check(pthread_join(liar, NULL) == 0);
  close(listener);
  td_dict_release(value), td_dict_release(honest);
}
