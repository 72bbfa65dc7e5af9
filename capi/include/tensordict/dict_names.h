/* ==== Names of dims =================================================================================================
 * Batch dims may have names, each its own. They go along with the dims through every operation, and are shared with
 * nodes below: a node with names that is set into a dict without any names it; set into one with names it takes those,
 * and must not have others. Segments and saves in every format keep names.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_NAMES_H
#define TENSORDICT_DICT_NAMES_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Names the batch dims, here and in all nodes below; NULL data is no name. n is the number of batch dims, or 0 to take
 * all names away. Allowed on a locked dict.   Like TensorDict.names.
 * Errors: ARGUMENT for another n, a name that comes twice or is not UTF-8, and with the key for one that a further dim
 * of a node below has.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* Returns the name of a batch dim; `*out` is NULL if it has none.   Like TensorDict.names.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_name(const td_dict *self, int64_t dim, TD_OUT_NULLABLE td_string **out,
                              td_error **err) TD_NOEXCEPT;

/* Names the dims that have no name yet; for a dim that has one, `names` has the same.   Like TensorDict.refine_names.
 * Errors: ARGUMENT if a name would change, and as td_dict_set_names.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_refine_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* Gives the dims called `from` the names `to`, all at once, so that names can be swapped; NULL data takes a name away.
 * Like TensorDict.rename_ with a map.
 * Errors: ARGUMENT if there is no such name, or one would come twice.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename_names(td_dict *self, TD_LEN(n) const td_str *from, const td_str *to, size_t n,
                                      td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_NAMES_H */
