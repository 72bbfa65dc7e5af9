/* ==== Process =======================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_PROCESS_H
#define TENSORDICT_PROCESS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The kinds of object that td_live_objects counts. */
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
  TD_OBJECT_MAPPING = 15, /* files and segments that are mapped now */
  TD_OBJECT_DICT_LIST = 16,
  TD_OBJECT_DATA_LIST = 17,
  TD_OBJECT_SCOPE = 18,
  TD_OBJECT_CHANNEL = 19,
  TD_OBJECT_MESSAGE = 20,
  TD_OBJECT_HASH = 21,
  TD_OBJECT_STORE = 22,
  TD_OBJECT_ROW_MAP = 23,
  TD_OBJECT_PACK_LAYOUT = 24,
  TD_OBJECT_CANCEL = 25,
  TD_OBJECT_ENTRIES = 26,
  TD_OBJECT_SCHEDULE = 27,
  TD_OBJECT_GROUP = 28,
  TD_OBJECT_WORK = 29
};

/* Returns how many references to objects of a kind callers hold now: returned or retained, and not yet released. Leak
 * tests compare the numbers before and after. Returns -1 for an unknown kind.   [any-thread]  Since 0.1 */
TD_API int64_t td_live_objects(td_object_kind kind) TD_NOEXCEPT;

/* A handle of any kind. */
typedef struct td_object {
  td_object_kind kind;
  int32_t reserved; /* 0 */
  void *handle;
} td_object;

/* Releases `n` handles of any kinds in one call, in their order, as td_X_release does: for languages that collect
 * garbage and queue what they find. NULL handles are skipped.
 * Errors: ARGUMENT for an unknown kind, for TD_OBJECT_MAPPING and for TD_OBJECT_NO_GRAD; nothing is released then. A
 * td_transform has no kind and is not released by this.
 * [any-thread] [may-block] [may-call-back]  Since 0.2 */
TD_API td_status td_release_many(TD_TAKES const td_object *objects, size_t n, td_error **err) TD_NOEXCEPT;

/* Returns how many bytes of files and segments are mapped now.   [any-thread]  Since 0.1 */
TD_API int64_t td_live_bytes(void) TD_NOEXCEPT;

/* How much the library may use its own code instead of LibTorch's operators. Results are the same at every level. */
typedef int32_t td_fast_level;
enum {
  TD_FAST_NONE = 0,  /* LibTorch operators only */
  TD_FAST_VIEWS = 1, /* also its own views of plain CPU tensors */
  TD_FAST_ARENA = 2  /* also one allocation for the results of many leaves; the default */
};

/* Sets the level for the process. Use it to find out whether the library's own code causes a bug.
 * Errors: ARGUMENT for an unknown level.   [any-thread]  Since 0.1 */
TD_API td_status td_set_fast_level(td_fast_level level, td_error **err) TD_NOEXCEPT;

/* Returns the current level.   [any-thread]  Since 0.2 */
TD_API td_fast_level td_get_fast_level(void) TD_NOEXCEPT;

/* Sets how many threads LibTorch uses inside one operator, for the whole process.
 * Errors: ARGUMENT if n < 1 or n > 4096.   [any-thread]  Since 0.1 */
TD_API td_status td_set_num_threads(int32_t n, td_error **err) TD_NOEXCEPT;

/* Returns the current number of these threads.   [any-thread]  Since 0.2 */
TD_API int32_t td_get_num_threads(void) TD_NOEXCEPT;

/* A callback for warnings of LibTorch. `fn` gets a warning with the file and line of its origin; both texts are valid
 * only during the call, and no exception may leave it. `destroy(userdata)` runs once: when the callback has been
 * replaced and no thread runs it any more, or before the call that sets it returns if that call fails. */
typedef struct td_warning_function {
  size_t struct_size;
  void (*fn)(void *userdata, td_str text, td_str where);
  void *userdata;
  void (*destroy)(void *userdata);
} td_warning_function;
#define TD_WARNING_FUNCTION_INIT \
  { sizeof(td_warning_function), NULL, NULL, NULL }

/* Sets the callback for LibTorch's warnings during calls of this library, for the whole process. `fn` is called on the
 * thread of that call, while an operator runs. If `function` is NULL (the default), warnings are dropped; nothing is
 * written to stderr. The previous callback may still run on other threads after this returns.
 * Errors: ARGUMENT if `fn` is NULL.   [any-thread] [may-call-back]  Since 0.1 */
TD_API td_status td_set_warning_callback(TD_NULLABLE const td_warning_function *function, td_error **err) TD_NOEXCEPT;

/* Makes the library usable in a forked child: operators use one thread, because LibTorch's pool does not survive a
 * fork, and the child does not unlink segments that the parent created. Call it first in the child. The child must not
 * use a handle that another thread of the parent was using. A fork waits for the locks of this library, but not for
 * those that LibTorch takes in the first call of a thread or of an operator.   [exclusive]  Since 0.1 */
TD_API void td_after_fork(void) TD_NOEXCEPT;

/* ---- Versions and features --------------------------------------------------------------------------------------- */

/* Returns the version of the loaded library, for instance "0.2.0". The text is static.
 * [any-thread] [leaf]  Since 0.1 */
TD_API td_str td_version(void) TD_NOEXCEPT;

/* Returns the ABI major of the loaded library: TD_ABI_MAJOR of the header that it was built from.
 * [any-thread] [leaf]  Since 0.1 */
TD_API int32_t td_abi_version(void) TD_NOEXCEPT;

/* Returns how the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler,
 * boost, features.
 * Errors: OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_build_info(td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if this build on this machine has the feature: "segment", "cuda", "uint16", "archive", "bzip2", "lzma",
 * "hdf5", "group", "redis". Returns 0 for unknown names.   [any-thread]  Since 0.1 */
TD_API td_bool td_has_feature(td_str name) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_PROCESS_H */
