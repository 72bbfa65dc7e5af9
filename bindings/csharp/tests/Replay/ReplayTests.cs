using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests.Replay;

public sealed partial class Program
{
    /// <summary>Returns how a step failed; null if none did.</summary>
    public Obj? Run(List<object?> steps)
    {
        int at = 0;
        try
        {
            for (; at < steps.Count; at++)
            {
                step = (Obj)steps[at]!;
                if (!Table.TryGetValue(Word("op"),
                    out Action<Program>? operation)) throw new BadProgramException($"no such operation: {Word("op")}");
                operation(this);
                EndStep();
            }
            return null;
        }
        catch (Exception e) when (e is ITensorDictError error)
        {
            return new Obj(("step", (long)at), ("status", error.Status), ("text", e.Message));
        }
    }

    public void Close()
    {
        EndStep();
        foreach (OpenScope scope in scopes.Values) scope.Finish(true);
        foreach (object register in registers.Values) (register as IDisposable)?.Dispose();
    }
}

public static class ReplayTests
{
    /// <summary>Where the committed programs are, seen from the tests' own sources.</summary>
    private static string Vectors([System.Runtime.CompilerServices.CallerFilePath] string here = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(here)!, "../../../../tests/conformance/vectors"));

    private static string StatusName(object? status) => status switch
    {
        Status.Ok => "OK",
        Status.OutOfMemory => "OOM",
        Status.NotFound => "NOT_FOUND",
        Status.NoSpace => "NOSPACE",
        _ => status!.ToString()!.ToUpperInvariant(),
    };

    private static IEnumerable<string> Errors(Obj? wanted, Obj? got)
    {
        if (wanted == null && got == null) yield break;
        if (wanted == null)
            yield return $"failed: {Comparison.Show(got)}";
        else if (got == null)
            yield return $"did not fail: expected {Comparison.Show(wanted)}";
        else if (!Equals(wanted["step"], got["step"]))
            yield return $"another step failed: {Comparison.Show(got)}, expected {Comparison.Show(wanted)}";
        else if (!((List<object?>)wanted["statuses"]!).Contains(StatusName(got["status"])))
            yield return $"failed otherwise: expected {Comparison.Show(wanted)}, got {Comparison.Show(got)}";
    }

    private static List<string> Replay(Obj vector)
    {
        IReadOnlyDictionary<ObjectKind, long> before = Library.LiveObjects();
        var program = new Program();
        var expected = (Obj)(vector["ours"] ?? vector["expected"])!;
        List<string> found;
        try
        {
            Obj? failed = program.Run((List<object?>)vector["steps"]!);
            found = Errors((Obj?)expected["error"], failed).ToList();
            if (found.Count == 0)
            {
                var comparison = new Comparison();
                comparison.Compare(expected["registers"], program.Observe(), "");
                found = comparison.Found;
            }
        }
        finally
        {
            program.Close();
        }
        // A result that an operation made before it failed is left to the collector.
        if (!Library.LiveObjects().SequenceEqual(before)) Runner.Leaks(before);
        return found;
    }

    [Test]
    public static void EveryProgramOfTheConformanceSuite()
    {
        int run = 0;
        var failed = new List<string>();
        foreach (string file in Directory.GetFiles(Vectors(), "*.json").Order())
        {
            var all = (Obj)Comparison.Parse(File.ReadAllText(file))!;
            foreach (object? one in (List<object?>)all["programs"]!)
            {
                var vector = (Obj)one!;
                string name = $"{Path.GetFileName(file)}/{vector["name"]}";
                run++;
                try
                {
                    failed.AddRange(Replay(vector).Select(line => $"{name}: {line}"));
                }
                catch (Exception e)
                {
                    failed.Add($"{name}: {e}");
                }
            }
        }
        Console.WriteLine($"replay: {run} programs run, 0 left out, {failed.Count} differences");
        Check.That(run > 2000, $"only {run} programs in {Vectors()}");
        Check.That(failed.Count == 0, string.Join("\n  ", failed.Take(30)));
    }
}
