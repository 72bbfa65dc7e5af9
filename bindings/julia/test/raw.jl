# The raw layer against the library.

@testset "every function of the header is in the library" begin
    @test length(T.Raw.TABLE) == length(T.Raw.FUNCTIONS)
    @test isempty([name for (name, p) in zip(T.Raw.FUNCTIONS, T.Raw.TABLE) if p == C_NULL])
end

@testset "versions" begin
    @test T.Raw.td_abi_version() == T.Raw.TD_ABI_MAJOR
    @test T.library_version() >= v"0.2"
    @test T.build_info()["abi"] == T.Raw.TD_ABI_MAJOR
end

@testset "a function that the library lacks says so" begin
    kept = T.Raw.TABLE[1]
    T.Raw.TABLE[1] = C_NULL
    @test_throws T.Raw.MissingFunction T.Raw.td_error_new(0, "")
    T.Raw.TABLE[1] = kept
end
