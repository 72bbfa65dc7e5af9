/* Locks: who may change what, and who may allow it again. */
#include "support/td.h"

static td_dict *locked_tree(void) {
  td_dict *root = new_dict(TD_SHAPE(2));
  put(root, TD_KEY("a"), range_f32(TD_SHAPE(2)));
  put(root, TD_KEY("n", "m", "b"), range_f32(TD_SHAPE(2)));
  must(td_dict_lock_(root, &err));
  return root;
}

LeaklessTest(dict_lock, a_locked_dict_refuses_structural_changes_and_takes_values) {
  td_dict *root = locked_tree(), *n = get_dict(root, TD_KEY("n")), *child = new_dict(TD_SHAPE(2));
  td_tensor *x = full_f32(7, TD_SHAPE(2));
  check(td_dict_is_locked(root) && td_dict_is_locked(n) && !td_dict_is_locked(child));
  must(td_dict_lock_(root, &err)); /* again is harmless */

  expect_error(td_dict_set(root, TD_KEY("c"), x, &err), TD_ERR_LOCKED, "\"c\"", "locked");
  expect_error(td_dict_set(root, TD_KEY("a"), x, &err), TD_ERR_LOCKED, "\"a\"", "td_dict_copy_into");
  expect_error(td_dict_set(root, TD_KEY("n", "m", "b"), x, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_set(root, TD_KEY("q", "r"), x, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_set(n, TD_KEY("c"), x, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_set_dict(root, TD_KEY("c"), child, &err), TD_ERR_LOCKED, "\"c\"", NULL);
  expect_error(td_dict_remove(root, TD_KEY("a"), &err), TD_ERR_LOCKED, "\"a\"", NULL);
  expect_error(td_dict_remove(root, TD_KEY("n", "m", "b"), &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_remove(root, TD_KEY("q"), &err), TD_ERR_KEY, "\"q\"", NULL);
  check(td_dict_count(root) == 2);

  must(td_dict_copy_into(root, TD_KEY("n", "m", "b"), x, &err));
  expect_entry(root, TD_KEY("n", "m", "b"), VALUES(7, 7));
  td_dict *copies[3];
  must(td_dict_copy(root, &copies[0], &err));
  must(td_dict_clone(root, &copies[1], &err));
  must(td_dict_index(root, (const td_index[]){TD_SLICE(0, 1)}, 1, &copies[2], &err));
  for (int i = 0; i < 3; ++i) { /* what is made from it is not locked */
    td_dict *inner = get_dict(copies[i], TD_KEY("n", "m"));
    check(!td_dict_is_locked(copies[i]) && !td_dict_is_locked(inner));
    td_dict_release(inner);
    td_dict_release(copies[i]);
  }
  must(td_dict_unlock_(root, &err));
  check(!td_dict_is_locked(root) && !td_dict_is_locked(n));
  must(td_dict_set(n, TD_KEY("c"), x, &err));
  td_tensor_release(x);
  td_dict_release(child);
  td_dict_release(n);
  td_dict_release(root);
}

LeaklessTest(dict_lock, a_child_stays_locked_while_a_locked_ancestor_lives) {
  td_dict *root = locked_tree(), *n = get_dict(root, TD_KEY("n")), *m = get_dict(root, TD_KEY("n", "m"));
  expect_error(td_dict_unlock_(n, &err), TD_ERR_LOCKED, NULL, "part of a locked");
  expect_error(td_dict_unlock_(m, &err), TD_ERR_LOCKED, NULL, "part of a locked");
  check(td_dict_is_locked(root) && td_dict_is_locked(n) && td_dict_is_locked(m)); /* nothing has changed */
  td_dict_release(root);                                                          /* the ancestor dies, locked */
  check(td_dict_is_locked(n));
  expect_error(td_dict_unlock_(m, &err), TD_ERR_LOCKED, NULL, NULL); /* its parent still lives */
  must(td_dict_unlock_(n, &err));
  check(!td_dict_is_locked(n) && !td_dict_is_locked(m));
  td_dict_release(n);
  td_dict_release(m);
}

LeaklessTest(dict_lock, a_child_of_two_locked_roots_keeps_both_locked) {
  td_dict *a = new_dict(TD_NO_DIMS), *b = new_dict(TD_NO_DIMS), *shared = new_dict(TD_NO_DIMS);
  must(td_dict_set_dict(a, TD_KEY("s"), shared, &err));
  must(td_dict_set_dict(b, TD_KEY("s"), shared, &err));
  must(td_dict_lock_(a, &err));
  must(td_dict_lock_(b, &err));
  expect_error(td_dict_unlock_(a, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_unlock_(b, &err), TD_ERR_LOCKED, NULL, NULL);
  expect_error(td_dict_unlock_(shared, &err), TD_ERR_LOCKED, NULL, NULL);
  check(td_dict_is_locked(a) && td_dict_is_locked(b) && td_dict_is_locked(shared));
  td_dict_release(b); /* until one of them dies */
  must(td_dict_unlock_(a, &err));
  check(!td_dict_is_locked(shared));
  must(td_dict_lock_(a, &err)); /* and it can be locked again */
  expect_error(td_dict_unlock_(shared, &err), TD_ERR_LOCKED, NULL, NULL);
  must(td_dict_unlock_(a, &err));
  td_dict_release(shared);
  td_dict_release(a);
}

LeaklessTest(dict_lock, a_locked_child_does_not_lock_its_parent) {
  td_dict *root = new_dict(TD_NO_DIMS), *n;
  td_tensor *x = range_f32(TD_SHAPE(1));
  must(td_dict_set(root, TD_KEY("n", "b"), x, &err));
  n = get_dict(root, TD_KEY("n"));
  must(td_dict_lock_(n, &err));
  check(!td_dict_is_locked(root));
  must(td_dict_set(root, TD_KEY("a"), x, &err));
  expect_error(td_dict_set(root, TD_KEY("n", "c"), x, &err), TD_ERR_LOCKED, NULL,
               NULL); /* through the parent neither */
  must(td_dict_lock_(root, &err));
  must(td_dict_unlock_(root, &err)); /* unlocks everything below */
  check(!td_dict_is_locked(n));
  must(td_dict_lock_(n, &err));
  must(td_dict_remove(root, TD_KEY("n"), &err)); /* the parent may let go of it */
  must(td_dict_unlock_(n, &err));
  td_dict_release(n);
  td_tensor_release(x);
  td_dict_release(root);
}
