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

@testset "a second thread that changes a dict gets BUSY" begin
    if Threads.nthreads() < 2
        @info "one thread: nothing to test"
    else
        td = TensorDict("a" => [1, 2])
        other = nothing
        map(td) do t
            task = Threads.@spawn try td["b"] = [1, 2] catch e; e end
            other = fetch(task)
            t
        end
        @test other isa TensorDictBusyError || haskey(td, "b")
    end
end
