/* Groups among processes that are forked here: opening, values, barriers, and dicts that are sent. */
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "support/files.h"
#include "support/ranks.h"

TestSuite(group, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

static td_dict *batch(double value) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("a"), full_f32(value, TD_SHAPE(2, 3)));
  td_dict *below = new_dict(TD_SHAPE(2));
  put(below, TD_KEY("n"), full_f32(value + 1, TD_SHAPE(2)));
  put_dict(d, TD_KEY("below"), below);
  put(d, TD_KEY("last"), full_f32(value + 2, TD_SHAPE(2, 1)));
  return d;
}

static void expect_batch_of(const td_dict *d, double v) {
  expect_entry(d, TD_KEY("a"), VALUES(v, v, v, v, v, v));
  expect_entry(d, TD_KEY("below", "n"), VALUES(v + 1, v + 1));
  expect_entry(d, TD_KEY("last"), VALUES(v + 2, v + 2));
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static void knows_its_place(td_group *group) {
  check(td_group_rank(group) == own_rank && td_group_size(group) == 3);
  must(td_group_barrier(group, &err)); /* none leaves before the last has come */
}

Test(group, ranks_meet_in_a_file) {
  run_ranks(3, knows_its_place);
  check(td_group_rank(NULL) == -1 && td_group_size(NULL) == 0);
}

Test(group, ranks_meet_over_tcp) {
  meet_over_tcp();
  run_ranks(3, knows_its_place);
}

Test(group, the_environment_says_where_and_who) {
  meet_in_environment();
  run_ranks(3, knows_its_place);
}

Test(group, bad_options_are_refused) {
  td_group *group = NULL;
  td_group_options o = TD_GROUP_OPTIONS_INIT;
  expect_error(td_group_open(TD_STR("file:///dev/shm/none"), &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
  o.size = 2, o.rank = 2;
  expect_error(td_group_open(TD_STR("file:///dev/shm/none"), &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
  o.rank = 0, o.timeout_ms = -1;
  expect_error(td_group_open(TD_STR("file:///dev/shm/none"), &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
  o.timeout_ms = 0;
  const char *const wrong[] = {"",         "somewhere", "tcp://host", "tcp://:1", "tcp://host:0", "tcp://host:65536",
                               "file://no"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    expect_error(td_group_open(TD_STR(wrong[i]), &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_group_open(TD_NO_STR, &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
  unsetenv("MASTER_ADDR");
  expect_error(td_group_open(TD_STR("env://"), NULL, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
}

Test(group, a_rank_that_does_not_come_is_named) {
  td_group *group = NULL;
  td_group_options o = group_options_of(1, 3);
  o.timeout_ms = 200;
  check(td_group_open(TD_STR(group_store), &o, &group, &err) == TD_ERR_TIMEOUT);
  check(strstr(td_error_message(err).data, "these did not come in 200 ms: 0, 2"));
  td_error_release(err), err = NULL;
}

Test(group, a_store_that_nobody_serves_is_a_timeout) {
  td_group *group = NULL;
  td_group_options o = group_options_of(1, 2);
  meet_over_tcp();
  o.timeout_ms = 300;
  expect_error(td_group_open(TD_STR(group_store), &o, &group, &err), TD_ERR_TIMEOUT, NULL, NULL);
}

Test(group, a_rank_is_taken_once) {
  td_group *group = NULL, *again = NULL;
  td_group_options o = group_options_of(0, 1);
  must(td_group_open(TD_STR(group_store), &o, &group, &err));
  o.size = 2;
  expect_error(td_group_open(TD_STR(group_store), &o, &again, &err), TD_ERR_EXISTS, NULL, NULL);
  /* The group of one keeps its file, which a second one would remove at its end. */
  td_string *text = NULL;
  o.size = 1;
  expect_error(td_group_open(TD_STR(group_store), &o, &again, &err), TD_ERR_EXISTS, NULL, NULL);
  must(td_group_set(group, TD_STR("a long key, which is not where another record was"), TD_STR("1"), &err));
  must(td_group_get(group, TD_STR("a long key, which is not where another record was"), 0, NULL, &text, &err));
  td_string_release(text);
  expect_error(td_group_open(TD_STR(group_store), &o, &again, &err), TD_ERR_EXISTS, NULL, NULL);
  o.prefix = TD_STR("another");
  must(td_group_open(TD_STR(group_store), &o, &again, &err));
  td_group_release(again), td_group_release(group);
}

Test(group, a_store_listens_everywhere_only_if_asked) {
  td_group *group = NULL;
  meet_over_tcp();
  td_group_options o = group_options_of(0, 1);
  o.serve_everywhere = 0;
  const td_status status = td_group_open(TD_STR(group_store), &o, &group, &err);
  check(status == TD_OK || status == TD_ERR_UNSUPPORTED); /* the latter before LibTorch 2.4 */
  td_error_release(err), err = NULL;
  td_group_release(group);
}

static void opens_with_another_size(td_group *none) {
  td_group *group = NULL;
  td_group_options o = group_options_of(own_rank, own_rank == 0 ? 2 : 3);
  (void)none;
  o.timeout_ms = 20000;
  expect_error(td_group_open(TD_STR(group_store), &o, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
}

/* Python is not in this process; LibTorch before 2.2 has no names of groups. */
Test(group, only_a_group_of_this_process_is_adopted) {
  td_group *group = NULL;
  for (int beside_stock = 0; beside_stock < 2; ++beside_stock) {
    const td_status status = td_group_adopt(TD_STR("0"), (td_bool)beside_stock, &group, &err);
    check((status == TD_ERR_NOT_FOUND || status == TD_ERR_UNSUPPORTED) && !group);
    td_error_release(err), err = NULL;
  }
  expect_error(td_group_adopt(TD_NO_STR, 0, &group, &err), TD_ERR_ARGUMENT, NULL, NULL);
}

Test(group, all_ranks_have_one_size) {
  run_processes(2, opens_with_another_size);
}

/* ---- Values and barriers ----------------------------------------------------------------------------------------- */

static void exchanges_values(td_group *group) {
  td_string *text = NULL;
  int64_t sum = 0;
  if (own_rank == 1) must(td_group_set(group, TD_STR("NODE_1_out"), TD_STR("updated"), &err));
  must(td_group_get(group, TD_STR("NODE_1_out"), 20000, NULL, &text, &err));
  expect_text(text, "updated");
  must(td_group_add(group, TD_STR("n"), own_rank + 1, &sum, &err));
  must(td_group_barrier(group, &err));
  must(td_group_add(group, TD_STR("n"), 0, &sum, &err));
  check(sum == 6);
  td_bool removed = 0;
  if (own_rank == 0) {
    must(td_group_remove(group, TD_STR("NODE_1_out"), &removed, &err));
    check(removed);
  }
  must(td_group_barrier(group, &err));
  must(td_group_remove(group, TD_STR("NODE_1_out"), &removed, &err));
  check(!removed);
  expect_error(td_group_get(group, TD_STR("NODE_1_out"), 0, NULL, &text, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_group_remove(group, TD_STR(""), &removed, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_group_get(group, TD_STR("absent"), 0, NULL, &text, &err), TD_ERR_NOT_FOUND, NULL, NULL);
  expect_error(td_group_get(group, TD_STR("absent"), 20, NULL, &text, &err), TD_ERR_TIMEOUT, NULL, NULL);
  expect_error(td_group_get(group, TD_STR(""), 20, NULL, &text, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_cancel *stop;
  must(td_cancel_new(&stop, &err));
  td_cancel_request(stop);
  expect_error(td_group_get(group, TD_STR("absent"), -1, stop, &text, &err), TD_ERR_CANCELLED, NULL, NULL);
  td_cancel_release(stop);
  must(td_group_barrier(group, &err));
}

Test(group, values_of_the_store_are_seen_by_all) {
  run_ranks(3, exchanges_values);
}

Test(group, values_of_a_store_over_tcp_are_seen_by_all) {
  meet_over_tcp();
  run_ranks(3, exchanges_values);
}

/* ---- Dicts ------------------------------------------------------------------------------------------------------- */

static void passes_a_dict_on(td_group *group) {
  const int32_t next = (own_rank + 1) % 3, last = (own_rank + 2) % 3;
  td_dict *mine = batch(10 * own_rank), *theirs = batch(0);
  must(td_dict_lock_(theirs, &err));
  for (int i = 0; i < 20; ++i) {
    if (own_rank == 0) must(td_dict_send(mine, group, next, NULL, &err));
    must(td_dict_recv(theirs, group, last, NULL, &err));
    if (own_rank != 0) must(td_dict_send(mine, group, next, NULL, &err));
    expect_batch_of(theirs, 10 * last);
  }
  td_dict_release(mine), td_dict_release(theirs);
}

Test(group, dicts_go_round) {
  run_ranks(3, passes_a_dict_on);
}

static void tags_keep_apart(td_group *group) {
  td_transfer_options first = TD_TRANSFER_OPTIONS_INIT, second = TD_TRANSFER_OPTIONS_INIT;
  first.tag = 1, second.tag = 2;
  td_dict *d = batch(own_rank == 0 ? 5 : 0), *e = batch(own_rank == 0 ? 6 : 0);
  if (own_rank == 0) {
    must(td_dict_send(d, group, 1, &first, &err));
    must(td_dict_send(e, group, 1, &second, &err));
  } else {
    must(td_dict_recv(d, group, 0, &first, &err));
    must(td_dict_recv(e, group, 0, &second, &err));
    expect_batch_of(d, 5), expect_batch_of(e, 6);
  }
  td_dict_release(d), td_dict_release(e);
}

Test(group, dicts_with_tags) {
  run_ranks(2, tags_keep_apart);
}

static void one_sends_by_leaf(td_group *group) {
  td_transfer_options by_leaf = TD_TRANSFER_OPTIONS_INIT;
  by_leaf.by_leaf = 1;
  for (int i = 0; i < 4; ++i) {
    td_dict *d = batch(own_rank == 0 ? i : -1);
    if (own_rank == 0)
      must(td_dict_send(d, group, 1, i & 1 ? &by_leaf : NULL, &err));
    else
      must(td_dict_recv(d, group, 0, i & 2 ? &by_leaf : NULL, &err));
    expect_batch_of(d, i);
    td_dict_release(d);
  }
}

Test(group, ranks_of_this_library_need_not_agree_on_by_leaf) {
  run_ranks(2, one_sends_by_leaf);
}

/* Every other one has another structure; what comes after it arrives. */
static void differs(td_group *group) {
  for (int i = 0; i < 6; ++i) {
    td_dict *d = batch(own_rank == 0 ? 7 + i : 0);
    if (own_rank == 0 && i == 0) put(d, TD_KEY("more"), full_f32(1, TD_SHAPE(2, 1000)));
    if (own_rank == 0 && i == 2) must(td_dict_remove(d, TD_KEY("a"), &err));
    if (own_rank == 0 && i == 4) put(d, TD_KEY("a"), counted(TD_DTYPE_INT32, TD_SHAPE(2, 3)));
    if (own_rank == 0) {
      must(td_dict_send(d, group, 1, NULL, &err));
    } else if (i % 2 == 0) {
      expect_error(td_dict_recv(d, group, 0, NULL, &err), TD_ERR_SHAPE, NULL, NULL);
      expect_batch_of(d, 0);
    } else {
      must(td_dict_recv(d, group, 0, NULL, &err));
      expect_batch_of(d, 7 + i);
    }
    td_dict_release(d);
  }
}

Test(group, another_structure_is_refused_and_nothing_is_changed) {
  run_ranks(2, differs);
}

static void sends_large_and_empty(td_group *group) {
  td_dict *large = new_dict(TD_SHAPE(3)), *empty = new_dict(TD_SHAPE(3));
  put(large, TD_KEY("x"), full_f32(own_rank == 0 ? 3 : 0, TD_SHAPE(3, 1000000)));
  put(empty, TD_KEY("x"), full_f32(0, TD_SHAPE(3, 0)));
  if (own_rank == 0) {
    must(td_dict_send(empty, group, 1, NULL, &err));
    must(td_dict_send(large, group, 1, NULL, &err));
  } else {
    must(td_dict_recv(empty, group, 0, NULL, &err));
    must(td_dict_recv(large, group, 0, NULL, &err));
    td_tensor *x = get(large, TD_KEY("x")), *three = full_f32(3, TD_SHAPE(3, 1000000));
    check(same_values(x, three));
    td_tensor_release(x), td_tensor_release(three);
  }
  td_dict_release(large), td_dict_release(empty);
}

Test(group, large_and_empty_dicts) {
  run_ranks(2, sends_large_and_empty);
}

static void refuses(td_group *group) {
  td_dict *d = batch(0);
  td_transfer_options o = TD_TRANSFER_OPTIONS_INIT;
  expect_error(td_dict_send(d, group, own_rank, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_send(d, group, 2, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_recv(d, group, -1, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  o.tag = -1;
  expect_error(td_dict_send(d, group, 1 - own_rank, &o, &err), TD_ERR_ARGUMENT, NULL, NULL);
  td_dict_release(d);
}

Test(group, other_ranks_and_tags_are_refused) {
  run_ranks(2, refuses);
}

/* ---- Forks and faults -------------------------------------------------------------------------------------------- */

static void forks(td_group *group) {
  const pid_t child = fork();
  if (child == 0) {
    td_string *text = NULL;
    int bad = td_group_barrier(group, NULL) != TD_ERR_UNSUPPORTED;
    bad |= td_group_get(group, TD_STR("x"), 0, NULL, &text, NULL) != TD_ERR_UNSUPPORTED;
    td_group_release(group);
    _exit(bad);
  }
  int status = -1;
  check(waitpid(child, &status, 0) == child && status == 0);
  must(td_group_barrier(group, &err));
}

Test(group, a_forked_child_has_no_part_in_the_group) {
  run_ranks(2, forks);
}

static void rank_1_dies(td_group *group) {
  must(td_group_barrier(group, &err));
  if (own_rank == 1) kill(getpid(), SIGKILL);
  td_dict *d = batch(1);
  expect_error(td_dict_recv(d, group, 1, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
  expect_error(td_dict_send(d, group, 1, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
  check(td_group_barrier(group, &err) == TD_ERR_CLOSED);
  check(strstr(td_error_message(err).data, "rank 1 has gone"));
  td_error_release(err), err = NULL;
  /* The others go on. */
  if (own_rank == 0)
    must(td_dict_send(d, group, 2, NULL, &err));
  else
    must(td_dict_recv(d, group, 0, NULL, &err));
  td_dict_release(d);
}

Test(group, a_rank_that_was_killed_is_closed_and_named) {
  run_ranks_with(3, rank_1_dies, 1, 30000);
}

static void rank_1_is_silent(td_group *group) {
  td_string *text = NULL;
  td_dict *d = batch(1);
  if (own_rank == 0) {
    expect_error(td_dict_recv(d, group, 1, NULL, &err), TD_ERR_TIMEOUT, NULL, NULL);
    expect_error(td_dict_recv(d, group, 1, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
    expect_batch_of(d, 1);
    must(td_group_set(group, TD_STR("done"), TD_STR("1"), &err));
  } else {
    must(td_group_get(group, TD_STR("done"), 20000, NULL, &text, &err));
    td_string_release(text);
  }
  td_dict_release(d);
}

Test(group, a_rank_that_is_silent_is_a_timeout_and_closed_then) {
  run_ranks_with(2, rank_1_is_silent, -1, 500);
}
