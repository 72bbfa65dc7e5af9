using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;

namespace LibTensorDict.Tests;

/// <summary>A test: a public static method without parameters that returns nothing or a task.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TestAttribute : Attribute
{
}

public sealed class CheckFailedException(string message) : Exception(message);

/// <summary>What tests say.</summary>
public static class Check
{
    public static void That(bool truth, string message = "the condition is false")
    {
        if (!truth) throw new CheckFailedException(message);
    }

    public static void Equal<T>(T expected, T actual, string what = "")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
            throw new CheckFailedException($"{what} expected {Show(expected)}, got {Show(actual)}");
    }

    public static void Sequence<T>(IEnumerable<T> expected, IEnumerable<T> actual, string what = "")
    {
        if (!expected.SequenceEqual(actual))
            throw new CheckFailedException($"{what} expected {Show(expected)}, got {Show(actual)}");
    }

    public static T Throws<T>(Action action) where T : class
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is T)
        {
            return (T)(object)e;
        }
        throw new CheckFailedException($"no {typeof(T).Name} was thrown");
    }

    public static async Task<T> ThrowsAsync<T>(Func<Task> action) where T : Exception
    {
        try
        {
            await action();
        }
        catch (T e)
        {
            return e;
        }
        throw new CheckFailedException($"no {typeof(T).Name} was thrown");
    }

    private static string Show(object? value) =>
        value is System.Collections.IEnumerable many and not string ? $"[{string.Join(", ", many.Cast<object?>())}]"
            : value?.ToString() ?? "null";
}

/// <summary>Runs all tests, or those whose names contain an argument; every test must give back what it took.</summary>
public static class Runner
{
    public static async Task<int> Main(string[] arguments)
    {
        if (arguments is ["--bench", ..]) return Bench.Run();
        int passed = 0, failed = 0;
        var clock = Stopwatch.StartNew();
        foreach (MethodInfo test in Tests(arguments))
        {
            string name = $"{test.DeclaringType!.Name}.{test.Name}";
            var one = Stopwatch.StartNew();
            try
            {
                await Run(test);
                passed++;
                if (one.ElapsedMilliseconds > 1000) Console.WriteLine($"{name}: {one.Elapsed.TotalSeconds:F1} s");
            }
            catch (Exception e)
            {
                failed++;
                Console.WriteLine($"FAILED {name}: {(e is CheckFailedException ? e.Message : e.ToString())}");
            }
        }
        Console.WriteLine($"C# on .NET {Environment.Version}, libtensordict {Library.Version}: {clock.Elapsed}");
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    private static IEnumerable<MethodInfo> Tests(string[] wanted) =>
        from type in typeof(Runner).Assembly.GetTypes()
        from method in type.GetMethods(BindingFlags.Static | BindingFlags.Public)
        where method.IsDefined(typeof(TestAttribute))
        where wanted.Length == 0 || wanted.Any($"{type.Name}.{method.Name}".Contains)
        orderby type.Name, method.MetadataToken
        select method;

    private static async Task Run(MethodInfo test)
    {
        GC.Collect(); // what a test that failed left behind
        GC.WaitForPendingFinalizers();
        IReadOnlyDictionary<ObjectKind, long> before = Library.LiveObjects();
        if (test.ReturnType == typeof(Task)) await test.CreateDelegate<Func<Task>>()();
        else test.CreateDelegate<Action>()();
        Leaks(before);
    }

    /// <summary>What nobody disposed of must go with the garbage.</summary>
    public static void Leaks(IReadOnlyDictionary<ObjectKind, long> before)
    {
        for (int i = 0; i < 20 && !Library.LiveObjects().SequenceEqual(before); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        IReadOnlyDictionary<ObjectKind, long> after = Library.LiveObjects();
        string now = string.Join(' ', after), then = string.Join(' ', before);
        Check.That(now == then, $"live objects: {now}; before: {then}");
    }
}
