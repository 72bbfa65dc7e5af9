using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace LibTensorDict.Tests.Replay;

public sealed partial class Program
{
    private static readonly Dictionary<string, KeysFlags> KeyFlags = new()
    {
        ["nested"] = KeysFlags.Nested,
        ["leaves"] = KeysFlags.Leaves,
        ["sorted"] = KeysFlags.Sorted,
        ["children_first"] = KeysFlags.ChildrenFirst,
        ["data"] = KeysFlags.Data,
    };

    private static bool IsData(object? spec) => spec is Obj o && (o.Has("one") || o.Has("stack"));

    private static IEnumerable<object?> Flat(object? v, int depth) =>
        depth == 0 ? [DataOf(v).Value] : ((List<object?>)v!).SelectMany(one => Flat(one, depth - 1));

    private void Set(TensorDict dict, Key key, object? spec)
    {
        if (spec is Obj { } data && IsData(spec))
        {
            dict.Set(key, data.Has("one") ? Data.Of(DataOf(data["one"]))
                : Data.Stack(dict.BatchSize, Flat(data["stack"], dict.BatchSize.Length).ToArray()));
        }
        else if (spec is string name && Register(name) is TensorDict inner)
        {
            dict[key] = inner;
        }
        else
        {
            dict[key] = TensorOf(spec);
        }
    }

    private void Build()
    {
        var items = ((List<object?>)At("items")!).Select(item => (List<object?>)item!).ToList();
        if (!items.Any(item => IsData(item[1])))
        {
            Put(TensorDict.From(Ints("batch"), items.Select(item =>
                new Item(KeyOf(item[0]), ValueOf(item[1]))).ToArray()));
            return;
        }
        var dict = new TensorDict(Ints("batch"));
        foreach (List<object?> item in items) Set(dict, KeyOf(item[0]), item[1]);
        Put(dict);
    }

    private void Get()
    {
        Entry entry = Dict()[Key()];
        Put(entry.Data is { } data ? Observer.Seen(data) : entry.Value!);
    }

    private void Pop()
    {
        TensorDict dict = Dict();
        Key key = Key();
        switch (dict.KindOf(key))
        {
            case EntryKind.Dict:
                Put(dict.PopDict(key));
                break;
            case EntryKind.Data:
                Data data = dict.GetData(key);
                dict.Remove(key);
                Put(Observer.Seen(data));
                break;
            default:
                Put(dict.Pop(key));
                break;
        }
    }

    private void ListKeys()
    {
        KeysFlags flags = step["flags"] is List<object?> names
            ? names.Aggregate((KeysFlags)0, (all, name) => all | KeyFlags[(string)name!]) : 0;
        PutValue(Dict().Keys(flags).Select(key => (object?)key.Parts.Select(part => (object?)part).ToList()).ToList());
    }

    private void Write()
    {
        Tensor[] targets = Register(At("td")) is TensorDict dict
            ? dict.Keys(KeysFlags.Nested | KeysFlags.Leaves).Select(key => KeepUntilEnd(dict.Get(key))).ToArray()
                : [TensorOf(At("td"))];
        foreach (Tensor target in targets) KeepUntilEnd(target.Op("fill_.Scalar", ValueOf(At("value"))));
    }

    private void Same() => PutValue((Register(At("a")), Register(At("b"))) switch
    {
        (TensorDict a, TensorDict b) => a.Same(b),
        (Tensor a, Tensor b) => a.Same(b),
        _ => false,
    });

    private void Separates() =>
        Put(Dict().Separate(Keys(), !Flag("strict", true), Flag("keep_empty"), step.Has("fill") ? Tensor("fill")
        : null));

    private string Separator => step.Has("separator") ? Word("separator") : ".";

    private void RenameNames()
    {
        var map = (Obj)At("map")!;
        Dict().RenameNames(map.Keys.ToArray(), map.Keys.Select(key => (string?)map[key]).ToArray());
    }

