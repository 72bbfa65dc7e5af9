using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Net.Sockets;
using System.Threading;

namespace LibTensorDict.Tests;

/// <summary>Dicts on a server that each test starts, on a socket in its own directory.</summary>
public static class RemoteTests
{
    private sealed class Server(string folder, Process process)
    {
        internal string Url(string rest = "?id=replay") => $"unix://{folder}/s{rest}";

        internal void Stop()
        {
            process.Kill();
            process.WaitForExit();
        }
    }

    private static void Skip(string why) => Console.WriteLine($"RemoteTests: SKIPPED, NOTHING WAS TESTED: {why}");

    private static void InFolder(Action<string> action)
    {
        if (!Library.HasFeature("redis"))
        {
            Skip("the library was built without libhiredis");
            return;
        }
        string folder = Directory.CreateTempSubdirectory("td-cs-").FullName;
        try
        {
            action(folder);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    private static void WithServer(Action<Server> action) => InFolder(folder =>
    {
        using Process? process = Start("redis-server", folder) ?? Start("valkey-server", folder);
        if (process == null)
        {
            Skip("there is neither redis-server nor valkey-server");
            return;
        }
        var server = new Server(folder, process);
        try
        {
            Await(Path.Combine(folder, "s"));
            action(server);
        }
        finally
        {
            server.Stop();
        }
    });

    /// <summary>Null if there is no such program.</summary>
    private static Process? Start(string name, string folder)
    {
        string[] arguments = ["--port", "0", "--unixsocket", "s", "--save", "", "--logfile", "log"];
        try
        {
            return Process.Start(new ProcessStartInfo(name, arguments) { WorkingDirectory = folder });
        }
        catch (Win32Exception)
        {
            return null;
        }
    }

    private static void Await(string path)
    {
        for (int i = 0; i < 1000; i++)
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                socket.Connect(new UnixDomainSocketEndPoint(path));
                return;
            }
            catch (SocketException)
            {
                Thread.Sleep(10);
            }
        }
        Check.That(false, "the server does not answer");
    }

    [Test]
    public static void OthersSeeEachChange() => WithServer(server =>
    {
        using TensorDict replay = TensorDict.CreateRemote(server.Url(), [3]);
        using Tensor zeros = Tensor.From(new float[6], 3, 2);
        replay["next", "obs"] = zeros;
        using TensorDict other = TensorDict.OpenRemote(server.Url(), OpenMode.ReadWrite, TimeSpan.FromSeconds(20));
        Check.Equal(DictKind.Persistent, other.Kind);
        Check.Sequence([3L], other.BatchSize);
        using var rows = new TensorDict(2);
        using Tensor obs = Tensor.From([1f, 2, 3, 4], 2, 2);
        rows["next", "obs"] = obs;
        other[1..3] = rows;
        CoreTests.Expect(replay, ("next", "obs"), 0, 0, 1, 2, 3, 4);
    });

    [Test]
    public static void AnIdIsTakenOnce() => WithServer(server =>
    {
        Check.Throws<TensorDictNotFoundException>(() => TensorDict.OpenRemote(server.Url()));
        using TensorDict made = TensorDict.CreateRemote(server.Url(), []);
        Check.Sequence([], made.BatchSize);
        Check.Throws<TensorDictExistsException>(() => TensorDict.CreateRemote(server.Url(), []));
        Check.Throws<TensorDictShapeException>(() => TensorDict.CreateRemote(server.Url("?id=y"), [-1]));
    });

    [Test]
    public static void WhatIsOpenedToBeReadIsNotWritten() => WithServer(server =>
    {
        using TensorDict source = CoreTests.WithX(1, 2);
        using (TensorDict made = TensorDict.CreateRemote(server.Url(), [2])) made.Update(source);
        using TensorDict reader = TensorDict.OpenRemote(server.Url());
        Check.Throws<TensorDictLockedException>(() => reader[..1] = source[..1]);
        Check.Throws<TensorDictLockedException>(() => reader.RemoteUpdateIf(source, reader.RemoteVersion()));
        CoreTests.Expect(reader, "x", 1, 2);
    });

