/* What all ranks of a group do together, among processes that are forked here. */
#include <limits.h>

#include "support/files.h"
#include "support/ranks.h"

TestSuite(group_collective, .init = make_test_dir, .fini = remove_test_dir, .timeout = 120);

/* A dict between two tensors, and one without elements. */
static td_dict *batch(double value) {
  td_dict *d = new_dict(TD_SHAPE(2));
  put(d, TD_KEY("z"), full_f32(value, TD_SHAPE(2, 3)));
  td_dict *below = new_dict(TD_SHAPE(2));
  put(below, TD_KEY("n"), full_f32(value + 1, TD_SHAPE(2)));
  put(below, TD_KEY("none"), full_f32(0, TD_SHAPE(2, 0)));
  put_dict(d, TD_KEY("below"), below);
  put(d, TD_KEY("a"), full_f32(value + 2, TD_SHAPE(2, 1)));
  return d;
}

static void expect_batch_values(const td_dict *d, double z, double n, double a) {
  expect_entry(d, TD_KEY("z"), VALUES(z, z, z, z, z, z));
  expect_entry(d, TD_KEY("below", "n"), VALUES(n, n));
  expect_entry(d, TD_KEY("a"), VALUES(a, a));
}

static void expect_batch_of(const td_dict *d, double v) {
  expect_batch_values(d, v, v + 1, v + 2);
}

/* ---- Dicts with their structure ---------------------------------------------------------------------------------- */

static void starts_others(td_group *group) {
  for (int32_t i = 0; i < 3; ++i) {
    if (own_rank == 0) {
      td_dict *d = batch(i);
      must(td_dict_set_data(d, TD_KEY("below", "note"), TD_DATA(td_data_str(TD_STR("n"))), &err));
      if (i == 1) must(td_dict_lock_(d, &err));
      must(td_dict_init_remote(d, group, 1, &err));
      td_dict_release(d);
    } else {
      td_dict *d = NULL;
      td_data_list *note = NULL;
      td_data value;
      must(td_dict_from_remote_init(group, 0, &d, &err));
      expect_batch_of(d, i);
      must(td_dict_get_data(d, TD_KEY("below", "note"), &note, &err));
      must(td_data_list_get(note, 0, &value, &err));
      check(value.kind == TD_DATA_STR && value.text.size == 1 && value.text.data[0] == 'n');
      td_data_list_release(note);
      check(td_dict_is_locked(d) == (i == 1));
      td_dict_release(d);
    }
  }
}

Test(group_collective, a_dict_is_sent_with_its_structure) {
  run_ranks(2, starts_others);
}

/* One rank sends what the other does not expect; what comes after it arrives. */
static void crosses(td_group *group) {
  td_dict *d = batch(own_rank == 0 ? 4 : 0), *got = NULL;
  if (own_rank == 0) {
    must(td_dict_init_remote(d, group, 1, &err));
    must(td_dict_send(d, group, 1, NULL, &err));
    must(td_dict_send(d, group, 1, NULL, &err));
  } else {
    expect_error(td_dict_recv(d, group, 0, NULL, &err), TD_ERR_CORRUPT, NULL, NULL);
    expect_batch_of(d, 0);
    expect_error(td_dict_from_remote_init(group, 0, &got, &err), TD_ERR_CORRUPT, NULL, NULL);
    check(got == NULL);
    must(td_dict_recv(d, group, 0, NULL, &err));
    expect_batch_of(d, 4);
  }
  td_dict_release(d);
}

Test(group_collective, a_receive_of_another_kind_is_an_error) {
  run_ranks(2, crosses);
}

static void cannot_be_described(td_group *group) {
  td_dict *d = batch(0), *got = NULL;
  if (own_rank == 0) {
    must(td_dict_set_data(d, TD_KEY("b"), TD_DATA(td_data_bytes("x", 1)), &err));
    expect_error(td_dict_init_remote(d, group, 1, &err), TD_ERR_UNSUPPORTED, "\"b\"", NULL);
    must(td_dict_remove(d, TD_KEY("b"), &err));
    expect_error(td_dict_init_remote(d, group, 0, &err), TD_ERR_ARGUMENT, NULL, NULL);
    must(td_dict_init_remote(d, group, 1, &err));
  } else {
    must(td_dict_from_remote_init(group, 0, &got, &err));
    expect_batch_of(got, 0);
    td_dict_release(got);
  }
  td_dict_release(d);
}

Test(group_collective, what_cannot_be_described_is_not_sent) {
  run_ranks(2, cannot_be_described);
}

/* ---- Collectives ------------------------------------------------------------------------------------------------- */

