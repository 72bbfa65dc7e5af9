/* Lazy stacks on servers, laid out as Python's LazyStackedTensorDictStore does it: one string has an entry of all
 * members. */
#include "support/redis_server.h"

TestSuite(storage_remote_stack, .init = open_server, .fini = close_server);

static void raw_stack(const char *id, int count, int dim, const char *inner) {
  raw("SET tensordict:{%s}:__type__ lazy_stack", id);
  raw("SET tensordict:{%s}:__count__ %d", id, count);
  raw("SET tensordict:{%s}:__stack_dim__ %d", id, dim);
  raw("SET tensordict:{%s}:__inner_batch_size__ \"%s\"", id, inner);
  raw("SET tensordict:{%s}:__device__ \"\"", id);
}

/* Two members: "x", uint8 [3] and [2], and ("n", "y"), uint8 [2] in both. */
static void raw_ragged(const char *id) {
  raw_stack(id, 2, 0, "[]");
  raw("SADD tensordict:{%s}:__keys__ x n.y", id);
  raw("SET tensordict:{%s}:d:x \"\\x01\\x02\\x03\\x04\\x05\"", id);
  raw("HSET tensordict:{%s}:m:x shape \"[2, 3]\" dtype torch.uint8 homogeneous 0 layout stack shapes \"[[3], [2]]\"",
      id);
  raw("SET tensordict:{%s}:d:n.y \"\\x0a\\x0b\\x0c\\x0d\"", id);
  raw("HSET tensordict:{%s}:m:n.y shape \"[2, 2]\" dtype torch.uint8 homogeneous 1 layout stack", id);
}

static td_dict *member(const td_dict *stack, size_t i) {
  td_dict_list *all = NULL;
  td_dict *m = NULL;
  must(td_dict_members(stack, &all, &err));
  must(td_dict_list_get(all, i, &m, &err));
  td_dict_list_release(all);
  return m;
}

#define expect_member(stack, i, key, values_and_count) \
  expect_member_at(__FILE__, __LINE__, (stack), (i), (key), values_and_count)
static void expect_member_at(const char *file, int line, const td_dict *stack, size_t i, const td_key *key,
                             const double *values, size_t n) {
  td_dict *m = member(stack, i);
  expect_entry_at(file, line, m, key, values, n);
  td_dict_release(m);
}

/* How many transactions the server has run. */
static long transactions(void) {
  const char *at = strstr(raw("INFO commandstats"), "cmdstat_exec:calls=");
  return at ? atol(at + strlen("cmdstat_exec:calls=")) : 0;
}

LeaklessTest(storage_remote_stack, what_python_wrote_is_a_lazy_stack) {
  raw_ragged("R");
  td_dict *d = open_remote("R", TD_OPEN_READ);
  check(td_dict_kind_of(d) == TD_DICT_KIND_LAZY_STACK && version_of(d) == 0);
  expect_batch(d, TD_SHAPE(2));
  expect_member(d, 0, TD_KEY("x"), VALUES(1, 2, 3));
  expect_member(d, 1, TD_KEY("x"), VALUES(4, 5));
  expect_entry(d, TD_KEY("n", "y"), VALUES(10, 11, 12, 13));
  expect_member(d, 1, TD_KEY("n", "y"), VALUES(12, 13));
  td_tensor *t = NULL;
  expect_error(td_dict_get(d, TD_KEY("x"), &t, &err), TD_ERR_SHAPE, "\"x\"", "different shapes");
  td_dict *copy = NULL;
  must(td_dict_clone(d, &copy, &err));
  expect_member(copy, 1, TD_KEY("x"), VALUES(4, 5));
  td_dict_release(copy), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, of_members_that_differ_the_shapes_say_all) {
  raw_ragged("T");
  raw("HDEL tensordict:{T}:m:x shape");
  td_dict *d = open_remote("T", TD_OPEN_READ);
  expect_member(d, 0, TD_KEY("x"), VALUES(1, 2, 3));
  expect_member(d, 1, TD_KEY("x"), VALUES(4, 5));
  td_dict_release(d);
}

