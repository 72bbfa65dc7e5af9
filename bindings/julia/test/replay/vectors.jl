# The vectors of tests/data/vectors: what a kind of vector makes of it is in the other files.

const DATA = joinpath(@__DIR__, "..", "..", "..", "..", "tests", "data", "vectors")
const KINDS = Dict{String,Function}()

struct Differs <: Exception
    text::String
end
Base.showerror(io::IO, e::Differs) = print(io, e.text)
check(holds::Bool, what) = holds || throw(Differs(what))

# The exception is typed and says something.
refused(f, what) =
    try
        f()
        throw(Differs("$what succeeded"))
    catch e
        e isa Differs && rethrow()
        e isa TensorDictException || rethrow()
        check(!isempty(e.message) && !(e isa TensorDictInternalError), "$what: $(sprint(showerror, e))")
        return e
    end
unsupported(f, what) = check(refused(f, what) isa TensorDictUnsupportedError, "$what is there, or fails otherwise")

flag(v::Object, name) = get(v, name, false) == true
says(v::Object, part) = occursin(part, v["id"])
without(o::Object, names...) = Object((pair for pair in pairs(o) if !(first(pair) in names))...)

# ---- Numbers

flat(x) = Float64[asreal(x)]
flat(x::AbstractVector) = reduce(vcat, map(flat, x); init = Float64[])
shape_of(x) = ()
shape_of(x::AbstractVector) = isempty(x) ? (0,) : (length(x), shape_of(x[1])...)
row_major_tensor(xs, shape, kind) = to(Tensor(reversedims(reshape(xs, reverse(shape)))), kind)
nested_tensor(x, kind) = row_major_tensor(flat(x), shape_of(x), kind)
dtype_in(v::Object) = get(v, "dtype", "") == "float32" ? Float32 : Float64

near(a, b, tolerance) = a == b || isnan(a) && isnan(b) || abs(a - b) <= tolerance * max(1, abs(b))

function check_values(t::Tensor, expected, tolerance, what)
    got, wanted = row_major(t, Float64), flat(expected)
    check(length(got) == length(wanted), "$what has $(length(got)) elements, not $(length(wanted))")
    for i in 1:length(got)
        check(near(got[i], wanted[i], tolerance), "$what[$(i - 1)] = $(got[i]), not $(wanted[i])")
    end
end
# A text stands for a value that is the same everywhere: "nan", "inf", "-inf".
function check_values(t::Tensor, expected::AbstractString, tolerance, what)
    wanted = asreal(expected)
    check(all(x -> isequal(x, wanted), row_major(t, Float64)), "$what is not $expected everywhere")
end

check_shape(got, expected, what) =
    check(collect(Int, got) == Int[i for i in expected], "the shape of $what is $got, not $expected")

keys_in(spec) = Any[keyof(one) for one in spec]
keys_in(::Nothing) = nothing
leaf_keys(td) = nested_keys(td; leaves = true)
check_keys(got, expected, what) =
    check(Any[k for k in got] == keys_in(expected), "$what are $got, not $expected")
check_same_set(got, expected, what) =
    check(sort(map(keyname, got)) == sort(map(keyname, keys_in(expected))), "$what are $got, not $expected")
function check_leaf_values(td, expected, tolerance)
    check(length(leaf_keys(td)) == length(expected), "the leaves are $(leaf_keys(td))")
    foreach(leaf -> check_values(td[keyof(leaf[1])], leaf[2], tolerance, string(leaf[1])), expected)
end

# ---- Running

# Runs `f`, says what differs, and counts it.
function tried(f, name)
    failed = try
        f()
        nothing
    catch e
        e isa Differs ? e.text : sprint(showerror, e, catch_backtrace())
    end
    failed === nothing || println("$name:\n  ", failed)
    @test failed === nothing
end

# Runs `f`, after which no object may be left but those that the collector finds.
function leaving_nothing(f)
    GC.gc()
    before = live_objects()
    f()
    for _ in 1:20
        live_objects() == before && break
        GC.gc()
    end
    @test live_objects() == before
end

vectors_in(file) = parse_json(read(joinpath(DATA, file)))

function run_modules()
    n = 0
    for file in ("nn.json", "nn_made.json"), v in vectors_in(file)["vectors"]
        n += 1
        tried(() -> KINDS[v["kind"]](v), v["id"])
    end
    println("$n vectors run")
end

function run_vectors()
    leaving_nothing(run_modules)
    leaving_nothing(run_hashes)
    leaving_nothing(run_queries)
    leaving_nothing(run_schedules)
    leaving_nothing(run_distributions)
end
