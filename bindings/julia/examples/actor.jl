# Plays with a policy that a learner in Python trains, and gives it what it has seen: nothing is copied from process to
# process. bindings/go/examples/actor/learner.py is the other side, and says how they talk.
#
#     julia examples/actor.jl WEIGHTS SEGMENT

using TensorDicts
const T = TensorDicts

const BATCH, FEATURES = 256, 4

# The action that is right is the sum of the observations; the reward is the negative square of what is wrong.
function world(path)
    generator, weights = Generator(0), open(TensorDict, path)
    layer = TensorDictModule("td.linear"; in_features = FEATURES, out_features = 1, generator = generator)
    sampling = Probabilistic("td.normal", ["loc", "scale"] => ["action"]; interaction = :random,
                             return_log_prob = true, generator = generator)
    policy = ProbabilisticSequential(TensorDictModule(layer, ["obs"] => ["loc"]), sampling)
    # Makes a batch with the weights as they are now.
    return function ()
        load_state_dict!(layer, weights)
        seen = TensorDict(BATCH)
        seen["obs"] = randn(Tensor, BATCH, FEATURES; generator = generator)
        seen["scale"] = fill(Tensor, 0.3f0, BATCH, 1)
        no_grad(() -> T.forward!(policy, seen))
        wrong = op("sub", seen["action"], op("sum", seen["obs"], [1], true))
        seen["reward"] = op("neg", op("square", wrong))
        return seen
    end
end

function main(weights, name)
    play = world(weights)
    Segment(name, play()) do segment
        println(T.path(segment))
        flush(stdout)
        for _ in eachline(stdin)
            update!(segment, play())
            println(Int(T.version(segment)))
            flush(stdout)
        end
    end
end

length(ARGS) == 2 || (println(stderr, "usage: actor.jl WEIGHTS SEGMENT"); exit(2))
main(ARGS...)
