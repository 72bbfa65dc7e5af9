struct OwnException <: Exception
    number::Int
end

@testset "an exception of a function comes back as itself" begin
    td = TensorDict("a" => [1, 2])
    e = try map(t -> throw(OwnException(7)), td) catch e; e end
    @test e === OwnException(7)
    nested = try map(t -> map(u -> throw(OwnException(8)), td), td) catch e; e end
    @test nested === OwnException(8)
    net = TensorDictModule(x -> throw(OwnException(9)), ["a"] => ["b"])
    @test_throws OwnException net(td)
    @test_throws TensorDictKeyError map(t -> td["missing"], td)
    @test !any(x -> x isa Exception, values(T.TABLE))  # none is left behind
end

@testset "functions as modules" begin
    td = TensorDict("a" => [1.0, 2.0], "s" => "text"; batch = (2,))
    @test TensorDictModule(x -> 2 .* x, ["a"] => ["b"])(td)["b"] == [2, 4]
    @test TensorDictModule((x, s) -> (x .+ 1, s * "!"), ["a", "s"] => ["c", ("n", "s")])(td)["n", "s"] == "text!"
    @test T.from_function(x -> x .* 3)(Tensor([1, 2])) == [3, 6]
    @test_throws TensorDictArgumentError TensorDictModule(x -> (x, x), ["a"] => ["b"])(td)
    wrapped = T.wrap_module(d -> (d["w"] = d["a"]; d), ["a"] => ["w"])
    @test wrapped(td)["w"] == [1, 2]
    @test TensorDictModule((; x) -> x .+ 1, ["a"] => ["k"]; argument_names = ["x"])(td)["k"] == [2, 3]
    @test T.dispatch(TensorDictModule(x -> x .+ 1, ["a"] => ["b"]), Tensor([1.0])) == [2]
end

@testset "what a callback got may be kept" begin
    kept = []
    td = TensorDict("a" => [1, 2])
    map(t -> (push!(kept, t); t), td)
    close(td)
    GC.gc()
    @test kept[1] == [1, 2]
end

@testset "threads that change one dict succeed or get BUSY, and leave it whole" begin
    td = TensorDict("a" => [1, 2])
    x = Tensor([3, 4])
    work(key) = for i in 1:300
        try
            td[key] = x
            delete!(td, key)
        catch e  # the other thread was faster, then the entry may still be there
            e isa TensorDictBusyError || rethrow()
        end
        td["a"]
    end
    foreach(fetch, [Threads.@spawn work(key) for key in ("b", "c")])
    @test td["a"] == [1, 2] && issubset(keys(td), ("a", "b", "c"))
end
