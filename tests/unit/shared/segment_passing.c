/* Segments without a name, which pass through a socket: memory for those who trust nobody. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "support/files.h"
#include "support/small_dicts.h"

TestSuite(segment_passing, .timeout = 120);

Test(segment_passing, exported_memory_is_sealed_and_arrives) {
  td_dict *d = small_dict(7);
  int32_t fd = -1;
  must(td_segment_export(d, &fd, &err));
  cr_expect(write(fd, "x", 1) < 0 && ftruncate(fd, 0) < 0 && ftruncate(fd, 1 << 20) < 0, "sealed");
  cr_expect_eq(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
  td_segment *s = NULL;
  must(td_segment_import(fd, &s, &err));
  close(fd);
  td_dict *got = NULL;
  must(td_segment_dict(s, &got, &err));
  cr_expect_eq(float_at(got, TD_KEY("a")), 7);
  expect_error(td_segment_update(s, d, &err), TD_ERR_LOCKED, NULL, "only the process");
  td_segment_release(s), s = NULL;
  cr_expect_eq(float_at(got, TD_KEY("a")), 7);

  expect_error(td_segment_import(-1, &s, &err), TD_ERR_ARGUMENT, NULL, "not open");
  fd = open("/dev/null", O_RDONLY);
  expect_error(td_segment_import(fd, &s, &err), TD_ERR_ARGUMENT, NULL, "could still change");
  close(fd);
  fd = memfd_create("x", MFD_ALLOW_SEALING);
  cr_assert(fd >= 0 && ftruncate(fd, 8192) == 0);
  expect_error(td_segment_import(fd, &s, &err), TD_ERR_ARGUMENT, NULL, "could still change");
  cr_assert_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE), 0);
  expect_error(td_segment_import(fd, &s, &err), TD_ERR_CORRUPT, NULL, "not a segment");
  close(fd);
  expect_error(td_segment_import(0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_export(d, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_export(NULL, &fd, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  cr_expect_null(s);
  td_dict_release(got), td_dict_release(d);
}

static void send_text(int socket, const char *text, int fd) {
  char space[CMSG_SPACE(sizeof fd)];
  memset(space, 0, sizeof space);
  struct iovec part = {(void *)(uintptr_t)text, strlen(text)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    message.msg_control = space, message.msg_controllen = sizeof space;
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
  }
  cr_assert_eq(sendmsg(socket, &message, 0), (ssize_t)strlen(text));
}

static void expect_passage(int type) {
  int ends[2];
  cr_assert_eq(socketpair(AF_UNIX, type, 0, ends), 0);
  td_segment *s = NULL;
  expect_error(td_segment_receive(ends[0], 0, &s, &err), TD_ERR_TIMEOUT, NULL, "nothing arrived");
  expect_error(td_segment_receive(ends[0], 20, &s, &err), TD_ERR_TIMEOUT, NULL, "within 20 ms");
  pid_t pid = fork();
  if (pid == 0) {
    td_after_fork();
    close(ends[0]);
    td_dict *sent[] = {small_dict(8), small_dict(9)};
    for (int i = 0; i < 2; ++i)
      if (td_segment_send(sent[i], ends[1], NULL)) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  for (int i = 0; i < 2; ++i) {
    td_dict *got = NULL;
    must(td_segment_receive(ends[0], 60000, &s, &err));
    must(td_segment_dict(s, &got, &err));
    td_segment_release(s), s = NULL;
    cr_expect_eq(float_at(got, TD_KEY("a")), (float)(8 + i));
    td_dict_release(got);
  }
  int status = -1;
  cr_assert(waitpid(pid, &status, 0) == pid && status == 0);
  expect_error(td_segment_receive(ends[0], -1, &s, &err), TD_ERR_CLOSED, NULL, "other end");
  td_dict *d = small_dict(1);
  expect_error(td_segment_send(d, ends[0], &err), TD_ERR_CLOSED, NULL, "other end");
  cr_expect_null(s);
  td_dict_release(d);
  close(ends[0]);
}

Test(segment_passing, a_dict_passes_through_a_socket) {
  const int fds = descriptors();
  expect_passage(SOCK_SEQPACKET);
  expect_passage(SOCK_STREAM);

  int ends[2], file = open("/dev/null", O_RDONLY), pipes[2];
  cr_assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0 && pipe(pipes) == 0);
  td_dict *d = small_dict(1);
  td_segment *s = NULL;
  const struct {
    const char *text;
    int fd;
    td_status status;
    const char *words;
  } cases[] = {{"TDMEMORY", -1, TD_ERR_CORRUPT, "does not hold a segment"},
               {"hello", file, TD_ERR_CORRUPT, "does not hold a segment"},
               {"TDMEMORY and more", file, TD_ERR_CORRUPT, "does not hold a segment"},
               {"TDMEMORY", file, TD_ERR_ARGUMENT, "could still change"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    send_text(ends[0], cases[i].text, cases[i].fd);
    expect_error(td_segment_receive(ends[1], 1000, &s, &err), cases[i].status, NULL, cases[i].words);
  }
  expect_error(td_segment_send(d, pipes[1], &err), TD_ERR_ARGUMENT, NULL, "no");
  expect_error(td_segment_receive(pipes[0], 0, &s, &err), TD_ERR_ARGUMENT, NULL, "Unix socket");
  expect_error(td_segment_receive(-1, 0, &s, &err), TD_ERR_ARGUMENT, NULL, "Unix socket");
  expect_error(td_segment_receive(ends[1], 0, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  expect_error(td_segment_send(NULL, ends[1], &err), TD_ERR_ARGUMENT, NULL, "NULL");
  cr_expect_null(s);
  /* A full socket that must not block. */
  cr_assert_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  td_status status = TD_OK;
  for (int i = 0; i < 10000 && status == TD_OK; ++i) status = td_segment_send(d, ends[0], NULL);
  cr_expect_eq(status, TD_ERR_TIMEOUT, "%s", td_status_name(status).data);
  td_dict_release(d);
  close(ends[0]), close(ends[1]), close(pipes[0]), close(pipes[1]), close(file);
  cr_expect_eq(descriptors(), fds, "descriptors of refused messages are closed");
}
