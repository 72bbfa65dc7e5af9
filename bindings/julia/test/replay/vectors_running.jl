# Modules with keys, sequences of them, and mappings.

# A module of {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n.
function keyed_module(spec)
    n = length(spec["out"])
    add(inputs...) = Tuple(op("add", inputs[mod1(i, length(inputs))], length(inputs)) for i in 1:n)
    return TensorDictModule(add, keys_in(spec["in"]) => keys_in(spec["out"]))
end
# A sequence of those and of {"seq": [...]}.
sequence_of(spec; kwargs...) =
    Sequential((haskey(o, "seq") ? sequence_of(o["seq"]) : keyed_module(o) for o in spec)...; kwargs...)

# 0, 1, ... under keys.
function counted(keys)
    td = TensorDict()
    foreach(i -> td[keys[i]] = fill(Float32(i - 1)), 1:length(keys))
    return td
end

function check_module_keys(m, inputs, outputs, what)
    check_keys(in_keys(m), inputs, "the in-keys of $what")
    check_keys(out_keys(m), outputs, "the out-keys of $what")
end
# The members have the keys of the spec, at every depth.
function check_members(m, spec)
    check(length(m) == length(spec), "there are $(length(m)) members")
    for (i, o) in enumerate(spec)
        haskey(o, "seq") ? check_members(m[i], o["seq"]) : check_module_keys(m[i], o["in"], o["out"], "member $i")
    end
end

function subsequence(v)
    whole = sequence_of(v["spec"])
    chosen() = T.select_subsequence(whole; in_keys = keys_in(v["in_keys"]), out_keys = keys_in(v["out_keys"]))
    haskey(v, "error") && return refused(chosen, "the selection")
    part = chosen()
    check_members(part, v["result"])
    check_module_keys(part, v["result_in_keys"], v["result_out_keys"], "the result")
end

function dispatched(v)
    m = keyed_module(v["module"])
    kwargs = Pair{Symbol,Any}[Symbol(name) => asreal(x) for (name, x) in pairs(get(v, "kwargs", Object()))]
    run() = T.dispatch(m, map(asreal, get(v, "args", Any[]))...; kwargs...)
    if haskey(v, "error")
        e = refused(run, "dispatch")
        return check(occursin(get(v, "message", ""), e.message), e.message)
    end
    outs, expected = T.as_tuple(run()), aslist(v["out"])
    check(length(outs) == length(expected), "there are $(length(outs)) outputs")
    foreach((out, x) -> check_values(out, x, 1e-6, "an output"), outs, expected)
end

function run_module(v)
    m = keyed_module(v["module"])
    haskey(v, "select") && T.select_out_keys!(m, keys_in(v["select"]))
    data = counted(keys_in(v["input_keys"]))
    result = m(data)
    check_same_set(leaf_keys(result), v["output_keys"], "the keys of the output")
    haskey(v, "same_object") && check(same(result, data) == v["same_object"], "the same object")
    haskey(v, "dispatch_value") &&
        check_values(T.dispatch(m, 0.0, 1.0), v["dispatch_value"], 1e-6, "the dispatched value")
end

# [a->b, b->c] with inplace=False.
function run_to_new_dict(v)
    s = Sequential((keyed_module(Object("in" => [a], "out" => [b])) for (a, b) in ("a" => "b", "b" => "c"))...;
                   inplace = :fresh)
    data = TensorDict(3)
    data["a"] = Float32[0, 1, 2]
    result = s(data)
    check(!same(result, data), "the result is the input")
    check_same_set(leaf_keys(result), v["output_keys"], "the keys of the output")
    check_same_set(leaf_keys(data), v["input_keys_after"], "the keys of the input")
    check(ndims(result) == length(v["output_batch_size"]), "the batch size is $(size(result))")
end

writing(::Nothing) = :none
writing(into::Bool) = into ? :into : :fresh
writing(::AbstractString) = :empty

function run_sequence(v)
    given = haskey(v, "select") ? (selected_out_keys = keys_in(v["select"]),) : NamedTuple()
    s = sequence_of(v["spec"]; inplace = writing(get(v, "inplace", nothing)),
                    partial_tolerant = flag(v, "partial_tolerant"), given...)
    if haskey(v, "part")
        asked(name) = keys_in(get(v["part"], name, nothing))
        s = T.select_subsequence(s; in_keys = asked("in_keys"), out_keys = asked("out_keys"))
    end
    data = haskey(v, "lazy") ? lazy_stack(TensorDict[counted(keys_in(keys)) for keys in v["lazy"]]) :
           counted(keys_in(v["input_keys"]))
    result = s(data)
    check(same(result, data) == flag(v, "same_object"), "the same object")
    if haskey(v, "members")
        foreach(i -> check_same_set(leaf_keys(result[i]), v["members"][i], "the keys of a member"),
                1:length(v["members"]))
        return
    end
    check_same_set(leaf_keys(result), v["output_keys"], "the keys of the output")
    check_same_set(leaf_keys(data), v["input_keys_after"], "the keys of the input")
    haskey(v, "values") && check_leaf_values(result, v["values"], 1e-6)
end

function run_kind(v)
    haskey(v, "module") && return run_module(v)
    haskey(v, "spec") && return run_sequence(v)
    check(v["id"] == "run.seq_inplace_false", "an unknown vector")
    run_to_new_dict(v)
end

function mapping(v)
    x = v["x"]
    if v["name"] == "inv_softplus"
        return check_values(TensorDictModule("td.inv_softplus")(nested_tensor(x, dtype_in(v))), v["y"], 1e-6, "y")
    end
    # A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
    m = TensorDictModule("td.normal_param_extractor"; scale_mapping = v["name"], scale_lb = -1e30)
    both = vcat(Any[0.0 for _ in x], x)
    check_values(last(m(nested_tensor(both, dtype_in(v)); outputs = 2)), v["y"], 1e-6, "y")
end

function extractor(v)
    m = TensorDictModule("td.normal_param_extractor"; scale_mapping = v["scale_mapping"], scale_lb = v["scale_lb"])
    x = nested_tensor(v["x"], Float32)
    haskey(v, "error") && return refused(() -> m(x; outputs = 2), "the extractor")
    loc, scale = m(x; outputs = 2)
    check_values(loc, v["loc"], 1e-6, "loc")
    check_values(scale, v["scale"], 1e-6, "scale")
end

merge!(KINDS, Dict{String,Function}(
    "seq_keys" => v -> check_module_keys(sequence_of(v["spec"]), v["in_keys"], v["out_keys"], "the sequence"),
    "select_subsequence" => subsequence,
    "dispatch" => dispatched,
    "run" => run_kind,
    "mapping" => mapping,
    "npe" => extractor,
))
