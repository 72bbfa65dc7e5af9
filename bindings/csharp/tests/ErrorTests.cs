using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace LibTensorDict.Tests;

public static class ErrorTests
{
    private static void Is<T>(Status status, Action action) where T : Exception
    {
        var error = Check.Throws<ITensorDictError>(action);
        Check.Equal(status, error.Status);
        Check.That(error is T, $"{status} is a {error.GetType().Name}, not a {typeof(T).Name}");
        Check.That(((Exception)error).Message.Length > 0);
    }

    [Test]
    public static void ErrorsAreThoseOfThePlatform()
    {
        using TensorDict td = CoreTests.WithX(1, 2);
        using Tensor three = Tensor.Zeros(3);
        Is<KeyNotFoundException>(Status.Key, () => _ = td["missing"]);
        Is<ArgumentException>(Status.Shape, () => td["y"] = three);
        Is<ArgumentOutOfRangeException>(Status.Index, () => td.Unbind(3));
        Is<ArgumentException>(Status.DType, () => DTypes.Parse("no such dtype"));
        Is<ArgumentException>(Status.Device, () => TensorDict.On("no such device"));
        Is<FileNotFoundException>(Status.NotFound, () => TensorDict.Open("/no/such/save"));
        Is<FileNotFoundException>(Status.NotFound, () => Operator.Find("no such operator"));
        Is<NotSupportedException>(Status.Unsupported, () => td.Members());
        Is<ArgumentException>(Status.Argument, () => TensorDict.Stack([]));
        td.Lock();
        Is<InvalidOperationException>(Status.Locked, () => td.Remove("x"));
        using TensorDict same = CoreTests.WithX(1, 2);
        string name = $"td-cs-{Environment.ProcessId}-errors";
        using Segment segment = Segment.Create(name, same);
        Is<IOException>(Status.Exists, () => Segment.Create(name, same));
    }

    [Test]
    public static void ErrorsSayWhereAndWhatToDo()
    {
        using TensorDict td = CoreTests.WithX(1, 2);
        try
        {
            _ = td["next", "obs"];
            Check.That(false);
        }
        catch (KeyNotFoundException e) when (e is ITensorDictError t)
        {
            Check.Equal("(\"next\", \"obs\")", t.Key);
            Check.That(e.Message.Contains("next"), e.Message);
        }
        var locked = Check.Throws<ITensorDictError>(() =>
        {
            td.Lock();
            td.Remove("x");
        });
        Check.That(locked.Hint is { Length: > 0 });
        var file = Check.Throws<FileNotFoundException>(() => TensorDict.Open("/no/such/save"));
        Check.Equal("/no/such/save", file.FileName);
    }

    [Test]
    public static void HintsNameTheMethodsOfThisBinding()
    {
        using TensorDict td = new(2, 3);
        using Tensor x = Tensor.Zeros(2, 3);
        td["x"] = x;
        using TensorDict turned = td.Transpose(0, 1);
        var error = Check.Throws<ITensorDictError>(() => turned.View(6));
        Check.That(error.Hint!.Contains("TensorDict.Reshape"), error.Hint);
        Check.That(!((Exception)error).Message.Contains("td_"), ((Exception)error).Message);
    }

    private sealed class OwnException(int number) : Exception("own")
    {
        public int Number { get; } = number;
    }

    [Test]
    public static void ExceptionsOfCallbacksComeBackAsThemselves()
    {
        using TensorDict td = CoreTests.WithX(1, 2);
        var thrown = new OwnException(7);
        Tensor Throwing(Tensor x) => throw thrown;
        var caught = Check.Throws<OwnException>(() => td.Map(Throwing));
        Check.That(ReferenceEquals(thrown, caught));
        Check.That(caught.StackTrace!.Contains(nameof(ExceptionsOfCallbacksComeBackAsThemselves)),
            "where it was thrown");
        // Through two layers of the library.
        using Module inner = Module.Create(["x"], ["y"], (Func<Tensor, Tensor>)Throwing);
        using Module outer = Module.Wrap(data =>
        {
            inner.Forward(data);
            return data.Share();
        }, ["x"], ["y"]);
        using Module sequence = Module.Sequential(outer);
        Check.That(ReferenceEquals(thrown, Check.Throws<OwnException>(() => sequence.Forward(td))));
        // An error of the library inside of a callback too.
        var key = Check.Throws<KeyNotFoundException>(() => td.Map(x =>
        {
            using TensorDict none = new();
            return none["missing"];
        }));
        Check.Equal(Status.Key, ((ITensorDictError)key).Status);
        Check.Throws<OperationCanceledException>(() =>
            td.Save(Path.Combine(Path.GetTempPath(), $"td-cs-{Environment.ProcessId}"),
            new SaveOptions { Progress = (_, _) => throw new OperationCanceledException() }));
    }
}
