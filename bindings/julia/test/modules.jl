@testset "modules of plugins, sequences, state" begin
    net = TensorDictModule("td.mlp"; in_features = 3, hidden = [4], out_features = 2, generator = Generator(0))
    @test T.type_name(net) == "td.mlp" && occursin("hidden", T.config(net).text)
    x = randn(Tensor, 5, 3; generator = Generator(1))
    @test size(net(x)) == (5, 2)
    policy = TensorDictModule(net, ["x"] => ["y"])
    td = TensorDict("x" => x; batch = (5,))
    @test policy(td)["y"] == net(x) && in_keys(policy) == [("x",)] && out_keys(policy) == [("y",)]
    seq = Sequential(policy, TensorDictModule(y -> tanh.(y), ["y"] => ["z"]))
    @test size(seq(td)["z"]) == (5, 2) && length(seq) == 2 && out_keys(seq[end]) == [("z",)] && length(seq[1:1]) == 1
    @test size(no_grad(() -> seq(td))["z"]) == (5, 2) && !requires_grad(seq(td; no_grad = true)["z"])
    other = TensorDictModule("td.mlp"; in_features = 3, hidden = [4], out_features = 2, generator = Generator(9))
    @test other(x) != net(x)
    @test load_state_dict!(other, state_dict(net)) == (missing = [], unexpected = [])
    @test other(x) == net(x)
    weights = TensorDict(net)
    zeros_ = map(t -> op("zeros_like", t), weights)
    @test with_params(() -> all(net(x) .== 0), net, zeros_) && net(x) == other(x)
    @test all(T.functional_call(net, [zeros_], x) .== 0)
    names = String[]
    T.visit((name, m) -> push!(names, join(name, ".")), seq)
    @test "" in names && length(names) > 2
    @test length(first(parameters(net))) == 4
    @test occursin("Linear", string(net)) || occursin("mlp", string(net))
    ensemble = Ensemble(policy, 3; generator = Generator(2))
    @test size(ensemble(TensorDict("x" => x; batch = (5,)))["y"]) == (3, 5, 2)
    states = T.stack_modules([policy, TensorDictModule(other, ["x"] => ["y"])])
    @test size(vmap(policy, states, select(td, ["x"]))["y"])[1] == 2
    @test vmap(a -> op("mul", a, 2), Tensor([1.0, 2.0])) == [2, 4]
    @test T.train!(net, false) === net && !T.is_training(net)
end

@testset "hooks" begin
    net = T.from_function(x -> x .* 2)
    m = TensorDictModule(net, ["x"] => ["y"])
    calls = []
    id = T.add_forward_hook!(net) do module_, call
        push!(calls, T.inputs(call)[1])
        T.set_output!(call, 1, T.outputs(call)[1] .+ 1)
    end
    @test net(Tensor([1.0])) == [3] && calls[1] == [1]
    T.remove_hook!(net, id)
    @test net(Tensor([1.0])) == [2]
    T.add_forward_pre_hook!((m, c) -> error("hook"), net)
    @test_throws ErrorException net(Tensor([1.0]))
end

@testset "optimizers and schedules" begin
    target = [1.0, -2.0]
    p = params(TensorDict("w" => zeros(2)))
    opt = Adam(p; lr = 0.1)
    sched = CosineLR(opt, 200)
    for _ in 1:200
        zero_grad!(opt)
        diff = p["w"] .- Tensor(target)
        backward(op("sum", diff .* diff))
        clip_grad_norm!(p, 100)
        step!(opt)
        step!(sched)
    end
    @test isapprox(Array(detach(p["w"])), target; atol = 0.05)
    @test T.type_name(opt) == "Adam" && opt["lr"] < 1e-3 && T.steps(sched) == 200
    opt["lr"] = 0.5
    @test opt["lr"] == 0.5 && haskey(state(opt), "state")
    @test SGD(p; momentum = 0, lr = 1e-2)["momentum"] == 0
    @test_throws TensorDictKeyError opt["no such option"]
end
