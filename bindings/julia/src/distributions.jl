# Distributions, alone and as modules.

"""
    Dist(type, params; config = nothing, members...)
    Dist(type; params...)

A distribution of a plugin type, with its parameters in a dict or as keyword arguments.

    d = Dist("td.normal", TensorDict("loc" => zeros(3), "scale" => ones(3); batch = (3,)))
    rand(d), rand(d, 10; generator = g), log_prob(d, x), TensorDicts.statistic(d, :mean)
"""
@handle Dist td_dist TD_OBJECT_DIST
Dist(type::AbstractString, params::TensorDict; config = nothing, members...) =
    give(Dist, Raw.td_dist_new, type, params, config_text(config, members))
Dist(type::AbstractString; config = nothing, params...) =
    Dist(type, TensorDict((String(name) => Tensor(x) for (name, x) in params)...); config = config)

"""
    rand(d::Dist, dims...; generator = nothing)
    rsample(d::Dist, dims...; generator = nothing)

Draws values of size `dims` and the batch; `rsample` keeps gradients to the parameters. Of a composite distribution they
are dicts.
"""
Base.rand(d::Dist, dims::Integer...; generator = nothing) =
    draw(Raw.td_dist_sample, Raw.td_dist_sample_dict, d, dims, generator)
rsample(d::Dist, dims::Integer...; generator = nothing) =
    draw(Raw.td_dist_rsample, Raw.td_dist_rsample_dict, d, dims, generator)

# What a plain distribution gives, or where that is not offered, what a composite one does.
function plain_or_composite(plain, composite)
    try
        return plain()
    catch e
        e isa TensorDictUnsupportedError || rethrow()
        return try
            composite()
        catch
            throw(e)
        end
    end
end
draw(f, f_dict, d, dims, generator) = plain_or_composite(
    () -> give(Tensor, f, d, int64s(dims), length(dims), generator),
    () -> give(TensorDict, f_dict, d, int64s(dims), length(dims), generator))

"Returns the log of the density or mass at a value; of a composite distribution, at a dict, the sum over all."
log_prob(d::Dist, x::AbstractArray) = give(Tensor, Raw.td_dist_log_prob, d, Tensor(x))
log_prob(d::Dist, sample::TensorDict) = give(Tensor, Raw.td_dist_log_prob_sum, d, sample)
"Returns a dict with the log-probability of each part, and with `include_sum` their sum."
log_prob_dict(d::Dist, sample::TensorDict; include_sum::Bool = false) =
    give(TensorDict, Raw.td_dist_log_prob_dict, d, sample, include_sum)

"Returns the cumulative distribution function, or its inverse `icdf`; of a composite one it is written into the sample."
cdf(d::Dist, x::AbstractArray) = give(Tensor, Raw.td_dist_cdf, d, Tensor(x))
icdf(d::Dist, x::AbstractArray) = give(Tensor, Raw.td_dist_icdf, d, Tensor(x))
cdf(d::Dist, sample::TensorDict) = (call(Raw.td_dist_cdf_dict, d, sample); sample)
icdf(d::Dist, sample::TensorDict) = (call(Raw.td_dist_icdf_dict, d, sample); sample)

const STATS = (mean = Raw.TD_DIST_STAT_MEAN, mode = Raw.TD_DIST_STAT_MODE, variance = Raw.TD_DIST_STAT_VARIANCE,
               entropy = Raw.TD_DIST_STAT_ENTROPY, median = Raw.TD_DIST_STAT_MEDIAN, stddev = Raw.TD_DIST_STAT_STDDEV,
               deterministic = Raw.TD_DIST_STAT_DETERMINISTIC, perplexity = Raw.TD_DIST_STAT_PERPLEXITY)

"""
    statistic(d::Dist, name)

Returns `:mean`, `:mode`, `:variance`, `:entropy`, `:median`, `:stddev`, `:deterministic` or `:perplexity`.
"""
statistic(d::Dist, name::Symbol) = plain_or_composite(
    () -> give(Tensor, Raw.td_dist_get, d, STATS[name]), () -> give(TensorDict, Raw.td_dist_get_dict, d, STATS[name]))

