/* A save may have more leaves than a process may have mappings (vm.max_map_count): it opens nevertheless. */
#include <stdio.h>

#include "support/channels.h"

TestSuite(many_leaves, .init = make_test_dir, .fini = remove_test_dir, .timeout = 600);

static long allowed(void) {
  long n = 65530;
  FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
  if (f && fscanf(f, "%ld", &n) != 1) n = 65530;
  if (f) fclose(f);
  return n;
}

Test(many_leaves, more_than_there_may_be_mappings_open_together) {
  SKIP_IF_SANITIZED();
  enum { MOST = 300000 };
  const long leaves = allowed() + 500;
  if (leaves > MOST) cr_skip_test("the limit on mappings is not met here");
  const char *path = path_of("%s/save", test_dir);
  td_dict *d = new_dict(NULL, 0), *again = NULL, *copy = NULL, *written = NULL;
  td_tensor *t = NULL;
  char key[32];
  for (long i = 0; i < leaves; ++i) {
    const float number = (float)i;
    snprintf(key, sizeof key, "%ld", i);
    must(td_tensor_copy_from(&number, TD_DTYPE_FLOAT32, NULL, 0, &t, &err));
    must(td_dict_set(d, TD_KEY(key), t, &err));
    td_tensor_release(t);
  }
  must(td_save(d, TD_STR(path), NULL, &err));
  must(td_open(TD_STR(path), NULL, &again, &err));
  cr_expect_lt(td_live_objects(TD_OBJECT_MAPPING), allowed() * 3 / 4, "nothing is left for the rest of the process");
  for (long i = 0; i < leaves; i += 97) {
    snprintf(key, sizeof key, "%ld", i);
    cr_assert_eq(float_at(again, TD_KEY(key)), (float)i, "leaf %ld", i);
  }
  td_open_options cow = TD_OPEN_OPTIONS_INIT, write = TD_OPEN_OPTIONS_INIT;
  cow.mode = TD_OPEN_COW, write.mode = TD_OPEN_READ_WRITE;
  must(td_open(TD_STR(path), &cow, &copy, &err)); /* a second one, beside the first */
  td_dict_release(copy), td_dict_release(again);
  /* What is written has to be mapped: then the error names the limit. */
  expect_error(td_open(TD_STR(path), &write, &written, &err), TD_ERR_OOM, NULL, "vm.max_map_count");
  cr_expect_eq(td_live_objects(TD_OBJECT_MAPPING), 0);
  td_dict_release(d);
}
