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
 *   - The status says what happened; `err` may be NULL, else on failure it receives an owned td_error that says what
 *     was wrong, where, and what to do. No other output is written then, and nothing has changed; a doc says where it
 *     has.
 *   - `td_X **out` receives a new reference: give it back with td_X_release, which takes NULL. Arguments are borrowed
 *     for the call. A td_str or td_key that a getter returns is a view: its doc names the owner it lives as long as.
 *   - `const td_X *`: concurrent calls are allowed. `td_X *`: the caller makes sure that nobody else uses the handle,
 *     unless it is the `self` of a function that is tagged [any-thread].
 *     Writing to the data of a tensor while another thread reads it is the caller's race, whatever the handle's type.
 *   - Tags in the docs: [any-thread] may be called concurrently; [exclusive] needs the handle for itself;
 *     [may-block] may wait for a disk or another process; [may-call-back] runs code of the caller's.
 *   - A NULL handle, an unknown enum value or a size that does not fit is TD_ERR_ARGUMENT, never a crash; an unknown
 *     dtype is TD_ERR_DTYPE, and more than 64 dims are TD_ERR_SHAPE. Functions without a status answer NULL with 0,
 *     NULL or empty text, unless the doc says otherwise.
 *   - In the docs `Errors: KEY` means TD_ERR_KEY; the errors of this list, OOM and INTERNAL may come from every
 *     function. `Like` names what the original calls it.
 *   - Structs of options begin with struct_size: start from their TD_..._INIT, which NULL in place of options stands
 *     for. Members that the library does not know must be 0; those that the caller's header lacks have their defaults;
 *     a size that ends inside a member is TD_ERR_ARGUMENT. Structs without struct_size never change.
 *   - Callbacks follow this grammar too. `destroy(userdata)` may be NULL, and runs once, also when the call fails.
 *   - No function throws; an exception of a callback is caught and returned as TD_ERR_CALLBACK.
 *
 * Process rules: there is no init and no shutdown call. The library installs no signal handler and no atexit work, and
 * never changes the environment, the locale or the current directory. A forked child calls td_after_fork first, or
 * execs.
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

/* Owned text, immutable. */
typedef struct td_string td_string;
/* A list of keys, immutable. */
typedef struct td_keys td_keys;
/* A key made ready for repeated look-ups, immutable. */
typedef struct td_path td_path;
/* A list of dicts, immutable. */
typedef struct td_dict_list td_dict_list;
/* A transformed dict that goes back into its original. */
typedef struct td_scope td_scope;
typedef struct td_no_grad td_no_grad;
typedef struct td_segment td_segment;
typedef struct td_channel td_channel;
typedef struct td_message td_message;
typedef struct td_module td_module;
typedef struct td_optimizer td_optimizer;
typedef struct td_dist td_dist;
typedef struct td_transform td_transform;
typedef struct td_query td_query;
typedef struct td_store td_store;
typedef struct td_row_map td_row_map;
/* Where each tensor of a dict is in the one that all were packed into, immutable. */
typedef struct td_pack_layout td_pack_layout;

/* The name of a status, "TD_ERR_KEY" for instance; "TD_ERR_?" for unknown values. Static text.
 * [any-thread]  Since 0.1 */
TD_API const char *td_status_name(td_status status) TD_NOEXCEPT;

/* ---- Versions and features --------------------------------------------------------------------------------------- */

/* The version of the library that is loaded, "0.1.0". Static text.   [any-thread]  Since 0.1 */
TD_API const char *td_version(void) TD_NOEXCEPT;

/* The ABI major of the library that is loaded; equals TD_ABI_MAJOR of the header it was built from.
 * [any-thread]  Since 0.1 */
TD_API int32_t td_abi_version(void) TD_NOEXCEPT;

/* How the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler, boost,
 * features.
 * Errors: OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_build_info(td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if this build on this machine has the feature: "segment", "cuda", "uint16", "archive", "bzip2", "lzma", "hdf5".
 * Unknown names are 0.   [any-thread]  Since 0.1 */
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

/* Makes an error: callbacks report their failures with it. TD_OK as the code becomes TD_ERR_ARGUMENT. Never fails:
 * without memory it returns a fixed TD_ERR_OOM object, for which release does nothing.   [any-thread]  Since 0.1 */
TD_API td_error *td_error_new(td_status code, td_str message) TD_NOEXCEPT;

/* The status that the failing call returned; TD_OK for NULL.   [any-thread]  Since 0.1 */
TD_API td_status td_error_code(const td_error *self) TD_NOEXCEPT;

/* The whole message: what was wrong, where, and what to do. One line of 8 KiB at most, ends with a NUL; lives as long
 * as the error. What is longer lacks its middle.   [any-thread]  Since 0.1 */
TD_API td_str td_error_message(const td_error *self) TD_NOEXCEPT;

/* The key that was meant, as `("next", "obs")`; empty when no key was concerned. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_key(const td_error *self) TD_NOEXCEPT;

/* The file, segment, operator or plugin that was meant; empty when none was. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_where(const td_error *self) TD_NOEXCEPT;

/* What the caller can do about it; empty when there is nothing to add. Lives as long as the error.
 * [any-thread]  Since 0.1 */
TD_API td_str td_error_hint(const td_error *self) TD_NOEXCEPT;

