/* A lazy stack may hold one dict several times: what is done to the stack is done to that dict, and does not fail when it
 * meets it again. */
#include "support/td.h"

static td_dict *twice, *inside;

/* {a: 0, 1, 2; n: {b: 1, 1, 1}} of batch size [3], twice */
static void make_twice(void) {
  inside = new_dict(TD_SHAPE(3));
  put(inside, TD_KEY("a"), range_f32(TD_SHAPE(3)));
  put(inside, TD_KEY("n", "b"), full_f32(1, TD_SHAPE(3)));
  must(td_dict_lazy_stack((td_dict *const[]){inside, inside}, 2, 0, &twice, &err));
}

static void release_twice(void) {
  td_dict_release(twice);
  td_dict_release(inside);
}

static void expect_keys_at(int line, const char *expected) {
  char there[64] = "";
  td_keys *keys;
  must(td_dict_keys(inside, TD_KEYS_NESTED | TD_KEYS_LEAVES, &keys, &err));
  for (size_t i = 0; i < td_keys_size(keys); ++i) {
    td_key key;
    must(td_keys_get(keys, i, &key, &err));
    for (size_t k = 0; k < key.n; ++k) strncat(there, key.parts[k].data, key.parts[k].size);
    strcat(there, " ");
  }
  td_keys_release(keys);
  if (strcmp(there, expected) != 0) fprintf(stderr, "line %d: the keys are %s\n", line, there);
  check(strcmp(there, expected) == 0);
}
#define expect_keys(expected) expect_keys_at(__LINE__, (expected))

LeaklessTest(dict_lazy_twice, an_entry_is_renamed_once) {
  const struct {
    const td_key *from, *to;
    const char *keys;
  } table[] = {
      {TD_KEY("a"), TD_KEY("z"), "nb z "},
      {TD_KEY("n", "b"), TD_KEY("n", "z"), "a nz "},
      {TD_KEY("n", "b"), TD_KEY("a"), "a "},
      {TD_KEY("n"), TD_KEY("m", "deep"), "a mdeepb "},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    make_twice();
    must(td_dict_rename_key_(twice, table[i].from, table[i].to, 0, &err));
    expect_keys(table[i].keys);
    release_twice();
  }
  make_twice();
  must(td_dict_rename_key_(twice, TD_KEY("a"), TD_KEY("z"), 1, &err)); /* its new key is not taken by itself */
  expect_keys("nb z ");
  expect_error(td_dict_rename_key_(twice, TD_KEY("z"), TD_KEY("n"), 1, &err), TD_ERR_EXISTS, "\"n\"", NULL);
  expect_error(td_dict_rename_key_(twice, TD_KEY("a"), TD_KEY("q"), 0, &err), TD_ERR_KEY, "\"a\"", NULL);
  td_dict *root = new_dict(TD_SHAPE(2)), *deep;
  put_dict(root, TD_KEY("s"), twice); /* below a dict, and in two stacks of a stack */
  must(td_dict_rename_key_(root, TD_KEY("s", "z"), TD_KEY("s", "y"), 1, &err));
  expect_keys("nb y ");
  td_dict_release(root);
  must(td_dict_lazy_stack((td_dict *const[]){inside, inside}, 2, 0, &twice, &err));
  must(td_dict_lazy_stack((td_dict *const[]){twice, twice}, 2, 0, &deep, &err));
  must(td_dict_rename_key_(deep, TD_KEY("y"), TD_KEY("x"), 1, &err));
  expect_keys("nb x ");
  td_dict_release(deep);
  release_twice();
}

static td_status delete_a(void) {
  return td_dict_remove(twice, TD_KEY("a"), &err);
}
static td_status pop_a(void) {
  td_tensor *t = NULL;
  const td_status status = td_dict_pop(twice, TD_KEY("a"), &t, &err);
  td_tensor_release(t);
  return status;
}
static td_status pop_n(void) {
  td_dict *n = NULL;
  const td_status status = td_dict_pop_dict(twice, TD_KEY("n"), &n, &err);
  td_dict_release(n);
  return status;
}
static td_status set_c(void) {
  td_tensor *t = range_f32(TD_SHAPE(2, 3));
  const td_status status = td_dict_set(twice, TD_KEY("c"), t, &err);
  td_tensor_release(t);
  return status;
}
static td_status select_b(void) {
  return td_dict_select_(twice, TD_KEY("n", "b"), 1, 1, &err);
}
static td_status exclude_b(void) {
  return td_dict_exclude_(twice, TD_KEY("n", "b"), 1, &err);
}
static td_status clear(void) {
  return td_dict_clear(twice, &err);
}
static td_status lock_and_unlock(void) {
  must(td_dict_lock_(twice, &err));
  check(td_dict_is_locked(inside));
  must(td_dict_unlock_(twice, &err));
  return td_dict_remove(inside, TD_KEY("a"), &err);
}
static td_status update(void) {
  td_dict *src = new_dict(TD_SHAPE(2, 3));
  put(src, TD_KEY("c"), range_f32(TD_SHAPE(2, 3)));
  const td_status status = td_dict_update(twice, src, NULL, &err);
  td_dict_release(src);
  return status;
}

LeaklessTest(dict_lazy_twice, what_changes_its_keys_meets_it_again) {
  const struct {
    td_status (*run)(void);
    const char *keys;
  } table[] = {
      {delete_a, "nb "}, {pop_a, "nb "},      {pop_n, "a "}, {set_c, "a nb c "},       {select_b, "nb "},
      {exclude_b, "a "}, {update, "a nb c "}, {clear, ""},   {lock_and_unlock, "nb "},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    make_twice();
    if (table[i].run() != TD_OK) failed_at(__FILE__, (int)i, "the stack takes it", err);
    expect_keys(table[i].keys);
    release_twice();
  }
}
