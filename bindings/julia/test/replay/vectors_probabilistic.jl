# Modules that sample, deterministic values, and composite distributions.

const LOC_SCALE = ["loc", "scale"]
normal_module(inputs, outputs; options...) = Probabilistic("td.normal", inputs => outputs; options...)

# Parameters of types in deterministic values, and the order of arguments as in "LogNormal(0,1)".
const TYPICALS = [
    ("Bernoulli", "probs", Object("probs" => 0.3)),
    ("Categorical", "", Object("probs" => Any[0.2, 0.5, 0.3])),
    ("OneHotCategorical", "", Object("probs" => Any[0.2, 0.5, 0.3])),
    ("LogNormal", "loc scale", Object("loc" => 0.0, "scale" => 1.0)),
    ("Normal", "loc scale", Object("loc" => 0.0, "scale" => 1.0)),
    ("Uniform", "low high", Object("low" => 0.0, "high" => 1.0)),
    ("Beta", "concentration1 concentration0", Object("concentration1" => 2.0, "concentration0" => 3.0)),
    ("Gamma", "concentration rate", Object("concentration" => 2.0, "rate" => 3.0)),
    ("Exponential", "rate", Object("rate" => 1.5)),
    ("Geometric", "probs", Object("probs" => 0.3)),
    ("Poisson", "rate", Object("rate" => 2.5)),
    ("RelaxedBernoulli", "probs", Object("probs" => 0.3, "temperature" => 0.5)),
    ("Cauchy", "loc scale", Object("loc" => 0.0, "scale" => 1.0)),
    ("Independent(Categorical)", "", Object("probs" => Any[Any[0.1, 0.7, 0.2], Any[0.6, 0.3, 0.1]])),
]

function typical(id)
    for (name, order, params) in TYPICALS
        startswith(id, name) || continue
        rest = id[length(name)+1:end]
        isempty(rest) || startswith(rest, "(") || continue
        given = without(params)
        foreach((argument, x) -> given[argument] = parse(Float64, x), split(order),
                isempty(rest) ? String[] : split(strip(rest, ['(', ')']), ","))
        return distribution(name, given, Float64)
    end
    throw(BadProgram("an unknown distribution"))
end

function probabilistic_keys(v)
    asked(name, otherwise) = haskey(v, name) ? keys_in(v[name]) : otherwise
    m = normal_module(asked("in_keys_arg", LOC_SCALE), asked("out_keys_arg", ["a"]);
                      return_log_prob = flag(v, "return_log_prob"), aggregate = flag(v, "aggregate"))
    check_module_keys(m, v["in_keys"], v["out_keys"], "the module")
    check_keys(T.log_prob_keys(m), v["log_prob_keys"], "the log-probability keys")
end

# The dims before those of the data are the samples; the last dim is that of the features.
function probabilistic_shapes(v)
    shapes = v["shapes"]
    samples, batch, features = Int[i for i in shapes["loc"]]
    m = normal_module(LOC_SCALE, ["a"]; interaction = :random, return_log_prob = haskey(shapes, "a_log_prob"),
                      num_samples = [samples])
    data = TensorDict(batch)
    foreach(key -> data[key] = ones(Tensor, batch, features), LOC_SCALE)
    result = m(data)
    check(!same(result, data) && length(leaf_keys(data)) == 2, "the input changed")
    check_shape(size(result), v["out_batch"], "the batch")
    foreach(pair -> check_shape(size(result[first(pair)]), last(pair), first(pair)), pairs(shapes))
end

function random_numbers(v)
    n, generator = length(v["value"]), Generator(v["seed"])
    params = Object("loc" => 0.0, "scale" => 1.0)
    drawn = rsample(distribution("Normal", params, Float32), n; generator = generator)
    check_values(drawn, v["value"], 1e-7, "the sample")
    seed!(generator, v["seed"])
    m = normal_module(LOC_SCALE, ["a"]; interaction = :random, generator = generator, num_samples = [n])
    check_values(m(params_of(params, Float32))["a"], v["via_module_generator_0"], 1e-7, "the module's sample")
end

function deterministic(v)
    d = typical(split(v["id"], "."; limit = 2)[2])
    check_values(T.interact(d, :deterministic), v["value"], 1e-9, "the value")
    m = Probabilistic(_ -> d, [] => ["a"])
    data = TensorDict()
    T.forward!(m, data)
    check_values(data["a"], v["value"], 1e-9, "the module's value")
end

function composite_kind(v)
    batch = Int[i for i in v["batch"]]
    params, sample = TensorDict(batch...), TensorDict(batch...)
    parts = map(v["parts"]) do part
        given = params_of(part["params"], Float64)
        T.set_batch_size!(given, batch...)
        params[keyof(part["name"])] = given
        keyof(part["name"]) => type_of(part["dist"])
    end
    d = T.composite(params, parts...)
    foreach(leaf -> sample[keyof(leaf[1])] = nested_tensor(leaf[2], Float64), v["sample"])
    tolerance = 1e-9
    check_leaf_values(T.log_prob_dict(d, sample), v["log_prob"], tolerance)
    check_values(log_prob(d, sample), v["log_prob_sum"], tolerance, "the sum of the log-probabilities")
    check_leaf_values(T.statistic_dict(d, :entropy), v["entropy"], tolerance)
    check_values(statistic(d, :entropy), v["entropy_sum"], tolerance, "the sum of the entropies")
    for name in ("mean", "mode")
        haskey(v, name) && check_leaf_values(statistic(d, Symbol(name)), v[name], tolerance)
    end
    haskey(v, "deterministic_sample") &&
        check_leaf_values(T.interact(d, :deterministic), v["deterministic_sample"], tolerance)
    draws = rand(d, 4)
    foreach(leaf -> check_shape(size(draws[keyof(leaf[1])]), leaf[2], string(leaf[1])), v["shape_of_draws"])
    v["cdf"] === nothing && return refused(() -> T.cdf(d, sample), "cdf")
    check_leaf_values(T.cdf(d, sample), v["cdf"], tolerance)
end

merge!(KINDS, Dict{String,Function}(
    "prob_keys" => probabilistic_keys,
    "prob" => probabilistic_shapes,
    "rng" => random_numbers,
    "deterministic" => deterministic,
    "composite" => composite_kind,
))
