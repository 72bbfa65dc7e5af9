#nullable enable
using System;
using System.Threading;

namespace LibTensorDict;

/// <summary>One reference to an object of the library. <see cref="Dispose"/> gives it back; what is not disposed of,
/// the garbage collector gives back on its own thread.</summary>
/// <remarks>As with collections, an object must not be disposed of while another thread uses it.</remarks>
public abstract unsafe class NativeObject : IDisposable
{
    private nint handle;

    private protected NativeObject(void* handle) => this.handle = (nint)handle;

    /// <summary>Gives the reference back if nobody did.</summary>
    ~NativeObject() => Close();

    /// <summary>Gives the reference back; again is harmless.</summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Whether the reference was given back.</summary>
    public bool IsDisposed => handle == 0;

    /// <summary>The handle of C, for use with <see cref="Raw.Api"/>. It is borrowed: keep this object alive.</summary>
    public void* Pointer
    {
        get
        {
            nint now = handle;
            if (now == 0) Closed();
            return (void*)now;
        }
    }

    /// <summary>Refuses a disposed object before the library is to own a delegate.</summary>
    private protected void Alive() => _ = Pointer;

    internal static void* PointerOrNull(NativeObject? of) => of == null ? null : of.Pointer;

    /// <summary>What C calls td_X_release.</summary>
    private protected abstract void Release(void* pointer);

    /// <summary>Puts another reference in the place of this one, which is returned: 0 if there was none.</summary>
    private protected nint Exchange(void* next)
    {
        nint before = handle;
        handle = (nint)next;
        if (before == 0) GC.ReRegisterForFinalize(this); // Dispose had ended that
        return before;
    }

    private void Close()
    {
        nint mine = Interlocked.Exchange(ref handle, 0);
        if (mine != 0) Release((void*)mine);
    }

    private void Closed() => throw new ObjectDisposedException(GetType().Name);
}