"Returns a dict with a statistic of each part of a composite distribution; [`statistic`](@ref) may have their sum."
statistic_dict(d::Dist, name::Symbol) = give(TensorDict, Raw.td_dist_get_dict, d, STATS[name])

"""
    interact(d::Dist, type, dims...; n_empirical = 0, generator = nothing)

Returns a value as `type` says: `:mode`, `:median`, `:mean`, `:random` or `:deterministic`.
"""
function interact(d::Dist, type::Symbol, dims::Integer...; n_empirical = 0, generator = nothing)
    args = (d, INTERACTIONS[type], int64s(dims), length(dims), Int64(n_empirical), generator)
    return plain_or_composite(() -> give(Tensor, Raw.td_dist_interact, args...),
                              () -> give(TensorDict, Raw.td_dist_interact_dict, args...))
end

"Returns all values of a discrete distribution."
enumerate_support(d::Dist; expand::Bool = true) = give(Tensor, Raw.td_dist_enumerate_support, d, expand)
expand(d::Dist, batch::Integer...) = give(Dist, Raw.td_dist_expand, d, int64s(batch), length(batch))
batch_shape(d::Dist) = Tuple(Int.(sizes(Raw.td_dist_batch_shape, d)))
event_shape(d::Dist) = Tuple(Int.(sizes(Raw.td_dist_event_shape, d)))
has_rsample(d::Dist) = Raw.td_dist_has_rsample(d) != 0
has_enumerate_support(d::Dist) = Raw.td_dist_has_enumerate_support(d) != 0
Base.show(io::IO, d::Dist) =
    d.handle == C_NULL ? print(io, "Dist(closed)") : print(io, give(String, Raw.td_dist_repr, d))

"Sets whether distributions check their parameters and values; returns what it was."
function validate_args!(on::Bool)
    before = Raw.td_dist_default_validate_args() != 0
    Raw.td_dist_set_default_validate_args(on)
    return before
end

"Takes the last `n` batch dims as event dims."
independent(d::Dist, n::Integer) = give(Dist, Raw.td_dist_independent, d, Int64(n))
"Makes a transformed distribution of JSON (`[\"tanh\"]`), with `params` for keys in it, or of [`Transform`](@ref)s."
transformed(d::Dist, transforms; params = nothing) =
    give(Dist, Raw.td_dist_transformed, d, transform_text(transforms), params)
# The name of a transform, or JSON.
transform_text(x::AbstractString) = occursin(r"^[\[{\"]", x) ? String(x) : json(x)
transform_text(x) = config_text(x, ())
"Makes a mixture of the elements along the last batch dim of `components`."
mixture(weights::Dist, components::Dist) = give(Dist, Raw.td_dist_mixture, weights, components)
"Returns the Kullback-Leibler divergence of `p` from `q`."
kl_divergence(p::Dist, q::Dist) = give(Tensor, Raw.td_dist_kl_divergence, p, q)

function native_parts(parts, roots)
    return map(collect(parts)) do part
        (params, type) = part isa Pair ? (first(part), last(part)) : (part.params, part.type)
        config = part isa Pair ? nothing : get(part, :config, nothing)
        name = part isa Pair ? nothing : get(part, :name, nothing)
        key = NativeKey(params)
        push!(roots, key)
        Raw.td_dist_part(key.key, member(Raw.td_str, type, roots), member(Raw.td_str, config_text(config, ()), roots),
                         member(Ptr{Raw.td_key}, name, roots))
    end
end

"""
    composite(params, parts...)

Makes a composite distribution, whose values are dicts. A part is `key => type`, or `(params = key, type = type, config
= ..., name = ...)`.
"""
function composite(params::TensorDict, parts...)
    roots = Any[]
    native = convert(Vector{Raw.td_dist_part}, native_parts(parts, roots))
    return GC.@preserve roots give(Dist, Raw.td_dist_composite, params, native, length(native))
end
"Makes a composite distribution of existing ones: `composite_of((), \"a\" => d, \"b\" => e)`."
function composite_of(batch, parts::Pair...)
    names, dists = Any[first(p) for p in parts], Dist[last(p) for p in parts]
    return give(Dist, Raw.td_dist_composite_of, int64s(batch), length(batch), names, dists, length(dists))
