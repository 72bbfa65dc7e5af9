/* Channels that are cut, flipped, scribbled over, squatted on, stopped and interrupted: every call comes back with an
 * answer, and nobody crashes. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "support/channels.h"

TestSuite(channel_faults, .init = pick_name, .fini = remove_name, .timeout = FAULT_TIMEOUT);

enum { PAGE = 4096, STATE = 4096, PRODUCERS = STATE + 256, EVENTS = STATE + 512, SLOTS = STATE + 768 + 64 * 64 };

static td_channel_options both_roles(td_channel_mode mode) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.mode = mode, o.slots = 4, o.members = 8, o.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  return o;
}

static td_status try_open(void) {
  td_channel *ch = NULL;
  td_status status = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, NULL);
  td_channel_release(ch);
  return status;
}

/* The bytes of an unused channel whose name stays. */
static unsigned char *channel_bytes(size_t *size) {
  td_channel_options o = both_roles(TD_CHANNEL_MODE_QUEUE);
  o.keep = 1;
  td_channel_release(payload_channel(o));
  return (unsigned char *)file_bytes(channel_file, size);
}

static int64_t get64(const unsigned char *p) {
  int64_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

Test(channel_faults, every_flipped_bit_of_header_and_schema_is_refused) {
  size_t n = 0;
  unsigned char *bytes = channel_bytes(&n);
  size_t schema = STATE + 12288, length = (size_t)get64(bytes + 56);
  cr_assert(length > 50 && bytes[schema] == '{', "the layout is another one");
  int fd = open(channel_file, O_RDWR);
  for (size_t at = 0; at < schema + length; at += 1) {
    if (at == PAGE) at = schema;
    for (int bit = 0; bit < 8; ++bit) {
      unsigned char flipped = (unsigned char)(bytes[at] ^ (1 << bit));
      cr_assert(pwrite(fd, &flipped, 1, (off_t)at) == 1);
      td_status status = try_open();
      cr_expect(status == TD_ERR_CORRUPT || status == TD_ERR_VERSION, "bit %d of byte %zu: %s", bit, at,
                td_status_name(status).data);
    }
    cr_assert(pwrite(fd, bytes + at, 1, (off_t)at) == 1);
  }
  cr_expect_eq(try_open(), TD_OK);
  close(fd), free(bytes);
}

Test(channel_faults, every_truncation_is_refused) {
  size_t n = 0;
  unsigned char *bytes = channel_bytes(&n);
  size_t schema = STATE + 12288, length = (size_t)get64(bytes + 56);
  for (size_t k = 0; k < n; k += k < 300 || (k > schema && k < schema + length) ? 1 : 61) {
    cr_assert_eq(truncate(channel_file, (off_t)k), 0);
    cr_expect_eq(try_open(), TD_ERR_CORRUPT, "cut at %zu", k);
    cr_assert_eq(truncate(channel_file, 0), 0);
    int fd = open(channel_file, O_WRONLY);
    cr_assert(pwrite(fd, bytes, n, 0) == (ssize_t)n);
    close(fd);
  }
  cr_expect_eq(try_open(), TD_OK);
  cr_assert_eq(truncate(channel_file, (off_t)n + 1), 0);
  cr_expect_eq(try_open(), TD_ERR_CORRUPT, "longer than it says");
  free(bytes);
}

static bool answered(td_status s) {
  return s == TD_OK || s == TD_ERR_TIMEOUT || s == TD_ERR_NOT_FOUND || s == TD_ERR_CORRUPT || s == TD_ERR_CLOSED ||
         s == TD_ERR_NOSPACE;
}

/* A bit of everything; the answers do not matter, only that there are some. */
static void use(td_channel *ch, int timeout) {
  td_message *m = NULL;
  int32_t dead;
  uint64_t id;
  td_status s = send_id(ch, timeout, 1);
  cr_assert(answered(s), "send: %s", td_status_name(s).data);
  s = take_id(ch, timeout, &id, &m);
  cr_assert(answered(s) || s == TD_ERR_INTERNAL, "take: %s",
            td_status_name(s).data); /* INTERNAL: torn, as it may be here */
  td_message_release(m), m = NULL;
  td_channel_statistics st = TD_CHANNEL_STATISTICS_INIT;
  td_string *text = NULL;
  must(td_channel_stats(ch, &st, &err));
  must(td_channel_dump(ch, &text, &err));
  td_string_release(text);
  must(td_channel_sweep(ch, &dead, &err));
  s = td_channel_acquire(ch, timeout, NULL, &m, NULL);
  cr_assert(answered(s));
  td_message_release(m);
  td_channel *other = NULL;
  s = td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &other, NULL);
  cr_assert(answered(s), "open: %s", td_status_name(s).data);
  td_channel_release(other);
}