    private void SetItem()
    {
        if (At("value") is string name && registers.ContainsKey(name)) Dict()[Index()] = Dict("value");
        else Dict().SetAt(Number("value"), Index());
    }

    private void GroupBy()
    {
        (Tensor? values, Data? data, TensorDict[] groups) = Dict().GroupBy(Key());
        if (values != null) PutAt(".values", values);
        if (data != null) PutAt(".values", new Obj(("value", Observer.Seen(data)["stack"])));
        PutAll(groups);
    }

    private void Pointwise()
    {
        MissingLeaves missing = !step.Has("default") ? MissingLeaves.Fail
            : At("default") is "intersection" ? MissingLeaves.Skip : MissingLeaves.FillWith(ValueOf(At("default")));
        TensorDict made = TensorDict.Pointwise(Word("call"), Arguments("operands"), Named("kwargs"), missing);
        if (Word("call").EndsWith('_')) made.Dispose(); // in place: the original gives its operand back
        else Put(made);
    }

    private TensorDict.Over Over =>
        new() { Dims = step.Has("dims") ? Ints("dims") : null, KeepDim = Flag("keepdim"), Feature = Flag("feature") };

    private void Reduce()
    {
        TensorDict[] made = Dict().ReduceAll(Word("call"), Over, Named("kwargs"));
        if (made.Length == 1) Put(made[0]);
        else PutAll(made);
    }

    private static MapFunction Mapped(string fn) => (key, tensors) =>
    {
        switch (fn)
        {
            case "add_one": return tensors[0]! + 1;
            case "first_row": return tensors[0]![0];
            case "drop_a": return key.Parts[^1] == "a" ? null : tensors[0]! * 2;
            case "total":
                Tensor sum = tensors[0]! + 0;
                foreach (Tensor? one in tensors.Skip(1))
                {
                    if (one == null) continue;
                    using Tensor before = sum;
                    sum = before + one;
                }
                return sum;
            default: return tensors[0]!.Share();
        }
    };

    private static MapDataFunction MappedData(string fn) => (_, data) => fn switch
    {
        "itself" => data[0]!,
        "text" => "z",
        "ones" => LibTensorDict.Tensor.Ones([.. data[0]!.Shape]),
        _ => default,
    };

    private void Map() => Put(Dict().Map(Mapped(Word("fn")), new TensorDict.MapOptions
    {
        InPlace = Flag("inplace"),
        AllowMissing = Flag("missing_as_null"),
        Data = step.Has("data") ? MappedData(Word("data")) : null,
        BatchSize = step.Has("batch") ? Ints("batch") : null,
        Emptied = !step.Has("emptied") ? Emptied.Drop
            : Word("emptied") switch { "drop" => Emptied.Drop, "drop_all" => Emptied.DropAll, _ => Emptied.Keep },
        Others = step.Has("others") ? Dicts("others") : [],
    }));

    private void NamesOf(KeyValuePair<Key, Tensor>[] listed)
    {
        PutValue(listed.Select(pair => (object?)pair.Key.ToString()).ToList());
        foreach ((_, Tensor tensor) in listed) tensor.Dispose();
    }

    private void Pack()
    {
        long dim = IntegerOr("dim", -1);
        PackLayout? like = null;
        if (step.Has("like"))
        {
            (Tensor unused, like) = Dict("like").Pack(dim);
            unused.Dispose();
        }
        (Tensor packed, PackLayout layout) = Dict().Pack(dim, like);
        like?.Dispose();
        PutAt(".flat", packed);
        PutAt(".layout", new Obj(("value", layout.ToString())));
        using (layout) PutAt(".made", layout.Unpack(packed));
    }

    private void Unpack()
    {
        (Tensor packed, PackLayout layout) = Dict().Pack(IntegerOr("dim", -1));
        packed.Dispose();
        using (layout) Put(layout.Unpack(Tensor()));
    }