end

# ---- Transforms (preview)

"""
    Transform(json; params = nothing)

An invertible map of tensors, as in [`transformed`](@ref): `t(x)`, `inv(t)`, `log_abs_det_jacobian(t, x, y)`. Preview.
"""
mutable struct Transform
    handle::Ptr{Raw.td_transform}
    Transform(handle::Ptr{Raw.td_transform}) = finalizer(forget_transform, new(handle))
end
# It has no kind of its own, so the queue of all others does not take it: a list of its own does.
const TRANSFORMS = Vector{Ptr{Raw.td_transform}}()
function forget_transform(t)
    t.handle == C_NULL && return nothing
    if islocked(RELEASED_LOCK) || !trylock(RELEASED_LOCK)
        finalizer(forget_transform, t)
        return nothing
    end
    push!(TRANSFORMS, t.handle)
    unlock(RELEASED_LOCK)
    t.handle = C_NULL
    return nothing
end
function release_transforms()
    lock(RELEASED_LOCK)
    found = copy(TRANSFORMS)
    empty!(TRANSFORMS)
    unlock(RELEASED_LOCK)
    foreach(Raw.td_transform_release, found)
end
rawtype(::Type{Transform}) = Raw.td_transform
take(::Type{Transform}, p::Ptr{Raw.td_transform}) = (release_transforms(); Transform(p))
Base.unsafe_convert(::Type{Ptr{Raw.td_transform}}, t::Transform) = live_pointer(t)
Base.close(t::Transform) = close_handle(t, Raw.td_transform_release)
handles_of(ts) = Ptr{Raw.td_transform}[live_pointer(t) for t in ts]

Transform(json; params = nothing) = give(Transform, Raw.td_transform_new, transform_text(json), params)
Transform(d::Dist) = give(Transform, Raw.td_transform_cdf_of, d)
Base.:∘(outer::Transform, inner::Transform) =
    GC.@preserve outer inner give(Transform, Raw.td_transform_compose, handles_of((inner, outer)), 2)
Base.inv(t::Transform) = give(Transform, Raw.td_transform_inverse_of, t)
(t::Transform)(x::AbstractArray) = give(Tensor, Raw.td_transform_forward, t, Tensor(x))
inverse(t::Transform, y::AbstractArray) = give(Tensor, Raw.td_transform_inverse, t, Tensor(y))
log_abs_det_jacobian(t::Transform, x::AbstractArray, y::AbstractArray) =
    give(Tensor, Raw.td_transform_log_abs_det_jacobian, t, Tensor(x), Tensor(y))
Base.show(io::IO, t::Transform) = print(io, give(String, Raw.td_transform_repr, t))
transformed(d::Dist, first::Transform, more::Transform...) =
    GC.@preserve first more give(Dist, Raw.td_dist_transformed_by, d, handles_of((first, more...)), 1 + length(more))

# ---- Modules that sample

function probabilistic_options(; interaction = :default, return_log_prob = false, aggregate = false,
                               log_prob_keys = nothing, n_empirical = 0, num_samples = nothing, generator = nothing,
                               generator_key = nothing, param_names = nothing, params = nothing)
    return options(
        Raw.td_probabilistic_options; default_interaction = INTERACTIONS[interaction],
        return_log_prob = return_log_prob, aggregate = aggregate, log_prob_keys = log_prob_keys,
        n_log_prob_keys = counted(log_prob_keys), n_empirical_estimate = n_empirical, num_samples = given(num_samples),
        n_num_samples = counted(num_samples), generator = generator, generator_key = generator_key,
        param_names = param_names, params = params)
end

