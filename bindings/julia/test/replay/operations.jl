# What each operation of a program is in this package.

# ---- Scopes: the function of a scope runs in a task of its own, because the steps inside are not one function here

struct OpenScope
    ending::Channel{Any}
    ended::Channel{Any}
end
struct Abandoned <: Exception end

function begin_scope(p::Program, with)
    s = OpenScope(Channel{Any}(1), Channel{Any}(2))
    opened = Channel{Any}(2)
    @async try
        with() do inside
            put!(opened, inside)
            e = take!(s.ending)
            e === nothing || throw(e)
        end
        put!(s.ended, nothing)
    catch e
        put!(opened, e)
        put!(s.ended, e)
    end
    inside = take!(opened)
    inside isa Exception && throw(inside)
    put(p, inside)
    p.scopes[at(p, "to")] = s
end
finish_scope(s::OpenScope, e = nothing) = (put!(s.ending, e); take!(s.ended))
function end_scope(p::Program)
    s = pop!(p.scopes, at(p, "scope"))
    e = finish_scope(s)
    e === nothing || throw(e)
end

# ---- Entries

flattened(x, depth) = depth == 0 ? Any[datum(x)] : vcat((flattened(one, depth - 1) for one in x)..., Any[])

function set(p::Program, td, key, spec)
    if isdata(spec) && haskey(spec, "one")
        td[key] = datum(spec["one"])
    elseif isdata(spec)
        values = flattened(spec["stack"], ndims(td))
        dims = size(td)
        A = reshape(values, reverse(dims))
        td[key] = NonTensorStack(ndims(td) < 2 ? A : permutedims(A, ndims(td):-1:1))
    else
        td[key] = spec isa AbstractString ? register(p, spec) : tensorof(p, spec)
    end
end

function build(p::Program)
    items = at(p, "items")
    if any(item -> isdata(item[2]), items) || isempty(items)
        td = TensorDict(ints(p, "batch")...)
        foreach(item -> set(p, td, keyof(item[1]), item[2]), items)
        return put(p, td)
    end
    put(p, TensorDict((keyof(item[1]) => value(p, item[2]) for item in items)...; batch = Tuple(ints(p, "batch"))))
end

keyed(x::Union{Tensor,TensorDict}) = x
keyed(x) = seen_data(x)

function write_leaves(p::Program)
    x = register(p, at(p, "td"))
    targets = x isa TensorDict ? [x[key] for key in nested_keys(x; leaves = true)] : [x]
    foreach(t -> op("fill_.Scalar", t, value(p, at(p, "value"))), targets)
end

function set_item(p::Program)
    spec, td, parts = at(p, "value"), dict(p), index(p)
    td[parts...] = spec isa AbstractString && haskey(p.registers, spec) ? dictof(p, spec) : asreal(spec)
end

function split_keys_(p::Program)
    put(p, split_keys(dict(p), (keysof for keysof in [Any[keyof(k) for k in set] for set in at(p, "sets")])...;
                      lenient = !flag(p, "strict", true)))
end

function group(p::Program)
    values, groups = group_by(dict(p), key(p))
    values === nothing || put_at(p, ".values", values isa Tensor ? values : Object("value" => nested(values.values)))
    put(p, groups)
end

function pointwise_(p::Program)
    otherwise = get(p.step, "default", nothing)
    how = otherwise === nothing ? (;) : otherwise == "intersection" ? (missing = :skip,) :
          (missing = :fill, fill = value(p, otherwise))
    made = pointwise(at(p, "call"), arguments(p, "operands")...; how..., keywords(p, "kwargs")...)
    endswith(at(p, "call"), "_") || put(p, made)  # in place, the original gives its operand back
end

over(p::Program) = (dims = has(p, "dims") ? dimsat(p, "dims") : nothing, keepdim = flag(p, "keepdim"),
                    feature = flag(p, "feature"))

function mapped(fn)
    return function (key, ts)
        fn == "add_one" && return op("add", ts[1], 1)
        fn == "first_row" && return view(ts[1], At(0))
        fn == "drop_a" && return key[end] == "a" ? nothing : op("mul", ts[1], 2)
        fn == "total" && return foldl((sum, t) -> t === nothing ? sum : op("add", sum, t), ts[2:end];
            init = op("add", ts[1], 0))
        return ts[1]
    end
end
function mapped_data(fn)
    return function (key, lists, size)
        fn == "itself" && return lists[1] isa NonTensorStack ? lists[1] : NonTensor(lists[1])
        fn == "text" && return "z"
        fn == "ones" && return ones(Tensor{Float32}, size...)
        return nothing
    end
