/* tensordict_plugin.h: write hash functions, distributions and modules for libtensordict, in plain C.
 *
 * SPDX-License-Identifier: MIT
 *
 * A plugin is a shared library that exports one function, td_plugin_entry, and imports at most libc and libm. It gets
 * everything that it needs from the library through the td_host table, so it links neither libtensordict nor LibTorch.
 * It needs only this header:
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden my_plugin.c -o my_plugin.so
 *
 * Rules
 *   - Functions return a td_status. On failure they may set `*err` with host->error_new, and must write no other
 *     output.
 *   - Arguments are borrowed for the call; a td_tensor ** output receives a new reference.
 *   - No exception and no longjmp may leave a plugin. A plugin keeps no state outside its instances.
 *   - The host never calls two functions of one instance concurrently, unless the type has TD_PLUGIN_THREAD_SAFE. Calls
 *     may come from any thread.
 *   - A plugin is never unloaded. Its tables (td_plugin_type and the data that it points to) must never change.
 *   - Structs grow at their end: check struct_size before reading a member that is newer than 1.0.
 */
#ifndef TENSORDICT_PLUGIN_H
#define TENSORDICT_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Edit tensordict/types.h and run bindings/generate.py, which copies this block from there. */
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

#define TD_PLUGIN_MAGIC 0x54444c50u /* "PLDT" in little-endian memory */
#define TD_PLUGIN_ABI_MAJOR 2
#define TD_PLUGIN_ABI_MINOR 0

/* Whether a struct with a struct_size is long enough to have `member`; 0 if the other side has an older header. Check
 * this before using members that are marked "since 2.1". */
#define TD_HAS(type, object, member) ((object)->struct_size >= offsetof(type, member) + sizeof(((type *)0)->member))

/* A text literal for tables: TD_TEXT("td.linear"). */
#define TD_TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

/* ---- What the host offers -------------------------------------------------------------------------------------------
 * The table is valid until the process ends, and every function may be called from any thread.
 */
typedef struct td_config td_config; /* the parsed JSON object given to td_module_new and similar functions */
typedef struct td_module_builder
    td_module_builder; /* collects the parameters that a module declares while it is made */

typedef int32_t td_log_level;
enum { TD_LOG_DEBUG = 0, TD_LOG_INFO = 1, TD_LOG_WARNING = 2, TD_LOG_ERROR = 3 };

/* The role of a declared tensor: parameters require grad and are trained; buffers are not trained. */
typedef int32_t td_role;
enum { TD_ROLE_PARAMETER = 0, TD_ROLE_BUFFER = 1 };

