/* Lazy stacks in shared memory: in segments with snapshots and without, and in the messages of a channel. */
#include "support/small_channels.h"
#include "support/small_stacks.h"

TestSuite(shared_stacks, .init = pick_name, .fini = remove_name, .timeout = 120);

typedef td_dict *make_dict(double value);
static make_dict *const kinds[] = {small_stacks, stack_with_names};

static td_segment *create_segment(const td_dict *d, int snapshots) {
  td_segment_options o = TD_SEGMENT_OPTIONS_INIT;
  o.snapshots = snapshots;
  td_segment *s = NULL;
  must(td_segment_create(TD_STR(channel_name), d, &o, &s, &err));
  return s;
}

static td_segment *open_segment(void) {
  td_segment *s = NULL;
  must(td_segment_open(TD_STR(channel_name), NULL, &s, &err));
  return s;
}

static td_dict *live_of(const td_segment *s) {
  td_dict *d = NULL;
  must(td_segment_dict(s, &d, &err));
  return d;
}

static td_dict *snapshot_of(const td_segment *s) {
  td_dict *d = NULL;
  must(td_segment_snapshot(s, &d, &err));
  return d;
}

static td_dict *below(const td_dict *d, const td_key *key) {
  td_dict *got = NULL;
  must(td_dict_get_dict(d, key, &got, &err));
  return got;
}

static td_dict *member_of(const td_dict *d, size_t i) {
  td_dict_list *members = NULL;
  td_dict *m = NULL;
  must(td_dict_members(d, &members, &err));
  must(td_dict_list_get(members, i, &m, &err));
  td_dict_list_release(members);
  return m;
}

/* The repr, without what it says of shared memory. */
static void text_of(const td_dict *d, char *text, size_t size) {
  td_string *s = NULL;
  must(td_dict_repr(d, 0, &s, &err));
  td_str all = td_string_view(s);
  size_t n = 0;
  for (const char *c = all.data; *c && n + 1 < size; ++c) {
    if (strncmp(c, "is_shared=", 10) == 0) c = strpbrk(c, ",)");
    text[n++] = *c;
  }
  text[n] = '\0';
  td_string_release(s);
}

static void expect_same_structure(const td_dict *got, const td_dict *want) {
  static char texts[2][8192];
  text_of(got, texts[0], sizeof texts[0]), text_of(want, texts[1], sizeof texts[1]);
  cr_expect_str_eq(texts[0], texts[1]);
  cr_expect_eq(td_dict_kind_of(got), td_dict_kind_of(want));
  int64_t dims[2][8];
  size_t n = td_dict_batch_size(got, dims[0], 8);
  cr_assert_eq(n, td_dict_batch_size(want, dims[1], 8));
  for (size_t i = 0; i < n; ++i) {
    td_string *names[2] = {NULL, NULL};
    must(td_dict_name(got, (int64_t)i, &names[0], &err));
    must(td_dict_name(want, (int64_t)i, &names[1], &err));
    cr_expect(dims[0][i] == dims[1][i] && !names[0] == !names[1] &&
              (!names[0] || strcmp(td_string_view(names[0]).data, td_string_view(names[1]).data) == 0));
    td_string_release(names[0]), td_string_release(names[1]);
  }
}

static void aligned_and_shared(void *read_only, const td_tensor *t) {
  const void *data = NULL;
  void *mine = NULL;
  must(td_tensor_data(t, &data, &err));
  cr_expect_eq((uintptr_t)data % 64, 0);
  if (read_only)
    expect_error(td_tensor_mutable_data((td_tensor *)t, &mine, &err), TD_ERR_LOCKED, NULL, "read-only");
  else
    must(td_tensor_mutable_data((td_tensor *)t, &mine, &err));
}

