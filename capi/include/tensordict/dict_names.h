/* ==== Names of dims =================================================================================================
 * Batch dims may have names, which are unique. Dims keep their names in every operation, and nodes share the names of
 * the dict above. If a node with names is set into a dict without names, the dict gets the names of the node. If the
 * dict has names, the node gets those, and must not have different ones. Segments and saves in every format keep names.
 *
 * Stability: stable
 */
#ifndef TENSORDICT_DICT_NAMES_H
#define TENSORDICT_DICT_NAMES_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Names the batch dims, here and in all nodes below; NULL data means no name. n is the number of batch dims, or 0 to
 * remove all names. Allowed on a locked dict.   Like TensorDict.names.
 * Errors: ARGUMENT for another n, and for a name that comes twice, is not UTF-8, or is the name of a further dim of a
 * node below (with its key).   [exclusive]  Since 0.1 */
TD_API td_status td_dict_set_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* Returns the name of a batch dim; `*out` is NULL if it has none.   Like TensorDict.names.   Errors: INDEX.
 * [any-thread]  Since 0.1 */
TD_API td_status td_dict_name(const td_dict *self, int64_t dim, TD_OUT_NULLABLE td_string **out,
                              td_error **err) TD_NOEXCEPT;

/* Names the dims that have no name yet. For a dim with a name, `names` must have the same name.   Like
 * TensorDict.refine_names.
 * Errors: ARGUMENT if a name would change, and as td_dict_set_names.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_refine_names(td_dict *self, const td_str *names, size_t n, td_error **err) TD_NOEXCEPT;

/* Renames the dims `from` to the names `to`, all together, so that names can be swapped; NULL data removes a name.
 * Like TensorDict.rename_ with a map.
 * Errors: ARGUMENT if there is no such name, or a name would come twice.   [exclusive]  Since 0.1 */
TD_API td_status td_dict_rename_names(td_dict *self, TD_LEN(n) const td_str *from, const td_str *to, size_t n,
                                      td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_DICT_NAMES_H */
