# Temporary forms of a dict, each with a function that works on it.

@handle Scope td_scope TD_OBJECT_SCOPE

# Ends the scope when `f` returns. When `f` throws, or what it made cannot be written back, the scope is cancelled.
function scoped(f, inside, scope)
    try
        result = f(inside)
        call(Raw.td_scope_end, scope)
        return result
    catch
        try
            call(Raw.td_scope_cancel, scope)
        catch  # it has ended
        end
        rethrow()
    finally
        close(scope)
    end
end

with_form(f, raw, args...) = scoped(f, two(TensorDict, Scope, raw, args...)...)

"""
    unlocked(f, td)

Runs `f(td)` with `td` unlocked; then everything that was locked is locked again.
"""
unlocked(f, td::TensorDict) = scoped(f, td, give(Scope, Raw.td_scope_unlock, td))

"""
    with_flat_keys(f, td, separator = ".")
    with_nested_keys(f, td, separator = ".")
    with_to(f, td, T = nothing; device = nothing)

Runs `f` on the dict that [`flatten_keys`](@ref), `unflatten_keys` or [`to`](@ref) make of `td`; then its entries are
set in
`td`. If `f` throws, nothing is written back.

    with_flat_keys(td) do flat
        flat["next.done"] = done
    end
"""
with_flat_keys(f, td::TensorDict, separator::AbstractString = ".") =
    with_form(f, Raw.td_scope_flatten_keys, td, separator)
with_nested_keys(f, td::TensorDict, separator::AbstractString = ".") =
    with_form(f, Raw.td_scope_unflatten_keys, td, separator)
with_to(f, td::TensorDict, T = nothing; device = nothing) = with_form(f, Raw.td_scope_to, td, dtype(T), device)

"""
    with_view(f, td, sizes...)

Runs `f` on a view of `td` with another batch size, as [`with_flat_keys`](@ref) does; `with_flatten`, `with_unflatten`,
`with_squeeze`, `with_unsqueeze`, `with_permute`, `with_transpose`, `with_move_dims`, `with_reverse` and
`with_circshift`
take what the functions of these names take (preview).
"""
with_view(f, td::TensorDict, sizes::Integer...) = with_form(f, Raw.td_scope_view, td, int64s(sizes), length(sizes))
with_flatten(f, td::TensorDict, first::Integer = 1, last::Integer = -1) =
    with_form(f, Raw.td_scope_flatten, td, dim(first), dim(last))
with_unflatten(f, td::TensorDict, d::Integer, sizes::Integer...) =
    with_form(f, Raw.td_scope_unflatten, td, dim(d), int64s(sizes), length(sizes))
with_squeeze(f, td::TensorDict, dims::Integer...) =
    with_form(f, Raw.td_scope_squeeze, td, dimsof(dims), length(dims))
with_unsqueeze(f, td::TensorDict, d::Integer) = with_form(f, Raw.td_scope_unsqueeze, td, dim(d))
with_permute(f, td::TensorDict, order) = with_form(f, Raw.td_scope_permute, td, dimsof(order), length(order))
with_transpose(f, td::TensorDict, a::Integer, b::Integer) =
    with_form(f, Raw.td_scope_transpose, td, dim(a), dim(b))
with_move_dims(f, td::TensorDict, from, to) =
    with_form(f, Raw.td_scope_movedim, td, dimsof(from), dimsof(to), length(from))
with_reverse(f, td::TensorDict; dims) = with_form(f, Raw.td_scope_flip, td, dimsof(dims), length(dims))
with_circshift(f, td::TensorDict, shifts; dims = ()) =
    with_form(f, Raw.td_scope_roll, td, int64s(shifts), length(shifts), dimsof(dims), length(dims))
