using System;
using System.Linq;
using LibTensorDict;

namespace LibTensorDict.Examples;

/// <summary>Small networks trained as one: their parameters lie stacked in one dict, and vmap runs all of them in the
/// operators of one.</summary>
public sealed class Ensemble : IDisposable
{
    /// <summary>The number of networks.</summary>
    public const int Members = 8;
    private const int Epochs = 60, Rows = 64;

    private readonly Module net;
    private readonly TensorDict states;

    private static Module NewNet(int seed)
    {
        using var generator = new Generator((ulong)seed);
        return Module.New("td.mlp", """{"in_features": 64, "hidden": [64], "out_features": 10}""", ["pixels"],
            ["logits"], generator);
    }

    /// <summary>Makes networks with random weights.</summary>
    public Ensemble()
    {
        Module[] nets = Enumerable.Range(0, Members).Select(NewNet).ToArray();
        states = Module.StackStates(nets);
        net = nets[0];
        foreach (Module other in nets[1..]) other.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        states.Dispose();
        net.Dispose();
    }

    /// <summary>Trains all networks on the same rows.</summary>
    public void Train(TensorDict data, Generator generator)
    {
        using Optimizer adam = Optimizer.Adam(states, lr: 2e-3);
        for (int epoch = 0; epoch < Epochs; epoch++)
        {
            using TensorDict order = Program.Shuffled(data, generator);
            foreach (TensorDict batch in order.Split(Rows))
                using (batch) Learn(batch, adam);
        }
    }

    /// <summary>Lowers the mean of the members' losses: each depends on the parameters of one member only, so no
    /// gradients mix.</summary>
    private void Learn(TensorDict batch, Optimizer adam)
    {
        using TensorDict seen = net.Vmap(states, batch);
        using Tensor logits = seen["logits"], label = seen["label"];
        using Tensor outputs = logits.Op("flatten", 0, 1), targets = label.Op("flatten", 0, 1);
        using Tensor loss = outputs.Op("cross_entropy_loss", targets);
        adam.ZeroGrad();
        loss.Backward();
        adam.Step();
    }

    /// <summary>Probabilities with the dims members, rows and classes.</summary>
    public Tensor Probability(TensorDict data) => Library.NoGrad(() =>
    {
        using TensorDict seen = net.Vmap(states, data);
        using Tensor logits = seen["logits"];
        return logits.Op("softmax", -1);
    });
}
