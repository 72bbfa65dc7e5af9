#nullable enable
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace LibTensorDict;

/// <summary>Completes tasks when descriptors become readable: one thread for all of a process, and none before the
/// first wait.</summary>
internal static class Poller
{
    [StructLayout(LayoutKind.Sequential)]
    private struct PollFd
    {
        internal int Descriptor;
        internal short Events, Found;
    }

    private const short Readable = 1;
    private const int CloseOnExec = 0x80000, NonBlocking = 0x800; // of Linux

    [DllImport("libc", ExactSpelling = true)] private static extern unsafe int poll(PollFd* fds, nuint n, int timeout);
    [DllImport("libc", ExactSpelling = true)] private static extern unsafe int pipe2(int* ends, int flags);
    [DllImport("libc", ExactSpelling = true)] private static extern unsafe nint read(int fd, void* to, nuint n);
    [DllImport("libc", ExactSpelling = true)] private static extern unsafe nint write(int fd, void* from, nuint n);

    private sealed class Waiter(int descriptor)
        : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        internal int Descriptor { get; } = descriptor;
    }

    private static readonly object Guard = new();
    private static readonly List<Waiter> Waiting = [];
    private static int wakeRead = -1, wakeWrite = -1;

    /// <summary>Completes when the descriptor is readable, or the token ends the wait.</summary>
    internal static async Task Wait(int descriptor, CancellationToken token)
    {
        var waiter = new Waiter(descriptor);
        lock (Guard)
        {
            Start();
            Waiting.Add(waiter);
        }
        Wake();
        using (token.UnsafeRegister(static (one, why) => ((Waiter)one!).TrySetCanceled(why), waiter))
        {
            try
            {
                await waiter.Task.ConfigureAwait(false);
            }
            finally
            {
                // The thread must not look at a descriptor that may be closed next.
                bool left;
                lock (Guard) left = Waiting.Remove(waiter);
                if (left) Wake();
            }
        }
    }

    private static unsafe void Start()
    {
        if (wakeRead >= 0) return;
        int* ends = stackalloc int[2];
        if (pipe2(ends, CloseOnExec | NonBlocking) != 0)
            throw new System.IO.IOException($"no pipe: error {Marshal.GetLastSystemError()}");
        (wakeRead, wakeWrite) = (ends[0], ends[1]);
        new Thread(Loop) { IsBackground = true, Name = "TensorDict poller" }.Start();
    }

    private static unsafe void Wake()
    {
        byte one = 1;
        write(wakeWrite, &one, 1);
    }

    private static unsafe void Loop()
    {
        byte* drained = stackalloc byte[256];
        while (true)
        {
            Waiter[] now;
            lock (Guard) now = Waiting.ToArray();
            var fds = new PollFd[now.Length + 1];
            fds[0] = new PollFd { Descriptor = wakeRead, Events = Readable };
            for (int i = 0; i < now.Length; i++) fds[i + 1] =
                new PollFd { Descriptor = now[i].Descriptor, Events = Readable };
            int found;
            fixed (PollFd* at = fds) found = poll(at, (nuint)fds.Length, -1);
            if (found <= 0) continue; // interrupted
            if (fds[0].Found != 0) read(wakeRead, drained, 256);
            for (int i = 0; i < now.Length; i++)
            {
                if (fds[i + 1].Found == 0) continue;
                lock (Guard) Waiting.Remove(now[i]);
                now[i].TrySetResult();
            }
        }
    }
}
