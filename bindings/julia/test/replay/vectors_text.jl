# dist.txt: what torch.distributions gives; schedule.txt: learning rates of torch.optim.lr_scheduler.

const KINDS_OF_TEXT = Dict("f32" => Float32, "f64" => Float64, "i64" => Int64, "bool" => Bool)

ints!(words) = Int[parse(Int, popfirst!(words)) for _ in 1:parse(Int, popfirst!(words))]
function tensor!(words)
    kind = KINDS_OF_TEXT[popfirst!(words)]
    shape = Tuple(ints!(words))
    return row_major_tensor(Float64[parse(Float64, word) for word in words], shape, kind)
end

function same_tensors(got, wanted, tolerance, what)
    check_shape(size(got), size(wanted), what)
    check_values(got, row_major(wanted, Float64), 2 * tolerance, what)
end

# A distribution with what stock Python says of it.
mutable struct DistCase
    type::String
    config::String
    transforms::String
    independent::Int
    params::TensorDict
    value::Union{Nothing,Tensor}
    made::Union{Nothing,Dist}
end
DistCase() = DistCase("", "", "", 0, TensorDict(), nothing, nothing)

function dist_of(c::DistCase)
    if c.made === nothing
        d = Dist(c.type, c.params; config = isempty(c.config) ? nothing : c.config)
        isempty(c.transforms) || (d = T.transformed(d, c.transforms))
        c.made = c.independent == 0 ? d : T.independent(d, c.independent)
    end
    return c.made
end

function ask(c::DistCase, what)
    what == "icdf" || return ask(dist_of(c), what, c.value)
    dims = (3, (1 for _ in T.batch_shape(dist_of(c)))...)
    return T.icdf(dist_of(c), row_major_tensor([0.1, 0.5, 0.9], dims, Float64))
end

# Compares three values of seed 0, and computes the gradients that follow.
function check_draw(c::DistCase, wanted)
    d, generator = dist_of(c), Generator(0)
    T.has_rsample(d) || return same_tensors(rand(d, 3; generator = generator), wanted, 1e-6, "a draw")
    got = rsample(d, 3; generator = generator)
    requires_grad(got) && backward(op("sum", got))
    same_tensors(got, wanted, 1e-6, "a draw")
end

function read_line(c::DistCase, line)
    what, rest = (split(line, " "; limit = 2)..., "")
    words = split(rest)
    if what == "type"
        c.type = rest
    elseif what == "config"
        c.config = rest
    elseif what == "transforms"
        c.transforms = rest
    elseif what == "independent"
        c.independent = parse(Int, rest)
    elseif what == "param"
        name = popfirst!(words)
        t = tensor!(words)
        eltype(t) <: AbstractFloat && requires_grad!(t)
        c.params[name] = t
    elseif what == "value"
        c.value = tensor!(words)
    elseif what == "batch"
        check_shape(T.batch_shape(dist_of(c)), ints!(words), "the batch")
    elseif what == "event"
        check_shape(T.event_shape(dist_of(c)), ints!(words), "an event")
    elseif what == "without"
        unsupported(() -> ask(c, rest), rest)
    elseif what == "draw"
        check_draw(c, tensor!(words))
    elseif what == "grad"
        name = popfirst!(words)
        same_tensors(grad(c.params[name]), tensor!(words), 1e-5, "the gradient of $name")
    else
        wanted = tensor!(words)
        same_tensors(ask(c, what), wanted, eltype(wanted) == Float32 ? 1e-6 : 1e-9, what)
    end
end

# The divergence of a pair, or that the library offers none.
function check_pair(lines)
    types, params, wanted = Dict{String,String}(), Dict("p" => TensorDict(), "q" => TensorDict()), nothing
    for line in lines
        words = split(line)
        what = popfirst!(words)
        if what == "type"
            side = popfirst!(words)
            types[side] = popfirst!(words)
        elseif what == "param"
            side, name = popfirst!(words), popfirst!(words)
            params[side][name] = tensor!(words)
        elseif what == "result"
            wanted = tensor!(words)
        end
    end
    p, q = Dist(types["p"], params["p"]), Dist(types["q"], params["q"])
    name = "KL($(types["p"]) || $(types["q"]))"
    wanted === nothing && return unsupported(() -> T.kl_divergence(p, q), name)
    same_tensors(T.kl_divergence(p, q), wanted, 1e-8, name)