    private void FromSchema() => Put(TensorDict.FromSchema(Ints("batch"), ((List<object?>)At("schema")!).Select(spec =>
    {
        var entry = (List<object?>)spec!;
        return new TensorDict.SchemaEntry(KeyOf(entry[0]), DTypes.Parse((string)entry[1]!), IntsOf(entry[2]));
    }).ToArray(), step.Has("storage") ? Storage.Shared : Storage.Memory));

    private void Two(object first, object second)
    {
        PutAt(".0", first);
        PutAt(".1", second);
    }

    private void Split()
    {
        if (At("size") is List<object?>) PutAll(Dict().Split(Ints("size"), Integer("dim")));
        else PutAll(Dict().Split(Integer("size"), Integer("dim")));
    }

    private void TensorSplit()
    {
        if (At("sections") is List<object?>) PutAll(Dict().TensorSplit(Ints("sections"), Integer("dim")));
        else PutAll(Dict().TensorSplit(Integer("sections"), Integer("dim")));
    }

    private void Member()
    {
        TensorDict[] members = Dict().Members();
        for (int i = 0; i < members.Length; i++)
        {
            if (i == Integer("at")) Put(members[i]);
            else members[i].Dispose();
        }
    }

    // ---- Scopes: their methods take an action, and the steps inside are not one function here ----

    private sealed class CancelledException : Exception;

    private sealed class OpenScope
    {
        private readonly SemaphoreSlim changed = new(0), ended = new(0);
        private readonly Thread thread;
        private bool cancelled;
        private Exception? failed;
        internal TensorDict? Inside { get; private set; }

        internal OpenScope(Action<Action<TensorDict>> with)
        {
            thread = new Thread(() =>
            {
                try
                {
                    with(inside =>
                    {
                        Inside = inside.Share();
                        changed.Release();
                        ended.Wait();
                        if (cancelled) throw new CancelledException();
                    });
                }
                catch (Exception e)
                {
                    failed = e;
                }
                changed.Release();
            });
            thread.Start();
            changed.Wait();
            if (Inside == null) Rethrow();
        }

        private void Rethrow()
        {
            thread.Join();
            if (failed is not null and not CancelledException)
                System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failed);
        }