end
function map_(p::Program)
    put(p, map_entries(mapped(at(p, "fn")), dict(p), (has(p, "others") ? dicts(p, "others") : TensorDict[])...;
                       data = has(p, "data") ? mapped_data(at(p, "data")) : nothing,
                       batch = has(p, "batch") ? ints(p, "batch") : nothing,
                       emptied = Symbol(get(p.step, "emptied", "drop")), inplace = flag(p, "inplace"),
                       missing_as_nothing = flag(p, "missing_as_null")))
end

keyname(key) = length(key) == 1 ? key[1] : join(key, ".")
list_names(p::Program, (keys, _)) = put_value(p, Any[keyname(key) for key in keys])

function packed(p::Program)
    d = dimat(p, "dim", -1)
    like = has(p, "like") ? last(pack(dict(p, "like"); dims = d)) : nothing
    flat, layout = pack(dict(p); dims = d, layout = like)
    put_at(p, ".flat", flat)
    put_at(p, ".layout", Object("value" => string(layout)))
    put_at(p, ".made", unpack(layout, flat))
end

function schema_(p::Program)
    entries = (keyof(key) => (T.dtype_from_name(kind), shape...) for (key, kind, shape) in at(p, "schema"))
    put(p, from_schema(Tuple(ints(p, "batch")), entries...; storage = given(p, "storage") ? :shared : :memory))
end

separator(p::Program) = get(p.step, "separator", ".")
fields(p::Program, pairs...) = NamedTuple{Tuple(first.(pairs))}(Tuple(last.(pairs)))
pad_value(p, name = "value") = number(get(p.step, name, 0))

function member(p::Program)
    put(p, T.members(dict(p))[at(p, "at")+1])
end

