# What is made is released: at once by `close`, or by the collector.

live() = (GC.gc(); GC.gc(); live_objects())

function exercise()
    td = TensorDict("a" => [1.0, 2.0], ("n", "b") => [1, 2], ; batch = (2,))
    td["text"] = "x"
    y = td[1:1] .+ 1
    map(t -> t .* 2, select(td, ["a"]))
    net = TensorDictModule(x -> x .* 2, ["a"] => ["c"])
    net(td)
    try td["missing"] catch end
    try map(t -> error("x"), td) catch end
    collect(pairs(td))
    Dist("td.normal"; loc = 0.0, scale = 1.0)
    Query("a")(TensorDict("a" => [1, 2]; batch = (2,)))
    A = parent(contiguous(td["a"]))
    return sum(A)
end

@testset "nothing is left" begin
    exercise()
    before, table = live(), length(T.TABLE)
    for _ in 1:20
        exercise()
    end
    @test live() == before
    @test length(T.TABLE) == table
end

@testset "close releases at once" begin
    before = live_objects()
    t = Tensor([1.0])
    @test live_objects()[:tensor] == before[:tensor] + 1
    close(t)
    @test live_objects() == before
end

@testset "collections beside running calls" begin
    stop = Ref(false)
    collecting = Threads.@spawn while !stop[]
        GC.gc(false)
        sleep(0.001)
    end
    deadline = time() + 2
    sums = 0.0
    while time() < deadline
        td = TensorDict("a" => [1.0, 2.0], "s" => Tensor([3.0, 4.0]); batch = (2,))
        sums += (td .+ 1)["a"][1] + sum(map(t -> t .* 2, td)["s"])
        @test td["a"] == [1, 2]
        yield()
    end
    stop[] = true
    wait(collecting)
    @test sums > 0
end

# Reads messages until the channel ends, and leaves all that it makes to the collector.
@noinline function sums_of(ch)
    total = 0.0
    for m in ch
        total += sum(m[]["x"] .* 2)
        close(m)
    end
    return total
end

# Calls of all kinds with a full collection after each, beside a thread that waits for a message most of the time.
# Returns the longest collection.
@noinline function collect_beside_a_wait(name)
    slowest = 0.0
    TensorDictChannel(name, TensorDict("x" => zeros(Float32, 4)); slots = 2) do out
        ch = TensorDictChannel(name; timeout = 30)
        waiting = Threads.@spawn sums_of(ch)
        for i in 1:12
            td = TensorDict("a" => [1.0, 2.0], ("n", "b") => [1, 2]; batch = (2,))
            @test map(t -> t .+ 1, td)["a"] == [2, 3]
            @test_throws ErrorException map(t -> error("x"), td)
            slowest = max(slowest, @elapsed GC.gc())
            i % 3 == 0 && publish(message -> (message["x"] .= 1; nothing), out; timeout = 30)
        end
        finish(out)
        @test fetch(waiting) == 4 * 8
        close(ch)
    end
    return slowest
end

if Threads.nthreads() > 1
    @testset "full collections beside running calls and a thread that waits" begin
        collect_beside_a_wait("td-julia-$(getpid())-first")  # what is made once and kept
        before, table = live(), length(T.TABLE)
        @test collect_beside_a_wait("td-julia-$(getpid())-stress") < 2  # none waits for the thread that waits
        @test live() == before
        @test length(T.TABLE) == table
    end
end
