/* ==== Scopes over shapes ============================================================================================
 * Stability: preview
 */
#ifndef TENSORDICT_SCOPE_SHAPE_H
#define TENSORDICT_SCOPE_SHAPE_H

#include "handles.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(*sizes)`, flatten,
 * unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
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
TD_API td_status td_scope_movedim(td_dict *self, TD_LEN(n) const int64_t *source, const int64_t *destination, size_t n,
                                  td_dict **out, td_scope **out_scope, td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_flip(td_dict *self, const int64_t *dims, size_t n, td_dict **out, td_scope **out_scope,
                               td_error **err) TD_NOEXCEPT;
TD_API td_status td_scope_roll(td_dict *self, const int64_t *shifts, size_t n_shifts, const int64_t *dims,
                               size_t n_dims, td_dict **out, td_scope **out_scope, td_error **err) TD_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif /* TENSORDICT_SCOPE_SHAPE_H */
