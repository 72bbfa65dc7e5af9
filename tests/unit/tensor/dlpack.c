/* DLPack 1.x, both forms and both directions. The structs are declared here as dlpack.h lays them out: a receiver that
 * was built with that header sees these bytes. */
#include "support/td.h"

typedef struct {
  int32_t device_type, device_id;
} dl_device;
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} dl_type;
typedef struct {
  void *data;
  dl_device device;
  int32_t ndim;
  dl_type dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;
struct DLManagedTensor {
  dl_tensor tensor;
  void *context;
  void (*deleter)(struct DLManagedTensor *);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct DLManagedTensorVersioned *);
  uint64_t flags;
  dl_tensor tensor;
};
enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_READ_ONLY = 1 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };

static int deleted;
static void delete_versioned(struct DLManagedTensorVersioned *m) {
  deleted += 1;
  check(m->context == &deleted);
}
static void delete_unversioned(struct DLManagedTensor *m) {
  deleted += 1;
  check(m->context == &deleted);
}

static float memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static int64_t shape_2_3[] = {2, 3}, strides_1_2[] = {1, 2}, negative[] = {-1, 3}, backwards[] = {-3, 1},
               huge[] = {INT64_MAX / 2, 3};

static dl_tensor foreign(int64_t *strides) {
  dl_tensor t = {memory, {DL_CPU, 0}, 2, {DL_FLOAT, 32, 1}, shape_2_3, strides, 0};
  return t;
}
static struct DLManagedTensorVersioned versioned(dl_tensor t, uint32_t major, uint64_t flags) {
  struct DLManagedTensorVersioned m = {major, 0, &deleted, delete_versioned, flags, t};
  return m;
}

LeaklessTest(dlpack, a_tensor_is_given_away_with_its_memory) {
  const struct {
    td_dtype dtype;
    dl_type type;
  } table[] = {{TD_DTYPE_BOOL, {DL_BOOL, 8, 1}},          {TD_DTYPE_UINT8, {DL_UINT, 8, 1}},
               {TD_DTYPE_INT8, {DL_INT, 8, 1}},           {TD_DTYPE_INT16, {DL_INT, 16, 1}},
               {TD_DTYPE_INT32, {DL_INT, 32, 1}},         {TD_DTYPE_INT64, {DL_INT, 64, 1}},
               {TD_DTYPE_FLOAT16, {DL_FLOAT, 16, 1}},     {TD_DTYPE_BFLOAT16, {DL_BFLOAT, 16, 1}},
               {TD_DTYPE_FLOAT32, {DL_FLOAT, 32, 1}},     {TD_DTYPE_FLOAT64, {DL_FLOAT, 64, 1}},
               {TD_DTYPE_COMPLEX64, {DL_COMPLEX, 64, 1}}, {TD_DTYPE_COMPLEX128, {DL_COMPLEX, 128, 1}}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    td_tensor *t = transposed(counted(table[i].dtype, TD_SHAPE(2, 3)));
    struct DLManagedTensorVersioned *v;
    struct DLManagedTensor *u;
    must(td_tensor_to_dlpack(t, &v, &err));
    must(td_tensor_to_dlpack_unversioned(t, &u, &err));
    check(v->major == 1 && v->flags == 0);
    const dl_tensor *both[] = {&v->tensor, &u->tensor};
    for (int k = 0; k < 2; ++k) {
      const dl_tensor *d = both[k];
      check((char *)d->data + d->byte_offset == (const char *)address(t));
      check(d->device.device_type == DL_CPU && d->device.device_id == 0 && d->ndim == 2);
      check(memcmp(&d->dtype, &table[i].type, sizeof d->dtype) == 0);
      check(d->shape[0] == 3 && d->shape[1] == 2 && d->strides[0] == 1 && d->strides[1] == 3);
    }
    td_tensor_release(t); /* the receivers keep the memory */
    td_tensor *back, *back_again;
    must(td_tensor_from_dlpack(v, &back, &err));
    must(td_tensor_from_dlpack_unversioned(u, &back_again, &err));
    check(same_values(back, back_again) && address(back) == address(back_again));
    td_tensor_release(back);
    td_tensor_release(back_again);
  }
  td_tensor *t = range_f32(TD_SHAPE(2));
  struct DLManagedTensorVersioned *v;
  must(td_tensor_to_dlpack(t, &v, &err));
  v->deleter(v); /* a receiver that does not want it */
  td_tensor_release(t);
}

