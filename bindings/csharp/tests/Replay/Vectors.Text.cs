using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public static partial class VectorReplayTests
{
    /// <summary>The words of a line of dist.txt.</summary>
    private sealed class Words(string line)
    {
        private readonly Queue<string> rest = new(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        public string Next() => rest.Dequeue();

        public long[] Ints()
        {
            var made = new long[int.Parse(Next(), CultureInfo.InvariantCulture)];
            for (int i = 0; i < made.Length; i++) made[i] = long.Parse(Next(), CultureInfo.InvariantCulture);
            return made;
        }

        public Tensor Tensor()
        {
            DType dtype = Next() switch
            {
                "f32" => DType.Float32,
                "f64" => DType.Float64,
                "i64" => DType.Int64,
                _ => DType.Bool,
            };
            long[] dims = Ints();
            return Reshaped(rest.Select(Real).ToArray(), dims, dtype);
        }
    }

    private static double Real(string word) => word switch
    {
        "nan" => double.NaN,
        "inf" => double.PositiveInfinity,
        "-inf" => double.NegativeInfinity,
        _ => double.Parse(word, CultureInfo.InvariantCulture),
    };

    private static void SameTensors(Tensor got, Tensor wanted, double tolerance, string what)
    {
        Check.Sequence(wanted.Shape, got.Shape, $"the shape of {what}:");
        CheckNumbers(ValuesOf(got), ValuesOf(wanted), 2 * tolerance, what);
    }

    /// <summary>A distribution with what stock Python says of it.</summary>
    private sealed class DistCase
    {
        private string type = "", config = "", transforms = "";
        private long independent;
        private readonly TensorDict parameters = new();
        private Tensor? value;
        private Distribution? made;

        private Distribution Dist()
        {
            if (made != null) return made;
            Distribution d = Distribution.New(type, parameters, config == "" ? null : config);
            if (transforms != "") d = Distribution.Transformed(d, transforms);
            return made = independent == 0 ? d : Distribution.Independent(d, independent);
        }

        private Tensor Ask(string what)
        {
            if (what != "icdf") return VectorReplayTests.Ask(Dist(), what, value);
            long[] dims = [3, .. Dist().BatchShape.Select(_ => 1L)];
            return Dist().Icdf(Reshaped([0.1, 0.5, 0.9], dims, DType.Float64));
        }

        /// <summary>Compares three values of seed 0, and computes the gradients that follow.</summary>
        private void Draw(Tensor wanted)
        {
            var generator = new Generator(0);
            Tensor got = Dist().HasRSample ? Dist().RSample([3], generator) : Dist().Sample([3], generator);
            if (got.RequiresGrad) got.Op("sum").Backward();
            SameTensors(got, wanted, 1e-6, "a draw");
        }

        public void Read(string line)
        {
            string[] halves = line.Split(' ', 2);
            string what = halves[0], rest = halves.Length > 1 ? halves[1].Trim() : "";
            var words = new Words(rest);
            switch (what)
            {
                case "type": type = rest; break;
                case "config": config = rest; break;
                case "transforms": transforms = rest; break;
                case "independent": independent = words.Ints1(); break;
                case "param":
                    string name = words.Next();
                    Tensor t = words.Tensor();
                    if (t.DType is DType.Float32 or DType.Float64) t.RequiresGrad = true;
                    parameters[name] = t;
                    break;
                case "value": value = words.Tensor(); break;
                case "batch": Check.Sequence(words.Ints(), Dist().BatchShape, "the batch shape:"); break;
                case "event": Check.Sequence(words.Ints(), Dist().EventShape, "the event shape:"); break;
                case "without": Unsupported(() => Ask(rest), rest); break;
                case "draw": Draw(words.Tensor()); break;
                case "grad":
                    string of = words.Next();
                    SameTensors(parameters.Get(of).Grad!, words.Tensor(), 1e-5, $"the gradient of {of}");
                    break;
                default:
                    Tensor wanted = words.Tensor();
                    SameTensors(Ask(what), wanted, wanted.DType == DType.Float32 ? 1e-6 : 1e-9, what);
                    break;
            }
        }
    }

    private static long Ints1(this Words words) => long.Parse(words.Next(), CultureInfo.InvariantCulture);

    /// <summary>Compares the divergence of a pair, or that the library offers none.</summary>
    private static void CheckPair(string[] lines)
    {
        var types = new Dictionary<string, string>();
        var parameters = new Dictionary<string, TensorDict> { ["p"] = new(), ["q"] = new() };
        Tensor? wanted = null;
        foreach (string line in lines)
        {
            var words = new Words(line);
            switch (words.Next())
            {
                case "type": types[words.Next()] = words.Next(); break;
                case "param": parameters[words.Next()][words.Next()] = words.Tensor(); break;
                case "result": wanted = words.Tensor(); break;
            }
        }
        Distribution p = Distribution.New(types["p"], parameters["p"]);
        Distribution q = Distribution.New(types["q"], parameters["q"]);
        string name = $"KL({types["p"]} || {types["q"]})";
        if (wanted == null) Unsupported(() => Distribution.KlDivergence(p, q), name);
        else SameTensors(Distribution.KlDivergence(p, q), wanted, 1e-8, name);
    }

    [Test]
    public static void EveryDistributionOfPython()
    {
        int cases = 0, pairs = 0;
        var failed = new List<string>();
        foreach (string block in File.ReadAllText(DataFile("dist.txt")).Split("\nend\n",
            StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            string[] lines = block.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            if (!lines[0].StartsWith("case ", StringComparison.Ordinal))
            {
                pairs++;
                Tried(() => CheckPair(lines), string.Join(' ', lines.Take(2)), failed);
                continue;
            }
            cases++;
            var one = new DistCase();
            Tried(() => Array.ForEach(lines[1..], one.Read), lines[0], failed);
        }
        Report($"{cases} distributions and {pairs} divergences", failed);
        Check.That(cases >= 90 && pairs >= 400, "the file has fewer of them than it should");
    }

    // ---- Learning rates ----

    /// <summary>Of "0x1.8p+1": .NET reads no such numbers.</summary>
    private static double Hex(string word)
    {
        string[] halves = word.TrimStart('-')[2..].Split('p');
        string[] digits = halves[0].Split('.');
        string fraction = digits.Length > 1 ? digits[1] : "";
        double mantissa = long.Parse(digits[0] + fraction, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        double made = Math.ScaleB(mantissa, int.Parse(halves[1], CultureInfo.InvariantCulture) - 4 * fraction.Length);
        return word[0] == '-' ? -made : made;
    }

    private static Schedule ScheduleOf(Optimizer o, string spelled)
    {
        string[] words = spelled.Split(',');
        double[] x = words.Skip(1).Select(Hex).ToArray();
        return words[0] switch
        {
            "step" => Schedule.StepLr(o, (long)x[0], x[1]),
            "multi_step" => Schedule.MultiStep(o, x.Skip(1).Select(at => (long)at).ToArray(), x[0]),
            "exponential" => Schedule.Exponential(o, x[0]),
            "cosine" => Schedule.Cosine(o, (long)x[0], x[1]),
            "linear" => Schedule.Linear(o, x[0], x[1], (long)x[2]),
            "constant" => Schedule.Constant(o, x[0], (long)x[1]),
            "one_cycle" => Schedule.OneCycle(o, x[0], (long)x[1]),
            "one_cycle_other" => Schedule.OneCycle(o, x[0], (long)x[1], new OneCycleOptions
            {
                PctStart = 0.4,
                Linear = true,
                BaseMomentum = 0.5,
                MaxMomentum = 0.9,
                DivFactor = 10,
                FinalDivFactor = 100,
                ThreePhases = true,
            }),
            "one_cycle_kept" => Schedule.OneCycle(o, x[0], (long)x[1], new OneCycleOptions { KeepMomentum = true }),
            _ => throw new BadProgramException($"no such schedule: {words[0]}"),
        };
    }

    /// <summary>The last bits of a cosine are those of the C library.</summary>
    private static void CheckRate(double got, double wanted, string what) =>
        Check.That(Math.Abs(got - wanted) <= 1e-14 * Math.Abs(wanted) + 1e-18, $"{what}: {got}, not {wanted}");

    /// <summary>Compares pairs of a learning rate and a momentum, step by step.</summary>
    private static void CheckRates(string[] words, double[] numbers)
    {
        Tensor w = Tensor.From([1f, -2]);
        w.RequiresGrad = true;
        var parameters = new TensorDict();
        parameters["w"] = w;
        bool adam = words[0] == "adam";
        Optimizer o = adam ? Optimizer.Adam(parameters, Hex(words[1]))
            : Optimizer.Sgd(parameters, Hex(words[1]), momentum: 0.7);
        Schedule[] schedules = words.Skip(2).Select(spelled => ScheduleOf(o, spelled)).ToArray();
        for (int step = 0; 2 * step + 1 < numbers.Length; step++)
        {
            if (step > 0) Array.ForEach(schedules, s => s.Step());
            CheckRate(o[0, "lr"], numbers[2 * step], $"the rate of step {step}");
            CheckRate(o[0, adam ? "beta1" : "momentum"], numbers[2 * step + 1], $"the momentum of step {step}");
            Check.Equal(step, schedules[0].Steps, "the number of steps:");
            if (words[0] == "by_hand" && step == 3) o[0, "lr"] *= 2;
        }
    }

    [Test]
    public static void EveryScheduleOfPython()
    {
        string[] lines = File.ReadAllLines(DataFile("schedule.txt"));
        var failed = new List<string>();
        for (int i = 0; i + 1 < lines.Length; i += 2)
        {
            string[] words = lines[i].Split(' ')[1..];
            double[] numbers = lines[i + 1].Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Hex).ToArray();
            Tried(() => CheckRates(words, numbers), lines[i], failed);
        }
        Report($"{lines.Length / 2} schedules", failed);
        Check.That(lines.Length / 2 >= 20, "the file has fewer of them than it should");
    }
}
