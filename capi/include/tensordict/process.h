/* ==== Process =======================================================================================================
 * Stability: stable
 */
#ifndef TENSORDICT_PROCESS_H
#define TENSORDICT_PROCESS_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

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

/* Returns the bytes of files and segments that are mapped now.   [any-thread]  Since 0.1 */
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
TD_API td_status td_set_warning_callback(TD_NULLABLE TD_KEEPS td_warning_function fn, TD_KEEPS void *userdata,
                                         td_error **err) TD_NOEXCEPT;

/* Makes the library usable in a forked child: one thread for operators (LibTorch's pool does not survive a fork), and
 * segments that the parent created are no longer unlinked by the child. Call it first in the child. A handle that
 * another thread of the parent was using is not for the child. A fork waits for the locks of this library, but not for
 * those that LibTorch takes in the first call of a thread or of an operator.   [exclusive]  Since 0.1 */
TD_API void td_after_fork(void) TD_NOEXCEPT;

/* ---- Versions and features --------------------------------------------------------------------------------------- */

/* Returns the version of the library that is loaded, "0.1.0". Static text.   [any-thread]  Since 0.1 */
TD_API const char *td_version(void) TD_NOEXCEPT;

/* Returns the ABI major of the library that is loaded; equals TD_ABI_MAJOR of the header it was built from.
 * [any-thread]  Since 0.1 */
TD_API int32_t td_abi_version(void) TD_NOEXCEPT;

/* How the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler, boost,
 * features.
 * Errors: OOM.   [any-thread]  Since 0.1 */
TD_API td_status td_build_info(td_string **out, td_error **err) TD_NOEXCEPT;

/* Returns 1 if this build on this machine has the feature: "segment", "cuda", "uint16", "archive", "bzip2", "lzma",
 * "hdf5". Unknown names are 0.   [any-thread]  Since 0.1 */
TD_API td_bool td_has_feature(td_str name) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_PROCESS_H */
