/* What can be set for the process or the thread can be asked for. */
#include "support/td.h"

Test(border_getters, the_number_of_threads_is_the_one_that_was_set) {
  const int32_t before = td_get_num_threads();
  check(before >= 1);
  must(td_set_num_threads(2, &err));
  check(td_get_num_threads() == 2);
  must(td_set_num_threads(before, &err));
}

Test(border_getters, the_fast_level_is_the_one_that_was_set) {
  const td_fast_level before = td_get_fast_level();
  must(td_set_fast_level(TD_FAST_NONE, &err));
  check(td_get_fast_level() == TD_FAST_NONE);
  must(td_set_fast_level(before, &err));
  check(td_get_fast_level() == before);
}

Test(border_getters, grad_mode_follows_a_no_grad_scope) {
  td_no_grad *scope;
  check(td_is_grad_enabled());
  must(td_no_grad_begin(&scope, &err));
  check(!td_is_grad_enabled());
  must(td_no_grad_end(scope, &err));
  check(td_is_grad_enabled());
  td_no_grad_release(scope);
}
