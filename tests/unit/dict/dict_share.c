/* Dicts in memory that forked processes share. */
#include <sys/wait.h>
#include <unistd.h>

#include "support/td.h"

LeaklessTest(dict_share, a_forked_child_and_its_parent_see_each_others_writes) {
  td_dict *td = new_dict(TD_SHAPE(2)), *a = new_dict(TD_SHAPE(2)), *lazy;
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2, 3)));
  put(a, TD_KEY("y"), range_f32(TD_SHAPE(2)));
  must(td_dict_lazy_stack((td_dict *const[]){a}, 1, 1, &lazy, &err));
  must(td_dict_set_dict(td, TD_KEY("l"), lazy, &err));
  td_tensor *x = get(td, TD_KEY("x")), *y = get(a, TD_KEY("y")), *view, *same;
  must(td_tensor_detach(x, &view, &err));
  check(!td_dict_is_shared(td) && !td_tensor_is_shared(x));
  must(td_dict_share_memory_(td, &err));
  check(td_dict_is_shared(td) && td_dict_is_locked(td) && td_dict_is_shared(a));
  same = get(td, TD_KEY("x"));
  check(same == x && td_tensor_is_shared(view) && address(view) == address(x));
  expect_values(x, VALUES(0, 1, 2, 3, 4, 5));
  must(td_dict_share_memory_(td, &err)); /* nothing left to move */
  check(address(view) == address(x));

  const pid_t child = fork();
  if (child == 0) {
    void *data;
    float nine = 9;
    const int ok = td_tensor_mutable_data(y, &data, NULL) == TD_OK;
    if (ok) memcpy(data, &nine, sizeof nine);
    _exit(ok ? 0 : 1);
  }
  int status = -1;
  check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect_values(y, VALUES(9, 1));
  td_dict *copy;
  must(td_dict_clone(td, &copy, &err));
  check(!td_dict_is_shared(copy));
  td_dict_release(copy);
  td_tensor_release(x), td_tensor_release(y), td_tensor_release(view), td_tensor_release(same);
  td_dict_release(lazy), td_dict_release(a), td_dict_release(td);
}

LeaklessTest(dict_share, what_cannot_be_shared_changes_nothing) {
  td_dict *td = new_dict(TD_SHAPE(2)), *empty = new_dict(TD_NO_DIMS), *meta;
  check(!td_dict_is_shared(empty));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  must(td_dict_to(td, TD_DTYPE_NONE, TD_STR("meta"), &meta, &err));
  must(td_dict_clear_device_(meta, &err));
  td_tensor *here = range_f32(TD_SHAPE(2));
  must(td_dict_set(meta, TD_KEY("a"), here, &err));
  expect_error(td_dict_share_memory_(meta, &err), TD_ERR_UNSUPPORTED, "\"x\"", "CPU");
  check(!td_tensor_is_shared(here) && !td_dict_is_locked(meta));
  td_tensor_release(here), td_dict_release(meta), td_dict_release(empty), td_dict_release(td);
}
