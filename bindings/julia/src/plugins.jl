# Plugins: load, list, and types that this process registers.

"Loads one plugin file, or the file that a manifest names."
load_plugin(file::AbstractString) = call(Raw.td_plugins_load, file)
"Loads every plugin of a directory."
add_plugin_path(directory::AbstractString) = call(Raw.td_plugins_add_path, directory)
"Returns the types in use, each as a dict of data: kind, id, plugin, version, file, vendor, license, flags, schema."
plugins() = give(DictList, Raw.td_dict_list_from_json, give(String, Raw.td_plugins_list))
"Returns one line per file: whether it was loaded or refused, with the reason."
plugins_report() = give(String, Raw.td_plugins_report)

function type_info(id, version, schema, flags)
    bits = (deterministic = Raw.TD_PLUGIN_DETERMINISTIC, stable = Raw.TD_PLUGIN_STABLE, keyed = Raw.TD_PLUGIN_KEYED,
            differentiable = Raw.TD_PLUGIN_DIFFERENTIABLE, thread_safe = Raw.TD_PLUGIN_THREAD_SAFE)
    return options(Raw.td_type_info; id = id, version = version, schema = config_text(schema, ()),
                   flags = reduce(|, (UInt64(bits[f]) for f in flags); init = UInt64(0)))
end

