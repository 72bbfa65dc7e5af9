#nullable enable
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using LibTensorDict.Raw;

namespace LibTensorDict;

/// <summary>The memory in which the arguments of one call stand: first on the stack, then, if they are large, outside
/// of the collector's heap.</summary>
internal readonly unsafe ref struct Frame
{
    internal const int Size = 512;

    private readonly Head* head;

    /// <summary>Stands at the start of the memory, so that a frame is passed by value.</summary>
    private struct Head
    {
        internal byte* At, End;
        internal void* Further; // a list of blocks; the first word of each is the next one
        internal Owned* Owned;
    }

    private struct Owned
    {
        internal Owned* Next;
        internal td_data_list* List;
    }

    internal Frame(byte* memory)
    {
        head = (Head*)memory;
        *head = new Head { At = memory + sizeof(Head), End = memory + Size };
    }

    public void Dispose()
    {
        for (Owned* one = head->Owned; one != null; one = one->Next) Api.td_data_list_release(one->List);
        for (void* block = head->Further; block != null;)
        {
            void* next = *(void**)block;
            NativeMemory.Free(block);
            block = next;
        }
    }

    /// <summary>Memory that is not zeroed, aligned for any struct.</summary>
    internal void* Bytes(nuint size)
    {
        size = (size + 15) & ~(nuint)15;
        if (size <= (nuint)(head->End - head->At))
        {
            byte* here = head->At;
            head->At += size;
            return here;
        }
        byte* block = (byte*)NativeMemory.Alloc(size + 16);
        *(void**)block = head->Further;
        head->Further = block;
        return block + 16;
    }

    internal T* Many<T>(int n) where T : unmanaged => n == 0 ? null : (T*)Bytes((nuint)n * (nuint)sizeof(T));

    internal T* One<T>(T value) where T : unmanaged
    {
        T* here = (T*)Bytes((nuint)sizeof(T));
        *here = value;
        return here;
    }

    internal T* Copy<T>(ReadOnlySpan<T> values) where T : unmanaged
    {
        T* here = Many<T>(values.Length);
        values.CopyTo(new Span<T>(here, values.Length));
        return here;
    }

    /// <summary>Releases a list at the end of the call.</summary>
    internal void Own(td_data_list* list)
    {
        Owned* one = (Owned*)Bytes((nuint)sizeof(Owned));
        *one = new Owned { Next = head->Owned, List = list };
        head->Owned = one;
    }

    /// <summary>UTF-8 text. Null is absent text; empty text is not.</summary>
    internal td_str String(string? text)
    {
        if (text == null) return default;
        int size = Encoding.UTF8.GetByteCount(text);
        byte* here = (byte*)Bytes((nuint)size + 1);
        Encoding.UTF8.GetBytes(text, new Span<byte>(here, size));
        return new td_str { data = here, size = (nuint)size };
    }

    internal td_str* Strings(ReadOnlySpan<string?> texts)
    {
        td_str* here = Many<td_str>(texts.Length);
        for (int i = 0; i < texts.Length; i++) here[i] = String(texts[i]);
        return here;
    }

    internal td_key* Key(in Key key)
    {
        td_key* here = (td_key*)Bytes((nuint)sizeof(td_key));
        key.Fill(this, here);
        return here;
    }

    internal td_key* Key(Key? key) => key is { } given ? Key(given) : null;

    internal td_key* Keys(ReadOnlySpan<Key> keys)
    {
        td_key* here = Many<td_key>(keys.Length);
        for (int i = 0; i < keys.Length; i++) keys[i].Fill(this, here + i);
        return here;
    }

    /// <summary>As <see cref="Keys"/>, but no keys and null differ.</summary>
    internal td_key* KeysOrNull(Key[]? keys) => keys switch
    {
        null => null,
        [] => One(default(td_key)),
        _ => Keys(keys),
    };

    internal void** Handles<T>(ReadOnlySpan<T> objects) where T : NativeObject?
    {
        void** here = (void**)Many<nint>(objects.Length);
        for (int i = 0; i < objects.Length; i++) here[i] = NativeObject.PointerOrNull(objects[i]);
        return here;
    }

    internal td_value* Value(in Value value)
    {
        td_value* here = (td_value*)Bytes((nuint)sizeof(td_value));
        value.Fill(this, here);
        return here;
    }

    internal td_value* Value(Value? value) => value is { } given ? Value(given) : null;

    internal td_value* Values(ReadOnlySpan<Value> values)
    {
        td_value* here = Many<td_value>(values.Length);
        for (int i = 0; i < values.Length; i++) values[i].Fill(this, here + i);
        return here;
    }

    internal td_named_value* NamedValues(ReadOnlySpan<NamedValue> values)
    {
        td_named_value* here = Many<td_named_value>(values.Length);
        for (int i = 0; i < values.Length; i++)
        {
            here[i].name = String(values[i].Name);
            values[i].Value.Fill(this, &here[i].value);
        }
        return here;
    }

    internal td_index* IndexParts(ReadOnlySpan<IndexPart> parts)
    {
        td_index* here = Many<td_index>(parts.Length);
        for (int i = 0; i < parts.Length; i++) parts[i].Fill(this, here + i);
        return here;
    }

    internal td_data* DataValue(in DataValue value)
    {
        td_data* here = (td_data*)Bytes((nuint)sizeof(td_data));
        value.Fill(this, here);
        return here;
    }

    internal td_data* DataValues(ReadOnlySpan<DataValue> values)
    {
        td_data* here = Many<td_data>(values.Length);
        for (int i = 0; i < values.Length; i++) values[i].Fill(this, here + i);
        return here;
    }

    internal td_item* Items(ReadOnlySpan<Item> items)
    {
        td_item* here = Many<td_item>(items.Length);
        for (int i = 0; i < items.Length; i++) items[i].Fill(this, here + i);
        return here;
    }

    /// <summary>Arrays of which C takes one count must be as long as each other.</summary>
    internal static void Match(int one, int other, bool mayBeEmpty)
    {
        if (one != other && !(mayBeEmpty && one == 0))
            throw new ArgumentException($"{one} elements where there must be {other}");
    }

    /// <summary>Keeps what the argument refers to alive up to here.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Keep<T>(ReadOnlySpan<T> span) { }

    /// <inheritdoc cref="Keep{T}(ReadOnlySpan{T})"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Keep<T>(in T value) { }
}
