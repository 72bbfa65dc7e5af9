/* Each system call of an operation fails once, with each error that it could fail with: the operation gives a typed error or
 * succeeds, leaves nothing behind, and works the next time. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "support/channels.h"

static void set_up(void) {
  pick_name();
  make_test_dir();
}
static void tear_down(void) {
  remove_name();
  remove_tree(path_of("%s.other", channel_file));
  remove_test_dir();
}

TestSuite(syscall_errors, .init = set_up, .fini = tear_down, .timeout = FAULT_TIMEOUT);

#if defined(__x86_64__)

/* What a child does under the eyes of the tracer, and what it needs before. */
typedef struct operation {
  const char *what;
  const char *ending, *feature; /* of a file, for those that save and open */
  void *(*prepare)(const struct operation *);
  td_status (*run)(void *prepared, const struct operation *, void **made);
  void (*drop)(void *made);
} operation;

static const char *other_name(void) {
  return path_of("%s.other", channel_name);
}
static const char *file_of(const operation *o) {
  return path_of("%s/file%s", test_dir, o->ending);
}

static void *a_dict(const operation *o) {
  (void)o;
  return small_dict(1);
}
static void *a_segment(const operation *o) {
  (void)o;
  td_segment_options options = TD_SEGMENT_OPTIONS_INIT;
  options.snapshots = 3;
  td_dict *d = small_dict(1);
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(other_name()), d, &options, &s, &err));
  td_dict_release(d);
  return s;
}
static void *a_channel(const operation *o) {
  (void)o;
  td_channel_options options = TD_CHANNEL_OPTIONS_INIT;
  options.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
  return payload_channel(options);
}
static void *a_file(const operation *o) {
  td_dict *d = small_dict(1);
  must(td_save(d, TD_STR(file_of(o)), NULL, &err));
  return d;
}

static td_status creates_segment(void *d, const operation *o, void **made) {
  (void)o;
  return td_segment_create(TD_STR(channel_name), d, NULL, (td_segment **)made, NULL);
}
static td_status opens_segment(void *s, const operation *o, void **made) {
  (void)s, (void)o;
  return td_segment_open(TD_STR(other_name()), NULL, (td_segment **)made, NULL);
}
static td_status updates(void *s, const operation *o, void **made) {
  (void)o, (void)made;
  td_dict *d = small_dict(2);
  td_status status = td_segment_update(s, d, NULL);
  td_dict_release(d);
  return status;
}
static td_status exports(void *d, const operation *o, void **made) {
  (void)o;
  int32_t fd = -1;
  td_status status = td_segment_export(d, &fd, NULL);
  if (status == TD_OK) status = td_segment_import(fd, (td_segment **)made, NULL), close(fd);
  return status;
}
static td_status prunes(void *s, const operation *o, void **made) {
  (void)s, (void)o, (void)made;
  int64_t removed = 0;
  return td_segment_prune(TD_STR(channel_name), &removed, NULL);
}
static td_status creates_channel(void *d, const operation *o, void **made) {
  (void)o;
  return td_channel_create(TD_STR(channel_name), d, NULL, (td_channel **)made, NULL);
}
static td_status joins(void *ch, const operation *o, void **made) {
  (void)ch, (void)o;
  return td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, (td_channel **)made, NULL);
}
static td_status waits(void *ch, const operation *o, void **made) {
  (void)o;
  return td_channel_take(ch, 30, NULL, (td_message **)made, NULL) == TD_ERR_TIMEOUT ? TD_OK : TD_ERR_INTERNAL;
}
static td_status saves(void *d, const operation *o, void **made) {
  (void)made;
  td_save_options options = TD_SAVE_OPTIONS_INIT;
  options.overwrite = 1, options.sync = 1;
  return td_save(d, TD_STR(file_of(o)), &options, NULL);
}
static const td_open_options trusted = {.struct_size = sizeof(td_open_options), .trusted = 1};

static td_status opens(void *d, const operation *o, void **made) {
  (void)d;
  return td_open(TD_STR(file_of(o)), &trusted, (td_dict **)made, NULL);
}

static void drop_segment(void *s) {
  td_segment_release(s);
}
static void drop_channel(void *ch) {
  td_channel_release(ch);
}
static void drop_dict(void *d) {
  td_dict_release(d);
}
static void drop_nothing(void *unused) {
  (void)unused;
}

