example() = TensorDict("a" => reversedims(collect(reshape(0.0:5.0, 3, 2))), ("n", "b") => [1, 2]; batch = (2,))

@testset "entries" begin
    td = example()
    @test td isa AbstractDict{String,Any}
    @test size(td) == (2,) && length(td) == 2 && keys(td) == ["a", "n"]
    @test td["n", "b"] == [1, 2] && td[("n", "b")] == [1, 2] && td[Path("n", "b")] == [1, 2]
    @test td["n"] isa TensorDict
    @test haskey(td, "n", "b") && !haskey(td, "x") && get(td, "x", 7) == 7
    @test get(() -> 8, td, ("n", "x")) == 8
    @test nested_keys(td) == [("a",), ("n",), ("n", "b")]
    @test nested_keys(td; leaves = true) == [("a",), ("n", "b")]
    @test [k for (k, v) in td] == ["a", "n"]
    @test first(nested_pairs(td; leaves = true))[2] == td["a"]
    td["c"] = [5.0, 6.0]
    @test pop!(td, "c") == [5, 6] && !haskey(td, "c")
    @test pop!(td, "c", nothing) === nothing
    @test get!(td, "d", zeros(2)) == [0, 0]
    delete!(td, "d")
    @test td["a"][2, 1] == 3
    A = [1.0, 2.0]
    td["shared"] = A
    A[1] = 9
    @test td["shared"][1] == 9
    @test isempty(empty(td)) && isempty(empty!(copy(td))) && length(td) == 3
    @test same(td["n"], td["n"]) && !same(td, copy(td))
    @test td == clone(td) && td != example() && td ≈ deepcopy(td)
    @test occursin("shared", T.difference(td, example()))
end

@testset "errors have the type of their status" begin
    td = example()
    e = try td["x"] catch e; e end
    @test e isa TensorDictKeyError && T.status(e) == :KEY && occursin("\"x\"", e.message) && e.key == "\"x\""
    @test_throws TensorDictShapeError td["bad"] = zeros(3)
    @test_throws TensorDictLockedError lock!(td)["new"] = zeros(2)
    unlock!(td)
    closed_one = TensorDict(1)
    close(closed_one)
    close(closed_one)
    @test !isopen(closed_one)
    @test_throws TensorDictClosedError closed_one["a"]
    @test sprint(show, closed_one) == "TensorDict(closed)"
    @test occursin("TensorDictKeyError: ", sprint(showerror, e))
    lazy = lazy_stack([TensorDict("a" => zeros(1)), TensorDict("a" => zeros(2))])
    e = try lazy["a"] catch e; e end
    @test e isa TensorDictShapeError && !occursin("td_", e.message)  # hints speak of this package
end

@testset "data" begin
    td = TensorDict(2)
    td["text"] = "ж"
    td["none"] = nothing
    td["number"] = NonTensor(3)
    td["bytes"] = NonTensor(UInt8[0, 255])
    td["json"] = JSON("[1, {\"a\": null}]")
    td["stack"] = NonTensorStack(["x", 2])
    @test td["text"] == "ж" && td["none"] === nothing && td["number"] === Int64(3)
    @test td["bytes"] == [0x00, 0xff] && td["json"].text == "[1,{\"a\":null}]"
    @test td["stack"] == ["x", 2] && td[2]["stack"] == 2
    @test TensorDict(JSON("{\"a\": {\"b\": [1]}}"))["a", "b"].text == "[1]"
    @test T.json((a = [1, 2.5], b = "q\"", c = nothing, d = true)) ==
          "{\"a\":[1.0,2.5],\"b\":\"q\\\"\",\"c\":null,\"d\":true}"
end

