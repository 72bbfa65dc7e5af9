using System;
using LibTensorDict;

namespace LibTensorDict.Examples;

/// <summary>Plays with a policy that a learner in Python trains, and gives it what it has seen: nothing is copied from
/// process to process. bindings/go/examples/actor/learner.py is the other side, and says how they talk.</summary>
public static class Program
{
    private const int Batch = 256, Features = 4;

    /// <summary>The action that is right is the sum of the observations; the reward is the negative square of what is
    /// wrong.</summary>
    private sealed class World : IDisposable
    {
        private readonly Generator generator = new(0);
        private readonly TensorDict weights;
        private readonly Module layer, policy; // the policy writes "loc", "action" and its "action_log_prob"

        internal World(string path)
        {
            weights = TensorDict.Open(path);
            layer = Module.New("td.linear", $$"""{"in_features": {{Features}}, "out_features": 1}""", generator);
            using Module loc = Module.OnKeys(layer, ["obs"], ["loc"]);
            using Module action = Module.Probabilistic("td.normal", ["loc", "scale"], ["action"],
                new ProbabilisticOptions
                {
                    DefaultInteraction = Interaction.Random,
                    ReturnLogProb = true,
                    Generator = generator,
                });
            policy = Module.ProbabilisticSequential([loc, action]);
        }

        public void Dispose()
        {
            policy.Dispose();
            layer.Dispose();
            weights.Dispose();
            generator.Dispose();
        }

        /// <summary>Makes a batch with the weights as they are now.</summary>
        internal TensorDict Play()
        {
            layer.LoadStateDict(weights);
            var seen = new TensorDict(Batch);
            using Tensor obs = Tensor.Randn([Batch, Features], generator: generator);
            using Tensor scale = Tensor.Full([Batch, 1], 0.3);
            seen["obs"] = obs;
            seen["scale"] = scale;
            Library.NoGrad(() => policy.Forward(seen));
            using Tensor action = seen["action"], right = obs.Op("sum", new long[] { 1 }, true);
            using Tensor wrong = action - right, square = wrong.Op("square"), reward = -square;
            seen["reward"] = reward;
            return seen;
        }
    }

    /// <summary>actor WEIGHTS SEGMENT</summary>
    public static int Main(string[] arguments)
    {
        if (arguments is not [string weights, string name])
        {
            Console.Error.WriteLine("usage: actor WEIGHTS SEGMENT");
            return 2;
        }
        using var world = new World(weights);
        using TensorDict first = world.Play();
        using Segment segment = Segment.Create(name, first);
        Console.WriteLine(segment.Path);
        while (Console.ReadLine() != null)
        {
            using TensorDict next = world.Play();
            segment.Update(next);
            Console.WriteLine(segment.Version);
        }
        return 0;
    }
}