typedef struct td_host {
  uint32_t magic;
  uint16_t abi_major, abi_minor;
  size_t struct_size;

  /* Logs a message: warnings and errors go where LibTorch's warnings go; lower levels are dropped. */
  void (*log)(td_log_level level, td_str message);

  /* Makes an error. It never fails: if there is no memory, it returns a fixed object. The host owns the error in
   * `*err`. */
  td_error *(*error_new)(td_status code, td_str message);

  /* Allocates `size` bytes aligned to 64; returns NULL if there is no memory. */
  void *(*alloc)(size_t size);
  void (*free)(void *memory);

  /* Reads a member of the config into `*value`, which does not change if the member is absent. Returns ARGUMENT if the
   * member has another type or is out of range. Text and arrays live as long as the config. */
  td_status (*config_int)(const td_config *config, td_str name, int64_t *value, td_error **err);
  td_status (*config_double)(const td_config *config, td_str name, double *value, td_error **err);
  td_status (*config_bool)(const td_config *config, td_str name, td_bool *value, td_error **err);
  td_status (*config_str)(const td_config *config, td_str name, td_str *value, td_error **err);
  td_status (*config_ints)(const td_config *config, td_str name, const int64_t **values, size_t *n, td_error **err);

  void (*tensor_retain)(const td_tensor *tensor);
  void (*tensor_release)(const td_tensor *tensor);
  size_t (*tensor_shape)(const td_tensor *tensor, int64_t *out, size_t capacity); /* returns the number of dims */
  td_dtype (*tensor_dtype)(const td_tensor *tensor);

  /* Finds and calls operators by name, like td_op_find and td_op_call of tensordict.h. Handles stay valid: find each
   * once. */
  td_status (*op_find)(td_str name, td_str overload, const td_op **out, td_error **err);
  td_status (*op_call)(const td_op *op, const td_value *args, size_t n_args, const td_named_value *kwargs,
                       size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err);
  void (*value_clear)(td_value *value);

  /* Declares a tensor of the module that is being made. `forward` receives tensors in the order of declaration. `name`
   * is the path in the module's state. Call it only during td_module_type.create. */
  td_status (*module_declare)(td_module_builder *builder, td_role role, const td_key *name, const td_tensor *initial,
                              td_error **err);

  /* Calls fn(userdata, begin, end) for pieces of [0, n) of at least `grain`, on the host's threads; returns when all
   * are done. */
  void (*parallel_for)(int64_t n, int64_t grain, void (*fn)(void *userdata, int64_t begin, int64_t end),
                       void *userdata);

  /* Returns a table of further functions by its id, like "td.name/1"; NULL if the host does not have it. */
  const void *(*get_extension)(td_str id);
} td_host;

/* ---- Extensions of the host: tables that get_extension returns, or NULL if the host is older ---------------------
 * A table under one id never changes.
 */
#define TD_EXT_TENSOR "td.tensor/1" /* const td_host_tensor * */
typedef struct td_host_tensor {
  /* Returns the first element, in CPU memory; the status is DEVICE for other memory. `strides` counts elements and
   * describes the layout. */
  td_status (*data)(const td_tensor *tensor, const void **out, td_error **err);
  size_t (*strides)(const td_tensor *tensor, int64_t *out, size_t capacity);
  /* Makes a tensor with a copy of the row-major elements at `bytes`. */
  td_status (*copy_from)(const void *bytes, td_dtype dtype, const int64_t *dims, size_t ndim, td_tensor **out,
                         td_error **err);
} td_host_tensor;

#define TD_EXT_GENERATOR "td.generator/1" /* const td_host_generator * */
typedef struct td_host_generator {
  td_status (*create)(uint64_t seed, td_generator **out, td_error **err);
  void (*release)(const td_generator *generator);
} td_host_generator;

#define TD_EXT_HASH "td.hash/1" /* const td_host_hash * : other hash types, like td_hash_new */
typedef struct td_host_hash {
  td_status (*create)(td_str type, td_str config, td_hash **out, td_error **err);
  void (*release)(const td_hash *hash);
  td_status (*rows)(const td_hash *hash, const void *rows, size_t n, size_t row_bytes, size_t stride, uint64_t *out,
                    td_error **err);
  /* Hashes the rows of a tensor, whatever its strides; the result is int64. */
  td_status (*tensor)(const td_hash *hash, const td_tensor *rows, td_tensor **out, td_error **err);
} td_host_hash;

#define TD_EXT_MODULE \
  "td.module/1" /* const td_host_module * : how a module starts; only during td_module_type.create */
typedef struct td_host_module {
  /* Sets whether the module starts in training mode. The default is 1. */
  td_status (*start_training)(td_module_builder *builder, td_bool training, td_error **err);
  /* Makes the parameter that was declared as `name` start without requiring grad. Returns KEY if there is none. */
  td_status (*freeze)(td_module_builder *builder, const td_key *name, td_error **err);
} td_host_module;

#define TD_EXT_LIBTORCH "td.libtorch/1" /* const td_host_libtorch * : for plugins with TD_PLUGIN_LIBTORCH */
typedef struct td_host_libtorch {
  td_str version;                                                 /* of the host's LibTorch, "2.13.0" */
  void *(*impl)(const td_tensor *tensor);                         /* the at::TensorImpl behind a tensor, borrowed */
  td_status (*wrap)(void *impl, td_tensor **out, td_error **err); /* a new reference for an at::TensorImpl */
} td_host_libtorch;