made_dist(id::Ptr{Cvoid}, params::Ptr{Raw.td_dict}, out::Ptr{Ptr{Raw.td_dist}}, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    guarded(err) do
        d = kept(id)(borrowed(TensorDict, params))
        Raw.td_dist_retain(d)
        GC.@preserve d unsafe_store!(out, live_pointer(d))
        nothing
    end

"""
    Probabilistic(type, in_keys => out_keys; config = nothing, interaction = :default, return_log_prob = false, ...)
    Probabilistic(f, in_keys => out_keys; ...)
    Probabilistic(params_key, parts; ...)

Makes a module that makes a distribution from its inputs, of a plugin type, by a function of a dict, or a composite one,
and writes a value of it. Other options: aggregate, log_prob_keys, n_empirical, num_samples, generator, generator_key,
param_names, params.
"""
function Probabilistic(type::Union{Nothing,AbstractString}, keys::Pair; config = nothing, given...)
    in_keys, out_keys = key_vector(first(keys)), key_vector(last(keys))
    return give(TensorDictModule, Raw.td_module_probabilistic, type, config_text(config, ()), in_keys, length(in_keys),
                out_keys, length(out_keys), probabilistic_options(; given...))
end
function Probabilistic(f, keys::Pair; given...)
    in_keys, out_keys = key_vector(first(keys)), key_vector(last(keys))
    fn = callback(Raw.td_dist_function, @cfunction(
        made_dist, Int32, (Ptr{Cvoid}, Ptr{Raw.td_dict}, Ptr{Ptr{Raw.td_dist}}, Ptr{Ptr{Raw.td_error}})), f)
    return give(TensorDictModule, Raw.td_module_probabilistic_function, fn, in_keys, length(in_keys), out_keys,
                length(out_keys), probabilistic_options(; given...))
end
function Probabilistic(params::Key, parts::Union{AbstractVector,Tuple}; given...)
    roots = Any[]
    native = convert(Vector{Raw.td_dist_part}, native_parts(parts, roots))
    return GC.@preserve roots give(TensorDictModule, Raw.td_module_probabilistic_composite, params, native,
                                   length(native), probabilistic_options(; given...))
end

const RETURNS = (default = Raw.TD_RETURN_COMPOSITE_DEFAULT, last = Raw.TD_RETURN_COMPOSITE_FALSE,
                 composite = Raw.TD_RETURN_COMPOSITE_TRUE)
"Makes a sequence with probabilistic members; its distribution is that of the `:last` member or a `:composite` one."
ProbabilisticSequential(modules::TensorDictModule...; returns = :default, kwargs...) =
    sequence(Raw.td_module_probabilistic_sequential, modules, RETURNS[returns]; kwargs...)

"Returns the distribution that a probabilistic module makes from the data."
get_dist(m::TensorDictModule, td::TensorDict; out = nothing) = give(Dist, Raw.td_module_get_dist, m, td, out)
"Runs all members of a probabilistic sequence but the last and returns the dict with their outputs."
get_dist_params(m::TensorDictModule, td::TensorDict; out = nothing) =
    give(TensorDict, Raw.td_module_get_dist_params, m, td, out)
"Returns the distribution of the last probabilistic module, made from parameters."
dist_from_params(m::TensorDictModule, params::TensorDict) = give(Dist, Raw.td_module_dist_from_params, m, params)

log_prob_options(dist, include_sum, given_samples) =
    options(Raw.td_log_prob_options; dist = dist, include_sum = include_sum, given_samples = given_samples)
log_prob(m::TensorDictModule, td::TensorDict; dist = nothing, given_samples = false) =
    give(Tensor, Raw.td_module_log_prob, m, td, log_prob_options(dist, false, given_samples))
log_prob_dict(m::TensorDictModule, td::TensorDict; dist = nothing, include_sum = false, given_samples = false) =
    give(TensorDict, Raw.td_module_log_prob_dict, m, td, log_prob_options(dist, include_sum, given_samples))
"Returns the keys of the parameters, of the samples, or of the log-probabilities."
dist_params_keys(m::TensorDictModule) = give(KeyList, Raw.td_module_dist_params_keys, m)
dist_sample_keys(m::TensorDictModule) = give(KeyList, Raw.td_module_dist_sample_keys, m)
log_prob_keys(m::TensorDictModule) = give(KeyList, Raw.td_module_log_prob_keys, m)
num_samples(m::TensorDictModule) = Tuple(Int.(sizes(Raw.td_module_num_samples, m)))
default_interaction(m::TensorDictModule) = interaction_name(Raw.td_module_default_interaction(m))
