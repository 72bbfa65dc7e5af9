/* The text of a dict: to the letter what Python's repr gives. */
#include "support/td.h"

LeaklessTest(dict_repr, an_empty_dict) {
  td_dict *td = new_dict(TD_NO_DIMS);
  expect_repr(td,
              "TensorDict(\n"
              "    fields={\n"
              "    },\n"
              "    batch_size=torch.Size([]),\n"
              "    device=None,\n"
              "    is_shared=False)");
  td_dict_release(td);
}

LeaklessTest(dict_repr, leaves_are_sorted_as_whole_lines) {
  td_dict_options options = TD_DICT_OPTIONS_INIT;
  options.device = TD_STR("cpu");
  td_dict *td;
  must(td_dict_new(TD_SHAPE(3, 4), &options, &td, &err));
  put(td, TD_KEY("b"), counted(TD_DTYPE_INT64, TD_SHAPE(3, 4)));
  put(td, TD_KEY("a"), counted(TD_DTYPE_BFLOAT16, TD_SHAPE(3, 4)));
  put(td, TD_KEY("a0"), counted(TD_DTYPE_BOOL, TD_SHAPE(3, 4, 2)));
  put(td, TD_KEY("a.b"), counted(TD_DTYPE_COMPLEX64, TD_SHAPE(3, 4, 0)));
  put(td, TD_KEY("Z"), counted(TD_DTYPE_UINT8, TD_SHAPE(3, 4, 1)));
  must(td_dict_lock_(td, &err)); /* is not shown */
  expect_repr(td,
              "TensorDict(\n"
              "    fields={\n"
              "        Z: Tensor(shape=torch.Size([3, 4, 1]), device=cpu, dtype=torch.uint8, is_shared=False),\n"
              "        a.b: Tensor(shape=torch.Size([3, 4, 0]), device=cpu, dtype=torch.complex64, is_shared=False),\n"
              "        a0: Tensor(shape=torch.Size([3, 4, 2]), device=cpu, dtype=torch.bool, is_shared=False),\n"
              "        a: Tensor(shape=torch.Size([3, 4]), device=cpu, dtype=torch.bfloat16, is_shared=False),\n"
              "        b: Tensor(shape=torch.Size([3, 4]), device=cpu, dtype=torch.int64, is_shared=False)},\n"
              "    batch_size=torch.Size([3, 4]),\n"
              "    device=cpu,\n"
              "    is_shared=False)");
  td_dict_release(td);
}

LeaklessTest(dict_repr, nodes_are_indented_by_their_depth) {
  td_dict *td = new_dict(TD_SHAPE(2)), *wider = new_dict(TD_SHAPE(2, 3)), *empty = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("x"), range_f32(TD_SHAPE(2)));
  put(wider, TD_KEY("deep", "y"), counted(TD_DTYPE_FLOAT64, TD_SHAPE(2, 3)));
  put_dict(td, TD_KEY("n"), wider);
  put_dict(td, TD_KEY("e"), empty);
  expect_repr(td,
              "TensorDict(\n"
              "    fields={\n"
              "        e: TensorDict(\n"
              "            fields={\n"
              "            },\n"
              "            batch_size=torch.Size([2]),\n"
              "            device=None,\n"
              "            is_shared=False),\n"
              "        n: TensorDict(\n"
              "            fields={\n"
              "                deep: TensorDict(\n"
              "                    fields={\n"
              "                        y: Tensor(shape=torch.Size([2, 3]), device=cpu, dtype=torch.float64, "
              "is_shared=False)},\n"
              "                    batch_size=torch.Size([2, 3]),\n"
              "                    device=None,\n"
              "                    is_shared=False)},\n"
              "            batch_size=torch.Size([2, 3]),\n"
              "            device=None,\n"
              "            is_shared=False),\n"
              "        x: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
              "    batch_size=torch.Size([2]),\n"
              "    device=None,\n"
              "    is_shared=False)");
  td_dict_release(td);
}

#define WITH(flags, expected)                     \
  do {                                            \
    td_string *text;                              \
    must(td_dict_repr(td, (flags), &text, &err)); \
    expect_text(text, expected);                  \
  } while (0)

/* "b" [2, 3] that requires grad, and ("a", "i") [2, 3] that is transposed. */
static td_dict *two_leaves(void) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("b"), requiring_grad(range_f32(TD_SHAPE(2, 3))));
  put(td, TD_KEY("a", "i"), transposed(counted(TD_DTYPE_INT64, TD_SHAPE(3, 2))));
  return td;
}