/* The error that caused this one, or NULL. Borrowed: lives as long as `self`.   [any-thread]  Since 0.1 */
TD_API const td_error *td_error_cause(const td_error *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_error_retain(const td_error *self) TD_NOEXCEPT;
TD_API void td_error_release(const td_error *self) TD_NOEXCEPT;

/* ---- Strings and keys -----------------------------------------------------------------------------------------------
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

/* ---- Process ----------------------------------------------------------------------------------------------------- */

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
  TD_OBJECT_DIST = 12, /* and transforms */
  TD_OBJECT_QUERY = 13,
  TD_OBJECT_NO_GRAD = 14,
  TD_OBJECT_MAPPING = 15, /* files and segments mapped now, by whatever still uses them */
  TD_OBJECT_DICT_LIST = 16,
  TD_OBJECT_DATA_LIST = 17,
  TD_OBJECT_SCOPE = 18,
  TD_OBJECT_CHANNEL = 19,
  TD_OBJECT_MESSAGE = 20,
  TD_OBJECT_HASH = 21,
  TD_OBJECT_STORE = 22,
  TD_OBJECT_ROW_MAP = 23,
  TD_OBJECT_PACK_LAYOUT = 24
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
 * Errors: ARGUMENT if n < 1 or n > 4096.   [any-thread]  Since 0.1 */
TD_API td_status td_set_num_threads(int32_t n, td_error **err) TD_NOEXCEPT;

/* What LibTorch warns of, with the file and line that it comes from. Views are valid during the call only; no exception
 * may leave it. */
typedef void (*td_warning_function)(void *userdata, td_str text, td_str where);

/* Who hears of warnings that arise in calls of this library, for the whole process: `fn` is called on the thread of
 * that call, while an operator runs. NULL, as at the start: nobody, and nothing is written to stderr. When this
 * returns, the function before it may still run on other threads.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_set_warning_callback(td_warning_function fn, void *userdata, td_error **err) TD_NOEXCEPT;

/* Makes the library usable in a forked child: one thread for operators (LibTorch's pool does not survive a fork), and
 * segments that the parent created are no longer unlinked by the child. Call it first in the child. A handle that
 * another thread of the parent was using is not for the child. A fork waits for the locks of this library, but not for
 * those that LibTorch takes in the first call of a thread or of an operator.   [exclusive]  Since 0.1 */
TD_API void td_after_fork(void) TD_NOEXCEPT;

/* ==== Tensors ========================================================================================================
 * A td_tensor is one reference to a LibTorch tensor: shared storage, any strides, autograd. Equal to Python's
 * torch.Tensor; nothing is copied unless the doc says so.
 *
 *     float xs[6] = {1, 2, 3, 4, 5, 6};
 *     td_tensor *x;
 *     td_tensor_copy_from(xs, TD_FLOAT32, TD_SHAPE(2, 3), &x, &err);
 */

/* Tells the owner of foreign memory that the last view of it is gone. Runs on any thread, exactly once. */
typedef void (*td_release_fn)(void *owner);

/* Makes a tensor over `data`, which stays the caller's and must live until `release(owner)` is called: when the last
 * view is dropped, or before this call returns if it fails. `strides` counts elements and may be NULL for row-major;
 * `release` may be NULL for memory that outlives the process's use of it.   Like torch.from_blob.
 * Errors: ARGUMENT for a NULL `data` with elements, or one that is not aligned to its dtype; DTYPE; SHAPE for a
 * negative or overflowing size or a negative stride.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_memory(void *data, td_dtype dtype, const int64_t *dims, size_t ndim,
                                       const int64_t *strides, td_release_fn release, void *owner, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;

/* Makes a tensor with a copy of row-major `data`.   Like torch.tensor.
 * Errors: as td_tensor_from_memory, without the alignment; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_copy_from(const void *data, td_dtype dtype, const int64_t *dims, size_t ndim,
                                     td_tensor **out, td_error **err) TD_NOEXCEPT;

/* New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
 * TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
 * Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; OOM.
 * [any-thread]  Since 0.1 */
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

/* Number of dims; 0 for NULL.   Like Tensor.ndim.   [any-thread]  Since 0.1 */
TD_API size_t td_tensor_ndim(const td_tensor *self) TD_NOEXCEPT;

/* Fill up to `capacity` entries of `out` and return the number of dims; `out` may be NULL if `capacity` is 0. Strides
 * count elements; 0 is returned for a NULL tensor and for layouts without strides.   Like Tensor.shape, stride.
 * [any-thread]  Since 0.1 */
TD_API size_t td_tensor_shape(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_tensor_strides(const td_tensor *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Number of elements, bytes of one element, and bytes of all elements; 0 for NULL.   Like Tensor.numel, itemsize,
 * nbytes.   [any-thread]  Since 0.1 */
TD_API int64_t td_tensor_numel(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_itemsize(const td_tensor *self) TD_NOEXCEPT;
TD_API int64_t td_tensor_nbytes(const td_tensor *self) TD_NOEXCEPT;

/* The element type; TD_DTYPE_NONE for NULL and for types that td_dtype has no name for.   Like Tensor.dtype.
 * [any-thread]  Since 0.1 */
TD_API td_dtype td_tensor_dtype(const td_tensor *self) TD_NOEXCEPT;

/* The device, as "cpu" or "cuda:0".   Like Tensor.device.
 * Errors: ARGUMENT; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_device(const td_tensor *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if the elements lie in row-major order without gaps.   Like Tensor.is_contiguous.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_contiguous(const td_tensor *self) TD_NOEXCEPT;

/* 1 if the memory is mapped read-only: writing through td_tensor_data would fault, so our own writes refuse with
 * LOCKED. [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_read_only(const td_tensor *self) TD_NOEXCEPT;

/* 1 if forked processes, or others that map the same file or segment, see what is written to the memory; and for a
 * GPU's. Like Tensor.is_shared.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_is_shared(const td_tensor *self) TD_NOEXCEPT;

/* The first element of a CPU tensor; lives as long as the tensor. Never NULL on success, also for 0 elements.
 * Read-only tensors give their address through td_tensor_data; td_tensor_mutable_data refuses them.   Like
 * Tensor.data_ptr.
 * Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors, lazy conjugates
 * and negatives, and inside a vmap.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_data(const td_tensor *self, const void **out_view, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_mutable_data(td_tensor *self, void **out_view, td_error **err) TD_NOEXCEPT;

/* A copy with its own memory.   Like Tensor.clone.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_clone(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same tensor if it is row-major already, else a row-major copy.   Like Tensor.contiguous.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_contiguous(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same tensor if nothing changes, else a copy of another dtype (TD_DTYPE_NONE: keep) on another device (NULL data:
 * keep). Like Tensor.to.   Errors: DTYPE; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_to(const td_tensor *self, td_dtype dtype, td_str device, td_tensor **out,
                              td_error **err) TD_NOEXCEPT;

/* Copies `src` into the memory of `self`, with broadcasting and a dtype cast.   Like Tensor.copy_.
 * Errors: SHAPE; LOCKED if `self` is read-only.   [exclusive]  Since 0.1 */
TD_API td_status td_tensor_copy_(td_tensor *self, const td_tensor *src, td_error **err) TD_NOEXCEPT;

/* The value of a tensor with one element, as INT, DOUBLE or BOOL.   Like Tensor.item.
 * Errors: SHAPE if it has more or fewer elements; DTYPE for complex ones.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_item(const td_tensor *self, td_value *out, td_error **err) TD_NOEXCEPT;

/* ---- Lists of tensors -------------------------------------------------------------------------------------------- */

/* Number of tensors; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_tensor_list_size(const td_tensor_list *self) TD_NOEXCEPT;

/* A new reference to the tensor at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_list_get(const td_tensor_list *self, size_t index, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_tensor_list_retain(const td_tensor_list *self) TD_NOEXCEPT;
TD_API void td_tensor_list_release(const td_tensor_list *self) TD_NOEXCEPT;

/* ---- DLPack ---------------------------------------------------------------------------------------------------------
 * Exchange with NumPy, JAX, CuPy, Arrow and PyTorch itself, without a copy. The structs are those of dlpack.h (any
 * 1.x for the versioned one); this header only names them.
 */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* Give the tensor away: the receiver calls the struct's own deleter once. Read-only tensors carry DLPack's read-only
 * flag; the unversioned form has no such flag and refuses them with LOCKED.   Like Tensor.__dlpack__.
 * Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and ones that require grad (detach first); DEVICE if
 * the data is not in this process's memory; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_to_dlpack(const td_tensor *self, struct DLManagedTensorVersioned **out,
                                     td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_to_dlpack_unversioned(const td_tensor *self, struct DLManagedTensor **out,
                                                 td_error **err) TD_NOEXCEPT;

/* Take a tensor: its deleter is called when the last view is dropped, or before this call returns if it fails.
 * Like torch.from_dlpack.
 * Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE; ARGUMENT for data that is not aligned.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_from_dlpack(struct DLManagedTensorVersioned *managed, td_tensor **out,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_from_dlpack_unversioned(struct DLManagedTensor *managed, td_tensor **out,
                                                   td_error **err) TD_NOEXCEPT;

/* ---- Autograd -------------------------------------------------------------------------------------------------------
 * As in PyTorch: leaves that require grad collect it in td_tensor_grad when td_tensor_backward runs.
 */

/* 1 if operations on the tensor are recorded.   Like Tensor.requires_grad.   [any-thread]  Since 0.1 */
TD_API td_bool td_tensor_requires_grad(const td_tensor *self) TD_NOEXCEPT;

/* Starts or stops recording on a leaf.   Like Tensor.requires_grad_.
 * Errors: DTYPE unless it is a floating or complex tensor; ARGUMENT to stop on a non-leaf (detach it).
 * [exclusive]  Since 0.1 */
TD_API td_status td_tensor_set_requires_grad(td_tensor *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* Adds the gradient of `self` to the grad of every leaf it was computed from. `gradient` may be NULL for a tensor of
 * one element. `retain_graph` keeps the graph for another call.   Like Tensor.backward.
 * Errors: SHAPE for more elements and no gradient; ARGUMENT if nothing requires grad; TORCH.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_backward(const td_tensor *self, const td_tensor *gradient, td_bool retain_graph,
                                    td_error **err) TD_NOEXCEPT;

/* The collected gradient, a new reference; `*out` is NULL if there is none yet.   Like Tensor.grad.
 * [any-thread]  Since 0.1 */
TD_API td_status td_tensor_grad(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same data without its history.   Like Tensor.detach.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_detach(const td_tensor *self, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Stops recording on the calling thread until td_no_grad_end. Scopes of one thread end in reverse order of their begin;
 * in Go, lock the goroutine to its thread in between.   Like torch.no_grad.   [any-thread]  Since 0.1 */
TD_API td_status td_no_grad_begin(td_no_grad **out, td_error **err) TD_NOEXCEPT;

/* Ends the scope and frees it.
 * Errors: ARGUMENT on another thread than its begin, or if an inner scope is still open; the scope then stays.
 * [exclusive]  Since 0.1 */
TD_API td_status td_no_grad_end(td_no_grad *self, td_error **err) TD_NOEXCEPT;

/* ---- Random numbers ---------------------------------------------------------------------------------------------- */

/* Makes a CPU generator; the same seed gives the same numbers as torch.Generator().manual_seed(seed).
 * [any-thread]  Since 0.1 */
TD_API td_status td_generator_new(uint64_t seed, td_generator **out, td_error **err) TD_NOEXCEPT;

/* Starts the sequence of `seed` again.   Like Generator.manual_seed.   [exclusive]  Since 0.1 */
TD_API td_status td_generator_seed(td_generator *self, uint64_t seed, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_generator_retain(const td_generator *self) TD_NOEXCEPT;
TD_API void td_generator_release(const td_generator *self) TD_NOEXCEPT;

/* Seeds LibTorch's default generators, for the whole process.   Like torch.manual_seed.   [any-thread]  Since 0.1 */
TD_API td_status td_manual_seed(uint64_t seed, td_error **err) TD_NOEXCEPT;

/* ==== Operators ======================================================================================================
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

/* Calls the operator. Positional `args` first, then `kwargs` by name, then the schema's defaults. A number is taken
 * where the schema asks for a Tensor, Scalar, float or a list of one; an INTS where it asks for SymInt[].
 * `outs[0..n_outs)` receive the results in order; more outs than results are set to NONE, fewer is ARGUMENT.
 * Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
 * UNSUPPORTED for a result that no td_value holds; SHAPE, INDEX, DTYPE where LibTorch says so, else TORCH.
 * [any-thread]  Since 0.1 */
TD_API td_status td_op_call(const td_op *self, const td_value *args, size_t n_args, const td_named_value *kwargs,
                            size_t n_kwargs, td_value *outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* Releases what a result owns and sets it to NONE; NULL is allowed. Not for values that only borrow.
 * [exclusive]  Since 0.1 */
TD_API void td_value_clear(td_value *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_op_retain(const td_op *self) TD_NOEXCEPT;
TD_API void td_op_release(const td_op *self) TD_NOEXCEPT;

/* ==== Dicts ==========================================================================================================
 * A td_dict is a batched, nested, ordered map from keys to tensors, dicts and non-tensor data. Every entry's leading
 * dims equal the batch size; that is checked when it is set, and only then.
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

/* Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL. -1 is a size in which the
 * members of a lazy stack differ.   Like TensorDict.batch_size.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_batch_size(const td_dict *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Changes the batch size; allowed on a locked dict. Nodes whose own batch size is shorter grow with it.
 * Like TensorDict.batch_size.   Errors: SHAPE naming the first entry that does not fit.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_batch_size(td_dict *self, const int64_t *batch_size, size_t ndim,
                                        td_error **err) TD_NOEXCEPT;

/* The device that entries are moved to; `*out` is NULL if there is none.   Like TensorDict.device.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_device(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Forgets the device, or takes the one that all tensors are on (none if they differ, or if there are none), here and in
 * every dict below; nothing is moved. Allowed on a locked dict.   Like TensorDict.clear_device_, auto_device_.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_clear_device(td_dict *self, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_auto_device(td_dict *self, td_error **err) TD_NOEXCEPT;

/* The first batch size, or 0 without batch dims.   Like len(td).   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_len(const td_dict *self) TD_NOEXCEPT;

/* Number of entries at the root.   Like len(td.keys()).   [any-thread]  Since 0.1 */
TD_API size_t td_dict_count(const td_dict *self) TD_NOEXCEPT;

/* Bytes of all tensors, nested ones too.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_nbytes(const td_dict *self) TD_NOEXCEPT;

/* The levels of nodes above the deepest tensor; 0 without nodes and for NULL.   Like TensorDict.depth.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_dict_depth(const td_dict *self) TD_NOEXCEPT;

/* The dtype that all tensors have; TD_DTYPE_NONE if they differ, without tensors and for NULL.   Like TensorDict.dtype.
 * [any-thread]  Since 0.1 */
TD_API td_dtype td_dict_dtype(const td_dict *self) TD_NOEXCEPT;

/* 1 if all tensors are floating; also without tensors, and for NULL.   Like TensorDict.is_floating_point.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_floating_point(const td_dict *self) TD_NOEXCEPT;

/* Elements of all tensors, and their bytes with those of collected gradients. Without `count_duplicates` a tensor that
 * is under several keys counts once.   Like TensorDict.param_count, bytes.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_param_count(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;
TD_API int64_t td_dict_param_bytes(const td_dict *self, td_bool count_duplicates) TD_NOEXCEPT;

/* Puts `value` under `key`, replacing what is there; missing nodes are made with this dict's batch size. The tensor is
 * stored, not copied: later in-place writes show in the dict.   Like TensorDict.set.
 * Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
 * tensor; DEVICE if the dict has a device and the move fails; ARGUMENT for more than 250 levels, those above this dict
 * counted. [exclusive]  Since 0.1 */
TD_API td_status td_dict_set(td_dict *self, const td_key *key, const td_tensor *value, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_set_p(td_dict *self, const td_path *path, const td_tensor *value, td_error **err) TD_NOEXCEPT;

/* Puts a dict under `key`. It is stored itself if its batch size begins with this dict's (and the device agrees); else
 * a shallow copy with this dict's batch size is stored and `value` is left as it is.   Like TensorDict.set.
 * Errors: as td_dict_set; ARGUMENT if `value` would contain itself, or has other names for its dims.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_dict(td_dict *self, const td_key *key, td_dict *value, td_error **err) TD_NOEXCEPT;

/* Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
 * Errors: KEY if there is none; SHAPE; LOCKED if that memory is read-only; TORCH for a leaf that requires grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into(td_dict *self, const td_key *key, const td_tensor *value,
                                   td_error **err) TD_NOEXCEPT;

/* The tensor under `key`, a new reference.   Like td[key].
 * A missing key is always an error (there is no set_get_defaults_to_none: a process-wide switch would change what other
 * code in the process means); td_dict_has asks.
 * Errors: KEY if it is missing, is a dict, or the path runs through a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get(const td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_get_p(const td_dict *self, const td_path *path, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The tensors under `n` paths in one call; all or none.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_many(const td_dict *self, const td_path *const *paths, size_t n, td_tensor **outs,
                                  td_error **err) TD_NOEXCEPT;

/* The dict under `key`, a new reference: changes show in `self`.   Like td[key].
 * Errors: KEY if it is missing or is a tensor.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_dict(const td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* What stands under a key. */
typedef int32_t td_entry_kind;
enum { TD_ENTRY_NONE = 0, TD_ENTRY_TENSOR = 1, TD_ENTRY_DICT = 2, TD_ENTRY_DATA = 3 };

/* What stands under `key`: TD_ENTRY_NONE if it is missing, also below a tensor.   Like `key in td`, with the kind.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_has(const td_dict *self, const td_key *key, td_entry_kind *out, td_error **err) TD_NOEXCEPT;

/* The tensor under `key`, which is `value` from now on if there was no entry.   Like TensorDict.setdefault.
 * Errors: KEY if the entry is no tensor; and those of td_dict_set.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_setdefault(td_dict *self, const td_key *key, const td_tensor *value, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;

/* Removes the entry; nodes that it leaves empty stay.   Like del td[key].
 * Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_delete(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

/* Which keys td_dict_keys lists. */
enum {
  TD_KEYS_NESTED = 1 << 0,         /* go into nodes; a node is listed before what it holds */
  TD_KEYS_LEAVES = 1 << 1,         /* tensors only */
  TD_KEYS_SORTED = 1 << 2,         /* by the parts joined with dots, as bytes; else in insertion order */
  TD_KEYS_CHILDREN_FIRST = 1 << 3, /* what a node holds is listed before the node, as td.keys(True) does */
  TD_KEYS_DATA = 1 << 4,           /* with TD_KEYS_LEAVES: non-tensor entries too */
  TD_KEYS_DATA_ONLY = 1 << 5       /* non-tensor entries, as td.non_tensor_items() lists them */
};

/* A snapshot of the keys.   Like td.keys(include_nested, leaves_only, sort).
 * Errors: ARGUMENT for unknown flags.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_keys(const td_dict *self, uint64_t flags, td_keys **out, td_error **err) TD_NOEXCEPT;

/* ---- Non-tensor data ------------------------------------------------------------------------------------------------
 * Text, numbers, bytes or JSON under a key: one value for the whole batch, or one for each batch element, which goes
 * wherever an operation takes that element. Python's NonTensorData and NonTensorStack.
 *
 *     td_dict_set_data(td, TD_KEY("task"), td_data_str(TD_STR("digits")), &err);
 *     td_dict_get_data(td, TD_KEY("task"), &task, &err);
 *     td_data_list_get(task, 0, &value, &err);                 // value.text is "digits" while `task` lives
 */

/* What a td_data holds. */
typedef int32_t td_data_kind;
enum {
  TD_DATA_NONE = 0,
  TD_DATA_BOOL = 1,   /* i, 0 or 1 */
  TD_DATA_INT = 2,    /* i */
  TD_DATA_DOUBLE = 3, /* f */
  TD_DATA_STR = 4,    /* text, UTF-8 */
  TD_DATA_BYTES = 5,  /* text, any bytes; Python pickles them, so that only memmap directories and archives hold them */
  TD_DATA_JSON = 6,   /* text: a list, an object, or an integer beyond 64 bits */
  TD_DATA_PICKLE = 7 /* text: what Python pickled, which is never run. i: -1 for the pickle of {"data": value}, else the
                         number of the value in the list that was pickled */
};

/* One value. As an argument it borrows `text`, which is copied; `reserved` is 0. */
typedef struct td_data {
  td_data_kind kind;
  int32_t reserved;
  int64_t i;
  double f;
  td_str text;
} td_data;

/* The values of one entry, immutable. */
typedef struct td_data_list td_data_list;

/* Puts one value for the whole batch under `key`, replacing what is there; missing nodes are made. JSON is checked and
 * kept without spaces; JSON that is a string, a number, a bool or null becomes that kind. NaN and Infinity are taken
 * and given as Python writes them.   Like TensorDict.set_non_tensor.
 * Errors: ARGUMENT for an unknown kind, text that is not UTF-8 or not JSON; LOCKED; KEY if the path runs through an
 * entry that is no dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data(td_dict *self, const td_key *key, td_data value, td_error **err) TD_NOEXCEPT;

/* Puts one value for each batch element of the dict that holds `key`: `n` is the product of its batch size, `values`
 * are row-major. Without batch dims it takes one value, as td_dict_set_data does.   Like setting a NonTensorStack.
 * Errors: SHAPE for another `n`; and those of td_dict_set_data.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data_stack(td_dict *self, const td_key *key, const td_data *values, size_t n,
                                        td_error **err) TD_NOEXCEPT;

/* Puts another value in the place of the data under `key`, one for the whole batch; allowed on a locked dict.   Like
 * TensorDict.set_ of non-tensor data.
 * Errors: KEY if there is none, or it is a tensor or a dict; ARGUMENT as td_dict_set_data; LOCKED for a file that was
 * opened to be read.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_data_(td_dict *self, const td_key *key, td_data value, td_error **err) TD_NOEXCEPT;

/* The values under `key`.   Like TensorDict.get_non_tensor.
 * Errors: KEY if it is missing, or is a tensor or a dict.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_data(const td_dict *self, const td_key *key, td_data_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* 1 if each batch element has a value of its own, also if they are equal; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API td_bool td_data_list_is_stack(const td_data_list *self) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` and returns the number of dims: those of the dict's batch, and more for a stack
 * that is deeper; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_data_list_shape(const td_data_list *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* Number of values: 1 for one that stands for the whole batch, else the product of the shape; 0 for NULL.
 * [any-thread]  Since 0.1 */
TD_API size_t td_data_list_size(const td_data_list *self) TD_NOEXCEPT;

/* The value at `index`, row-major; its text lives as long as the list.
 * Errors: INDEX if `index` >= size.   [any-thread]  Since 0.1 */
TD_API td_status td_data_list_get(const td_data_list *self, size_t index, td_data *out_view,
                                  td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_data_list_retain(const td_data_list *self) TD_NOEXCEPT;
TD_API void td_data_list_release(const td_data_list *self) TD_NOEXCEPT;

/* ---- Copies ------------------------------------------------------------------------------------------------------ */

/* A copy: nodes are new, tensors are shared.   Like td.copy().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_copy(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A deep copy: tensors are cloned, with their autograd history.   Like td.clone().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_clone(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A deep copy of plain dicts, whatever kind the nodes are; unlocked.   Like td.to_tensordict().
 * Errors: SHAPE if members of a lazy stack differ.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_tensordict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Changing many entries ------------------------------------------------------------------------------------------
 * One call for many keys: every change is made, or none.
 *
 *     const td_item items[] = {{TD_KEY("obs"), td_value_tensor(obs)}, {TD_KEY("next", "obs"), td_value_tensor(next)}};
 *     td_dict_build(TD_SHAPE(32), items, 2, NULL, &td, &err);
 *     td_dict_update(td, other, NULL, &err);
 */

/* A key with its value: a TENSOR or a DICT; INT, DOUBLE and BOOL are tensors without dims (int64, float32, bool), INTS,
 * DOUBLES and BOOLS tensors of one dim; STR is non-tensor data. */
typedef struct td_item {
  const td_key *key;
  td_value value;
} td_item;

/* Makes a dict of these entries, in their order, each as td_dict_set and td_dict_set_dict store it; of a key that comes
 * twice the last value counts. `options` may be NULL.   Like TensorDict({...}, batch_size).
 * Errors: as td_dict_new, td_dict_set and td_dict_set_dict; ARGUMENT for values of other kinds, or text that is not
 * UTF-8. [any-thread]  Since 0.1 */
TD_API td_status td_dict_build(const int64_t *batch_size, size_t ndim, const td_item *items, size_t n,
                               const td_dict_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Makes a dict without batch dims that has `value` itself under every key.   Like TensorDict.fromkeys.
 * Errors: KEY if one key runs through another.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_fromkeys(const td_key *keys, size_t n, const td_tensor *value, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* Where a field lies in every record of an array. */
typedef struct td_field {
  const td_key *key;
  td_dtype dtype;
  int32_t reserved;    /* 0 */
  const int64_t *dims; /* of the field in one record, row-major; NULL for a single number */
  size_t ndim;
  size_t offset; /* in bytes, from the start of the record: offsetof */
} td_field;

/* Makes a dict over an array of records of `itemsize` bytes each, row-major in the batch size: each field is an entry
 * on the caller's memory, and nothing is copied. `data` must live until `release(owner)` is called: when the last view
 * is dropped, or before this call returns if it fails or there are no fields. `release` may be NULL.   Like
 * TensorDict.from_struct_array.
 * Errors: ARGUMENT naming the field that does not lie in its record, is not aligned, whose dtype's size does not divide
 * `itemsize`, or whose key is taken; KEY if one key runs through another; SHAPE; DTYPE.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_from_struct_array(void *data, size_t itemsize, const int64_t *batch_size, size_t ndim,
                                           const td_field *fields, size_t n, td_release_fn release, void *owner,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies entries into an array of such records, `size` bytes long, with a dtype cast. Bytes of no field are left alone.
 * The array must not be memory that the entries stand on. Like TensorDict.to_struct_array.
 * Errors: as td_dict_from_struct_array; KEY for a field without a tensor; SHAPE if it has another shape; ARGUMENT if
 * `size` is too small. Nothing has been written then.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_struct_array(const td_dict *self, const td_field *fields, size_t n, size_t itemsize,
                                         void *data, size_t size, td_error **err) TD_NOEXCEPT;

/* Makes a dict of the entries of all `dicts`, with the batch size and the device of the first. Nodes are new and joined
 * level by level; of several tensors under one key the first wins.   Like merge_tensordicts.
 * Errors: ARGUMENT for n = 0; KEY if an entry is a dict in one and a tensor in another; SHAPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_merge(const td_dict *const *dicts, size_t n, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The keys of all tensors, nested ones too, and the tensors, in the same order. The operators "cat" and "stack" make
 * one tensor of them, as td_dict_cat_leaves and td_dict_stack_leaves do.   Like td.items(include_nested, leaves_only).
 * Errors: SHAPE if members of a lazy stack differ.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_leaves(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                td_error **err) TD_NOEXCEPT;

/* Puts `values[i]` under `paths[i]`, one after another; all or none.
 * Errors: as td_dict_set.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_many(td_dict *self, const td_path *const *paths, td_tensor *const *values, size_t n,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_dict_update_options {
  size_t struct_size;
  td_bool inplace; /* 1: copy into tensors that exist, which a locked dict allows; new keys are set */
  td_bool clone;   /* 1: what is stored is a copy; 0: the tensors and nodes of the source themselves */
  td_bool
      update_batch_size; /* 1: where the source has another batch size, also below, it replaces all, if it has every key
                                there; a lazy stack takes its number of members */
  const td_key *keys;    /* only these entries of the source, as far as it has them; NULL: all */
  size_t n_keys;
} td_dict_update_options;
#define TD_DICT_UPDATE_OPTIONS_INIT \
  { sizeof(td_dict_update_options), 0, 0, 0, NULL, 0 }

/* Sets every entry of `src` in `self`. A node that both have stays and is updated in turn, with all that the source
 * lacks; where the source has a lazy stack, a dict of `self` becomes a stack of its parts first. Anything else is
 * replaced, of whatever kind it is. `options` may be NULL.   Like TensorDict.update.
 * Errors: SHAPE unless one batch size begins with the other and all tensors fit, and where a dict lacks the dim to
 * become a stack along; LOCKED; ARGUMENT if `self` would contain itself, or for `update_batch_size` with `inplace` or
 * `keys`; with `inplace` KEY for entries of different kinds and TORCH for leaves that require grad; KEY if a source of
 * another batch size lacks a key.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_update(td_dict *self, const td_dict *src, const td_dict_update_options *options,
                                td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the tensors under the same keys, with broadcasting and a dtype cast; allowed on a
 * locked dict, as keys, shapes and nodes stay what they are. Keys that only `self` has are left alone.   Like
 * TensorDict.update_.
 * Errors: KEY for a key that `self` lacks or has as another kind; SHAPE; LOCKED for read-only memory; TORCH for leaves
 * that require grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_update_values(td_dict *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* Write `value` over the tensor under `key` or over all tensors below it, and zero over all tensors of the dict;
 * allowed on a locked dict.   Like TensorDict.fill_, zero_.
 * Errors: KEY; ARGUMENT if a dtype cannot hold the value; LOCKED for read-only memory; TORCH for leaves that require
 * grad. [exclusive]  Since 0.1 */
TD_API td_status td_dict_fill_(td_dict *self, const td_key *key, double value, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_zero_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Remove the entry and hand it out: a tensor, or a dict.   Like TensorDict.pop.
 * Errors: KEY if it is missing or of the other kind; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_pop(td_dict *self, const td_key *key, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_pop_dict(td_dict *self, const td_key *key, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Removes the entry of the root that was inserted last, and hands it out: of the tensor, the dict and the data one is
 * set, the others are NULL.   Like TensorDict.popitem.   Errors: KEY if there is none; LOCKED.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_popitem(td_dict *self, td_string **out_key, td_tensor **out_tensor, td_dict **out_dict,
                                 td_data_list **out_data, td_error **err) TD_NOEXCEPT;

/* A copy of `self`, updated with `src`.   Like TensorDict.replace.   Errors: as td_dict_update.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_replace(const td_dict *self, const td_dict *src, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Join the tensors under `keys` along `dim`, or stack them along a new one, and put the result under `out_key`; dims
 * are those of the tensors. Unless they are kept the entries are removed.   Like TensorDict.cat_tensors, stack_tensors.
 * Errors: ARGUMENT for n = 0; KEY; SHAPE if they cannot be joined, or the result lacks the batch dims; INDEX; LOCKED.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_cat_tensors(td_dict *self, const td_key *keys, size_t n, const td_key *out_key, int64_t dim,
                                     td_bool keep_entries, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_tensors(td_dict *self, const td_key *keys, size_t n, const td_key *out_key, int64_t dim,
                                       td_bool keep_entries, td_error **err) TD_NOEXCEPT;

/* All tensors, nested ones too, as one: joined along a dim of theirs, or stacked along a new one, in insertion order or
 * in that of their sorted keys.   Like TensorDict.cat_from_tensordict, stack_from_tensordict.
 * Errors: ARGUMENT without tensors; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_cat_leaves(const td_dict *self, int64_t dim, td_bool sorted, td_tensor **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_leaves(const td_dict *self, int64_t dim, td_bool sorted, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;

/* Removes every entry.   Like TensorDict.clear.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_clear(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Takes over the batch size, the names and the entries of `other`, in its order and by reference. It has the device of
 * `other` then, or without one keeps its own, to which entries are moved. A node that has one of `other` under its key
 * stays the same object and takes over that one. With it every operation has its form in place: td_dict_reshape, then
 * this, is td.reshape(..., inplace=True); td_dict_to, then this, td.to(device, inplace=True). Every kind of dict takes
 * over: the members of a lazy stack do so one by one where `other` is, or can be taken apart into, as many along the
 * same dim, and are replaced by those of `other` otherwise; what parameters get becomes parameters; a dict in a file
 * writes copies, and keeps its batch size. Like the inplace=True and out= of TensorDict's operations.
 * Errors: LOCKED, also for a node that would change; ARGUMENT if `other` contains `self`; SHAPE if `other` is a lazy
 * stack whose members differ and `self` is none; DEVICE; UNSUPPORTED for a dict in a file and another batch size, and
 * for a lazy stack that would have no members.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_become(td_dict *self, const td_dict *other, td_error **err) TD_NOEXCEPT;

/* Makes an empty node under `key`, and those on the way to it.   Like TensorDict.create_nested, which overwrites.
 * Errors: EXISTS if there is an entry; KEY if the path runs through a tensor; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_create_nested(td_dict *self, const td_key *key, td_error **err) TD_NOEXCEPT;

/* ---- Choosing and renaming keys -------------------------------------------------------------------------------------
 * New dicts hold the same tensors, and are not locked. A trailing underscore changes the dict itself, all or nothing.
 *
 *     const td_key keys[] = {*TD_KEY("obs"), *TD_KEY("next", "reward")};
 *     td_dict_select(td, keys, 2, 1, &batch, &err);
 */

/* Moves an entry: to the end, or to the place of the entry that it replaces. `safe` refuses a key that is taken. A node
 * that it leaves empty stays.   Like TensorDict.rename_key_.
 * Errors: KEY; EXISTS; SHAPE if it does not fit the batch size there; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename(td_dict *self, const td_key *old_key, const td_key *new_key, td_bool safe,
                                td_error **err) TD_NOEXCEPT;

/* The entries under `keys`, in their order. Nodes are the same objects, but where sub-keys are named: there only those
 * are kept, in a new node (or in that node itself, in place). `strict` refuses missing keys, else they are left out.
 * Like TensorDict.select.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_select(const td_dict *self, const td_key *keys, size_t n, td_bool strict, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The same in place.   Like TensorDict.select with inplace=True.   Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_select_(td_dict *self, const td_key *keys, size_t n, td_bool strict,
                                 td_error **err) TD_NOEXCEPT;

/* The entries that are not under `keys`; nodes are treated as by td_dict_select, and one that loses everything stays.
 * Missing keys are no error; without keys it is td_dict_copy.   Like TensorDict.exclude.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_exclude(const td_dict *self, const td_key *keys, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* The same in place.   Like TensorDict.exclude with inplace=True.   Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_exclude_(td_dict *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;

/* Some keys that belong together. */
typedef struct td_key_set {
  const td_key *keys;
  size_t n;
} td_key_set;

/* Splits a dict: `outs` receive n + 1 dicts, one for each set of keys and one for what is left, without empty nodes.
 * All nodes are new. `strict` refuses missing keys, and moves what some members of a lazy stack hold; else both are
 * left out. Like TensorDict.split_keys.   Errors: KEY for a missing key, and for one that is in two sets.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split_keys(const td_dict *self, const td_key_set *sets, size_t n, td_bool strict,
                                    td_dict **outs, td_error **err) TD_NOEXCEPT;

typedef struct td_split_options {
  size_t struct_size;
  td_bool strict;           /* 1: missing keys are refused; 0: left out, or filled */
  td_bool reproduce_struct; /* 1: every part has all nodes of `self`, also those that are empty then */
  const td_tensor *fill;    /* without `strict`: the tensor for missing keys; NULL: none */
  const td_key_set
      *names; /* one set a part: what its entries are called there; NULL, or a set without keys: as before */
} td_split_options;
#define TD_SPLIT_OPTIONS_INIT \
  { sizeof(td_split_options), 1, 0, NULL, NULL }

/* As td_dict_split_keys, with more to choose; `options` may be NULL.   Like TensorDict.split_keys with default,
 * reproduce_struct and sets that are dicts.
 * Errors: as td_dict_split_keys; ARGUMENT unless there is a name for each key; SHAPE if `fill` lacks the batch dims.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split_keys_with(const td_dict *self, const td_key_set *sets, size_t n,
                                         const td_split_options *options, td_dict **outs, td_error **err) TD_NOEXCEPT;

/* Removes the entries under `keys`, and nodes that nothing is left of, and gives a new dict of them. `strict` refuses
 * missing keys, else they are left out.   Like TensorDict.separates.   Errors: KEY; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_separates(td_dict *self, const td_key *keys, size_t n, td_bool strict, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

typedef struct td_separate_options {
  size_t struct_size;
  td_bool strict;        /* 1: missing keys are refused; 0: they are left out, or filled */
  td_bool keep_empty;    /* 1: nodes that nothing is left of stay */
  const td_tensor *fill; /* the tensor that the new dict has for a missing key, whatever `strict` says; NULL: none */
} td_separate_options;
#define TD_SEPARATE_OPTIONS_INIT \
  { sizeof(td_separate_options), 1, 0, NULL }

/* As td_dict_separates, with more to choose; `options` may be NULL.   Like TensorDict.separates(default, filter_empty).
 * Errors: as that; SHAPE if `fill` lacks the batch dims.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_separates_with(td_dict *self, const td_key *keys, size_t n, const td_separate_options *options,
                                        td_dict **out, td_error **err) TD_NOEXCEPT;

/* A copy without the non-tensor entries.   Like TensorDict.filter_non_tensor_data.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_filter_non_tensor_data(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A dict of the same batch size, device and names without entries; `recurse` keeps the nodes, without theirs.
 * Like TensorDict.empty.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_empty(const td_dict *self, td_bool recurse, td_dict **out, td_error **err) TD_NOEXCEPT;

/* 1 if there is nothing but nodes, at any depth; 1 for NULL.   Like TensorDict.is_empty.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_empty(const td_dict *self) TD_NOEXCEPT;

/* Removes the nodes that are empty in this sense.   Like TensorDict.filter_empty_.
 * Errors: LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_filter_empty_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* A dict of one level: parts are joined with `separator` (NULL data: "."). Empty nodes are lost, and so are the batch
 * sizes and names of nodes.   Like TensorDict.flatten_keys.
 * Errors: EXISTS if two entries would get one key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flatten_keys(const td_dict *self, td_str separator, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Splits the keys of the root at every `separator` (NULL data: "."): "a..b" becomes ("a", "", "b"). Nodes are new;
 * those that are there are joined, and come first with all keys that have no separator.   Like
 * TensorDict.unflatten_keys.
 * Errors: ARGUMENT for an empty separator; EXISTS if two entries would get one key; KEY if a path runs through a
 * tensor. [any-thread]  Since 0.1 */
TD_API td_status td_dict_unflatten_keys(const td_dict *self, td_str separator, td_dict **out,
                                        td_error **err) TD_NOEXCEPT;

/* ---- Index and stack --------------------------------------------------------------------------------------------- */

typedef int32_t td_index_kind;
enum {
  TD_INDEX_KIND_INT = 0,      /* start */
  TD_INDEX_KIND_SLICE = 1,    /* start:stop:step; step >= 1; negative start and stop count from the end */
  TD_INDEX_KIND_NONE = 2,     /* a new dim of size 1 */
  TD_INDEX_KIND_ELLIPSIS = 3, /* as many full slices as are left; at most one */
  TD_INDEX_KIND_TENSOR = 4    /* signed integers, or a bool mask over as many dims as it has; without dims, a new dim of
                                 size 1 if it is true and 0 if not */
};

/* One component of an index. */
typedef struct td_index {
  td_index_kind kind;
  int32_t reserved; /* 0 */
  int64_t start, stop, step;
  const td_tensor *tensor;
} td_index;
#define TD_END INT64_MAX /* a slice without stop */
/* One component in place: td[i], td[start:stop], td[start:stop:step], td[t]. */
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
 * Errors: INDEX if it is out of range, or reaches past the batch dims; DTYPE for a tensor of other elements.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_index(const td_dict *self, const td_index *indices, size_t n, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* A window: a dict that is the rows of `self` that the index selects, without a copy. It keeps `self` alive and has
 * its keys at any time. A tensor is taken out of the one in `self` whenever it is asked for, a dict below is a window
 * again, and whatever is written into entries goes to `self`, also where a tensor in the index, a lazy stack or a file
 * makes what is read a copy. It is always locked: entries are made, replaced and deleted in `self`. Operations that
 * make a dict make an ordinary one of it.   Like td._get_sub_tensordict(index).
 * Errors: as td_dict_index.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_window(td_dict *self, const td_index *indices, size_t n, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Writes the entries of `value` into the rows that the index selects; entries that `value` lacks stay as they are. Its
 * batch size is the selected one or the last dims of it, or its tensors have shapes that fit; a lazy stack repeats a
 * value without batch dims. New entries are made as zeros elsewhere, other data as no value. Every write is checked
 * before the first, and a `value` that shares memory with `self` is read before it. Each member of a lazy stack gets
 * its part of `value`, so that members may differ.   Like td[index] = value.
 * Errors: INDEX; SHAPE; KEY if an entry and its new value are of different kinds; LOCKED for new entries of a locked
 * dict (values may be written) and for read-only memory; TORCH for leaves that require grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_at(td_dict *self, const td_index *indices, size_t n, const td_dict *value,
                                td_error **err) TD_NOEXCEPT;

/* Writes one number into the selected rows of every tensor.   Like td[index] = 0.
 * Errors: as td_dict_set_at; ARGUMENT if a dtype cannot hold the number.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_at_value(td_dict *self, const td_index *indices, size_t n, double value,
                                      td_error **err) TD_NOEXCEPT;

/* Copies `value` into a part of the tensor under `key`, with broadcasting; the index may go on into the dims after the
 * batch dims.   Like TensorDict.set_at_.
 * Errors: KEY; INDEX; SHAPE; LOCKED if that memory is read-only; TORCH if it is a leaf that requires grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_copy_into_at(td_dict *self, const td_key *key, const td_index *indices, size_t n,
                                      const td_tensor *value, td_error **err) TD_NOEXCEPT;

/* The tensor under `key`, indexed: a view, or a copy where tensors are in the index, which may go on into the dims
 * after the batch dims.   Like TensorDict.get_at.
 * Errors: KEY; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_at(const td_dict *self, const td_key *key, const td_index *indices, size_t n,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Stacks dicts of equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative counts from the end of
 * the result).   Like torch.stack over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_stack(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Joins dicts of equal keys along the batch dim `dim` (negative counts from the last); all other sizes are equal.
 * Leaves are new; names are those of the first dict; data that is one value in all stays one, else there is one for
 * each batch element.   Like torch.cat over TensorDicts.
 * Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_cat(const td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

/* Write what td_dict_cat and td_dict_stack give into the entries of `target`, which has these keys and may be locked;
 * all or nothing, with a cast to its dtypes. What else the target holds stays as it is. A lazy stack gets them member
 * by member, so that members may differ.   Like torch.cat(..., out=target), torch.stack(..., out=target).
 * Errors: as those; SHAPE if `target` has another batch size; LOCKED for read-only memory; TORCH for leaves that
 * require grad.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_cat_into(const td_dict *const *dicts, size_t n, int64_t dim, td_dict *target,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_stack_into(const td_dict *const *dicts, size_t n, int64_t dim, td_dict *target,
                                    td_error **err) TD_NOEXCEPT;

/* Grows batch dims with `value`: `pairs` holds `n` numbers, what is added before and after each batch dim from the
 * first on; negative ones crop. Data gets no value there; names stay.   Like tensordict.pad.
 * Errors: ARGUMENT for an odd `n`, or a dtype that cannot hold the value; SHAPE if there are more pairs than batch dims
 * or a dim would lose more than it has.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad(const td_dict *self, const int64_t *pairs, size_t n, double value, td_dict **out,
                             td_error **err) TD_NOEXCEPT;

typedef struct td_pad_sequence_options {
  size_t struct_size;
  int64_t pad_dim; /* of each entry; negative counts from its last dim */
  double value;
  const td_key *mask_key; /* where a dict of bool masks goes, true for values; NULL: none */
  const td_item *values;  /* numbers for some tensors, instead of `value` */
  size_t n_values;
  td_bool left; /* 1: padding comes before the values */
} td_pad_sequence_options;
#define TD_PAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_pad_sequence_options), 0, 0.0, NULL, NULL, 0, 0 }

/* Stacks dicts along a new dim 0 after padding each entry at one end of one dim to the longest. Entries that are not in
 * all are left out. A batch dim that is padded grows in the batch size too; masks have the batch size, and one dim more
 * where the padded dim comes after it. `options` may be NULL.   Like tensordict.pad_sequence.
 * Errors: ARGUMENT for n = 0 or a dtype that cannot hold the value; EXISTS for a taken mask key; KEY for a value whose
 * key is no tensor of all dicts; SHAPE naming an entry without dims, or whose other dims differ; INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_pad_sequence(const td_dict *const *dicts, size_t n, const td_pad_sequence_options *options,
                                      td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_unpad_sequence_options {
  size_t struct_size;
  int64_t pad_dim;        /* that of td_dict_pad_sequence: counted without the dim of the samples */
  const td_key *mask_key; /* where the masks are, which the samples lack then; NULL: under "masks" */
  const td_dict *masks;   /* masks that are not in the dict, as td_dict_pad_sequence makes them; NULL: none */
  const td_tensor *mask;  /* one mask for all entries: [samples, longest]; NULL: none */
} td_unpad_sequence_options;
#define TD_UNPAD_SEQUENCE_OPTIONS_INIT \
  { sizeof(td_unpad_sequence_options), 0, NULL, NULL, NULL }

/* Takes apart what td_dict_pad_sequence made: a lazy stack of the samples along the first batch dim, whose entries are
 * views of what the masks mark, at the start, at the end or between. Where the padded dim is a batch dim of the
 * samples, they are cut to it with their data, by the mask of their first tensor; else each tensor is by its own, and
 * keeps its place. `options` may be NULL.   Like tensordict.unpad_sequence.
 * Errors: SHAPE without batch dims, and naming an entry whose mask has another shape; KEY if there are no masks, or
 * none for an entry; INDEX for a `pad_dim` that an entry lacks; ARGUMENT naming an entry whose mask has holes in a
 * row, and for several masks.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unpad_sequence(const td_dict *self, const td_unpad_sequence_options *options, td_dict **out,
                                        td_error **err) TD_NOEXCEPT;

/* ---- Lazy stacks ----------------------------------------------------------------------------------------------------
 * Dicts that are seen as stacked and stay what they are, of different shapes and keys if need be. A lazy stack is a
 * td_dict with the keys that all members have, in the order of the first; a tensor is stacked anew whenever it is asked
 * for, a dict below is a lazy stack again, and whatever is set or written goes to the members. Python's
 * LazyStackedTensorDict.
 *
 *     td_dict_lazy_stack(episodes, 3, 0, &stack, &err);               // of 10, 12 and 7 steps
 *     td_dict_get(stack, TD_KEY("obs"), &obs, &err);                  // TD_ERR_SHAPE: they differ
 *     td_dict_get_padded(stack, TD_KEY("obs"), NULL, &obs, &mask, &err);
 *
 * Index, shape, choice of keys, copies, where, masked_fill and operators over leaves keep it lazy and go through the
 * members, which keep the keys that only they have; so do flatten, repeat, repeat_interleave, and reshape and view that
 * join dims, take one apart, or add and drop dims of size 1. Of those, flatten, view, reshape, repeat_interleave along
 * the stack's own dim and whatever else makes views lets writes reach the members. Masks and tensors that choose single
 * elements give a lazy stack of these, or a dense dict where all members have the same keys and shapes. Other reshapes,
 * contiguous, tile, flip, roll, rot90, gather, padding and reductions give a dense dict of its common keys, and fail
 * with SHAPE where members differ.
 */

/* What a dict is. */
typedef int32_t td_dict_kind;
enum {
  TD_DICT_KIND_TENSORDICT = 0,
  TD_DICT_KIND_LAZY_STACK = 1,
  TD_DICT_KIND_PARAMS = 2,
  TD_DICT_KIND_PERSISTENT = 3,
  TD_DICT_KIND_WINDOW = 4
};

/* TD_DICT_KIND_TENSORDICT for NULL too.   Like type(td).   [any-thread]  Since 0.1 */
TD_API td_dict_kind td_dict_get_kind(const td_dict *self) TD_NOEXCEPT;

/* A lazy stack of these dicts themselves along a new batch dim `dim`; negative counts from the end of the result. Sizes
 * of the batch in which they differ are -1.   Like LazyStackedTensorDict.lazy_stack.
 * Errors: ARGUMENT for n = 0; SHAPE for different numbers of batch dims, more than 64 of them or 2^24 members in all;
 * DEVICE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_stack(td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* A lazy stack without members yet, whose members will have the batch size `element`.   Like
 * LazyStackedTensorDict(stack_dim=).
 * Errors: SHAPE for a negative size; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_lazy_new(const int64_t *element, size_t ndim, int64_t dim, td_dict **out,
                                  td_error **err) TD_NOEXCEPT;

/* A stack of new tensors where keys and shapes agree, and at each level where they do not, a lazy stack. Lazy stacks
 * along one dim, of as many members, stay that: the first members are stacked with each other, then the second ones,
 * and so on. Like TensorDict.maybe_dense_stack; with the members of a lazy stack, dense_stack_tds.
 * Errors: as td_dict_lazy_stack.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_maybe_dense_stack(td_dict *const *dicts, size_t n, int64_t dim, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* A lazy stack of the views that td_dict_unbind gives.   Like TensorDict.to_lazystack.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_to_lazy_stack(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The batch dim along which the members are stacked; -1 if the dict is not a lazy stack.
 * Like LazyStackedTensorDict.stack_dim.   [any-thread]  Since 0.1 */
TD_API int64_t td_dict_stack_dim(const td_dict *self) TD_NOEXCEPT;

/* The members themselves: what is done to one shows in the stack.   Like LazyStackedTensorDict.tensordicts.
 * Errors: UNSUPPORTED if the dict is not a lazy stack.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_members(const td_dict *self, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Puts dicts among the members, before the one at `index` or at the end: the batch size grows. They may lack keys,
 * which the stack then has no more, and have others.   Like LazyStackedTensorDict.insert, append, extend.
 * Errors: UNSUPPORTED if `self` is not a lazy stack; INDEX unless 0 <= index <= members; SHAPE for another batch size;
 * DEVICE; LOCKED; ARGUMENT if it would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_insert(td_dict *self, size_t index, td_dict *const *dicts, size_t n,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_append(td_dict *self, td_dict *dict, td_error **err) TD_NOEXCEPT;

/* Fills up to `capacity` sizes of `out` with the shape of an entry (a dict's is its batch size), and `*out_ndim` with
 * their number. -1 stands where members of a stack differ, and alone if they have different numbers of dims. Like
 * TensorDict.get_item_shape.   Errors: KEY.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_entry_shape(const td_dict *self, const td_key *key, int64_t *out, size_t capacity,
                                     size_t *out_ndim, td_error **err) TD_NOEXCEPT;

/* The keys of all tensors, nested ones too, whose shape differs between members: those td_dict_get refuses.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_ragged_keys(const td_dict *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* The keys that the member at `index` has, and not all others.
 * Errors: UNSUPPORTED if the dict is not a lazy stack; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_exclusive_keys(const td_dict *self, size_t index, td_keys **out, td_error **err) TD_NOEXCEPT;

/* The tensor of each member, themselves. The stack may be `self` or on the way to `key`. Of stacks in stacks these are
 * the tensors of the innermost members, those of the first outer member first; Python nests the lists. Like td.get(key,
 * as_list=True).
 * Errors: KEY; UNSUPPORTED without a lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_list(const td_dict *self, const td_key *key, td_tensor_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* Sets one tensor in each member, of different shapes if need be; all or none. Of stacks in stacks it is the outer one.
 * Like ls.set(key, list).
 * Errors: as td_dict_set; ARGUMENT unless `n` is the number of members; UNSUPPORTED without a lazy stack.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_list(td_dict *self, const td_key *key, td_tensor *const *values, size_t n,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_padding_options {
  size_t struct_size;
  double value;
  td_bool left;           /* 1: before the values; 0: after them */
  const td_key *mask_key; /* of td_dict_densify: where a dict of bool masks goes, true for values; NULL: none */
} td_padding_options;
#define TD_PADDING_OPTIONS_INIT \
  { sizeof(td_padding_options), 0.0, 0, NULL }

/* The members' tensors stacked, each dim as long as the longest, also those of stacks in stacks. `out_mask` receives a
 * bool tensor, true for values, over the dims up to the last one that was padded; it may be NULL. `options` may be
 * NULL.   Like td.get(key, as_padded_tensor=True).
 * Errors: KEY; SHAPE for different numbers of dims; ARGUMENT if the dtype cannot hold the value; UNSUPPORTED without a
 * lazy stack on the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_padded(const td_dict *self, const td_key *key, const td_padding_options *options,
                                    td_tensor **out, td_tensor **out_mask, td_error **err) TD_NOEXCEPT;

/* The members' tensors joined along the first dim after the stack's, and where each begins: int64 offsets, one more
 * than members. The components of a jagged tensor are joined along its ragged dim; of 0 components there is one offset,
 * and no element.   Like td.get(key, as_nested_tensor=True, layout=torch.jagged), taken apart.
 * Errors: KEY, for other stacks without members too; SHAPE if another dim differs; UNSUPPORTED without a lazy stack on
 * the way.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_get_jagged(const td_dict *self, const td_key *key, td_tensor **out_values,
                                    td_tensor **out_offsets, td_error **err) TD_NOEXCEPT;

/* A dense dict of the entries that any member has, at every level: shorter tensors are padded, missing ones are padding
 * all over, missing data is none. `options` may be NULL.   Like td.densify().to_padded_tensor().
 * Errors: KEY for entries of different kinds; SHAPE for different numbers of dims; ARGUMENT if a dtype cannot hold the
 * value; EXISTS if the key of the masks is taken.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_densify(const td_dict *self, const td_padding_options *options, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* ---- Parameters -----------------------------------------------------------------------------------------------------
 * A dict whose floating-point and complex tensors are leaves that require grad, and whose other tensors are buffers;
 * what is set later becomes the same, a dict as a copy around the same memory. Values may be written in place without
 * autograd noticing. Copies, clones and td_dict_to give parameters of their own; index, shape and operators give
 * ordinary dicts with history. Python's TensorDictParams.
 *
 *     td_dict_params(td, NULL, &params, &err);
 *     td_optimizer_adam(params, NULL, &adam, &err);
 */

typedef struct td_params_options {
  size_t struct_size;
  td_bool no_convert; /* 1: tensors stay what they are */
  td_bool lock;       /* 1: `self` is locked, and while it is, changes go through the parameters only */
} td_params_options;
#define TD_PARAMS_OPTIONS_INIT \
  { sizeof(td_params_options), 0, 0 }

/* Wraps `self`, whose own entries become the parameters too: same memory, new tensors. The dicts below are ordinary
 * ones. Of parameters, a copy with the same tensors. `options` may be NULL.
 * Like TensorDictParams(td, no_convert, lock).   Errors: UNSUPPORTED for lazy stacks in it; LOCKED if it is part of a
 * locked dict.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_params(td_dict *self, const td_params_options *options, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The tensors that require grad, and the others, with their keys in the same order; one under several keys is given
 * once, with the first of them. Works for every dict.   Like Module.named_parameters, named_buffers.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_parameters(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_buffers(const td_dict *self, td_keys **out_keys, td_tensor_list **out_tensors,
                                 td_error **err) TD_NOEXCEPT;

/* ---- Selecting rows -------------------------------------------------------------------------------------------------
 * By position, by mask and by value. A mask has the first batch dims and stands for all dims after its own; sizes of 1
 * stand for any size, but in td_dict_masked_select.
 *
 *     td_dict_masked_select(td, done, &finished, &err);
 *     td_dict_masked_fill_(td, done, 0, &err);
 */

/* Takes, for each element of `index`, that position along batch dim `dim`. The index has the batch dims, or the first
 * of them as far as `dim` and the rest is taken whole; its shape is the new batch size.   Like torch.gather.
 * Errors: INDEX if `dim` or an element is out of range (they are not negative); SHAPE; DTYPE.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_gather(const td_dict *self, int64_t dim, const td_tensor *index, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The rows where `mask` is true: its dims become one. Names, and lazy stacks whose members differ, are
 * treated as by td_dict_index with the mask.   Like td.masked_select.
 * Errors: INDEX if the mask does not match the batch size; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_select(const td_dict *self, const td_tensor *mask, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* New entries: those of `self` where `condition` holds, else of `other`. An entry that only one of them has is `*pad`
 * in the other, and data has no value there; with `pad` NULL that is an error. For a tensor or a number in place of
 * `other`, give the operator "where" to td_dict_pointwise.   Like td.where(condition, other, pad=).
 * Errors: KEY; SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_where(const td_dict *self, const td_tensor *condition, const td_dict *other, const double *pad,
                               td_dict **out, td_error **err) TD_NOEXCEPT;

/* New tensors with `value` where `mask` is true.   Like td.masked_fill.
 * Errors: SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_masked_fill(const td_dict *self, const td_tensor *mask, double value, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;

/* Writes `value` into the dict's tensors where `mask` is true, or nothing at all.   Like td.masked_fill_.
 * Errors: as td_dict_masked_fill; LOCKED for read-only memory; TORCH for leaves that require grad.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_masked_fill_(td_dict *self, const td_tensor *mask, double value, td_error **err) TD_NOEXCEPT;

/* A bool for each position along batch dim `dim`: is that slice of `key` among the slices of `reference`?
 * Like tensordict.utils.isin.   Errors: KEY; SHAPE; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_isin(const td_dict *self, const td_dict *reference, const td_key *key, int64_t dim,
                              td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The dict at the first occurrence of each different slice of `key` along batch dim `dim`, in the order of those
 * values. `out_inverse` receives for each position the place of its value in the result; it may be NULL. Like
 * tensordict.utils.remove_duplicates.   Errors: KEY; INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_remove_duplicates(const td_dict *self, const td_key *key, int64_t dim, td_dict **out,
                                           td_tensor **out_inverse, td_error **err) TD_NOEXCEPT;

/* Splits a dict along its first batch dim into one for each value of `key`: rows of equal values, in their order. The
 * values are sorted: as `out_values`, a tensor with one row a group, if `key` is a tensor, whose rows are compared
 * from their first element on; as `out_data`, one value a group, if it is non-tensor data, which are compared as
 * Python compares them: 1, 1.0 and true are equal, lists go element by element. The other one is NULL; both pointers
 * may be. NaN is equal to nothing, and comes last. The rows are gathered once, and the groups are views of them.   Like
 * tensordict.group_by.
 * Errors: KEY if it is missing, or a dict; SHAPE without batch dims, for rows without elements, and if members of a
 * lazy stack differ in `key`; DTYPE for complex values; ARGUMENT for data that have no order: numbers beside text or
 * none, JSON objects, pickles.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_group_by(const td_dict *self, const td_key *key, td_tensor **out_values,
                                  td_data_list **out_data, td_dict_list **out_groups, td_error **err) TD_NOEXCEPT;

/* A view with dims added on the right until the shape is the given one, or that of `other`: what broadcasting does on
 * the left.   Like tensordict.utils.expand_right, expand_as_right.   Errors: SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_tensor_expand_right(const td_tensor *self, const int64_t *dims, size_t ndim, td_tensor **out,
                                        td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_expand_as_right(const td_tensor *self, const td_tensor *other, td_tensor **out,
                                           td_error **err) TD_NOEXCEPT;

/* ---- Shape ----------------------------------------------------------------------------------------------------------
 * Other shapes of the batch dims. Feature dims stay behind them, untouched, and so do further batch dims of nodes.
 * Negative dims count from the last batch dim. Results share memory with `self` unless the doc says that they are
 * copies, and are locked where `self` is; names of dims go along.
 *
 *     td_dict_reshape(td, TD_SHAPE(-1, 8), &rows, &err);
 *     td_dict_split(td, 256, 0, &batches, &err);
 *     td_dict_list_get(batches, 0, &first, &err);
 */

/* The product of the batch size: 1 without batch dims, 0 for an empty batch and for NULL, -1 if a size is.   Like
 * TensorDict.numel. [any-thread]  Since 0.1 */
TD_API int64_t td_dict_numel(const td_dict *self) TD_NOEXCEPT;

/* The batch size becomes `sizes`, one of which may be -1; the names of dims are dropped. With the batch size that it
 * has, the result is `self` itself. view never copies, reshape copies the leaves whose strides leave no other way. A
 * lazy stack stays one, of views of its members, where neighbouring dims become one, one dim becomes several, or dims
 * of size 1 come or go; of members of different batch sizes, `sizes` may be -1 alone, for all elements. Otherwise
 * reshape makes a dense dict of it. Like TensorDict.view, reshape.
 * Errors: SHAPE if the number of elements differs, or the members of a lazy stack where it would be dense; for view
 * also naming a leaf that had to be copied, and UNSUPPORTED where a lazy stack would be dense.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_view(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_reshape(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* One dim without a name in place of the dims `start` to `end`, inclusive; leaves are copied where strides leave no
 * other way. A dict without batch dims gets one of size 1; a lazy stack stays one, of views of its members' elements.
 * Like TensorDict.flatten.
 * Errors: INDEX; ARGUMENT if the end comes before the start; SHAPE if the members of a lazy stack differ in a dim
 * before its own.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flatten(const td_dict *self, int64_t start, int64_t end, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Dims of `sizes`, one of which may be -1, in place of `dim`; the last of them has its name.   Like
 * TensorDict.unflatten.
 * Errors: INDEX; SHAPE if the sizes do not multiply to that of `dim`.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unflatten(const td_dict *self, int64_t dim, const int64_t *sizes, size_t ndim, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Takes away those of `dims` that have size 1, or with n = 0 all such batch dims; if there are none, the result is
 * `self` itself.   Like TensorDict.squeeze.   Errors: INDEX; ARGUMENT if a dim comes twice.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_squeeze(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* A new batch dim of size 1 at `dim`; negative ones count from the end of the result.   Like TensorDict.unsqueeze.
 * Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unsqueeze(const td_dict *self, int64_t dim, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Repeats dims of size 1 without copying, and adds new dims on the left; -1 keeps a size. Several elements of the
 * result are one in memory, so that functions that write in place refuse it with TORCH. Only batch dims are repeated:
 * with the shape of a tensor it is td.expand_as(tensor), with sizes of 1 on the left atleast_2d.   Like
 * TensorDict.expand.
 * Errors: SHAPE if another dim would change, or `sizes` are fewer than the batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_expand(const td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* The same to the shapes that `other` has: each tensor gets the shape of the one under its key there, features too,
 * and every node the batch size of `other`. Data of one value keep it, others are repeated like tensors. The result is
 * a dict without names, unlocked; entries that only `other` has are ignored.   Like TensorDict.expand_as.
 * Errors: KEY for an entry that `other` lacks or has as another kind; SHAPE naming the entry that cannot be expanded,
 * or that members of a lazy stack have in different shapes.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_expand_as(const td_dict *self, const td_dict *other, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Puts the batch dims into the order `dims`, a permutation of all or of the first `n`; an order that changes nothing
 * gives `self` itself.   Like TensorDict.permute.   Errors: INDEX; ARGUMENT if it is no permutation.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_permute(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                                 td_error **err) TD_NOEXCEPT;

/* Swaps two batch dims; equal ones give `self` itself.   Like TensorDict.transpose.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_transpose(const td_dict *self, int64_t dim0, int64_t dim1, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* Moves `n` batch dims from the places `source` to the places `destination`; the others keep their order. `self` itself
 * if nothing moves.   Like TensorDict.movedim.   Errors: INDEX; ARGUMENT if a dim comes twice.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_movedim(const td_dict *self, const int64_t *source, const int64_t *destination, size_t n,
                                 td_dict **out, td_error **err) TD_NOEXCEPT;

/* `length` elements of `dim` from `start` on; a negative start counts from the end.   Like TensorDict.narrow.
 * Errors: INDEX; SHAPE if they do not lie in the dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_narrow(const td_dict *self, int64_t dim, int64_t start, int64_t length, td_dict **out,
                                td_error **err) TD_NOEXCEPT;

/* Pieces of `size` elements of `dim`, of which the last may be shorter; of sizes that sum up to the dim's.   Like
 * TensorDict.split.   Errors: INDEX; ARGUMENT for a size below 1; SHAPE if the sizes do not sum up.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_split(const td_dict *self, int64_t size, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_split_sizes(const td_dict *self, const int64_t *sizes, size_t n, int64_t dim,
                                     td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* `chunks` pieces of `dim`, or fewer: all but the last have the same size.   Like TensorDict.chunk.
 * Errors: INDEX; ARGUMENT for less than 1.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_chunk(const td_dict *self, int64_t chunks, int64_t dim, td_dict_list **out,
                               td_error **err) TD_NOEXCEPT;

/* Exactly `sections` pieces of `dim`, whose sizes differ by 1 at most; the pieces between `indices`, one more than
 * them.   Like TensorDict.tensor_split.   Errors: INDEX; ARGUMENT for less than 1 section.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_tensor_split(const td_dict *self, int64_t sections, int64_t dim, td_dict_list **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tensor_split_at(const td_dict *self, const int64_t *indices, size_t n, int64_t dim,
                                         td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* The elements of `dim`, without it; unlocked.   Like TensorDict.unbind.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_unbind(const td_dict *self, int64_t dim, td_dict_list **out, td_error **err) TD_NOEXCEPT;

/* Number of dicts; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API size_t td_dict_list_size(const td_dict_list *self) TD_NOEXCEPT;

/* A new reference to the dict at `index`.   Errors: INDEX.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_list_get(const td_dict_list *self, size_t index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dict_list_retain(const td_dict_list *self) TD_NOEXCEPT;
TD_API void td_dict_list_release(const td_dict_list *self) TD_NOEXCEPT;

/* A copy with each batch dim as often as `repeats` says, one number a dim. tile takes fewer, for the last dims, or
 * more, for new dims on the left, and drops the names of dims. repeat keeps a lazy stack lazy: the copies of its
 * members are in it several times along its own dim.   Like TensorDict.repeat, tile.
 * Errors: SHAPE for a negative number, and for repeat if they are not as many as the batch dims.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_tile(const td_dict *self, const int64_t *repeats, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* A copy with each element of `dim` several times in a row: one number for all, or one for each element. For all batch
 * dims at once, td_dict_flatten first. Along the dim of a lazy stack the members themselves are in the result several
 * times, without a copy.   Like TensorDict.repeat_interleave.
 * Errors: INDEX; SHAPE for negative numbers, or another count of them.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_repeat_interleave(const td_dict *self, const int64_t *repeats, size_t n, int64_t dim,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* A copy with the elements of `dims` in reverse order.   Like TensorDict.flip.
 * Errors: INDEX; ARGUMENT if a dim comes twice.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_flip(const td_dict *self, const int64_t *dims, size_t n, td_dict **out,
                              td_error **err) TD_NOEXCEPT;

/* A copy with the elements of each dim shifted, those beyond the end coming in at the start. With n_dims = 0 one shift
 * applies to the batch as if it were flattened.   Like TensorDict.roll.
 * Errors: INDEX; ARGUMENT if there is not one shift for each dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_roll(const td_dict *self, const int64_t *shifts, size_t n_shifts, const int64_t *dims,
                              size_t n_dims, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A copy turned `times` times by 90 degrees, from `dim0` towards `dim1`.   Like TensorDict.rot90.
 * Errors: INDEX; ARGUMENT if the dims are equal.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_rot90(const td_dict *self, int64_t times, int64_t dim0, int64_t dim1, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* A dict of row-major leaves: those that are so already are kept, the others copied; unlocked. Strides of dims of size
 * 1 are row-major too.   Like TensorDict.contiguous(canonical=True).   [any-thread]  Since 0.1 */
TD_API td_status td_dict_contiguous(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* 1 if all leaves are row-major; 0 for NULL, with lazy stacks in it and for a dict in a file.   Like
 * TensorDict.is_contiguous.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_contiguous(const td_dict *self) TD_NOEXCEPT;

/* Sets the longest batch size that all entries share, here and for each node below, of at most `limit` dims; -1 is no
 * limit. A dict without entries, and data of one value for all, decide nothing; a lazy stack stays as it is. Allowed on
 * a locked dict.   Like TensorDict.auto_batch_size_.   Errors: ARGUMENT for another negative limit.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_auto_batch_size(td_dict *self, int64_t limit, td_error **err) TD_NOEXCEPT;

/* ---- Dicts like another ---------------------------------------------------------------------------------------------
 * With the same batch size they are operators, which td_dict_pointwise calls for every tensor: "zeros_like",
 * "ones_like", "empty_like", "full_like", "rand_like", "randn_like". In place, "uniform_", "normal_" and "random_" take
 * a generator:
 *
 *     td_value args[] = {td_value_dict(noise)};
 *     td_named_value kwargs[] = {{TD_STR("generator"), td_value_generator(g)}};
 *     td_dict_pointwise(normal, args, 1, kwargs, 1, NULL, NULL, &err);
 */

/* A dict with the keys, nodes and feature dims of `self` for another batch size: contents undefined, or `value` in
 * every tensor. TD_DTYPE_NONE keeps the dtypes. Names are aligned on the right; non-tensor entries of one value keep
 * it, others have none. Unlocked.   Like TensorDict.new_empty; new_zeros, new_ones, new_full.
 * Errors: SHAPE for a negative or overflowing size; DTYPE; ARGUMENT if a dtype cannot hold the value; OOM.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_new_empty(const td_dict *self, const int64_t *batch_size, size_t ndim, td_dtype dtype,
                                   td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_new_full(const td_dict *self, const int64_t *batch_size, size_t ndim, double value,
                                  td_dtype dtype, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_new_tensor_options {
  size_t struct_size;
  td_dtype dtype;        /* of every tensor; TD_DTYPE_NONE: that of the tensor of `self` */
  td_bool requires_grad; /* 1: the new tensors are leaves that require grad */
  td_str device;         /* NULL data: that of `data`, which is "cpu" for numbers and may be none for a dict */
} td_new_tensor_options;
#define TD_NEW_TENSOR_OPTIONS_INIT         \
  {                                        \
    sizeof(td_new_tensor_options), 0, 0, { \
      NULL, 0                              \
    }                                      \
  }

/* A dict with the keys and nodes of `self` that has copies of `data` in it, each in the dtype of the tensor in whose
 * place it stands. `data` is a TENSOR, or numbers (INT, DOUBLE, BOOL, or INTS, DOUBLES, BOOLS of one dim): then every
 * tensor is a copy of it, and its shape the batch size of the result and of all nodes. Or it is a DICT: then each
 * tensor is a copy of the one under its key there, and nodes have the batch sizes of that one's; what only it has is
 * ignored. Non-tensor entries of one value keep it, others have none. Without names, history and lock. `options` may
 * be NULL; for pin_memory=True, td_dict_pin_memory the result.   Like TensorDict.new_tensor.
 * Errors: ARGUMENT for data of other kinds, and for numbers that a dtype cannot hold (tensors are cast); KEY for an
 * entry that the dict lacks or has as another kind; SHAPE if members of a lazy stack differ; DTYPE for unknown dtypes,
 * and if integers would require grad; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_new_tensor(const td_dict *self, const td_value *data, const td_new_tensor_options *options,
                                    td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- One tensor of all ----------------------------------------------------------------------------------------------
 * The features of all tensors side by side in one tensor, for a network or an optimizer that takes a vector, and back.
 * The layout knows where each tensor is: it fits every dict of these keys and features, whatever its batch size.
 *
 *     td_dict_pack(td, -1, NULL, &flat, &layout, &err);                    // [32, 13]
 *     td_dict_pack(other, -1, layout, &same_columns, NULL, &err);
 *     td_pack_layout_unpack(layout, flat, &again, &err);                   // views of `flat`
 */

/* Joins the features of all tensors along a new dim at `dim` of the batch dims (negative counts from the end of the
 * result), row-major, in the order of their sorted keys, or of the columns of `layout`, which may be NULL and has the
 * same tensors with the same features then, along the same dim. `out_layout` may be NULL. A lazy stack is packed as a
 * dense dict. Without tensors the result is float32.   Like TensorDict.pack(dim, layout).
 * Errors: INDEX; UNSUPPORTED naming non-tensor data (td_dict_filter_non_tensor_data); DTYPE and DEVICE naming a tensor
 * that differs from the first; KEY where members of a lazy stack have other keys, and naming a tensor that only one of
 * the dict and the layout has; SHAPE naming a tensor whose features differ from the layout's, or between members;
 * ARGUMENT for a layout along another dim.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pack(const td_dict *self, int64_t dim, const td_pack_layout *layout, td_tensor **out,
                              td_pack_layout **out_layout, td_error **err) TD_NOEXCEPT;

/* A tensor with the shape of its features, or a node with the batch dims that it has beyond the root's. */
typedef struct td_pack_entry {
  const td_key *key;
  const int64_t *dims; /* NULL for none */
  size_t ndim;
} td_pack_entry;

/* Makes a layout of these columns, in this order, and of the nodes that they are in as far as those have more batch
 * dims, or no tensors; a node comes before what it holds. `device` with data says that the packed dict had a device.
 * Like PackLayout(keys, shapes, dim, nested, device).
 * Errors: EXISTS for a key that comes twice; KEY if one runs through another; SHAPE for a negative or overflowing size;
 * INDEX for a dim beyond 62; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_new(const td_pack_entry *columns, size_t n_columns, const td_pack_entry *nested,
                                    size_t n_nested, int64_t dim, td_str device, td_pack_layout **out,
                                    td_error **err) TD_NOEXCEPT;

/* A dict whose tensors are views of `packed`; its batch size is the shape of `packed` without the packed dim, and so
 * any number of rows and of dims. If the packed dict had a device, it is on that of `packed`. What was a lazy stack or
 * parameters is an ordinary dict; names are not kept, Python's classes are.   Like PackLayout.unpack.
 * Errors: INDEX if `packed` lacks the dim; SHAPE for another number of columns.   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_unpack(const td_pack_layout *self, const td_tensor *packed, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* The keys of the columns, in their order, and of the nodes, sorted.   Like PackLayout.keys, nested.
 * [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_keys(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_pack_layout_nested(const td_pack_layout *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Fill up to `capacity` sizes of `out` with the features of the column, or the further batch dims of the node, at
 * `index`, and return their number; 0 for NULL and beyond the last.   Like PackLayout.shapes, nested.
 * [any-thread]  Since 0.1 */
TD_API size_t td_pack_layout_shape(const td_pack_layout *self, size_t index, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_pack_layout_nested_shape(const td_pack_layout *self, size_t index, int64_t *out,
                                          size_t capacity) TD_NOEXCEPT;

/* Where the column at `index` begins along the packed dim, -1 beyond the last; the size of that dim; and its position,
 * which a layout of td_dict_pack counts from the end. 0 for NULL.   Like PackLayout.offsets, numel, dim.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_pack_layout_offset(const td_pack_layout *self, size_t index) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_numel(const td_pack_layout *self) TD_NOEXCEPT;
TD_API int64_t td_pack_layout_dim(const td_pack_layout *self) TD_NOEXCEPT;

/* The device of the dict that was packed; `*out` is NULL if it had none.   Like PackLayout.device.
 * [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_device(const td_pack_layout *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if both have the same columns, nodes, dim, device and classes; two NULLs are equal.   Like layout == other.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_pack_layout_equal(const td_pack_layout *self, const td_pack_layout *other) TD_NOEXCEPT;

/* The text that Python gives.   Like repr(layout).   [any-thread]  Since 0.1 */
TD_API td_status td_pack_layout_repr(const td_pack_layout *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_pack_layout_retain(const td_pack_layout *self) TD_NOEXCEPT;
TD_API void td_pack_layout_release(const td_pack_layout *self) TD_NOEXCEPT;

/* ---- Names of dims --------------------------------------------------------------------------------------------------
 * Batch dims may have names, each its own. They go along with the dims through every operation, and are shared with
 * nodes below: a node with names that is set into a dict without any names it; set into one with names it takes those,
 * and must not have others. Segments and saves in every format keep names.
 */

/* Names the batch dims, here and in all nodes below; NULL data is no name. n is the number of batch dims, or 0 to take
 * all names away. Allowed on a locked dict.   Like TensorDict.names.
 * Errors: ARGUMENT for another n, a name that comes twice or is not UTF-8, and with the key for one that a further dim
 * of a node below has.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* The name of a batch dim; `*out` is NULL if it has none.   Like TensorDict.names.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_name(const td_dict *self, int64_t dim, td_string **out, td_error **err) TD_NOEXCEPT;

/* Names the dims that have no name yet; for a dim that has one, `names` has the same.   Like TensorDict.refine_names.
 * Errors: ARGUMENT if a name would change, and as td_dict_set_names.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_refine_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* Gives the dims called `from` the names `to`, all at once, so that names can be swapped; NULL data takes a name away.
 * Like TensorDict.rename_ with a map.
 * Errors: ARGUMENT if there is no such name, or one would come twice.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename_names(td_dict *self, const td_str *from, const td_str *to, size_t n,
                                      td_error **err) TD_NOEXCEPT;

/* ---- Operators over dicts ---------------------------------------------------------------------------------------- */

/* Calls `op` once for each leaf. Arguments of kind DICT are replaced by that leaf of theirs; all DICTs have the same
 * leaf keys. Other arguments go to every call unchanged. `outs` receive one dict for each tensor that the operator
 * returns, with the nodes and the batch size of the first DICT; more outs than that receive NULL. With an operator that
 * writes in place the leaves are written and the results share them; nothing is written unless every leaf can be
 * called. td.view(dtype) is "view" with the overload "dtype". Like td.add(other) and its siblings.
 * Errors: ARGUMENT without a DICT, or for too few outs; KEY if the leaves differ; SHAPE if a result loses the batch
 * dims; and those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_apply_op(const td_op *op, const td_value *args, size_t n_args, const td_named_value *kwargs,
                                  size_t n_kwargs, td_dict **outs, size_t n_outs, td_error **err) TD_NOEXCEPT;

/* ---- Arithmetic and comparison --------------------------------------------------------------------------------------
 * Pointwise operators as Python's `td + other` has them: operands are matched by key and by batch dims before the
 * operator runs. (td_dict_apply_op is the raw form, which hands tensors over unchanged.)
 *
 *     td_value both[] = {td_value_dict(td), td_value_tensor(gain)};             // one number for each batch element
 *     td_dict_pointwise(mul, both, 2, NULL, 0, NULL, &scaled, &err);
 */

/* What td_dict_pointwise does with leaves that not every dict has. */
typedef int32_t td_missing;
enum {
  TD_MISSING_ERROR = 0, /* TD_ERR_KEY; in place, only if the first dict has it and another lacks it */
  TD_MISSING_SKIP = 1,  /* the result lacks them too; in place, they stay as they are */
  TD_MISSING_FILL = 2   /* `fill` stands for them; in place, no leaves are added */
};

typedef struct td_pointwise_options {
  size_t struct_size;
  td_missing missing;
  const td_value *fill; /* a number or a tensor without dims */
} td_pointwise_options;
#define TD_POINTWISE_OPTIONS_INIT \
  { sizeof(td_pointwise_options), TD_MISSING_ERROR, NULL }

/* Calls the pointwise operator `op` for each leaf. Operands are dicts, of which there is at least one, tensors and
 * numbers, in the order of the operator's schema; `kwargs` has the rest ("alpha", or operands too). `options` may be
 * NULL. The batch sizes of the dicts and the shapes of tensors that have dims broadcast to the batch size of the
 * result: a tensor has one element for each batch element, whatever the features of a leaf. Tensors without dims and
 * numbers go to every leaf. Leaves of several dicts are matched by key, and their features broadcast as LibTorch does
 * it. Nodes, also empty ones, non-tensor entries, names and the device are those of the first dict, and the result is
 * locked if that is. Comparisons (eq, ne, lt, le, gt, ge, their long names, isclose) give bool leaves without names,
 * unlocked, and non-tensor entries count: of two dicts both have the same ones, and eq and ne compare their values,
 * which gives a bool tensor for each of them. With TD_MISSING_FILL data that only one dict has are not equal to the
 * fill. An operator in place ("add_") writes the leaves of its first operand, a dict, which may be locked, and those of
 * lazy stacks member by member; `*out` shares them, and `out` may be NULL. Nothing is written unless every leaf can be.
 * Like td + other, td.lerp, td == other, td.abs.
 * Errors: ARGUMENT without a dict; KEY; SHAPE if the operands do not broadcast, or in place to more than there is;
 * LOCKED for leaves in read-only memory; and those of td_op_call, with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pointwise(const td_op *op, const td_value *operands, size_t n, const td_named_value *kwargs,
                                   size_t n_kwargs, const td_pointwise_options *options, td_dict **out,
                                   td_error **err) TD_NOEXCEPT;

/* ---- Reductions -----------------------------------------------------------------------------------------------------
 * sum, mean, prod, std, var, amin, amax, max, median, all, any, logsumexp ... over batch dims, over features or
 * altogether.
 *
 *     td_reduce_options over = TD_REDUCE_OPTIONS_INIT;
 *     int64_t last = -1;
 *     over.dims = &last, over.n_dims = 1;                                       // the last batch dim
 *     td_dict_reduce(td, mean, NULL, 0, &over, &averages, 1, &err);
 */

typedef struct td_reduce_options {
  size_t struct_size;
  const int64_t *dims; /* batch dims; negative ones count from the last batch dim */
  size_t n_dims;       /* 0: every leaf becomes one number, and the batch size of every node [] */
  td_bool keepdim;     /* the dims stay, with size 1 */
  td_bool feature;     /* instead of dims: what a leaf has beyond the batch dims of its node becomes one number */
} td_reduce_options;
#define TD_REDUCE_OPTIONS_INIT \
  { sizeof(td_reduce_options), NULL, 0, 0, 0 }

/* Calls `op` for each leaf, with the dims that `options` (may be NULL) asks for; `kwargs` has what else the operator
 * takes ("dtype", "correction", "p", "q"). The batch size and the names lose the dims. Operators that keep a dim
 * (softmax, cumsum, sort) keep it here. `outs` receive a dict for each result of the operator: max, min, cummax and
 * cummin along a dim give values and indices; outs beyond the results are set to NULL. With several numbers in "q", a
 * new first batch dim counts them; without dims they are features. Results are unlocked. Nodes stay, and so do
 * non-tensor entries that have one value. Like td.sum, td.mean, td.max, td.softmax and their kin.
 * Errors: INDEX for a dim that is no batch dim; ARGUMENT for a dim named twice, keepdim without dims, `feature` with
 * either, too few outs, or several dims where the operator takes one; SHAPE if the operator does not reduce, or
 * non-tensor entries have different values; DTYPE, TORCH with the key.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                const td_reduce_options *options, td_dict **outs, size_t n_outs,
                                td_error **err) TD_NOEXCEPT;

/* Reduces all leaves together to one tensor: flattened and joined; with dims, joined along the first of them; with
 * `feature`, flattened past the batch dims and joined there.   Like td.sum(reduce=True).
 * Errors: as td_dict_reduce; ARGUMENT if there are no tensors; SHAPE if they cannot be joined.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_reduce_all(const td_dict *self, const td_op *op, const td_named_value *kwargs, size_t n_kwargs,
                                    const td_reduce_options *options, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Whether every element of every tensor is true (not 0), and whether one is: without tensors 1 and 0. Along dims, use
 * td_dict_reduce with the operators of these names.   Like td.all(), td.any().   [any-thread]  Since 0.1 */
TD_API td_status td_dict_all(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_any(const td_dict *self, td_bool *out, td_error **err) TD_NOEXCEPT;

/* ---- Functions over leaves ------------------------------------------------------------------------------------------
 * A function of the caller's, called once for each tensor.
 */

/* `fn` gets the full key of a leaf and `n` tensors, all borrowed: that leaf of `self`, then of each of the others. It
 * puts a new reference in `*out`, or leaves it NULL to drop the entry. `destroy(userdata)` runs once, before
 * td_dict_map returns. */
typedef struct td_map_function {
  td_status (*fn)(void *userdata, const td_key *key, td_tensor *const *tensors, size_t n, td_tensor **out,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_function;

/* The same for non-tensor entries: `lists` are those of `self` and of each of the others. It puts a new reference to
 * data or to a tensor in one of the two outputs, or leaves both NULL to drop the entry. */
typedef struct td_map_data_function {
  td_status (*fn)(void *userdata, const td_key *key, td_data_list *const *lists, size_t n, td_data_list **out_data,
                  td_tensor **out_tensor, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_map_data_function;

/* Makes data for such a function to return: one value for a whole batch, then `shape` is NULL, or one for each element
 * of a batch of that shape, row-major.
 * Errors: ARGUMENT as td_dict_set_data; SHAPE for a negative or overflowing size.   [any-thread]  Since 0.1 */
TD_API td_status td_data_list_new(const td_data *values, const int64_t *shape, size_t ndim, td_data_list **out,
                                  td_error **err) TD_NOEXCEPT;

/* What becomes of nodes in which nothing is left. */
typedef int32_t td_emptied;
enum {
  TD_EMPTIED_DROP = 0,     /* dropped, unless they were empty before */
  TD_EMPTIED_DROP_ALL = 1, /* dropped */
  TD_EMPTIED_KEEP = 2
};

typedef struct td_map_options {
  size_t struct_size;
  const int64_t *batch_size; /* of every node of the result, which then has no names; NULL: as before */
  size_t ndim;
  td_emptied emptied;
  td_bool in_place;                 /* results are copied into the leaves; NULL leaves one as it is */
  td_bool missing_as_null;          /* `fn` gets NULL for leaves that one of the others lacks, instead of TD_ERR_KEY */
  const td_map_data_function *data; /* for non-tensor entries, after all tensors; NULL: they stay */
} td_map_options;
#define TD_MAP_OPTIONS_INIT \
  { sizeof(td_map_options), NULL, 0, TD_EMPTIED_DROP, 0, 0, NULL }

/* Calls the function for each tensor of `self`, in the order of td_dict_keys, and makes a dict of the results,
 * unlocked. Leaves that only the others have are ignored; non-tensor entries stay, unless the options have a function
 * for them too, as Python's is_leaf. `options` may be NULL. In place, leaves are written after the last call, also of a
 * locked dict; `*out` shares them, and `out` may be NULL; data can become other data only (ARGUMENT). For
 * propagate_lock= and out=, td_dict_lock the result and td_dict_become it.   Like TensorDict.named_apply, apply_.
 * Errors: CALLBACK with the key if `fn` fails or throws; KEY; SHAPE if a result lacks the batch dims of its node, or in
 * place has another shape than the leaf; LOCKED if a leaf to write is in read-only memory; ARGUMENT.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_map(const td_dict *self, td_map_function function, const td_dict *const *others,
                             size_t n_others, const td_map_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* As td_dict_merge, but a tensor that all `dicts` have is what the function makes of them; NULL keeps that of the
 * first. Like merge_tensordicts(callback_exist).
 * Errors: as td_dict_merge; CALLBACK with the key if `fn` fails or throws; SHAPE if a result lacks the batch dims.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_merge_with(const td_dict *const *dicts, size_t n, td_map_function function, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* ---- Autograd, device and dtype ---------------------------------------------------------------------------------- */

/* 1 if operations on some tensor are recorded.   Like td.requires_grad.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_requires_grad(const td_dict *self) TD_NOEXCEPT;

/* Starts or stops recording on every tensor, or on none if one refuses.   Like td.requires_grad_.
 * Errors: as td_tensor_set_requires_grad, with the key; UNSUPPORTED for tensors in a file.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_requires_grad(td_dict *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;

/* New nodes around the same data without its history, locked if `self` is. The operator "data" of td_dict_pointwise
 * gives the same, unnoticed by autograd when it is written to: td.data.   Like td.detach().
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_detach(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Forgets the history of the tensors themselves; allowed on a locked dict.   Like td.detach_().
 * Errors: TORCH naming a view that requires grad; nothing has changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_detach_(td_dict *self, td_error **err) TD_NOEXCEPT;

/* The collected gradients of the leaves that have one, locked if `self` is; nodes without any are left out. `*out` is
 * NULL if no leaf has one.   Like td.grad.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_grad(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Forgets the collected gradients, or writes zeros into them.   Like td.zero_grad(set_to_none).
 * Errors: LOCKED for a gradient in read-only memory.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_zero_grad(td_dict *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

/* Runs backward once from all leaves that require grad. `gradient` has a tensor of the same shape for each of them, and
 * may be NULL if they have one element each.   Like td.backward.
 * Errors: ARGUMENT if no leaf requires grad; KEY and SHAPE naming the leaf whose gradient is missing or does not fit;
 * TORCH.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_backward(const td_dict *self, const td_dict *gradient, td_bool retain_graph,
                                  td_error **err) TD_NOEXCEPT;

typedef struct td_backward_options {
  size_t struct_size;
  td_bool retain_graph; /* keeps the graph for another call */
  td_bool create_graph; /* records the gradients too, for those of higher order; keeps the graph */
  td_bool allow_unused; /* td_dict_autograd_grad leaves out what was not used, instead of an error */
} td_backward_options;
#define TD_BACKWARD_OPTIONS_INIT \
  { sizeof(td_backward_options), 0, 0, 0 }

/* The same with options, which may be NULL; with `inputs`, gradients are added to its tensors only.   Like
 * td.backward(gradient, retain_graph, create_graph, inputs).
 * Errors: as td_dict_backward; ARGUMENT naming an input that does not require grad.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_backward_with(const td_dict *self, const td_dict *gradient, const td_dict *inputs,
                                       const td_backward_options *options, td_error **err) TD_NOEXCEPT;

/* The gradients for the tensors of `inputs`, in its structure, and added to none; locked if `inputs` is. Nodes that
 * nothing is left in are dropped. `gradient` and `options` may be NULL.   Like torch.autograd.grad over TensorDicts.
 * Errors: as td_dict_backward_with; ARGUMENT naming an input that was not used.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_autograd_grad(const td_dict *self, const td_dict *inputs, const td_dict *gradient,
                                       const td_backward_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Another dtype for every tensor (TD_DTYPE_NONE: keep) and another device for every node and tensor (NULL data: keep).
 * `*out` is `self` if it has that device already and no dtype is given; else a new dict, whose tensors are the same
 * where nothing changes, locked if `self` is. td.to(other) is this with the device of `other`.   Like td.to,
 * td.float(), td.cpu().
 * Errors: DTYPE; DEVICE.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_to(const td_dict *self, td_dtype dtype, td_str device, td_dict **out,
                            td_error **err) TD_NOEXCEPT;

/* Tensors in page-locked memory, from where copies to a GPU need not block; locked if `self` is.   Like
 * td.pin_memory().
 * Errors: UNSUPPORTED without CUDA; DEVICE naming a tensor that is not on the CPU.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_pin_memory(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* New nodes, unlocked, around detached tensors on the same memory, for td_dict_load_state_dict or to save. Nested
 * entries stay nested, where Python joins their keys with dots.   Like td.state_dict(flatten=False).
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_state_dict(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

typedef struct td_load_state_options {
  size_t struct_size;
  td_bool strict; /* both must have the same entries; else entries of the state are added and others stay */
  td_bool assign; /* the tensors of the state replace those there are, instead of being copied into them */
} td_load_state_options;
#define TD_LOAD_STATE_OPTIONS_INIT \
  { sizeof(td_load_state_options), 1, 0 }

/* Takes over the batch sizes and the values of `state`; without `assign`, gradients are not recorded and a locked dict
 * may be loaded. `options` may be NULL; nodes that hold nothing do not count as entries.   Like td.load_state_dict.
 * Errors: KEY naming an entry that only one of the two has, or that is of another kind; SHAPE; LOCKED. Nothing has
 * changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_load_state_dict(td_dict *self, const td_dict *state, const td_load_state_options *options,
                                         td_error **err) TD_NOEXCEPT;

/* ---- Lock and print ---------------------------------------------------------------------------------------------- */

/* Forbids structural changes here and in all nodes below; values may still be written in place.   Like td.lock_().
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_lock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* Allows them again, here and below.   Like td.unlock_().
 * Errors: LOCKED while a locked dict that contains this one is alive; nothing has changed then.
 * [exclusive]  Since 0.1 */
TD_API td_status td_dict_unlock(td_dict *self, td_error **err) TD_NOEXCEPT;

/* 1 if the dict is locked.   Like td.is_locked.   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_locked(const td_dict *self) TD_NOEXCEPT;

/* Moves the memory of all tensors, of every node and of the members of stacks, to where processes that are forked from
 * now on share it, and locks the dict; the tensors stay what they are, and views of them go along. What is shared
 * already stays where it is, and what a GPU has. Memory of the caller's (td_tensor_from_memory) is copied, then
 * released. The memory has no name, and goes with its last tensor; td_segment_create shares a dict with processes that
 * are no forks.   Like td.share_memory_().
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device, and for a dict in a file; NOSPACE. Nothing
 * has changed then.   [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_share_memory(td_dict *self, td_error **err) TD_NOEXCEPT;

/* 1 if there are tensors, and forked processes see what is written to each of them, as td_tensor_is_shared; 0 for NULL.
 * Python remembers instead how the dict was made.   Like td.is_shared().   [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_shared(const td_dict *self) TD_NOEXCEPT;

/* The text that Python gives for the same content, in its form of many lines.   Like repr(td).
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repr(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* What td_dict_repr_with shows. */
enum {
  TD_REPR_BATCH_SIZE = 1 << 0, /* of the dict and of each node */
  TD_REPR_DEVICE = 1 << 1,
  TD_REPR_IS_SHARED = 1 << 2,
  TD_REPR_SHAPE = 1 << 3, /* of each tensor */
  TD_REPR_FIELD_DEVICE = 1 << 4,
  TD_REPR_DTYPE = 1 << 5,
  TD_REPR_FIELD_IS_SHARED = 1 << 6,
  TD_REPR_GRAD = 1 << 7,
  TD_REPR_IS_CONTIGUOUS = 1 << 8,
  TD_REPR_IS_VIEW = 1 << 9,
  TD_REPR_STORAGE_SIZE = 1 << 10,
  TD_REPR_PLAIN = 1 << 11,    /* mean and std of floating tensors, min and max of the others */
  TD_REPR_UNSORTED = 1 << 12, /* entries as they were inserted, else sorted by their lines */
  TD_REPR_COMPACT =
      1 << 13, /* the form on few lines that Python prints by default since 0.15; other fields are not in it */
  TD_REPR_DEFAULT = 0x7f,
  TD_REPR_BRIEF = (1 << 0) | (1 << 3) /* as verbose=False */
};

/* The text that Python's repr(td) gives under the print options that `flags` stand for.   Like set_printoptions.
 * Errors: ARGUMENT for unknown flags; TORCH if a dtype has no mean or minimum for TD_REPR_PLAIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_repr_with(const td_dict *self, uint64_t flags, td_string **out, td_error **err) TD_NOEXCEPT;

typedef struct td_parse_options {
  size_t struct_size;
  td_str device; /* takes the place of every device in the text; NULL data: the text's own devices */
} td_parse_options;
#define TD_PARSE_OPTIONS_INIT   \
  {                             \
    sizeof(td_parse_options), { \
      NULL, 0                   \
    }                           \
  }

/* Makes a dict of zeros from a text that td_dict_repr_with or Python's repr printed, in either form and with any
 * options: shapes, dtypes, devices, nodes and non-tensor data are those of the text. What it does not show is float32,
 * on the CPU, of the batch size of its node; data that only its type is shown of is empty. Text that is a number, True,
 * False, None, bytes, a list or a dict in Python becomes that; a cut stack ends in None. Where members of a lazy stack
 * differ, the first has size 1 and the others 2. `options` may be NULL.   Like tensordict.parse_tensor_dict_string.
 * Errors: ARGUMENT with line and column for other text, or text that is not UTF-8; UNSUPPORTED for entries of other
 * classes and data that text does not tell; DTYPE; DEVICE for a device that is not there; SHAPE if a shape lacks the
 * batch dims, or is ragged.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_parse(td_str text, const td_parse_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Scopes ---------------------------------------------------------------------------------------------------------
 * Another form of a dict to work on for a while; at the end of the scope it is turned back and its entries are set in
 * the original. Python's `with td.flatten_keys(".") as flat:`.
 *
 *     td_scope_flatten_keys(td, TD_STR("."), &flat, &scope, &err);
 *     td_dict_set(flat, TD_KEY("next.done"), done, &err);
 *     td_scope_end(scope, &err);       // td has ("next", "done") now
 *     td_scope_release(scope);         // alone: nothing is written back
 *
 * Entries that were deleted inside stay in the original. If that is locked, values are copied into its tensors. What
 * stands on the original's memory has been written already and is left alone. A module runs with other parameters by
 * td_module_forward_with. The original's set_lazy_legacy mode, in which views are scopes without an end, is not
 * offered: it is deprecated there, and every dict would have two kinds of view.
 */

/* Unlocks the dict until the scope ends or is released; what was locked before is locked again then, on every way out.
 * Like `with td.unlock_()`.   Errors: LOCKED as td_dict_unlock.   [exclusive]  Since 0.1 */
TD_API td_status td_scope_unlock(td_dict *self, td_scope **out, td_error **err) TD_NOEXCEPT;

/* Begin a scope with what td_dict_flatten_keys and its inverse give. Keys that stood there before find back to their
 * places, also those that have the separator in them.   Like `with td.flatten_keys(sep)`.   Errors: as those.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_flatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                       td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_unflatten_keys(td_dict *self, td_str separator, td_dict **out, td_scope **out_scope,
                                         td_error **err) TD_NOEXCEPT;

/* Begin a scope with what the functions of these names on dicts give.   Like `with td.view(*sizes)`, flatten,
 * unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as those.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_view(td_dict *self, const int64_t *sizes, size_t ndim, td_dict **out, td_scope **out_scope,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_flatten(td_dict *self, int64_t start, int64_t end, td_dict **out, td_scope **out_scope,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_unflatten(td_dict *self, int64_t dim, const int64_t *sizes, size_t ndim, td_dict **out,
                                    td_scope **out_scope, td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_squeeze(td_dict *self, const int64_t *dims, size_t n, td_dict **out, td_scope **out_scope,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_unsqueeze(td_dict *self, int64_t dim, td_dict **out, td_scope **out_scope,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_permute(td_dict *self, const int64_t *dims, size_t n, td_dict **out, td_scope **out_scope,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_transpose(td_dict *self, int64_t dim0, int64_t dim1, td_dict **out, td_scope **out_scope,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_movedim(td_dict *self, const int64_t *source, const int64_t *destination, size_t n,
                                  td_dict **out, td_scope **out_scope, td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_flip(td_dict *self, const int64_t *dims, size_t n, td_dict **out, td_scope **out_scope,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_roll(td_dict *self, const int64_t *shifts, size_t n_shifts, const int64_t *dims,
                               size_t n_dims, td_dict **out, td_scope **out_scope, td_error **err) TD_NOEXCEPT;

/* Begins a scope with what td_dict_to gives. At its end tensors go back to the device of the entry that they replace,
 * and to its dtype if `dtype` was given.   Like `with td.to(device)`.   Errors: DTYPE; DEVICE.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_to(td_dict *self, td_dtype dtype, td_str device, td_dict **out, td_scope **out_scope,
                             td_error **err) TD_NOEXCEPT;

/* Writes back what the dict inside holds, or locks again.
 * Errors: CLOSED if the scope has ended; those of the way back, of td_dict_update and, for a locked original, of
 * td_dict_update_values: the original is as it was then, and the scope still open, unless it is one of td_module_swap.
 * [exclusive]  Since 0.1 */
TD_API td_status td_scope_end(td_scope *self, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Without an end the last one leaves the original as it is, locked again
 * if it was.   [any-thread]  Since 0.1 */
TD_API void td_scope_retain(const td_scope *self) TD_NOEXCEPT;
TD_API void td_scope_release(const td_scope *self) TD_NOEXCEPT;

/* ==== Storage ========================================================================================================
 * The formats of Python's tensordict: the memmap directory, with one file a tensor and one meta.json a dict, the
 * consolidated file, the archive (.tdz) and HDF5; and safetensors. What stock Python saves we open, without a copy
 * where the format allows it, and what we save it opens.
 *
 *     td_dict *data;
 *     td_open(TD_STR("digits/memmap"), NULL, &data, &err);     // nothing is read yet but the meta.json files
 */

/* How a dict is kept on disk. A build may lack one of them: td_has_feature. */
typedef int32_t td_format;
enum {
  TD_FORMAT_AUTO = 0,         /* open: as the file says, but see `trusted`; save: by the ending of the path */
  TD_FORMAT_MEMMAP = 1,       /* a directory; paths with no other format's ending */
  TD_FORMAT_CONSOLIDATED = 2, /* .td */
  TD_FORMAT_ARCHIVE = 3,      /* .tdz */
  TD_FORMAT_HDF5 = 4,         /* .h5, .hdf5 */
  TD_FORMAT_SAFETENSORS = 5   /* .safetensors */
};

/* The name of a format, "memmap directory"; "?" for unknown values and AUTO. Static text.   [any-thread]  Since 0.1 */
TD_API const char *td_format_name(td_format format) TD_NOEXCEPT;

/* The format of what lies at `path`, recognised by its first and last bytes. A directory is MEMMAP.
 * Errors: NOT_FOUND; CORRUPT if it is of none; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_format_detect(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

/* The format that td_save gives a file of this name, by its ending; MEMMAP for any other name. Nothing need be there.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_format_of_ending(td_str path, td_format *out, td_error **err) TD_NOEXCEPT;

typedef int32_t td_open_mode;
enum {
  TD_MODE_READ = 0,      /* memory is mapped read-only: our own writes refuse with LOCKED */
  TD_MODE_COW = 1,       /* writes stay in this process and never reach the file */
  TD_MODE_READ_WRITE = 2 /* writes to tensors are in the file at once, and seen by all who have it open */
};

typedef struct td_open_options {
  size_t struct_size;
  td_open_mode mode;
  int32_t reserved; /* 0 */
  td_format format;
  td_bool lenient;    /* 1: take what the original takes, as far as that is safe; see td_open */
  td_bool trusted;    /* 1: HDF5 is recognised, too, whose library believes what a file says; see td_open */
  const td_key *part; /* the dict at this key, of a directory or an archive; NULL: all */
} td_open_options;
#define TD_OPEN_OPTIONS_INIT \
  { sizeof(td_open_options), TD_MODE_READ, 0, TD_FORMAT_AUTO, 0, 0, NULL }

/* Opens what Python's td.save(path) or td_save wrote. Strict: every size, type and name is checked first, links are
 * not followed, and nothing outside `path` is read. `options` may be NULL.   Like TensorDict.load_memmap, which
 * tolerates more. A tensorclass opens as an ordinary dict that knows its class (td_dict_python_class), and so does a
 * nested tensor: a lazy stack of its components, each under "values". Both are saved again as what they were. Views
 * open as what they show. Pickled data is never run: bytes open as such, everything else as TD_DATA_PICKLE. Metadata
 * may be UTF-8, UTF-16 or UTF-32, as in Python. Many leaves are opened on LibTorch's threads. An archive unpacks to
 * 64 MiB or 1032 times its size at most, whichever is more. With TD_MODE_READ_WRITE the dict of a memmap directory
 * is locked. `lenient` does this, and nothing else: memmap directories and archives leave out entries whose files
 * are missing, or that have no dtype or shape, and end a lazy stack at its first missing member; archives unpack to
 * any size; tensors of a consolidated file may overlap; a safetensors file may have holes, and tensors of unknown
 * dtypes are left out; HDF5 files leave out what cannot be read. Files of strangers may be opened so, in every
 * format but HDF5: libhdf5, which reads it, believes what a file says, and damaged files crash it or keep it busy
 * without an end. An HDF5 file is opened only if `format` is TD_FORMAT_HDF5 or `trusted` is 1, both for files whose
 * maker you trust. Of `part` nothing else is read but the meta.json files on the way. A member of a lazy stack is
 * called by its number, TD_KEY("stack", "0"). Like load_memmap(path, subpath=).
 * Errors: NOT_FOUND, also for a part that is not there or is a tensor; CORRUPT naming the file (missing or short
 * leaf, bad JSON, batch mismatch...); UNSUPPORTED for formats and collection kinds that this build does not open,
 * for archives that unpack to more, for HDF5 files that are neither asked for nor trusted, and for parts of a file
 * in another format; DTYPE; IO. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_open(td_str path, const td_open_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Is told, on the thread that saves, that `done` of `total` bytes are written; a status other than TD_OK gives up.
 * `destroy(userdata)` runs once, before the saving call returns. */
typedef struct td_progress {
  td_status (*fn)(void *userdata, int64_t done, int64_t total, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_progress;

/* How a save may be squeezed. Memmap directories are not. */
typedef int32_t td_compression;
enum {
  TD_COMPRESSION_NONE = 0,
  TD_COMPRESSION_DEFLATE = 1, /* archives and HDF5 */
  TD_COMPRESSION_LZMA = 2     /* archives, in a build with the feature "lzma": smaller, and many times slower */
};

typedef struct td_save_options {
  size_t struct_size;
  td_bool overwrite;           /* 1: replace an earlier save as a whole; 0: EXISTS but for an empty directory */
  td_bool sync;                /* 1: fsync before the new save becomes visible */
  size_t threads;              /* that compress and write, the same bytes; 0, 1 and for HDF5: the caller's only */
  const td_progress *progress; /* NULL: none */
  td_format format;
  td_compression compression;
} td_save_options;
#define TD_SAVE_OPTIONS_INIT \
  { sizeof(td_save_options), 0, 0, 0, NULL, TD_FORMAT_AUTO, TD_COMPRESSION_NONE }

/* Saves byte for byte as Python's tensordict 0.15 does with orjson, which writes no spaces. It is built beside
 * `path` and renamed: a crash leaves the old or the new, never half, and so does giving up. What is overwritten
 * hands on its mode: to a file its own; in a directory that of the old directory to all directories and that of its
 * meta.json to all files, and its group as far as this process may. Else the umask decides. `options` may be NULL.
 * Like TensorDict.save. A stack of JSON lists of one length opens again as a deeper stack, as it does in Python.
 * Errors: EXISTS; KEY for names that the format cannot hold; UNSUPPORTED for formats and compressions that this
 * build does not write, layouts without bytes, data that the format cannot hold and parts of a pickled list;
 * CALLBACK if the progress function gives up; NOSPACE; IO. [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_save(const td_dict *self, td_str path, const td_save_options *options, td_error **err) TD_NOEXCEPT;

/* ---- Files of one piece ---------------------------------------------------------------------------------------------
 * A consolidated file (.td) keeps names, locks, lazy stacks and jagged tensors; an archive (.tdz) is a memmap directory
 * in a zip file, and can be compressed; a safetensors file (.safetensors) is what other programs read, with keys joined
 * by dots. One of theirs opens as a tree of its names, taken apart at each dot but those behind the name of a tensor:
 * "a" and "a.b" are two entries of one dict. All tensors of a file lie in one mapping. A jagged or nested tensor of N
 * components opens as a lazy stack of N dicts with one tensor each, "values"; td_dict_python_class says "torch.nested"
 * of it, and td_save writes it as it was. N may be 0, and the dict may have more batch dims if all components have them
 * in front of the ragged one: [3, n] below [2, 3]. As in Python, a ragged dim is no batch dim of a file (CORRUPT in
 * td_open, UNSUPPORTED in td_save), directories and archives hold no tensor of 0 components, and HDF5 and safetensors
 * no nested tensor at all (UNSUPPORTED).
 *
 *     options.compression = TD_COMPRESSION_DEFLATE;
 *     td_save(td, TD_STR("run.tdz"), &options, &err);
 */

/* Reads all of an archive and compares every checksum; td_open does so only for what it unpacks or copies. The features
 * "archive", "bzip2" and "lzma" say what this build knows.
 * Errors: NOT_FOUND; CORRUPT naming the entry; UNSUPPORTED for methods of compression that this build lacks; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_verify(td_str path, td_error **err) TD_NOEXCEPT;

/* Makes the checksums of an archive again, in place, after writes under TD_MODE_READ_WRITE: other tools compare them.
 * Like refresh_archive_checksums.
 * Errors: NOT_FOUND; CORRUPT if it is no archive; UNSUPPORTED in a build without archives; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_archive_refresh_checksums(td_str path, td_error **err) TD_NOEXCEPT;

/* A locked copy of all tensors in one allocation, which is cheaper to make than one for each. The copies require no
 * grad; lazy stacks stay lazy. td_save with TD_FORMAT_CONSOLIDATED writes the same into a file.   Like
 * TensorDict.consolidate.
 * Errors: DEVICE for tensors that are not on the CPU; UNSUPPORTED for tensors that are not dense.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_consolidate(const td_dict *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Dicts that live in a directory ---------------------------------------------------------------------------------
 * A memmap directory that is opened with TD_MODE_READ_WRITE is the dict: tensors are its files, and all processes that
 * have it open, stock Python too, see each other's writes to them. In /dev/shm no disk is involved. As in Python it is
 * locked, for what td_dict_set puts into a dict is in no file: td_dict_make_memmap makes entries nevertheless,
 * td_dict_copy_into writes them, and what is set into a dict that was unlocked is lost with a refresh.
 *
 *     td_dict_memmap_like(td, TD_STR("/dev/shm/buffer"), NULL, &buffer, &err);    // zeros, in files
 *     td_dict_make_memmap(buffer, TD_KEY("done"), TD_SHAPE(32), TD_BOOL, &done, &err);
 */

/* Makes a memmap directory with the structure of `self` and zeros in all tensors, and opens it with TD_MODE_READ_WRITE.
 * A path that ends in .tdz, or that format, makes an archive of zeros, and `out` is a dict of zeros in memory.
 * Non-tensor entries are kept. `options` may be NULL.   Like TensorDict.memmap_like.
 * Errors: UNSUPPORTED for options.format other than AUTO, MEMMAP and ARCHIVE; as td_save and td_open.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_memmap_like(const td_dict *self, td_str path, const td_save_options *options, td_dict **out,
                                     td_error **err) TD_NOEXCEPT;

/* Makes a new entry of zeros in the directory and in the dict; missing nodes are made. `out` may be NULL. A key is made
 * once: of two processes that try, one fails with EXISTS.   Like TensorDict.make_memmap.
 * Errors: UNSUPPORTED unless the directory was opened with TD_MODE_READ_WRITE; EXISTS; SHAPE unless `shape` begins with
 * the batch size; KEY for names that the format cannot hold, or if the path runs through an entry that is no dict;
 * NOSPACE; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap(td_dict *self, const td_key *key, const int64_t *shape, size_t ndim,
                                     td_dtype dtype, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same with the elements of `value`.   Like TensorDict.make_memmap_from_tensor.
 * Errors: as td_dict_make_memmap; UNSUPPORTED for layouts without bytes.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_make_memmap_from(td_dict *self, const td_key *key, const td_tensor *value, td_tensor **out,
                                          td_error **err) TD_NOEXCEPT;

/* Opens the directory anew, in the same mode: entries that others made appear, and those that are gone there are gone
 * here. Tensors that were taken out before stay valid.   Like TensorDict.memmap_refresh_.
 * Errors: UNSUPPORTED if `self` was not opened from a directory; LOCKED unless that was for writing; as td_open.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_dict_memmap_refresh(td_dict *self, td_error **err) TD_NOEXCEPT;

/* 1 if the tensors of the dict itself were mapped from files when it was opened, or it is a view of such a dict by
 * td_dict_index; for a lazy stack, if that holds for all members; 0 for NULL.   Like TensorDict.is_memmap.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dict_is_memmap(const td_dict *self) TD_NOEXCEPT;

/* The absolute path of the directory that the dict was opened from, empty if there is none. A node below it has a path
 * of its own.   Like td.saved_path.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_saved_path(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* The class that the dict has in Python where it is an ordinary dict here: "module.Class" for a tensorclass,
 * "torch.nested" for a nested tensor; empty for all others. Copies and operations over leaves keep it.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_class(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* What a tensorclass has beside its entries, as a JSON object of its fields ("{\"label\":null}"); "{}" for all others.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_python_fields(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Adds rows to a memmap directory, along the first batch dim, and to all dicts in it. What reads the directory
 * meanwhile, or after a crash, finds the old rows or all of them; what was mapped before keeps the old ones, whose
 * files the new ones share: td_dict_memmap_refresh shows the others. `rows` has the same keys, dtypes and sizes but
 * for the first dim. One value of data stands for all rows, and must be equal. Rows for a tensorclass may be an
 * ordinary dict. With `sync` 1 all is on the disk before it becomes visible.   Like append_memmap, which leaves
 * dicts of different lengths when killed.
 * Errors: KEY for entries that only one side has, or of another kind; SHAPE; DTYPE; ARGUMENT for other data, and for
 * rows of another class; UNSUPPORTED for other formats, and for lazy stacks, nested tensors, stacks of data and
 * views, which cannot grow; as td_open of the directory; NOSPACE; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_append_memmap(td_str path, const td_dict *rows, td_bool sync, td_error **err) TD_NOEXCEPT;

/* ---- Tensors in files of their own ----------------------------------------------------------------------------------
 * A file of the elements of one tensor, row-major and nothing else: what a memmap directory has for each leaf, and
 * Python's MemoryMappedTensor. Who opens it says dtype and shape. All that have it open see each other's writes.
 *
 *     td_tensor_memmap_zeros(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_UINT8, NULL, &frames, &err);
 *     td_tensor_memmap_open(TD_STR("/dev/shm/frames"), TD_SHAPE(1000, 84, 84), TD_UINT8, TD_MODE_READ, &seen, &err);
 */

/* Makes a file of zeros, or of one value everywhere, and opens it with TD_MODE_READ_WRITE. The directory must be there;
 * the file appears at one stroke. TD_DTYPE_NONE is float32. Of `options`, which may be NULL, overwrite, sync, threads
 * and progress count. What was mapped from a file that is replaced keeps the old elements.   Like
 * MemoryMappedTensor.zeros, empty, ones, full.
 * Errors: EXISTS if something is there, unless it is a file and may be overwritten; SHAPE for a negative or overflowing
 * size; DTYPE; TORCH if the dtype cannot hold `value`; UNSUPPORTED for options.format other than AUTO and MEMMAP;
 * CALLBACK if the progress function gives up; NOT_FOUND for a missing directory; NOSPACE; IO.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_zeros(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype,
                                        const td_save_options *options, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_tensor_memmap_full(td_str path, const int64_t *dims, size_t ndim, double value, td_dtype dtype,
                                       const td_save_options *options, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The same with a copy of the elements of `self`, which may be the tensor in the file that is replaced. The new tensor
 * requires no grad.   Like MemoryMappedTensor.from_tensor, which refuses tensors that require grad or have a file.
 * Errors: as td_tensor_memmap_zeros; UNSUPPORTED for layouts without bytes.
 * [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_tensor_memmap_from(const td_tensor *self, td_str path, const td_save_options *options,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Opens the front of a file as a tensor; what follows in the file is ignored. `path` may be a link.   Like
 * MemoryMappedTensor.from_filename, which makes files that are too short longer.
 * Errors: NOT_FOUND; CORRUPT if the file is shorter than the shape needs, or is no regular file; SHAPE for a negative
 * or overflowing size; DTYPE; IO, also without the right to write under TD_MODE_READ_WRITE.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_memmap_open(td_str path, const int64_t *dims, size_t ndim, td_dtype dtype, td_open_mode mode,
                                       td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The absolute path, with links resolved, of the file whose elements the tensor, or what it is a view of, has in
 * memory: one that these functions made or opened, or a leaf of a memmap directory. Empty for all others, without
 * elements, and if the file is gone or replaced.   Like MemoryMappedTensor.filename.
 * Errors: ARGUMENT.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_tensor_saved_path(const td_tensor *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ---- Dicts in files -------------------------------------------------------------------------------------------------
 * An HDF5 file as a dict, without reading it: td_open with TD_FORMAT_HDF5 gives one for what h5py or Python's
 * tensordict wrote. A tensor is read whenever it is asked for, and an index reads only the rows it selects; what is set
 * or written goes to the file. Groups are dicts of the same kind, keys come in alphabetical order, and a lock is in
 * memory only. Operations that make a dict, copies too, make an ordinary one in memory; td_dict_update copies it back.
 * Python's PersistentTensorDict.
 *
 *     td_persistent_create(TD_STR("replay.h5"), &options, &replay, &err);      // options.batch_size is [1000000]
 *     const td_index rows = TD_SLICE(0, 32);
 *     td_dict_set_at(replay, &rows, 1, batch, &err);
 *     td_persistent_close(replay, &err);
 *
 * The batch size and the names are kept in an attribute that Python leaves alone. Without it the batch size is the
 * longest that all entries have in common, as Python infers it. Calls wait for each other, as libhdf5 is not made for
 * threads; a program that also uses libhdf5 itself must not do both at once. Links to other files, and tensors stored
 * in them, are refused; an entry that cannot be read is listed as data, reading it says why, and so does td_dict_repr
 * in its place; td_open with `lenient` leaves it out. What libhdf5 parses, before we can check it, it trusts: files
 * that may have been made to harm are not for this format.
 */

typedef struct td_persistent_options {
  size_t struct_size;
  td_open_mode mode;         /* of td_persistent_open: READ or READ_WRITE */
  int32_t compression;       /* of tensors that are new in the file: 1 to 9 with gzip, 0 not at all */
  const int64_t *batch_size; /* NULL: what the file says; of a new file [] */
  size_t ndim;               /* of batch_size */
  int64_t batch_dims;        /* if all entries have more in common, only so many; -1: all of them */
  const int64_t *chunks;     /* sizes of the first dims in which new tensors are stored; NULL: chosen where needed */
  size_t n_chunks;
  td_bool shuffle; /* 1: bytes of equal place together before they are compressed */
} td_persistent_options;
#define TD_PERSISTENT_OPTIONS_INIT \
  { sizeof(td_persistent_options), TD_MODE_READ, 0, NULL, 0, -1, NULL, 0, 0 }

/* Opens an HDF5 file as a dict; `options` may be NULL.   Like PersistentTensorDict.from_h5(path, mode, batch_size,
 * batch_dims).
 * Errors: SHAPE naming the entry that does not have the given batch size; ARGUMENT for another mode; NOT_FOUND; CORRUPT
 * if it is no HDF5 file, or a damaged one; UNSUPPORTED in a build without libhdf5; IO, also while another process
 * writes it. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_open(td_str path, const td_persistent_options *options, td_dict **out,
                                    td_error **err) TD_NOEXCEPT;

/* Makes an HDF5 file without entries and opens it to be written; `options` may be NULL.   Like
 * PersistentTensorDict(mode="w-").
 * Errors: EXISTS; SHAPE for a negative size; ARGUMENT for an option out of range; UNSUPPORTED in a build without
 * libhdf5; IO. [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_persistent_create(td_str path, const td_persistent_options *options, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

/* The path that the file was opened by.   Errors: UNSUPPORTED if the dict is in no file.   [any-thread]  Since 0.1 */
TD_API td_status td_persistent_file(const td_dict *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* 1 if the dict is in a file that takes what is written; 0 for all others and for NULL.   [any-thread]  Since 0.1 */
TD_API td_bool td_persistent_is_writable(const td_dict *self) TD_NOEXCEPT;

/* Closes the file for this dict and all dicts of it, which then fail with CLOSED; to close again does nothing. Without
 * it the file is closed with the last of them. What was written is in the file before this, and reaches the disk when
 * the system writes it. Like PersistentTensorDict.close.   Errors: UNSUPPORTED if the dict is in no file; NOSPACE; IO.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_persistent_close(td_dict *self, td_error **err) TD_NOEXCEPT;

/* ---- Dicts from a description ---------------------------------------------------------------------------------------
 * Room for data that is yet to come, where it will stay.
 *
 *     const td_schema_entry entries[] = {{TD_KEY("obs"), TD_UINT8, 0, TD_SHAPE(84, 84)}, {TD_KEY("r"), TD_FLOAT32}};
 *     options.storage = TD_STORAGE_MEMMAP, options.path = TD_STR("replay");
 *     td_dict_from_schema(entries, 2, TD_SHAPE(1000000), &options, &replay, &err);
 */

/* An entry that is to be: `dims` are those after the batch dims. */
typedef struct td_schema_entry {
  const td_key *key;
  td_dtype dtype;
  int32_t reserved;    /* 0 */
  const int64_t *dims; /* NULL for none */
  size_t ndim;
} td_schema_entry;

/* Where the tensors lie. */
typedef int32_t td_storage;
enum {
  TD_STORAGE_MEMORY = 0, /* an ordinary dict */
  TD_STORAGE_SHARED = 1, /* as td_dict_share_memory has it, locked */
  TD_STORAGE_MEMMAP = 2, /* a memmap directory, as td_dict_memmap_like has it */
  TD_STORAGE_HDF5 = 3    /* an HDF5 file, open to be written */
};

typedef struct td_schema_options {
  size_t struct_size;
  td_storage storage;
  int32_t reserved;            /* 0 */
  td_str path;                 /* of the directory or the file; a directory of Python's choice is not offered */
  td_str device;               /* of tensors in memory; NULL data: "cpu", and the dict has no device */
  const td_save_options *save; /* how the directory or the file is made; NULL: its defaults */
} td_schema_options;
#define TD_SCHEMA_OPTIONS_INIT \
  { sizeof(td_schema_options), TD_STORAGE_MEMORY, 0, {NULL, 0}, {NULL, 0}, NULL }

/* Makes a dict of zeros: one entry for each of the schema, with its dims after the batch size; missing nodes are made.
 * A file takes no memory but for one entry of an HDF5 file at a time. `options` may be NULL.   Like
 * TensorDict.from_schema.
 * Errors: EXISTS for a key that comes twice, and for what is at the path; KEY if one runs through another, or the
 * format cannot hold it; SHAPE for a negative or overflowing size; DTYPE; DEVICE, also for another one than "cpu" with
 * a file; ARGUMENT without a path for a file; and those of td_dict_share_memory, td_dict_memmap_like and td_save.
 * Nothing has been made then.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_dict_from_schema(const td_schema_entry *entries, size_t n, const int64_t *batch_size, size_t ndim,
                                     const td_schema_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ==== Shared segments ================================================================================================
 * A dict in named shared memory, which any process of the same user opens without a copy; stock Python too, with
 * TensorDict.from_consolidated(td_segment_path). Lazy stacks stay lazy. Nested tensors are jagged ones for Python; with
 * snapshots they are lazy stacks of their components.
 *
 *     td_segment_create(TD_STR("digits.predictions"), td, NULL, &seg, &err);      // the owner
 *     td_segment_open(TD_STR("digits.predictions"), &seg, &err);                  // everybody else, read-only
 *     td_segment_dict(seg, &views, &err);
 */

typedef struct td_segment_options {
  size_t struct_size;
  td_bool keep;        /* 1: the name outlives the owner's last reference; 0: it is unlinked then */
  td_bool large_pages; /* 1: ask the system for large pages, which large segments are filled and read faster with */
  int32_t snapshots;   /* buffers for td_segment_snapshot, each of the size of all tensors: 0, or 2 to 8 */
} td_segment_options;
#define TD_SEGMENT_OPTIONS_INIT \
  { sizeof(td_segment_options), 0, 0, 0 }

/* Copies `dict` into a new segment and makes it visible under `name` at one stroke, readable by this user only (0600).
 * Names are 1 to 200 of A-Z a-z 0-9 _ . -, not beginning with a dot. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name; NOSPACE; UNSUPPORTED for layouts without bytes, data of
 * kind BYTES and lazy stacks without members; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_create(td_str name, const td_dict *dict, const td_segment_options *options,
                                   td_segment **out, td_error **err) TD_NOEXCEPT;

/* Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write is
 * refused.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT; VERSION; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open(td_str name, td_segment **out, td_error **err) TD_NOEXCEPT;

typedef struct td_segment_open_options {
  size_t struct_size;
  td_bool populate;    /* 1: every page is mapped now; 0: when it is first read, which takes a page fault */
  td_bool large_pages; /* 1: ask the system for large pages */
} td_segment_open_options;
#define TD_SEGMENT_OPEN_OPTIONS_INIT \
  { sizeof(td_segment_open_options), 0, 0 }

/* The same with options, which may be NULL. Memory comes from the NUMA node of the process that creates the segment, or
 * as its policy says (numactl); there is no option for it.   Errors: as td_segment_open.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_open_with(td_str name, const td_segment_open_options *options, td_segment **out,
                                      td_error **err) TD_NOEXCEPT;

/* The dict in the segment, locked. Its tensors are views of the shared memory: the owner's may be written, the others'
 * are read-only. They keep the memory mapped, also after td_segment_release and td_segment_unlink.
 * [any-thread]  Since 0.1 */
TD_API td_status td_segment_dict(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Copies the values of `src` into the segment's tensors in place: other processes see them without reopening. Readers
 * that must not see a mix take td_segment_snapshot, or compare td_segment_version before and after. With snapshots the
 * values are copied twice.
 * Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure, which batch sizes
 * and the members of lazy stacks are part of; UNSUPPORTED if it differs in non-tensor data, which stays as it is;
 * NOSPACE if readers hold all older snapshots; nothing is written then. [exclusive]  Since 0.1 */
TD_API td_status td_segment_update(td_segment *self, const td_dict *src, td_error **err) TD_NOEXCEPT;

/* The newest complete state as a locked dict of read-only views. No update touches it while one of its tensors lives,
 * so there is nothing torn in it, at any size and any speed of the owner; readers that die hold nothing back.
 * Errors: UNSUPPORTED without the option `snapshots`, and in a forked child; NOSPACE if 62 processes read already;
 * CORRUPT. [any-thread]  Since 0.1 */
TD_API td_status td_segment_snapshot(const td_segment *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Number of updates begun and ended: it is odd while one is under way. 0 for NULL.   [any-thread]  Since 0.1 */
TD_API uint64_t td_segment_version(const td_segment *self) TD_NOEXCEPT;

/* The file that stock Python opens, "/dev/shm/digits.predictions"; what td_segment_import gives has none, and says its
 * descriptor. Lives as long as the segment.   [any-thread]  Since 0.1 */
TD_API td_str td_segment_path(const td_segment *self) TD_NOEXCEPT;

/* Bytes of the whole segment; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_segment_nbytes(const td_segment *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the segment open keep it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a segment; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Segments, channels and maps of this user whose names begin with `prefix` (empty: all), as a JSON array of objects:
 * name, kind ("segment", "channel" or "map"), bytes, pid of the owner, alive, keep; or name, kind "damaged" and error.
 * Errors: IO; UNSUPPORTED where there are no segments.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_list(td_str prefix, td_string **out, td_error **err) TD_NOEXCEPT;

/* Removes the names that begin with `prefix` of segments whose owner has ended, of channels that nobody is in, and of
 * maps that nobody writes to, as killed processes leave them; not those with the option `keep`, and nothing that it
 * does not know. `out_removed` gets how many.
 * Errors: IO; TIMEOUT if another process has been removing names for seconds.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_prune(td_str prefix, int64_t *out_removed, td_error **err) TD_NOEXCEPT;

/* Sends a copy of `dict` through a Unix socket, in nameless memory that nobody can change any more, to a process that
 * need not trust this one.
 * Errors: ARGUMENT if it is no Unix socket; CLOSED if nobody is at its other end; TIMEOUT if it is full and does not
 * block; as td_segment_export.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_send(const td_dict *dict, int32_t socket, td_error **err) TD_NOEXCEPT;

/* Opens what td_segment_send sends, checked like td_segment_open, and waits up to `timeout_ms` for it, for ever if that
 * is negative. It lives in no file; who sent it the socket knows (SO_PEERCRED).
 * Errors: TIMEOUT; CLOSED if nobody is at the other end; CORRUPT if something else came; as td_segment_import.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_receive(int32_t socket, int64_t timeout_ms, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Copies `dict` into nameless memory that nobody can change any more, for a process that gets the descriptor in a way
 * of the caller's, who closes it.
 * Errors: NOSPACE; UNSUPPORTED for layouts without bytes and data of kind BYTES; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_segment_export(const td_dict *dict, int32_t *out_fd, td_error **err) TD_NOEXCEPT;

/* Opens what td_segment_export made in another process, checked like td_segment_open; the caller closes `fd`, now or
 * later.
 * Errors: ARGUMENT if it is not sealed against its sender; CORRUPT; VERSION; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_segment_import(int32_t fd, td_segment **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. Dropping the owner's last one unlinks the name, unless `keep`.
 * [any-thread]  Since 0.1 */
TD_API void td_segment_retain(const td_segment *self) TD_NOEXCEPT;
TD_API void td_segment_release(const td_segment *self) TD_NOEXCEPT;

/* ==== Channels =======================================================================================================
 * Dicts of one structure, handed from process to process without a copy: a producer fills one in its place and
 * publishes it, a consumer reads it there and gives the place back. A process that is killed at any moment costs the
 * others nothing but a few milliseconds.
 *
 *     td_channel_create(TD_STR("digits.work"), schema, NULL, &ch, &err);                  // one process
 *     td_channel_acquire(ch, 1000, &msg, &err);
 *     td_message_dict(msg, &td, &err);                                                    // write into its tensors
 *     td_message_publish(msg, &err);
 *
 *     td_channel_open(TD_STR("digits.work"), TD_CHANNEL_CONSUMES, &ch, &err);             // another one
 *     td_channel_take(ch, 1000, &msg, &err);
 *     td_message_dict(msg, &td, &err);
 *     td_message_release(msg);                                                            // the place is free again
 *
 * A slot stays held until the message and all tensors of it are released, so that no tensor ever shows another message.
 * Any member of the channel, without being asked, cleans up after members that died. The channel of a forked child's
 * parent is not the child's: it opens the channel again.
 */

/* What the handle does in the channel; the roles may be combined. Without one it only looks on: it takes no place and
 * may call stats, dump and close. */
typedef int32_t td_channel_role;
enum { TD_CHANNEL_OBSERVES = 0, TD_CHANNEL_PRODUCES = 1, TD_CHANNEL_CONSUMES = 2 };

typedef int32_t td_channel_mode;
enum {
  TD_CHANNEL_QUEUE = 0,    /* each message goes to one consumer */
  TD_CHANNEL_BROADCAST = 1 /* each message goes to all consumers that are there when it is published */
};

/* What acquire does when all slots are in use. */
typedef int32_t td_channel_overflow;
enum {
  TD_CHANNEL_BLOCK = 0,      /* it waits */
  TD_CHANNEL_FAIL = 1,       /* NOSPACE */
  TD_CHANNEL_DROP_OLDEST = 2 /* takes the oldest message away that nobody is reading */
};

typedef struct td_channel_options {
  size_t struct_size;
  td_channel_mode mode;
  td_channel_overflow overflow;
  td_channel_role roles; /* of the creator */
  int32_t slots;         /* messages under way at once, 1 to 64 */
  int32_t members;       /* producers and consumers at once, 1 to 62, in a broadcast to 32 */
  int32_t deliveries;    /* how often a queue hands a message out if consumers die with it; 1: at most once */
  int32_t most_held;     /* messages that one handle may hold at once; 0 is any number */
  td_bool keep;          /* 1: the name outlives the creator's last reference; 0: it is unlinked then */
} td_channel_options;
#define TD_CHANNEL_OPTIONS_INIT \
  { sizeof(td_channel_options), TD_CHANNEL_QUEUE, TD_CHANNEL_BLOCK, TD_CHANNEL_PRODUCES, 8, 32, 2, 0, 0 }

/* Numbers of a channel; those that count events are not exact to the last one after a process was killed. */
typedef struct td_channel_statistics {
  size_t struct_size;
  int64_t published;
  int64_t dropped;      /* by DROP_OLDEST */
  int64_t redelivered;  /* handed out again after a consumer died */
  int64_t dead_letters; /* given up, as everybody who took them died */
  int64_t aborted;      /* acquired and never published */
  int64_t swept;        /* members that died and were cleaned up after */
  /* All slots, and how many of them are in which state. */
  int32_t slots, free, writing, ready, reading;
  int32_t producers, consumers;  /* alive */
  int32_t state;                 /* 0 open, 1 closed, 2 corrupt */
  int64_t oldest_ms, oldest_pid; /* of the claim that is held longest; 0 without one */
} td_channel_statistics;
#define TD_CHANNEL_STATISTICS_INIT \
  { sizeof(td_channel_statistics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Makes a channel whose messages have the structure, dtypes and non-tensor data of `schema`, whose values do not
 * matter, and joins it. Lazy stacks have the same members in all messages, and nested tensors are such stacks of their
 * components. All memory is allocated here. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name or option; NOSPACE; UNSUPPORTED for layouts without
 * bytes, data of kind BYTES and lazy stacks without members; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_create(td_str name, const td_dict *schema, const td_channel_options *options,
                                   td_channel **out, td_error **err) TD_NOEXCEPT;

/* Opens a channel and joins it; `roles` are TD_CHANNEL_PRODUCES, TD_CHANNEL_CONSUMES, both (+) or 0. Everything in it
 * is checked before use; a file that another user owns or may write is refused. A consumer of a broadcast gets what is
 * published from now on.
 * Errors: NOT_FOUND; ARGUMENT for a bad name or roles; NOSPACE if all places are taken; CORRUPT; VERSION; IO.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_open(td_str name, td_channel_role roles, td_channel **out, td_error **err) TD_NOEXCEPT;

/* A message to write: a slot of its own, with whatever values were in it. Waits up to `timeout_ms` for one, for ever if
 * that is negative.
 * Errors: TIMEOUT; NOSPACE with FAIL, or with `most_held` messages in hand; CLOSED; CORRUPT; ARGUMENT without the role
 * PRODUCES.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_acquire(td_channel *self, int64_t timeout_ms, td_message **out, td_error **err) TD_NOEXCEPT;

/* The oldest message that is there for this consumer. Waits up to `timeout_ms` for one, for ever if that is negative.
 * The messages of one producer come in their order, but for those that are redelivered.
 * Errors: TIMEOUT; NOT_FOUND instead of it if no producer is there either, none yet or none any more; CLOSED when the
 * channel is closed and empty; NOSPACE with `most_held` messages in hand; CORRUPT;
 * ARGUMENT without the role CONSUMES.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_take(td_channel *self, int64_t timeout_ms, td_message **out, td_error **err) TD_NOEXCEPT;

/* Lets nothing more be published: producers get CLOSED from now on, consumers when they have taken what is there.
 * Errors: UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_close(td_channel *self, td_error **err) TD_NOEXCEPT;

/* Cleans up now after members that died, which waiting members do by themselves; `out_dead` gets how many there were.
 * Errors: UNSUPPORTED in a forked child.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_channel_sweep(td_channel *self, int32_t *out_dead, td_error **err) TD_NOEXCEPT;

/* Fills `out`, whose struct_size the caller has set (TD_CHANNEL_STATISTICS_INIT).
 * Errors: ARGUMENT for a bad struct_size; UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_stats(const td_channel *self, td_channel_statistics *out, td_error **err) TD_NOEXCEPT;

/* Every word of the channel as text, with who holds what and whether that process lives, for people.
 * Errors: UNSUPPORTED in a forked child; OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_dump(const td_channel *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* A dict of zeros of the structure that all messages have.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_schema(const td_channel *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The file behind the channel, "/dev/shm/digits.work". Lives as long as the channel.   [any-thread]  Since 0.1 */
TD_API td_str td_channel_path(const td_channel *self) TD_NOEXCEPT;

/* Bytes of the whole channel; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_channel_nbytes(const td_channel *self) TD_NOEXCEPT;

/* Removes the name. Processes that have the channel open go on with it.
 * Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a channel; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_channel_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. The place in the channel is left with the last reference and the last
 * message. Dropping the creator's last one unlinks the name, unless `keep`.   [any-thread]  Since 0.1 */
TD_API void td_channel_retain(const td_channel *self) TD_NOEXCEPT;
TD_API void td_channel_release(const td_channel *self) TD_NOEXCEPT;

/* The message as a locked dict, the same one each time. An acquired one may be written in place until it is published
 * (td_dict_copy_into, td_dict_update_values, td_tensor_mutable_data); a taken one is read-only. What a lazy stack gives
 * for a key is a copy: the tensors in the message are those of its members.
 * Errors: CLOSED if the message was published; UNSUPPORTED in a forked child.   [any-thread]  Since 0.1 */
TD_API td_status td_message_dict(const td_message *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Hands an acquired message to the consumers; release the handle afterwards. Whoever still has its tensors must not
 * write to them. With CLOSED and CORRUPT the message is given up.
 * Errors: CLOSED if the channel is closed or the message is published; ARGUMENT if it was taken; CORRUPT; UNSUPPORTED
 * in a forked child.   [exclusive]  Since 0.1 */
TD_API td_status td_message_publish(td_message *self, td_error **err) TD_NOEXCEPT;

/* The place of the message in the order of publishing, from 0; -1 before it is published, and for NULL.
 * [any-thread]  Since 0.1 */
TD_API int64_t td_message_number(const td_message *self) TD_NOEXCEPT;

/* How often the message was handed out, this time included: more than 1 when an earlier consumer died with it. 0 for
 * NULL, acquired messages and broadcasts.   [any-thread]  Since 0.1 */
TD_API int32_t td_message_delivery(const td_message *self) TD_NOEXCEPT;

/* Messages that DROP_OLDEST took away since this handle last took one: in a broadcast from this consumer, in a queue
 * from all.   [any-thread]  Since 0.1 */
TD_API int64_t td_message_lag(const td_message *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed. With the last one, and the last of its tensors, a taken message frees
 * its slot, and an acquired one that was not published is given up.   [any-thread]  Since 0.1 */
TD_API void td_message_retain(const td_message *self) TD_NOEXCEPT;
TD_API void td_message_release(const td_message *self) TD_NOEXCEPT;

/* ==== Modules ========================================================================================================
 * A module is a pure function of its state (parameters and buffers, which the library owns) and its inputs. Types come
 * from plugins; td_module_tensordict gives one in- and out-keys, td_module_sequential chains them. They nest to 250
 * levels; more is ARGUMENT.
 *
 *     td_module_create(TD_STR("td.mlp"), TD_STR("{\"in_features\":64,\"hidden\":[32],\"out_features\":10}"),
 *                      rng, &net, &err);
 *     td_module_tensordict(net, &in, 1, &out, 1, &policy, &err);
 *     td_module_forward(policy, td, &err);                     // reads `in`, writes `out`
 *
 * td.torchscript runs a module that torch.jit.save wrote: {"file": "policy.pt"} and, for another than "forward",
 * "method". Its parameters and buffers become the module's own. Such a file holds a program, which runs with all rights
 * of this process: load only those that you trust.
 */

/* Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. Parameters start at
 * the type's own distribution drawn from `generator` (NULL: the default one).
 * Errors: NOT_FOUND for an unknown type (the message lists those there are); ARGUMENT for a bad config; PLUGIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_create(td_str type, td_str config, td_generator *generator, td_module **out,
                                  td_error **err) TD_NOEXCEPT;

/* A function of the caller's as a module without state. `fn` borrows its inputs and fills `outputs` with new
 * references; `destroy(userdata)` runs once, when the module dies or before the creating call returns if it fails. */
typedef struct td_module_function {
  td_status (*fn)(void *userdata, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                  td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_function;

/* Makes a module that calls `function.fn`. It may be called from any thread that runs the module, and may call this
 * library.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_function(td_module_function function, td_module **out, td_error **err) TD_NOEXCEPT;

/* Gives `inner` keys: forward reads the in_keys in order and writes the results to the out_keys ("_" drops one). A
 * missing input is an error when the module runs.   Like TensorDictModule.   Errors: ARGUMENT.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_tensordict(td_module *inner, const td_key *in_keys, size_t n_in, const td_key *out_keys,
                                      size_t n_out, td_module **out, td_error **err) TD_NOEXCEPT;

/* Chains modules that have keys.   Like TensorDictSequential.
 * Errors: ARGUMENT naming the member without keys.   [any-thread]  Since 0.1 */
TD_API td_status td_module_sequential(td_module *const *modules, size_t n, td_module **out, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_module_retain(const td_module *self) TD_NOEXCEPT;
TD_API void td_module_release(const td_module *self) TD_NOEXCEPT;

/* Training mode, here and in all children: it is handed to the plugins' functions.   Like Module.train.
 * [exclusive]  Since 0.1 */
TD_API td_status td_module_train(td_module *self, td_bool training, td_error **err) TD_NOEXCEPT;

/* Runs a module that has keys on `data`, in place (td_module_run is for those that give another dict). On failure
 * `data` keeps the keys written by members that succeeded.   Like calling a module on a TensorDict.
 * Errors: ARGUMENT if it has no keys, or turns out to give another dict; KEY for a missing input; SHAPE; LOCKED; and
 * those of the module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward(const td_module *self, td_dict *data, td_error **err) TD_NOEXCEPT;

/* The same with the parameters and buffers of `state` in place of the module's own; entries it lacks are taken from the
 * module. The module is not changed.   Like torch.func.functional_call.
 * Errors: KEY for an entry that the module does not have.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_forward_with(const td_module *self, const td_dict *state, td_dict *data,
                                        td_error **err) TD_NOEXCEPT;

/* Runs a module on tensors; `outputs` receive `n_outputs` new references.   Like calling a torch.nn.Module.
 * Errors: ARGUMENT if it returns another number; and those of the module itself.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_call(const td_module *self, td_tensor *const *inputs, size_t n_inputs, td_tensor **outputs,
                                size_t n_outputs, td_error **err) TD_NOEXCEPT;

/* The state as a dict that mirrors the module tree, without batch dims. The tensors are the module's own.
 * Like TensorDict.from_module.   [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_module(const td_module *module, td_dict **out, td_error **err) TD_NOEXCEPT;

/* The states of `n` modules stacked along a new batch dim 0: new leaves, independent of the modules, that require grad
 * as the first module's do; unlocked.   Like TensorDict.from_modules.
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

/* Runs the module once for each of the N states in `states` (batch size [N], as td_dict_from_modules gives),
 * vectorised: the result is a new dict of batch size [N, batch...] with all entries of `data` and all outputs; batch is
 * that of `data` without the mapped dim. `data` is not changed. Non-tensor data stay; a stack of values that differ
 * from member to member cannot be read inside. A lazy stack stays one, but for one whose own dim is mapped: that
 * becomes a dict. Like vmap over functional_call.
 * Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; INDEX if `data_dim` is no batch dim;
 * TORCH for random operators under TD_RANDOMNESS_ERROR; and those of td_module_forward_with.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_vmap(const td_module *self, const td_dict *states, const td_dict *data,
                                const td_vmap_options *options, td_dict **out, td_error **err) TD_NOEXCEPT;

/* ---- Functions of the caller's ---------------------------------------------------------------------------------- */

/* A function of the caller's that takes and gives anything a dict can hold. An argument is a TENSOR, a DICT, or NONE
 * for a key that the dict lacks; `kwargs` are those of a module whose in-keys have argument names. It writes new
 * references of what it returns to `outs` and their number, at most `capacity`, to `n_outs`, 0 for nothing: TENSOR,
 * DICT, INT, DOUBLE, BOOL (which become tensors), STR (copied: non-tensor data). `destroy` as in td_module_function. */
typedef struct td_values_function {
  td_status (*fn)(void *userdata, const td_value *args, size_t n_args, const td_named_value *kwargs, size_t n_kwargs,
                  td_value *outs, size_t capacity, size_t *n_outs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_values_function;

/* The tensors of a dict as members of a module, under their keys: floating-point and complex ones as parameters, in the
 * same memory, others as buffers; those of a dict made by td_dict_params keep whether they require grad. For a module
 * that reads keys, ensembles and optimizers of the caller's; it cannot be called.   Like TensorDictParams, which is a
 * module.
 * Errors: ARGUMENT for a key that has a dot or a tensor that is computed from others; UNSUPPORTED for lazy stacks.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_from_params(const td_dict *params, td_module **out, td_error **err) TD_NOEXCEPT;

/* Makes a module that calls `function.fn`. A single DICT that has all out-keys of the module around it stands for its
 * values.   Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_from_values(td_values_function function, td_module **out, td_error **err) TD_NOEXCEPT;

/* A function of the caller's from dict to dict: it may change `data` and return a new reference to it, or another
 * dict. */
typedef struct td_dict_function {
  td_status (*fn)(void *userdata, td_dict *data, td_dict **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dict_function;

/* Makes a module of it, with the keys that it is said to read and write. `inplace`: another dict that it returns is
 * written into the data.   Like WrapModule.   Errors: ARGUMENT if `fn` is NULL.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_wrap(td_dict_function function, td_bool inplace, const td_key *in_keys, size_t n_in,
                                const td_key *out_keys, size_t n_out, td_module **out, td_error **err) TD_NOEXCEPT;

/* ---- Modules that read keys ------------------------------------------------------------------------------------- */

/* Where a module writes its outputs. */
typedef int32_t td_inplace;
enum {
  TD_INPLACE_NONE = 0,  /* None: a sequence returns what its last member gave; other modules write to a new dict */
  TD_INPLACE_TRUE = 1,  /* True: into the data */
  TD_INPLACE_FALSE = 2, /* False: into a new dict without batch dims; the data stay as they are */
  TD_INPLACE_EMPTY = 3  /* "empty": into a new dict with the batch size and the device of the data, which stay */
};

typedef struct td_tensordict_options {
  size_t struct_size;
  td_inplace inplace;
  td_bool strict;               /* a missing input is an error; else the function gets NONE or NULL in its place */
  const td_str *argument_names; /* one for each in-key: the values are passed by these names; NULL: by position */
} td_tensordict_options;
#define TD_TENSORDICT_OPTIONS_INIT \
  { sizeof(td_tensordict_options), TD_INPLACE_TRUE, 0, NULL }

/* td_module_tensordict with options; NULL takes the original's, which are not strict.   Like TensorDictModule, whose
 * dict form of in_keys is `argument_names`.   Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_tensordict_with(td_module *inner, const td_key *in_keys, size_t n_in, const td_key *out_keys,
                                           size_t n_out, const td_tensordict_options *options, td_module **out,
                                           td_error **err) TD_NOEXCEPT;

typedef struct td_sequential_options {
  size_t struct_size;
  td_inplace inplace;
  td_bool
      partial_tolerant; /* members whose inputs are missing do not run; of a lazy stack, on the dicts that have them */
  const td_key *selected_out_keys; /* as td_module_select_out_keys; none: all */
  size_t n_selected;
  const td_str *names; /* of the members, as in the dict form; NULL: numbers */
} td_sequential_options;
#define TD_SEQUENTIAL_OPTIONS_INIT \
  { sizeof(td_sequential_options), TD_INPLACE_NONE, 0, NULL, 0, NULL }

/* td_module_sequential with options.   Like TensorDictSequential.
 * Errors: ARGUMENT; KEY for a selected key that no member writes, or a name that is empty or has a dot.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_sequential_with(td_module *const *modules, size_t n, const td_sequential_options *options,
                                           td_module **out, td_error **err) TD_NOEXCEPT;

/* Chains modules of tensors, each of which gets what the one before it returned. `names` may be NULL: numbers.
 * Like torch.nn.Sequential.   Errors: ARGUMENT; KEY or EXISTS for a bad name.   [any-thread]  Since 0.1 */
TD_API td_status td_module_chain(td_module *const *modules, size_t n, const td_str *names, td_module **out,
                                 td_error **err) TD_NOEXCEPT;

/* Holds modules for others to call; it does nothing itself.   Like torch.nn.ModuleList, and ModuleDict with `names`.
 * Errors: as td_module_chain.   [any-thread]  Since 0.1 */
TD_API td_status td_module_list(td_module *const *modules, size_t n, const td_str *names, td_module **out,
                                td_error **err) TD_NOEXCEPT;

typedef struct td_run_options {
  size_t struct_size;
  td_dict *tensordict_out; /* receives the outputs; NULL: as the module was made */
  td_bool skip_existing;   /* modules whose outputs are all there, and are no inputs, do not run */
} td_run_options;
#define TD_RUN_OPTIONS_INIT \
  { sizeof(td_run_options), NULL, 0 }

/* Runs a module that has keys and gives the dict with the outputs: `data` itself, `tensordict_out`, or a new one.
 * Members of a sequence that ran before one failed have written to `data`.   Like calling a module, set_skip_existing.
 * Errors: as td_module_forward.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_run(const td_module *self, td_dict *data, const td_run_options *options, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* Calls a module that has keys with values instead of a dict: by position in the order of its in-keys, or by the name
 * of the key, the parts of nested keys joined with `separator` (NULL data: "_"). A first argument that is a DICT is the
 * data itself. `outs` receives the values of the out-keys (TENSOR or DICT), `n_outs` their number.   Like dispatch.
 * Errors: ARGUMENT for a value given twice, too many or unknown names, or too little room; KEY for an out-key that was
 * not written.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_dispatch(const td_module *self, const td_value *args, size_t n_args,
                                    const td_named_value *kwargs, size_t n_kwargs, td_str separator, td_value *outs,
                                    size_t capacity, size_t *n_outs, td_error **err) TD_NOEXCEPT;

/* The keys that a module reads, those that it writes, and those that it would write without td_module_select_out_keys.
 * Like in_keys, out_keys, out_keys_source.   Errors: ARGUMENT if it has no keys.   [any-thread]  Since 0.1 */
TD_API td_status td_module_in_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_out_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_out_keys_source(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Narrows the out-keys. The other outputs, where they are no inputs, are taken out of the result, with nodes that held
 * nothing else; all other entries stay. Narrowing again chooses from what is left; reset brings all back.
 * Like select_out_keys, reset_out_keys.
 * Errors: KEY for one that the module does not write.   [exclusive]  Since 0.1 */
TD_API td_status td_module_select_out_keys(td_module *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_reset_out_keys(td_module *self, td_error **err) TD_NOEXCEPT;

/* ---- Members of a sequence -------------------------------------------------------------------------------------- */

/* A new sequence of the members that can run given `in_keys`, and that `out_keys` depend on; NULL stands for the
 * sequence's own keys. Sequences in it are narrowed too; members are shared.   Like select_subsequence.
 * Errors: ARGUMENT if it is no sequence, or nothing is left.   [any-thread]  Since 0.1 */
TD_API td_status td_module_select_subsequence(const td_module *self, const td_key *in_keys, size_t n_in,
                                              const td_key *out_keys, size_t n_out, td_module **out,
                                              td_error **err) TD_NOEXCEPT;

/* Number of members of a sequence, a chain or a list; 0 for other modules.   Like len(seq).
 * [any-thread]  Since 0.1 */
TD_API size_t td_module_size(const td_module *self) TD_NOEXCEPT;

/* The member at `index`, which counts from the end if negative.   Like seq[i].   Errors: INDEX, also without members.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_member(const td_module *self, int64_t index, td_module **out, td_error **err) TD_NOEXCEPT;

/* A new sequence of plain options over the members start, start + step, ... before `stop`. Both count from the end if
 * negative, and may lie beyond it.   Like seq[start:stop:step].
 * Errors: ARGUMENT if it is no sequence, or for step 0.   [any-thread]  Since 0.1 */
TD_API td_status td_module_slice(const td_module *self, int64_t start, int64_t stop, int64_t step, td_module **out,
                                 td_error **err) TD_NOEXCEPT;

/* Puts another module in the place of a member of a sequence, or removes one; the keys follow.   Like seq[i] = module,
 * del seq[i].   Errors: INDEX; ARGUMENT if it is no sequence, or the module has no keys.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_member(td_module *self, int64_t index, td_module *member, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_delete_member(td_module *self, int64_t index, td_error **err) TD_NOEXCEPT;

/* ---- State ------------------------------------------------------------------------------------------------------ */

typedef struct td_from_modules_options {
  size_t struct_size;
  td_bool as_module;        /* parameters and buffers, as td_dict_params makes them */
  td_bool lock;             /* the result is locked; the default */
  td_bool use_state_dict;   /* what a state dict has: nothing that requires grad, persistent buffers only */
  td_bool lazy_stack;       /* a lazy stack of the modules' own tensors; they may differ in structure */
  td_bool expand_identical; /* a tensor that all modules share is expanded, not copied */
} td_from_modules_options;
#define TD_FROM_MODULES_OPTIONS_INIT \
  { sizeof(td_from_modules_options), 0, 1, 0, 0, 0 }

/* td_dict_from_modules with options; NULL takes the original's defaults.   Like tensordict.from_modules.
 * Errors: ARGUMENT for n = 0, or both lazy_stack and as_module; KEY or SHAPE naming the entry that differs.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_from_modules_with(td_module *const *modules, size_t n, const td_from_modules_options *options,
                                           td_dict **out, td_error **err) TD_NOEXCEPT;

/* The parameters and the buffers of modules that are alike, stacked, as two flat dicts with dotted names: new leaves
 * that require grad as the modules' do. A tied parameter has its first name only.   Like torch.func.stack_module_state.
 * Errors: ARGUMENT for n = 0, or if types, modes or requires_grad differ; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_stack_state(td_module *const *modules, size_t n, td_dict **out_params, td_dict **out_buffers,
                                       td_error **err) TD_NOEXCEPT;

typedef struct td_functional_options {
  size_t struct_size;
  td_bool tie_weights; /* a tensor that stands under several names is replaced under all; the default */
  td_bool strict;      /* the states must name everything that the module has, and nothing else */
} td_functional_options;
#define TD_FUNCTIONAL_OPTIONS_INIT \
  { sizeof(td_functional_options), 1, 0 }

/* td_module_call with the tensors of `n_states` dicts, nested or with dotted names, in place of the module's own;
 * `states` may be NULL: the module's own. The module is not changed.   Like torch.func.functional_call.
 * Errors: ARGUMENT for a name that is given twice, or two values for a tied tensor; KEY with `strict`; and those of the
 * module itself.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_functional_call(const td_module *self, const td_dict *const *states, size_t n_states,
                                           const td_functional_options *options, td_tensor *const *inputs,
                                           size_t n_inputs, td_tensor **outputs, size_t n_outputs,
                                           td_error **err) TD_NOEXCEPT;

/* ---- The tree --------------------------------------------------------------------------------------------------- */

typedef struct td_list_options {
  size_t struct_size;
  const td_key *prefix;     /* goes before every name; NULL: none */
  td_bool recurse;          /* what is below too; the default */
  td_bool remove_duplicate; /* what stands under several names is listed under the first; the default */
} td_list_options;
#define TD_LIST_OPTIONS_INIT \
  { sizeof(td_list_options), NULL, 1, 1 }

/* The parameters or the buffers, with their names; each module's own before those below it. `options` may be NULL.
 * Like named_parameters, named_buffers.   [any-thread]  Since 0.1 */
TD_API td_status td_module_parameters(const td_module *self, const td_list_options *options, td_keys **out_keys,
                                      td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_buffers(const td_module *self, const td_list_options *options, td_keys **out_keys,
                                   td_tensor_list **out_tensors, td_error **err) TD_NOEXCEPT;

/* Which modules a visit reaches, and in which order. */
typedef int32_t td_visit_order;
enum {
  TD_VISIT_MODULES = 0,  /* all of them, each before what is below it: named_modules */
  TD_VISIT_CHILDREN = 1, /* the direct children: named_children */
  TD_VISIT_APPLY = 2     /* all of them, each after what is below it: apply */
};

/* Receives a module, borrowed, and its name: n = 0 for the module that is visited itself, and always for
 * TD_VISIT_APPLY. Any status but TD_OK ends the visit. */
typedef td_status (*td_module_visitor)(void *userdata, const td_key *name, td_module *module, td_error **err);

/* Calls `visit` for each module there is now; each is visited once, unless `options` say otherwise.
 * Like named_modules, named_children, apply.   Errors: ARGUMENT; CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_visit(td_module *self, td_visit_order order, const td_list_options *options,
                                 td_module_visitor visit, void *userdata, td_error **err) TD_NOEXCEPT;

/* What stands at a place in the tree. For a module an empty key (NULL) is the module itself. Like get_parameter,
 * get_buffer, get_submodule.   Errors: KEY naming what is not there, or is something else.   [any-thread]  Since 0.1 */
TD_API td_status td_module_get_parameter(const td_module *self, const td_key *name, td_tensor **out,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_buffer(const td_module *self, const td_key *name, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_get_submodule(const td_module *self, const td_key *name, td_module **out,
                                         td_error **err) TD_NOEXCEPT;

/* Put another tensor (NULL: none) or module in the place of one. A module may also be new there. Like setattr on a
 * module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_parameter(td_module *self, const td_key *name, td_tensor *value,
                                         td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_buffer(td_module *self, const td_key *name, td_tensor *value,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_set_submodule(td_module *self, const td_key *name, td_module *module,
                                         td_error **err) TD_NOEXCEPT;

/* Adds a member. A tensor or module may be NULL: a name that holds nothing yet. A parameter requires grad: for a tensor
 * that does not, another one in the same memory is the parameter, as torch.nn.Parameter makes it. A buffer that is not
 * `persistent` is no part of a state dict.   Like register_parameter, register_buffer, add_module.
 * Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for a
 * parameter of integers; EXISTS.   [exclusive]  Since 0.1 */
TD_API td_status td_module_register_parameter(td_module *self, td_str name, td_tensor *value,
                                              td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_buffer(td_module *self, td_str name, td_tensor *value, td_bool persistent,
                                           td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_register_module(td_module *self, td_str name, td_module *module, td_error **err) TD_NOEXCEPT;

/* 1 if the module is in training mode.   Like Module.training.   [any-thread]  Since 0.1 */
TD_API td_bool td_module_is_training(const td_module *self) TD_NOEXCEPT;

/* 1 if the module reads and writes keys.   Like is_tdmodule_compatible.   [any-thread]  Since 0.1 */
TD_API td_bool td_module_has_keys(const td_module *self) TD_NOEXCEPT;

/* The module as text, as Python shows it.   Like repr(module).   [any-thread]  Since 0.1 */
TD_API td_status td_module_repr(const td_module *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* ---- Every tensor of a tree ------------------------------------------------------------------------------------- */

/* Turns gradients of all parameters on or off; forgets them, or sets them to zero.   Like requires_grad_, zero_grad.
 * Errors: DTYPE for a parameter of integers.   [exclusive]  Since 0.1 */
TD_API td_status td_module_set_requires_grad(td_module *self, td_bool requires_grad, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_zero_grad(td_module *self, td_bool set_to_none, td_error **err) TD_NOEXCEPT;

/* Casts the floating-point and complex tensors, or moves all; TD_DTYPE_NONE and NULL data leave things as they are. The
 * parameters stay the tensors that they are; those that go to "meta" are new ones. td_module_to_type casts integers
 * too. Like Module.to, type.   Errors: DTYPE; DEVICE; UNSUPPORTED to move from "meta".   [exclusive]  Since 0.1 */
TD_API td_status td_module_to(td_module *self, td_dtype dtype, td_str device, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_to_type(td_module *self, td_dtype dtype, td_error **err) TD_NOEXCEPT;

/* New tensors of the same shapes on `device`, whose values are not set, in place of all: for a module on "meta".
 * Like Module.to_empty.   Errors: DEVICE.   [exclusive]  Since 0.1 */
TD_API td_status td_module_to_empty(td_module *self, td_str device, td_error **err) TD_NOEXCEPT;

/* Moves the memory of all parameters, buffers and their gradients to where processes that are forked from now on share
 * it; the tensors stay what they are, and views of them go along. What is shared already stays where it is, and what a
 * GPU has. Memory of the caller's (td_tensor_from_memory) is copied, then released. The memory has no name, and goes
 * with its last tensor.   Like Module.share_memory.
 * Errors: UNSUPPORTED naming a tensor that is sparse or on another device; NOSPACE. Nothing has moved then.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_share_memory(td_module *self, td_error **err) TD_NOEXCEPT;

/* Draws all parameters anew, children first, from `generator` (NULL: the default one). `params` is NULL, or a dict of
 * tensors to draw into in place of the module's own; then `out` receives it as leaves that require grad, in the same
 * memory. Without `params` nothing is written to `out`, and `n_reset` (may be NULL) receives the number of modules that
 * had any, else 0. As in the original, the module inside of a member that has keys is drawn twice, so that equal seeds
 * give its numbers. For an ensemble `params` are those of the module inside, with a batch dim of copies, drawn one by
 * one; `out` is a lazy stack of them.   Like reset_parameters_recursive.
 * Errors: SHAPE if `params` has other batch dims, or something has another shape than the module makes; KEY;
 * UNSUPPORTED for an ensemble whose module has got other members since.   [exclusive]  Since 0.1 */
TD_API td_status td_module_reset_parameters(td_module *self, const td_dict *params, td_generator *generator,
                                            td_dict **out, size_t *n_reset, td_error **err) TD_NOEXCEPT;

/* ---- State dicts ------------------------------------------------------------------------------------------------ */

/* The parameters, persistent buffers and extra states under dotted names, in a flat dict; `prefix` (NULL data: none)
 * goes before each. Tensors are detached, unless `keep_vars`, and share memory with the module's.   Like state_dict.
 * Errors: CALLBACK of a hook or an extra state.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_state_dict(const td_module *self, td_str prefix, td_bool keep_vars, td_dict **out,
                                      td_error **err) TD_NOEXCEPT;

typedef struct td_load_options {
  size_t struct_size;
  td_bool strict; /* names must be those of the module; the default */
  td_bool assign; /* the given tensors take the places of the module's own, in place of a copy */
} td_load_options;
#define TD_LOAD_OPTIONS_INIT \
  { sizeof(td_load_options), 1, 0 }

/* Loads a dict of nested or dotted names. All problems are found first and told together: on failure nothing is loaded,
 * unlike in the original. The lists (may be NULL) receive the names that were missing and those that were not expected.
 * Counters of batches ("num_batches_tracked") may be missing, as in states of old versions: the module's own stay.
 * Like load_state_dict.
 * Errors: KEY listing the names, with `strict`; SHAPE; LOCKED for memory that is read-only; CALLBACK of a hook.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_module_load_state_dict(td_module *self, const td_dict *state, const td_load_options *options,
                                           td_keys **out_missing, td_keys **out_unexpected, td_error **err) TD_NOEXCEPT;

/* What a module of the caller's has beside its tensors. `get` puts one tensor or non-tensor data into the empty dict
 * `state` under "_extra_state"; `set` finds it there again, and leaves everything as it was if it fails. Either may be
 * NULL. `destroy` (may be NULL) runs when the functions are replaced or the module goes. */
typedef struct td_extra_state {
  td_status (*get)(void *userdata, const td_module *module, td_dict *state, td_error **err);
  td_status (*set)(void *userdata, const td_module *module, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_extra_state;

/* Gives this one module, not those below it, extra state, in place of what it had; none, if both functions are NULL. It
 * stands in td_module_state_dict after the module's own tensors, as the prefix and "_extra_state". In
 * td_module_load_state_dict the key is missing or expected only for a module with `set`, which is called when all names
 * and shapes are known to fit, before tensors are loaded. If one `set` fails no tensor is loaded, and those that ran
 * before are called with what their `get`, if there is one, told at the start.   Like get_extra_state, set_extra_state.
 * Errors: ARGUMENT.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_set_extra_state(td_module *self, td_extra_state extra, td_error **err) TD_NOEXCEPT;

/* Puts the tensors of `params` in the places of the module's own, until the scope ends: then the tensors that the
 * module has are written into `params`, and its own come back. They come back too when the scope is dropped without an
 * end. The graph stays whole, so that gradients reach the tensors of `params`; with `preserve_module_state` what takes
 * the place of a parameter that requires grad, and does not itself, becomes one for that time, in the same memory.
 * Like to_module.
 * Errors: KEY for an entry that the module does not have.   [exclusive]  Since 0.1 */
TD_API td_status td_module_swap(td_module *self, td_dict *params, td_bool preserve_module_state, td_scope **out,
                                td_error **err) TD_NOEXCEPT;

/* ---- Hooks ------------------------------------------------------------------------------------------------------ */

/* What a forward hook sees, borrowed. A hook replaces a dict or a tensor by putting a new reference in its place, which
 * is taken over; it must not release the old one. Of a module that runs on a dict `data` is set, and after it `result`;
 * of one that runs on tensors the arrays. */
typedef struct td_hook_call {
  td_dict *data;
  td_dict *result;
  td_tensor **inputs;
  size_t n_inputs;
  td_tensor **outputs;
  size_t n_outputs;
} td_hook_call;

typedef struct td_forward_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_hook_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_forward_hook;

enum {
  TD_HOOK_PREPEND = 1 << 0,    /* before the hooks there are */
  TD_HOOK_ALWAYS_CALL = 1 << 1 /* of a hook after the module: when the module has failed, too */
};

/* Add a function that runs before, or after, the module. It may remove hooks, itself too: those of a call that has
 * begun still run. `out_id` (may be NULL) is for td_module_remove_hook.   Like register_forward_pre_hook,
 * register_forward_hook.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_forward_pre_hook(td_module *self, td_forward_hook hook, uint64_t flags, uint64_t *out_id,
                                                td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_forward_hook(td_module *self, td_forward_hook hook, uint64_t flags, uint64_t *out_id,
                                            td_error **err) TD_NOEXCEPT;

/* When a state hook runs. A hook before or after a load may edit the flat dict; the load itself comes last. */
typedef int32_t td_state_hook_kind;
enum {
  TD_HOOK_STATE_DICT_PRE = 0,
  TD_HOOK_STATE_DICT = 1, /* `state` holds what the module and all below it have added */
  TD_HOOK_LOAD_STATE_DICT_PRE = 2,
  TD_HOOK_LOAD_STATE_DICT = 3 /* all problems are known, nothing is loaded yet */
};

typedef struct td_state_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_dict *state, td_str prefix, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_state_hook;

/* Adds a function around td_module_state_dict or td_module_load_state_dict; it runs for the module with its own prefix.
 * The only flag is TD_HOOK_PREPEND.   Like register_state_dict_pre_hook, register_load_state_dict_post_hook and their
 * siblings.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_state_hook(td_module *self, td_state_hook_kind kind, td_state_hook hook, uint64_t flags,
                                          uint64_t *out_id, td_error **err) TD_NOEXCEPT;

/* What a backward hook sees, borrowed; NULL stands for no gradient. Before the module's own way back (a pre-hook) there
 * are only the gradients of its outputs, after it those of its inputs too. A pre-hook replaces gradients of outputs, a
 * hook those of inputs, by putting a new reference, or NULL, in the place of one, which is taken over; it must not
 * release the old one. Shape, dtype and device stay. */
typedef struct td_backward_call {
  td_tensor **grad_inputs;
  size_t n_inputs;
  td_tensor **grad_outputs;
  size_t n_outputs;
} td_backward_call;

typedef struct td_backward_hook {
  td_status (*fn)(void *userdata, const td_module *module, td_backward_call *call, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_backward_hook;

/* Add a function that runs when gradients are computed through the module: a pre-hook when all those of its outputs are
 * there, a hook when all those of its inputs are; if no input requires grad, both run at the outputs, and no input has
 * a gradient. Each gets what those before it have put there. An input is whatever the module was given: a tensor, or
 * what a module with keys found under an in-key; its gradient is NULL if it is no tensor, and zeros if nothing depends
 * on it. Outputs are what it gave or wrote, in the order of the out-keys; the gradient of one that nobody used is NULL.
 * Hooks of members run as those of a module alone do; a sequence may have its own. They are those of the time when the
 * module ran; the graph keeps them, and the module, until it is gone. What is behind a hook cannot be changed in place
 * (TORCH). Nothing runs where no gradients are recorded; under a vmap that records them, and in an ensemble, running
 * the module is UNSUPPORTED. The only flag is TD_HOOK_PREPEND.   Like register_full_backward_pre_hook,
 * register_full_backward_hook.
 * Errors: ARGUMENT; UNSUPPORTED for what td_module_wrap and td_module_query make. Later, of td_tensor_backward and its
 * like: CALLBACK for a hook that fails, or whose gradient does not fit.   [any-thread]  Since 0.1 */
TD_API td_status td_module_add_backward_pre_hook(td_module *self, td_backward_hook hook, uint64_t flags,
                                                 uint64_t *out_id, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_add_backward_hook(td_module *self, td_backward_hook hook, uint64_t flags, uint64_t *out_id,
                                             td_error **err) TD_NOEXCEPT;

/* Removes a hook.   Like handle.remove().   Errors: NOT_FOUND.   [any-thread]  Since 0.1 */
TD_API td_status td_module_remove_hook(td_module *self, uint64_t id, td_error **err) TD_NOEXCEPT;

/* ---- Many members at once --------------------------------------------------------------------------------------- */

/* Copies of a module that has keys, with parameters of their own, drawn from `generator` (NULL: the default one), as
 * one module: its results have a new batch dim 0 of `copies`. `expand_input`: each copy gets all of the data; else the
 * part at its place along batch dim 0. The parameters stand under "params_td", beside the template under "module". If
 * that gets other members later, running and drawing anew are UNSUPPORTED. Like EnsembleModule.   Errors: ARGUMENT for
 * no copies, or a module without keys.   [any-thread]  Since 0.1 */
TD_API td_status td_module_ensemble(td_module *module, int64_t copies, td_bool expand_input, td_generator *generator,
                                    td_module **out, td_error **err) TD_NOEXCEPT;

/* A function to be mapped: it gets each argument (TENSOR or DICT, borrowed) without the dim of the members, and writes
 * `n_outs` new references, TENSOR or DICT. */
typedef td_status (*td_vmap_function)(void *userdata, const td_value *args, size_t n_args, td_value *outs,
                                      size_t n_outs, td_error **err);

typedef struct td_vmap_function_options {
  size_t struct_size;
  td_randomness randomness;
  const int32_t *in_dims;  /* for each argument the batch dim (of a tensor: the dim) of the members, or TD_VMAP_SHARED;
                              NULL: 0 for all */
  const int64_t *out_dims; /* for each result; NULL: 0 for all */
  int64_t chunk_size;      /* so many members at once; 0: all */
} td_vmap_function_options;
#define TD_VMAP_FUNCTION_OPTIONS_INIT \
  { sizeof(td_vmap_function_options), TD_RANDOMNESS_ERROR, NULL, NULL, 0 }

/* Calls `fn` once for all members, vectorised; what does not depend on the member is repeated. It may be called in `fn`
 * again. A dict whose batch is too short for its dim takes the leading dims that its tensors share. Non-tensor data are
 * treated as by td_module_vmap; lazy stacks become dicts.   Like torch.vmap.
 * Errors: ARGUMENT if no argument is mapped; SHAPE for sizes that differ; INDEX; CALLBACK; TORCH.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_vmap(td_vmap_function fn, void *userdata, const td_value *args, size_t n_args,
                         const td_vmap_function_options *options, td_value *outs, size_t n_outs,
                         td_error **err) TD_NOEXCEPT;

/* ---- Optimizers -----------------------------------------------------------------------------------------------------
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

/* Make an optimizer over every leaf of `params` that requires grad (of a lazy stack, of its members); `options` may be
 * NULL. Like torch.optim.SGD, Adam.
 * Errors: ARGUMENT if no leaf requires grad, or an option is out of range; LOCKED for a leaf in read-only memory.
 * [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_sgd(const td_dict *params, const td_sgd_options *options, td_optimizer **out,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_optimizer_adam(const td_dict *params, const td_adam_options *options, td_optimizer **out,
                                   td_error **err) TD_NOEXCEPT;

/* Forgets the collected gradients.   Like Optimizer.zero_grad.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_zero_grad(td_optimizer *self, td_error **err) TD_NOEXCEPT;

/* Changes the parameters in place by one step.   Like Optimizer.step.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_step(td_optimizer *self, td_error **err) TD_NOEXCEPT;

typedef struct td_rmsprop_options {
  size_t struct_size;
  double lr, alpha, eps, weight_decay, momentum;
  td_bool centered;
} td_rmsprop_options;
#define TD_RMSPROP_OPTIONS_INIT \
  { sizeof(td_rmsprop_options), 1e-2, 0.99, 1e-8, 0.0, 0.0, 0 }
#define TD_ADAMW_OPTIONS_INIT \
  { sizeof(td_adam_options), 1e-3, 0.9, 0.999, 1e-8, 1e-2, 0 }

/* As td_optimizer_sgd; NULL options of adamw are TD_ADAMW_OPTIONS_INIT.   Like torch.optim.AdamW, RMSprop.
 * Errors: as td_optimizer_sgd.   [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_adamw(const td_dict *params, const td_adam_options *options, td_optimizer **out,
                                    td_error **err) TD_NOEXCEPT;
TD_API td_status td_optimizer_rmsprop(const td_dict *params, const td_rmsprop_options *options, td_optimizer **out,
                                      td_error **err) TD_NOEXCEPT;

/* Adds a group: the leaves of `params` that require grad, with the options of the first group until they are set. The
 * parameters of the first dict are group 0.   Like add_param_group.
 * Errors: as td_optimizer_sgd; EXISTS for a tensor that has a group.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_add_group(td_optimizer *self, const td_dict *params, td_error **err) TD_NOEXCEPT;

/* An option of a group by the name that torch.optim gives it ("lr", "weight_decay", "momentum", ...; betas are "beta1"
 * and "beta2").   Like optimizer.param_groups[group][name].   Errors: INDEX; KEY for an unknown name.
 * [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_get(const td_optimizer *self, size_t group, td_str name, double *out,
                                  td_error **err) TD_NOEXCEPT;

/* Sets it: a scheduler sets "lr".   Errors: as td_optimizer_get; ARGUMENT for a value out of range.
 * [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_set(td_optimizer *self, size_t group, td_str name, double value,
                                  td_error **err) TD_NOEXCEPT;

/* What the optimizer has collected and its options, as a dict of copies: ("state", "0", "exp_avg"), ("param_groups",
 * "0", "lr"), ...   Like Optimizer.state_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_optimizer_state(const td_optimizer *self, td_dict **out, td_error **err) TD_NOEXCEPT;

/* Goes on from a state of an optimizer of the same kind over parameters of the same shapes.   Like
 * Optimizer.load_state_dict.
 * Errors: KEY; SHAPE; ARGUMENT for another number of groups.   [exclusive]  Since 0.1 */
TD_API td_status td_optimizer_load_state(td_optimizer *self, const td_dict *state, td_error **err) TD_NOEXCEPT;

/* Scales the gradients of all leaves so that their joint norm (of order `norm_type`, INFINITY for the largest) is at
 * most `max_norm`; `out_norm` (may be NULL) receives what it was. Or limits each element to [-value, value].   Like
 * clip_grad_norm_, clip_grad_value_.
 * Errors: ARGUMENT, also for a norm that is not finite with `error_if_nonfinite`.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_clip_grad_norm(td_dict *params, double max_norm, double norm_type, td_bool error_if_nonfinite,
                                        double *out_norm, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dict_clip_grad_value(td_dict *params, double value, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_optimizer_retain(const td_optimizer *self) TD_NOEXCEPT;
TD_API void td_optimizer_release(const td_optimizer *self) TD_NOEXCEPT;

/* ==== Distributions ==================================================================================================
 * Types come from plugins; their functions are operator calls, so gradients flow and vmap works. Bundled are those of
 * torch.distributions, as td.normal, td.gamma, td.categorical and so on, with the parameters that they have there; from
 * tensordict td.truncated_normal, td.delta and td.int_one_hot_categorical; from torchrl td.tanh_normal, td.ordinal,
 * td.one_hot_ordinal, td.masked_categorical and td.masked_one_hot_categorical. What is a number in Python and shapes
 * the distribution is in the config: {"total_count": 4} (td.multinomial), {"dim": 3} (td.lkj_cholesky), "neg_inf"
 * (masked), "atol", "rtol" (td.delta), "low", "high", "upscale", "tanh_loc" (td.tanh_normal), "event_dims" (those two).
 *
 *     td_dist_create(TD_STR("td.normal"), params, TD_STR("{}"), &dist, &err);    // params: {"loc", "scale"}
 *     td_dist_rsample(dist, NULL, 0, rng, &x, &err);
 */

/* Makes a distribution from its parameters, which are kept by reference and broadcast. `config` is a JSON object; NULL
 * data is {}; "validate_args": false turns the checks of parameters and values off, which read them (not inside vmap).
 * Like torch.distributions.Normal(loc, scale) and its siblings.
 * Errors: NOT_FOUND; KEY for a missing or unknown parameter; SHAPE if they do not broadcast; ARGUMENT for values that
 * the type does not take; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_create(td_str type, const td_dict *params, td_str config, td_dist **out,
                                td_error **err) TD_NOEXCEPT;

/* Draws `shape` + batch shape values, without and with gradients to the parameters. `generator` may be NULL for
 * LibTorch's default one.   Like Distribution.sample, rsample.   Errors: UNSUPPORTED if the type cannot.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dist_sample(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_rsample(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                 td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The log of the density or mass at `value`.   Like Distribution.log_prob.
 * Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob(const td_dist *self, const td_tensor *value, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

typedef int32_t td_dist_stat;
enum {
  TD_DIST_MEAN = 0,
  TD_DIST_MODE = 1,
  TD_DIST_VARIANCE = 2,
  TD_DIST_ENTROPY = 3,
  TD_DIST_MEDIAN = 4,
  TD_DIST_STDDEV = 5,
  TD_DIST_DETERMINISTIC = 6, /* the type's own deterministic sample */
  TD_DIST_PERPLEXITY = 7
};

/* A statistic, of batch and event shape; entropy and perplexity are of the batch shape. Like Distribution.mean, mode,
 * variance, stddev, entropy.   Errors: UNSUPPORTED if the type has none.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_get(const td_dist *self, td_dist_stat stat, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* The cumulative distribution function at `value`, and its inverse, which is never validated.
 * Like Distribution.cdf, icdf.   Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_cdf(const td_dist *self, const td_tensor *value, td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_icdf(const td_dist *self, const td_tensor *value, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* All values of a discrete distribution, [n, batch..., event...]; without `expand` the batch dims are 1.
 * Like Distribution.enumerate_support.   Errors: UNSUPPORTED.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_enumerate_support(const td_dist *self, td_bool expand, td_tensor **out,
                                           td_error **err) TD_NOEXCEPT;

/* The same distribution over a larger batch; parameters are not copied.
 * Like Distribution.expand.   Errors: SHAPE; UNSUPPORTED.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_expand(const td_dist *self, const int64_t *batch, size_t ndim, td_dist **out,
                                td_error **err) TD_NOEXCEPT;

/* Fill up to `capacity` sizes of `out` and return how many there are; 0 for NULL.   Like Distribution.batch_shape,
 * event_shape.   [any-thread]  Since 0.1 */
TD_API size_t td_dist_batch_shape(const td_dist *self, int64_t *out, size_t capacity) TD_NOEXCEPT;
TD_API size_t td_dist_event_shape(const td_dist *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* What the distribution can do; 0 for NULL.   Like Distribution.has_rsample, has_enumerate_support.
 * [any-thread]  Since 0.1 */
TD_API td_bool td_dist_has_rsample(const td_dist *self) TD_NOEXCEPT;
TD_API td_bool td_dist_has_enumerate_support(const td_dist *self) TD_NOEXCEPT;

/* As Python prints it: "Normal(loc: 0.0, scale: 1.0)".   Like repr(dist).   [any-thread]  Since 0.1 */
TD_API td_status td_dist_repr(const td_dist *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Whether distributions made from now on check their parameters and values; a config's "validate_args" says it for one.
 * On at first.   Like Distribution.set_default_validate_args.   [any-thread]  Since 0.1 */
TD_API void td_dist_set_default_validate_args(td_bool validate) TD_NOEXCEPT;

/* Takes the last `ndims` batch dims as event dims.   Like torch.distributions.Independent.
 * Errors: ARGUMENT if there are fewer batch dims.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_independent(const td_dist *base, int64_t ndims, td_dist **out, td_error **err) TD_NOEXCEPT;

/* What transforms make of a distribution. `transforms` is JSON, one or a list of "exp", "sigmoid", "tanh", "softplus",
 * "abs", "softmax", "stick_breaking", "lower_cholesky", "corr_cholesky", "positive_definite", {"type": "affine", "loc":
 * 0, "scale": "key", "event_dim": 0}, {"type": "power", "exponent": 2}, {"type": "tanh", "clamp": true} (finite at -1
 * and 1), {"type": "cdf", "of": "td.normal", "params": {"loc": 0, "scale": 1}}, {"type": "inverse", "of": ...},
 * "compose" of a list, "independent" with "ndims", "reshape" with "in" and "out", "stack" and "cat" of a list with
 * "dim" (and "lengths"). Text in the place of a number is a key of `params`, which may be NULL. Like
 * torch.distributions.TransformedDistribution.   Errors: ARGUMENT; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_transformed(const td_dist *base, td_str transforms, const td_dict *params, td_dist **out,
                                     td_error **err) TD_NOEXCEPT;

/* One of the elements along the last batch dim of `components`, chosen by `mixture`, a td.categorical.
 * Like torch.distributions.MixtureSameFamily.   Errors: ARGUMENT; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_mixture(const td_dist *mixture, const td_dist *components, td_dist **out,
                                 td_error **err) TD_NOEXCEPT;

/* The Kullback-Leibler divergence of `p` from `q`.   Like torch.distributions.kl_divergence.
 * Errors: UNSUPPORTED for a pair of types without one.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_kl_divergence(const td_dist *p, const td_dist *q, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* ---- Transforms -----------------------------------------------------------------------------------------------------
 * Invertible maps of tensors, by themselves. They are counted with the distributions in td_live_objects.
 */
/* Makes a transform from JSON, as td_dist_transformed takes it; a list is one after another. `params` may be NULL.
 * Like torch.distributions.transforms.   Errors: ARGUMENT; KEY; SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_create(td_str transform, const td_dict *params, td_transform **out,
                                     td_error **err) TD_NOEXCEPT;

/* The cumulative distribution function of `dist`.   Like CumulativeDistributionTransform.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_cdf_of(const td_dist *dist, td_transform **out, td_error **err) TD_NOEXCEPT;

/* One after another; of none, the identity.   Like ComposeTransform.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_compose(const td_transform *const *parts, size_t n, td_transform **out,
                                      td_error **err) TD_NOEXCEPT;

/* The same map backwards.   Like Transform.inv.   [any-thread]  Since 0.1 */
TD_API td_status td_transform_inverse_of(const td_transform *self, td_transform **out, td_error **err) TD_NOEXCEPT;

/* y of x, x of y, and the log of the determinant of dy/dx for both; gradients flow. Nothing is cached: keep `y` with
 * its `x`. Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED; SHAPE; TORCH.
 * [any-thread]  Since 0.1 */
TD_API td_status td_transform_forward(const td_transform *self, const td_tensor *x, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_inverse(const td_transform *self, const td_tensor *y, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;
TD_API td_status td_transform_log_abs_det_jacobian(const td_transform *self, const td_tensor *x, const td_tensor *y,
                                                   td_tensor **out, td_error **err) TD_NOEXCEPT;

/* As Python prints it: "ExpTransform()".   [any-thread]  Since 0.1 */
TD_API td_status td_transform_repr(const td_transform *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* td_dist_transformed with transforms that are there.   Like torch.distributions.TransformedDistribution.
 * Errors: SHAPE.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_transformed_by(const td_dist *base, const td_transform *const *parts, size_t n, td_dist **out,
                                        td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_transform_retain(const td_transform *self) TD_NOEXCEPT;
TD_API void td_transform_release(const td_transform *self) TD_NOEXCEPT;

/* ---- Interaction types ----------------------------------------------------------------------------------------------
 * How a value is taken from a distribution. DETERMINISTIC is the type's own deterministic sample; without one the mode
 * or the mean, as the type says; and if it does not say, the mean where the support is real, else the mode.
 */
typedef int32_t td_interaction;
enum {
  TD_INTERACTION_DEFAULT = 0, /* whoever asks has a default */
  TD_INTERACTION_MODE = 1,
  TD_INTERACTION_MEDIAN = 2,
  TD_INTERACTION_MEAN = 3,
  TD_INTERACTION_RANDOM = 4,
  TD_INTERACTION_DETERMINISTIC = 5
};

/* The type of a name, in any case.   Like InteractionType.from_str.   Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_interaction_from_name(td_str name, td_interaction *out, td_error **err) TD_NOEXCEPT;

/* Sets the calling thread's type, over the default of every module, and gives what it was: set that again to end the
 * scope. `out_previous` may be NULL. In Go, lock the goroutine to its thread in between.   Like set_interaction_type.
 * Errors: ARGUMENT.   [any-thread]  Since 0.1 */
TD_API td_status td_interaction_set(td_interaction type, td_interaction *out_previous, td_error **err) TD_NOEXCEPT;

/* The calling thread's type; TD_INTERACTION_DEFAULT if none is set.   Like interaction_type.
 * [any-thread]  Since 0.1 */
TD_API td_interaction td_interaction_get(void) TD_NOEXCEPT;

/* A value as `type` says (DEFAULT: DETERMINISTIC). RANDOM draws `shape`, with gradients where the distribution has
 * them; the others repeat their value. Where the mean is not known, it is that of `n_empirical` draws (0: 1000).
 * Errors: UNSUPPORTED; ARGUMENT for a negative `n_empirical`.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_interact(const td_dist *self, td_interaction type, const int64_t *shape, size_t ndim,
                                  int64_t n_empirical, td_generator *generator, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;

/* ---- Composite distributions ----------------------------------------------------------------------------------------
 * Several distributions under keys, over dicts.   Like CompositeDistribution.
 */
typedef struct td_dist_part {
  td_key params; /* the dict of its parameters, in the params of the whole */
  td_str type, config;
  const td_key *name; /* of its samples; NULL: the same as `params` */
} td_dist_part;

/* Makes each part from the dict of its parameters; the batch size is that of `params`.
 * Like CompositeDistribution(params, distribution_map).
 * Errors: KEY; and those of td_dist_create.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_composite(const td_dict *params, const td_dist_part *parts, size_t n, td_dist **out,
                                   td_error **err) TD_NOEXCEPT;

/* Of distributions that are there.   Like CompositeDistribution.from_distributions.   Errors: ARGUMENT.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dist_composite_of(const int64_t *batch, size_t ndim, const td_key *names, td_dist *const *dists,
                                      size_t n, td_dist **out, td_error **err) TD_NOEXCEPT;

/* As td_dist_sample, rsample, get and interact, of a composite distribution. The entropies stand under
 * "<name>_entropy". Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors: UNSUPPORTED, also for a
 * distribution that is no composite.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_sample_dict(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                     td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_rsample_dict(const td_dist *self, const int64_t *shape, size_t ndim, td_generator *generator,
                                      td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_get_dict(const td_dist *self, td_dist_stat stat, td_dict **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_interact_dict(const td_dist *self, td_interaction type, const int64_t *shape, size_t ndim,
                                       int64_t n_empirical, td_generator *generator, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* A new dict with each part's "<name>_log_prob", and with `include_sum` their sum under "sample_log_prob". Like
 * CompositeDistribution.log_prob_composite.   Errors: KEY; SHAPE; ARGUMENT; UNSUPPORTED.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob_dict(const td_dist *self, const td_dict *sample, td_bool include_sum, td_dict **out,
                                       td_error **err) TD_NOEXCEPT;

/* The log-probability of the whole: each part's summed over the dims beyond the sample's batch, then all. The sum of
 * the entropies is td_dist_get of TD_DIST_ENTROPY.   Like CompositeDistribution.log_prob under
 * set_composite_lp_aggregate(True).
 * Errors: as td_dist_log_prob_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_dist_log_prob_sum(const td_dist *self, const td_dict *sample, td_tensor **out,
                                      td_error **err) TD_NOEXCEPT;

/* Write "<name>_cdf" into the sample, and "<name>_icdf" from "<name>_cdf" (where it is missing, from the sample
 * itself). Like CompositeDistribution.cdf, icdf.   Errors: KEY; UNSUPPORTED; LOCKED.   [exclusive]  Since 0.1 */
TD_API td_status td_dist_cdf_dict(const td_dist *self, td_dict *sample, td_error **err) TD_NOEXCEPT;
TD_API td_status td_dist_icdf_dict(const td_dist *self, td_dict *sample, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_dist_retain(const td_dist *self) TD_NOEXCEPT;
TD_API void td_dist_release(const td_dist *self) TD_NOEXCEPT;

/* ---- Probabilistic modules --------------------------------------------------------------------------------------
 * A module that makes a distribution of what it reads, and writes a value of it; a sequence with such members. How the
 * value is taken: as td_interaction_set says, else as the module's own default.
 *
 *     td_key in[] = {*TD_KEY("loc"), *TD_KEY("scale")};
 *     td_module_probabilistic(TD_STR("td.normal"), TD_NO_STR, in, 2, TD_KEY("action"), 1, NULL, &policy, &err);
 *     td_module_get_dist(policy, td, NULL, &dist, &err);
 */

typedef struct td_probabilistic_options {
  size_t struct_size;
  td_interaction default_interaction; /* DEFAULT: DETERMINISTIC */
  td_bool return_log_prob;            /* writes the log-probability of the value, too */
  td_bool
      aggregate; /* one key, "sample_log_prob", for the log-probability of all values, as under composite_lp_aggregate;
                        else one for each: "<out-key>_log_prob" */
  const td_key *log_prob_keys; /* other names: one for each out-key, or one in all with `aggregate` */
  size_t n_log_prob_keys;
  int64_t n_empirical_estimate; /* where MEAN is asked for and is not known, it is that of so many draws; 0: 1000 */
  const int64_t *num_samples;   /* dims that are put before those of the data: the result is a new dict */
  size_t n_num_samples;
  td_generator *generator;     /* for all draws; NULL: the default one, or */
  const td_key *generator_key; /* a seed in the data, which is replaced by the next one after each draw */
  const td_str *param_names;   /* one for each in-key: the parameters that they are; NULL: the last parts of the keys */
  const td_dict *params;       /* parameters that are not in the data, by name */
} td_probabilistic_options;
#define TD_PROBABILISTIC_OPTIONS_INIT \
  { sizeof(td_probabilistic_options), TD_INTERACTION_DEFAULT, 0, 0, NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL }

/* Makes a module of a distribution type and its config (NULL data: td.delta and {}). The parameters are read from the
 * in-keys, those that are missing are not given; the value is written to the out-key (none: "_"), whatever is there.
 * `options` may be NULL.   Like ProbabilisticTensorDictModule, whose dict form of in_keys is `param_names`; cache_dist
 * has no effect there and is not offered.
 * Errors: NOT_FOUND for an unknown type; ARGUMENT for a bad config, several out-keys, a parameter that is given twice,
 * a log-probability key that would overwrite the value.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic(td_str type, td_str config, const td_key *in_keys, size_t n_in,
                                         const td_key *out_keys, size_t n_out, const td_probabilistic_options *options,
                                         td_module **out, td_error **err) TD_NOEXCEPT;

/* The same of several parts, as td_dist_composite makes them of the dict under `params`. The out-keys are the names of
 * the parts; with `aggregate` each log-probability is written beside their sum.
 * Errors: as td_module_probabilistic.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_composite(const td_key *params, const td_dist_part *parts, size_t n_parts,
                                                   const td_probabilistic_options *options, td_module **out,
                                                   td_error **err) TD_NOEXCEPT;

/* A function of the caller's that makes a distribution: `params` (borrowed) holds what the data has, by the names of
 * the parameters; `out` receives a new reference. `destroy` as in td_module_function. */
typedef struct td_dist_function {
  td_status (*fn)(void *userdata, const td_dict *params, td_dist **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_function;

/* The same of any distribution, for instance a transformed or an independent one. One that is composite writes its
 * parts under their names, of which the out-keys must be some.
 * Errors: as td_module_probabilistic; ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_probabilistic_function(td_dist_function function, const td_key *in_keys, size_t n_in,
                                                  const td_key *out_keys, size_t n_out,
                                                  const td_probabilistic_options *options, td_module **out,
                                                  td_error **err) TD_NOEXCEPT;

/* What td_module_get_dist gives of a sequence. */
typedef int32_t td_return_composite;
enum {
  TD_COMPOSITE_DEFAULT =
      0, /* TRUE if there are several probabilistic modules or the last has no distribution, else FALSE */
  TD_COMPOSITE_FALSE = 1, /* the distribution of the last member; the others run with its interaction type */
  TD_COMPOSITE_TRUE = 2   /* one composite distribution of all probabilistic members */
};

/* A sequence with probabilistic members; `options` (may be NULL) as for td_module_sequential_with, whose `inplace` goes
 * before a tensordict_out here. If those before it write the samples of the last member, that one does not draw. Like
 * ProbabilisticTensorDictSequential.   Errors: as td_module_sequential_with; ARGUMENT for no members, or a last one
 * without a distribution under TD_COMPOSITE_FALSE.   [any-thread]  Since 0.1 */
TD_API td_status td_module_probabilistic_sequential(td_module *const *modules, size_t n,
                                                    td_return_composite return_composite,
                                                    const td_sequential_options *options, td_module **out,
                                                    td_error **err) TD_NOEXCEPT;

/* The distribution that a probabilistic module or sequence makes of the data. A sequence runs its members; of one that
 * is not composite they write into `tensordict_out`, or into the data if that is NULL, of a composite one into a copy,
 * and each member but the last draws anew for those after it.   Like get_dist.
 * Errors: UNSUPPORTED if there is no distribution; KEY for a missing parameter; and those of the members.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist(const td_module *self, td_dict *data, td_dict *tensordict_out, td_dist **out,
                                    td_error **err) TD_NOEXCEPT;

/* Runs all members of a probabilistic sequence but the last, under its interaction type, and gives the dict with what
 * they write: `data`, `tensordict_out` (may be NULL), or what a member gave.   Like get_dist_params.
 * Errors: ARGUMENT if it is no such sequence; and those of the members.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_get_dist_params(const td_module *self, td_dict *data, td_dict *tensordict_out, td_dict **out,
                                           td_error **err) TD_NOEXCEPT;

/* The distribution of the last probabilistic module, of parameters that are there; nothing runs.   Like
 * build_dist_from_params.
 * Errors: as td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_dist_from_params(const td_module *self, const td_dict *params, td_dist **out,
                                            td_error **err) TD_NOEXCEPT;

typedef struct td_log_prob_options {
  size_t struct_size;
  const td_dist *dist; /* NULL: as td_module_get_dist makes it of the data */
  td_bool include_sum; /* td_module_log_prob_dict adds the sum of all under "sample_log_prob" */
  /* Members of a composite sequence read the samples in the data, where they are, instead of new ones. */
  td_bool given_samples;
} td_log_prob_options;
#define TD_LOG_PROB_OPTIONS_INIT \
  { sizeof(td_log_prob_options), NULL, 0, 0 }

/* The log-probability of the samples in the data: that of one distribution as it is, of a composite one the sum over
 * the parts and their dims beyond the batch. Or all of them in a new dict, under their log-probability keys. `options`
 * may be NULL. Like log_prob, under set_composite_lp_aggregate(True) and (False); the data keeps its entries, but for
 * td_module_get_dist.
 * Errors: KEY for a missing sample; and those of td_module_get_dist.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_module_log_prob(const td_module *self, td_dict *data, const td_log_prob_options *options,
                                    td_tensor **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_dict(const td_module *self, td_dict *data, const td_log_prob_options *options,
                                         td_dict **out, td_error **err) TD_NOEXCEPT;

/* The keys of the parameters, of the samples, and of the log-probabilities, written or not; of a sequence those of the
 * last member first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors: UNSUPPORTED if it has no
 * distribution. [any-thread]  Since 0.1 */
TD_API td_status td_module_dist_params_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_dist_sample_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_module_log_prob_keys(const td_module *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* Writes up to `capacity` of the dims that draws put before the batch, those of the last member first, and returns how
 * many there are; 0 for other modules.   Like num_samples.   [any-thread]  Since 0.1 */
TD_API size_t td_module_num_samples(const td_module *self, int64_t *out, size_t capacity) TD_NOEXCEPT;

/* The module's own interaction type, of a sequence that of the last member that has one; DEFAULT for other modules.
 * Like default_interaction_type.   [any-thread]  Since 0.1 */
TD_API td_interaction td_module_default_interaction(const td_module *self) TD_NOEXCEPT;

/* ==== Hashes =========================================================================================================
 * Rows in, 64 bits a row out. Types come from plugins: "td.siphash" (what Python's hash(bytes) gives under
 * PYTHONHASHSEED=0, and torchrl's SipHash), "td.xxh3", "td.random_projection" and "td.binary_to_decimal" are bundled.
 *
 *     td_hash_create(TD_STR("td.siphash"), TD_STR("{\"seed\":42}"), &hash, &err);
 *     td_hash_call(hash, rows, &hashes, &err);        // int64 [rows]
 */

/* Makes an instance of a hash type. `config` is a JSON object, checked by the type's schema; NULL data is {}.
 * Errors: NOT_FOUND for an unknown type; ARGUMENT naming the member of a bad config; PLUGIN.
 * [any-thread]  Since 0.1 */
TD_API td_status td_hash_create(td_str type, td_str config, td_hash **out, td_error **err) TD_NOEXCEPT;

/* A function of the caller's as a hash: `fn` borrows a tensor and gives a new reference to an integer tensor with one
 * element for each row of its leading dim. `destroy(userdata)` runs once, when the hash dies or before the call that
 * makes it returns if that fails. */
typedef struct td_hash_function {
  td_status (*fn)(void *userdata, const td_tensor *rows, td_tensor **out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_hash_function;

/* Makes a hash that calls `function.fn`, from any thread that uses it.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_from_function(td_hash_function function, td_hash **out, td_error **err) TD_NOEXCEPT;

/* An independent hash that gives the same values, with the state of this one.
 * Errors: UNSUPPORTED for a function; PLUGIN.   [any-thread]  Since 0.1 */
TD_API td_status td_hash_clone(const td_hash *self, td_hash **out, td_error **err) TD_NOEXCEPT;

/* out[i] = hash of the `row_bytes` bytes at rows + i * stride.
 * Errors: UNSUPPORTED if it hashes tensors; PLUGIN.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_rows(const td_hash *self, const void *rows, size_t n, size_t row_bytes, size_t stride,
                              uint64_t *out, td_error **err) TD_NOEXCEPT;

/* Hashes what each row of the leading dim holds in row-major order, whatever the strides; bfloat16 as float16. The
 * result is int64, one for each row.   Like SipHash.forward.
 * Errors: SHAPE for a tensor without dims; DTYPE; PLUGIN if the number of results is another.
 * [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_call(const td_hash *self, const td_tensor *rows, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* {"type", "version", "config", "takes": "bytes" or "tensor", "flags": [...]} as JSON; {"type": null} for a function.
 * [any-thread]  Since 0.1 */
TD_API td_status td_hash_describe(const td_hash *self, td_string **out, td_error **err) TD_NOEXCEPT;

/* Writes what the hash has beyond its config, with the version of its format.
 * Errors: UNSUPPORTED for a function; those of the type and of `to`.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_save(const td_hash *self, td_writer to, td_error **err) TD_NOEXCEPT;

/* Takes up what td_hash_save wrote for a hash of the same type and config.
 * Errors: UNSUPPORTED for a function; CORRUPT, VERSION for other bytes; those of the type and of `from`.
 * [exclusive] [may-call-back]  Since 0.1 */
TD_API td_status td_hash_load(td_hash *self, td_reader from, td_error **err) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_hash_retain(const td_hash *self) TD_NOEXCEPT;
TD_API void td_hash_release(const td_hash *self) TD_NOEXCEPT;

/* ==== Queries ========================================================================================================
 * Maps rows to dense indices: the first occurrence of a row gets the next free index. Rows are bytes, hashed by a
 * plugin; with the default type the values are those of CPython and torchrl under PYTHONHASHSEED=0.
 *
 *     td_query_new(TD_KEY("image"), 1, NULL, &query, &err);
 *     td_query_forward(query, td, TD_QUERY_DEFAULT, &err);     // writes "_index" and "_hash"
 */

/* What a row that is not in the map gets when the map is not extended. */
typedef int32_t td_query_miss;
enum {
  TD_QUERY_MISS_SIZE = 0, /* the number of indices handed out so far, as in torchrl */
  TD_QUERY_MISS_MINUS_ONE = 1,
  TD_QUERY_MISS_ERROR = 2 /* the call fails with KEY */
};

typedef struct td_query_options {
  size_t struct_size;
  const td_key *index_key; /* NULL: "_index" */
  const td_key *hash_key;  /* NULL: "_hash" */
  td_str hash_type;        /* NULL data: "td.siphash" */
  td_str hash_config;      /* JSON; NULL data: {} */
  /* Instead of hash_type: one for all keys, which is copied if there are several, and hashes their hashes; or one for
   * each key. */
  td_hash *hash;
  td_hash *const *hashes;
  size_t n_hashes;
  td_hash *aggregator;    /* hashes the row of int64 hashes of several keys; NULL: `hash`, else "td.siphash" */
  const td_query *map_of; /* shares the map of another query, by one thread at a time; NULL: a new one */
  int64_t capacity; /* at most so many entries, then the least recently used one gives its index away; 0: no limit */
  td_query_miss miss;
  int32_t threads;   /* that hash and look up; the indices are the same for any number. 0: LibTorch's */
  td_bool clone;     /* td_query_call gives a copy */
  td_bool exact;     /* compare the rows themselves: rows with equal hashes stay apart, and are counted */
  td_bool canonical; /* 0.0 is -0.0 and every NaN the same, when rows are hashed and compared */
} td_query_options;
#define TD_QUERY_OPTIONS_INIT                                                                                        \
  {                                                                                                                  \
    sizeof(td_query_options), NULL, NULL, {NULL, 0}, {NULL, 0}, NULL, NULL, 0, NULL, NULL, 0, TD_QUERY_MISS_SIZE, 1, \
        0, 0, 0                                                                                                      \
  }

/* Makes an empty map over `n` keys. With several keys the rows' hashes are hashed again, in the order of the keys.
 * `options` may be NULL.   Like torchrl's QueryModule.
 * Errors: ARGUMENT for n = 0, a bad config, or another number of hashes than keys; UNSUPPORTED if one hash for several
 * keys cannot be copied; NOT_FOUND for an unknown hash type.   [any-thread]  Since 0.1 */
TD_API td_status td_query_new(const td_key *in_keys, size_t n, const td_query_options *options, td_query **out,
                              td_error **err) TD_NOEXCEPT;

enum {
  TD_QUERY_EXTEND = 1 << 0,     /* rows that are not in the map get new indices; else what the option `miss` says */
  TD_QUERY_WRITE_HASH = 1 << 1, /* also write the int64 hash */
  TD_QUERY_DEFAULT = (1 << 0) | (1 << 1)
};

/* Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure
 * neither the map nor `data` has changed.   Like QueryModule.forward.
 * Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
 * size; DTYPE; LOCKED; NOSPACE if a batch has more different rows than the capacity.   [exclusive]  Since 0.1 */
TD_API td_status td_query_forward(td_query *self, td_dict *data, uint64_t flags, td_error **err) TD_NOEXCEPT;

typedef struct td_query_call_options {
  size_t struct_size;
  uint64_t flags;          /* TD_QUERY_... */
  int32_t clone;           /* 1: write to a copy, 0: to `data`, -1: as the query was made */
  const td_key *found_key; /* where to write a bool for each row: whether it was in the map before; NULL: nowhere */
} td_query_call_options;
#define TD_QUERY_CALL_OPTIONS_INIT \
  { sizeof(td_query_call_options), TD_QUERY_DEFAULT, -1, NULL }

/* The same; `*out` is a new reference to `data`, or the copy: unlocked, with the same tensors. `options` may be NULL.
 * Like calling a QueryModule.
 * Errors: as td_query_forward.   [exclusive]  Since 0.1 */
TD_API td_status td_query_call(td_query *self, td_dict *data, const td_query_call_options *options, td_dict **out,
                               td_error **err) TD_NOEXCEPT;

/* A module that runs the query, for td_module_sequential and all else that takes modules. In-keys and out-keys are the
 * query's; the map is shared with it, and grows one call at a time.   Like torchrl's QueryModule.
 * [any-thread]  Since 0.1 */
TD_API td_status td_module_query(td_query *query, td_module **out, td_error **err) TD_NOEXCEPT;

/* For each row: whether it is in the map; its index, or -1; its int64 hash. Nothing changes, and nothing counts as
 * used.
 * Errors: KEY; SHAPE; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_query_contains(const td_query *self, const td_dict *data, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_look_up(const td_query *self, const td_dict *data, td_tensor **out,
                                  td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_hash(const td_query *self, const td_dict *data, td_tensor **out, td_error **err) TD_NOEXCEPT;

/* Forgets the rows of `data`; new rows get their indices, the smallest first. `out` (may be NULL) receives how many
 * there were.
 * Errors: as td_query_contains.   [exclusive]  Since 0.1 */
TD_API td_status td_query_erase(td_query *self, const td_dict *data, int64_t *out, td_error **err) TD_NOEXCEPT;

/* Forgets everything; the next index is 0.   [exclusive]  Since 0.1 */
TD_API td_status td_query_clear(td_query *self, td_error **err) TD_NOEXCEPT;

/* Restricts which of the out-keys forward leaves in the dict, until it is reset; calls can only narrow. Like
 * TensorDictModule.select_out_keys, reset_out_keys.   Errors: KEY for one that is not an out-key now.
 * [exclusive]  Since 0.1 */
TD_API td_status td_query_select_out_keys(td_query *self, const td_key *keys, size_t n, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_reset_out_keys(td_query *self, td_error **err) TD_NOEXCEPT;

/* What it reads and what it writes: the index key, then the hash key.   [any-thread]  Since 0.1 */
TD_API td_status td_query_in_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;
TD_API td_status td_query_out_keys(const td_query *self, td_keys **out, td_error **err) TD_NOEXCEPT;

/* The map as a dict without batch dims: "keys" and "values" (int64, in the order of the indices), "next", "identity"
 * (the hash types and their configs) and the state of the hashes. Save it with td_save and open it with td_open. Like
 * HashToInt.state_dict.   [any-thread]  Since 0.1 */
TD_API td_status td_query_state(const td_query *self, td_dict **out, td_error **err) TD_NOEXCEPT;

enum { TD_QUERY_LOAD_ANY_HASH = 1 << 0 }; /* take hashes of other types for our own */

/* Replaces the map by what td_query_state gave; without "next" the next index is one more than the largest. A state
 * that does not load changes nothing.   Like HashToInt.load_state_dict.
 * Errors: KEY for a missing entry; ARGUMENT for other hash types, hashes or indices that are there twice, indices out
 * of range, and entries of other dtypes or shapes; CORRUPT, VERSION for the state of a hash.
 * [exclusive]  Since 0.1 */
TD_API td_status td_query_load_state(td_query *self, const td_dict *state, uint64_t flags, td_error **err) TD_NOEXCEPT;

/* Numbers of a map. */
typedef struct td_query_statistics {
  size_t struct_size;
  int64_t size;       /* rows in the map */
  int64_t next;       /* one more than the largest index so far */
  int64_t collisions; /* different rows with equal hashes, in exact maps */
  int64_t evictions;  /* entries that gave their index away */
  int64_t nbytes;     /* of the map's memory */
} td_query_statistics;
#define TD_QUERY_STATISTICS_INIT \
  { sizeof(td_query_statistics), 0, 0, 0, 0, 0 }

/* Fills `out`, whose struct_size the caller has set (TD_QUERY_STATISTICS_INIT).
 * Errors: ARGUMENT for a bad struct_size.   [any-thread]  Since 0.1 */
TD_API td_status td_query_stats(const td_query *self, td_query_statistics *out, td_error **err) TD_NOEXCEPT;

/* Rows in the map; 0 for NULL.   [any-thread]  Since 0.1 */
TD_API int64_t td_query_size(const td_query *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_query_retain(const td_query *self) TD_NOEXCEPT;
TD_API void td_query_release(const td_query *self) TD_NOEXCEPT;

/* ---- Maps of the caller's -------------------------------------------------------------------------------------------
 * The map from hashes to indices may be the caller's: a table of its own language, a database, the index of a storage
 * that it has already. The query makes the hashes, and asks the map for their indices, one batch at a time.
 */

/* A map from int64 hashes to indices from 0 up. Each function fails with another status than TD_OK, and has changed
 * nothing then; `erase`, `clear`, `state` and `load` may be NULL, and what needs them is UNSUPPORTED. They run on the
 * thread that calls the query: `look_up`, `size` and `state` on several at once where several call it, the others
 * alone. They may call this library, but for queries over this very map: that is UNSUPPORTED. Two hashes may have the
 * same index. `destroy` runs once, when the last query over the map dies or before td_query_new_with_map returns if it
 * fails. A forked child has the map as the memory of its process has it. */
typedef struct td_index_map {
  /* Writes the index of each hash, or -1 for one that is not there. */
  td_status (*look_up)(void *userdata, const int64_t *hashes, size_t n, int64_t *indices, td_error **err);
  /* Adds hashes, all different and none of them there, and writes their indices. */
  td_status (*insert)(void *userdata, const int64_t *hashes, size_t n, int64_t *indices, td_error **err);
  /* Forgets those of the hashes that are there. Also called when an `insert` failed, gave indices that cannot be, or is
   * taken back as the call fails later. */
  td_status (*erase)(void *userdata, const int64_t *hashes, size_t n, td_error **err);
  /* Writes how many hashes there are, and one more than the largest index so far. */
  td_status (*size)(void *userdata, int64_t *out_size, int64_t *out_next, td_error **err);
  td_status (*clear)(void *userdata, td_error **err);
  /* Writes all that is there to the empty dict `state`, under any names but "identity" and "hashes", which the query
   * adds. With those of td_query_state a query with a map of the library's own can load it. */
  td_status (*state)(void *userdata, td_dict *state, td_error **err);
  /* Takes what `state` wrote in place of all that is there. */
  td_status (*load)(void *userdata, const td_dict *state, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_index_map;

/* td_query_new over a map of the caller's, which need not be empty. What a map gets wrong is CALLBACK in every call
 * that uses it: a function that fails, an index that is negative or not below the next one. Rows that such a call has
 * added are erased again; without `erase`, or if that fails too, they keep the indices that the map gave them. In
 * td_query_stats `size` and `next` are the map's, the others 0; td_query_size is 0 if the map fails. td_query_share,
 * td_query_save and td_query_open are UNSUPPORTED.   Like QueryModule(hash_to_int=...).
 * Errors: as td_query_new; ARGUMENT for a map without `look_up`, `insert` or `size`, and for `exact`, a capacity or
 * `map_of` in the options.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_query_new_with_map(const td_key *in_keys, size_t n, const td_query_options *options,
                                       td_index_map map, td_query **out, td_error **err) TD_NOEXCEPT;

/* ---- Maps in files --------------------------------------------------------------------------------------------------
 * The map of a query in shared memory or on disk: one process writes to it, any number read it at the same time,
 * without locks and without a system call. Opening takes the same short time whatever the size.
 *
 *     td_query_share(query, TD_STR("digits.seen"), NULL, &err);               // the writer; td_query_forward as before
 *     td_query_open(reader, TD_STR("digits.seen"), TD_QUERY_MAP_READ, &err);  // a query over the same keys elsewhere
 *     td_query_look_up(reader, td, &indices, &err);
 *
 * What one call of the writer adds becomes visible at one stroke, and one call of a reader sees the map as it was at
 * one instant. Such a map only grows: td_query_erase, td_query_clear and td_query_load_state are UNSUPPORTED. A writer
 * may be killed at any instant: readers go on, and the next writer takes over what was visible. After a loss of power a
 * map on disk that was being written to may be damaged. Whoever truncates a file that others have open does crash them.
 */

typedef int32_t td_query_mode;
enum {
  TD_QUERY_MAP_READ = 0, /* rows that are not there cannot be added; others may be adding rows meanwhile */
  TD_QUERY_MAP_COPY = 1, /* as the map is now; rows are added in this process's own memory, behind it */
  TD_QUERY_MAP_WRITE = 2 /* as the one process that adds rows to the file */
};

typedef struct td_query_share_options {
  size_t struct_size;
  int64_t capacity; /* rows at most, for which addresses are set aside but no memory; 0: 67108864, or what there is */
  td_bool keep;     /* 1: the name outlives its writers; 0: it is unlinked when one of them lets go of the map */
  td_bool large_pages; /* 1: ask the system for large pages */
} td_query_share_options;
#define TD_QUERY_SHARE_OPTIONS_INIT \
  { sizeof(td_query_share_options), 0, 0, 0 }

typedef struct td_query_save_options {
  size_t struct_size;
  int64_t capacity; /* rows at most, for those who will write to it; 0: what there is */
  td_bool overwrite;
} td_query_save_options;
#define TD_QUERY_SAVE_OPTIONS_INIT \
  { sizeof(td_query_save_options), 0, 0 }

/* Moves the map to shared memory, visible under `name` to this user only (0600), and writes to it from now on. Names
 * are those of segments; td_segment_list and td_segment_prune know maps, too. `options` may be NULL.
 * Errors: EXISTS if the name is taken; ARGUMENT for a bad name, a capacity below what there is, and hashes whose state
 * is drawn at their first use, before that; UNSUPPORTED for exact maps; NOSPACE.
 * [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_share(td_query *self, td_str name, const td_query_share_options *options,
                                td_error **err) TD_NOEXCEPT;

/* Writes the map to a file that td_query_open maps; the path never holds half of it. `options` may be NULL.
 * Errors: EXISTS unless `overwrite`; as td_query_share; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_query_save(const td_query *self, td_str path, const td_query_save_options *options,
                               td_error **err) TD_NOEXCEPT;

/* Takes the map in shared memory called `name`, or in the file `name` if it begins with '/', in place of its own. The
 * hashes must be of the same types and configs; their states come with the map. Nothing in the file is trusted.
 * Errors: NOT_FOUND; CORRUPT; VERSION; ARGUMENT for other hashes; LOCKED if it is to be written and somebody does;
 * UNSUPPORTED for queries with exact keys or a capacity; IO.   [exclusive] [may-block]  Since 0.1 */
TD_API td_status td_query_open(td_query *self, td_str name, td_query_mode mode, td_error **err) TD_NOEXCEPT;

/* Removes the name of a map in shared memory. Processes that have it open go on with it.
 * Errors: NOT_FOUND; CORRUPT if it is not a map; IO.   [any-thread]  Since 0.1 */
TD_API td_status td_query_unlink(td_str name, td_error **err) TD_NOEXCEPT;

/* ---- Rows under keys ------------------------------------------------------------------------------------------------
 * A store holds rows of dicts by index; with a query, which gives rows their indices, it becomes a map from rows to
 * rows.
 *
 *     td_store_new(NULL, &store, &err);
 *     td_row_map_new(query, store, &map, &err);
 *     td_row_map_set(map, observations, values, &err);
 *     td_row_map_get(map, observations, &values, &err);
 */
typedef struct td_store_options {
  size_t struct_size;
  int64_t capacity;    /* rows at most; 0: no limit */
  td_bool preallocate; /* take the memory of all rows at the first write, instead of as they come */
  td_str path;         /* keep the rows in this directory, which needs a capacity; NULL data: in memory */
} td_store_options;
#define TD_STORE_OPTIONS_INIT         \
  {                                   \
    sizeof(td_store_options), 0, 0, { \
      NULL, 0                         \
    }                                 \
  }

/* Makes an empty store, or one of the rows that are in the directory at `path` already. That is a memmap directory of
 * "rows" and "present", made at the first write, which td_open and stock Python open, too. `options` may be NULL.
 * Like torchrl's LazyTensorStorage, LazyMemmapStorage.
 * Errors: ARGUMENT for a negative capacity, and for preallocate or a path without one; CORRUPT if the directory holds
 * no store; SHAPE if it is one of another capacity; IO.   [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_store_new(const td_store_options *options, td_store **out, td_error **err) TD_NOEXCEPT;

/* Copies row i of `rows` (batch size [n]) to the int64 index[i]; of equal indices the last row stays. The first write
 * decides about keys, dtypes and shapes.   Like TensorStorage.set.
 * Errors: INDEX for a negative index; NOSPACE past the capacity; SHAPE; DTYPE; KEY for other keys than before;
 * UNSUPPORTED for non-tensor entries. Nothing has changed then.   [exclusive]  Since 0.1 */
TD_API td_status td_store_set(td_store *self, const td_tensor *index, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* A new dict with the rows at `index`.   Like TensorStorage.get.
 * Errors: INDEX naming the first that holds nothing.   [any-thread]  Since 0.1 */
TD_API td_status td_store_get(const td_store *self, const td_tensor *index, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A bool for each int64 index: whether it holds a row.   Errors: SHAPE; DTYPE.   [any-thread]  Since 0.1 */
TD_API td_status td_store_contains(const td_store *self, const td_tensor *index, td_tensor **out,
                                   td_error **err) TD_NOEXCEPT;

/* Drops all rows, and what the first write decided; rows in a directory keep their keys, dtypes and shapes.
 * [exclusive]  Since 0.1 */
TD_API td_status td_store_clear(td_store *self, td_error **err) TD_NOEXCEPT;

/* Rows that hold something; writing over one counts once.   [any-thread]  Since 0.1 */
TD_API int64_t td_store_size(const td_store *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_store_retain(const td_store *self) TD_NOEXCEPT;
TD_API void td_store_release(const td_store *self) TD_NOEXCEPT;

/* Makes a map of a query and a store, and keeps both.   Like torchrl's TensorDictMap.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_new(td_query *query, td_store *store, td_row_map **out, td_error **err) TD_NOEXCEPT;

/* Stores each row of `rows` under that of `keys`; of equal keys the last row stays. Dicts without batch dims are one
 * row. With a query of limited capacity new rows take the place of those used least recently.   Like TensorDictMap.set.
 * Errors: those of td_query_forward and td_store_set; neither map nor store has changed then.
 * [exclusive]  Since 0.1 */
TD_API td_status td_row_map_set(td_row_map *self, const td_dict *keys, const td_dict *rows, td_error **err) TD_NOEXCEPT;

/* The rows under those of `keys`.   Like TensorDictMap.get.
 * Errors: INDEX naming the first that is not there.   [any-thread]  Since 0.1 */
TD_API td_status td_row_map_get(const td_row_map *self, const td_dict *keys, td_dict **out, td_error **err) TD_NOEXCEPT;

/* A bool for each row of `keys`; without dims for a dict without batch dims.   Like TensorDictMap.contains.
 * [any-thread]  Since 0.1 */
TD_API td_status td_row_map_contains(const td_row_map *self, const td_dict *keys, td_tensor **out,
                                     td_error **err) TD_NOEXCEPT;

/* Drops everything, also from the query and the store.   [exclusive]  Since 0.1 */
TD_API td_status td_row_map_clear(td_row_map *self, td_error **err) TD_NOEXCEPT;

/* Rows in the store.   [any-thread]  Since 0.1 */
TD_API int64_t td_row_map_size(const td_row_map *self) TD_NOEXCEPT;

/* Adds and drops a reference; NULL is allowed.   [any-thread]  Since 0.1 */
TD_API void td_row_map_retain(const td_row_map *self) TD_NOEXCEPT;
TD_API void td_row_map_release(const td_row_map *self) TD_NOEXCEPT;

/* ==== Plugins ========================================================================================================
 * The bundled plugins (in `plugins/` beside the library) are found on first use, then those in the directories that
 * TENSORDICT_PLUGIN_PATH lists (absolute, separated by ':'; ignored in set-id processes); others are loaded on request.
 * A plugin stays loaded until the process ends. Of types with one id the one with the higher version is used, and of
 * equal versions the one that came first; the report says which.
 */

/* Loads one plugin file, or the one that a manifest (*.toml) names. Loading the same file again does nothing. A file
 * with a manifest of its name beside it must agree with it: sha256, id, version, kinds.
 * Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, links LibTorch, differs from its manifest, or if another
 * user, an access control list or a group other than the user's own private one may write to it, to its manifest or to
 * a directory above it; VERSION with both sides' numbers if it was built for another ABI; EXISTS if every type of it is
 * there in the same or a higher version.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_load(td_str file, td_error **err) TD_NOEXCEPT;

/* Loads every `*.so` and `*.toml` of a directory, in the order of their names; files that are refused are listed in the
 * report.
 * Errors: NOT_FOUND; IO.   [any-thread] [may-block] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_add_path(td_str directory, td_error **err) TD_NOEXCEPT;

/* The types in use, as a JSON array of {kind, id, plugin, version, file, vendor, license, flags, schema}.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_list(td_string **out, td_error **err) TD_NOEXCEPT;

/* What was loaded and what was refused, with the reasons; a line for each file.
 * [any-thread] [may-block]  Since 0.1 */
TD_API td_status td_plugins_report(td_string **out, td_error **err) TD_NOEXCEPT;

/* What a type registered by this process says of itself. */
typedef struct td_type_info {
  size_t struct_size;
  td_str id;      /* "org.name"; "td." belongs to the bundled plugins */
  td_str version; /* "1.0.0"; NULL data: "0" */
  td_str schema;  /* of the config, as in tensordict_plugin.h; NULL data: any JSON object */
  uint64_t flags; /* TD_PLUGIN_... ; without THREAD_SAFE calls for one instance come one after the other */
} td_type_info;
#define TD_TYPE_INFO_INIT \
  { sizeof(td_type_info), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0 }

/* Functions of the caller's as types, without a shared library. `config` is the JSON that an instance was made with; it
 * lives as long as the call. `destroy(userdata)` runs once: when the type was unregistered and its last instance is
 * gone, or before the call returns if that fails. Functions may be NULL where the doc of a plugin type says so. */
typedef struct td_hash_callbacks {
  size_t struct_size;
  td_status (*hash_rows)(void *userdata, td_str config, const void *rows, size_t n, size_t row_bytes, size_t stride,
                         uint64_t *out, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_hash_callbacks;

typedef struct td_module_callbacks {
  size_t struct_size;
  /* Fills two empty dicts without batch dims: the trained tensors, and the ones that are carried along. NULL: none. */
  td_status (*init)(void *userdata, td_str config, td_generator *generator, td_dict *parameters, td_dict *buffers,
                    td_error **err);
  /* `state` holds the parameters, then the buffers, each in the order of td_dict_keys; or others of the same
   * meaning. */
  td_status (*forward)(void *userdata, td_str config, td_tensor *const *state, size_t n_state, td_tensor *const *inputs,
                       size_t n_inputs, td_bool training, td_tensor **outputs, size_t n_outputs, td_error **err);
  void *userdata;
  void (*destroy)(void *userdata);
} td_module_callbacks;

typedef struct td_dist_callbacks {
  size_t struct_size;
  const td_str *params; /* names, in the order in which the functions get the tensors, broadcast together */
  size_t n_params;
  td_status (*sample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                      td_generator *generator, td_tensor **out, td_error **err);
  td_status (*rsample)(void *userdata, td_str config, td_tensor *const *params, const int64_t *dims, size_t ndim,
                       td_generator *generator, td_tensor **out, td_error **err);
  td_status (*log_prob)(void *userdata, td_str config, td_tensor *const *params, const td_tensor *value,
                        td_tensor **out, td_error **err);
  td_status (*stat)(void *userdata, td_str config, td_tensor *const *params, td_dist_stat which, td_tensor **out,
                    td_error **err); /* MEAN, MODE, VARIANCE or ENTROPY; UNSUPPORTED for those there are not */
  void *userdata;
  void (*destroy)(void *userdata);
} td_dist_callbacks;

/* Register a type under `info->id`, in use at once.
 * Errors: ARGUMENT for a bad info, a schema that is none, or a missing function; EXISTS if the id is taken in this
 * kind. Failures of the functions, and exceptions from them, are CALLBACK.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_register_hash(const td_type_info *info, const td_hash_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_module(const td_type_info *info, const td_module_callbacks *callbacks,
                                            td_error **err) TD_NOEXCEPT;
TD_API td_status td_plugins_register_dist(const td_type_info *info, const td_dist_callbacks *callbacks,
                                          td_error **err) TD_NOEXCEPT;

/* Hides a type from look-ups, whoever offered it; what was made of it goes on. The id is free again.
 * Errors: NOT_FOUND; ARGUMENT for an unknown kind.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_plugins_unregister(td_plugin_kind kind, td_str id, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

/* ==== In place =======================================================================================================
 * Keys, shapes and values written in the call itself. They live until the end of the block in C, where a TD_KEY has at
 * most 8 parts, and of the statement in C++, where they must not go into a variable.
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
#define TD_NO_DIMS NULL, 0     /* a shape without dims, and a dict without batch dims */
#define TD_NO_STR TD_STR(NULL) /* text that is not given: what the docs call NULL data */

/* Values as arguments; they borrow what they are made of. */
static inline td_data td_data_none(void) {
  td_data d = {TD_DATA_NONE, 0, 0, 0, {NULL, 0}};
  return d;
}
static inline td_data td_data_bool(int truth) {
  td_data d = {TD_DATA_BOOL, 0, 0, 0, {NULL, 0}};
  d.i = truth != 0;
  return d;
}
static inline td_data td_data_int(int64_t i) {
  td_data d = {TD_DATA_INT, 0, 0, 0, {NULL, 0}};
  d.i = i;
  return d;
}
static inline td_data td_data_double(double f) {
  td_data d = {TD_DATA_DOUBLE, 0, 0, 0, {NULL, 0}};
  d.f = f;
  return d;
}
static inline td_data td_data_str(td_str text) {
  td_data d = {TD_DATA_STR, 0, 0, 0, {NULL, 0}};
  d.text = text;
  return d;
}
static inline td_data td_data_bytes(const void *bytes, size_t size) {
  td_data d = {TD_DATA_BYTES, 0, 0, 0, {NULL, 0}};
  d.text.data = (const char *)bytes;
  d.text.size = size;
  return d;
}
static inline td_data td_data_pickle(const void *bytes, size_t size) {
  td_data d = {TD_DATA_PICKLE, 0, -1, 0, {NULL, 0}};
  d.text.data = (const char *)bytes;
  d.text.size = size;
  return d;
}
static inline td_data td_data_json(td_str text) {
  td_data d = {TD_DATA_JSON, 0, 0, 0, {NULL, 0}};
  d.text = text;
  return d;
}

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
