/* ==== Types that plugins share ======================================================================================
 * Statuses, strings, keys and values: the plain data that callers and plugins exchange with the library.
 * tensordict_plugin.h has a copy of this block, written by bindings/generate.py, so that a plugin needs only one
 * header. If both are included, the first one is used.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_TYPES_H
#define TENSORDICT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* [shared types begin] */
#ifndef TD_SHARED_TYPES
#define TD_SHARED_TYPES

/* The result of every call that can fail. The values never change; callers must treat unknown values as failures. */
typedef int32_t td_status;
enum {
  TD_OK = 0,
  TD_ERR_ARGUMENT = 1,    /* a NULL handle, an unknown constant, text that is not UTF-8, a bad options struct */
  TD_ERR_KEY = 2,         /* no such key, or the path runs through a tensor */
  TD_ERR_SHAPE = 3,       /* leading dims differ from the batch size, or shapes do not fit each other */
  TD_ERR_DTYPE = 4,       /* a dtype that this operation or this LibTorch does not take */
  TD_ERR_DEVICE = 5,      /* no such device, or data that is not where it must be */
  TD_ERR_INDEX = 6,       /* an index or a dim out of range */
  TD_ERR_LOCKED = 7,      /* a structural change of a locked dict, or a write to read-only memory */
  TD_ERR_UNSUPPORTED = 8, /* valid, but not offered by this object, this platform or this build */
  TD_ERR_VERSION = 9,     /* made by, or for, another version of the library, a format or a plugin ABI */
  TD_ERR_IO = 10,         /* the operating system refused; the message carries its reason */
  TD_ERR_NOSPACE = 11,    /* no space on the device, in shared memory or under a limit */
  TD_ERR_CORRUPT = 12,    /* a file, a directory or a segment contradicts itself */
  TD_ERR_PLUGIN = 13,     /* a plugin failed or broke its contract */
  TD_ERR_CALLBACK = 14,   /* a callback failed or threw */
  TD_ERR_TIMEOUT = 15,    /* the timeout expired */
  TD_ERR_CLOSED = 16,     /* a channel, message, file or scope that is closed or ended */
  TD_ERR_TORCH = 17,      /* LibTorch failed; the message is LibTorch's */
  TD_ERR_OOM = 18,        /* out of memory */
  TD_ERR_INTERNAL = 19,   /* a bug in this library */
  TD_ERR_NOT_FOUND = 20,  /* no such file, directory, segment, operator, plugin or type */
  TD_ERR_EXISTS = 21,     /* the name is taken */
  TD_ERR_CANCELLED = 22,  /* the caller ended the wait by td_cancel_request */
  TD_ERR_BUSY = 23        /* another thread is using the same dict, or other processes change the same entries of it */
};

/* 0 or 1. */
typedef uint8_t td_bool;

/* UTF-8 text: `size` bytes at `data`. If `size` is TD_STRLEN, the text ends with a NUL; otherwise it need not. */
typedef struct td_str {
  const char *data;
  size_t size;
} td_str;
#define TD_STRLEN ((size_t)-1)

/* A key is a list of `n` >= 1 strings. No separator is parsed, so dots and slashes are ordinary characters. */
typedef struct td_key {
  const td_str *parts;
  size_t n;
} td_key;

/* Element types. The numbers belong to this library, not to LibTorch. */
typedef int32_t td_dtype;
enum {
  TD_DTYPE_NONE = 0, /* "not given": an operation's default */
  TD_DTYPE_BOOL = 1, /* elements are td_bool: one byte, 0 or 1 */
  TD_DTYPE_UINT8 = 2,
  TD_DTYPE_INT8 = 3,
  TD_DTYPE_INT16 = 4,
  TD_DTYPE_INT32 = 5,
  TD_DTYPE_INT64 = 6,
  TD_DTYPE_UINT16 = 7, /* uint16, uint32 and uint64 need LibTorch 2.3 or later */
  TD_DTYPE_UINT32 = 8,
  TD_DTYPE_UINT64 = 9,
  TD_DTYPE_FLOAT16 = 10,
  TD_DTYPE_BFLOAT16 = 11,
  TD_DTYPE_FLOAT32 = 12,
  TD_DTYPE_FLOAT64 = 13,
  TD_DTYPE_COMPLEX32 = 14,
  TD_DTYPE_COMPLEX64 = 15,
  TD_DTYPE_COMPLEX128 = 16,
  TD_DTYPE_FLOAT8_E4M3FN = 17,   /* LibTorch 2.1; see td_tensor_stored_dtype for older ones */
  TD_DTYPE_FLOAT8_E5M2 = 18,     /* 2.1 */
  TD_DTYPE_FLOAT8_E4M3FNUZ = 19, /* 2.2 */
  TD_DTYPE_FLOAT8_E5M2FNUZ = 20, /* 2.2 */
  TD_DTYPE_FLOAT8_E8M0FNU = 21,  /* 2.7 */
  TD_DTYPE_FLOAT4_E2M1FN_X2 = 22 /* 2.8; two in a byte */
};