static _Atomic uint64_t *control_words(size_t *count, void **base) {
  int fd = open(channel_file, O_RDWR);
  cr_assert(fd >= 0);
  *base = mmap(NULL, STATE + 12288, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  cr_assert(*base != MAP_FAILED);
  *count = (SLOTS - STATE + 4 * 64) / 8;
  return (_Atomic uint64_t *)((char *)*base + STATE);
}

static void scribble(td_channel_mode mode, int samples) {
  const size_t places[] = {0, 128, 256, 264, 384, 512, 520, 640, 648, 768, 776, 4864, 4872, 4880, 4888, 4928, 4936};
  for (size_t p = 0; p < sizeof places / sizeof *places; ++p)
    for (int v = 0; v < 67; v += 1 + (int)random_below((uint64_t)samples)) {
      uint64_t value = v < 64 ? 1ull << v : v == 64 ? ~0ull : v == 65 ? 0 : mixed(random_below(1u << 30));
      td_channel *ch = payload_channel(both_roles(mode));
      cr_assert_eq(send_id(ch, 0, 5), TD_OK);
      td_message *held = NULL;
      cr_assert_eq(td_channel_acquire(ch, 0, NULL, &held, NULL), TD_OK);
      size_t count;
      void *base;
      atomic_store(&control_words(&count, &base)[places[p] / 8], value);
      use(ch, 1);
      td_status s = td_message_publish(held, NULL);
      cr_assert(answered(s), "publish: %s", td_status_name(s).data);
      td_message_release(held);
      munmap(base, STATE + 12288);
      td_channel_release(ch);
    }
}

Test(channel_faults, a_scribbled_queue_gives_answers) {
  scribble(TD_CHANNEL_MODE_QUEUE, fault_rounds(12, 1));
}
Test(channel_faults, a_scribbled_broadcast_gives_answers) {
  scribble(TD_CHANNEL_MODE_BROADCAST, fault_rounds(12, 1));
}

static atomic_bool scribbling;

static void *scribbler(void *unused) {
  (void)unused;
  size_t count;
  void *base;
  _Atomic uint64_t *words = control_words(&count, &base);
  for (uint64_t i = 1; atomic_load(&scribbling); ++i) {
    uint64_t r = mixed(i);
    atomic_fetch_xor(&words[r % count], 1ull << (r >> 32) % 64);
    if (r % 16 == 0) atomic_store(&words[0], 0); /* open again, so that there is something to break */
  }
  munmap(base, STATE + 12288);
  return NULL;
}

Test(channel_faults, a_writer_gone_mad_cannot_crash_the_others) {
  for (int mode = 0; mode < 2; ++mode) {
    td_channel *ch = payload_channel(both_roles(mode));
    pthread_t thread;
    atomic_store(&scribbling, true);
    cr_assert_eq(pthread_create(&thread, NULL, scribbler, NULL), 0);
    for (int64_t end = fault_ms() + fault_rounds(1000, 30000); fault_ms() < end;) use(ch, 1);
    atomic_store(&scribbling, false);
    pthread_join(thread, NULL);
    td_channel_release(ch);
  }
}

/* A child that does `body` until it is killed or returns. */
static pid_t child(void (*body)(td_channel *), td_channel_role roles) {
  pid_t pid = fork();
  if (pid) return pid;
  td_after_fork();
  td_channel *ch = NULL;
  if (td_channel_open(TD_STR(channel_name), roles, NULL, &ch, NULL)) _exit(1);
  body(ch);
  _exit(0);
}

static void waits(td_channel *ch) {
  td_message *m = NULL;
  td_channel_take(ch, -1, NULL, &m, NULL);
}

static void await_sleeper(td_channel *ch) {
  for (int64_t end = fault_ms() + RECOVERY_MS; !strstr(dump_of(ch), "sleeps"); pause_us(500))
    cr_assert(fault_ms() < end, "nobody sleeps:\n%s", dump_of(ch));
}

Test(channel_faults, killed_waiters_cost_nothing) {
  td_dict_release(small_dict(0));
  td_channel *ch = payload_channel(both_roles(TD_CHANNEL_MODE_QUEUE));
  for (int i = 0; i < fault_rounds(25, 1000); ++i) {
    pid_t pid = child(waits, TD_CHANNEL_ROLE_CONSUMES);
    await_sleeper(ch);
    reap(pid, SIGKILL);
    uint64_t id;
    td_message *m = NULL;
    cr_assert_eq(send_id(ch, RECOVERY_MS, 3), TD_OK);
    cr_assert_eq(take_id(ch, RECOVERY_MS, &id, &m), TD_OK);
    td_message_release(m);
  }
  int32_t dead;
  must(td_channel_sweep(ch, &dead, &err));
  cr_expect_null(strstr(dump_of(ch), "sleeps"), "%s", dump_of(ch));
  expect_whole(ch, "after killed waiters");
  td_channel_release(ch);
}

static void holds_one(td_channel *ch) {
  td_message *m = NULL;
  if (td_channel_take(ch, RECOVERY_MS, NULL, &m, NULL)) _exit(2);
  raise(SIGSTOP);
  td_message_release(m);
}

Test(channel_faults, a_stopped_member_is_not_a_dead_one) {
  td_dict_release(small_dict(0));
  td_channel *ch = payload_channel(both_roles(TD_CHANNEL_MODE_QUEUE));
  cr_assert_eq(send_id(ch, 0, 9), TD_OK);
  pid_t pid = child(holds_one, TD_CHANNEL_ROLE_CONSUMES);
  int status;
  cr_assert(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
  for (int64_t end = fault_ms() + fault_rounds(300, 10000); fault_ms() < end; pause_us(20000)) {
    int32_t dead = -1;
    must(td_channel_sweep(ch, &dead, &err));
    cr_assert_eq(dead, 0);
    td_channel_statistics s = stats_of(ch);
    cr_assert(s.reading == 1 && s.consumers == 2 && s.oldest_pid == pid);
  }
  kill(pid, SIGCONT);
  cr_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cr_expect(stats_of(ch).free == 4 && stats_of(ch).redelivered == 0);
  td_channel_release(ch);
}

static void holds_two(td_channel *ch) {
  td_message *m = NULL;
  if (td_channel_take(ch, RECOVERY_MS, NULL, &m, NULL) || td_channel_acquire(ch, RECOVERY_MS, NULL, &m, NULL)) _exit(2);
  raise(SIGSTOP);
}

Test(channel_faults, a_dead_member_is_noticed_without_being_asked_for) {
  td_dict_release(small_dict(0));
  td_channel_options o = both_roles(TD_CHANNEL_MODE_QUEUE);
  o.slots = 2;
  td_channel *ch = payload_channel(o);
  cr_assert_eq(send_id(ch, 0, 9), TD_OK);
  pid_t pid = child(holds_two, TD_CHANNEL_ROLE_CONSUMES + TD_CHANNEL_ROLE_PRODUCES);
  int status;
  cr_assert(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
  td_message *m = NULL;
  cr_expect_eq(td_channel_take(ch, 50, NULL, &m, NULL), TD_ERR_TIMEOUT);
  kill(pid, SIGKILL); /* not waited for: a zombie holds nothing */
  uint64_t id = 0;
  cr_assert_eq(take_id(ch, RECOVERY_MS, &id, &m), TD_OK);
  cr_expect(id == 9 && td_message_delivery(m) == 2);
  td_message_release(m);
  reap(pid, 0);
  td_channel_statistics s = stats_of(ch);
  cr_expect(s.redelivered == 1 && s.aborted == 1 && s.swept == 1 && s.consumers == 1);
  td_channel_release(ch);
}

static void on_alarm(int signal) {
  (void)signal;
}

Test(channel_faults, signals_neither_end_a_wait_nor_prolong_it) {
  td_channel *ch = payload_channel(both_roles(TD_CHANNEL_MODE_QUEUE));
  struct sigaction action = {.sa_handler = on_alarm};
  struct itimerval storm = {{0, 700}, {0, 700}}, calm = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &storm, NULL);
  int64_t before = fault_ms();
  td_message *m = NULL;
  td_status s = td_channel_take(ch, 300, NULL, &m, NULL);
  int64_t took = fault_ms() - before;
  setitimer(ITIMER_REAL, &calm, NULL);
  cr_expect_eq(s, TD_ERR_TIMEOUT);
  cr_expect(took >= 299 && took < RECOVERY_MS, "%lld ms", (long long)took);
  td_channel_release(ch);
}

static void squat_link(void) {
  cr_assert_eq(symlink("/etc/hostname", channel_file), 0);
}
static void squat_fifo(void) {
  cr_assert_eq(mkfifo(channel_file, 0600), 0);
}
static void squat_directory(void) {
  make_dir(channel_file);
}
static void squat_page(void) {
  static const char page[8192];
  write_file(channel_file, page, sizeof page);
  chmod(channel_file, 0600);
}
static void squat_writable(void) {
  squat_page();
  chmod(channel_file, 0666);
}
static void squat_foreign(void) {
  squat_page();
  cr_assert_eq(chown(channel_file, 12345, 12345), 0);
}

Test(channel_faults, squatters_are_neither_joined_nor_removed) {
  static const struct {
    void (*squat)(void);
    td_status status;
  } cases[] = {{squat_link, TD_ERR_CORRUPT}, {squat_fifo, TD_ERR_CORRUPT}, {squat_directory, TD_ERR_CORRUPT},
               {squat_page, TD_ERR_CORRUPT}, {squat_writable, TD_ERR_IO},  {squat_foreign, TD_ERR_IO}};
  td_dict *schema = payload_schema();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (cases[i].squat == squat_foreign && geteuid() != 0) continue;
    cases[i].squat();
    td_channel *ch = NULL;
    int64_t removed = -1;
    expect_error(td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &ch, &err), cases[i].status,
                 NULL, "");
    expect_error(td_channel_unlink(TD_STR(channel_name), &err), cases[i].status, NULL, "");
    expect_error(td_channel_create(TD_STR(channel_name), schema, NULL, &ch, &err), TD_ERR_EXISTS, NULL, "taken");
    must(td_segment_prune(TD_STR(channel_name), &removed, &err));
    cr_expect(there(channel_file) && !ch && removed == 0);
    remove_tree(channel_file);
  }
  td_dict_release(schema);
}

