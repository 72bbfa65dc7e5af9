#nullable enable
using System;
using System.Threading;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The library's side of a <see cref="CancellationToken"/>.</summary>
internal sealed unsafe class Cancel : NativeObject
{
    private Cancel(td_cancel* cancel) : base(cancel) { }

    internal static Cancel Take(td_cancel* cancel) => new(cancel);
    private protected override void Release(void* pointer) => Api.td_cancel_release((td_cancel*)pointer);

    /// <summary>Runs a wait that ends when the token says so; then it throws what the token throws.</summary>
    internal static T During<T>(CancellationToken token, Func<Cancel?, T> wait)
    {
        if (!token.CanBeCanceled) return wait(null);
        token.ThrowIfCancellationRequested();
        using Cancel cancel = Native.cancel_new();
        using (token.UnsafeRegister(static one => Native.cancel_request((Cancel)one!), cancel))
        {
            try
            {
                return wait(cancel);
            }
            catch (TensorDictCancelledException e)
            {
                throw new OperationCanceledException(e.Message, e, token);
            }
        }
    }

    internal static long Milliseconds(TimeSpan? timeout) =>
        timeout is { } given && given != Timeout.InfiniteTimeSpan ? checked((long)Math.Ceiling(given.TotalMilliseconds))
            : -1;
}