static void broadcasts(td_group *group) {
  for (int32_t src = 0; src < 3; ++src) {
    td_dict *mine = own_rank == src ? batch(10 * src) : NULL, *got = NULL;
    must(td_dict_broadcast(mine, group, src, &got, &err));
    expect_batch_of(got, 10 * src);
    check(got != mine);
    td_dict_release(got), td_dict_release(mine);
  }
  td_dict *empty = new_dict(NULL, 0), *got = NULL;
  must(td_dict_broadcast(own_rank == 1 ? empty : NULL, group, 1, &got, &err));
  check(td_dict_count(got) == 0);
  td_dict_release(got), td_dict_release(empty);
}

Test(group_collective, broadcast) {
  run_ranks(3, broadcasts);
}

static void reduces(td_group *group) {
  td_group_reduce_options o = TD_GROUP_REDUCE_OPTIONS_INIT;
  const int64_t buckets[] = {0, 1, 20, 1 << 20};
  for (size_t i = 0; i < 4; ++i) {
    o.bucket_bytes = buckets[i];
    td_dict *d = batch(own_rank);
    must(td_dict_lock_(d, &err));
    o.reduction = TD_GROUP_REDUCTION_SUM;
    must(td_dict_all_reduce(d, group, &o, &err));
    expect_batch_values(d, 3, 6, 9);
    td_dict_release(d), d = batch(own_rank);
    o.reduction = TD_GROUP_REDUCTION_MAX;
    must(td_dict_all_reduce(d, group, &o, &err));
    expect_batch_values(d, 2, 3, 4);
    td_dict_release(d), d = batch(own_rank);
    o.reduction = TD_GROUP_REDUCTION_MIN;
    must(td_dict_reduce_to(d, group, 2, &o, &err));
    own_rank == 2 ? expect_batch_values(d, 0, 1, 2) : expect_batch_of(d, own_rank);
    td_dict_release(d), d = batch(own_rank);
    o.reduction = TD_GROUP_REDUCTION_PRODUCT;
    must(td_dict_reduce_to(d, group, 0, &o, &err));
    own_rank == 0 ? expect_batch_values(d, 0, 6, 24) : expect_batch_of(d, own_rank);
    td_dict_release(d);
  }
}

Test(group_collective, reductions_with_and_without_buckets) {
  run_ranks(3, reduces);
}

static void gathers(td_group *group) {
  td_dict *d = batch(own_rank), *got = NULL;
  td_dict_list *list = NULL;
  if (own_rank == 1) put(d, TD_KEY("more"), full_f32(7, TD_SHAPE(2, 100)));
  must(td_dict_all_gather(d, group, &list, &err));
  check(td_dict_list_size(list) == 3);
  for (int32_t i = 0; i < 3; ++i) {
    must(td_dict_list_get(list, i, &got, &err));
    expect_batch_of(got, i);
    check(td_dict_count(got) == (i == 1 ? 4u : 3u));
    td_dict_release(got);
  }
  td_dict_list_release(list), td_dict_release(d);
}

Test(group_collective, all_gather) {
  run_ranks(3, gathers);
}

static void stacks(td_group *group) {
  td_dict *one = batch(own_rank), *rows = NULL;
  must(td_dict_stack((const td_dict *[]){one, one}, 2, 0, &rows, &err));
  must(td_dict_gather_and_stack(own_rank == 1 ? rows : one, group, 1, &err));
  if (own_rank == 1)
    expect_entry(rows, TD_KEY("below", "n"), VALUES(1, 1, 3, 3));
  else
    expect_batch_of(one, own_rank);
  /* And one row too few. */
  const td_status status = td_dict_gather_and_stack(one, group, 1, &err);
  check(status == (own_rank == 1 ? TD_ERR_SHAPE : TD_OK));
  td_error_release(err), err = NULL;
  if (own_rank == 1) expect_batch_of(one, 1);
  td_dict_release(rows), td_dict_release(one);
}

Test(group_collective, gather_and_stack) {
  run_ranks(3, stacks);
}

/* ---- Ranks that differ ------------------------------------------------------------------------------------------- */