static int create_in_small_memory(void) {
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=1m"))
    return 77;
  td_dict *d = NULL;
  td_tensor *t = NULL;
  td_channel *ch = NULL;
  int64_t size = 1 << 16;
  if (td_dict_new(NULL, 0, NULL, &d, NULL)) return 1;
  if (td_tensor_zeros(&size, 1, TD_DTYPE_FLOAT32, TD_NO_STR, &t, NULL) || td_dict_set(d, TD_KEY("x"), t, NULL))
    return 2;
  int before = descriptors();
  for (int i = 0; i < 3; ++i)
    if (td_channel_create(TD_STR(channel_name), d, NULL, &ch, NULL) != TD_ERR_NOSPACE || ch) return 3;
  if (there(channel_file) || descriptors() != before) return 4;
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 2;
  if (td_channel_create(TD_STR(channel_name), d, &o, &ch, NULL)) return 5; /* the space came back */
  td_channel_release(ch), td_dict_release(d), td_tensor_release(t);
  struct rlimit files = {3, 3};
  if (setrlimit(RLIMIT_NOFILE, &files)) return 6;
  d = small_dict(1);
  if (td_channel_create(TD_STR(channel_name), d, NULL, &ch, NULL) != TD_ERR_IO) return 7; /* no descriptor is left */
  if (td_channel_open(TD_STR(channel_name), 1, NULL, &ch, NULL) == TD_OK) return 8;
  td_dict_release(d);
  return there(channel_file) ? 9 : 0;
}

Test(channel_faults, full_memory_and_used_up_descriptors_are_errors) {
  td_dict_release(small_dict(0));
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    _exit(create_in_small_memory());
  }
  int status = -1;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("a mount namespace of its own is not allowed here");
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}
