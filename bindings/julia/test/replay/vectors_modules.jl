# States of modules, vmap, keys of sequences, and what modules and sequences make of data.

typed(type, config = nothing; seed = 0) = TensorDictModule(type; config = config, generator = Generator(seed))
linear(inputs, outputs; bias = true, seed = 0) =
    typed("td.linear", "{\"in_features\": $inputs, \"out_features\": $outputs, \"bias\": $bias}"; seed = seed)

# Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))
network(seed) = Chain(linear(2, 3; seed = seed), typed("td.relu"),
                      Chain(typed("td.batch_norm1d", "{\"num_features\": 3}"), linear(3, 1; bias = false, seed = seed)))

function check_leaves(td, leaves)
    found = leaf_keys(td)
    check(length(found) == length(leaves.names), "the leaves are $found")
    for key in found
        name = keyname(key)
        check(haskey(leaves, name), "$name is too many")
        leaf, t = leaves[name], td[key]
        check_shape(size(t), leaf["shape"], name)
        check(dtype_of(t) == leaf["dtype"], "the dtype of $name is $(dtype_of(t))")
        check(requires_grad(t) == leaf["requires_grad"], "$name requires grad: $(requires_grad(t))")
        haskey(leaf, "stride0") && check(stride(t, 1) == leaf["stride0"], "the strides of $name are $(strides(t))")
    end
end

const STATE_OPTIONS = ("expand_identical", "lazy_stack", "as_module", "use_state_dict")
state_options(kwargs) = Pair{Symbol,Any}[Symbol(name) => flag(kwargs, name) for name in STATE_OPTIONS]

function from_modules(v)
    leaves = v["leaves"]
    n = leaves[leaves.names[1]]["shape"][1]
    modules = TensorDictModule[network(flag(v, "shared") ? 0 : i) for i in 0:n-1]
    flag(v, "shared") && fill!(modules, modules[1])
    kwargs = get(v, "kwargs", Object())
    v["id"] == "from_modules.use_state_dict" && (kwargs["use_state_dict"] = true)
    state = T.stack_modules(modules; state_options(kwargs)...)
    check_leaves(state, leaves)
    check_shape(size(state), [n], "the batch")
    haskey(v, "locked") && check(is_locked(state) == v["locked"], "locked: $(is_locked(state))")
    wanted = flag(kwargs, "as_module") ? :params : flag(kwargs, "lazy_stack") ? :lazy_stack : :tensordict
    haskey(v, "kwargs") && check(T.dict_kind(state) == wanted, "the kind of the dict is $(T.dict_kind(state))")
end

function from_modules_error(v)
    second = says(v, "shape") ? linear(1, 2) : linear(1, 1; bias = !says(v, "missing"))
    modules = says(v, "none") ? TensorDictModule[] : [linear(1, 1), second]
    refused(() -> T.stack_modules(modules; state_options(v["kwargs"])...), "from_modules")
end

function check_stacked(td, leaves)
    check(length(leaf_keys(td)) == length(leaves.names), "the leaves are $(leaf_keys(td))")
    for (name, leaf) in pairs(leaves)
        check_shape(size(td[name]), leaf[1], name)
        check(requires_grad(td[name]) == leaf[2], "$name requires grad: $(requires_grad(td[name]))")
    end
end

function stack_state(v)
    params, buffers = T.stack_module_state([network(0), network(1)])
    check_stacked(params, v["params"])
    check_stacked(buffers, v["buffers"])
end

function stack_state_error(v)
    other = says(v, "class") || says(v, "type") ? typed("td.relu") : linear(1, says(v, "shape") ? 2 : 1)
    says(v, "train") && train!(other, false)
    says(v, "requires_grad") && requires_grad!(T.get_parameter(other, "weight"), false)
    modules = says(v, "empty") ? TensorDictModule[] : [linear(1, 1), other]
    refused(() -> T.stack_module_state(modules), "stack_module_state")
end

policy() = TensorDictModule(linear(2, 1), ["x"] => ["y"])

# Three linear layers over data of a batch size: what batch size and shapes come out.
function vmap_batch_sizes(v)
    modules = [policy() for _ in 1:3]
    batch = Int[i for i in v["batch"]]
    data = TensorDict(batch...)
    data["x"] = ones(Tensor, batch..., 2)
    data["n", "z"] = ones(Tensor, batch..., 4)
    mapped = v["data_dim"] === nothing ? nothing : dim(v["data_dim"])
    result = vmap(modules[1], T.stack_modules(modules), data; data_dim = mapped)
    check_shape(size(result), v["out_batch"], "the batch")
    check(length(leaf_keys(result)) == length(v["shapes"]), "the leaves are $(leaf_keys(result))")
    foreach(leaf -> check_shape(size(result[keyof(leaf[1])]), leaf[2], string(leaf[1])), v["shapes"])
end

# An ensemble of linear layers, forwards and backwards.
function vmap_ensemble(v)
    n = length(v["weights"])
    states = T.stack_modules([linear(2, 1) for _ in 1:n])
    no_grad() do
        copy_into!(states, "weight", nested_tensor(v["weights"], Float32))
        copy_into!(states, "bias", nested_tensor(Any[Any[v["bias"]] for _ in 1:n], Float32))
    end
    data, under = TensorDict(), TensorDict(n)  # the states as the module with keys has them
    data["x"] = nested_tensor(v["x"], Float32)
    under["module"] = states
    y = vmap(policy(), under, data)["y"]
    check_values(y, v["y"], 1e-6, "y")
    backward(op("sum", y))
    check_values(grad(states["weight"]), v["grad_weight"], 1e-6, "the gradient of weight")
    check_values(grad(states["bias"]), v["grad_bias"], 1e-6, "the gradient of bias")
end

merge!(KINDS, Dict{String,Function}(
    "from_module" => v -> check_leaves(TensorDict(network(0)), v["leaves"]),
    "from_modules" => from_modules,
    "from_modules_error" => from_modules_error,
    "stack_module_state" => stack_state,
    "stack_module_state_error" => stack_state_error,
    "vmap" => v -> haskey(v, "out_batch") ? vmap_batch_sizes(v) : vmap_ensemble(v),
))