@testset "parts" begin
    td = TensorDict("a" => collect(1:6), "m" => [true, false, true, false, true, false]; batch = (6,))
    @test td[2]["a"][] == 2 && td[end]["a"][] == 6 && td[2:3]["a"] == [2, 3] && td[1:2:6]["a"] == [1, 3, 5]
    @test td[[6, 1]]["a"] == [6, 1] && td[td["m"]]["a"] == [1, 3, 5] && td[6:-1:5]["a"] == [6, 5]
    @test td[At(-2)]["a"][] == 5 && size(td[newdim, :]) == (1, 6) && td[4:3]["a"] == Int[]
    td[1:2]["a"] .= 0
    @test td["a"][1:3] == [0, 0, 3]
    td[3:4] = TensorDict("a" => [7, 8]; batch = (2,))
    td[6] = 1
    @test td["a"] == [0, 0, 7, 8, 5, 1] && td["m"][6]
    @test_throws TensorDictIndexError td[7]
    @test_throws TensorDictIndexError td[0]
    w = T.window(td, 1:2)
    T.copy_into!(w, "a", [3, 4])
    @test td["a"][1:2] == [3, 4]
end

@testset "arithmetic and shapes" begin
    td = example()
    @test (td .+ 1)["n", "b"] == [2, 3] && (td .+ td)["a"] == 2 .* td["a"] && (2td)["n", "b"] == [2, 4]
    @test (td .* Tensor([10, 100]))["a"][2, 1] == 300      # one number for each batch element
    @test (x -> x == 1 ? 5.0 : x).(td)["n", "b"] == [5, 2]
    @test (td .== td)["a"] isa Tensor{Bool,2} && all(td .== td)
    td .= 0
    @test all(td["a"] .== 0)
    td = example()
    @test sum(td; dims = 1)["a"] == [3, 5, 7] && reduce_all("sum", td)[] == 18
    @test map(t -> t .* 2, td)["n", "b"] == [2, 4]
    @test map_entries((key, ts) -> key == ("a",) ? nothing : ts[1], td) == select(td, ["n"])
    @test size(stack([td, td])) == (2, 2) && size(cat(td, td; dims = 1)) == (4,) && size(vcat(td, td)["a"]) == (4, 3)
    @test size(stack([td, td]; dims = 2)["a"]) == (2, 2, 3)
    @test size(reshape(td, 1, 2)) == (1, 2) && size(unsqueeze(td, -1)) == (2, 1)
    @test [size(x) for x in chunk(vcat(td, td), 2)] == [(2,), (2,)] && length(unbind(td)) == 2
    @test size(permutedims(reshape(td, 1, 2), (2, 1))) == (2, 1)
    @test keys(flatten_keys(td)) == ["a", "n.b"]
    with_flat_keys(td) do flat
        flat["n.c"] = [3, 4]
    end
    @test td["n", "c"] == [3, 4]
    @test_throws ErrorException with_flat_keys(flat -> (flat["lost"] = [0, 0]; error("no")), td)
    @test !haskey(td, "lost")
    lock!(td)
    unlocked(d -> (d["late"] = [1, 1]), td)
    @test is_locked(td) && haskey(td, "late")
end

@testset "files" begin
    mktempdir() do folder
        td = example()
        for name in ("directory", "file.td", "archive.tdz", "file.safetensors")
            path = joinpath(folder, name)
            save(td, path)
            @test open(TensorDict, path) == td
            @test_throws TensorDictExistsError save(td, path)
        end
        opened = open(TensorDict, joinpath(folder, "directory"))
        @test isreadonly(opened["a"])
        @test_throws TensorDictLockedError opened["a"][1, 1] = 1
        @test parent(opened["a"]) isa T.ReadOnlyArray
        @test_throws TensorDictLockedError parent(opened["a"])[1] = 1
        live = open(TensorDict, joinpath(folder, "directory"); mode = :read_write)
        live["a"][1, 1] = 42
        @test opened["a"][1, 1] == 42
        @test_throws InterruptException save(td, joinpath(folder, "x");
            progress = (done, total) -> throw(InterruptException()))
        @test T.detect_format(joinpath(folder, "file.td")) == :consolidated
        like = from_schema((3,), "obs" => (UInt8, 2), ("n", "r") => (Float32,); storage = :memmap,
            path = joinpath(folder, "s"))
        @test size(like["obs"]) == (3, 2) && T.is_memmap(like)
        if T.has_feature("hdf5")
            T.open_hdf5(joinpath(folder, "x.h5"); create = true, mode = :read_write, batch = (2,))["a"] = [1, 2]
            GC.gc()
            T.release_collected()
            @test open(TensorDict, joinpath(folder, "x.h5"); trusted = true)["a"] == [1, 2]
        end
    end
end