    [Test]
    public static void UpdatesNeedTheVersionThatWasRead() => WithServer(server =>
    {
        using TensorDict one = TensorDict.CreateRemote(server.Url(), [2]);
        using TensorDict other = TensorDict.OpenRemote(server.Url(), OpenMode.ReadWrite);
        using TensorDict first = CoreTests.WithX(1, 2), second = CoreTests.WithX(3, 4);
        long version = one.RemoteVersion();
        other.RemoteUpdateIf(first, version);
        Check.Throws<TensorDictBusyException>(() => one.RemoteUpdateIf(second, version));
        CoreTests.Expect(one, "x", 1, 2);
        Check.That(one.RemoteVersion() > version);
        one.RemoteUpdateIf(second, one.RemoteVersion());
        CoreTests.Expect(other, "x", 3, 4);
    });

    [Test]
    public static void OnlyDictsOnServersHaveAVersion()
    {
        using TensorDict td = CoreTests.WithX(1);
        Check.Throws<TensorDictUnsupportedException>(() => td.RemoteVersion());
        Check.Throws<TensorDictUnsupportedException>(() => td.RemoteUpdateIf(td, 0));
    }

    [Test]
    public static void ListsWhatWasNotRemoved() => WithServer(server =>
    {
        foreach (string id in new[] { "b", "ä", "a" }) TensorDict.CreateRemote(server.Url($"?id={id}"), []).Dispose();
        Check.Sequence(["a", "b", "ä"], TensorDict.ListRemote(server.Url("")));
        TensorDict.RemoveRemote(server.Url("?id=b"));
        Check.Sequence(["a", "ä"], TensorDict.ListRemote(server.Url(""), TimeSpan.FromSeconds(20)));
        Check.Throws<TensorDictNotFoundException>(() => TensorDict.RemoveRemote(server.Url("?id=b")));
        Check.Sequence([], TensorDict.ListRemote(server.Url("?prefix=another")));
    });

    [Test]
    public static void AServerThatIsGoneIsClosed() => WithServer(server =>
    {
        using TensorDict replay = TensorDict.CreateRemote(server.Url(), []);
        server.Stop();
        Check.Throws<TensorDictClosedException>(() => replay.RemoteVersion());
        Check.Throws<TensorDictClosedException>(() => TensorDict.OpenRemote(server.Url()));
    });

    [Test]
    public static void TheDictKnowsItsUrlAndCloses() => WithServer(server =>
    {
        using TensorDict replay = TensorDict.CreateRemote(server.Url(), []);
        Check.Equal(server.Url("?db=0&id=replay"), replay.Hdf5File);
        Check.That(replay.IsHdf5Writable);
        replay.CloseHdf5();
        Check.Throws<TensorDictClosedException>(() => replay.RemoteVersion());
    });

    [Test]
    public static void WaitingForAServerEnds() => InFolder(folder =>
    {
        using var silent = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        silent.Bind(new UnixDomainSocketEndPoint(Path.Combine(folder, "s")));
        silent.Listen();
        string url = $"unix://{folder}/s";
        var waits = new List<Action<TimeSpan>>
        {
            timeout => TensorDict.OpenRemote($"{url}?id=x", timeout: timeout),
            timeout => TensorDict.CreateRemote($"{url}?id=x", [2], timeout),
            timeout => TensorDict.ListRemote(url, timeout),
            timeout => TensorDict.RemoveRemote($"{url}?id=x", timeout),
        };
        foreach (Action<TimeSpan> wait in waits)
        {
            var error = Check.Throws<TensorDictTimeoutException>(() => wait(TimeSpan.FromMilliseconds(19.5)));
            Check.That(error.Message.Contains("within 20 ms"), error.Message);
            Check.Throws<TensorDictTimeoutException>(() => wait(TimeSpan.Zero));
            Check.Throws<TensorDictArgumentException>(() => wait(Timeout.InfiniteTimeSpan));
            Check.Throws<TensorDictArgumentException>(() => wait(TimeSpan.FromTicks(-1)));
        }
    });

    [Test]
    public static void BadUrlsAndModesAreArguments() => InFolder(folder =>
    {
        Check.Throws<TensorDictArgumentException>(() => TensorDict.OpenRemote("http://x?id=y"));
        Check.Throws<TensorDictArgumentException>(() => TensorDict.OpenRemote($"unix://{folder}/s"));
        Check.Throws<TensorDictArgumentException>(() => TensorDict.ListRemote($"unix://{folder}/s?id=x"));
        Check.Throws<TensorDictArgumentException>(() =>
            TensorDict.OpenRemote($"unix://{folder}/s?id=x", OpenMode.Cow));
    });
}
