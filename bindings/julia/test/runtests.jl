# All tests, in one process: compiling takes most of the time.

using Test, TensorDicts
const T = TensorDicts
const JSON = T.JSON

T.loaded() || error(T.LOAD_ERROR[])
began = time()
spent(title) = (println(rpad(title, 12), round(time() - began; digits = 1), " s"); flush(stdout))

@testset "TensorDicts" begin
    for file in ("raw", "tensors", "dicts", "callbacks", "shared", "remote", "modules", "more", "memory")
        @testset "$file" begin include("$file.jl") end
        spent(file)
    end
    include("replay/replay.jl")
    @testset "vectors" begin Replay.run_vectors() end
    spent("vectors")
    @testset "replay" begin Replay.run_all() end
    spent("replay")
end
