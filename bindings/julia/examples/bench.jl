# The rows of tests/bench/languages/bench.c in Julia: process time, which has the garbage collector's too.

using TensorDicts
const T = TensorDicts

# The processor time of this process in nanoseconds.
function now()
    time = Ref((0, 0))
    ccall(:clock_gettime, Cint, (Cint, Ptr{Cvoid}), 2, time)
    return 1e9 * time[][1] + time[][2]
end

function run_calls(f::F, calls) where {F}
    start = now()
    for _ in 1:calls
        f()
    end
    return now() - start
end

function row(f::F, name) where {F}
    calls = 1
    run_calls(f, calls)  # compiles
    while run_calls(f, calls) < 20e6
        calls *= 2
    end
    times = sort!([run_calls(f, calls) / calls for _ in 1:9])
    println(name, "\t", round(times[5]; digits = 1))
end

function elements_of(td)
    elements = 0
    for (_, t) in td
        elements += length(t)
        close(t)
    end
    return elements
end

function main()
    obs, small = zeros(Tensor, 128, 4)::Tensor{Float32,2}, zeros(Tensor, 4)
    td, wide = TensorDict(128), TensorDict()
    td["next", "obs"] = obs
    foreach(i -> wide["leaf_$i"] = small, 0:99)
    path, slot = Path("next", "obs"), Slot{Float32,2}()
    identity_module = T.from_function(x -> x)

    row(() -> T.Raw.td_abi_version(), "an empty call")
    row(() -> slot(td, path), "get, prepared key")
    row(() -> close(td[path]), "get, prepared key, an object for each")
    row(() -> close(td["next", "obs"]), "get, two strings")
    row(() -> get(td, ("next", "none"), nothing) === nothing || error("there is one"), "look-up of a missing key")
    row(() -> elements_of(wide) == 400 || error("other elements"), "iterate 100 entries")
    row(() -> (@inbounds obs[128, 4]) == 0 || error("not zero"), "view of a tensor")
    row(() -> close(identity_module(obs)), "a callback")
end

main()
