# What the registers hold, and whether it is what a program expects.

shown(x::Real) = isnan(x) ? "nan" : isinf(x) ? (x > 0 ? "inf" : "-inf") : x

plain(x::AbstractFloat) = shown(x)
plain(x::JSON) = parse_json(x.text)
plain(x::Pickle) = String(copy(x.bytes))
plain(x::Vector{UInt8}) = String(copy(x))
plain(x) = x

nested(A::AbstractArray{<:Any,0}) = plain(A[])
nested(A::AbstractArray) = Any[nested(view(A, i, ntuple(_ -> :, ndims(A) - 1)...)) for i in 1:size(A, 1)]
seen_data(x::NonTensorStack) = Object("stack" => nested(x.values))
seen_data(x) = Object("one" => plain(x))

row_major(t, kind) = vec(parent(contiguous(to(detach(t), kind))))
function elements(t::Tensor{E}) where {E}
    E <: Complex && return Any[Any[shown(Base.real(z)), shown(imag(z))] for z in row_major(t, Complex{Float64})]
    E <: AbstractFloat && return Any[shown(x) for x in row_major(t, Float64)]
    E == Bool && return Any[b for b in row_major(t, Bool)]
    return Any[i for i in row_major(t, Int64)]
end

# Objects get numbers in the order in which they are met, so that equal pictures mean equal sharing.
struct Observer
    dicts::Vector{TensorDict}
    tensors::Vector{Tensor}
end

function look(o::Observer, t::Tensor)
    out = Object("dtype" => dtype_of(t), "shape" => Any[size(t)...], "data" => elements(t))
    requires_grad(t) && (out["requires_grad"] = true)
    push!(o.tensors, t)
    out["tensor"] = length(o.tensors)  # until `fill_memory` replaces it
    return out
end
dtype_of(t::Tensor{E}) where {E} = T.dtype_name(E)

function look(o::Observer, td::TensorDict)
    known = findfirst(d -> same(d, td), o.dicts)
    known === nothing || return Object("same" => known - 1)
    out = Object("dict" => length(o.dicts), "batch" => Any[size(td)...])
    push!(o.dicts, td)
    names = dim_names(td)
    any(n -> n !== nothing, names) && (out["names"] = Any[names...])
    is_locked(td) && (out["locked"] = true)
    device(td) === nothing || (out["device"] = device(td))
    kind = T.dict_kind(td)
    if kind == :lazy_stack
        out["stack_dim"] = T.stack_dim(td) - 1
        out["keys"] = Any[keys(td)...]
        out["members"] = Any[look(o, member) for member in T.members(td)]
        return out
    end
    kind == :params && (out["kind"] = "params")
    entries = Object()
    for (name, x) in td
        seen = look(o, x)
        x isa Tensor && T.is_unbatched(td, name) && (seen["unbatched"] = true)
        entries[name] = seen
    end
    out["entries"] = entries
    return out
end
look(o::Observer, x) = seen_data(x)

# The bytes from the first to the last element, or nothing.
function extent(t::Tensor)
    length(t) == 0 && return nothing
    p = UInt(try
        pointer(t)
    catch
        return nothing
    end)
    return p, p + (sum(Int[(n - 1) * s for (n, s) in zip(size(t), strides(t))]) + 1) * Int(T.Raw.td_tensor_itemsize(t))
end

# [class, bytes from its start] of tensors of which another one has some of the same bytes.
function memory_of(tensors)
    spans = [(extent(t)..., i) for (i, t) in enumerate(tensors) if extent(t) !== nothing]
    sort!(spans; by = s -> s[1], alg = MergeSort)
    groups = []
    for (start, stop, i) in spans
        if isempty(groups) || start >= groups[end].stop[]
            push!(groups, (base = start, stop = Ref(stop), members = [(start, i)], first = Ref(i)))
        else
            g = groups[end]
            push!(g.members, (start, i))
            g.stop[], g.first[] = max(g.stop[], stop), min(g.first[], i)
        end
    end
    shared = sort!(filter(g -> length(g.members) > 1, groups); by = g -> g.first[])
    places = Dict{Int,Any}()
    for (n, g) in enumerate(shared), (start, i) in g.members
        places[i] = Any[n-1, Int(start - g.base)]
    end
    return places
end

function fill_memory(x::Object, places)
    if haskey(x, "tensor") && haskey(x, "dtype")
        i = x["tensor"]
        delete!(x, "tensor")
        haskey(places, i) && (x["memory"] = places[i])
    elseif haskey(x, "dict")
        foreach(name -> fill_memory(x["entries"][name], places), haskey(x, "entries") ? x["entries"].names : [])
        foreach(m -> fill_memory(m, places), get(x, "members", []))
    end
end
fill_memory(x, places) = nothing

function observe(p::Program)
    o = Observer(TensorDict[], Tensor[])
    seen = Object()
    for name in p.order
        x = p.registers[name]
        seen[name] = x isa Object ? x : look(o, x)
    end
    places = memory_of(o.tensors)
    foreach(name -> fill_memory(seen[name], places), seen.names)
    return seen
end

# ---- Comparing

brief(x::Object) = "{" * join(("$name: $(brief(v))" for (name, v) in pairs(x)), ", ") * "}"
brief(x) = string(x)
short(x) = (s = brief(x); length(s) > 160 ? s[1:nextind(s, 0, 160)] : s)

within(x::Object) = get(Dict("float16" => 2e-3, "bfloat16" => 2e-2, "float32" => 2e-5, "complex64" => 2e-5),
                        get(x, "dtype", ""), 1e-9)

function compare!(found, a::Object, b::Object, at, _ = 1e-9)
    alike = true
    for name in a.names
        if haskey(b, name)
            compare!(found, a[name], b[name], "$at/$name", within(a))
        else
            push!(found, "$at/$name is missing")
            alike = false
        end
    end
    for name in b.names
        haskey(a, name) && continue
        push!(found, "$at/$name was not expected: $(short(b[name]))")
        alike = false
    end
    alike && endswith(at, "/entries") && a.names != b.names && push!(found, "$at: another order: $(b.names)")
    return found
end
function compare!(found, a::AbstractVector, b::AbstractVector, at, tolerance = 1e-9)
    length(a) == length(b) || return push!(found, "$at: expected $(short(a)), got $(short(b))")
    foreach(i -> compare!(found, a[i], b[i], "$at[$(i - 1)]", tolerance), 1:length(a))
    return found
end
alike(a::Union{Int64,Float64}, b::Union{Int64,Float64}, tolerance) =
    a isa Int64 && b isa Int64 ? a == b : abs(a - b) <= tolerance * max(1, abs(a), abs(b))
alike(a::Bool, b::Bool, _) = a == b
alike(a::T, b::T, _) where {T} = a == b
alike(a, b, _) = false
function compare!(found, a, b, at, tolerance = 1e-9)
    alike(a, b, tolerance) || push!(found, "$at: expected $(short(a)), got $(short(b))")
    return found
end
