using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace LibTensorDict.Tests.Replay;

/// <summary>A JSON object; the order of its members counts.</summary>
public sealed class Obj
{
    public List<string> Keys { get; } = [];
    public Dictionary<string, object?> Values { get; } = [];

    public Obj(params (string, object?)[] members)
    {
        foreach ((string key, object? value) in members) this[key] = value;
    }

    public object? this[string key]
    {
        get => Values.GetValueOrDefault(key);
        set
        {
            if (!Values.ContainsKey(key)) Keys.Add(key);
            Values[key] = value;
        }
    }

    public bool Has(string key) => Values.ContainsKey(key);

    public void Remove(string key)
    {
        Values.Remove(key);
        Keys.Remove(key);
    }
}

/// <summary>JSON as Obj, List, string, bool, long, double or null, and how two such values differ.</summary>
public sealed class Comparison
{
    public List<string> Found { get; } = [];

    public static object? From(JsonElement e) => e.ValueKind switch
    {
        JsonValueKind.Object => new Obj(e.EnumerateObject().Select(m => (m.Name, From(m.Value))).ToArray()),
        JsonValueKind.Array => e.EnumerateArray().Select(From).ToList(),
        JsonValueKind.String => e.GetString(),
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Number => e.TryGetInt64(out long whole) ? (object)whole : e.GetDouble(),
        _ => null,
    };

    public static object? Parse(string text) =>
        From(JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 512 }).RootElement);

    public static object Number(double x) =>
        double.IsNaN(x) ? "nan" : double.IsPositiveInfinity(x) ? "inf" : double.IsNegativeInfinity(x) ? "-inf" : x;

    public static double Real(object? v) => v switch
    {
        long i => i,
        double d => d,
        bool b => b ? 1 : 0,
        "nan" => double.NaN,
        "inf" => double.PositiveInfinity,
        "-inf" => double.NegativeInfinity,
        string s when double.TryParse(s, CultureInfo.InvariantCulture, out double d) => d,
        _ => throw new BadProgramException($"not a number: {Show(v)}"),
    };

    public static string Show(object? v) => v switch
    {
        Obj o => "{" + string.Join(", ", o.Keys.Select(k => $"{k}: {Show(o[k])}")) + "}",
        List<object?> list => "[" + string.Join(", ", list.Select(Show)) + "]",
        null => "null",
        _ => Convert.ToString(v, CultureInfo.InvariantCulture)!,
    };

    private void Differ(string at, object? a, object? b)
    {
        string x = Show(a), y = Show(b);
        Found.Add($"{at}: expected {x[..Math.Min(160, x.Length)]}, got {y[..Math.Min(160, y.Length)]}");
    }

    private static double Tolerance(Obj o) => o["dtype"] switch
    {
        "float16" => 2e-3,
        "bfloat16" => 2e-2,
        "float32" or "complex64" => 2e-5,
        _ => 1e-9,
    };

    public void Compare(object? a, object? b, string at, double within = 1e-9)
    {
        switch (a, b)
        {
            case (Obj x, Obj y):
                Objects(x, y, at);
                return;
            case (List<object?> x, List<object?> y) when x.Count == y.Count:
                for (int i = 0; i < x.Count; i++) Compare(x[i], y[i], $"{at}[{i}]", within);
                return;
            case (long x, long y) when x == y:
                return;
            case (long, double) or (double, long) or (double, double):
                double p = Real(a), q = Real(b);
                if (Math.Abs(p - q) <= within * Math.Max(1, Math.Max(Math.Abs(p), Math.Abs(q)))) return;
                break;
            case (string or bool or null, string or bool or null) when Equals(a, b):
                return;
        }
        Differ(at, a, b);
    }

    private void Objects(Obj a, Obj b, string at)
    {
        double within = Tolerance(a);
        int before = Found.Count;
        foreach (string key in a.Keys)
        {
            if (b.Has(key)) Compare(a[key], b[key], $"{at}/{key}", within);
            else Found.Add($"{at}/{key} is missing");
        }
        foreach (string key in b.Keys.Where(key =>
            !a.Has(key))) Found.Add($"{at}/{key} was not expected: {Show(b[key])}");
        if (Found.Count == before && at.EndsWith("/entries", StringComparison.Ordinal) && !a.Keys.SequenceEqual(b.Keys))
            Found.Add($"{at}: in the order {string.Join(", ", b.Keys)}, expected {string.Join(", ", a.Keys)}");
    }
}

/// <summary>A program that is wrong in itself; no library can be blamed for it.</summary>
public sealed class BadProgramException(string message) : Exception(message);
