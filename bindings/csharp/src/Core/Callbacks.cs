#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>What C# gives the library to call: delegates behind a word of userdata, and exceptions behind an error, so
/// that none crosses the frames of the library.</summary>
internal static unsafe class Callbacks
{
    // One address for the life of the process: it also tells our errors from those of other languages.
    internal static readonly delegate* unmanaged[Cdecl]<void*, void> Destroy = &Free;
    private static readonly delegate* unmanaged[Cdecl]<void*, td_error**, Status> RunFunction = &Run;

    /// <summary>Keeps an object for the library until it calls <see cref="Destroy"/> with the result.</summary>
    internal static void* Hold(object target) => (void*)GCHandle.ToIntPtr(GCHandle.Alloc(target));

    internal static T Held<T>(void* userdata) where T : class => (T)GCHandle.FromIntPtr((nint)userdata).Target!;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Free(void* userdata)
    {
        GCHandle handle = GCHandle.FromIntPtr((nint)userdata);
        object? target = handle.Target;
        handle.Free();
        (target as IDisposable)?.Dispose(); // pinned memory
    }

    /// <summary>Reports an exception to the library; whoever called it gets the exception back.</summary>
    internal static Status Fail(Exception e, td_error** err)
    {
        Status status = Errors.StatusOf(e);
        if (err == null) return status;
        byte* memory = stackalloc byte[Frame.Size];
        using var c = new Frame(memory);
        *err = Api.td_error_new_with(status, c.String($"{e.GetType().Name}: {e.Message}"),
            Hold(ExceptionDispatchInfo.Capture(e)), Destroy);
        return status;
    }

    /// <summary>The exception that the error carries, if C# made it.</summary>
    internal static ExceptionDispatchInfo? Thrown(td_error* err)
    {
        void* userdata = Api.td_error_userdata(err, Destroy);
        return userdata == null ? null : Held<ExceptionDispatchInfo>(userdata);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Run(void* userdata, td_error** err)
    {
        try
        {
            Held<Action>(userdata)();
            return Status.Ok;
        }
        catch (Exception e)
        {
            return Fail(e, err);
        }
    }

    internal delegate void Runner(delegate* unmanaged[Cdecl]<void*, td_error**, Status> fn, void* userdata);

    /// <summary>Runs an action inside of a call of the library.</summary>
    internal static void RunInside(Action action, Runner inside)
    {
        GCHandle handle = GCHandle.Alloc(action ?? throw new ArgumentNullException(nameof(action)));
        try
        {
            inside(RunFunction, (void*)GCHandle.ToIntPtr(handle));
        }
        finally
        {
            handle.Free();
        }
    }

    /// <summary>Gives results to the library: a reference of its own for each, then ours are dropped with the
    /// arguments.</summary>
    internal static void Give(Tensor?[] made, td_tensor** to, nuint n)
    {
        if ((nuint)made.Length != n)
            throw new ArgumentException($"The function returned {made.Length} tensors where {n} are expected.");
        foreach (Tensor? one in made) _ = NativeObject.PointerOrNull(one); // all or none
        for (int i = 0; i < made.Length; i++)
        {
            to[i] = (td_tensor*)NativeObject.PointerOrNull(made[i]);
            Api.td_tensor_retain(to[i]);
        }
        DisposeAll(made);
    }

    internal static void DisposeAll<T>(T?[]? objects) where T : class, IDisposable
    {
        foreach (T? one in objects ?? []) one?.Dispose();
    }
}
