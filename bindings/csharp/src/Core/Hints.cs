#nullable enable
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;

namespace LibTensorDict;

/// <summary>Hints of the library with the names that its functions have here. The library writes them as
/// "make a dense copy with {dict_contiguous} first".</summary>
internal static class Hints
{
    private static readonly Dictionary<string, string> Classes = new()
    {
        ["dict"] = "TensorDict",
        ["tensor"] = "Tensor",
        ["module"] = "Module",
        ["dist"] = "Distribution",
        ["query"] = "Query",
        ["segment"] = "Segment",
        ["channel"] = "Channel",
        ["plugins"] = "Plugins",
        ["op"] = "Operator",
        ["OPEN"] = "OpenMode",
        ["FORMAT"] = "Format",
        ["QUERY"] = "QueryFlags",
    };

    // Where the rule below would give another name than the method has.
    private static readonly Dictionary<string, string> Names = new()
    {
        ["module_tensordict"] = "Module.OnKeys",
        ["dict_to_tensordict"] = "TensorDict.ToTensorDict",
        ["pointwise_options"] = "MissingLeaves",
        ["reduce_options"] = "TensorDict.Over",
        ["QUERY_MAP_WRITE"] = "QueryMapMode.Write",
        ["QUERY_MAP_COPY"] = "QueryMapMode.Copy",
        ["tensor_copy_from"] = "Tensor.From",
        ["open"] = "TensorDict.Open",
        ["dtype"] = "DType",
        ["dict_lazy_new"] = "TensorDict.EmptyLazyStack",
        ["dict_index"] = "an index",
        ["dict_from_modules"] = "Module.StackStates",
        ["dict_filter_non_tensor_data"] = "TensorDict.WithoutData",
        ["archive_refresh_checksums"] = "TensorDict.RefreshArchive",
        ["DATA_STR"] = "text",
    };

    internal static string Named(string format) =>
        Regex.Replace(format, @"\{(\w+)\}", match => Name(match.Groups[1].Value), RegexOptions.CultureInvariant);

    private static string Name(string name)
    {
        if (Names.TryGetValue(name, out string? own)) return own;
        int at = name.IndexOf('_');
        if (at < 0 || !Classes.TryGetValue(name[..at], out string? type)) return $"td_{name}";
        string words = name[(at + 1)..].Replace('_', ' ').ToLowerInvariant();
        return $"{type}.{CultureInfo.InvariantCulture.TextInfo.ToTitleCase(words).Replace(" ", "")}";
    }
}