/* ---- What a plugin offers ---------------------------------------------------------------------------------------- */
/* The head of every type table. */
typedef struct td_plugin_type {
  size_t struct_size; /* of the whole table: sizeof(td_hash_type) for instance */
  td_plugin_kind kind;
  uint32_t reserved; /* 0 */
  td_plugin_flags flags;
  td_str id;      /* "org.name"; "td." belongs to the bundled plugins */
  td_str version; /* of the type, "1.0.0" */
} td_plugin_type;

typedef struct td_hash_vector {
  td_str config; /* JSON */
  td_str input;
  uint64_t hash;
} td_hash_vector;

/* A hash type maps bytes to 64 bits. `create` and `destroy` must not be NULL. */
typedef struct td_hash_type {
  td_plugin_type type;
  td_status (*create)(const td_host *host, const td_config *config, void **self, td_error **err);
  void (*destroy)(void *self);
  /* Sets out[i] to the hash of the `row_bytes` bytes at rows + i * stride. n and row_bytes may be 0; `rows` is still
   * valid. */
  td_status (*hash_rows)(void *self, const uint8_t *rows, size_t n, size_t row_bytes, size_t stride, uint64_t *out,
                         td_error **err);
  const td_hash_vector *vectors; /* test vectors, which the host checks at the first use of the type */
  size_t n_vectors;

  /* ---- Since 1.1; members may be NULL ---- */
  /* Makes an independent instance that gives the same hashes. NULL: the host makes one from the config and loads the
   * state. */
  td_status (*clone)(const void *self, void **out, td_error **err);
  /* For types that need numbers, not bytes: returns one int64 for each row of the leading dim. The host calls it
   * instead of hash_rows, which may then be NULL. */
  td_status (*hash_tensor)(void *self, const td_tensor *rows, td_tensor **out, td_error **err);
  /* Save and load the state of an instance beyond its config; `version` is the state_version of the saved state. */
  uint32_t state_version;
  uint32_t reserved;
  td_status (*save)(const void *self, const td_writer *to, td_error **err);
  td_status (*load)(void *self, uint32_t version, const td_reader *from, td_error **err);
} td_hash_type;

/* A module type maps parameters and inputs to outputs. The functions of 1.0 must not be NULL. */
typedef struct td_module_type {
  td_plugin_type type;
  /* Reads the config and declares every parameter and buffer, drawing from `generator` through operators. */
  td_status (*create)(const td_host *host, const td_config *config, td_generator *generator, td_module_builder *builder,
                      void **self, td_error **err);
  void (*destroy)(void *self);
  /* Computes the outputs from the arguments alone. `state` has the declared tensors in order, or tensors given instead
   * of them (functional calls, vmap). Writes `n_outputs` new references; returns ARGUMENT if the type has another
   * number of outputs. With TD_PLUGIN_THREAD_SAFE, several threads may call it concurrently. */
  td_status (*forward)(const void *self, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                       size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err);

  /* ---- Since 1.1; may be NULL ---- */
  /* Writes the text between the parentheses when the module is printed, "in_features=2, out_features=3, bias=True",
   * like extra_repr of torch.nn. Text with newlines is printed as one line per part: "(linear1): Linear(...)\n". NULL:
   * the members of the config are printed. */
  td_status (*extra_repr)(const void *self, const td_writer *to, td_error **err);
} td_module_type;

