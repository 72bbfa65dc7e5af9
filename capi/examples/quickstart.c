/* Makes a dict, doubles every tensor in it, puts it into shared memory and prints it. */
#include <stdio.h>

#include "tensordict.h"

int main(void) {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  td_error *err = NULL;
  td_tensor *obs = NULL;
  td_dict *td = NULL, *twice = NULL;
  td_op *mul = NULL;
  td_segment *segment = NULL;
  td_string *text = NULL;

  if (td_tensor_copy_from(numbers, TD_DTYPE_FLOAT32, TD_SHAPE(3, 2), &obs, &err) ||
      td_dict_new(TD_SHAPE(3), NULL, &td, &err) ||         /* a batch of 3 */
      td_dict_set(td, TD_KEY("next", "obs"), obs, &err) || /* makes the dict "next" in it */
      td_op_find(TD_STR("mul"), TD_NO_STR, &mul, &err) ||  /* any ATen operator, on every tensor of a dict */
      td_dict_apply_op(mul, (td_value[]){td_value_dict(td), td_value_int(2)}, 2, NULL, 0, &twice, 1, &err) ||
      td_segment_create(TD_STR("quickstart"), twice, NULL, &segment, &err) || /* any process may open it now */
      td_dict_repr(twice, 0, &text, &err)) {
    fprintf(stderr, "%s\n", td_error_message(err).data);
  } else {
    printf("%s\n%s\n", td_segment_path(segment).data, td_string_view(text).data);
  }

  td_string_release(text), td_segment_release(segment), td_op_release(mul); /* NULL is allowed */
  td_dict_release(twice), td_dict_release(td), td_tensor_release(obs);
  td_error_release(err);
  return err != NULL;
}