typedef struct td_error td_error;
typedef struct td_tensor td_tensor;
typedef struct td_tensor_list td_tensor_list;
typedef struct td_generator td_generator;
typedef struct td_op td_op;
typedef struct td_dict td_dict;
typedef struct td_hash td_hash;
typedef struct td_data_list td_data_list;

typedef struct td_complex {
  double re, im;
} td_complex;

/* The kind of a td_value. */
typedef int32_t td_value_kind;
enum {
  TD_VALUE_DEFAULT = 0,      /* as an argument: take the operator's default */
  TD_VALUE_NONE = 1,         /* as an argument: "no value", for optional parameters */
  TD_VALUE_TENSOR = 2,       /* as.tensor; NULL is NONE */
  TD_VALUE_INT = 3,          /* as.i */
  TD_VALUE_DOUBLE = 4,       /* as.f */
  TD_VALUE_BOOL = 5,         /* as.i, 0 or 1 */
  TD_VALUE_STR = 6,          /* as.str; arguments only. Devices are strings: "cpu", "cuda:0" */
  TD_VALUE_DTYPE = 7,        /* as.i, a td_dtype */
  TD_VALUE_INTS = 8,         /* as.ints, `size` of them; arguments only */
  TD_VALUE_DOUBLES = 9,      /* as.doubles, `size` of them; arguments only */
  TD_VALUE_BOOLS = 10,       /* as.bools, `size` of them; arguments only */
  TD_VALUE_TENSORS = 11,     /* as.tensors, `size` of them, NULL entries are "no value"; arguments only */
  TD_VALUE_TENSOR_LIST = 12, /* as.list; results only */
  TD_VALUE_GENERATOR = 13,   /* as.generator; arguments only */
  TD_VALUE_DICT = 14,        /* as.dict; not for td_op_call */
  TD_VALUE_UINT = 15,        /* as.u: the element of a uint64 tensor, or a number that may be above INT64_MAX */
  TD_VALUE_COMPLEX = 16,     /* as.c */
  TD_VALUE_STRS = 17,        /* as.strs, `size` of them; arguments only */
  TD_VALUE_DATA = 18         /* as.data: text, bytes, JSON and other non-tensor data; not for td_op_call */
};

/* A tagged value. As an argument it borrows the object that it points to; as a result it owns it, and td_value_clear
 * releases it. A value is a number if it is an INT, UINT, DOUBLE, BOOL or COMPLEX. */
typedef struct td_value {
  td_value_kind kind;
  int32_t reserved; /* 0 */
  size_t size;      /* the number of elements of an array; else 0 */
  union {
    int64_t i;
    uint64_t u;
    double f;
    td_complex c;
    td_str str;
    const td_str *strs;
    const int64_t *ints;
    const double *doubles;
    const td_bool *bools;
    td_tensor *tensor;
    td_tensor *const *tensors;
    td_tensor_list *list;
    td_generator *generator;
    const td_dict *dict;
    td_data_list *data;
  } as;
} td_value;

/* An argument given by its name in the operator's schema. */
typedef struct td_named_value {
  td_str name;
  td_value value;
} td_named_value;

/* A destination for bytes: `write` takes all of them or fails. */
typedef struct td_writer {
  size_t struct_size;
  td_status (*write)(void *userdata, const void *bytes, size_t size, td_error **err);
  void *userdata;
} td_writer;
#define TD_WRITER_INIT \
  { sizeof(td_writer), NULL, NULL }

/* A source of bytes: `read` fills `bytes` and sets `got` to how many it read: fewer than `size` only at the end. */
typedef struct td_reader {
  size_t struct_size;
  td_status (*read)(void *userdata, void *bytes, size_t size, size_t *got, td_error **err);
  void *userdata;
} td_reader;
#define TD_READER_INIT \
  { sizeof(td_reader), NULL, NULL }

/* The kind of a plugin's type. The flags below are what the type promises. */
typedef int32_t td_plugin_kind;
enum {
  TD_PLUGIN_KIND_HASH = 1,
  TD_PLUGIN_KIND_DISTRIBUTION = 2,
  TD_PLUGIN_KIND_MODULE = 3
}; /* other kinds are skipped */

typedef uint64_t td_plugin_flags;
enum {
  TD_PLUGIN_DETERMINISTIC = 1 << 0,  /* the same inputs and generator state give the same result */
  TD_PLUGIN_STABLE = 1 << 1,         /* ... on every platform and in every version */
  TD_PLUGIN_KEYED = 1 << 2,          /* results depend on a key or a seed in the config */
  TD_PLUGIN_DIFFERENTIABLE = 1 << 3, /* results carry gradients to the inputs */
  TD_PLUGIN_THREAD_SAFE = 1 << 4     /* functions of one instance may run concurrently */
};
#endif
/* [shared types end] */

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_TYPES_H */