        internal void Finish(bool cancel)
        {
            cancelled = cancel;
            ended.Release();
            Rethrow();
        }
    }

    private readonly Dictionary<string, OpenScope> scopes = [];

    private void Begin(Action<Action<TensorDict>> with)
    {
        var scope = new OpenScope(with);
        Put(scope.Inside!);
        scopes[Word("to")] = scope;
    }

    private void EndScope()
    {
        scopes.Remove(Word("scope"), out OpenScope? scope);
        scope!.Finish(false);
    }

    private static readonly Dictionary<string, Action<Program>> Table = new()
    {
        ["new"] = p =>
        {
            TensorDict dict = p.Given("device") ? TensorDict.On(p.Word("device"), p.Ints("batch"))
                : new TensorDict(p.Ints("batch"));
            if (p.step.Has("names")) dict.Names = NamesOf(p.At("names"));
            p.Put(dict);
        },
        ["build"] = p => p.Build(),
        ["fromkeys"] = p => p.Put(TensorDict.FromKeys(p.Tensor(), p.Keys())),
        ["merge"] = p => p.Put(TensorDict.Merge(p.Dicts("tds"))),
        ["tensor"] = p => p.Put(p.Tensor().Share()),
        ["release"] = p => p.Release(p.Word("what")),
        ["get"] = p => p.Get(),
        ["get_at"] = p => p.Put(p.Dict().GetAt(p.Key(), p.Index())),
        ["has"] = p => p.PutValue(p.Dict().ContainsKey(p.Key())),
        ["keys"] = p => p.ListKeys(),
        ["len"] = p => p.PutValue(p.Dict().Length),
        ["count"] = p => p.PutValue((long)p.Dict().Count),
        ["numel"] = p => p.PutValue(p.Dict().ElementCount),
        ["nbytes"] = p => p.PutValue(p.Dict().Bytes),
        ["is_empty"] = p => p.PutValue(p.Dict().IsEmpty),
        ["is_contiguous"] = p => p.PutValue(p.Dict().IsContiguous),
        ["is_locked"] = p => p.PutValue(p.Dict().IsLocked),
        ["repr"] = p => p.PutValue(p.Dict().ToString()),
        ["same"] = p => p.Same(),
        ["set"] = p => p.Set(p.Dict(), p.Key(), p.At("value")),
        ["set_unbatched"] = p => p.Dict().SetUnbatched(p.Key(), p.Tensor()),
        ["set_"] = p => p.Dict().CopyInto(p.Key(), p.Tensor()),
        ["set_at_"] = p => p.Dict().CopyIntoAt(p.Key(), p.Tensor(), p.Index()),
        ["set_data"] = p => p.Dict().Set(p.Key(), Data.Of(DataOf(p.At("value")))),
        ["set_data_"] = p => p.Dict().SetDataInPlace(p.Key(), DataOf(p.At("value"))),
        ["delete"] = p => p.Dict().Remove(p.Key()),
        ["pop"] = p => p.Pop(),
        ["clear"] = p => p.Dict().Clear(),
        ["create_nested"] = p => p.Dict().CreateNested(p.Key()),
        ["update"] = p => p.Dict().Update(p.Dict("src"), p.Flag("inplace"), p.Flag("clone")),
        ["update_"] = p => p.Dict().UpdateInPlace(p.Dict("src")),
        ["fill_"] = p => p.Dict().Fill(p.Key(), p.Number("value")),
        ["zero_"] = p => p.Dict().Zero(),
        ["write"] = p => p.Write(),
        ["lock"] = p => p.Dict().Lock(),
        ["unlock"] = p => p.Dict().Unlock(),
        ["rename_key"] = p => p.Dict().RenameKey(p.Key("old"), p.Key("new"), p.Flag("safe")),
        ["select"] = p => p.Put(p.Dict().Select(p.Keys(), p.Flag("strict", true))),
        ["select_"] = p => p.Dict().SelectInPlace(p.Keys(), p.Flag("strict", true)),
        ["exclude"] = p => p.Put(p.Dict().Exclude(p.Keys())),
        ["exclude_"] = p => p.Dict().ExcludeInPlace(p.Keys()),
        ["split_keys"] = p =>
            p.PutAll(p.Dict().SplitKeys(((List<object?>)p.At("sets")!).Select(KeysOf).ToArray(),
            !p.Flag("strict", true))),
        ["separates"] = p => p.Separates(),
        ["empty"] = p => p.Put(p.Dict().Empty(p.Flag("recurse"))),
        ["filter_empty_"] = p => p.Dict().RemoveEmpty(),
        ["flatten_keys"] = p => p.Put(p.Dict().FlattenKeys(p.Separator)),
        ["unflatten_keys"] = p => p.Put(p.Dict().UnflattenKeys(p.Separator)),
        ["set_batch_size"] = p => p.Dict().BatchSize = p.Ints("batch"),
        ["auto_batch_size"] = p => p.Dict().AutoBatchSize(p.IntegerOr("limit", -1)),
        ["set_names"] = p => p.Dict().Names = NamesOf(p.At("names")),
        ["refine_names"] = p => p.Dict().RefineNames(NamesOf(p.At("names"))),
        ["rename_names"] = p => p.RenameNames(),

        ["index"] = p => p.Put(p.Dict()[p.Index()]),
        ["set_item"] = p => p.SetItem(),
        ["stack"] = p => p.Put(TensorDict.Stack(p.Dicts("tds"), p.IntegerOr("dim", 0))),
        ["cat"] = p => p.Put(TensorDict.Cat(p.Dicts("tds"), p.IntegerOr("dim", 0))),
        ["stack_into"] = p => TensorDict.StackInto(p.Dict("target"), p.Dicts("tds"), p.IntegerOr("dim", 0)),
        ["cat_into"] = p => TensorDict.CatInto(p.Dict("target"), p.Dicts("tds"), p.IntegerOr("dim", 0)),
        ["pad"] = p => p.Put(p.Dict().Pad(p.Ints("pairs"), p.RealOr("value", 0))),
        ["pad_sequence"] = p =>
            p.Put(TensorDict.PadSequence(p.Dicts("tds"), p.IntegerOr("pad_dim", 0), p.RealOr("value", 0),
            p.step.Has("mask_key") ? p.Key("mask_key") : (Key?)null)),
        ["unpad_sequence"] = p =>
            p.Put(p.Dict().UnpadSequence(p.IntegerOr("pad_dim", 0), null, p.step.Has("masks") ? p.Dict("masks") : null,
            p.step.Has("mask") ? p.Tensor("mask") : null)),
        ["pack"] = p => p.Pack(),
        ["unpack"] = p => p.Unpack(),
        ["from_schema"] = p => p.FromSchema(),
        ["group_by"] = p => p.GroupBy(),
        ["new_tensor"] = p =>
            p.Put(p.Dict().NewTensor(p.At("data") is List<object?> list ? list.Select(Comparison.Real).ToArray()
            : p.ValueOf(p.At("data")),
            p.DTypeOf("dtype"), p.Flag("requires_grad"))),
        ["expand_as"] = p => p.Put(p.Dict().ExpandAs(p.Dict("other"))),
        ["gather"] = p => p.Put(p.Dict().Gather(p.Integer("dim"), p.Tensor("index"))),
        ["masked_select"] = p => p.Put(p.Dict().MaskedSelect(p.Tensor("mask"))),
        ["masked_fill"] = p => p.Put(p.Dict().MaskedFill(p.Tensor("mask"), p.Number("value"))),
        ["masked_fill_"] = p => p.Dict().MaskedFillInPlace(p.Tensor("mask"), p.Number("value")),
        ["where"] = p =>
            p.Put(p.Dict().Where(p.Tensor("condition"), p.Dict("other"), p.step.Has("pad") ? p.Number("pad")
            : (Value?)null)),
        ["is_in"] = p => p.Put(p.Dict().IsIn(p.Dict("reference"), p.Key(), p.IntegerOr("dim", 0))),
        ["expand_right"] = p => p.Put(p.Tensor().ExpandRight(p.Ints("shape"))),
        ["expand_as_right"] = p => p.Put(p.Tensor().ExpandAsRight(p.Tensor("other"))),
        ["unique"] = p =>
        {
            (TensorDict unique, Tensor? inverse) = p.Dict().RemoveDuplicates(p.Key(), p.IntegerOr("dim", 0));
            p.Two(unique, inverse!);
        },

        ["view"] = p => p.Put(p.Dict().View(p.Ints("sizes"))),
        ["reshape"] = p => p.Put(p.Dict().Reshape(p.Ints("sizes"))),
        ["expand"] = p => p.Put(p.Dict().Expand(p.Ints("sizes"))),
        ["permute"] = p => p.Put(p.Dict().Permute(p.Ints("dims"))),
        ["repeat"] = p => p.Put(p.Dict().Repeat(p.Ints("repeats"))),
        ["tile"] = p => p.Put(p.Dict().Tile(p.Ints("repeats"))),
        ["flip"] = p => p.Put(p.Dict().Flip(p.Ints("dims"))),
        ["squeeze"] = p => p.Put(p.Dict().Squeeze(p.IntsOrNone("dim"))),
        ["flatten"] = p => p.Put(p.Dict().Flatten(p.Integer("start"), p.Integer("end"))),
        ["unflatten"] = p => p.Put(p.Dict().Unflatten(p.Integer("dim"), p.Ints("sizes"))),
        ["unsqueeze"] = p => p.Put(p.Dict().Unsqueeze(p.Integer("dim"))),
        ["transpose"] = p => p.Put(p.Dict().Transpose(p.Integer("dim0"), p.Integer("dim1"))),
        ["movedim"] = p => p.Put(p.Dict().MoveDim(p.Ints("source"), p.Ints("destination"))),
        ["narrow"] = p => p.Put(p.Dict().Narrow(p.Integer("dim"), p.Integer("start"), p.Integer("length"))),
        ["split"] = p => p.Split(),
        ["chunk"] = p => p.PutAll(p.Dict().Chunk(p.Integer("chunks"), p.Integer("dim"))),
        ["tensor_split"] = p => p.TensorSplit(),
        ["unbind"] = p => p.PutAll(p.Dict().Unbind(p.Integer("dim"))),
        ["contiguous"] = p => p.Put(p.Dict().Contiguous()),
        ["repeat_interleave"] = p => p.Put(p.Dict().RepeatInterleave(p.Ints("repeats"), p.Integer("dim"))),
        ["roll"] = p => p.Put(p.Dict().Roll(p.Ints("shifts"), p.IntsOrNone("dims"))),
        ["rot90"] = p => p.Put(p.Dict().Rot90(p.Integer("times"), p.Integer("dim0"), p.Integer("dim1"))),

        ["lazy_stack"] = p => p.Put(TensorDict.LazyStack(p.Dicts("tds"), p.IntegerOr("dim", 0))),
        ["maybe_dense_stack"] = p => p.Put(TensorDict.MaybeDenseStack(p.Dicts("tds"), p.IntegerOr("dim", 0))),
        ["lazy_new"] = p => p.Put(TensorDict.EmptyLazyStack(p.Ints("element"), p.IntegerOr("dim", 0))),
        ["to_lazy_stack"] = p => p.Put(p.Dict().ToLazyStack(p.IntegerOr("dim", 0))),
        ["member"] = p => p.Member(),
        ["append"] = p => p.Dict().Append(p.Dict("value")),
        ["insert"] = p => p.Dict().Insert(p.Integer("at"), p.Dicts("tds")),
        ["get_list"] = p => p.PutAll(p.Dict().GetList(p.Key())),
        ["set_list"] = p => p.Dict().SetList(p.Key(), ((List<object?>)p.At("values")!).Select(p.TensorOf).ToArray()),
        ["get_jagged"] = p =>
        {
            (Tensor values, Tensor offsets) = p.Dict().GetJagged(p.Key());
            p.Two(values, offsets);
        },
        ["get_padded"] = p =>
        {
            (Tensor values, Tensor mask) = p.Dict().GetPadded(p.Key(), p.RealOr("padding", 0), p.Flag("left"));
            mask.Dispose();
            p.Put(values);
        },
        ["entry_shape"] = p => p.PutValue(p.Dict().EntryShape(p.Key()).Select(size => (object?)size).ToList()),
        ["params"] = p => p.Put(p.Dict().Params(p.Flag("no_convert"), p.Flag("lock"))),
        ["parameter_names"] = p => p.NamesOf(p.Dict().Parameters()),
        ["buffer_names"] = p => p.NamesOf(p.Dict().Buffers()),

        ["new_empty"] = p =>
        {
            TensorDict dict = p.Dict().NewEmpty(p.Ints("sizes"), p.DTypeOf("dtype"));
            dict.Zero();
            p.Put(dict);
        },
        ["new_full"] = p => p.Put(p.Dict().NewFull(p.Ints("sizes"), p.Number("value"), p.DTypeOf("dtype"))),
        ["to_tensordict"] = p => p.Put(p.Dict().ToTensorDict()),
        ["become"] = p => p.Dict().Become(p.Dict("other")),
        ["copy"] = p => p.Put(p.Dict().Copy()),
        ["clone"] = p => p.Put(p.Dict().Clone()),
        ["requires_grad"] = p => p.PutValue(p.Dict().RequiresGrad),
        ["requires_grad_"] = p => p.Dict().RequiresGrad = p.Flag("value", true),
        ["detach"] = p => p.Put(p.Dict().Detach()),
        ["detach_"] = p => p.Dict().DetachInPlace(),
        ["grad"] = p =>
        {
            if (p.Dict().Grad is { } grad) p.Put(grad);
            else p.PutValue(new Obj(("none", true)));
        },
        ["zero_grad"] = p => p.Dict().ZeroGrad(p.Flag("set_to_none", true)),
        ["backward"] = p => p.Dict().Backward(p.step.Has("gradient") ? p.Dict("gradient") : null),
        ["to"] = p => p.Put(p.Dict().To(p.DTypeOf("dtype"), p.Given("device") ? p.Word("device") : null)),
        ["state_dict"] = p => p.Put(p.Dict().StateDict()),
        ["load_state_dict"] = p => p.Dict().LoadStateDict(p.Dict("state"), !p.Flag("strict", true), p.Flag("assign")),

        ["scope_unlock"] = p =>
        {
            TensorDict dict = p.Dict();
            p.Begin(action => dict.WithUnlocked(() => action(dict)));
        },
        ["scope_flatten_keys"] = p => p.InScope((dict, action) => dict.WithFlatKeys(action, p.Separator)),
        ["scope_unflatten_keys"] = p => p.InScope((dict, action) => dict.WithNestedKeys(action, p.Separator)),
        ["scope_view"] = p => p.InScope((dict, action) => dict.WithView(action, p.Ints("sizes"))),
        ["scope_flatten"] = p =>
            p.InScope((dict, action) => dict.WithFlatten(action, p.Integer("start"), p.Integer("end"))),
        ["scope_unflatten"] = p =>
            p.InScope((dict, action) => dict.WithUnflatten(action, p.Integer("dim"), p.Ints("sizes"))),
        ["scope_squeeze"] = p => p.InScope((dict, action) => dict.WithSqueeze(action, p.Ints("dim"))),
        ["scope_unsqueeze"] = p => p.InScope((dict, action) => dict.WithUnsqueeze(action, p.Integer("dim"))),
        ["scope_permute"] = p => p.InScope((dict, action) => dict.WithPermute(action, p.Ints("dims"))),
        ["scope_transpose"] = p =>
            p.InScope((dict, action) => dict.WithTranspose(action, p.Integer("dim0"), p.Integer("dim1"))),
        ["scope_movedim"] = p =>
            p.InScope((dict, action) => dict.WithMoveDim(action, p.Ints("source"), p.Ints("destination"))),
        ["scope_flip"] = p => p.InScope((dict, action) => dict.WithFlip(action, p.Ints("dims"))),
        ["scope_roll"] = p => p.InScope((dict, action) => dict.WithRoll(action, p.Ints("shifts"), p.Ints("dims"))),
        ["scope_end"] = p => p.EndScope(),

        ["pointwise"] = p => p.Pointwise(),
        ["reduce"] = p => p.Reduce(),
        ["reduce_all"] = p => p.Put(p.Dict().ReduceToTensor(p.Word("call"), p.Over, p.Named("kwargs"))),
        ["all"] = p => p.PutValue(p.Dict().All()),
        ["any"] = p => p.PutValue(p.Dict().Any()),
        ["map"] = p => p.Map(),
        ["merge_with"] = p => p.Put(TensorDict.MergeWith(Mapped(p.Word("fn")), p.Dicts("tds"))),
        ["torch"] = p =>
            p.Put(Operator.Call(p.Given("overload") ? $"{p.Word("call")}.{p.Word("overload")}" : p.Word("call"),
            p.Arguments("args"), []).AsTensor()),
    };

    private void InScope(Action<TensorDict, Action<TensorDict>> with)
    {
        TensorDict dict = Dict();
        Begin(action => with(dict, action));
    }
}
