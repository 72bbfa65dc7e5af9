#nullable enable
using System;
using System.Text;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>Results of C as objects of C#.</summary>
internal static unsafe class Marshalled
{
    internal static byte Byte(bool truth) => truth ? (byte)1 : (byte)0;

    /// <summary>Text; null if it is absent.</summary>
    internal static string? Text(td_str text) =>
        text.data == null ? null : Encoding.UTF8.GetString(new ReadOnlySpan<byte>(text.data, checked((int)text.size)));

    internal static string TakeString(td_string* text)
    {
        string made = Text(Api.td_string_view(text)) ?? "";
        Api.td_string_release(text);
        return made;
    }

    internal static Key[] TakeKeys(td_keys* keys)
    {
        td_key* view;
        nuint n;
        Key[] made = [];
        if (Api.td_keys_view(keys, &view, &n, null) == Status.Ok)
        {
            made = new Key[(int)n];
            for (int i = 0; i < made.Length; i++) made[i] = Key.From(view + i);
        }
        Api.td_keys_release(keys);
        return made;
    }

    internal static Tensor[] TakeTensors(td_tensor_list* list)
    {
        td_tensor** view;
        nuint n;
        Tensor[] made = [];
        if (Api.td_tensor_list_view(list, &view, &n, null) == Status.Ok)
        {
            made = new Tensor[(int)n];
            for (int i = 0; i < made.Length; i++) made[i] = Tensor.Borrow(view[i])!;
        }
        Api.td_tensor_list_release(list);
        return made;
    }

    internal static TensorDict[] TakeDicts(td_dict_list* list)
    {
        td_dict** view;
        nuint n;
        TensorDict[] made = [];
        if (Api.td_dict_list_view(list, &view, &n, null) == Status.Ok)
        {
            made = new TensorDict[(int)n];
            for (int i = 0; i < made.Length; i++) made[i] = TensorDict.Borrow(view[i]);
        }
        Api.td_dict_list_release(list);
        return made;
    }

    internal static Data TakeData(td_data_list* list)
    {
        Data made = Data.Read(list);
        Api.td_data_list_release(list);
        return made;
    }

    internal delegate nuint Filler(long* sizes, nuint capacity);

    /// <summary>Asks a function that fills an array and returns how many elements there are.</summary>
    internal static long[] Sizes(Filler fill)
    {
        long* few = stackalloc long[8];
        nuint n = fill(few, 8);
        if (n <= 8) return new ReadOnlySpan<long>(few, (int)n).ToArray();
        var many = new long[(int)n];
        fixed (long* at = many) fill(at, n);
        return many;
    }
}
