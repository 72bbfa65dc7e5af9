# Runs the committed conformance programs and vectors through the safe layer and compares with what they expect.

module Replay

using Test, TensorDicts
const T = TensorDicts
const JSON = T.JSON

include("json.jl")
include("program.jl")
include("observe.jl")
include("operations.jl")
include("vectors.jl")
foreach(name -> include("vectors_$name.jl"), ("modules", "running", "dist", "probabilistic", "hash", "text"))

const VECTORS = joinpath(@__DIR__, "..", "..", "..", "..", "tests", "conformance", "vectors")

function run_steps(p::Program, steps)
    for (i, step) in enumerate(steps)
        p.step = step
        try
            OPERATIONS[at(p, "op")](p)
        catch e
            e isa TensorDictException || rethrow()
            return Object("step" => i - 1, "status" => String(T.status(e)), "text" => e.message)
        end
    end
    return nothing
end

function error_differs(expected, got)
    expected === nothing && got === nothing && return ""
    expected === nothing && return "failed: $(brief(got))"
    got === nothing && return "did not fail: expected $(brief(expected))"
    expected["step"] == got["step"] || return "another step failed: $(brief(got))"
    got["status"] in expected["statuses"] && return ""
    return "failed otherwise: expected $(brief(expected)), got $(brief(got))"
end

# What differs, or nothing.
function replayed(vector)
    p = Program()
    failed = try
        run_steps(p, vector["steps"])
    catch e
        return [sprint(showerror, e, catch_backtrace())]
    end
    expected = get(vector, "ours", vector["expected"])
    wrong = error_differs(get(expected, "error", nothing), failed)
    found = isempty(wrong) ? compare!(String[], expected["registers"], observe(p), "") : [wrong]
    foreach(s -> finish_scope(s, Abandoned()), values(p.scopes))
    foreach(x -> x isa Object || close(x), values(p.registers))
    return found
end

function run_all(; only = r"")
    total = 0
    for file in filter(endswith(".json"), sort(readdir(VECTORS)))
        programs = parse_json(read(joinpath(VECTORS, file)))["programs"]
        for vector in filter(v -> occursin(only, v["name"]), programs)
            total += 1
            wrong = replayed(vector)
            isempty(wrong) || println("$file/$(vector["name"]):\n  ", join(wrong[1:min(3, end)], "\n  "))
            @test isempty(wrong)
        end
    end
    println("$total programs run, 0 left out")
end

end
