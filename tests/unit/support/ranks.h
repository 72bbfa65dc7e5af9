/* The ranks of a group, each in a forked process. */
#ifndef TESTS_RANKS_H
#define TESTS_RANKS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "support/ports.h"
#include "support/td.h"

enum { MAX_RANKS = 8 };

FILES_UNUSED static char group_store[PATH_MAX + 20];
FILES_UNUSED static int32_t own_rank;
static int meets_over_tcp, meets_in_environment, port_of_store;

FILES_UNUSED static void meet_over_tcp(void) {
  meets_over_tcp = 1;
  check((port_of_store = free_port()) > 0);
  snprintf(group_store, sizeof group_store, "tcp://127.0.0.1:%d", port_of_store);
}

FILES_UNUSED static void meet_in_environment(void) {
  meet_over_tcp();
  meets_in_environment = 1;
}

/* Before the store is used: a file of this test unless it was chosen. */
static void choose_store(void) {
  if (!group_store[0]) snprintf(group_store, sizeof group_store, "file://%s/meet", test_dir);
}

FILES_UNUSED static td_group_options group_options_of(int32_t rank, int32_t size) {
  td_group_options o = TD_GROUP_OPTIONS_INIT;
  choose_store();
  o.rank = rank, o.size = size, o.timeout_ms = 60000;
  o.serve = meets_over_tcp && rank == 0, o.serve_everywhere = o.serve;
  return o;
}

static td_group *open_rank(int32_t size, int64_t timeout_ms) {
  td_group *group = NULL;
  td_group_options o = group_options_of(own_rank, size);
  o.timeout_ms = timeout_ms;
  if (meets_in_environment) {
    char text[20];
    snprintf(text, sizeof text, "%d", port_of_store), setenv("MASTER_PORT", text, 1);
    snprintf(text, sizeof text, "%d", own_rank), setenv("RANK", text, 1);
    snprintf(text, sizeof text, "%d", size), setenv("WORLD_SIZE", text, 1);
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    o.rank = o.size = 0, o.serve = 0, o.serve_everywhere = 1;
  }
  must(td_group_open(meets_in_environment ? TD_STR("env://") : TD_STR(group_store), &o, &group, &err));
  return group;
}

/* Runs `body` in `n` processes; `killed` is a rank that ends with SIGKILL, or -1. With `size` each is in a group. */
static void run_forked(int n, void (*body)(td_group *), int killed, int32_t size, int64_t timeout_ms) {
  pid_t children[MAX_RANKS];
  choose_store();
  fflush(NULL);
  for (own_rank = 0; own_rank < n; ++own_rank) {
    children[own_rank] = fork();
    if (children[own_rank]) continue;
    td_after_fork();
    td_group *group = size ? open_rank(size, timeout_ms) : NULL;
    body(group);
    /* The store goes last. */
    if (meets_over_tcp && own_rank == 0) usleep(300000);
    td_group_release(group);
    check(td_live_objects(TD_OBJECT_GROUP) == 0 && td_live_objects(TD_OBJECT_DICT) == 0);
    fflush(NULL);
    _exit(0);
  }
  for (int i = 0; i < n; ++i) {
    int status = -1;
    check(waitpid(children[i], &status, 0) == children[i]);
    const int expected = i == killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0;
    if (!expected) fprintf(stderr, "rank %d ended with the status %d\n", i, status);
    check(expected);
  }
}

FILES_UNUSED static void run_ranks_with(int n, void (*body)(td_group *), int killed, int64_t timeout_ms) {
  run_forked(n, body, killed, n, timeout_ms);
}

FILES_UNUSED static void run_ranks(int n, void (*body)(td_group *)) {
  run_forked(n, body, -1, n, 60000);
}

/* Without a group. */
FILES_UNUSED static void run_processes(int n, void (*body)(td_group *)) {
  run_forked(n, body, -1, 0, 0);
}

#endif
