using Sockets

name(kind) = "td-julia-$(getpid())-$kind"
body() = TensorDict("id" => 0, "x" => zeros(Float32, 4))

@testset "segments" begin
    Segment(name("seg"), TensorDict("a" => [1.0, 2.0]; batch = (2,)); snapshots = 2) do owner
        Segment(name("seg")) do reader
            td = reader[]
            @test td["a"] == [1, 2] && isreadonly(td["a"])
            seen = T.version(reader)
            waiting = @async wait(reader, seen)
            update!(owner, TensorDict("a" => [3.0, 4.0]; batch = (2,)))
            @test fetch(waiting) > seen
            @test td["a"] == [3, 4] && take_snapshot(reader)["a"] == [3, 4]
            @test_throws TensorDictTimeoutError wait(reader; timeout = 0.02)
            @test_throws TensorDictExistsError Segment(name("seg"), TensorDict())
        end
        @test any(d -> d["name"] == name("seg"), list_segments(name("")))
    end
    @test_throws TensorDictNotFoundError Segment(name("seg"))
    @test_throws TensorDictTimeoutError Segment(name("seg"); timeout = 0.05)
    fd = T.export_segment(body())
    @test T.import_segment(fd)[]["x"] == zeros(Float32, 4)
    ccall(:close, Cint, (Cint,), reinterpret(Int32, fd))
end

@testset "channels" begin
    TensorDictChannel(name("ch"), body(); slots = 3) do out
        in = TensorDictChannel(name("ch"))
        writer = @async begin
            for i in 1:20
                publish(out) do td
                    td["id"][] = i
                    td["x"] .= i
                end
            end
            put!(out, TensorDict("id" => 21, "x" => fill(21f0, 4)))
            finish(out)
        end
        got = Int[]
        for m in in
            td = m[]
            push!(got, td["id"][])
            @test all(td["x"] .== td["id"][])
            @test T.message_number(m) == length(got) - 1
        end
        wait(writer)
        @test got == 1:21
        @test T.stats(out).published == 21
        close(in)
    end
    @test_throws TensorDictNotFoundError TensorDictChannel(name("ch"))
end

@testset "a wait ends by its time and by a cancel, and lets tasks and the collector run" begin
    TensorDictChannel(name("wait"), body(); role = :both, slots = 1) do ch
        @test_throws TensorDictTimeoutError take!(ch; timeout = 0.05)
        cancel = Cancel()
        waiting = @async try take!(ch; cancel = cancel) catch e; e end
        sleep(0.05)
        t = @elapsed GC.gc()
        @test t < 2
        T.request!(cancel)
        @test fetch(waiting) isa TensorDictCancelledError
        close(cancel)
        if Threads.nthreads() > 1
            blocked = Threads.@spawn try take!(ch; timeout = 3) catch e; e end
            sleep(0.1)
            @test (@elapsed GC.gc()) < 2   # it does not wait for the other thread's three seconds
            @test fetch(blocked) isa TensorDictTimeoutError
        end
    end
end

# A function of its own, so that no frame that still runs holds what it made.
@noinline look_and_forget(m) = (m[]["x"]; nothing)

@testset "forgotten tensors do not hold a slot for long" begin
    TensorDictChannel(name("slot"), body(); role = :both, slots = 1) do ch
        publish(td -> nothing, ch)
        m = take!(ch)
        look_and_forget(m)  # nothing closes them
        close(m)
        publish(td -> nothing, ch; timeout = 30)
        take!(ch) do m
            @test clone(m)["x"] == zeros(Float32, 4) && T.delivery(m) == 1
        end
    end
end
