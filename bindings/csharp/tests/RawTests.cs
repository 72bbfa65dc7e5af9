using System;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict.Tests;

public static class RawTests
{
    [Test]
    public static void StructsAreThoseOfC()
    {
        foreach ((string what, long here, long c) in Layout.All()) Check.Equal(c, here, what);
    }

    [Test]
    public static void EveryFunctionIsInTheLibrary()
    {
        Check.Equal(Api.TD_ABI_MAJOR, Api.td_abi_version());
        string? folder = Environment.GetEnvironmentVariable("TENSORDICT_LIB_DIR");
        nint library = NativeLibrary.Load($"{folder}/libtensordict.so.{Api.TD_ABI_MAJOR}");
        foreach (string name in Layout.Functions) Check.That(NativeLibrary.TryGetExport(library, name, out _),
            $"{name} is missing");
    }
}
