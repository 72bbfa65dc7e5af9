using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace LibTensorDict.Tests;

public static class StorageTests
{
    private static void InFolder(Action<string> action)
    {
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

    [Test]
    public static void SavesOpenAgain() => InFolder(folder =>
    {
        using TensorDict td = CoreTests.WithX(1, 2);
        td["next", "text"] = "hello";
        foreach (string name in new[] { "save", "save.td", "save.tdz", "save.safetensors" })
        {
            string path = Path.Combine(folder, name);
            using TensorDict saved = name.EndsWith("safetensors", StringComparison.Ordinal) ? td.WithoutData()
                : td.Share();
            long reported = 0;
            saved.Save(path, new SaveOptions { Progress = (done, _) => reported = done, Threads = 2 });
            using TensorDict opened = TensorDict.Open(path);
            Check.That(saved.EqualTo(opened), name);
            Check.That(reported > 0, name);
            Check.Throws<IOException>(() => saved.Save(path));
            saved.Save(path, overwrite: true);
        }
        using TensorDict part = TensorDict.Open(Path.Combine(folder, "save"), part: "next");
        Check.Equal<object?>("hello", part.GetData("text").Value);
        TensorDict.VerifyArchive(Path.Combine(folder, "save.tdz"));
        Check.Equal(Format.Archive, TensorDict.DetectFormat(Path.Combine(folder, "save.tdz")));
        Check.Equal(Format.Consolidated, TensorDict.FormatOf("x.td"));
    });

    [Test]
    public static void ReadOnlyMemoryIsRefused() => InFolder(folder =>
    {
        string path = Path.Combine(folder, "save");
        using (TensorDict td = CoreTests.WithX(1, 2)) td.Save(path);
        using TensorDict opened = TensorDict.Open(path);
        using Tensor x = opened["x"];
        Check.That(x.IsReadOnly);
        Check.Sequence([1f, 2], x.AsSpan<float>().ToArray());
        Check.Equal(Status.Locked, Check.Throws<ITensorDictError>(() => _ = x.AsWritableSpan<float>().Length).Status);
        try
        {
            StridedView<float> view = x.View<float>();
            view[0] = 1;
            Check.That(false, "written");
        }
        catch (InvalidOperationException)
        {
        }
    });

    [Test]
    public static void DirectoriesAreLive() => InFolder(folder =>
    {
        string path = Path.Combine(folder, "live");
        using TensorDict td = CoreTests.WithX(1, 2);
        using TensorDict live = td.MemmapLike(path);
        live.MakeMemmap("y", [2, 3]).Dispose();
        using TensorDict other = TensorDict.Open(path, OpenMode.ReadWrite);
        live.CopyInto("x", td.Get("x"));
        CoreTests.Expect(other, "x", 1, 2);
        Check.That(other.IsMemmap && other.SavedPath == path);
        using TensorDict row = live[..1];
        using TensorDict copy = row.Clone();
        TensorDict.AppendMemmap(path, copy);
        other.Refresh();
        Check.Equal(3L, other.Length);
        using Tensor file = Tensor.MemmapZeros(Path.Combine(folder, "t"), [2, 2], DType.Int64);
        Check.Equal(Path.Combine(folder, "t"), file.SavedPath);
    });

    [Test]
    public static void Hdf5StaysInItsFile() => InFolder(folder =>
    {
        if (!Library.HasFeature("hdf5")) return;
        string path = Path.Combine(folder, "x.h5");
        using (TensorDict made = TensorDict.CreateHdf5(path, [2]))
        {
            using Tensor x = CoreTests.Numbers(1, 2);
            made["x"] = x;
            Check.That(made.IsHdf5Writable);
        }
        using TensorDict opened = TensorDict.OpenHdf5(path);
        CoreTests.Expect(opened, "x", 1, 2);
        opened.CloseHdf5();
    });

    [Test]
    public static void SegmentsShareAndWake()
    {
        string name = $"td-cs-{Environment.ProcessId}-segment";
        using TensorDict td = CoreTests.WithX(1, 2);
        using Segment owner = Segment.Create(name, td, snapshots: 2, replaceDead: true);
        using Segment reader = Segment.Open(name);
        using TensorDict seen = reader.Dict;
        CoreTests.Expect(seen, "x", 1, 2);
        using (TensorDict twice = td * 2) owner.Update(twice);
        CoreTests.Expect(seen, "x", 2, 4);
        using (TensorDict snapshot = reader.Snapshot()) CoreTests.Expect(snapshot, "x", 2, 4);
        ulong version = reader.Version;
        Check.Throws<TimeoutException>(() => reader.Wait(version, TimeSpan.FromMilliseconds(20)));
        using var cancel = new CancellationTokenSource(30);
        var cancelled = Check.Throws<OperationCanceledException>(() => reader.Wait(version, token: cancel.Token));
        Check.Equal(cancel.Token, cancelled.CancellationToken);
        var writer = new Thread(() => owner.Update(td));
        writer.Start();
        Check.That(reader.Wait(version) > version);
        writer.Join();
        Check.That(Segment.List(name).Length == 1);
        Check.Throws<TimeoutException>(() => Segment.Open(name + ".none", TimeSpan.FromMilliseconds(20)));
        using var descriptor = new Microsoft.Win32.SafeHandles.SafeFileHandle(Segment.Export(td), true);
        using Segment sealedCopy = Segment.Import((int)descriptor.DangerousGetHandle());
        using TensorDict imported = sealedCopy.Dict;
        CoreTests.Expect(imported, "x", 1, 2);
        Check.That(File.Exists(owner.Path));
    }
}
