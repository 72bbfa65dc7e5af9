/* tensordict.h: PyTorch's TensorDict for every language and every process, behind a stable C ABI.
 *
 * SPDX-License-Identifier: MIT
 *
 * Five promises
 *   1. One container in every language: the semantics of Python's TensorDict behind opaque handles.
 *   2. The same bytes: stock Python `tensordict` opens what we write, and we open what it writes.
 *   3. Zero copy between processes, and a killed process leaves nothing torn.
 *   4. Extend at run time: hash functions, distributions and modules are plugins in plain C
 *      (plugins/tensordict_plugin.h) that never link LibTorch.
 *   5. The ABI does not break: the soname is TD_ABI_MAJOR, and a program built against this header runs on every
 *      later release of that major.
 *
 * The grammar, which every function follows
 *   td_status td_<noun>_<verb>(self, inputs..., outputs..., td_error **err)
 *   - The status says what happened; `err` may be NULL, else it receives an owned td_error that says what was wrong,
 *     where, and what to do. On failure no other output is written and nothing has changed.
 *   - `td_X **out` receives a new reference: give it back with td_X_release. Arguments are borrowed for the call.
 *     A td_str or td_key that a getter returns is a view: its doc names the owner it lives as long as.
 *   - `const td_X *`: concurrent calls are allowed. `td_X *`: the caller makes sure that nobody else uses the handle.
 *     Writing to the data of a tensor while another thread reads it is the caller's race, whatever the handle's type.
 *   - Tags in the docs: [any-thread] may be called concurrently; [exclusive] needs the handle for itself;
 *     [may-block] may wait for a disk or another process; [may-call-back] runs code of the caller's.
 *   - A NULL handle, an unknown enum value or a size that does not fit is TD_ERR_ARGUMENT, never a crash.
 *   - No function throws; an exception of a callback is caught and returned as TD_ERR_CALLBACK.
 *
 * Process rules: there is no init and no shutdown call. The library installs no signal handler and no atexit work, and
 * never changes the environment, the locale or the current directory. A forked child calls td_after_fork first, or execs.
 */
#ifndef TENSORDICT_H
#define TENSORDICT_H

#include <stddef.h>
#include <stdint.h>

#define TD_VERSION_MAJOR 0
#define TD_VERSION_MINOR 1
#define TD_VERSION_PATCH 0
#define TD_ABI_MAJOR 1

#if defined(_WIN32)
#if defined(TD_BUILDING)
#define TD_API __declspec(dllexport)
#else
#define TD_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TD_API __attribute__((visibility("default")))
#else
#define TD_API
#endif

#if defined(__cplusplus)
#define TD_NOEXCEPT noexcept
#else
#define TD_NOEXCEPT
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* ==== Basics =========================================================================================================
 * Statuses, strings, keys, values: the plain data that crosses the border. This block is the same, line for line, in
 * tensordict.h and plugins/tensordict_plugin.h, so that a plugin needs one header only.
 */
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
  TD_ERR_TIMEOUT = 15,
  TD_ERR_CLOSED = 16,
  TD_ERR_TORCH = 17, /* LibTorch refused; the message is its own */
  TD_ERR_OOM = 18,
  TD_ERR_INTERNAL = 19,  /* a bug in this library */
  TD_ERR_NOT_FOUND = 20, /* no such file, directory, segment, operator, plugin or type */
  TD_ERR_EXISTS = 21     /* the name is taken */
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
  TD_VALUE_DICT = 14         /* as.dict; arguments of td_dict_apply_op only */
};