LeaklessTest(dlpack, what_a_receiver_could_not_use_is_not_exported) {
  struct DLManagedTensorVersioned *v = NULL;
  struct DLManagedTensor *u = NULL;
  td_tensor *grad = requiring_grad(range_f32(TD_SHAPE(2)));
  td_tensor *dense = range_f32(TD_SHAPE(2, 2)), *sparse = call("to_sparse", NULL, ARGS(td_value_tensor(dense))), *conj;
  td_tensor *imaginary = counted(TD_DTYPE_COMPLEX64, TD_SHAPE(2));
  conj = call("conj", NULL, ARGS(td_value_tensor(imaginary)));
  const td_tensor *refused[] = {grad, sparse, conj};
  for (size_t i = 0; i < 3; ++i) {
    expect_error(td_tensor_to_dlpack(refused[i], &v, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
    expect_error(td_tensor_to_dlpack_unversioned(refused[i], &u, &err), TD_ERR_UNSUPPORTED, NULL, NULL);
  }
  check(v == NULL && u == NULL);
  td_tensor *detached;
  must(td_tensor_detach(grad, &detached, &err));
  must(td_tensor_to_dlpack(detached, &v, &err));
  v->deleter(v);
  td_tensor_release(detached);
  td_tensor_release(grad);
  td_tensor_release(dense);
  td_tensor_release(sparse);
  td_tensor_release(imaginary);
  td_tensor_release(conj);
}

LeaklessTest(dlpack, a_foreign_tensor_is_deleted_once_with_its_last_view) {
  for (int form = 0; form < 2; ++form)
    for (int strided = 0; strided < 2; ++strided) {
      struct DLManagedTensorVersioned v = versioned(foreign(strided ? strides_1_2 : NULL), 1, 0);
      struct DLManagedTensor u = {foreign(strided ? strides_1_2 : NULL), &deleted, delete_unversioned};
      v.tensor.byte_offset = u.tensor.byte_offset = sizeof(float);
      td_tensor *t, *row;
      deleted = 0;
      if (form)
        must(td_tensor_from_dlpack(&v, &t, &err));
      else
        must(td_tensor_from_dlpack_unversioned(&u, &t, &err));
      check(address(t) == memory + 1 && !td_tensor_is_read_only(t) && td_tensor_dtype(t) == TD_DTYPE_FLOAT32);
      if (strided)
        expect_values(t, VALUES(1, 3, 5, 2, 4, 6));
      else
        expect_values(t, VALUES(1, 2, 3, 4, 5, 6));
      row = call("select", "int", ARGS(td_value_tensor(t), td_value_int(0), td_value_int(0)));
      td_tensor_release(t);
      check(deleted == 0);
      td_tensor_release(row);
      check(deleted == 1);
    }

  struct DLManagedTensorVersioned v = versioned(foreign(NULL), 1, 0);
  v.minor = 99; /* any 1.x */
  v.deleter = NULL;
  td_tensor *t;
  must(td_tensor_from_dlpack(&v, &t, &err));
  td_tensor_release(t);
}

LeaklessTest(dlpack, a_refused_foreign_tensor_is_deleted_before_the_call_returns) {
  dl_tensor cuda = foreign(NULL), odd_type = cuda, odd_bits = cuda, lanes = cuda, shape = cuda, stride = cuda,
            big = cuda, dims = cuda, lost = cuda, crooked = cuda;
  cuda.device.device_type = DL_CUDA;
  odd_type.dtype.code = 99;
  odd_bits.dtype.bits = 33;
  lanes.dtype.lanes = 4;
  shape.shape = negative;
  stride.strides = backwards;
  big.shape = huge;
  dims.ndim = -1;
  lost.data = NULL;
  crooked.byte_offset = 1;
  const struct {
    dl_tensor tensor;
    uint32_t major;
    td_status code;
  } table[] = {{foreign(NULL), 0, TD_ERR_VERSION},
               {foreign(NULL), 2, TD_ERR_VERSION},
               {cuda, 1, TD_ERR_DEVICE},
               {odd_type, 1, TD_ERR_DTYPE},
               {odd_bits, 1, TD_ERR_DTYPE},
               {lanes, 1, TD_ERR_DTYPE},
               {shape, 1, TD_ERR_SHAPE},
               {stride, 1, TD_ERR_SHAPE},
               {big, 1, TD_ERR_SHAPE},
               {dims, 1, TD_ERR_SHAPE},
               {lost, 1, TD_ERR_ARGUMENT},
               {crooked, 1, TD_ERR_ARGUMENT}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    struct DLManagedTensorVersioned v = versioned(table[i].tensor, table[i].major, 0);
    struct DLManagedTensor u = {table[i].tensor, &deleted, delete_unversioned};
    td_tensor *t = NULL;
    deleted = 0;
    expect_error(td_tensor_from_dlpack(&v, &t, &err), table[i].code, NULL, NULL);
    check(t == NULL && deleted == 1);
    if (table[i].major != 1) continue;
    expect_error(td_tensor_from_dlpack_unversioned(&u, &t, &err), table[i].code, NULL, NULL);
    check(t == NULL && deleted == 2);
  }
}

LeaklessTest(dlpack, a_foreign_tensor_that_has_nowhere_to_go_is_deleted) {
  struct DLManagedTensorVersioned v = versioned(foreign(NULL), 1, 0);
  deleted = 0;
  expect_error(td_tensor_from_dlpack(&v, NULL, &err), TD_ERR_ARGUMENT, NULL, "NULL");
  check(deleted == 1);
}

LeaklessTest(dlpack, read_only_memory_stays_read_only) {
  struct DLManagedTensorVersioned v = versioned(foreign(NULL), 1, DL_READ_ONLY), *again = NULL;
  struct DLManagedTensor *unversioned = NULL;
  td_tensor *t, *copy, *value = range_f32(TD_SHAPE(2, 3));
  deleted = 0;
  must(td_tensor_from_dlpack(&v, &t, &err));
  check(td_tensor_is_read_only(t) && address(t) == memory);
  void *writable = NULL;
  expect_error(td_tensor_mutable_data(t, &writable, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_error(td_tensor_copy_(t, value, &err), TD_ERR_LOCKED, NULL, "read-only");
  expect_error(td_tensor_to_dlpack_unversioned(t, &unversioned, &err), TD_ERR_LOCKED, NULL, NULL);
  check(writable == NULL && unversioned == NULL);

  td_dict *td = new_dict(TD_SHAPE(2)), *row;
  must(td_dict_set(td, TD_KEY("n", "t"), t, &err));
  expect_error(td_dict_copy_into(td, TD_KEY("n", "t"), value, &err), TD_ERR_LOCKED, "(\"n\", \"t\")", "read-only");
  must(td_dict_index(td, (const td_index[]){TD_INT(1)}, 1, &row, &err)); /* so are views */
  td_tensor *view = get(row, TD_KEY("n", "t"));
  check(td_tensor_is_read_only(view));
  expect_values(view, VALUES(3, 4, 5));
  td_tensor_release(view);
  td_dict_release(row);
  td_dict_release(td);

  must(td_tensor_clone(t, &copy, &err)); /* a copy may be written */
  check(!td_tensor_is_read_only(copy));
  td_tensor_release(copy);
  must(td_tensor_to_dlpack(t, &again, &err));
  check(again->flags & DL_READ_ONLY);
  td_tensor_release(t);
  check(deleted == 0);
  again->deleter(again);
  check(deleted == 1 && memory[0] == 0);
  td_tensor_release(value);
}