end

function run_distributions()
    text, cases, pairs = strip(read(joinpath(DATA, "dist.txt"), String)), 0, 0
    for block in split(text, r"\nend(\n|$)"; keepempty = false)
        lines = split(strip(block), "\n")
        if startswith(lines[1], "case ")
            cases += 1
            c = DistCase()
            tried(() -> foreach(line -> read_line(c, line), lines[2:end]), lines[1])
        else
            pairs += 1
            tried(() -> check_pair(lines), join(lines[1:2], " "))
        end
    end
    println("$cases distributions and $pairs divergences")
    @test cases >= 90 && pairs >= 400
end

# ---- Learning rates

function optimizer(name, lr)
    params = TensorDict()
    params["w"] = requires_grad!(Tensor(Float32[1, -2]))
    return name == "adam" ? Adam(params; lr = lr) : SGD(params; lr = lr, momentum = 0.7)
end

const SCHEDULES = Dict{String,Function}(
    "step" => (o, x) -> StepLR(o, Int(x[1]); gamma = x[2]),
    "multi_step" => (o, x) -> T.MultiStepLR(o, Int.(x[2:end]); gamma = x[1]),
    "exponential" => (o, x) -> T.ExponentialLR(o, x[1]),
    "cosine" => (o, x) -> CosineLR(o, Int(x[1]); min_lr = x[2]),
    "linear" => (o, x) -> T.LinearLR(o, Int(x[3]); start_factor = x[1], end_factor = x[2]),
    "constant" => (o, x) -> T.ConstantLR(o, Int(x[2]); factor = x[1]),
    "one_cycle" => (o, x) -> OneCycleLR(o, x[1], Int(x[2])),
    "one_cycle_other" => (o, x) -> OneCycleLR(
        o, x[1], Int(x[2]); pct_start = 0.4, linear = true, base_momentum = 0.5, max_momentum = 0.9, div_factor = 10,
        final_div_factor = 100, three_phases = true),
    "one_cycle_kept" => (o, x) -> OneCycleLR(o, x[1], Int(x[2]); keep_momentum = true),
)
# Of "cosine,0x1.4p+2,0x0p+0".
function schedule(o, spelled)
    words = split(spelled, ",")
    return SCHEDULES[words[1]](o, Float64[parse(Float64, x) for x in words[2:end]])
end

# The last bits of a cosine are those of the C library.
same_rate(got, wanted) = abs(got - wanted) <= 1e-14 * abs(wanted) + 1e-18

# Pairs of a learning rate and a momentum, step by step.
function check_rates(words, numbers)
    o = optimizer(words[1], parse(Float64, words[2]))
    momentum = words[1] == "adam" ? "beta1" : "momentum"
    schedules = [schedule(o, spelled) for spelled in words[3:end]]
    for step in 0:length(numbers)÷2-1
        step > 0 && foreach(T.step!, schedules)
        check(same_rate(o["lr"], numbers[2step+1]), "step $step: $(o["lr"]), not $(numbers[2step+1])")
        check(same_rate(o[momentum], numbers[2step+2]), "step $step: the momentum is $(o[momentum])")
        check(T.steps(schedules[1]) == step, "$(T.steps(schedules[1])) steps")
        words[1] == "by_hand" && step == 3 && (o["lr"] = 2 * o["lr"])
    end
end

function run_schedules()
    lines = readlines(joinpath(DATA, "schedule.txt"))
    cases = length(lines) ÷ 2
    for i in 1:cases
        numbers = Float64[parse(Float64, x) for x in split(lines[2i])]
        tried(() -> check_rates(split(lines[2i-1])[2:end], numbers), lines[2i-1])
    end
    println("$cases schedules")
    @test cases >= 20
end
