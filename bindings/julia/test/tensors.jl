@testset "a tensor has the size and the elements of its array, in the same memory" begin
    A = Float32[10i + j for i in 1:2, j in 1:3]
    t = Tensor(A)
    @test t isa Tensor{Float32,2}
    @test size(t) == (2, 3) && strides(t) == (1, 2)
    @test t == A && t[2, 3] == 23
    A[1, 2] = 7
    @test t[1, 2] == 7
    t[2, 1] = 8
    @test A[2, 1] == 8
    @test_throws BoundsError t[3, 1]
    @test Array(t) == A && Array(t) !== A
    @test Tensor(view(A, :, 2:3)) == A[:, 2:3]
    @test Tensor(1:3) == [1, 2, 3]
    @test Tensor(A .> 10) isa Tensor{Bool,2}
end

@testset "parent is the memory with the dims reversed" begin
    t = Tensor(reversedims(Float32[1 2; 3 4; 5 6]))
    @test size(t) == (2, 3) && iscontiguous(t) && t[2, 3] == 6
    P = parent(t)
    @test P isa Array{Float32,2} && size(P) == (3, 2)
    P[3, 2] = 60
    @test t[2, 3] == 60
    close(t)
    @test P[3, 2] == 60   # the array keeps the memory
    @test_throws TensorDictUnsupportedError parent(Tensor([1 2; 3 4]))
end

@testset "element types" begin
    for E in (Bool, UInt8, Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64, ComplexF32, ComplexF64)
        t = zeros(Tensor{E}, 2)
        t[2] = one(E)
        @test eltype(t) == E && t[1] == zero(E) && t[2] == one(E)
        @test T.dtype_from_name(T.dtype_name(E)) == E
    end
    @test Float32(BFloat16(1.5)) == 1.5f0
    @test isnan(Float32(BFloat16(NaN32)))
    @test_throws TensorDictDtypeError Tensor(["text"])
end

@testset "views share, indexing copies" begin
    t = Tensor(reversedims(collect(reshape(1.0:12.0, 4, 3))))  # 3 x 4
    @test t[2:3, 1] == [5, 9] && t[:, end] == [4, 8, 12]
    v = view(t, 2, :)
    v[1] = 50
    @test t[2, 1] == 50
    c = t[2, :]
    c[1] = 0
    @test t[2, 1] == 50
    @test t[[3, 1], 1] == [9, 1]
    @test t[t .> 10] == [50, 11, 12]
    @test view(t, At(-1), Slice(1, nothing)) == [10, 11, 12]
    @test size(view(t, newdim, ellipsis)) == (1, 3, 4)
    t[1, :] = [0, 0, 0, 0]
    @test all(t[1, :] .== 0)
    @test_throws TensorDictIndexError view(t, 4, :)
end

@testset "broadcasting runs in ATen, or in Julia" begin
    t = Tensor(Float32[1 2; 3 4])
    @test (t .+ 1) isa Tensor{Float32,2} && (t .+ 1) == Float32[2 3; 4 5]
    @test (2 .* t .- t ./ 2) == Float32[1.5 3; 4.5 6]
    @test (t .^ 2) == Float32[1 4; 9 16]
    @test (1 .- t) == Float32[0 -1; -2 -3]
    @test (t .> 2) == [false false; true true]
    @test max.(t, 3) == Float32[3 3; 3 4]
    @test (t .+ Tensor(Float32[10, 20])) == Float32[11 12; 23 24]       # dims are aligned as Julia aligns them
    @test (x -> x > 1 ? x : 0f0).(t) == Float32[0 2; 3 4]
    @test tanh.(t) ≈ Tensor(tanh.(Float32[1 2; 3 4]))
    t .= 5
    @test all(t .== 5)
    t .+= 1
    @test t[1, 1] == 6
    @test t * t == Float32[72 72; 72 72]
    @test sum(t) == 24 && sum(t; dims = 1) == Float32[12 12] && maximum(t) == 6
    @test (t + t) == Float32[12 12; 12 12] && (-t)[1, 1] == -6
end

@testset "operators, generators, gradients" begin
    @test op("softmax", Tensor([0.0, 0.0]), -1) == [0.5, 0.5]
    @test op("add.Tensor", Tensor([1]), Tensor([2]); alpha = 10) == [21]
    @test op("max.dim", Tensor([1 5; 7 2]), 1)[1] == [5, 7]
    @test occursin("alpha", T.schema(Operator("add")))
    @test_throws TensorDictNotFoundError op("no_such_operator")
    @test randn(Tensor, 3; generator = Generator(1)) == randn(Tensor, 3; generator = Generator(1))
    g = Generator(3)
    s = state(g)
    a = randn(Tensor, 2; generator = g)
    @test randn(Tensor, 2; generator = load_state!(Generator(), s)) == a
    x = requires_grad!(Tensor([1.0, 2.0]))
    backward(op("sum", x .* x))
    @test grad(x) == [2, 4]
    @test no_grad(() -> requires_grad(x .* 2)) == false
    @test T.is_grad_enabled()
    @test_throws ErrorException no_grad(() -> error("inside"))
    @test T.is_grad_enabled()
end

@testset "printing" begin
    @test string(Tensor([1.0, 2.0])) == "tensor([1., 2.], dtype=torch.float64)"
    @test occursin("2-element Tensor{Float64,1}", sprint(show, MIME("text/plain"), Tensor([1.0, 2.0]))) ||
          VERSION >= v"1.6"  # which writes types with a space
end

@testset "slots" begin
    one, other = TensorDict("x" => Float32[1, 2]), TensorDict("x" => Float32[3])
    path, slot = Path("x"), Slot{Float32,1}()
    for td in (one, other, one)
        shown = slot(td, path)
        @test same(shown, td["x"]) && size(shown) == size(td["x"])
    end
    @test_throws TensorDictKeyError slot(one, Path("y"))
    @test slot(one, path) == [1, 2]
    kept = T.share(slot(one, path))
    @test_throws TensorDictDtypeError Slot{Float64,1}()(one, path)
    @test_throws TensorDictDtypeError Slot{Float32,2}()(one, path)
    close(slot(other, path))
    close(slot)
    @test kept == [1, 2] && slot(other, path)[1] == 3
end

@testset "DLPack" begin
    GC.gc()
    live_objects()  # what the collector found is gone
    table = length(T.TABLE)
    for versioned in (true, false)
        A = Float32[10i + j for i in 1:2, j in 1:3]
        t = Tensor(A)
        other = T.from_dlpack(T.to_dlpack(t; versioned = versioned); versioned = versioned)
        close(t)
        @test other == A && strides(other) == (1, 2)  # the array lives on, in its own order
        A[2, 3] = 7
        @test other[2, 3] == 7
        other[1, 1] = 8
        @test A[1, 1] == 8
        close(other)
    end
    @test length(T.TABLE) == table  # every deleter ran
    @test_throws TensorDictUnsupportedError T.to_dlpack(requires_grad!(Tensor([1.0])))
    mktempdir() do directory
        save(TensorDict("a" => [1.0, 2.0]), joinpath(directory, "saved"))
        read_only = open(TensorDict, joinpath(directory, "saved"))["a"]
        @test_throws TensorDictLockedError T.to_dlpack(read_only; versioned = false)
        seen = T.from_dlpack(T.to_dlpack(read_only))
        @test seen == [1, 2] && isreadonly(seen)
    end
end