static void differ(td_group *group) {
  td_group_reduce_options o = TD_GROUP_REDUCE_OPTIONS_INIT;
  td_dict *d = batch(own_rank), *got = NULL;
  td_dict_list *list = NULL;
  /* Another function. */
  if (own_rank == 0)
    expect_error(td_dict_all_reduce(d, group, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  else
    expect_error(td_dict_all_gather(d, group, &list, &err), TD_ERR_ARGUMENT, NULL, NULL);
  /* Another rank, another reduction. */
  expect_error(td_dict_broadcast(d, group, own_rank, &got, &err), TD_ERR_ARGUMENT, NULL, NULL);
  o.reduction = own_rank == 0 ? TD_GROUP_REDUCTION_SUM : TD_GROUP_REDUCTION_MAX;
  expect_error(td_dict_all_reduce(d, group, &o, &err), TD_ERR_ARGUMENT, NULL, NULL);
  /* Another structure: more, another dtype, another order. */
  for (int i = 0; i < 3; ++i) {
    td_dict *other = batch(own_rank);
    if (own_rank == 0 && i == 0) put(other, TD_KEY("more"), full_f32(1, TD_SHAPE(2, 1000)));
    if (own_rank == 0 && i == 1) put(other, TD_KEY("a"), counted(TD_DTYPE_INT32, TD_SHAPE(2, 1)));
    if (own_rank == 0 && i == 2) {
      td_tensor *z = get(other, TD_KEY("z"));
      must(td_dict_remove(other, TD_KEY("z"), &err));
      put(other, TD_KEY("z"), z);
    }
    expect_error(td_dict_all_reduce(other, group, NULL, &err), TD_ERR_SHAPE, NULL, NULL);
    td_dict_release(other);
  }
  /* One cannot take part. */
  td_dict *odd = batch(own_rank);
  if (own_rank == 0) put(odd, TD_KEY("a"), counted(TD_DTYPE_INT16, TD_SHAPE(2, 1)));
  expect_error(td_dict_all_reduce(odd, group, NULL, &err), own_rank == 0 ? TD_ERR_DTYPE : TD_ERR_CANCELLED, NULL, NULL);
  td_dict_release(odd);
  expect_error(td_dict_broadcast(NULL, group, 1, &got, &err), own_rank == 1 ? TD_ERR_ARGUMENT : TD_ERR_CANCELLED, NULL,
               NULL);
  expect_error(td_dict_broadcast(d, group, 2, &got, &err), TD_ERR_ARGUMENT, NULL, NULL);
  /* Nothing was changed, and the group is as good as before. */
  expect_batch_of(d, own_rank);
  must(td_dict_all_reduce(d, group, NULL, &err));
  expect_batch_values(d, 1, 3, 5);
  td_dict_release(d);
}

Test(group_collective, ranks_that_differ_are_told_and_go_on) {
  run_ranks(2, differ);
}

static void rank_1_dies(td_group *group) {
  const td_str done[] = {TD_STR("0 is done"), TD_NO_STR, TD_STR("2 is done")};
  td_dict *d = batch(own_rank), *got = NULL;
  td_dict_list *list = NULL;
  td_string *text = NULL;
  must(td_dict_all_reduce(d, group, NULL, &err));
  if (own_rank == 1) kill(getpid(), SIGKILL);
  check(td_dict_all_reduce(d, group, NULL, &err) == TD_ERR_CLOSED);
  check(strstr(td_error_message(err).data, "rank 1 has gone"));
  td_error_release(err), err = NULL;
  expect_batch_values(d, 3, 6, 9);
  expect_error(td_dict_broadcast(own_rank == 0 ? d : NULL, group, 0, &got, &err), TD_ERR_CLOSED, NULL, NULL);
  expect_error(td_dict_all_gather(d, group, &list, &err), TD_ERR_CLOSED, NULL, NULL);
  td_dict_release(d);
  /* A survivor that has left would be named, too. */
  must(td_group_set(group, done[own_rank], TD_STR("1"), &err));
  must(td_group_get(group, done[2 - own_rank], 20000, NULL, &text, &err));
  td_string_release(text);
}

Test(group_collective, a_rank_that_was_killed_is_closed_and_named) {
  run_ranks_with(3, rank_1_dies, 1, 30000);
}

static void rank_1_is_silent(td_group *group) {
  td_string *text = NULL;
  td_dict *d = batch(own_rank);
  if (own_rank == 0) {
    expect_error(td_dict_all_reduce(d, group, NULL, &err), TD_ERR_TIMEOUT, NULL, NULL);
    expect_error(td_dict_all_reduce(d, group, NULL, &err), TD_ERR_CLOSED, NULL, NULL);
    expect_batch_of(d, 0);
    must(td_group_set(group, TD_STR("done"), TD_STR("1"), &err));
  } else {
    must(td_group_get(group, TD_STR("done"), 20000, NULL, &text, &err));
    td_string_release(text);
  }
  td_dict_release(d);
}

Test(group_collective, a_rank_that_is_silent_is_a_timeout) {
  run_ranks_with(2, rank_1_is_silent, -1, 500);
}