LeaklessTest(storage_remote_stack, members_lie_in_turn_or_along_the_dim_of_the_stack) {
  raw_stack("B", 3, 1, "[2]"); /* batch size [2, 3] */
  raw("SADD tensordict:{B}:__keys__ turn along");
  raw("SET tensordict:{B}:d:turn \"\\x00\\x01\\x02\\x03\\x04\\x05\"");
  raw("HSET tensordict:{B}:m:turn shape \"[3, 2]\" dtype torch.uint8 homogeneous 1 layout stack");
  raw("SET tensordict:{B}:d:along \"\\x00\\x01\\x02\\x03\\x04\\x05\"");
  raw("HSET tensordict:{B}:m:along shape \"[2, 3]\" dtype torch.uint8 homogeneous 1 layout batch");
  td_dict *d = open_remote("B", TD_OPEN_READ_WRITE);
  expect_batch(d, TD_SHAPE(2, 3));
  expect_entry(d, TD_KEY("turn"), VALUES(0, 2, 4, 1, 3, 5));
  expect_entry(d, TD_KEY("along"), VALUES(0, 1, 2, 3, 4, 5));
  expect_member(d, 1, TD_KEY("turn"), VALUES(2, 3));
  expect_member(d, 1, TD_KEY("along"), VALUES(1, 4));
  td_dict *m = member(d, 2);
  must(td_dict_fill_(m, TD_KEY("along"), TD_VALUE(td_value_int(9)), &err));
  td_dict_release(m);
  expect_entry(d, TD_KEY("along"), VALUES(0, 1, 9, 3, 4, 9));
  td_dict_release(d);
}

LeaklessTest(storage_remote_stack, the_shape_says_the_order_before_the_server_does) {
  raw_stack("S", 2, 1, "[2]");
  raw("SADD tensordict:{S}:__keys__ both silent");
  for (int i = 0; i < 2; ++i) raw("SET tensordict:{S}:d:%s \"\\x00\\x01\\x02\\x03\"", i ? "both" : "silent");
  raw("HSET tensordict:{S}:m:both shape \"[2, 2]\" dtype torch.uint8 layout batch");
  raw("HSET tensordict:{S}:m:silent shape \"[2, 2]\" dtype torch.uint8");
  td_dict *d = open_remote("S", TD_OPEN_READ);
  expect_member(d, 1, TD_KEY("both"), VALUES(1, 3));
  expect_member(d, 1, TD_KEY("silent"), VALUES(2, 3));
  td_dict_release(d);
}

LeaklessTest(storage_remote_stack, one_call_reads_all_members_at_one_moment) {
  raw_ragged("M");
  td_dict *d = open_remote("M", TD_OPEN_READ);
  expect_entry(d, TD_KEY("n", "y"), VALUES(10, 11, 12, 13));
  td_dict *n = get_dict(d, TD_KEY("n"));
  const long before = transactions();
  td_tensor *t = get(n, TD_KEY("y"));
  check(transactions() == before + 1);
  td_tensor_release(t), td_dict_release(n), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, values_are_written_where_they_are) {
  raw_ragged("W");
  td_dict *d = open_remote("W", TD_OPEN_READ_WRITE), *m = member(d, 1);
  must(td_dict_fill_(m, TD_KEY("x"), TD_VALUE(td_value_int(7)), &err));
  check(version_of(d) == 1);
  must(td_dict_fill_(d, TD_KEY("n", "y"), TD_VALUE(td_value_int(8)), &err)); /* of all members, in one transaction */
  check(version_of(d) == 2);
  const td_index last[] = {TD_INT(1)};
  td_tensor *one = counted(TD_DTYPE_UINT8, TD_NO_DIMS);
  must(td_dict_copy_into_at(m, TD_KEY("n", "y"), last, 1, one, &err));
  td_tensor_release(one);
  expect_member(d, 0, TD_KEY("x"), VALUES(1, 2, 3));
  expect_member(d, 1, TD_KEY("x"), VALUES(7, 7));
  expect_entry(d, TD_KEY("n", "y"), VALUES(8, 8, 8, 0));
  check(memcmp(raw("GET tensordict:{W}:d:x"), "$5\r\n\1\2\3\7\7\r\n", 11) == 0);
  td_dict_release(m), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, a_member_cannot_get_lose_or_reshape_an_entry_alone) {
  raw_ragged("A");
  td_dict *d = open_remote("A", TD_OPEN_READ_WRITE), *m = member(d, 0);
  td_tensor *t = counted(TD_DTYPE_UINT8, TD_SHAPE(4));
  expect_error(td_dict_set(m, TD_KEY("new"), t, &err), TD_ERR_UNSUPPORTED, "\"new\"", "in common");
  expect_error(td_dict_set(m, TD_KEY("x"), t, &err), TD_ERR_UNSUPPORTED, "\"x\"", "in common");
  expect_error(td_dict_remove(m, TD_KEY("x"), &err), TD_ERR_UNSUPPORTED, "\"x\"", "in common");
  expect_error(td_dict_rename_key_(m, TD_KEY("x"), TD_KEY("z"), 0, &err), TD_ERR_UNSUPPORTED, "\"x\"", "in common");
  td_tensor_release(t);
  t = counted(TD_DTYPE_UINT8, TD_SHAPE(3));
  must(td_dict_set(m, TD_KEY("x"), t, &err)); /* of the same shape and dtype */
  td_tensor_release(t);
  expect_member(d, 0, TD_KEY("x"), VALUES(0, 1, 2));
  check(version_of(d) == 1);
  td_dict_release(m), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, what_was_opened_to_be_read_is_not_written) {
  raw_ragged("L");
  td_dict *d = open_remote("L", TD_OPEN_READ);
  expect_error(td_dict_fill_(d, TD_KEY("n", "y"), TD_VALUE(td_value_int(1)), &err), TD_ERR_LOCKED, NULL, NULL);
  check(version_of(d) == 0);
  td_dict_release(d);
}

