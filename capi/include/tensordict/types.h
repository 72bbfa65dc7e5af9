/* ==== Types that plugins share ======================================================================================
 * Statuses, strings, keys, values: the plain data that crosses the border. tensordict_plugin.h carries a copy of this
 * block, written by bindings/generate.py, so that a plugin needs one header only; whichever comes first is used.
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

/* The result of every call that can fail. Values are pinned for ever; a caller meets unknown ones as failures. */
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
  TD_ERR_TIMEOUT = 15,    /* the time that the caller gave is over */
  TD_ERR_CLOSED = 16,     /* a channel, message, file or scope that is closed, or over */
  TD_ERR_TORCH = 17,      /* LibTorch refused; the message is its own */
  TD_ERR_OOM = 18,        /* no memory */
  TD_ERR_INTERNAL = 19,   /* a bug in this library */
  TD_ERR_NOT_FOUND = 20,  /* no such file, directory, segment, operator, plugin or type */
  TD_ERR_EXISTS = 21      /* the name is taken */
};

/* 0 or 1. */
typedef uint8_t td_bool;

/* UTF-8 text: `size` bytes at `data`, or TD_STRLEN for text that ends with a NUL. Need not end with a NUL otherwise. */
typedef struct td_str {
  const char *data;
  size_t size;
} td_str;
#define TD_STRLEN ((size_t)-1)

/* A nested key is a list of strings; no separator is parsed, so dots and slashes are ordinary characters. n >= 1. */
typedef struct td_key {
  const td_str *parts;
  size_t n;
} td_key;

/* Element types; the numbers are this library's own. */
typedef int32_t td_dtype;
enum {
  TD_DTYPE_NONE = 0, /* "not given": an operation's default */
  TD_BOOL = 1,
  TD_UINT8 = 2,
  TD_INT8 = 3,
  TD_INT16 = 4,
  TD_INT32 = 5,
  TD_INT64 = 6,
  TD_UINT16 = 7, /* uint16, uint32 and uint64 need LibTorch 2.3 or later */
  TD_UINT32 = 8,
  TD_UINT64 = 9,
  TD_FLOAT16 = 10,
  TD_BFLOAT16 = 11,
  TD_FLOAT32 = 12,
  TD_FLOAT64 = 13,
  TD_COMPLEX32 = 14,
  TD_COMPLEX64 = 15,
  TD_COMPLEX128 = 16
};

typedef struct td_error td_error;
typedef struct td_tensor td_tensor;
typedef struct td_tensor_list td_tensor_list;
typedef struct td_generator td_generator;
typedef struct td_op td_op;
typedef struct td_dict td_dict;
typedef struct td_hash td_hash;

/* What a td_value holds. */
typedef int32_t td_value_kind;
enum {
  TD_VALUE_DEFAULT = 0,      /* as an argument: take the operator's default */
  TD_VALUE_NONE = 1,         /* as an argument: "no value", for optional parameters */
  TD_VALUE_TENSOR = 2,       /* as.tensor; NULL is NONE */
  TD_VALUE_INT = 3,          /* as.i */
  TD_VALUE_DOUBLE = 4,       /* as.f */
  TD_VALUE_BOOL = 5,         /* as.i, 0 or 1 */
  TD_VALUE_STR = 6,          /* as.str with `size`; arguments only. Devices are strings: "cpu", "cuda:0" */
  TD_VALUE_DTYPE = 7,        /* as.i, a td_dtype */
  TD_VALUE_INTS = 8,         /* as.ints, `size` of them; arguments only */
  TD_VALUE_DOUBLES = 9,      /* as.doubles, `size` of them; arguments only */
  TD_VALUE_BOOLS = 10,       /* as.bools, `size` of them; arguments only */
  TD_VALUE_TENSORS = 11,     /* as.tensors, `size` of them, NULL entries are "no value"; arguments only */
  TD_VALUE_TENSOR_LIST = 12, /* as.list; results only */
  TD_VALUE_GENERATOR = 13,   /* as.generator; arguments only */
  TD_VALUE_DICT = 14         /* as.dict; not for td_op_call */
};

/* A tagged value. As an argument it borrows what it points to; as a result it owns it, and td_value_clear releases
 * it. */
typedef struct td_value {
  td_value_kind kind;
  int32_t reserved; /* 0 */
  size_t size;      /* the length of str, or TD_STRLEN, and of the arrays; else 0 */
  union {
    int64_t i;
    double f;
    const char *str;
    const int64_t *ints;
    const double *doubles;
    const td_bool *bools;
    td_tensor *tensor;
    td_tensor *const *tensors;
    td_tensor_list *list;
    td_generator *generator;
    const td_dict *dict;
  } as;
} td_value;

/* An argument given by the name that it has in the operator's schema. */
typedef struct td_named_value {
  td_str name;
  td_value value;
} td_named_value;

/* Where bytes go: `write` takes all of them or fails. */
typedef struct td_writer {
  void *target;
  td_status (*write)(void *target, const void *bytes, size_t size, td_error **err);
} td_writer;

/* Where bytes come from: `read` fills `bytes` and says how many it got; fewer than `size`, or 0, only at the end. */
typedef struct td_reader {
  void *source;
  td_status (*read)(void *source, void *bytes, size_t size, size_t *got, td_error **err);
} td_reader;

/* What a plugin's type is, and what it promises. */
typedef int32_t td_plugin_kind;
enum { TD_PLUGIN_HASH = 1, TD_PLUGIN_DISTRIBUTION = 2, TD_PLUGIN_MODULE = 3 }; /* other kinds are skipped */

enum {
  TD_PLUGIN_DETERMINISTIC = 1 << 0,  /* same inputs and generator state, same result */
  TD_PLUGIN_STABLE = 1 << 1,         /* and the same on every platform and version */
  TD_PLUGIN_KEYED = 1 << 2,          /* the config has a key, or a seed, that results depend on */
  TD_PLUGIN_DIFFERENTIABLE = 1 << 3, /* results carry gradients to the inputs */
  TD_PLUGIN_THREAD_SAFE = 1 << 4     /* functions of one instance may run at once */
};
#endif
/* [shared types end] */

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_TYPES_H */
