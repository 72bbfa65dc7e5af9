using System;
using System.Globalization;
using System.Linq;
using System.Numerics;

namespace LibTensorDict.Peer;

internal static class Saves
{
    /// <summary>What storage_peer saves, with an offset added to "a".</summary>
    internal static TensorDict Example(float offset = 0)
    {
        var td = new TensorDict(2);
        Put(td, "a", [offset, 1 + offset, 2 + offset, 3 + offset, 4 + offset, 5 + offset], 2, 3);
        Put(td, ("n", "b/c"), [-1, long.MaxValue], 2);
        Put(td, ("n", "ж"), [true, false], 2, 1);
        Put(td, ("n", "deep", "z"), [new Complex(1, 2), new Complex(3, 4)], 2);
        using Tensor one = Tensor.From([1f, 2f]);
        using Tensor half = one.To(DType.BFloat16);
        td["half"] = half;
        using Tensor none = Tensor.Zeros([2, 0], DType.Float64);
        td["none"] = none;
        return td;
    }

    internal static void Put<T>(TensorDict td, Key key, T[] values, params long[] dims) where T : unmanaged
    {
        using Tensor tensor = Tensor.From(values, dims);
        td[key] = tensor;
    }

    internal static void Print(TensorDict td)
    {
        foreach ((Key key, Entry entry) in td.Items(KeysFlags.Nested | KeysFlags.Leaves))
        {
            using Tensor tensor = entry;
            string name = string.Join('|', key.Parts), shape = string.Join(',', tensor.Shape);
            Console.WriteLine($"{name}\t{tensor.DType.Name()}\t{shape}\t{Content(tensor)}");
        }
    }

    /// <summary>The bytes of the elements, row-major, whatever the dtype.</summary>
    private static string Content(Tensor tensor)
    {
        if (tensor.Count == 0) return "";
        using Tensor dense = tensor.Contiguous();
        using Tensor flat = dense.Op("flatten");
        using Tensor bytes = flat.Op("view.dtype", DType.UInt8);
        return System.Convert.ToHexString(bytes.AsSpan<byte>()).ToLowerInvariant();
    }

    internal static void Save(string path)
    {
        using TensorDict td = Example();
        td.Save(path);
    }

    internal static void Copy(string from, string to)
    {
        using TensorDict td = TensorDict.Open(from);
        td.Save(to);
    }

    internal static void Show(string path)
    {
        using TensorDict td = TensorDict.Open(path);
        Print(td);
    }

    /// <summary>Prints what <paramref name="get"/> returns, now and for each line on stdin.</summary>
    internal static void Again(Func<TensorDict> get)
    {
        void Once(string line)
        {
            using TensorDict td = get();
            Print(td);
            Console.WriteLine(".");
        }
        Once("");
        Program.Lines(Once);
    }

    internal static void Watch(string path)
    {
        using TensorDict td = TensorDict.Open(path);
        Again(td.Share);
    }

    /// <summary>Obeys "fill KEY VALUE", "first KEY", "make KEY" and "refresh".</summary>
    internal static void Live(string path)
    {
        using TensorDict td = TensorDict.Open(path, OpenMode.ReadWrite);
        Console.WriteLine("ready");
        Program.Lines(line =>
        {
            string[] words = line.Split(' ');
            float shown = 0;
            switch (words)
            {
                case ["refresh"]:
                    td.Refresh();
                    break;
                case ["make", var key]:
                    td.MakeMemmap(key, [2]).Dispose();
                    break;
                case ["fill" or "first", var key, ..]:
                    using (Tensor tensor = td.Get(key))
                    {
                        Span<float> elements = tensor.AsWritableSpan<float>();
                        if (words.Length > 2) elements.Fill(float.Parse(words[2], CultureInfo.InvariantCulture));
                        shown = elements[0];
                    }
                    break;
            }
            Console.WriteLine(shown.ToString(CultureInfo.InvariantCulture));
        });
    }
}
