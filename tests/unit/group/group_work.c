/* Transfers that are begun and waited for later, among processes that are forked here. */
#include <limits.h>

#include "support/files.h"
#include "support/ranks.h"

TestSuite(group_work, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static td_dict *batch(double value) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), full_f32(value, TD_SHAPE(2, 3)));
  return d;
}

static void expect_batch_of(const td_dict *d, double v) {
  expect_entry(d, TD_KEY("a"), VALUES(v, v, v, v, v, v));
}

/* Many at once, of one tag: they arrive in the order in which they were begun. */
static void many(td_group *group) {
  enum { N = 8 };
  td_work *works[N];
  td_dict *dicts[N];
  for (int i = 0; i < N; ++i) {
    dicts[i] = batch(own_rank == 0 ? i : -1);
    must(own_rank == 0 ? td_dict_isend(dicts[i], group, 1, NULL, &works[i], &err)
                       : td_dict_irecv(dicts[i], group, 0, NULL, &works[i], &err));
    if (own_rank == 0) must(td_dict_zero_(dicts[i], &err)); /* too late to matter */
  }
  for (int i = N - 1; i >= 0; --i) {
    must(td_work_wait(works[i], -1, NULL, &err));
    check(td_work_done(works[i]));
    must(td_work_wait(works[i], 0, NULL, &err));
    if (own_rank == 1) expect_batch_of(dicts[i], i);
    td_work_release(works[i]), td_dict_release(dicts[i]);
  }
  /* One that is waited for at once comes behind. */
  td_dict *d = batch(own_rank == 0 ? 20 : -1), *e = batch(own_rank == 0 ? 21 : -1);
  td_work *work = NULL;
  must(own_rank == 0 ? td_dict_isend(d, group, 1, NULL, &work, &err) : td_dict_irecv(d, group, 0, NULL, &work, &err));
  must(own_rank == 0 ? td_dict_send(e, group, 1, NULL, &err) : td_dict_recv(e, group, 0, NULL, &err));
  must(td_work_wait(work, -1, NULL, &err));
  if (own_rank == 1) expect_batch_of(d, 20), expect_batch_of(e, 21);
  td_work_release(work), td_dict_release(d), td_dict_release(e);
}

Test(group_work, transfers_keep_their_order) {
  run_ranks(2, many);
}

/* A wait that ends leaves the transfer as it is. */
static void ends_waits(td_group *group) {
  td_dict *d = batch(own_rank == 0 ? 5 : 0);
  td_work *work = NULL;
  td_cancel *stop = NULL;
  if (own_rank == 1) {
    must(td_dict_irecv(d, group, 0, NULL, &work, &err));
    check(!td_work_done(work));
    expect_error(td_work_wait(work, 0, NULL, &err), TD_ERR_TIMEOUT, NULL, NULL);
    expect_error(td_work_wait(work, 30, NULL, &err), TD_ERR_TIMEOUT, NULL, NULL);
    must(td_cancel_new(&stop, &err));
    td_cancel_request(stop);
    expect_error(td_work_wait(work, -1, stop, &err), TD_ERR_CANCELLED, NULL, NULL);
    td_cancel_release(stop);
    expect_batch_of(d, 0);
  }
  must(td_group_barrier(group, &err));
  if (own_rank == 0) must(td_dict_send(d, group, 1, NULL, &err));
  if (own_rank == 1) must(td_work_wait(work, -1, NULL, &err));
  expect_batch_of(d, 5);
  td_work_release(work), td_dict_release(d);
}

Test(group_work, a_wait_that_ends_early_does_no_harm) {
  run_ranks(2, ends_waits);
}

static void fails_later(td_group *group) {
  td_dict *d = batch(own_rank);
  td_work *work = NULL;
  if (own_rank == 0) put(d, TD_KEY("b"), full_f32(1, TD_SHAPE(2)));
  must(own_rank == 0 ? td_dict_isend(d, group, 1, NULL, &work, &err) : td_dict_irecv(d, group, 0, NULL, &work, &err));
  for (int i = 0; i < 2; ++i) {
    const td_status status = td_work_wait(work, -1, NULL, &err);
    check(status == (own_rank == 0 ? TD_OK : TD_ERR_SHAPE));
    td_error_release(err), err = NULL;
  }
  if (own_rank == 1) expect_batch_of(d, 1);
  td_work_release(work), work = NULL;
  expect_error(td_dict_isend(d, group, 2, NULL, &work, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_irecv(d, group, own_rank, NULL, &work, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(work == NULL && td_work_done(NULL) == 0);
  td_dict_release(d);
}

Test(group_work, a_transfer_that_fails_says_so_in_each_wait) {
  run_ranks(2, fails_later);
}

/* Nobody waits: what was sent arrives, and what was received is forgotten. */
static void forgets(td_group *group) {
  td_dict *d = batch(own_rank == 0 ? 3 : 0), *e = batch(own_rank == 0 ? 4 : 0);
  td_work *work = NULL;
  must(own_rank == 0 ? td_dict_isend(d, group, 1, NULL, &work, &err) : td_dict_irecv(d, group, 0, NULL, &work, &err));
  td_work_release(work);
  must(own_rank == 0 ? td_dict_send(e, group, 1, NULL, &err) : td_dict_recv(e, group, 0, NULL, &err));
  if (own_rank == 1) expect_batch_of(d, 0), expect_batch_of(e, 4);
  td_dict_release(d), td_dict_release(e);
}

Test(group_work, a_transfer_needs_nobody_who_waits) {
  run_ranks(2, forgets);
}

static void rank_1_dies(td_group *group) {
  td_dict *d = batch(0);
  td_work *work = NULL;
  if (own_rank == 0) must(td_dict_irecv(d, group, 1, NULL, &work, &err));
  must(td_group_barrier(group, &err));
  if (own_rank == 1) kill(getpid(), SIGKILL);
  expect_error(td_work_wait(work, -1, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
  expect_batch_of(d, 0);
  td_work_release(work), td_dict_release(d);
}

Test(group_work, a_rank_that_was_killed_ends_the_wait) {
  run_ranks_with(2, rank_1_dies, 1, 30000);
}

static void forks(td_group *group) {
  td_dict *d = batch(own_rank);
  td_work *work = NULL;
  must(own_rank == 0 ? td_dict_isend(d, group, 1, NULL, &work, &err) : td_dict_irecv(d, group, 0, NULL, &work, &err));
  const pid_t child = fork();
  if (child == 0) {
    const int bad = td_work_wait(work, -1, NULL, NULL) != TD_ERR_UNSUPPORTED;
    td_work_release(work), td_group_release(group);
    _exit(bad);
  }
  int status = -1;
  check(waitpid(child, &status, 0) == child && status == 0);
  must(td_work_wait(work, -1, NULL, &err));
  expect_batch_of(d, 0);
  td_work_release(work), td_dict_release(d);
}

Test(group_work, a_forked_child_has_no_part_in_a_transfer) {
  run_ranks(2, forks);
}
