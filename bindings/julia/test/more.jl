@testset "distributions" begin
    d = Dist("td.normal"; loc = zeros(3), scale = ones(3))
    @test T.batch_shape(d) == (3,) && size(rand(d, 2; generator = Generator(0))) == (2, 3)
    @test rand(d; generator = Generator(0)) == rand(d; generator = Generator(0))
    @test log_prob(d, zeros(3)) ≈ Tensor(fill(-0.5 * log(2pi), 3))
    @test statistic(d, :mean) == zeros(3) && T.interact(d, :mode) == zeros(3)
    @test T.kl_divergence(d, d) == zeros(3) && startswith(string(d), "Normal")
    t = T.transformed(d, ["exp"])
    @test all(rand(t) .> 0)
    joint = T.composite_of((), "a" => Dist("td.normal"; loc = 0.0, scale = 1.0),
        "b" => Dist("td.bernoulli"; probs = 0.5))
    @test keys(rand(joint)) == ["a", "b"] && log_prob(joint, rand(joint)) isa Tensor
    policy = Probabilistic("td.normal", ["loc", "scale"] => "action"; interaction = :mean, return_log_prob = true)
    td = TensorDict("loc" => [1.0, 2.0], "scale" => ones(2); batch = (2,))
    @test policy(td)["action"] == [1, 2] && T.default_interaction(policy) == :mean
    @test with_interaction(() -> T.interaction(), :random) == :random
    @test get_dist(policy, td) isa Dist
    own = Probabilistic(p -> Dist("td.normal"; loc = p["loc"], scale = 1.0), ["loc"] => "x"; interaction = :mean)
    @test own(td)["x"] == [1, 2]
    e = T.Transform("exp")
    @test e([0.0]) == [1] && T.inverse(e, [1.0]) == [0]
end

@testset "hashes and queries" begin
    h = Hash("td.siphash"; seed = 42)
    rows = Tensor([1 2; 3 4; 1 2])
    @test h(rows)[1] == h(rows)[3] != h(rows)[2]
    own = Hash(rows -> sum(Array(rows); dims = 2)[:, 1])
    @test own(rows) == [3, 7, 3]
    @test_throws ErrorException Hash(rows -> error("hash"))(rows)
    T.register_hash("julia.sum") do bytes, config
        sum(Int, bytes)
    end
    @test T.hash_rows(Hash("julia.sum"), UInt8[1 3; 2 4]) == [3, 7]
    q = Query("k"; hash_type = "julia.sum")
    td = TensorDict("k" => UInt8[1, 2, 1]; batch = (3,))
    @test q(td)["_index"] == [0, 1, 0] && length(q) == 2 && T.look_up(q, td) == [0, 1, 0]
    T.unregister_plugin(:hash, "julia.sum")
    @test_throws TensorDictNotFoundError Hash("julia.sum")
    q = Query("k")
    q(td)
    again = load_state!(Query("k"), state(q))
    @test T.look_up(again, td) == [0, 1, 0] && T.stats(q).size == 2 && all(T.contains_rows(q, td))
    @test T.remove_rows!(q, td[1:1]) == 1
    io = IOBuffer()
    T.write_state(io, h)
    @test load_state!(Hash("td.siphash"; seed = 42), seekstart(io))(rows) == h(rows)
    @test any(p -> p["id"] == "td.siphash", plugins())
end

@testset "types that Julia registers" begin
    T.register_module((config, g, parameters, buffers) -> parameters["w"] = fill(Tensor, 3f0, 2),
                      (config, state, inputs, training) -> state[1] .* inputs[1], "julia.scale")
    @test TensorDictModule("julia.scale")(ones(Tensor, 2)) == Tensor(Float32[3, 3])
    T.register_distribution("julia.point", ["at"]; sample = (c, p, dims, g) -> op("expand", p[1], collect(dims)),
                            log_prob = (c, p, x) -> op("log", op("eq", x, p[1])))
    d = Dist("julia.point"; at = Tensor(Float32[1, 2]))
    @test rand(d, 3) == Tensor(repeat(Float32[1 2], 3)) && log_prob(d, Tensor(Float32[1, 3])) == [0, -Inf]
    @test_throws TensorDictUnsupportedError T.statistic(d, :mean)
    foreach(k -> T.unregister_plugin(k...), [(:module, "julia.scale"), (:distribution, "julia.point")])
    @test_throws TensorDictNotFoundError TensorDictModule("julia.scale")
end

struct OwnMap <: T.IndexMap
    indices::Dict{Int64,Int64}
end
T.look_up(m::OwnMap, hashes) = [get(m.indices, h, -1) for h in hashes]
T.insert!(m::OwnMap, hashes) = [m.indices[h] = length(m.indices) for h in hashes]
T.map_size(m::OwnMap) = (length(m.indices), length(m.indices))
T.can_erase(::OwnMap) = true
T.erase!(m::OwnMap, hashes) = foreach(h -> delete!(m.indices, h), hashes)
T.can_save(::OwnMap) = true
function T.save_map(m::OwnMap, state)
    isempty(m.indices) && error("there is nothing to save")
    state["own"] = collect(keys(m.indices))
    state["at"] = collect(values(m.indices))
end
function T.load_map!(m::OwnMap, state)
    empty!(m.indices)
    foreach((hash, at) -> m.indices[hash] = at, state["own"], state["at"])
end

@testset "maps and stores" begin
    own = OwnMap(Dict())
    q = Query(own, "k")
    td = TensorDict("k" => [5, 6, 5]; batch = (3,))
    @test q(td)["_index"] == [0, 1, 0] && length(own.indices) == 2
    again = Query(OwnMap(Dict()), "k")
    load_state!(again, T.state(q))
    @test T.look_up(again, td) == [0, 1, 0]
    @test_throws ErrorException("there is nothing to save") T.state(Query(OwnMap(Dict()), "k"))
    s = Store(; capacity = 4)
    T.set!(s, [2, 0], TensorDict("v" => [20, 0]; batch = (2,)))
    @test s[[0, 2]]["v"] == [0, 20] && length(s) == 2
    batch, index = T.sample(s, 5; generator = Generator(0))
    @test size(batch) == (5,) && all(i -> i in (0, 2), index)
    m = RowMap(Query("k"), Store())
    T.set!(m, TensorDict("k" => [1, 2]; batch = (2,)), TensorDict("v" => [10, 20]; batch = (2,)))
    @test m[TensorDict("k" => [2]; batch = (1,))]["v"] == [20]
end

struct Record
    id::Int64
    xy::NTuple{2,Float32}
end
@testset "packing and records" begin
    td = TensorDict("a" => ones(2, 3), "b" => zeros(2); batch = (2,))
    flat, layout = pack(td)
    @test size(flat) == (2, 4) && unpack(layout, flat) == td && T.column_start(layout, 2) == 4
    A = [Record(1, (1, 2)), Record(2, (3, 4))]
    td = T.records(A)
    @test td["id"] == [1, 2] && td["xy"][2, 2] == 4
    td["xy"][1, 1] = 9
    @test A[1].xy == (9, 2)
    @test T.copy_records!(similar(A), td) == A
end

@testset "process" begin
    @test T.num_threads() >= 1 && T.fast_level() in (:none, :views, :arena)
    @test T.has_feature("segment") && !T.has_feature("no such feature")
end
