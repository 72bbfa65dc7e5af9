# Handwritten digits: opens what Python saved, trains a network, and shares what it predicts with other processes.
#
#     julia examples/digits.jl [DATA_DIR]

using TensorDicts
const T = TensorDicts

function rows(data)
    image = data["image"]
    n = size(data, 1)
    pixels = op("div", op("flatten", image, 1), 16)
    return TensorDict("pixels" => pixels, "label" => data["label"], "row" => collect(0:n-1); batch = (n,))
end

function train(net, batch; epochs = 60)
    weights = params(TensorDict(net); no_convert = true)
    optimizer = Adam(weights; lr = 1e-2)
    schedule = CosineLR(optimizer, epochs)
    for _ in 1:epochs
        zero_grad!(optimizer)
        net(batch)
        backward(op("cross_entropy_loss", batch["logits"], batch["label"]))
        step!(optimizer)
        step!(schedule)
    end
end

function main(directory = joinpath(@__DIR__, "..", "..", "..", "tests", "data", "digits"))
    data = open(TensorDict, joinpath(directory, "memmap"))
    println(data)
    order = At(op("randperm", size(data, 1); generator = Generator(0)))
    shuffled = rows(data)[order]
    batch, held_back = clone(shuffled[1:1437]), clone(shuffled[1438:end])

    mlp = TensorDictModule("td.mlp"; in_features = 64, hidden = [64], out_features = 10, generator = Generator(1))
    net = TensorDictModule(mlp, ["pixels"] => ["logits"])
    seconds = @elapsed train(net, batch)
    predicted = no_grad(() -> op("argmax", net(held_back)["logits"], -1))
    share = sum(predicted .== held_back["label"]) / length(predicted)
    println("trained in ", round(seconds; digits = 1), " s; right on ", round(100share; digits = 1), " % of other rows")
    share > 0.9 || error("the network has not learned to read")

    name = "td-digits-$(getpid())"
    Segment(name, TensorDict("prediction" => predicted, "row" => held_back["row"]; batch = (length(predicted),))) do _
        Segment(name) do reader  # another process opens it by its name, too
            println("shared as ", T.path(reader), ": ", reader[][1:5]["prediction"])
        end
    end
end

main(ARGS...)
