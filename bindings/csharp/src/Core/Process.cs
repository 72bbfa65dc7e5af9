#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The loaded library, and what holds for the whole process.</summary>
public static unsafe class Library
{
    private static readonly delegate* unmanaged[Cdecl]<void*, td_str, td_str, void> WarnFunction = &Warn;

    /// <summary>The version of the loaded library, for instance "0.2.0".</summary>
    public static string Version => Native.version()!;
    /// <summary>How it was built, as a dict.</summary>
    public static TensorDict BuildInfo() => TensorDict.FromJson(Native.build_info());
    /// <summary>Whether this build has a feature, for instance "hdf5" or "archive".</summary>
    public static bool HasFeature(string name) => Native.has_feature(name);

    /// <summary>How many references to objects of a kind are held now; leak tests compare before and after.</summary>
    public static long LiveObjects(ObjectKind kind) => Native.live_objects(kind);

    /// <summary>The kinds of which references are held now, with their numbers.</summary>
    public static IReadOnlyDictionary<ObjectKind, long> LiveObjects()
    {
        var live = new SortedDictionary<ObjectKind, long>();
        for (var kind = (ObjectKind)0; Native.live_objects(kind) is >= 0 and var n; kind++)
        {
            if (n > 0) live.Add(kind, n);
        }
        return live;
    }

    /// <summary>How many bytes of files and segments are mapped now.</summary>
    public static long LiveBytes => Native.live_bytes();

    /// <summary>How many threads LibTorch uses inside one operator.</summary>
    public static int Threads
    {
        get => Native.get_num_threads();
        set => Native.set_num_threads(value);
    }

    /// <summary>How much the library may use its own code instead of LibTorch's operators; results are the
    /// same.</summary>
    public static FastLevel FastLevel
    {
        get => Native.get_fast_level();
        set => Native.set_fast_level(value);
    }

    /// <summary>Seeds LibTorch's default generators, for the whole process.</summary>
    public static void Seed(ulong seed) => Native.manual_seed(seed);

    /// <summary>Whether operations on this thread are recorded.</summary>
    public static bool IsGradEnabled => Native.is_grad_enabled();

    /// <summary>Makes the library usable in a forked child; call it first there.</summary>
    public static void AfterFork() => Native.after_fork();

    /// <summary>Sets what gets the warnings of LibTorch with their place, for the whole process; null drops them. What
    /// it throws is dropped too.</summary>
    public static void OnWarning(Action<string, string>? warned)
    {
        if (warned == null)
        {
            Native.set_warning_callback(null);
            return;
        }
        var function = new td_warning_function { fn = WarnFunction, userdata = Callbacks.Hold(warned),
            destroy = Callbacks.Destroy };
        Native.set_warning_callback(&function);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Warn(void* userdata, td_str text, td_str where)
    {
        try
        {
            Callbacks.Held<Action<string, string>>(userdata)(Marshalled.Text(text) ?? "", Marshalled.Text(where) ?? "");
        }
        catch (Exception)
        {
            // No exception may pass the library, and nobody waits for this one.
        }
    }

    /// <summary>Runs an action without recording on this thread. Afterwards the thread is as before.</summary>
    /// <remarks>It ends when the action returns, so nothing leaks over an await: await outside of it.</remarks>
    public static void NoGrad(Action action) => Callbacks.RunInside(action, Native.no_grad_run);

    /// <summary>Runs a function without recording on this thread and returns its result.</summary>
    public static T NoGrad<T>(Func<T> function)
    {
        T made = default!;
        NoGrad(() => { made = function(); });
        return made;
    }

    /// <summary>An async function would go on after the scope, on any thread.</summary>
    [Obsolete("NoGrad ends at the first await: call it inside of the async function.", error: true)]
    public static void NoGrad(Func<Task> function) => throw new NotSupportedException();

    /// <summary>Runs an action with another way to take values from distributions on this thread.</summary>
    public static void WithInteraction(Interaction interaction, Action action) =>
        Callbacks.RunInside(action, (fn, userdata) => Native.interaction_run(interaction, fn, userdata));

    /// <summary>How values are taken from distributions on this thread.</summary>
    public static Interaction Interaction => Native.interaction_get();
}