/* A tagged value. As an argument it borrows what it points to; as a result it owns it, and td_value_clear releases it. */
typedef struct td_value {
  td_value_kind kind;
  int32_t reserved; /* 0 */
  size_t size;      /* the length of str and of the arrays, else 0 */
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
#endif
/* [shared types end] */

/* Owned text, immutable. */
typedef struct td_string td_string;
/* A list of keys, immutable. */
typedef struct td_keys td_keys;
/* A key made ready for repeated look-ups, immutable. */
typedef struct td_path td_path;
typedef struct td_no_grad td_no_grad;
typedef struct td_segment td_segment;
typedef struct td_module td_module;
typedef struct td_optimizer td_optimizer;
typedef struct td_dist td_dist;
typedef struct td_query td_query;

/* The name of a status, "TD_ERR_KEY" for instance; "TD_ERR_?" for unknown values. Static text.   [any-thread]  Since 0.1 */
TD_API const char *td_status_name(td_status status) TD_NOEXCEPT;

/* ---- Versions and features ------------------------------------------------------------------------------------------ */

/* The version of the library that is loaded, "0.1.0". Static text.   [any-thread]  Since 0.1 */
TD_API const char *td_version(void) TD_NOEXCEPT;

/* The ABI major of the library that is loaded; equals TD_ABI_MAJOR of the header it was built from.   [any-thread]  Since 0.1 */
TD_API int32_t td_abi_version(void) TD_NOEXCEPT;

/* How the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler, boost, features.
 * Errors: OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_build_info(td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if this build on this machine has the feature: "segment", "cuda", "uint16". Unknown names are 0.   [any-thread]  Since 0.1 */
TD_API td_bool td_has_feature(td_str name) TD_NOEXCEPT;

/* ---- Errors ---------------------------------------------------------------------------------------------------------
 * An error is an immutable object of its own; nothing is kept per thread, so goroutines and tasks may move freely.
 *
 *     td_error *err = NULL;
 *     if (td_dict_get(td, TD_KEY("obs"), &obs, &err) != TD_OK) {
 *       fprintf(stderr, "%s\n", td_error_message(err).data);
 *       td_error_release(err);
 *     }
 */

/* Makes an error: callbacks report their failures with it. Never fails: without memory it returns a fixed TD_ERR_OOM
 * object, for which release does nothing.   [any-thread]  Since 0.1 */
TD_API td_error *td_error_new(td_status code, td_str message) TD_NOEXCEPT;

/* The status that the failing call returned.   [any-thread]  Since 0.1 */
TD_API td_status td_error_code(const td_error *self) TD_NOEXCEPT;

/* The whole message: what was wrong, where, and what to do. One line, ends with a NUL; lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_message(const td_error *self) TD_NOEXCEPT;

/* The key that was meant, as `("next", "obs")`; empty when no key was concerned. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_key(const td_error *self) TD_NOEXCEPT;

/* The file, segment, operator or plugin that was meant; empty when none was. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_where(const td_error *self) TD_NOEXCEPT;

/* What the caller can do about it; empty when there is nothing to add. Lives as long as the error.   [any-thread]  Since 0.1 */
TD_API td_str td_error_hint(const td_error *self) TD_NOEXCEPT;

/* The error that caused this one, or NULL. Borrowed: lives as long as `self`.   [any-thread]  Since 0.1 */
TD_API const td_error *td_error_cause(const td_error *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_error_retain(const td_error *self) TD_NOEXCEPT;
TD_API void td_error_release(const td_error *self) TD_NOEXCEPT;

/* ---- Strings and keys ------------------------------------------------------------------------------------------------
 * Text goes in as td_str and comes out as an owned td_string. Keys go in as td_key, by pointer:
 *
 *     td_dict_get(td, TD_KEY("next", "obs"), &obs, &err);
 */

/* The text; ends with a NUL that `size` does not count. Lives as long as the string.   [any-thread]  Since 0.1 */
TD_API td_str td_string_view(const td_string *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_string_retain(const td_string *self) TD_NOEXCEPT;
TD_API void td_string_release(const td_string *self) TD_NOEXCEPT;

/* Number of keys in the list; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_keys_size(const td_keys *self) TD_NOEXCEPT;

/* The key at `index`; its parts live as long as the list.
 * Errors: INDEX if `index` >= size.   [any-thread]  Since 0.1 */
TD_API td_status td_keys_get(const td_keys *self, size_t index, td_key *out_view, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_keys_retain(const td_keys *self) TD_NOEXCEPT;
TD_API void td_keys_release(const td_keys *self) TD_NOEXCEPT;

/* Makes a key ready for repeated look-ups: the strings are copied and hashed once.
 * Errors: ARGUMENT if a part is not UTF-8 or n is 0.   [any-thread]  Since 0.1 */
TD_API td_status td_path_new(const td_key *key, td_path **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_path_retain(const td_path *self) TD_NOEXCEPT;
TD_API void td_path_release(const td_path *self) TD_NOEXCEPT;

/* ---- Process ---------------------------------------------------------------------------------------------------------- */

/* What td_live_objects counts. */
typedef int32_t td_object_kind;
enum {
  TD_OBJECT_ERROR = 0,
  TD_OBJECT_STRING = 1,
  TD_OBJECT_KEYS = 2,
  TD_OBJECT_PATH = 3,
  TD_OBJECT_TENSOR = 4,
  TD_OBJECT_TENSOR_LIST = 5,
  TD_OBJECT_GENERATOR = 6,
  TD_OBJECT_OP = 7,
  TD_OBJECT_DICT = 8,
  TD_OBJECT_SEGMENT = 9,
  TD_OBJECT_MODULE = 10,
  TD_OBJECT_OPTIMIZER = 11,
  TD_OBJECT_DIST = 12,
  TD_OBJECT_QUERY = 13,
  TD_OBJECT_NO_GRAD = 14,
  TD_OBJECT_MAPPING = 15 /* files and segments mapped now, by whatever still uses them */
};

/* References of a kind that callers hold now: handed out or retained, and not yet released. A binding's leak test
 * compares it before and after. -1 for an unknown kind.   [any-thread]  Since 0.1 */
TD_API int64_t td_live_objects(td_object_kind kind) TD_NOEXCEPT;

/* Bytes of files and segments that are mapped now.   [any-thread]  Since 0.1 */
TD_API int64_t td_live_bytes(void) TD_NOEXCEPT;

/* How far the library may leave LibTorch's operators for its own code. Results are the same at every level. */
typedef int32_t td_fast_level;
enum {
  TD_FAST_NONE = 0,  /* LibTorch operators only */
  TD_FAST_VIEWS = 1, /* and views made by hand on plain CPU tensors */
  TD_FAST_ARENA = 2  /* and results of many leaves in one allocation; the default */
};

/* Sets the level for the process; use it to rule our own code out when hunting a bug.
 * Errors: ARGUMENT for an unknown level.   [any-thread]  Since 0.1 */
TD_API td_status td_set_fast_level(td_fast_level level, td_error **err) TD_NOEXCEPT;

/* Threads that LibTorch uses inside one operator, for the whole process.
 * Errors: ARGUMENT if n < 1.   [any-thread]  Since 0.1 */
TD_API td_status td_set_num_threads(int32_t n, td_error **err) TD_NOEXCEPT;

/* Makes the library usable in a forked child: one thread for operators (LibTorch's pool does not survive a fork), and
 * segments that the parent created are no longer unlinked by the child. Call it first in the child.   [exclusive]  Since 0.1 */
TD_API void td_after_fork(void) TD_NOEXCEPT;

/* ==== Tensors ==========================================================================================================
 * A td_tensor is one reference to a LibTorch tensor: shared storage, any strides, autograd. Equal to Python's
 * torch.Tensor; nothing is copied unless the doc says so.
 *
 *     float xs[6] = {1, 2, 3, 4, 5, 6};
 *     td_tensor *x;
 *     td_tensor_copy_from(xs, TD_FLOAT32, TD_SHAPE(2, 3), &x, &err);
 */

/* Tells the owner of foreign memory that the last view of it is gone. Runs on any thread, exactly once. */
typedef void (*td_release_fn)(void *owner);

/* Makes a tensor over `data`, which stays the caller's and must live until `release(owner)` is called: when the last view
 * is dropped, or before this call returns if it fails. `strides` counts elements and may be NULL for row-major;
 * `release` may be NULL for memory that outlives the process's use of it.   Like torch.from_blob.
 * Errors: ARGUMENT for a NULL `data` with elements or a negative size; DTYPE; SHAPE if a size overflows or a stride is
 * negative; ARGUMENT if `data` is not aligned to its dtype.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_memory(void *data, td_dtype dtype, const int64_t *dims, size_t ndim,
                                       const int64_t *strides, td_release_fn release, void *owner, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;

/* Makes a tensor with a copy of row-major `data`.
 * Errors: as td_tensor_from_memory, without the alignment; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_copy_from(const void *data, td_dtype dtype, const int64_t *dims, size_t ndim,
                                     td_tensor **out, td_error **err) TD_NOEXCEPT;

/* New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
 * TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
 * Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_empty(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_zeros(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device, td_tensor **out,
                                 td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_full(const int64_t *dims, size_t ndim, double value, td_dtype dtype, td_str device,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_randn(const int64_t *dims, size_t ndim, td_dtype dtype, td_str device,
                                 td_generator *generator, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_tensor_retain(const td_tensor *self) TD_NOEXCEPT;
TD_API void td_tensor_release(const td_tensor *self) TD_NOEXCEPT;

/* Number of dims; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_tensor_ndim(const td_tensor *self) TD_NOEXCEPT;

/* Fill up to `capacity` entries of `out` and return the number of dims; `out` may be NULL if `capacity` is 0. Strides count
 * elements; 0 is returned for a NULL tensor and for layouts without strides.   [any-thread]  Since 0.1 */
TD_API size_t td_tensor_shape(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_tensor_strides(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Number of elements, bytes of one element, and bytes of all elements; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_tensor_numel(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_itemsize(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_nbytes(const td_tensor *self) TD_NOEXCEPT;

/* The element type; TD_DTYPE_NONE for NULL and for types that td_dtype has no name for.   [any-thread]  Since 0.1 */
TD_API td_dtype td_tensor_dtype(const td_tensor *self) TD_NOEXCEPT;

/* The device, as "cpu" or "cuda:0".
 * Errors: ARGUMENT; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_device(const td_tensor *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if the elements lie in row-major order without gaps.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_contiguous(const td_tensor *self) TD_NOEXCEPT;

/* 1 if the memory is mapped read-only: writing through td_tensor_data would fault, so our own writes refuse with LOCKED.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_read_only(const td_tensor *self) TD_NOEXCEPT;

/* The first element of a CPU tensor; lives as long as the tensor. Never NULL on success, also for 0 elements.
 * Read-only tensors give their address through td_tensor_data; td_tensor_mutable_data refuses them.
 * Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors and inside a vmap.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_data(const td_tensor *self, const void **out_view, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_mutable_data(td_tensor *self, void **out_view, td_error **err) TD_NOEXCEPT;

/* A copy with its own memory.   Like Tensor.clone.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_clone(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same tensor if it is row-major already, else a row-major copy.   Like Tensor.contiguous.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_contiguous(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same tensor if nothing changes, else a copy of another dtype (TD_DTYPE_NONE: keep) on another device (NULL data: keep).
 * Like Tensor.to.   Errors: DTYPE; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_to(const td_tensor *self, td_dtype dtype, td_str device, td_tensor **out,
                              td_error **err) TD_NOEXCEPT;

/* Copies `src` into the memory of `self`, with broadcasting and a dtype cast.   Like Tensor.copy_.
 * Errors: SHAPE; LOCKED if `self` is read-only.   [exclusive]  Since 0.1 */
TD_API td_status td_tensor_copy_(td_tensor *self, const td_tensor *src, td_error **err) TD_NOEXCEPT;

/* The value of a tensor with one element, as INT, DOUBLE or BOOL.   Like Tensor.item.
 * Errors: SHAPE if it has more or fewer elements; DTYPE for complex ones.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_item(const td_tensor *self, td_value *out, td_error **err) TD_NOEXCEPT;

/* ---- Lists of tensors -------------------------------------------------------------------------------------------------- */

/* Number of tensors; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_tensor_list_size(const td_tensor_list *self) TD_NOEXCEPT;

/* A new reference to the tensor at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_list_get(const td_tensor_list *self, size_t index, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_tensor_list_retain(const td_tensor_list *self) TD_NOEXCEPT;
TD_API void td_tensor_list_release(const td_tensor_list *self) TD_NOEXCEPT;

/* ---- DLPack ------------------------------------------------------------------------------------------------------------
 * Exchange with NumPy, JAX, CuPy, Arrow and PyTorch itself, without a copy. The structs are those of dlpack.h (any
 * 1.x for the versioned one); this header only names them.
 */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Give the tensor away: the receiver calls the struct's own deleter once. Read-only tensors carry DLPack's read-only flag;
 * the unversioned form has no such flag and refuses them with LOCKED.
 * Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and ones that require grad (detach first); DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_to_dlpack(const td_tensor *self, struct DLManagedTensorVersioned **out,
                                     td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_to_dlpack_unversioned(const td_tensor *self, struct DLManagedTensor **out,
                                                 td_error **err) TD_NOEXCEPT;

/* Take a tensor: its deleter is called when the last view is dropped, or before this call returns if it fails.
 * Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_dlpack(struct DLManagedTensorVersioned *managed, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_from_dlpack_unversioned(struct DLManagedTensor *managed, td_tensor **out,
                                                   td_error **err) TD_NOEXCEPT;

/* ---- Autograd ----------------------------------------------------------------------------------------------------------
 * As in PyTorch: leaves that require grad collect it in td_tensor_grad when td_tensor_backward runs.
 */

/* 1 if operations on the tensor are recorded.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_requires_grad(const td_tensor *self) TD_NOEXCEPT;

/* Starts or stops recording on a leaf.   Like Tensor.requires_grad_.
 * Errors: DTYPE unless it is a floating or complex tensor; ARGUMENT to stop on a non-leaf (detach it).   [exclusive]  Since 0.1 */
TD_API td_status td_tensor_set_requires_grad(td_tensor *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* Adds the gradient of `self` to the grad of every leaf it was computed from. `gradient` may be NULL for a tensor of one
 * element. `retain_graph` keeps the graph for another call.   Like Tensor.backward.
 * Errors: SHAPE for more elements and no gradient; ARGUMENT if nothing requires grad; TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_backward(const td_tensor *self, const td_tensor *gradient, td_bool retain_graph,
                                    td_error **err) TD_NOEXCEPT;

/* The collected gradient, a new reference; `*out` is NULL if there is none yet.   Like Tensor.grad.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_grad(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same data without its history.   Like Tensor.detach.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_detach(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Stops recording on the calling thread until td_no_grad_end. Scopes of one thread end in reverse order of their begin;
 * in Go, lock the goroutine to its thread in between.   Like torch.no_grad.   [any-thread]  Since 0.1 */
TD_API td_status td_no_grad_begin(td_no_grad **out, td_error **err) TD_NOEXCEPT;

/* Ends the scope and frees it.
 * Errors: ARGUMENT on another thread than its begin, or if an inner scope is still open; the scope then stays.   [exclusive]  Since 0.1 */
TD_API td_status td_no_grad_end(td_no_grad *self, td_error **err) TD_NOEXCEPT;

/* ---- Random numbers ---------------------------------------------------------------------------------------------------- */

/* Makes a CPU generator; the same seed gives the same numbers as torch.Generator().manual_seed(seed).   [any-thread]  Since 0.1 */
TD_API td_status td_generator_new(uint64_t seed, td_generator **out, td_error **err) TD_NOEXCEPT;

/* Starts the sequence of `seed` again.   [exclusive]  Since 0.1 */
TD_API td_status td_generator_seed(td_generator *self, uint64_t seed, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_generator_retain(const td_generator *self) TD_NOEXCEPT;
TD_API void td_generator_release(const td_generator *self) TD_NOEXCEPT;

/* Seeds LibTorch's default generators, for the whole process.   Like torch.manual_seed.   [any-thread]  Since 0.1 */
TD_API td_status td_manual_seed(uint64_t seed, td_error **err) TD_NOEXCEPT;

/* ==== Operators =========================================================================================================
 * Every ATen operator by name, through LibTorch's dispatcher, so autograd and vmap see it.
 *
 *     td_op *softmax;
 *     td_value args[] = {td_value_tensor(x), td_value_int(-1)}, y;
 *     td_op_find(TD_STR("softmax"), TD_STR("int"), &softmax, &err);
 *     td_op_call(softmax, args, 2, NULL, 0, &y, 1, &err);      // y owns its tensor: td_value_clear(&y)
 */

/* Finds an operator: "add" is "aten::add". An overload with NULL data leaves the choice to each call: the first whose
 * schema takes the arguments, exact matches before converted ones. Empty text is the overload without a name.
 * Errors: NOT_FOUND, with the overloads that exist.   [any-thread]  Since 0.1 */
TD_API td_status td_op_find(td_str name, td_str overload, td_op **out, td_error **err) TD_NOEXCEPT;

/* The schemas, one a line, as PyTorch prints them.   [any-thread]  Since 0.1 */
TD_API td_status td_op_schema(const td_op *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Calls the operator. Positional `args` first, then `kwargs` by name, then the schema's defaults. A number is taken where
 * the schema asks for a Tensor, Scalar, float or a list of one; an INTS where it asks for SymInt[].
 * `outs[0..n_outs)` receive the results in order; more outs than results are set to NONE, fewer is ARGUMENT.
 * Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
 * SHAPE, INDEX, DTYPE where LibTorch says so, else TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_op_call(const td_op *self, const td_value *args, size_t n_args, const td_named_value *kwargs,
                            size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Releases what a result owns and sets it to NONE; NULL is allowed. Not for values that only borrow.   [exclusive]  Since 0.1 */
TD_API void td_value_clear(td_value *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_op_retain(const td_op *self) TD_NOEXCEPT;
TD_API void td_op_release(const td_op *self) TD_NOEXCEPT;

/* ==== Dicts ==============================================================================================================
 * A td_dict is a batched, nested, ordered map from keys to tensors and dicts. Every entry's leading dims equal the batch
 * size; that is checked when it is set, and only then.
 *
 *     td_dict *td;
 *     td_dict_new(TD_SHAPE(32), NULL, &td, &err);
 *     td_dict_set(td, TD_KEY("next", "obs"), obs, &err);      // makes the node "next"
 *     td_dict_get(td, TD_KEY("next", "obs"), &same, &err);    // same tensor, new reference
 */

/* Choices at creation. */
typedef struct td_dict_options {
  size_t struct_size;
  td_str device; /* every tensor set later is moved there; NULL data: no constraint */
} td_dict_options;
#define TD_DICT_OPTIONS_INIT   \
  {                            \
    sizeof(td_dict_options), { \
      NULL, 0                  \
    }                          \
  }

/* Makes an empty dict; `options` may be NULL.   Like TensorDict({}, batch_size).
 * Errors: SHAPE for a negative size; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_new(const int64_t *batch_size, size_t ndim, const td_dict_options *options, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_retain(const td_dict *self) TD_NOEXCEPT;
TD_API void td_dict_release(const td_dict *self) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_batch_size(const td_dict *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Changes the batch size; allowed on a locked dict. Nodes whose own batch size is shorter grow with it.
 * Errors: SHAPE naming the first entry that does not fit; nothing has changed then.   Like TensorDict.batch_size.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_batch_size(td_dict *self, const int64_t *batch_size, size_t ndim,
                                        td_error **err) TD_NOEXCEPT;

/* The device that entries are moved to; `*out` is NULL if there is none.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_device(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* The first batch size, or 0 without batch dims.   Like len(td).   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_len(const td_dict *self) TD_NOEXCEPT;

/* Number of entries at the root.   Like len(td.keys()).   [any-thread]  Since 0.1 */
TD_API size_t td_dict_count(const td_dict *self) TD_NOEXCEPT;

/* Bytes of all tensors, nested ones too.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_nbytes(const td_dict *self) TD_NOEXCEPT;

/* Puts `value` under `key`, replacing what is there; missing nodes are made with this dict's batch size. The tensor is
 * stored, not copied: later in-place writes show in the dict.   Like TensorDict.set.
 * Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
 * tensor; DEVICE if the dict has a device and the move fails.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set(td_dict *self, const td_key *key, const td_tensor *value, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_set_p(td_dict *self, const td_path *path, const td_tensor *value, td_error **err) TD_NOEXCEPT;

/* Puts a dict under `key`. It is stored itself if its batch size begins with this dict's (and the device agrees); else a
 * shallow copy with this dict's batch size is stored and `value` is left as it is.   Like TensorDict.set.
 * Errors: as td_dict_set; ARGUMENT if `value` would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_dict(td_dict *self, const td_key *key, td_dict *value, td_error **err) TD_NOEXCEPT;

/* Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
 * Errors: KEY if there is none; SHAPE; LOCKED if that memory is read-only.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into(td_dict *self, const td_key *key, const td_tensor *value,
                                   td_error **err) TD_NOEXCEPT;

/* The tensor under `key`, a new reference.   Like td[key].
 * Errors: KEY if it is missing, is a dict, or the path runs through a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get(const td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_get_p(const td_dict *self, const td_path *path, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The tensors under `n` paths in one call; all or none.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_many(const td_dict *self, const td_path *const *paths, size_t n, td_tensor **outs,
                                  td_error **err) TD_NOEXCEPT;

/* The dict under `key`, a new reference: changes show in `self`.
 * Errors: KEY if it is missing or is a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_dict(const td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* What stands under a key. */
typedef int32_t td_entry_kind;
enum { TD_ENTRY_NONE = 0, TD_ENTRY_TENSOR = 1, TD_ENTRY_DICT = 2 };

/* What stands under `key`: TD_ENTRY_NONE if it is missing, also below a tensor.   Like `key in td`, with the kind.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_has(const td_dict *self, const td_key *key, td_entry_kind *out, td_error **err) TD_NOEXCEPT;

/* Removes the entry; nodes that it leaves empty stay.   Like del td[key].
 * Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_delete(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

/* Which keys td_dict_keys lists. */
enum {
  TD_KEYS_NESTED = 1 << 0, /* go into nodes; a node is listed before what it holds */
  TD_KEYS_LEAVES = 1 << 1  /* tensors only */
};

/* A snapshot of the keys in insertion order.   Like td.keys(include_nested, leaves_only).   [any-thread]  Since 0.1 */
TD_API td_status td_dict_keys(const td_dict *self, uint64_t flags, td_keys **out, td_error **err) TD_NOEXCEPT;

/* A copy: nodes are new, tensors are shared.   Like td.copy().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_copy(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A deep copy: tensors are cloned, with their autograd history.   Like td.clone().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_clone(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Index and stack ---------------------------------------------------------------------------------------------------- */

typedef int32_t td_index_kind;
enum {
  TD_INDEX_KIND_INT = 0,      /* start */
  TD_INDEX_KIND_SLICE = 1,    /* start:stop:step; step >= 1; negative start and stop count from the end */
  TD_INDEX_KIND_NONE = 2,     /* a new dim of size 1 */
  TD_INDEX_KIND_ELLIPSIS = 3, /* as many full slices as are left; at most one */
  TD_INDEX_KIND_TENSOR = 4    /* integers, or a bool mask over as many dims as it has */
};

/* One component of an index. */
typedef struct td_index {
  td_index_kind kind;
  int32_t reserved; /* 0 */
  int64_t start, stop, step;
  const td_tensor *tensor;
} td_index;
#define TD_END INT64_MAX /* a slice without stop */
#define TD_INT(i) \
  { 0, 0, (i), 0, 0, NULL }
#define TD_SLICE(start, stop) \
  { 1, 0, (start), (stop), 1, NULL }
#define TD_STEP_SLICE(start, stop, step) \
  { 1, 0, (start), (stop), (step), NULL }
#define TD_TENSOR(t) \
  { 4, 0, 0, 0, 0, (t) }

/* Indexes the batch dims of every entry. Integers, slices and NONE give views, tensors give copies; the result is
 * unlocked.   Like td[index].
 * Errors: INDEX if it is out of range, or reaches past the batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_index(const td_dict *self, const td_index *indices, size_t n, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Stacks dicts of equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative counts from the end of the
 * result).   Like torch.stack over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_stack(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* ---- Operators over dicts ------------------------------------------------------------------------------------------------ */

/* Calls `op` once for each leaf. Arguments of kind DICT are replaced by that leaf of theirs; all DICTs have the same leaf
 * keys. Other arguments go to every call unchanged. `outs` receive one dict for each tensor that the operator returns,
 * with the nodes and the batch size of the first DICT. With an operator that writes in place the leaves are written and the
 * results share them; nothing is written unless every leaf can be called.
 * Errors: ARGUMENT without a DICT; KEY if the leaves differ; SHAPE if a result loses the batch dims; and those of td_op_call,
 * with the key.   Like td.add(other) and its 150 siblings.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_apply_op(const td_op *op, const td_value *args, size_t n_args, const td_named_value *kwargs,
                                  size_t n_kwargs, td_dict **outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* ---- Lock and print ------------------------------------------------------------------------------------------------------ */

/* Forbids structural changes here and in all nodes below; values may still be written in place.   Like td.lock_().   [exclusive]  Since 0.1 */
TD_API td_status td_dict_lock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Allows them again, here and below.   Like td.unlock_().
 * Errors: LOCKED while a locked dict that contains this one is alive; nothing has changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_unlock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* 1 if the dict is locked.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_locked(const td_dict *self) TD_NOEXCEPT;

/* The text that Python's repr(td) gives for the same content.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_repr(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ==== Storage =============================================================================================================
 * The memmap directory of Python's tensordict: one file a tensor, one meta.json a dict. What stock Python saves we open
 * without a copy, and what we save it opens.
 *
 *     td_dict *data;
 *     td_open(TD_STR("digits/memmap"), NULL, &data, &err);     // nothing is read yet but the meta.json files
 */

typedef int32_t td_open_mode;
enum {
  TD_MODE_READ = 0, /* memory is mapped read-only: our own writes refuse with LOCKED */
  TD_MODE_COW = 1   /* writes stay in this process and never reach the file */
};

typedef struct td_open_options {
  size_t struct_size;
  td_open_mode mode;
} td_open_options;
#define TD_OPEN_OPTIONS_INIT \
  { sizeof(td_open_options), TD_MODE_READ }

/* Opens what Python's td.save(path) or td_save wrote. Strict: every size, type and name is checked first, links are not
 * followed, and nothing outside `path` is read. `options` may be NULL.   Like TensorDict.load_memmap, which tolerates more.
 * Errors: NOT_FOUND; CORRUPT naming the file (missing or short leaf, bad JSON, batch mismatch...); UNSUPPORTED for
 * collection kinds that this version does not open; DTYPE; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_open(td_str path, const td_open_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_save_options {
  size_t struct_size;
  td_bool overwrite; /* 1: replace an earlier save as a whole; 0: EXISTS if there is something */
  td_bool sync;      /* 1: fsync before the new save becomes visible */
} td_save_options;
#define TD_SAVE_OPTIONS_INIT \
  { sizeof(td_save_options), 0, 0 }

/* Saves as a memmap directory, byte for byte as Python does. It is built beside `path` and renamed: a crash leaves the old
 * or the new, never half. `options` may be NULL.   Like TensorDict.save.
 * Errors: EXISTS; KEY for names that the format cannot hold; UNSUPPORTED for layouts without bytes; NOSPACE; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_save(const td_dict *self, td_str path, const td_save_options *options, td_error **err) TD_NOEXCEPT;

/* ==== Shared segments ======================================================================================================
 * A dict in named shared memory, which any process of the same user opens without a copy; stock Python too, with
 * TensorDict.from_consolidated(td_segment_path).
 *
 *     td_segment_create(TD_STR("digits.predictions"), td, NULL, &seg, &err);      // the owner
 *     td_segment_open(TD_STR("digits.predictions"), &seg, &err);                  // everybody else, read-only
 *     td_segment_dict(seg, &views, &err);
 */

typedef struct td_segment_options {
  size_t struct_size;
  td_bool keep; /* 1: the name outlives the owner's last reference; 0: it is unlinked then */
} td_segment_options;
#define TD_SEGMENT_OPTIONS_INIT \
  { sizeof(td_segment_options), 0 }

/* Copies `dict` into a new segment and makes it visible under `name` at one stroke, readable by this user only (0600).
 * Names are 1 to 200 of A-Z a-z 0-9 _ . -, not beginning with a dot. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name; NOSPACE; UNSUPPORTED for layouts without bytes; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_create(td_str name, const td_dict *dict, const td_segment_options *options,
                                   td_segment **out, td_error **err) TD_NOEXCEPT;

/* Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write is refused.
 * Errors: NOT_FOUND; CORRUPT; VERSION; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open(td_str name, td_segment **out, td_error **err) TD_NOEXCEPT;

/* The dict in the segment, locked. Its tensors are views of the shared memory: the owner's may be written, the others'
 * are read-only. They keep the memory mapped, also after td_segment_release and td_segment_unlink.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_dict(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the segment's tensors in place: other processes see them without reopening. Readers that
 * must not see a mix compare td_segment_version before and after.
 * Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure; nothing is written then.
 * [exclusive]  Since 0.1 */
TD_API td_status td_segment_update(td_segment *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* Number of updates begun and ended: it is odd while one is under way. 0 for NULL.   [any-thread]  Since 0.1 */
TD_API uint64_t td_segment_version(const td_segment *self) TD_NOEXCEPT;

/* The file that stock Python opens, "/dev/shm/digits.predictions". Lives as long as the segment.   [any-thread]  Since 0.1 */
TD_API td_str td_segment_path(const td_segment *self) TD_NOEXCEPT;

/* Bytes of the whole segment; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_segment_nbytes(const td_segment *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the segment open keep it.
 * Errors: NOT_FOUND; CORRUPT if it is not a segment; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Dropping the owner's last one unlinks the name, unless `keep`.   [any-thread]  Since 0.1 */
TD_API void td_segment_retain(const td_segment *self) TD_NOEXCEPT;
TD_API void td_segment_release(const td_segment *self) TD_NOEXCEPT;

/* ==== Modules ===============================================================================================================
 * A module is a pure function of its state (parameters and buffers, which the library owns) and its inputs. Types come
 * from plugins; td_module_tensordict gives one in- and out-keys, td_module_sequential chains them.
 *
 *     td_module_create(TD_STR("td.mlp"), TD_STR("{\"in_features\":64,\"hidden\":[32],\"out_features\":10}"), rng, &net, &err);
 *     td_module_tensordict(net, &in, 1, &out, 1, &policy, &err);
 *     td_module_forward(policy, td, &err);                     // reads `in`, writes `out`
 */

/* Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. Parameters start at
 * the type's own distribution drawn from `generator` (NULL: the default one).
 * Errors: NOT_FOUND for an unknown type (the message lists those there are); ARGUMENT for a bad config; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_module_create(td_str type, td_str config, td_generator *generator, td_module **out,
                                  td_error **err) TD_NOEXCEPT;

/* A function of the caller's as a module without state. `fn` borrows its inputs and fills `outputs` with new references;
 * `destroy(userdata)` runs once, when the module dies or before the creating call returns if it fails. */
typedef struct td_module_function {
  td_status (*fn)(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_function;

/* Makes a module that calls `function.fn`. It may be called from any thread that runs the module, and may call this library.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_function(td_module_function function, td_module **out, td_error **err) TD_NOEXCEPT;

/* Gives `inner` keys: forward reads the in_keys in order and writes the results to the out_keys ("_" drops one).
 * Like TensorDictModule.   Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_tensordict(td_module *inner, const td_key *in_keys, size_t n_in, const td_key *out_keys,
                                      size_t n_out, td_module **out, td_error **err) TD_NOEXCEPT;

/* Chains modules that have keys.   Like TensorDictSequential.
 * Errors: ARGUMENT naming the member without keys.   [any-thread]  Since 0.1 */
TD_API td_status td_module_sequential(td_module *const *modules, size_t n, td_module **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_module_retain(const td_module *self) TD_NOEXCEPT;
TD_API void td_module_release(const td_module *self) TD_NOEXCEPT;

/* Training mode, here and in all children: it is handed to the plugins' functions.   Like Module.train.   [exclusive]  Since 0.1 */
TD_API td_status td_module_train(td_module *self, td_bool training, td_error **err) TD_NOEXCEPT;

/* Runs a module that has keys on `data`, in place: on failure `data` keeps the keys written by members that succeeded.
 * Errors: ARGUMENT if it has no keys; KEY for a missing input; SHAPE; LOCKED; and those of the module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward(const td_module *self, td_dict *data, td_error **err) TD_NOEXCEPT;

/* The same with the parameters and buffers of `state` in place of the module's own; entries it lacks are taken from the
 * module. The module is not changed.   Like torch.func.functional_call.
 * Errors: KEY for an entry that the module does not have.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward_with(const td_module *self, const td_dict *state, td_dict *data,
                                        td_error **err) TD_NOEXCEPT;

/* Runs a module on tensors; `outputs` receive `n_outputs` new references.
 * Errors: ARGUMENT if it returns another number; and those of the module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_call(const td_module *self, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* The state as a dict that mirrors the module tree, without batch dims. The tensors are the module's own.
 * Like TensorDict.from_module.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_module(const td_module *module, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The states of `n` modules stacked along a new batch dim 0: new leaves, independent of the modules, that require grad as
 * the first module's do.   Like TensorDict.from_modules.
 * Errors: ARGUMENT for n = 0; KEY or SHAPE naming the entry that differs.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_modules(td_module *const *modules, size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_randomness;
enum {
  TD_RANDOMNESS_ERROR = 0,     /* random operators fail */
  TD_RANDOMNESS_DIFFERENT = 1, /* each member draws its own numbers */
  TD_RANDOMNESS_SAME = 2
};

typedef struct td_vmap_options {
  size_t struct_size;
  td_randomness randomness;
  int32_t data_dim; /* batch dim of `data` that is mapped, or TD_VMAP_SHARED: every member gets all of it */
} td_vmap_options;
#define TD_VMAP_SHARED INT32_MIN
#define TD_VMAP_OPTIONS_INIT \
  { sizeof(td_vmap_options), TD_RANDOMNESS_ERROR, TD_VMAP_SHARED }

/* Runs the module once for each of the N states in `states` (batch size [N], as td_dict_from_modules gives), vectorised:
 * the result is a new dict of batch size [N, batch...] with all entries of `data` and all outputs. `data` is not
 * changed.   Like vmap over functional_call.
 * Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; TORCH for random operators under
 * TD_RANDOMNESS_ERROR; and those of td_module_forward_with.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_vmap(const td_module *self, const td_dict *states, const td_dict *data,
                                const td_vmap_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Optimizers ----------------------------------------------------------------------------------------------------------
 * LibTorch's own, over the leaves of a dict that require grad.
 */

typedef struct td_sgd_options {
  size_t struct_size;
  double lr, momentum, dampening, weight_decay;
  td_bool nesterov;
} td_sgd_options;
#define TD_SGD_OPTIONS_INIT \
  { sizeof(td_sgd_options), 1e-3, 0.0, 0.0, 0.0, 0 }

typedef struct td_adam_options {
  size_t struct_size;
  double lr, beta1, beta2, eps, weight_decay;
  td_bool amsgrad;
} td_adam_options;
#define TD_ADAM_OPTIONS_INIT \
  { sizeof(td_adam_options), 1e-3, 0.9, 0.999, 1e-8, 0.0, 0 }

/* Make an optimizer over every leaf of `params` that requires grad; `options` may be NULL.   Like torch.optim.SGD, Adam.
 * Errors: ARGUMENT if no leaf requires grad, or an option is out of range.   [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_sgd(const td_dict *params, const td_sgd_options *options, td_optimizer **out,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_optimizer_adam(const td_dict *params, const td_adam_options *options, td_optimizer **out,
                                   td_error **err) TD_NOEXCEPT;

/* Forgets the collected gradients.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_zero_grad(td_optimizer *self, td_error **err) TD_NOEXCEPT;

/* Changes the parameters in place by one step.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_step(td_optimizer *self, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_optimizer_retain(const td_optimizer *self) TD_NOEXCEPT;
TD_API void td_optimizer_release(const td_optimizer *self) TD_NOEXCEPT;

/* ==== Distributions =========================================================================================================
 * Types come from plugins; their functions are operator calls, so gradients flow.
 *
 *     td_dist_create(TD_STR("td.normal"), params, TD_STR("{}"), &dist, &err);    // params: {"loc", "scale"}
 *     td_dist_rsample(dist, NULL, 0, rng, &x, &err);
 */

/* Makes a distribution from its parameters, which are kept by reference. `config` is a JSON object; NULL data is {}.
 * Errors: NOT_FOUND; KEY for a missing or unknown parameter; SHAPE if they do not broadcast; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_create(td_str type, const td_dict *params, td_str config, td_dist **out,
                                td_error **err) TD_NOEXCEPT;

/* Draws `shape` + batch shape values, without and with gradients to the parameters. `generator` may be NULL.
 * Errors: UNSUPPORTED if the type cannot.   Like Distribution.sample, rsample.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_sample(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_rsample(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                 td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The log of the density or mass at `value`.   Errors: UNSUPPORTED; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob(const td_dist *self, const td_tensor *value, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

typedef int32_t td_dist_stat;
enum { TD_DIST_MEAN = 0, TD_DIST_MODE = 1, TD_DIST_VARIANCE = 2, TD_DIST_ENTROPY = 3 };

/* A statistic, of the batch shape.   Errors: UNSUPPORTED if the type has none.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_get(const td_dist *self, td_dist_stat stat, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dist_retain(const td_dist *self) TD_NOEXCEPT;
TD_API void td_dist_release(const td_dist *self) TD_NOEXCEPT;

/* ==== Queries ===============================================================================================================
 * Maps rows to dense indices: the first occurrence of a row gets the next free index. Rows are bytes, hashed by a plugin;
 * with the default type the values are those of CPython and torchrl under PYTHONHASHSEED=0.
 *
 *     td_query_new(TD_KEY("image"), 1, NULL, &query, &err);
 *     td_query_forward(query, td, TD_QUERY_DEFAULT, &err);     // writes "_index" and "_hash"
 */

typedef struct td_query_options {
  size_t struct_size;
  const td_key *index_key; /* NULL: "_index" */
  const td_key *hash_key;  /* NULL: "_hash" */
  td_str hash_type;        /* NULL data: "td.siphash" */
  td_str hash_config;      /* JSON; NULL data: {} */
} td_query_options;
#define TD_QUERY_OPTIONS_INIT                          \
  {                                                    \
    sizeof(td_query_options), NULL, NULL, {NULL, 0}, { \
      NULL, 0                                          \
    }                                                  \
  }

/* Makes an empty map over `n` keys. With several keys the rows' hashes are hashed again, in the order of the keys.
 * `options` may be NULL.   Like torchrl's QueryModule.
 * Errors: ARGUMENT for n = 0 or a bad config; NOT_FOUND for an unknown hash type.   [any-thread]  Since 0.1 */
TD_API td_status td_query_new(const td_key *in_keys, size_t n, const td_query_options *options, td_query **out,
                              td_error **err) TD_NOEXCEPT;

enum {
  TD_QUERY_EXTEND = 1 << 0, /* rows not seen before get new indices; else they get the size of the map, as in torchrl */
  TD_QUERY_WRITE_HASH = 1 << 1, /* also write the int64 hash */
  TD_QUERY_DEFAULT = (1 << 0) | (1 << 1)
};

/* Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure neither
 * the map nor `data` has changed.   Like QueryModule.forward.
 * Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
 * size; DTYPE; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_query_forward(td_query *self, td_dict *data, uint64_t flags, td_error **err) TD_NOEXCEPT;

/* Number of different rows seen.   [any-thread]  Since 0.1 */
TD_API int64_t td_query_size(const td_query *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_query_retain(const td_query *self) TD_NOEXCEPT;
TD_API void td_query_release(const td_query *self) TD_NOEXCEPT;

/* ==== Plugins ===============================================================================================================
 * The bundled plugins (in `plugins/` beside the library) are found on first use; others are loaded on request. A plugin
 * stays loaded until the process ends.
 */

/* Loads one plugin file. Loading the same file again does nothing.
 * Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, or links LibTorch; VERSION with both sides' numbers if it was
 * built for another ABI; EXISTS if another plugin has one of its type ids.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_load(td_str file, td_error **err) TD_NOEXCEPT;

/* Loads every `*.so` of a directory, in the order of their names; files that are refused are listed in the report.
 * Errors: NOT_FOUND; IO.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_add_path(td_str directory, td_error **err) TD_NOEXCEPT;

/* The types there are, as a JSON array of {kind, id, plugin, version, file}.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_list(td_string **out, td_error **err) TD_NOEXCEPT;

/* What was loaded and what was refused, with the reasons; a line for each file.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_report(td_string **out, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

/* ==== In place ==============================================================================================================
 * Keys, shapes and values written in the call itself. They live until the end of the statement (C++) or block (C).
 */
#if defined(__cplusplus)
template <size_t N>
struct td_literal_key {
  td_str parts[N];
  td_key key;
  template <class... A>
  explicit td_literal_key(A... part) TD_NOEXCEPT : parts{td_str{part, TD_STRLEN}...}, key{parts, N} {}
  td_literal_key(const td_literal_key &) = delete;
  const td_key *get() const TD_NOEXCEPT { return &key; }
};
template <size_t N>
struct td_literal_dims {
  int64_t dims[N];
};
template <size_t N>
struct td_literal_count {
  char count[N];
};
template <class... A>
td_literal_count<sizeof...(A)> td_literal_count_of(A...);
#define TD_COUNT_(...) sizeof(td_literal_count_of(__VA_ARGS__))
#define TD_KEY(...) (td_literal_key<TD_COUNT_(__VA_ARGS__)>(__VA_ARGS__).get())
#define TD_SHAPE(...) (td_literal_dims<TD_COUNT_(__VA_ARGS__)>{{__VA_ARGS__}}.dims), TD_COUNT_(__VA_ARGS__)
#define TD_STR(text) (td_str{(text), TD_STRLEN})
#else
#define TD_PICK_(a, b, c, d, e, f, g, h, n, ...) n
#define TD_COUNT_(...) TD_PICK_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TD_S_(s) \
  { (s), TD_STRLEN }
#define TD_PARTS_1(a) TD_S_(a)
#define TD_PARTS_2(a, ...) TD_S_(a), TD_PARTS_1(__VA_ARGS__)
#define TD_PARTS_3(a, ...) TD_S_(a), TD_PARTS_2(__VA_ARGS__)
#define TD_PARTS_4(a, ...) TD_S_(a), TD_PARTS_3(__VA_ARGS__)
#define TD_PARTS_5(a, ...) TD_S_(a), TD_PARTS_4(__VA_ARGS__)
#define TD_PARTS_6(a, ...) TD_S_(a), TD_PARTS_5(__VA_ARGS__)
#define TD_PARTS_7(a, ...) TD_S_(a), TD_PARTS_6(__VA_ARGS__)
#define TD_PARTS_8(a, ...) TD_S_(a), TD_PARTS_7(__VA_ARGS__)
#define TD_JOIN_(a, b) a##b
#define TD_PARTS_N_(n, ...) TD_JOIN_(TD_PARTS_, n)(__VA_ARGS__)
#define TD_KEY(...) \
  (&(const td_key){(const td_str[]){TD_PARTS_N_(TD_COUNT_(__VA_ARGS__), __VA_ARGS__)}, TD_COUNT_(__VA_ARGS__)})
#define TD_SHAPE(...) ((const int64_t[]){__VA_ARGS__}), (sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#define TD_STR(text) ((td_str){(text), TD_STRLEN})
#endif
#define TD_NO_DIMS NULL, 0 /* a shape without dims, and a dict without batch dims */
#define TD_NO_STR TD_STR(NULL)

static inline td_value td_value_none(void) {
  td_value v = {TD_VALUE_NONE, 0, 0, {0}};
  return v;
}
static inline td_value td_value_default(void) {
  td_value v = {TD_VALUE_DEFAULT, 0, 0, {0}};
  return v;
}
static inline td_value td_value_int(int64_t i) {
  td_value v = {TD_VALUE_INT, 0, 0, {0}};
  v.as.i = i;
  return v;
}
static inline td_value td_value_double(double f) {
  td_value v = {TD_VALUE_DOUBLE, 0, 0, {0}};
  v.as.f = f;
  return v;
}
static inline td_value td_value_bool(int truth) {
  td_value v = {TD_VALUE_BOOL, 0, 0, {0}};
  v.as.i = truth != 0;
  return v;
}
static inline td_value td_value_dtype(td_dtype dtype) {
  td_value v = {TD_VALUE_DTYPE, 0, 0, {0}};
  v.as.i = dtype;
  return v;
}
static inline td_value td_value_str(td_str text) {
  td_value v = {TD_VALUE_STR, 0, 0, {0}};
  v.size = text.size;
  v.as.str = text.data;
  return v;
}
static inline td_value td_value_tensor(const td_tensor *tensor) {
  td_value v = {TD_VALUE_TENSOR, 0, 0, {0}};
  v.as.tensor = (td_tensor *)tensor;
  return v;
}
static inline td_value td_value_ints(const int64_t *ints, size_t n) {
  td_value v = {TD_VALUE_INTS, 0, 0, {0}};
  v.size = n;
  v.as.ints = ints;
  return v;
}
static inline td_value td_value_tensors(td_tensor *const *tensors, size_t n) {
  td_value v = {TD_VALUE_TENSORS, 0, 0, {0}};
  v.size = n;
  v.as.tensors = tensors;
  return v;
}
static inline td_value td_value_generator(td_generator *generator) {
  td_value v = {TD_VALUE_GENERATOR, 0, 0, {0}};
  v.as.generator = generator;
  return v;
}
static inline td_value td_value_dict(const td_dict *dict) {
  td_value v = {TD_VALUE_DICT, 0, 0, {0}};
  v.as.dict = dict;
  return v;
}

#endif /* TENSORDICT_H */
