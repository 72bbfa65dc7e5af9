# Distributions by their names in Python, divergences, and what is refused.

# "td.lkj_cholesky" of "LKJCholesky"; tensordict's own types have names that torch.distributions uses for others.
function type_of(name)
    name == "OneHotCategorical(tensordict)" && return "td.int_one_hot_categorical"
    letters = collect(first(split(name, "(")))
    lower(i) = 1 <= i <= length(letters) && islowercase(letters[i])
    words = (i > 1 && isuppercase(c) && (lower(i - 1) || lower(i + 1)) ? "_$c" : string(c)
             for (i, c) in enumerate(letters))
    return "td." * lowercase(join(words))
end

function params_of(given::Object, kind)
    td = TensorDict()
    foreach(pair -> td[first(pair)] = nested_tensor(last(pair), kind), pairs(given))
    return td
end

# What Python gives by name and the type does not take as tensors.
const SCHEMAS = Dict{String,Vector{String}}()
function config_members(type)
    if isempty(SCHEMAS)
        for one in plugins()
            properties = get(one, ("schema", "properties"), nothing)
            SCHEMAS[one["id"]] = properties === nothing ? String[] : collect(String, keys(properties))
        end
    end
    return get(SCHEMAS, type, String[])
end

function distribution(name, given::Object, kind)
    if startswith(name, "Independent(")
        inner = split(match(r"^Independent\((.*)\)$", name)[1], ",")
        dims = length(inner) > 1 ? parse(Int, inner[2]) : 1
        dims = get(given, "reinterpreted_batch_ndims", dims)
        base = distribution(String(inner[1]), without(given, "reinterpreted_batch_ndims"), kind)
        return T.independent(base, dims)
    end
    name == "MixtureSameFamily" &&
        return T.mixture(named_dist(given["mixture"], kind), named_dist(given["components"], kind))
    type = type_of(name)
    members = filter(member -> haskey(given, member), config_members(type))
    config = Object((member => given[member] for member in members)...)
    params = params_of(without(given, members...), kind)
    return Dist(type, params; config = isempty(members) ? nothing : written(config))
end
named_dist(o, kind) = distribution(o["dist"], without(o, "dist"), kind)

function ask(d, what, value)
    what == "log_prob" && return log_prob(d, value)
    what == "cdf" && return T.cdf(d, value)
    what == "icdf" && return T.icdf(d, value)
    what == "enumerate" && return T.enumerate_support(d)
    return statistic(d, Symbol(what))
end

function distribution_kind(v)
    kind = dtype_in(v)
    tolerance = kind == Float32 ? 1e-6 : 1e-9
    d = distribution(v["dist"], v["params"], kind)
    haskey(v, "batch_shape") && check_shape(T.batch_shape(d), v["batch_shape"], "the batch")
    haskey(v, "event_shape") && check_shape(T.event_shape(d), v["event_shape"], "an event")
    haskey(v, "has_rsample") && check(T.has_rsample(d) == v["has_rsample"], "has_rsample is $(T.has_rsample(d))")
    points = nested_tensor(v["points"], kind)
    for what in ("log_prob", "mean", "variance", "mode", "entropy", "cdf")
        haskey(v, what) && check_values(ask(d, what, points), v[what], tolerance, what)
    end
    haskey(v, "icdf") && check_values(T.icdf(d, nested_tensor(v["icdf_q"], kind)), v["icdf"], tolerance, "icdf")
    foreach(what -> unsupported(() -> ask(d, what, points), what), get(v, "not_implemented", []))
end

function divergence(v)
    p, q = named_dist(v["p"], Float64), named_dist(v["q"], Float64)
    check_values(T.kl_divergence(p, q), v["value"], 1e-9, "the divergence")
end

# The vectors name these cases; here are their arguments, and that of log_prob.
const REFUSALS = Dict(
    "Normal_nan_loc" => ("Normal", "{\"loc\": \"nan\", \"scale\": 1}", ""),
    "Normal_scale_0" => ("Normal", "{\"loc\": 0, \"scale\": 0}", ""),
    "Uniform_low_eq_high" => ("Uniform", "{\"low\": 1, \"high\": 1}", ""),
    "Bernoulli_p_1.5" => ("Bernoulli", "{\"probs\": 1.5}", ""),
    "Bernoulli_both" => ("Bernoulli", "{\"probs\": 0.5, \"logits\": 0}", ""),
    "Categorical_0d" => ("Categorical", "{\"probs\": 0.5}", ""),
    "MVN_two" => ("MultivariateNormal", "{\"loc\": [0, 0], \"covariance_matrix\": [[1, 0], [0, 1]], " *
                                        "\"scale_tril\": [[1, 0], [0, 1]]}", ""),
    "Geometric_0" => ("Geometric", "{\"probs\": 0}", ""),
    "Exponential_logprob_neg" => ("Exponential", "{\"rate\": 1}", "-1"),
    "Normal_shape" => ("Normal", "{\"loc\": [0, 0, 0], \"scale\": [1, 1, 1]}", "[0, 0, 0, 0]"),
    "Poisson_negative" => ("Poisson", "{\"rate\": -1}", ""),
    "Dirichlet_0d" => ("Dirichlet", "{\"concentration\": 1}", ""),
    "Independent_ndims" => ("Independent(Normal,2)", "{\"loc\": [0, 0], \"scale\": [1, 1]}", ""),
)

# The distribution is refused, or the value that it is asked about.
function dist_error(v)
    if haskey(v, "dist")
        name, params, asked, value = v["dist"], v["params"], haskey(v, "value"), get(v, "value", nothing)
    else
        name, params, value = REFUSALS[split(v["id"], "."; limit = 2)[2]]
        params, asked = parse_json(params), !isempty(value)
        asked && (value = parse_json(value))
    end
    make() = distribution(name, params, Float32)
    d = asked ? make() : nothing
    e = refused(asked ? () -> log_prob(d, nested_tensor(value, Float32)) : make, name)
    wanted = haskey(v, "says") ? v["says"] : v["error"][2]
    check(occursin(wanted, e.message), "$(repr(e.message)) is not $(repr(wanted))")
end

merge!(KINDS, Dict{String,Function}(
    "distribution" => distribution_kind, "kl" => divergence, "dist_error" => dist_error))