function hashed_bytes(id::Ptr{Cvoid}, config::Raw.td_str, rows::Ptr{UInt8}, n::Csize_t, row_bytes::Csize_t,
                      stride::Csize_t, out::Ptr{UInt64}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        f, options = kept(id), JSON(text(config))
        for i in 1:Int(n)
            row = rows + (i - 1) * stride
            bytes = row_bytes == 0 ? UInt8[] : copy(unsafe_wrap(Array, row, Int(row_bytes)))
            unsafe_store!(out, f(bytes, options) % UInt64, i)
        end
    end
end

"""
    register_hash(f, id; version = nothing, schema = nothing, flags = ())

Registers a hash that Julia computes: `f(bytes, config)` returns an integer for the bytes of a row. It can be used at
once, under its id, wherever a hash type is named. [`unregister_plugin`](@ref) removes it.
"""
function register_hash(f, id::AbstractString; version = nothing, schema = nothing, flags = ())
    native = Native{Raw.td_hash_callbacks}(Ref(Raw.td_hash_callbacks(
        hash_rows = @cfunction(hashed_bytes, Int32, (Ptr{Cvoid}, Raw.td_str, Ptr{UInt8}, Csize_t, Csize_t, Csize_t,
                                                     Ptr{UInt64}, Ptr{Ptr{Raw.td_error}})),
        userdata = keep(f), destroy = FORGET[])), Any[])
    return call(Raw.td_plugins_register_hash, type_info(id, version, schema, flags), native)
end

function initialised(id::Ptr{Cvoid}, config::Raw.td_str, generator::Ptr{Raw.td_generator}, parameters::Ptr{Raw.td_dict},
                     buffers::Ptr{Raw.td_dict}, err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        g = generator == C_NULL ? nothing : borrowed(Generator, generator)
        first(kept(id))(JSON(text(config)), g, borrowed(TensorDict, parameters), borrowed(TensorDict, buffers))
        nothing
    end
end
function forwarded(id::Ptr{Cvoid}, config::Raw.td_str, state::TensorOut, n_state::Csize_t, inputs::TensorOut,
                   n_in::Csize_t, training::UInt8, outputs::TensorOut, n_out::Csize_t,
                   err::Ptr{Ptr{Raw.td_error}})::Int32
    return guarded(err) do
        results = as_tuple(last(kept(id))(JSON(text(config)), borrowed_tensors(state, n_state),
                                          borrowed_tensors(inputs, n_in), training != 0))
        length(results) == n_out || throw(TensorDictArgumentError(
            "the module returned $(length(results)) tensors where $(Int(n_out)) are wanted"))
        foreach(i -> store_tensor(outputs + (i - 1) * sizeof(Ptr{Cvoid}), results[i]), 1:length(results))
    end
end

"""
    register_module(init, forward, id; version = nothing, schema = nothing, flags = ())

Registers a module type: `init(config, generator, parameters, buffers)` fills two dicts, and `forward(config, state,
inputs, training)` returns one tensor or a tuple.
"""
function register_module(init, forward, id::AbstractString; version = nothing, schema = nothing, flags = ())
    native = Native{Raw.td_module_callbacks}(Ref(Raw.td_module_callbacks(
        init = @cfunction(initialised, Int32, (Ptr{Cvoid}, Raw.td_str, Ptr{Raw.td_generator}, Ptr{Raw.td_dict},
                                               Ptr{Raw.td_dict}, Ptr{Ptr{Raw.td_error}})),
        forward = @cfunction(forwarded, Int32, (Ptr{Cvoid}, Raw.td_str, TensorOut, Csize_t, TensorOut, Csize_t, UInt8,
                                                TensorOut, Csize_t, Ptr{Ptr{Raw.td_error}})),
        userdata = keep((init, forward)), destroy = FORGET[])), Any[])
    return call(Raw.td_plugins_register_module, type_info(id, version, schema, flags), native)
end

# ---- Distributions

# What a distribution type is asked: each is called with the tensors of its parameters, in the order of their names.
asked(f, id, config, params, out, err) = guarded(err) do
    (functions, n) = kept(id)
    store_tensor(out, f(functions, JSON(text(config)), borrowed_tensors(params, n)))
end
drawn(which) = (id, config, params, dims, ndim, g, out, err) -> asked(id, config, params, out, err) do f, c, ps
    sizes = Tuple(Int(unsafe_load(dims, i)) for i in 1:Int(ndim))
    getproperty(f, which)(c, ps, sizes, g == C_NULL ? nothing : borrowed(Generator, g))
end
sampled(id::Ptr{Cvoid}, config::Raw.td_str, params::TensorOut, dims::Ptr{Int64}, ndim::Csize_t,
        g::Ptr{Raw.td_generator}, out::TensorOut, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    drawn(:sample)(id, config, params, dims, ndim, g, out, err)
rsampled(id::Ptr{Cvoid}, config::Raw.td_str, params::TensorOut, dims::Ptr{Int64}, ndim::Csize_t,
         g::Ptr{Raw.td_generator}, out::TensorOut, err::Ptr{Ptr{Raw.td_error}})::Int32 =
    drawn(:rsample)(id, config, params, dims, ndim, g, out, err)
log_probed(id::Ptr{Cvoid}, config::Raw.td_str, params::TensorOut, x::Ptr{Raw.td_tensor}, out::TensorOut,
           err::Ptr{Ptr{Raw.td_error}})::Int32 =
    asked((f, c, ps) -> f.log_prob(c, ps, borrowed(Tensor, x)), id, config, params, out, err)
counted_stat(id::Ptr{Cvoid}, config::Raw.td_str, params::TensorOut, which::Int32, out::TensorOut,
             err::Ptr{Ptr{Raw.td_error}})::Int32 =
    asked((f, c, ps) -> f.stat(c, ps, keys(STATS)[which+1]), id, config, params, out, err)

"""
    register_distribution(id, params; sample, rsample = nothing, log_prob, stat = nothing, version = nothing,
        schema = nothing, flags = ())

Registers a distribution type with parameters of these names. The functions get the config, the tensors of the
parameters, and: `sample` and `rsample` the size to add and a generator, `log_prob` a value, `stat` one of `:mean`,
`:mode`, `:variance` and `:entropy`, for which it throws `TensorDictUnsupportedError` where it has none.
"""
function register_distribution(id::AbstractString, params; sample, log_prob, rsample = nothing, stat = nothing,
                               version = nothing, schema = nothing, flags = ())
    names = Base.cconvert(Ptr{Raw.td_str}, collect(params))
    absent(f, pointer) = f === nothing ? C_NULL : pointer
    functions = (sample = sample, rsample = rsample, log_prob = log_prob, stat = stat)
    native = Native{Raw.td_dist_callbacks}(Ref(Raw.td_dist_callbacks(
        params = pointer(names.texts), n_params = length(params),
        sample = @cfunction(sampled, Int32, (Ptr{Cvoid}, Raw.td_str, TensorOut, Ptr{Int64}, Csize_t,
                                             Ptr{Raw.td_generator}, TensorOut, Ptr{Ptr{Raw.td_error}})),
        rsample = absent(rsample, @cfunction(rsampled, Int32, (
            Ptr{Cvoid}, Raw.td_str, TensorOut, Ptr{Int64}, Csize_t, Ptr{Raw.td_generator}, TensorOut,
            Ptr{Ptr{Raw.td_error}}))),
        log_prob = @cfunction(log_probed, Int32, (Ptr{Cvoid}, Raw.td_str, TensorOut, Ptr{Raw.td_tensor}, TensorOut,
                                                  Ptr{Ptr{Raw.td_error}})),
        stat = absent(stat, @cfunction(counted_stat, Int32, (Ptr{Cvoid}, Raw.td_str, TensorOut, Int32, TensorOut,
                                                             Ptr{Ptr{Raw.td_error}}))),
        userdata = keep((functions, length(params))), destroy = FORGET[])), Any[names])
    return call(Raw.td_plugins_register_dist, type_info(id, version, schema, flags), native)
end

const PLUGIN_KINDS = (hash = Raw.TD_PLUGIN_KIND_HASH, distribution = Raw.TD_PLUGIN_KIND_DISTRIBUTION,
                      module_ = Raw.TD_PLUGIN_KIND_MODULE)
"Removes a type (`:hash`, `:distribution`, `:module`) from look-ups."
unregister_plugin(kind::Symbol, id::AbstractString) = call(
    Raw.td_plugins_unregister, kind == :module ? PLUGIN_KINDS.module_ : PLUGIN_KINDS[kind], id)
