#nullable enable
using System;
using System.Linq;
using System.Runtime.CompilerServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>A list of strings that leads through the nodes of a dict. Dots and slashes in them are ordinary characters.
/// Text, a pair or a triple of texts, an array and a <see cref="KeyPath"/> are keys.</summary>
public readonly struct Key : IEquatable<Key>
{
    private readonly object? first;  // a string, the parts if they are more than two, or a KeyPath
    private readonly string? second;

    /// <summary>A key of one part.</summary>
    public Key(string part) => first = part ?? throw new ArgumentNullException(nameof(part));

    /// <summary>A key of two parts.</summary>
    public Key(string part, string next)
    {
        first = part ?? throw new ArgumentNullException(nameof(part));
        second = next ?? throw new ArgumentNullException(nameof(next));
    }

    /// <summary>A key of any number of parts.</summary>
    public Key(params string[] parts)
    {
        if (parts.Length is 1 or 2)
        {
            first = parts[0];
            second = parts.Length == 2 ? parts[1] : null;
        }
        else
        {
            first = parts.Clone();
        }
    }

    private Key(KeyPath path) => first = path;

    /// <summary>The parts.</summary>
    public string[] Parts => first switch
    {
        null => [],
        string one => second == null ? [one] : [one, second],
        string[] many => (string[])many.Clone(),
        KeyPath path => path.Key.Parts,
        _ => throw new InvalidOperationException(),
    };

    internal unsafe void Fill(Frame c, td_key* key)
    {
        if (first is string one)
        {
            int n = second == null ? 1 : 2;
            key->parts = c.Many<td_str>(n);
            key->n = (nuint)n;
            key->parts[0] = c.String(one);
            if (second != null) key->parts[1] = c.String(second);
        }
        else if (first is KeyPath path)
        {
            key->parts = (td_str*)path.Pointer;
            key->n = Api.TD_PREPARED;
        }
        else
        {
            string[] many = first as string[] ?? [];
            key->parts = c.Strings(many);
            key->n = (nuint)many.Length;
        }
    }

    internal static unsafe Key From(td_key* key)
    {
        if (key->n == 1) return new Key(Marshalled.Text(key->parts[0])!);
        var parts = new string[(int)key->n];
        for (int i = 0; i < parts.Length; i++) parts[i] = Marshalled.Text(key->parts[i])!;
        return new Key(parts);
    }

    /// <summary>Text is a key of one part.</summary>
    public static implicit operator Key(string part) => new(part);
    /// <summary>A pair is a key of two parts.</summary>
    public static implicit operator Key((string, string) parts) => new(parts.Item1, parts.Item2);
    /// <summary>A triple is a key of three parts.</summary>
    public static implicit operator Key((string, string, string) parts) => new(parts.Item1, parts.Item2, parts.Item3);
    /// <summary>An array is a key of its parts.</summary>
    public static implicit operator Key(string[] parts) => new(parts);
    /// <summary>A prepared key is a key.</summary>
    public static implicit operator Key(KeyPath path) => new(path);

    /// <summary>Whether the parts are equal.</summary>
    public bool Equals(Key other) => Parts.AsSpan().SequenceEqual(other.Parts);
    /// <inheritdoc/>
    public override bool Equals(object? other) => other is Key key && Equals(key);
    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (string part in Parts) hash.Add(part);
        return hash.ToHashCode();
    }
    /// <summary>Whether the parts are equal.</summary>
    public static bool operator ==(Key left, Key right) => left.Equals(right);
    /// <summary>Whether the parts differ.</summary>
    public static bool operator !=(Key left, Key right) => !left.Equals(right);

    /// <summary>The parts joined by dots, for people.</summary>
    public override string ToString() => string.Join('.', Parts);
}

/// <summary>A key that is prepared once for many look-ups.</summary>
public sealed unsafe class KeyPath : NativeObject
{
    private KeyPath(td_path* path) : base(path) { }

    /// <summary>Prepares a key.</summary>
    public KeyPath(Key key) : base(Make(key)) { }

    /// <summary>Prepares a key.</summary>
    public KeyPath(params string[] parts) : this(new Key(parts)) { }

    private static td_path* Make(Key key)
    {
        td_error* err = null;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        td_path* made;
        Status status = Api.td_path_new(c.Key(key), &made, &err);
        if (status != Status.Ok) Errors.Throw(status, err);
        return made;
    }

    internal static KeyPath Take(td_path* path) => new(path);

    /// <summary>The key that was prepared.</summary>
    public Key Key
    {
        get
        {
            td_key view;
            Native.path_view(this, &view);
            Key made = Key.From(&view);
            GC.KeepAlive(this);
            return made;
        }
    }

    private protected override void Release(void* pointer) => Api.td_path_release((td_path*)pointer);
}
