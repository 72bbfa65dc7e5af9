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
  put(td, TD_KEY("b"), counted(TD_INT64, TD_SHAPE(3, 4)));
  put(td, TD_KEY("a"), counted(TD_BFLOAT16, TD_SHAPE(3, 4)));
  put(td, TD_KEY("a0"), counted(TD_BOOL, TD_SHAPE(3, 4, 2)));
  put(td, TD_KEY("a.b"), counted(TD_COMPLEX64, TD_SHAPE(3, 4, 0)));
  put(td, TD_KEY("Z"), counted(TD_UINT8, TD_SHAPE(3, 4, 1)));
  must(td_dict_lock(td, &err)); /* is not shown */
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
  put(wider, TD_KEY("deep", "y"), counted(TD_FLOAT64, TD_SHAPE(2, 3)));
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
