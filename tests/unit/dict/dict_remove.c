/* Taking keys away: the order stays, copies keep theirs, and one key of a million costs what one of ten costs. */
#include "support/td.h"

TestSuite(dict_remove, .timeout = 120);

/* Keys in order, as numbers. */
typedef struct model {
  int keys[4096];
  size_t n;
} model;

static const char *name_of(int key) {
  static char names[4][32];
  static int next;
  char *name = names[next++ % 4];
  snprintf(name, 32, "key%d", key);
  return name;
}

static void forget(model *m, size_t at) {
  memmove(m->keys + at, m->keys + at + 1, (--m->n - at) * sizeof *m->keys);
}

/* The dict has these keys in this order, each with its number. */
static void expect_model(const td_dict *d, const model *m) {
  td_keys *keys;
  must(td_dict_keys(d, 0, &keys, &err));
  check(td_keys_size(keys) == m->n && td_dict_count(d) == m->n);
  for (size_t i = 0; i < m->n; ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    check(says(key.parts[0], name_of(m->keys[i])));
    td_tensor *t = get(d, &key);
    check(*(const float *)address(t) == (float)m->keys[i]);
    td_tensor_release(t);
  }
  td_keys_release(keys);
}

static void set_number(td_dict *d, int key) {
  td_tensor *t = full_f32(key, TD_NO_DIMS);
  must(td_dict_set(d, TD_KEY(name_of(key)), t, &err));
  td_tensor_release(t);
}

static unsigned random_below(unsigned n) {
  static unsigned state = 12345;
  state = state * 1103515245u + 12345u;
  return (state >> 8) % n;
}

/* One random change of both. */
static void change(td_dict *d, model *m, int *fresh) {
  const unsigned what = random_below(10);
  if (m->n == 0 || (what < 3 && m->n < 4000)) {
    set_number(d, *fresh);
    m->keys[m->n++] = (*fresh)++;
  } else if (what < 7) {
    const size_t at = what == 3 ? 0 : random_below((unsigned)m->n);
    must(td_dict_remove(d, TD_KEY(name_of(m->keys[at])), &err));
    expect_error(td_dict_remove(d, TD_KEY(name_of(m->keys[at])), &err), TD_ERR_KEY, NULL, NULL);
    forget(m, at);
  } else if (what < 8) {
    td_string *key;
    td_tensor *t;
    td_dict *node;
    td_data_list *data;
    must(td_dict_popitem(d, &key, &t, &node, &data, &err));
    check(says(td_string_view(key), name_of(m->keys[--m->n])) && !node && !data);
    td_string_release(key), td_tensor_release(t);
  } else { /* a rename goes to the end; the number in it is put right */
    const size_t at = random_below((unsigned)m->n);
    must(td_dict_rename_key_(d, TD_KEY(name_of(m->keys[at])), TD_KEY(name_of(*fresh)), 1, &err));
    forget(m, at);
    set_number(d, *fresh);
    m->keys[m->n++] = (*fresh)++;
  }
}

LeaklessTest(dict_remove, keys_that_stay_keep_their_order_through_any_changes) {
  static const size_t starts[] = {0, 7, 8, 9, 10, 40, 1000};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; ++s) {
    td_dict *d = new_dict(TD_NO_DIMS), *copy = NULL;
    model m = {{0}, 0}, of_copy = {{0}, 0};
    int fresh = 0;
    for (size_t i = 0; i < starts[s]; ++i) {
      set_number(d, fresh);
      m.keys[m.n++] = fresh++;
    }
    for (int step = 0; step < 3000; ++step) {
      change(d, &m, &fresh);
      if (step % 250 != 0) continue;
      expect_model(d, &m);
      if (copy) expect_model(copy, &of_copy); /* made long before, and not changed since */
      td_dict_release(copy);
      must(td_dict_copy(d, &copy, &err));
      of_copy = m;
      for (int more = 0; more < 20; ++more) change(copy, &of_copy, &fresh);
    }
    expect_model(d, &m);
    td_dict_release(copy), td_dict_release(d);
  }
}