LeaklessTest(storage_remote_stack, a_version_guards_an_update_of_all_members) {
  raw_ragged("V");
  td_dict *d = open_remote("V", TD_OPEN_READ_WRITE), *copy = NULL;
  must(td_dict_clone(d, &copy, &err));
  must(td_dict_fill_(copy, TD_KEY("n", "y"), TD_VALUE(td_value_int(5)), &err));
  must(td_remote_update_if(d, copy, 0, &err));
  expect_entry(d, TD_KEY("n", "y"), VALUES(5, 5, 5, 5));
  expect_error(td_remote_update_if(d, copy, 0, &err), TD_ERR_BUSY, NULL, "version");
  check(version_of(d) == 1);
  td_dict_release(copy), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, another_number_of_members_is_noticed) {
  raw_ragged("C");
  td_dict *d = open_remote("C", TD_OPEN_READ);
  raw("SET tensordict:{C}:__count__ 3");
  td_tensor *t = NULL;
  expect_error(td_dict_get(d, TD_KEY("n", "y"), &t, &err), TD_ERR_SHAPE, NULL, "number of members");
  raw("DEL tensordict:{C}:__type__");
  raw("SET tensordict:{C}:__batch_size__ \"[]\"");
  expect_error(td_dict_get(d, TD_KEY("n", "y"), &t, &err), TD_ERR_CLOSED, NULL, "something else");
  td_dict_release(d);
}

/* After one command that damages a stack. */
static void refuse(const char *damage, td_status status, const char *text) {
  raw("FLUSHALL");
  raw_ragged("D");
  raw("%s", damage);
  td_dict *d = NULL, *m = NULL;
  td_status got = td_remote_open(TD_STR(url_of("D")), NULL, &d, &err);
  if (got == TD_OK) {
    td_tensor *t = NULL;
    m = member(d, 1);
    got = td_dict_get(m, TD_KEY("x"), &t, &err);
    td_tensor_release(t);
  }
  expect_error(got, status, NULL, text);
  td_dict_release(m), td_dict_release(d);
}

LeaklessTest(storage_remote_stack, nothing_that_the_server_says_is_believed) {
  refuse("SET tensordict:{D}:__count__ many", TD_ERR_CORRUPT, "'many'");
  refuse("SET tensordict:{D}:__count__ -1", TD_ERR_CORRUPT, "-1 members");
  refuse("SET tensordict:{D}:__count__ 9999999999", TD_ERR_UNSUPPORTED, "the limit is");
  refuse("SET tensordict:{D}:__count__ 3", TD_ERR_CORRUPT, "one shape for each of 3");
  refuse("SET tensordict:{D}:__stack_dim__ 1", TD_ERR_CORRUPT, "along dim 1");
  refuse("DEL tensordict:{D}:__inner_batch_size__", TD_ERR_CORRUPT, "no batch size");
  refuse("SET tensordict:{D}:__inner_batch_size__ \"[4]\"", TD_ERR_CORRUPT, "batch size");
  refuse("APPEND tensordict:{D}:d:x 1", TD_ERR_CORRUPT, "6 bytes");
  refuse("HSET tensordict:{D}:m:x shapes \"[[3], 2]\"", TD_ERR_CORRUPT, NULL);
  refuse("HSET tensordict:{D}:m:x shapes \"[[3], [9223372036854775807]]\"", TD_ERR_CORRUPT, NULL);
  refuse("HSET tensordict:{D}:m:x homogeneous 1", TD_ERR_CORRUPT, "bytes");
  refuse("HDEL tensordict:{D}:m:x dtype", TD_ERR_CORRUPT, "no dtype");
  refuse("HSET tensordict:{D}:m:x is_non_tensor 1 encoding json", TD_ERR_UNSUPPORTED, "non-tensor");
}

LeaklessTest(storage_remote_stack, a_stack_may_have_no_members_and_no_entries) {
  raw_stack("none", 0, 0, "[3]");
  raw_stack("bare", 2, -1, "[3]"); /* which Python takes for 0 */
  td_dict *d = open_remote("none", TD_OPEN_READ);
  expect_batch(d, TD_SHAPE(0, 3));
  td_dict_release(d);
  d = open_remote("bare", TD_OPEN_READ_WRITE);
  expect_batch(d, TD_SHAPE(2, 3));
  check(td_dict_count(d) == 0);
  td_dict_release(d);
}