/* Constraints on parameters and values, as in torch.distributions.constraints. NaN satisfies only NONE. */
typedef int32_t td_constraint;
enum {
  TD_CONSTRAINT_NONE = 0, /* not checked */
  TD_CONSTRAINT_REAL = 1, /* not NaN */
  TD_CONSTRAINT_POSITIVE = 2,
  TD_CONSTRAINT_NONNEGATIVE = 3,
  TD_CONSTRAINT_UNIT_INTERVAL = 4,      /* [0, 1] */
  TD_CONSTRAINT_HALF_OPEN_INTERVAL = 5, /* [0, 1) */
  TD_CONSTRAINT_BOOLEAN = 6,            /* 0 or 1 */
  TD_CONSTRAINT_NONNEGATIVE_INTEGER = 7,
  TD_CONSTRAINT_SIMPLEX = 8,
  TD_CONSTRAINT_ONE_HOT = 9,
  TD_CONSTRAINT_LOWER_CHOLESKY = 10,
  TD_CONSTRAINT_POSITIVE_DEFINITE = 11,
  TD_CONSTRAINT_CORR_CHOLESKY = 12,
  TD_CONSTRAINT_NORMALIZED = 13, /* weights: not negative, not NaN, with a positive sum; the type divides by the sum */
  TD_CONSTRAINT_LOG_NORMALIZED = 14,       /* logits: real after subtracting logsumexp */
  TD_CONSTRAINT_POSITIVE_PROBABILITY = 15, /* (0, 1] */
  TD_CONSTRAINT_OWN = 100                  /* for supports: the type's `within` decides */
};

enum {
  TD_PARAM_OPTIONAL = 1 << 0, /* has the value `otherwise` if it is not given */
  TD_PARAM_FREE = 1 << 1,     /* is NULL if it is not given */
  TD_PARAM_WIDENS = 1 << 2    /* if all parameters are numbers, their event dims have size 1 */
};

/* Instead of a number of event dims: use the config's "event_dims". If the config lacks it, the host adds it before
 * `create`: 1, or 0 if these parameters are all numbers. */
enum { TD_EVENT_DIMS_OF_CONFIG = -1 };

/* The rule of one parameter. */
typedef struct td_distribution_param {
  td_constraint constraint;
  int32_t event_dims; /* trailing dims that are not batch dims, 0 to 2: 1 for a vector of probabilities */
  int32_t choice;     /* of the parameters with the same number > 0 exactly one is given; the others are NULL */
  uint32_t flags;     /* TD_PARAM_ */
  double otherwise;
} td_distribution_param;

enum {
  TD_DISTRIBUTION_DISCRETE = 1 << 0,
  TD_DISTRIBUTION_POINT_IS_MODE = 1 << 1, /* the interaction "deterministic" takes the mode ... */
  TD_DISTRIBUTION_POINT_IS_MEAN = 1 << 2, /* ... or the mean; with neither flag its support decides */
  TD_DISTRIBUTION_NO_POINT = 1 << 3,      /* ... or is UNSUPPORTED, as are the mean and the mode */
  TD_DISTRIBUTION_ANY_VALUE = 1 << 4      /* values are not checked, not even their shape */
};

/* A family of distributions over the named parameters. All functions except create and destroy may be NULL; a function
 * that a type lacks is UNSUPPORTED for the caller. */