LeaklessTest(dict_remove, operators_see_what_is_left) {
  td_dict *d = new_dict(TD_NO_DIMS), *other = new_dict(TD_NO_DIMS), *sum, *again;
  for (int i = 0; i < 100; ++i) set_number(d, i);
  for (int i = 0; i < 100; i += 3) must(td_dict_remove(d, TD_KEY(name_of(i)), &err));
  for (int i = 0; i < 100; ++i)
    if (i % 3) set_number(other, i); /* the same keys, without any that went */
  const td_dict *pairs[][2] = {{d, d}, {d, other}, {other, d}};
  for (size_t p = 0; p < 3; ++p) {
    must(td_dict_stack(pairs[p], 2, 0, &sum, &err));
    must(td_dict_clone(sum, &again, &err));
    check(td_dict_count(again) == 66);
    for (int i = 0; i < 100; ++i)
      if (i % 3) expect_entry(again, TD_KEY(name_of(i)), VALUES(i, i));
    td_dict_release(again), td_dict_release(sum);
  }
  must(td_dict_clear(d, &err));
  check(td_dict_count(d) == 0);
  set_number(d, 5);
  expect_entry(d, TD_KEY("key5"), VALUES(5));
  td_dict_release(other), td_dict_release(d);
}

LeaklessTest(dict_remove, a_failed_rename_leaves_everything_where_it_was) {
  td_dict *d = new_dict(TD_SHAPE(2)), *n, *loose = new_dict(TD_NO_DIMS);
  td_tensor *two = full_f32(1, TD_SHAPE(2)), *none = full_f32(1, TD_NO_DIMS);
  must(td_dict_set(d, TD_KEY("a"), two, &err));
  must(td_dict_set(d, TD_KEY("n", "b"), two, &err));
  must(td_dict_set(d, TD_KEY("c"), two, &err));
  n = get_dict(d, TD_KEY("n"));
  td_string *before, *after;
  must(td_dict_repr(d, 0, &before, &err));
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("c"), 1, &err), TD_ERR_EXISTS, NULL, NULL);
  expect_error(td_dict_rename_key_(d, TD_KEY("none"), TD_KEY("c"), 0, &err), TD_ERR_KEY, NULL, NULL);
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("c", "x"), 0, &err), TD_ERR_KEY, NULL, NULL);
  must(td_dict_lock_(n, &err));
  expect_error(td_dict_rename_key_(d, TD_KEY("n", "b"), TD_KEY("e"), 0, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_rename_key_(d, TD_KEY("a"), TD_KEY("n", "e"), 0, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(n, &err));
  must(td_dict_repr(d, 0, &after, &err));
  check(strcmp(td_string_view(before).data, td_string_view(after).data) == 0);
  must(td_dict_rename_key_(d, TD_KEY("n"), TD_KEY("n", "n"), 0, &err)); /* below itself, and back */
  expect_entry(d, TD_KEY("n", "n", "b"), VALUES(1, 1));
  must(td_dict_rename_key_(d, TD_KEY("n", "n"), TD_KEY("n"), 0, &err));
  expect_entry(d, TD_KEY("n", "b"), VALUES(1, 1));
  td_string_release(before), td_string_release(after);
  td_tensor_release(two), td_tensor_release(none);
  td_dict_release(n), td_dict_release(loose), td_dict_release(d);
}

/* With a cost that grows with the number of keys each of the loops would take minutes. */
LeaklessTest(dict_remove, a_big_dict_is_emptied_from_any_side) {
  enum { KEYS = 100000 };
  for (int way = 0; way < 4; ++way) {
    td_dict *d = new_dict(TD_NO_DIMS);
    td_tensor *t = full_f32(1, TD_NO_DIMS);
    char name[32], to[32];
    for (int i = 0; i < KEYS; ++i) {
      snprintf(name, sizeof name, "key%d", i);
      must(td_dict_set(d, TD_KEY(name), t, &err));
    }
    for (int i = 0; i < KEYS; ++i) {
      snprintf(name, sizeof name, "key%d", way == 1 ? KEYS - 1 - i : i);
      snprintf(to, sizeof to, "to%d", i);
      if (way < 2) {
        must(td_dict_remove(d, TD_KEY(name), &err));
      } else if (way == 2) {
        must(td_dict_rename_key_(d, TD_KEY(name), TD_KEY(to), 1, &err));
      } else {
        td_string *key;
        td_tensor *last;
        td_dict *node;
        td_data_list *data;
        must(td_dict_popitem(d, &key, &last, &node, &data, &err));
        td_string_release(key), td_tensor_release(last);
      }
    }
    check(td_dict_count(d) == (size_t)(way == 2 ? KEYS : 0));
    td_tensor_release(t), td_dict_release(d);
  }
}