LeaklessTest(dict_repr, options_choose_what_is_shown) {
  td_dict *td = two_leaves();
  WITH(TD_REPR_BRIEF,
       "TensorDict(\n"
       "    fields={\n"
       "        a: TensorDict(\n"
       "            fields={\n"
       "                i: Tensor(shape=torch.Size([2, 3]))},\n"
       "            batch_size=torch.Size([2])),\n"
       "        b: Tensor(shape=torch.Size([2, 3]))},\n"
       "    batch_size=torch.Size([2]))");
  WITH(TD_REPR_UNSORTED | TD_REPR_DEVICE | TD_REPR_GRAD | TD_REPR_IS_CONTIGUOUS | TD_REPR_IS_VIEW |
           TD_REPR_STORAGE_SIZE | TD_REPR_PLAIN,
       "TensorDict(\n"
       "    fields={\n"
       "        b: Tensor(requires_grad=True, is_contiguous=True, is_view=False, storage_size=24, mean=2.5, "
       "std=1.871),\n"
       "        a: TensorDict(\n"
       "            fields={\n"
       "                i: Tensor(requires_grad=False, is_contiguous=False, is_view=True, storage_size=48, min=0, "
       "max=5)},\n"
       "            device=None)},\n"
       "    device=None)");
  WITH(TD_REPR_NO_FIELDS,
       "TensorDict(\n    fields={\n        a: TensorDict(\n            fields={\n                i: Tensor()}),\n"
       "        b: Tensor()})");
  WITH(TD_REPR_FIELD_DEVICE | TD_REPR_DTYPE | TD_REPR_FIELD_IS_SHARED | TD_REPR_IS_SHARED,
       "TensorDict(\n"
       "    fields={\n"
       "        a: TensorDict(\n"
       "            fields={\n"
       "                i: Tensor(device=cpu, dtype=torch.int64, is_shared=False)},\n"
       "            is_shared=False),\n"
       "        b: Tensor(device=cpu, dtype=torch.float32, is_shared=False)},\n"
       "    is_shared=False)");
  td_dict_release(td);
}

LeaklessTest(dict_repr, compact_text_is_one_line) {
  td_dict *td = two_leaves();
  WITH(TD_REPR_COMPACT | TD_REPR_DEFAULT, "TensorDict(batch_size=[2], fields={a: {i: i64[3]}, b: f32[3]})");
  WITH(TD_REPR_COMPACT | TD_REPR_UNSORTED, "TensorDict(fields={b: [3], a: {i: [3]}})");
  td_dict_release(td);
}

LeaklessTest(dict_repr, plain_text_shows_what_values_are_like) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("one"), full_f32(1, TD_SHAPE(2)));
  put(td, TD_KEY("none"), full_f32(1, TD_SHAPE(2, 0)));
  put(td, TD_KEY("bool"), counted(TD_DTYPE_BOOL, TD_SHAPE(2)));
  put(td, TD_KEY("complex"), counted(TD_DTYPE_COMPLEX64, TD_SHAPE(2)));
  WITH(TD_REPR_PLAIN,
       "TensorDict(\n    fields={\n        bool: Tensor(min=False, max=True),\n        complex: Tensor(mean=0.5+0j, "
       "std=0.7071),\n        none: Tensor([]),\n        one: Tensor(mean=1, std=0)})");
  td_dict_release(td);
}

LeaklessTest(dict_repr, options_that_are_none_or_contradict_are_refused) {
  td_dict *td = two_leaves();
  td_string *none = NULL;
  expect_error(td_dict_repr(td, 1 << 15, &none, &err), TD_ERR_ARGUMENT, NULL, "flags");
  expect_error(td_dict_repr(td, TD_REPR_NO_FIELDS | TD_REPR_SHAPE, &none, &err), TD_ERR_ARGUMENT, NULL,
               "without fields");
  expect_error(td_dict_repr(NULL, 0, &none, &err), TD_ERR_ARGUMENT, NULL, NULL);
  expect_error(td_dict_repr(td, 0, NULL, &err), TD_ERR_ARGUMENT, NULL, NULL);
  check(!none);
  td_dict_release(td);
}

LeaklessTest(dict_repr, lines_inside_of_keys_and_text_are_indented_as_python_does_it) {
  td_dict *td = new_dict(TD_SHAPE(2));
  put(td, TD_KEY("n", "x\n \n  y"), range_f32(TD_SHAPE(2)));
  must(td_dict_set_data(td, TD_KEY("n", "s"),
                        TD_DATA(td_data_str(TD_STR("a\r\nb\xE2\x80\xA8"
                                                   "c\v\n"))),
                        &err));
  expect_repr(td,
              "TensorDict(\n"
              "    fields={\n"
              "        n: TensorDict(\n"
              "            fields={\n"
              "                s: NonTensorData(data=a\r\n"
              "                b\xE2\x80\xA8"
              "                c\v"
              "\n"
              "                , batch_size=torch.Size([2]), device=None),\n"
              "                x\n"
              " \n"
              "                  y: Tensor(shape=torch.Size([2]), device=cpu, dtype=torch.float32, is_shared=False)},\n"
              "            batch_size=torch.Size([2]),\n"
              "            device=None,\n"
              "            is_shared=False)},\n"
              "    batch_size=torch.Size([2]),\n"
              "    device=None,\n"
              "    is_shared=False)");
  td_dict_release(td);
}