static void expect_read_only(td_dict *d, const td_dict *other, double value) {
  int writable = 0;
  for_each_tensor(d, aligned_and_shared, &writable);
  cr_expect(td_dict_is_locked(d));
  expect_error(td_dict_update_(d, other, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_error(td_dict_zero_(d, &err), TD_ERR_LOCKED, NULL, "read-only");
  cr_expect_eq(value_everywhere(d), value);
}

static void a_segment_of(make_dict *make, int snapshots) {
  int64_t bytes = td_live_bytes(), mappings = td_live_objects(TD_OBJECT_MAPPING);
  td_dict *one = make(1), *two = make(2), *three = make(3);
  td_segment *owner = create_segment(one, snapshots), *reader = open_segment();
  td_dict *live = live_of(reader), *mine = live_of(owner), *old = snapshots ? snapshot_of(reader) : NULL;
  expect_same_structure(live, one);
  expect_read_only(live, two, 1);
  for_each_tensor(mine, aligned_and_shared, NULL);
  must(td_segment_update(owner, two, &err));
  cr_expect(td_segment_version(reader) == 2 && value_everywhere(live) == 2 && value_everywhere(mine) == 2);
  if (snapshots) {
    expect_same_structure(old, one);
    expect_read_only(old, two, 1);
    td_dict *new = snapshot_of(reader);
    expect_same_structure(new, one);
    must(td_segment_update(owner, three, &err));
    expect_read_only(new, one, 2);
    td_dict_release(new);
  }
  must(td_dict_update_(mine, one, &err)); /* in place, through the stacks */
  cr_expect_eq(value_everywhere(live), 1);
  must(td_segment_update(owner, live, &err)); /* onto itself */
  if (snapshots) td_dict_release(old), old = snapshot_of(owner), expect_read_only(old, two, 1);
  td_segment_release(owner), td_segment_release(reader);
  cr_expect_eq(value_everywhere(live), 1);
  td_dict_release(live), td_dict_release(mine), td_dict_release(old);
  td_dict_release(one), td_dict_release(two), td_dict_release(three);
  cr_expect(td_live_bytes() == bytes && td_live_objects(TD_OBJECT_MAPPING) == mappings && !there(channel_file));
}

Test(shared_stacks, a_segment_holds_them) {
  for (size_t k = 0; k < 2; ++k) a_segment_of(kinds[k], 0);
}

Test(shared_stacks, a_snapshot_stays_as_it_was) {
  for (size_t k = 0; k < 2; ++k) a_segment_of(kinds[k], 3);
  td_dict *d = small_stacks(1), *two = small_stacks(2);
  td_segment *s = create_segment(d, 2);
  td_dict *held = snapshot_of(s), *deep = below(held, TD_KEY("deep")), *inner = member_of(deep, 1);
  td_dict *last = member_of(inner, 0);
  td_tensor *x = tensor_at(last, TD_KEY("x"));
  td_dict_release(held), td_dict_release(deep), td_dict_release(inner), td_dict_release(last);
  must(td_segment_update(s, two, &err));
  expect_error(td_segment_update(s, two, &err), TD_ERR_NOSPACE, NULL, "readers hold"); /* a tensor of a member lives */
  td_tensor_release(x);
  must(td_segment_update(s, two, &err));
  td_segment_release(s), td_dict_release(d), td_dict_release(two);
}

/* ---- Updates of another structure ------------------------------------------------------------------------------------- */

static td_dict *same_stack(td_dict *first, td_dict *second, int64_t dim) {
  td_dict *d = small_stacks(9);
  put_below(d, TD_KEY("n", "same"), stack_two(first, second, dim));
  return d;
}
static td_dict *ragged_stack(td_dict *first, td_dict *second) {
  td_dict *d = small_stacks(9);
  put_below(d, TD_KEY("ragged"), stack_two(first, second, 0));
  return d;
}

static td_dict *other_root_batch(void) {
  td_dict *d = small_stacks(9);
  must(td_dict_set_batch_size(d, NULL, 0, &err));
  return d;
}
static td_dict *other_batch_below(void) {
  td_dict *d = small_stacks(9), *n = below(d, TD_KEY("n"));
  must(td_dict_set_batch_size(n, TD_SHAPE(2, 3), &err));
  td_dict_release(n);
  return d;
}
static td_dict *other_member_batch(void) {
  td_dict *a = batched_member(9, 3), *b = batched_member(9, 3);
  must(td_dict_set_batch_size(a, TD_SHAPE(3, 2), &err));
  must(td_dict_set_batch_size(b, TD_SHAPE(3, 2), &err));
  return same_stack(a, b, 0);
}
static td_dict *a_member_changed_since(void) {
  td_dict *d = small_stacks(9), *n = below(d, TD_KEY("n", "same")), *m = member_of(n, 1);
  must(td_dict_set_batch_size(m, NULL, 0, &err));
  td_dict_release(n), td_dict_release(m);
  return d;
}
static td_dict *other_sizes(void) {
  return ragged_stack(ragged_member(9, 1), ragged_member(9, 1));
}
static td_dict *other_shape(void) {
  td_dict *m = ragged_member(9, 4);
  put_full(m, TD_KEY("x"), TD_DTYPE_FLOAT32, 9, TD_SHAPE(5));
  return ragged_stack(ragged_member(9, 1), m);
}
static td_dict *other_dtype(void) {
  td_dict *m = ragged_member(9, 4);
  put_full(m, TD_KEY("m", "only4"), TD_DTYPE_INT32, 9, NULL, 0);
  return ragged_stack(ragged_member(9, 1), m);
}
static td_dict *one_key_more(void) {
  td_dict *m = ragged_member(9, 1);
  put_full(m, TD_KEY("m", "more"), TD_DTYPE_FLOAT32, 9, NULL, 0);
  return ragged_stack(m, ragged_member(9, 4));
}
static td_dict *one_key_less(void) {
  td_dict *m = ragged_member(9, 4);
  must(td_dict_remove(m, TD_KEY("x"), &err));
  return ragged_stack(ragged_member(9, 1), m);
}
static td_dict *other_word(void) {
  td_dict *m = ragged_member(9, 4);
  must(td_dict_set_data(m, TD_KEY("word"), TD_DATA(td_data_str(TD_STR("another"))), &err));
  return ragged_stack(ragged_member(9, 1), m);
}
static td_dict *three_members(void) {
  td_dict *d = small_stacks(9), *ragged = below(d, TD_KEY("deep")), *first = member_of(ragged, 0);
  td_dict *more = ragged_member(9, 7);
  must(td_dict_append(first, more, &err));
  td_dict_release(first), td_dict_release(ragged), td_dict_release(more);
  return d;
}
static td_dict *other_dim(void) {
  return same_stack(batched_member(9, 2), batched_member(9, 2), 1);
}
static td_dict *a_dict_for_a_stack(void) {
  td_dict *d = small_stacks(9), *one = below(d, TD_KEY("n", "same")), *dense = NULL;
  must(td_dict_contiguous(one, &dense, &err));
  put_below(d, TD_KEY("n", "same"), dense);
  td_dict_release(one);
  return d;
}
static td_dict *a_tensor_for_a_stack(void) {
  td_dict *d = small_stacks(9);
  must(td_dict_remove(d, TD_KEY("ragged"), &err));
  put_full(d, TD_KEY("ragged"), TD_DTYPE_FLOAT32, 9, TD_SHAPE(2));
  return d;
}

static const struct {
  td_dict *(*make)(void);
  td_status status;
  const char *key, *words;
} wrong_updates[] = {
    {other_root_batch, TD_ERR_SHAPE, "", "batch size [2] was expected, got []"},
    {other_batch_below, TD_ERR_SHAPE, "\"n\"", "batch size [2] was expected, got [2, 3]"},
    {other_member_batch, TD_ERR_SHAPE, "(\"n\", \"same\")", "got [3, 2] in member 0"},
    {a_member_changed_since, TD_ERR_SHAPE, "(\"n\", \"same\")", "got [] in member 1"},
    {other_sizes, TD_ERR_SHAPE, "(\"ragged\", \"x\")", "shape [4], got [1] in member 1"},
    {other_shape, TD_ERR_SHAPE, "(\"ragged\", \"x\")", "shape [4], got [5] in member 1"},
    {other_dtype, TD_ERR_DTYPE, "(\"ragged\", \"m\", \"only4\")", "int32 in member 1"},
    {one_key_more, TD_ERR_KEY, "(\"ragged\", \"m\", \"more\")", "in member 0"},
    {one_key_less, TD_ERR_KEY, "(\"ragged\", \"x\")", "in member 1"},
    {other_word, TD_ERR_UNSUPPORTED, "(\"ragged\", \"word\")", "in member 1"},
    {three_members, TD_ERR_SHAPE, "\"deep\"", "2 members along dim 0 was expected, got one of 3"},
    {other_dim, TD_ERR_SHAPE, "(\"n\", \"same\")", "got one of 2 members along dim 1"},
    {a_dict_for_a_stack, TD_ERR_SHAPE, "(\"n\", \"same\")", "got another dict"},
    {a_tensor_for_a_stack, TD_ERR_KEY, "\"ragged\"", "not a dict"},
};

Test(shared_stacks, an_update_of_another_structure_changes_nothing) {
  for (int snapshots = 0; snapshots < 4; snapshots += 3) {
    td_dict *d = small_stacks(1);
    td_segment *s = create_segment(d, snapshots);
    td_dict *live = live_of(s);
    for (size_t i = 0; i < sizeof wrong_updates / sizeof *wrong_updates; ++i) {
      td_dict *wrong = wrong_updates[i].make();
      td_error *e = NULL;
      td_status status = td_segment_update(s, wrong, &e);
      cr_assert_eq(status, wrong_updates[i].status, "case %zu: %s: %s", i, td_status_name(status).data,
                   e ? td_error_message(e).data : "");
      cr_expect(strstr(td_error_message(e).data, wrong_updates[i].words), "case %zu: %s", i, td_error_message(e).data);
      const char *key = td_error_key(e).data;
      cr_expect_str_eq(key ? key : "", wrong_updates[i].key, "case %zu: the key is %s", i, key);
      td_error_release(e), td_dict_release(wrong);
      cr_expect(td_segment_version(s) == 0 && value_everywhere(live) == 1, "case %zu", i);
    }
    if (snapshots) {
      td_dict *still = snapshot_of(s);
      cr_expect_eq(value_everywhere(still), 1);
      td_dict_release(still);
    }
    td_dict_release(live), td_segment_release(s), td_dict_release(d);
  }
}

/* ---- Messages --------------------------------------------------------------------------------------------------------- */

static td_channel *channel_of(make_dict *make, td_channel_role roles) {
  td_channel_options o = TD_CHANNEL_OPTIONS_INIT;
  o.slots = 2, o.roles = roles;
  td_dict *schema = make(0);
  td_channel *ch = NULL;
  must(td_channel_create(TD_STR(channel_name), schema, &o, &ch, &err));
  td_dict_release(schema);
  return ch;
}

static void send_filled(td_channel *ch, make_dict *make, double value) {
  td_message *m = acquire(ch);
  td_dict *d = dict_of(m), *from = make(value);
  must(td_dict_update_(d, from, &err));
  must(td_message_publish(m, &err));
  td_dict_release(d), td_dict_release(from), td_message_release(m);
}

Test(shared_stacks, a_message_holds_them) {
  td_channel_release(
      channel_of(small_stacks, TD_CHANNEL_ROLE_PRODUCES)); /* opens the descriptor that a process keeps */
  int64_t bytes = td_live_bytes();
  int fds = descriptors();
  for (size_t k = 0; k < 2; ++k) {
    td_channel *out = channel_of(kinds[k], TD_CHANNEL_ROLE_PRODUCES), *in = join(TD_CHANNEL_ROLE_CONSUMES);
    td_dict *like = kinds[k](0), *schema = NULL;
    must(td_channel_schema(in, &schema, &err));
    expect_same_structure(schema, like);
    cr_expect_eq(value_everywhere(schema), 0);
    td_message *m = acquire(out);
    td_dict *d = dict_of(m);
    expect_same_structure(d, like);
    cr_expect(td_dict_is_locked(d));
    for_each_tensor(d, aligned_and_shared, NULL);
    must(td_dict_update_(d, like, &err));
    td_dict_release(d), td_message_release(m); /* given up */
    for (int i = 1; i < 6; ++i)
      send_filled(out, kinds[k], i), m = take(in), d = dict_of(m), expect_same_structure(d, like),
                                     expect_read_only(d, like, i), td_message_release(m), td_dict_release(d);
    td_dict_release(like), td_dict_release(schema), td_channel_release(in), td_channel_release(out);
  }
  expect_nothing_left(0, bytes, fds);
}

Test(shared_stacks, a_member_of_a_message_holds_its_slot) {
  td_channel *ch = channel_of(small_stacks, TD_CHANNEL_ROLE_PRODUCES + TD_CHANNEL_ROLE_CONSUMES);
  send_filled(ch, small_stacks, 4);
  td_message *m = take(ch);
  td_dict *d = dict_of(m), *ragged = below(d, TD_KEY("ragged")), *second = member_of(ragged, 1);
  td_message_release(m), td_dict_release(d), td_dict_release(ragged);
  cr_expect_eq(stats(ch).reading, 1);
  cr_expect_eq(float_at(second, TD_KEY("x")), 4);
  td_tensor *x = tensor_at(second, TD_KEY("x"));
  td_dict_release(second);
  cr_expect_eq(stats(ch).reading, 1);
  td_tensor_release(x);
  cr_expect(stats(ch).reading == 0 && stats(ch).free == 2);
  send_filled(ch, small_stacks, 5);
  m = take(ch), d = dict_of(m);
  td_tensor *copy = NULL;
  must(td_dict_get(d, TD_KEY("n", "same", "y"), &copy, &err)); /* stacked anew: a copy, which holds nothing */
  td_dict_release(d), td_message_release(m);
  cr_expect_eq(stats(ch).free, 2);
  td_tensor_release(copy), td_channel_release(ch);
}

/* ---- Processes -------------------------------------------------------------------------------------------------------- */

Test(shared_stacks, processes_talk) {
  td_channel *out = channel_of(small_stacks, TD_CHANNEL_ROLE_PRODUCES);
  td_dict *d = small_stacks(0);
  snprintf(channel_name + strlen(channel_name), 8, ".back");
  td_segment *from_owner = create_segment(d, 4);
  td_dict_release(d);
  pid_t pid = fork();
  if (pid == 0) { /* takes what was sent, and finds it in the snapshot too */
    td_after_fork();
    td_segment *s = NULL;
    td_channel *in = NULL;
    if (td_segment_open(TD_STR(channel_name), NULL, &s, NULL)) _exit(1);
    channel_name[strlen(channel_name) - 5] = '\0';
    if (td_channel_open(TD_STR(channel_name), TD_CHANNEL_ROLE_CONSUMES, NULL, &in, NULL)) _exit(2);
    for (int i = 1; i < 100; ++i) {
      td_message *m = take(in);
      td_dict *message = dict_of(m), *snapshot = snapshot_of(s);
      if (value_everywhere(message) != i || value_everywhere(snapshot) < i) _exit(3);
      td_dict_release(message), td_dict_release(snapshot), td_message_release(m);
    }
    td_channel_release(in), td_segment_release(s);
    _exit(0);
  }
  for (int i = 1; i < 100; ++i) {
    d = small_stacks(i);
    must(td_segment_update(from_owner, d, &err));
    td_dict_release(d);
    send_filled(out, small_stacks, i);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  cr_expect_eq(status, 0);
  td_segment_release(from_owner), td_channel_release(out);
}
