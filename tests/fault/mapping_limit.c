/* A process may have so many mappings (vm.max_map_count). One that has none left gets errors, in any call, and nothing is
 * left of what it began; the others do not notice, and when there are mappings again all goes on. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <sys/mman.h>

#include "support/channels.h"

static void set_up(void) {
  pick_name();
  make_test_dir();
}
static void tear_down(void) {
  remove_name();
  remove_test_dir();
}

TestSuite(mapping_limit, .init = set_up, .fini = tear_down, .timeout = 1200);

enum { PAGE = 4096, MOST_MAPPINGS = 4000000 };

static td_segment *segment;
static td_channel *room;
static td_dict *values;
static char saved[PATH_MAX + 32];

/* Pages that are alternately readable and not: each is a mapping of its own. Their number; `*at` is the first. */
static size_t use_up(char **at) {
  *at = mmap(NULL, (size_t)MOST_MAPPINGS * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (*at == MAP_FAILED) return 0;
  for (size_t i = 1; i < MOST_MAPPINGS; i += 2)
    if (mprotect(*at + i * PAGE, PAGE, PROT_READ)) return i;
  return 0; /* no limit that one meets */
}

/* Mappings that end at a page which is not free any more: the ones that malloc has in hand are used up, too. */
static void use_up_rest(void) {
  while (mmap(NULL, PAGE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
  }
}

static td_status create_segment(void) {
  td_segment *s = NULL;
  const td_status status = td_segment_create(TD_STR(path_of("%s.more", channel_name)), values, NULL, &s, NULL);
  td_segment_release(s);
  return status;
}
static td_status open_segment(void) {
  td_segment *s = NULL;
  const td_status status = td_segment_open(TD_STR(channel_name), NULL, &s, NULL);
  td_segment_release(s);
  return status;
}
static td_status export_segment(void) {
  int32_t fd = -1;
  const td_status status = td_segment_export(values, &fd, NULL);
  if (status == TD_OK) close(fd);
  return status;
}
static td_status create_channel(void) {
  td_channel *ch = NULL;
  const td_status status = td_channel_create(TD_STR(path_of("%s.more", channel_name)), values, NULL, &ch, NULL);
  td_channel_release(ch);
  return status;
}
static td_status join_channel(void) {
  td_channel *ch = NULL;
  const td_status status =
      td_channel_open(TD_STR(path_of("%s.room", channel_name)), TD_CHANNEL_ROLE_PRODUCES, NULL, &ch, NULL);
  td_channel_release(ch);
  return status;
}
static td_status open_directory(void) {
  td_dict *d = NULL;
  const td_status status = td_open(TD_STR(saved), NULL, &d, NULL);
  td_dict_release(d);
  return status;
}

static const struct {
  const char *what;
  td_status (*run)(void);
} operations[] = {
    {"create a segment", create_segment}, {"open a segment", open_segment}, {"export", export_segment},
    {"create a channel", create_channel}, {"join a channel", join_channel}, {"open a directory", open_directory},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* In a child, as an exit code. */
static int without_mappings(void) {
  for (int i = 0; i < OPERATIONS; ++i)
    if (operations[i].run()) return 10 + i;
  const int fds = descriptors(), there_before = names_left();
  const int64_t objects = live_objects();
  char *pages;
  const size_t used = use_up(&pages);
  if (used == 0) return 77;
  use_up_rest();
  for (int i = 0; i < OPERATIONS; ++i) {
    const td_status status = operations[i].run();
    if (status != TD_ERR_OOM && status != TD_ERR_NOSPACE) {
      fprintf(stderr, "%s: %s\n", operations[i].what, td_status_name(status).data);
      return 20 + i;
    }
  }
  /* What is there already needs no new mapping. */
  uint64_t id;
  td_message *m = NULL;
  if (send_id(room, 1000, 5) || take_id(room, 1000, &id, &m) || id != 5) return 30;
  td_message_release(m);
  if (td_segment_update(segment, values, NULL)) return 31;
  munmap(pages, (size_t)MOST_MAPPINGS * PAGE);
  if (live_objects() != objects) return 32;
  if (descriptors() != fds) return 33;
  if (names_left() != there_before) return 34;
  for (int i = 0; i < OPERATIONS; ++i)
    if (operations[i].run()) return 40 + i;
  return 0;
}

Test(mapping_limit, is_an_error_and_nothing_is_left) {
  SKIP_IF_SANITIZED();
  values = payload_schema();
  snprintf(saved, sizeof saved, "%s/saved", test_dir);
  must(td_save(values, TD_STR(saved), NULL, &err));
  int status = 0;
  const pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
    td_channel_options co = TD_CHANNEL_OPTIONS_INIT;
    co.roles = TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES;
    o.snapshots = 2;
    if (td_segment_create(TD_STR(channel_name), values, &o, &segment, NULL)) _exit(1);
    if (td_channel_create(TD_STR(path_of("%s.room", channel_name)), values, &co, &room, NULL)) _exit(2);
    status = without_mappings();
    td_segment_release(segment), td_channel_release(room);
    _exit(status);
  }
  cr_assert_eq(waitpid(pid, &status, 0), pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) cr_skip_test("the limit on mappings is not met here");
  cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
  cr_expect_eq(names_left(), 0);
  td_dict_release(values);
}