static const operation operations[] = {
    {"create a segment", NULL, NULL, a_dict, creates_segment, drop_segment},
    {"open a segment", NULL, NULL, a_segment, opens_segment, drop_segment},
    {"update a segment", NULL, NULL, a_segment, updates, drop_nothing},
    {"export and import", NULL, NULL, a_dict, exports, drop_segment},
    {"prune", NULL, NULL, a_segment, prunes, drop_nothing},
    {"create a channel", NULL, NULL, a_dict, creates_channel, drop_channel},
    {"join a channel", NULL, NULL, a_channel, joins, drop_channel},
    {"wait in a channel", NULL, NULL, a_channel, waits, drop_nothing},
    {"save a directory", "", NULL, a_dict, saves, drop_nothing},
    {"replace a directory", "", NULL, a_file, saves, drop_nothing},
    {"open a directory", "", NULL, a_file, opens, drop_dict},
    {"save a file", ".td", NULL, a_dict, saves, drop_nothing},
    {"replace a file", ".td", NULL, a_file, saves, drop_nothing},
    {"open a file", ".td", NULL, a_file, opens, drop_dict},
    {"replace an archive", ".tdz", "archive", a_file, saves, drop_nothing},
    {"open an archive", ".tdz", "archive", a_file, opens, drop_dict},
    {"replace an HDF5 file", ".h5", "hdf5", a_file, saves, drop_nothing},
    {"open an HDF5 file", ".h5", "hdf5", a_file, opens, drop_dict},
};

static const int errors[] = {EINTR, ENOSPC, EMFILE, ENOMEM, EAGAIN, EIO};

/* The child tells the tracer by a system call with a number for an argument where the operation begins and ends. */
enum { BEGIN = 0x7d0001, END = 0x7d0002 };
static void tell(long what) {
  syscall(SYS_getppid, what);
}

/* What is wrong after the failure, as an exit code. */
static int live_through(const operation *o) {
  void *prepared = o->prepare(o), *made = NULL;
  o->run(prepared, o, &made), o->drop(made), made = NULL; /* what is made once and kept is there now */
  const int fds = descriptors();
  tell(BEGIN);
  const td_status status = o->run(prepared, o, &made);
  tell(END);
  if (status == TD_ERR_INTERNAL) return 10;
  if (status != TD_OK && made) return 11;
  o->drop(made), made = NULL;
  if (status != TD_OK && o->prepare == a_dict && there(channel_file)) return 12;
  if (descriptors() != fds) return 13;
  if (o->run(prepared, o, &made) != TD_OK) return 14;
  o->drop(made);
  if (descriptors() != fds) return 15;
  return 0;
}

/* Those that give back, which the kernel does even when it says that it failed and this tracer can only skip, and those that
 * never fail. */
static bool cannot_fail(long number) {
  return number == SYS_getpid || number == SYS_geteuid || number == SYS_close || number == SYS_munmap ||
         number == SYS_brk || number == SYS_exit_group;
}

/* Lets the `n`th call of the operation fail with `error`; false if there were not so many. */
static bool fail_call(const operation *o, int n, int error) {
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(77);
    raise(SIGSTOP);
    _exit(live_through(o));
  }
  int status, calls = 0;
  bool inside = false, failed = false, entered = false;
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("a process cannot be traced here");
  cr_assert(WIFSTOPPED(status));
  ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (long signal = 0;;) {
    ptrace(failed && !entered ? PTRACE_CONT : PTRACE_SYSCALL, pid, NULL, signal);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) break;
    signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
    if (signal) continue;
    entered = !entered;
    struct user_regs_struct r;
    ptrace(PTRACE_GETREGS, pid, NULL, &r);
    const long number = (long)r.orig_rax;
    if (entered && number == SYS_getppid) {
      if (r.rdi == BEGIN) inside = true;
      if (r.rdi == END) inside = false;
    } else if (entered && inside && !failed && !cannot_fail(number) && calls++ == n) {
      r.orig_rax = (unsigned long long)-1; /* no such call */
      ptrace(PTRACE_SETREGS, pid, NULL, &r);
      failed = true;
    } else if (!entered && failed) {
      r.rax = (unsigned long long)-error;
      ptrace(PTRACE_SETREGS, pid, NULL, &r);
    }
  }
  const char *name = path_of("%s, call %d, %s", o->what, n, strerror(error));
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: status %#x", name, status);
  return failed;
}

static void expect_clean(const operation *o) {
  if (o->ending) {
    td_dict *d = NULL;
    must(td_open(TD_STR(file_of(o)), &trusted, &d, &err));
    cr_expect_eq(float_at(d, TD_KEY("a")), 1, "%s", o->what);
    td_dict_release(d);
    cr_expect_eq(size_of_tree(test_dir).entries, (size_t)(*o->ending ? 1 + 1 : 1 + 6), "%s: leftovers", o->what);
    remove_tree(file_of(o));
  }
  remove_tree(channel_file);
  remove_tree(path_of("%s.other", channel_file));
}

Test(syscall_errors, give_an_error_or_success_and_leave_nothing) {
  SKIP_IF_SANITIZED();
  td_dict_release(small_dict(0));
  const int some = fault_rounds(1, sizeof errors / sizeof *errors);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    const operation *o = &operations[i];
    if (o->feature && !td_has_feature(TD_STR(o->feature))) continue;
    int n = 0;
    for (bool more = true; more; ++n)
      for (int e = 0; e < some; ++e) {
        more = fail_call(o, n, errors[(n + e * 3) % (int)(sizeof errors / sizeof *errors)]);
        expect_clean(o);
        if (!more) break;
      }
    cr_expect_gt(n, 2, "%s: no call was made to fail", o->what);
  }
}

#endif