const OPERATIONS = Dict{String,Function}(
    "new" => p -> begin
        td = TensorDict(ints(p, "batch")...; device = get(p.step, "device", nothing))
        has(p, "names") && set_names!(td, at(p, "names")...)
        put(p, td)
    end,
    "build" => build,
    "fromkeys" => p -> put(p, T.from_keys(keysat(p), tensor(p))),
    "merge" => p -> put(p, T.merge_dicts(dicts(p, "tds"))),
    "tensor" => p -> put(p, tensor(p)),
    "release" => p -> release(p, at(p, "what")),
    "get" => p -> put(p, keyed(dict(p)[key(p)])),
    "get_at" => p -> put(p, T.get_at(dict(p), key(p), index(p)...)),
    "has" => p -> put_value(p, haskey(dict(p), key(p))),
    "keys" => p -> begin
        td = dict(p)
        flags = [Symbol(f) => true for f in get(p.step, "flags", [])]
        put_value(p, Any[Any[k...] for k in T.key_list(td, T.key_flags(; flags...))])
    end,
    "len" => p -> put_value(p, ndims(dict(p)) == 0 ? 0 : size(dict(p), 1)),
    "count" => p -> put_value(p, length(dict(p))),
    "numel" => p -> put_value(p, T.numel(dict(p))),
    "nbytes" => p -> put_value(p, T.nbytes(dict(p))),
    "is_empty" => p -> put_value(p, T.is_empty(dict(p))),
    "is_contiguous" => p -> put_value(p, iscontiguous(dict(p))),
    "is_locked" => p -> put_value(p, is_locked(dict(p))),
    "repr" => p -> put_value(p, string(dict(p))),
    "same" => p -> put_value(p, same(register(p, at(p, "a")), register(p, at(p, "b")))),
    "set" => p -> set(p, dict(p), key(p), at(p, "value")),
    "set_unbatched" => p -> set_unbatched!(dict(p), key(p), tensor(p)),
    "set_" => p -> copy_into!(dict(p), key(p), tensor(p)),
    "set_at_" => p -> T.copy_into_at!(dict(p), key(p), tensor(p), index(p)...),
    "set_data" => p -> (dict(p)[key(p)] = datum(at(p, "value"))),
    "set_data_" => p -> T.set_data!(dict(p), key(p), datum(at(p, "value"))),
    "delete" => p -> delete!(dict(p), key(p)),
    "pop" => p -> put(p, keyed(pop!(dict(p), key(p)))),
    "clear" => p -> empty!(dict(p)),
    "create_nested" => p -> T.create_nested!(dict(p), key(p)),
    "update" => p -> update!(dict(p), dict(p, "src"); inplace = flag(p, "inplace"), clone = flag(p, "clone")),
    "update_" => p -> update_values!(dict(p), dict(p, "src")),
    "fill_" => p -> fill!(dict(p), key(p), number(at(p, "value"))),
    "zero_" => p -> T.zero!(dict(p)),
    "write" => write_leaves,
    "lock" => p -> lock!(dict(p)),
    "unlock" => p -> unlock!(dict(p)),
    "rename_key" => p -> rename_key!(dict(p), keyof(at(p, "old")), keyof(at(p, "new")); safe = flag(p, "safe")),
    "select" => p -> put(p, select(dict(p), keysat(p); strict = flag(p, "strict", true))),
    "select_" => p -> select!(dict(p), keysat(p); strict = flag(p, "strict", true)),
    "exclude" => p -> put(p, exclude(dict(p), keysat(p))),
    "exclude_" => p -> exclude!(dict(p), keysat(p)),
    "split_keys" => split_keys_,
    "separates" => p -> put(p, T.separate!(dict(p), keysat(p); lenient = !flag(p, "strict", true),
                                           keep_empty = flag(p, "keep_empty"),
                                           fill = has(p, "fill") ? tensor(p, "fill") : nothing)),
    "empty" => p -> put(p, empty(dict(p); recurse = flag(p, "recurse"))),
    "filter_empty_" => p -> T.filter_empty!(dict(p)),
    "flatten_keys" => p -> put(p, flatten_keys(dict(p), separator(p))),
    "unflatten_keys" => p -> put(p, unflatten_keys(dict(p), separator(p))),
    "set_batch_size" => p -> T.set_batch_size!(dict(p), ints(p, "batch")...),
    "auto_batch_size" => p -> T.auto_batch_size!(dict(p), given(p, "limit") ? at(p, "limit") : -1),
    "set_names" => p -> set_names!(dict(p), (given(p, "names") ? at(p, "names") : [])...),
    "refine_names" => p -> T.refine_names!(dict(p), at(p, "names")...),
    "rename_names" => p -> T.rename_names!(dict(p), pairs(at(p, "map"))...),
    "index" => p -> put(p, index(p) == [] ? view(dict(p)) : dict(p)[index(p)...]),
    "set_item" => set_item,
    "stack" => p -> put(p, stack(dicts(p, "tds"); dims = dimat(p, "dim"))),
    "cat" => p -> put(p, T.join_dicts(dicts(p, "tds"), dimat(p, "dim"))),
    "stack_into" => p -> T.stack_into!(dict(p, "target"), dicts(p, "tds"); dims = dimat(p, "dim")),
    "cat_into" => p -> T.cat_into!(dict(p, "target"), dicts(p, "tds"); dims = dimat(p, "dim")),
    "pad" => p -> put(p, T.pad(dict(p), ints(p, "pairs")...; value = pad_value(p))),
    "pad_sequence" => p -> put(p, T.pad_sequence(dicts(p, "tds"); dims = dimat(p, "pad_dim"), value = pad_value(p),
                                                 mask_key = has(p, "mask_key") ? keyof(at(p, "mask_key")) : nothing)),
    "unpad_sequence" => p -> put(p, T.unpad_sequence(dict(p); dims = dimat(p, "pad_dim"),
                                                     masks = has(p, "masks") ? dict(p, "masks") : nothing,
                                                     mask = has(p, "mask") ? tensor(p, "mask") : nothing)),
    "group_by" => group,
    "new_tensor" => p -> begin
        x = at(p, "data")
        data = x isa AbstractVector ? Float64[asreal(one) for one in x] : value(p, x)
        put(p, T.new_tensor(dict(p), data; type = type(p, "dtype"), requires_grad = flag(p, "requires_grad")))
    end,
    "expand_as" => p -> put(p, T.expand_as(dict(p), dict(p, "other"))),
    "gather" => p -> put(p, gather(dict(p), dimat(p, "dim"), tensor(p, "index"))),
    "masked_select" => p -> put(p, masked_select(dict(p), tensor(p, "mask"))),
    "masked_fill" => p -> put(p, T.masked_fill(dict(p), tensor(p, "mask"), number(at(p, "value")))),
    "masked_fill_" => p -> T.masked_fill!(dict(p), tensor(p, "mask"), number(at(p, "value"))),
    "where" => p -> put(p, T.select_where(dict(p), tensor(p, "condition"), dict(p, "other");
                                          pad = has(p, "pad") ? pad_value(p, "pad") : nothing)),
    "is_in" => p -> put(p, T.is_in(dict(p), dict(p, "reference"), key(p); dims = dimat(p, "dim"))),
    "unique" => p -> put(p, T.remove_duplicates(dict(p), key(p); dims = dimat(p, "dim"))),
    "expand_right" => p -> put(p, T.expand_right(tensor(p), ints(p, "shape")...)),
    "expand_as_right" => p -> put(p, T.expand_as_right(tensor(p), tensor(p, "other"))),
    "pack" => packed,
    "unpack" => p -> put(p, unpack(last(pack(dict(p); dims = dimat(p, "dim", -1))), tensor(p))),
    "from_schema" => schema_,
    "view" => p -> put(p, view_as(dict(p), ints(p, "sizes")...)),
    "reshape" => p -> put(p, reshape(dict(p), Tuple(ints(p, "sizes")))),
    "expand" => p -> put(p, expand(dict(p), ints(p, "sizes")...)),
    "permute" => p -> put(p, permutedims(dict(p), dimsat(p, "dims"))),
    "repeat" => p -> put(p, repeat(dict(p), ints(p, "repeats")...)),
    "tile" => p -> put(p, T.tile(dict(p), ints(p, "repeats")...)),
    "flip" => p -> put(p, reverse(dict(p); dims = dimsat(p, "dims"))),
    "squeeze" => p -> put(p, squeeze(dict(p), (given(p, "dim") ? dimsat(p, "dim") : ())...)),
    "flatten" => p -> put(p, flatten(dict(p), dimat(p, "start"), dimat(p, "end"))),
    "unflatten" => p -> put(p, unflatten(dict(p), dimat(p, "dim"), ints(p, "sizes")...)),
    "unsqueeze" => p -> put(p, unsqueeze(dict(p), dimat(p, "dim"))),
    "transpose" => p -> put(p, T.transpose_dims(dict(p), dimat(p, "dim0"), dimat(p, "dim1"))),
    "movedim" => p -> put(p, T.move_dims(dict(p), dimsat(p, "source"), dimsat(p, "destination"))),
    "narrow" => p -> put(p, T.narrow(dict(p), dimat(p, "dim"), dimat(p, "start"), at(p, "length"))),
    "split" => p -> put(p, T.split_dim(dict(p), at(p, "size"); dims = dimat(p, "dim"))),
    "chunk" => p -> put(p, chunk(dict(p), at(p, "chunks"); dims = dimat(p, "dim"))),
    "tensor_split" => p -> put(p, T.tensor_split(dict(p), at(p, "sections") isa AbstractVector ?
                                                          dimsat(p, "sections") : at(p, "sections");
                                                 dims = dimat(p, "dim"))),
    "unbind" => p -> put(p, unbind(dict(p); dims = dimat(p, "dim"))),
    "contiguous" => p -> put(p, contiguous(dict(p))),
    "repeat_interleave" => p -> put(p, T.repeat_interleave(dict(p), ints(p, "repeats"); dims = dimat(p, "dim"))),
    "roll" => p -> put(p, circshift(dict(p), ints(p, "shifts"); dims = given(p, "dims") ? dimsat(p, "dims") : ())),
    "rot90" => p -> put(p, T.rot90(dict(p), at(p, "times"), dimat(p, "dim0"), dimat(p, "dim1"))),
    "lazy_stack" => p -> put(p, lazy_stack(dicts(p, "tds"); dims = dimat(p, "dim"))),
    "maybe_dense_stack" => p -> put(p, T.maybe_dense_stack(dicts(p, "tds"); dims = dimat(p, "dim"))),
    "lazy_new" => p -> put(p, T.lazy_new(Tuple(ints(p, "element")); dims = dimat(p, "dim"))),
    "to_lazy_stack" => p -> put(p, T.to_lazy_stack(dict(p); dims = dimat(p, "dim"))),
    "member" => member,
    "append" => p -> push!(dict(p), dict(p, "value")),
    "insert" => p -> insert!(dict(p), at(p, "at") + 1, dicts(p, "tds")...),
    "get_list" => p -> put(p, T.get_list(dict(p), key(p))),
    "set_list" => p -> T.set_list!(dict(p), key(p), [tensorof(p, one) for one in at(p, "values")]),
    "get_jagged" => p -> put(p, T.get_jagged(dict(p), key(p))),
    "get_padded" => p -> put(p,
        first(T.get_padded(dict(p), key(p); value = pad_value(p, "padding"), left = flag(p, "left")))),
    "entry_shape" => p -> put_value(p, Any[T.entry_size(dict(p), key(p))...]),
    "params" => p -> put(p, params(dict(p); no_convert = flag(p, "no_convert"), lock = flag(p, "lock"))),
    "parameter_names" => p -> list_names(p, parameters(dict(p))),
    "buffer_names" => p -> list_names(p, buffers(dict(p))),
    "new_empty" => p -> put(p, T.zero!(T.new_empty(dict(p), ints(p, "sizes")...; type = type(p, "dtype")))),
    "new_full" => p -> put(p,
        T.new_full(dict(p), number(at(p, "value")), ints(p, "sizes")...; type = type(p, "dtype"))),
    "to_tensordict" => p -> put(p, T.to_tensordict(dict(p))),
    "become" => p -> T.become!(dict(p), dict(p, "other")),
    "detach_" => p -> T.detach!(dict(p)),
    "copy" => p -> put(p, copy(dict(p))),
    "clone" => p -> put(p, clone(dict(p))),
    "requires_grad" => p -> put_value(p, requires_grad(dict(p))),
    "requires_grad_" => p -> requires_grad!(dict(p), flag(p, "value", true)),
    "detach" => p -> put(p, detach(dict(p))),
    "grad" => p -> (found = grad(dict(p)); found === nothing ? put_value(p, Object("none" => true)) : put(p, found)),
    "zero_grad" => p -> zero_grad!(dict(p); set_to_none = flag(p, "set_to_none", true)),
    "backward" => p -> backward(dict(p), has(p, "gradient") ? dict(p, "gradient") : nothing),
    "to" => p -> put(p, to(dict(p), type(p, "dtype"); device = get(p.step, "device", nothing))),
    "state_dict" => p -> put(p, state_dict(dict(p))),
    "load_state_dict" => p -> load_state_dict!(dict(p), dict(p, "state"); lenient = !flag(p, "strict", true),
                                               assign = flag(p, "assign")),
    "scope_unlock" => p -> (td = dict(p); begin_scope(p, f -> unlocked(f, td))),
    "scope_flatten_keys" => p -> (td = dict(p); s = separator(p); begin_scope(p, f -> with_flat_keys(f, td, s))),
    "scope_unflatten_keys" => p -> (td = dict(p); s = separator(p); begin_scope(p, f -> with_nested_keys(f, td, s))),
    "scope_view" => p -> (td = dict(p); s = ints(p, "sizes"); begin_scope(p, f -> T.with_view(f, td, s...))),
    "scope_flatten" => p -> (td = dict(p); a = dimat(p, "start"); b = dimat(p, "end");
                             begin_scope(p, f -> T.with_flatten(f, td, a, b))),
    "scope_unflatten" => p -> (td = dict(p); d = dimat(p, "dim"); s = ints(p, "sizes");
                               begin_scope(p, f -> T.with_unflatten(f, td, d, s...))),
    "scope_squeeze" => p -> (td = dict(p); ds = dimsat(p, "dim"); begin_scope(p, f -> T.with_squeeze(f, td, ds...))),
    "scope_unsqueeze" => p -> (td = dict(p); d = dimat(p, "dim"); begin_scope(p, f -> T.with_unsqueeze(f, td, d))),
    "scope_permute" => p -> (td = dict(p); ds = dimsat(p, "dims"); begin_scope(p, f -> T.with_permute(f, td, ds))),
    "scope_transpose" => p -> (td = dict(p); a = dimat(p, "dim0"); b = dimat(p, "dim1");
                               begin_scope(p, f -> T.with_transpose(f, td, a, b))),
    "scope_movedim" => p -> (td = dict(p); a = dimsat(p, "source"); b = dimsat(p, "destination");
                             begin_scope(p, f -> T.with_move_dims(f, td, a, b))),
    "scope_flip" => p -> (td = dict(p); ds = dimsat(p, "dims"); begin_scope(p, f -> T.with_reverse(f, td; dims = ds))),
    "scope_roll" => p -> (td = dict(p); s = ints(p, "shifts"); ds = dimsat(p, "dims");
                          begin_scope(p, f -> T.with_circshift(f, td, s; dims = ds))),
    "scope_end" => end_scope,
    "pointwise" => pointwise_,
    "reduce" => p -> put(p, reduce_with(at(p, "call"), dict(p); over(p)..., keywords(p, "kwargs")...)),
    "reduce_all" => p -> put(p, reduce_all(at(p, "call"), dict(p); over(p)..., keywords(p, "kwargs")...)),
    "all" => p -> put_value(p, all(dict(p))),
    "any" => p -> put_value(p, any(dict(p))),
    "map" => map_,
    "merge_with" => p -> put(p, T.merge_dicts(mapped(at(p, "fn")), dicts(p, "tds"))),
    "torch" => p -> put(p, op(given(p, "overload") ? "$(at(p, "call")).$(at(p, "overload"))" : at(p, "call"),
                              arguments(p, "args")...)),
)
