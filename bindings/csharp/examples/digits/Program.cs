using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using LibTensorDict;

namespace LibTensorDict.Examples;

/// <summary>From handwritten digits, in the file that Python wrote, to a second process, with no copy on the way:
/// opens the data, looks for duplicates, trains eight networks together, hands the predictions through shared memory to
/// a second process, and corrects one of them there.</summary>
public static class Program
{
    private const int TrainRows = 1437;

    /// <summary>The number of rows that equal an earlier one.</summary>
    private static long Duplicates(Tensor rows)
    {
        using var td = new TensorDict(rows.Shape[0]);
        td["row"] = rows;
        using Query query = Query.New(["row"]);
        query.Forward(td);
        return td.Length - query.Count;
    }

    /// <summary>The pixels from 0 to 1, the labels and the numbers of the rows.</summary>
    private static TensorDict Features(TensorDict data)
    {
        using Tensor image = data["image"], label = data["label"], flat = image.Op("flatten", 1);
        using Tensor pixels = flat / 16.0, row = Operator.Call("arange", [data.Length], []).AsTensor();
        return TensorDict.From([data.Length], ("pixels", pixels), ("label", label), ("row", row));
    }

    private static Tensor Order(long n, Generator generator) =>
        Operator.Call("randperm", [n], [new("generator", generator)]).AsTensor();

    /// <summary>All rows in an order that the generator draws.</summary>
    internal static TensorDict Shuffled(TensorDict rows, Generator generator)
    {
        using Tensor order = Order(rows.Length, generator);
        return rows[order];
    }

    /// <summary>The share of right answers.</summary>
    private static double Accuracy(Tensor probability, Tensor label)
    {
        using Tensor guess = probability.Op("argmax", -1), right = guess.Op("eq", label);
        using Tensor numbers = right.To(DType.Float64), mean = numbers.Op("mean");
        return mean.Item<double>();
    }

    private static void Run(string directory)
    {
        Library.Threads = 1; // for matrices as small as these, a second thread costs more than it brings
        using TensorDict data = TensorDict.Open($"{directory}/memmap");
        Console.WriteLine($"1. The data, as Python saved it\n{data}\n   {Library.LiveBytes} bytes mapped\n");

        using Tensor image = data["image"], bits = image.Op("gt", 7);
        Console.WriteLine($"2. Duplicates among {data.Length} images\n   equal in all pixels: {Duplicates(image)}; "
            + $"equal to an earlier one in black and white: {Duplicates(bits)}\n");

        using var generator = new Generator(0);
        using TensorDict all = Features(data), rows = Shuffled(all, generator);
        using TensorDict train = rows[..TrainRows], test = rows[TrainRows..];
        using var nets = new Ensemble();
        nets.Train(train, generator);
        using Tensor each = nets.Probability(test), mean = each.Op("mean", new long[] { 0 }), label = test["label"];
        double[] alone = Enumerable.Range(0, Ensemble.Members).Select(i =>
        {
            using Tensor one = each[i];
            return Accuracy(one, label);
        }).ToArray();
        double together = Accuracy(mean, label);
        Console.WriteLine($"3. {Ensemble.Members} networks of 64-64-10 units together\n"
            + $"   alone    {string.Join(' ', alone.Select(x => x.ToString("F4", CultureInfo.InvariantCulture)))}\n"
            + FormattableString.Invariant($"   together {together:F4}\n"));

        using Tensor prediction = mean.Op("argmax", -1);
        Hand(prediction);
        if (together < 0.93) throw new InvalidOperationException("the ensemble has not learned to read");
    }

    /// <summary>Shows the predictions to a second process, and corrects the first one while that process
    /// looks.</summary>
    private static void Hand(Tensor prediction)
    {
        using TensorDict td = TensorDict.From(prediction.Shape, ("prediction", prediction));
        using Segment shared = Segment.Create($"td-csharp-digits-{Environment.ProcessId}", td);
        Console.WriteLine($"4. Predictions in shared memory: {shared.Path}");
        string name = shared.Path["/dev/shm/".Length..];
        long corrected = (Ask(name) + 1) % 10;
        prediction.AsWritableSpan<long>()[0] = corrected;
        shared.Update(td);
        long after = Ask(name);
        if (after != corrected) throw new InvalidOperationException($"the second process sees {after}");
    }

    /// <summary>Lets a second process read the first prediction.</summary>
    private static long Ask(string name)
    {
        string self = Environment.ProcessPath!, program = Environment.GetCommandLineArgs()[0];
        string[] arguments = program.EndsWith(".dll", StringComparison.Ordinal) ? [program] : [];
        var start = new ProcessStartInfo(self, [.. arguments, "-read", name]) { RedirectStandardOutput = true };
        using Process second = Process.Start(start)!;
        string said = second.StandardOutput.ReadToEnd().Trim();
        second.WaitForExit();
        Console.WriteLine($"   second process | the first prediction is {said}");
        return long.Parse(said, CultureInfo.InvariantCulture);
    }

    private static void Read(string name)
    {
        using Segment segment = Segment.Open(name);
        using TensorDict td = segment.Dict;
        using Tensor prediction = td["prediction"];
        Console.WriteLine(prediction.AsSpan<long>()[0]);
    }

    /// <summary>digits DATA_DIR</summary>
    public static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["-read", string name]: Read(name); return 0;
            case [string directory]: Run(directory); return 0;
            default:
                Console.Error.WriteLine("usage: digits DATA_DIR");
                return 2;
        }
    }
}