typedef struct td_distribution_type {
  td_plugin_type type;
  const td_str *params; /* the names, in the order in which the functions receive the tensors, broadcast together */
  size_t n_params;
  td_status (*create)(const td_host *host, const td_config *config, void **self, td_error **err);
  void (*destroy)(void *self);
  /* `dims` is sample shape + batch shape. If `generator` is NULL, use the default one. */
  td_status (*sample)(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim,
                      td_generator *generator, td_tensor **out, td_error **err);
  td_status (*rsample)(const void *self, td_tensor *const *params, const int64_t *dims, size_t ndim,
                       td_generator *generator, td_tensor **out, td_error **err);
  td_status (*log_prob)(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out,
                        td_error **err);
  td_status (*entropy)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  td_status (*mean)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  td_status (*mode)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  td_status (*variance)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);

  /* ---- Optional. Without these, parameters are elements of one batch shape that are not checked. --------------- */
  td_str name;                              /* its name in messages: "Normal" */
  const td_distribution_param *param_rules; /* one for each of `params`, or NULL */
  td_constraint support;
  td_str support_name; /* for TD_CONSTRAINT_OWN: its name in messages */
  uint32_t traits;     /* TD_DISTRIBUTION_ */
  /* Writes the shape of one draw of a batch element, at most `capacity` sizes. NULL: a draw is a number. The parameters
   * have their event dims and any batch dims. */
  td_status (*event_shape)(const void *self, td_tensor *const *params, int64_t *out, size_t capacity, size_t *ndim,
                           td_error **err);
  /* Checks conditions between parameters (low < high) if validation is on; returns ARGUMENT if they do not hold. */
  td_status (*check)(const void *self, td_tensor *const *params, td_error **err);
  /* Returns a bool tensor of batch shape: which values are within the support. */
  td_status (*within)(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out,
                      td_error **err);
  td_status (*cdf)(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out, td_error **err);
  td_status (*icdf)(const void *self, td_tensor *const *params, const td_tensor *value, td_tensor **out,
                    td_error **err);
  td_status (*median)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  td_status (*stddev)(const void *self, td_tensor *const *params, td_tensor **out,
                      td_error **err); /* NULL: sqrt(variance) */
  td_status (*deterministic)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  /* Returns all values, [n, event...]. */
  td_status (*enumerate)(const void *self, td_tensor *const *params, td_tensor **out, td_error **err);
  /* Returns KL(this || other); `other` is the id of the other's type. Returns UNSUPPORTED for unknown pairs. */
  td_status (*kl)(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params,
                  td_tensor **out, td_error **err);

  /* Returns KL(other || this). It is called if `kl` of the other's type does not know the pair. */
  td_status (*kl_from)(const void *self, td_tensor *const *params, td_str other, td_tensor *const *other_params,
                       td_tensor **out, td_error **err);
} td_distribution_type;

/* The description that td_plugin_entry fills in. The host has set magic, its own abi_major and abi_minor, and
 * struct_size. */
typedef struct td_plugin {
  uint32_t magic;
  uint16_t abi_major, abi_minor; /* write TD_PLUGIN_ABI_MAJOR, and the lowest minor that the plugin needs */
  size_t struct_size;
  td_str id; /* "org.name" */
  td_str vendor, version, license;
  const td_plugin_type *const *types;
  size_t n_types;

  /* Since 1.1, if TD_HAS(td_plugin, out, schemas): for each type the schema of its config, or empty text; NULL for no
   * schemas. The host refuses other configs before it calls `create`. A schema is a JSON Schema of
   * {"type":"object","properties":{...}, "required":[...]}; the properties have "type" (or a list of them), "minimum",
   * "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "minLength", "maxLength", "items", "minItems",
   * "maxItems", "properties", "required", "additionalProperties" (false unless true), "title", "description",
   * "default". */
  const td_str *schemas;
} td_plugin;

#if defined(_WIN32)
#define TD_PLUGIN_EXPORT __declspec(dllexport)
#else
#define TD_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* A plugin that links LibTorch must write TD_PLUGIN_LIBTORCH(TORCH_VERSION) once. The host refuses plugins that link
 * LibTorch without it, and plugins built with another version than its own, without running any of their code. C++
 * objects of LibTorch are exchanged through TD_EXT_LIBTORCH. */
#if defined(__GNUC__)
#define TD_PLUGIN_LIBTORCH(version_) \
  __attribute__((used, section("td_libtorch"))) static const char td_plugin_libtorch[] = version_
#endif

/* The only exported function. It runs once, on the thread that loads the plugin. Returns VERSION if the host is too
 * old. */
TD_PLUGIN_EXPORT td_status td_plugin_entry(const td_host *host, td_plugin *out, td_error **err);

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_PLUGIN_H */
