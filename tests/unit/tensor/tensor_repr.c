/* The text of a tensor: to the letter what torch 2.13 prints. tests/interop/test_text.py compares many more. */
#include <math.h>

#include "support/td.h"

static void expect_tensor(td_tensor *t, const char *text) {
  td_string *found;
  must(td_tensor_repr(t, &found, &err));
  expect_text(found, text);
  td_tensor_release(t);
}

static td_tensor *operated(const char *name, td_value *args, size_t n) {
  td_op *op;
  td_value out;
  must(td_op_find(TD_STR(name), TD_NO_STR, &op, &err));
  must(td_op_call(op, args, n, NULL, 0, &out, 1, &err));
  td_op_release(op);
  check(out.kind == TD_VALUE_TENSOR);
  return out.as.tensor;
}

static td_tensor *changed(const char *name, td_tensor *t) {
  td_tensor *out = operated(name, (td_value[]){td_value_tensor(t)}, 1);
  td_tensor_release(t);
  return out;
}

static td_tensor *doubles(const double *values, int64_t n) {
  td_tensor *t;
  must(td_tensor_copy_from(values, TD_DTYPE_FLOAT64, TD_SHAPE(n), &t, &err));
  return t;
}

LeaklessTest(tensor_repr, numbers_stand_in_columns) {
  expect_tensor(range_f32(TD_SHAPE(2, 3)), "tensor([[0., 1., 2.],\n        [3., 4., 5.]])");
  expect_tensor(counted(TD_DTYPE_INT64, TD_SHAPE(12)), "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11])");
  expect_tensor(doubles((double[]){1, -0.5, INFINITY, NAN}, 4),
                "tensor([ 1.0000, -0.5000,     inf,     nan], dtype=torch.float64)");
  expect_tensor(doubles((double[]){1, 2000.5}, 2), "tensor([1.0000e+00, 2.0005e+03], dtype=torch.float64)");
  expect_tensor(doubles((double[]){0, -0.0, -INFINITY}, 3), "tensor([0., -0., -inf], dtype=torch.float64)");
  expect_tensor(counted(TD_DTYPE_BOOL, TD_SHAPE(2)), "tensor([False,  True])");
  expect_tensor(full_f32(0.1f, TD_NO_DIMS), "tensor(0.1000)");
}

LeaklessTest(tensor_repr, of_many_elements_the_first_and_the_last_are_shown) {
  expect_tensor(counted(TD_DTYPE_INT64, TD_SHAPE(1001)), "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
  expect_tensor(counted(TD_DTYPE_INT32, TD_SHAPE(2, 3, 200)),
                "tensor([[[   0,    1,    2,  ...,  197,  198,  199],\n"
                "         [ 200,  201,  202,  ...,  397,  398,  399],\n"
                "         [ 400,  401,  402,  ...,  597,  598,  599]],\n\n"
                "        [[ 600,  601,  602,  ...,  797,  798,  799],\n"
                "         [ 800,  801,  802,  ...,  997,  998,  999],\n"
                "         [1000, 1001, 1002,  ..., 1197, 1198, 1199]]], dtype=torch.int32)");
}

LeaklessTest(tensor_repr, what_is_unusual_is_said) {
  td_tensor *t, *meta;
  expect_tensor(range_f32(TD_SHAPE(0)), "tensor([])");
  expect_tensor(counted(TD_DTYPE_INT64, TD_SHAPE(2, 0)), "tensor([], size=(2, 0), dtype=torch.int64)");
  t = range_f32(TD_SHAPE(2));
  must(td_tensor_to(t, TD_DTYPE_FLOAT16, TD_STR("meta"), &meta, &err));
  td_tensor_release(t);
  expect_tensor(meta, "tensor(..., device='meta', size=(2,), dtype=torch.float16)");
  t = requiring_grad(range_f32(TD_SHAPE(2)));
  td_tensor *sum = operated("add", (td_value[]){td_value_tensor(t), td_value_tensor(t)}, 2);
  expect_tensor(t, "tensor([0., 1.], requires_grad=True)");
  expect_tensor(sum, "tensor([0., 2.], grad_fn=<AddBackward0>)");
}

LeaklessTest(tensor_repr, lazy_bits_and_sparse_layouts_are_read) {
  const td_complex z[] = {{1, 2}, {-0.5, -1}};
  td_tensor *t, *conj;
  must(td_tensor_copy_from(z, TD_DTYPE_COMPLEX128, TD_SHAPE(2), &t, &err));
  conj = operated("conj", (td_value[]){td_value_tensor(t)}, 1);
  expect_tensor(t, "tensor([ 1.0000+2.j, -0.5000-1.j], dtype=torch.complex128)");
  expect_tensor(operated("imag", (td_value[]){td_value_tensor(conj)}, 1), "tensor([-2.,  1.], dtype=torch.float64)");
  expect_tensor(conj, "tensor([ 1.0000-2.j, -0.5000+1.j], dtype=torch.complex128)");
  expect_tensor(changed("to_sparse", range_f32(TD_SHAPE(2, 2))),
                "tensor(indices=tensor([[0, 1, 1],\n"
                "                       [1, 0, 1]]),\n"
                "       values=tensor([1., 2., 3.]),\n"
                "       size=(2, 2), nnz=3, layout=torch.sparse_coo)");
  expect_tensor(changed("to_sparse_csr", range_f32(TD_SHAPE(2, 2))),
                "tensor(crow_indices=tensor([0, 1, 3]),\n"
                "       col_indices=tensor([1, 0, 1]),\n"
                "       values=tensor([1., 2., 3.]), size=(2, 2), nnz=3,\n"
                "       layout=torch.sparse_csr)");
}

static td_status print_member(void *userdata, const td_value *args, size_t n_args, td_value *outs, size_t n_outs,
                              td_error **error) {
  (void)userdata, (void)n_args, (void)n_outs;
  td_string *text;
  check(td_tensor_repr(args[0].as.tensor, &text, error) == TD_ERR_UNSUPPORTED);
  td_error_release(*error);
  *error = NULL;
  td_tensor_retain(args[0].as.tensor);
  outs[0] = td_value_tensor(args[0].as.tensor);
  return TD_OK;
}

LeaklessTest(tensor_repr, what_a_vmap_maps_has_no_text) {
  td_tensor *t = range_f32(TD_SHAPE(2, 3));
  td_value args[] = {td_value_tensor(t)}, out;
  must(td_vmap(print_member, NULL, args, 1, NULL, &out, 1, &err));
  td_value_clear(&out);
  td_tensor_release(t);
  expect_error(td_tensor_repr(NULL, &(td_string *){NULL}, &err), TD_ERR_ARGUMENT, NULL, NULL);
}
