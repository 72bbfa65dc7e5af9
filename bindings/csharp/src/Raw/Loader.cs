#nullable enable
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]
[module: SkipLocalsInit]

namespace LibTensorDict.Raw;

/// <summary>Finds libtensordict: in the directory that TENSORDICT_LIB_DIR names, else in the one that pkg-config names,
/// else where the package or the system has it.</summary>
internal static unsafe class Loader
{
    private static readonly object Guard = new();
    private static nint library;

    private static string FileName => OperatingSystem.IsMacOS() ? $"libtensordict.{Api.TD_ABI_MAJOR}.dylib"
        : OperatingSystem.IsWindows() ? $"tensordict-{Api.TD_ABI_MAJOR}.dll" : $"libtensordict.so.{Api.TD_ABI_MAJOR}";

    [ModuleInitializer]
    internal static void Register() => NativeLibrary.SetDllImportResolver(typeof(Api).Assembly, Resolve);

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? search)
    {
        if (name != Api.Library) return 0;
        lock (Guard) return library != 0 ? library : library = Find(assembly, search);
    }

    private static nint Find(Assembly assembly, DllImportSearchPath? search)
    {
        var tried = new List<string>();
        string? named = Environment.GetEnvironmentVariable("TENSORDICT_LIB_DIR");
        foreach (string? directory in string.IsNullOrEmpty(named) ? [FromPackageConfig()] : new[] { named })
        {
            if (string.IsNullOrEmpty(directory)) continue;
            string path = Path.Combine(directory, FileName);
            if (NativeLibrary.TryLoad(path, out nint found)) return Checked(found, path);
            tried.Add(path);
        }
        if (string.IsNullOrEmpty(named))
        {
            if (NativeLibrary.TryLoad(FileName, assembly, search, out nint found)) return Checked(found, FileName);
            tried.Add(FileName);
        }
        string files = string.Join(" or ", tried);
        throw new LibraryNotFoundException($"libtensordict was not found: cannot load {files}; {Hint}");
    }

    private static string Hint =>
        $"install libtensordict with ABI {Api.TD_ABI_MAJOR} (make install, or your distribution's package) and set "
        + $"TENSORDICT_LIB_DIR to the directory that has {FileName}, or make pkg-config or the system's loader find it";

    private static nint Checked(nint found, string path)
    {
        int abi = NativeLibrary.TryGetExport(found, "td_abi_version", out nint version)
            ? ((delegate* unmanaged[Cdecl]<int>)version)() : 0;
        if (abi == Api.TD_ABI_MAJOR) return found;
        throw new LibraryNotFoundException($"{path} has ABI {abi}, this package needs {Api.TD_ABI_MAJOR}; {Hint}");
    }

    private static string? FromPackageConfig()
    {
        try
        {
            var start = new ProcessStartInfo("pkg-config", ["--variable=libdir", "tensordict"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process? said = Process.Start(start);
            string? directory = said?.StandardOutput.ReadToEnd().Trim();
            said?.WaitForExit();
            return said?.ExitCode == 0 ? directory : null;
        }
        catch (Exception e) when (e is System.ComponentModel.Win32Exception or PlatformNotSupportedException)
        {
            return null; // no pkg-config here
        }
    }
}
