// Made from tensordict.h 0.2.0 by bindings/generate.py; do not edit.
#nullable enable
#pragma warning disable CS1591 // the members are those of C

using System;
using System.Runtime.InteropServices;

namespace LibTensorDict.Raw;

/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_error { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_tensor { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_tensor_list { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_generator { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_op { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_dict { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_hash { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_data_list { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_string { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_keys { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_path { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_entries { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_dict_list { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_scope { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_no_grad { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_segment { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_channel { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_message { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_cancel { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_module { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_optimizer { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_schedule { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_dist { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_query { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_pack_layout { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct DLManagedTensor { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct DLManagedTensorVersioned { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_group { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_work { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_transform { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_store { }
/// <summary>Opaque; only pointers to it exist.</summary>
public struct td_row_map { }

/// <summary>
/// UTF-8 text: `size` bytes at `data`. If `size` is TD_STRLEN, the text ends with a NUL; otherwise it need not.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_str
{
    public byte* data;
    public nuint size;
}

/// <summary>
/// A key is a list of `n` &gt;= 1 strings. No separator is parsed, so dots and slashes are ordinary characters.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_key
{
    public td_str* parts;
    public nuint n;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_complex
{
    public double re;
    public double im;
}

[StructLayout(LayoutKind.Explicit)]
public unsafe struct td_value_as
{
    [FieldOffset(0)] public long i;
    [FieldOffset(0)] public ulong u;
    [FieldOffset(0)] public double f;
    [FieldOffset(0)] public td_complex c;
    [FieldOffset(0)] public td_str str;
    [FieldOffset(0)] public td_str* strs;
    [FieldOffset(0)] public long* ints;
    [FieldOffset(0)] public double* doubles;
    [FieldOffset(0)] public byte* bools;
    [FieldOffset(0)] public td_tensor* tensor;
    [FieldOffset(0)] public td_tensor** tensors;
    [FieldOffset(0)] public td_tensor_list* list;
    [FieldOffset(0)] public td_generator* generator;
    [FieldOffset(0)] public td_dict* dict;
    [FieldOffset(0)] public td_data_list* data;
}

/// <summary>
/// A tagged value. As an argument it borrows the object that it points to; as a result it owns it, and td_value_clear
/// releases it. A value is a number if it is an INT, UINT, DOUBLE, BOOL or COMPLEX.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_value
{
    public ValueKind kind;
    public int reserved;
    public nuint size;
    public td_value_as @as;
}

/// <summary>An argument given by its name in the operator's schema.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_named_value
{
    public td_str name;
    public td_value value;
}

/// <summary>A destination for bytes: `write` takes all of them or fails.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_writer
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, void*, nuint, td_error**, Status> write;
    public void* userdata;
    public td_writer() => this = default(td_writer) with { struct_size = (nuint)sizeof(td_writer) };
}

/// <summary>
/// A source of bytes: `read` fills `bytes` and sets `got` to how many it read: fewer than `size` only at the end.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_reader
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, void*, nuint, nuint*, td_error**, Status> read;
    public void* userdata;
    public td_reader() => this = default(td_reader) with { struct_size = (nuint)sizeof(td_reader) };
}

/// <summary>A handle of any kind.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_object
{
    public ObjectKind kind;
    public int reserved;
    public void* handle;
}

/// <summary>
/// A callback for warnings of LibTorch. `fn` gets a warning with the file and line of its origin; both texts are valid
/// only during the call, and no exception may leave it. `destroy(userdata)` runs once: when the callback has been
/// replaced and no thread runs it any more, or before the call that sets it returns if that call fails.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_warning_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_str, void> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_warning_function() => this = default(td_warning_function) with { struct_size = (nuint)sizeof(td_warning_function) };
}

/// <summary>
/// The facts that td_tensor_info returns. Arrays and text live as long as the tensor, and change with it in place.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_tensor_facts
{
    public nuint struct_size;
    public DType dtype;
    public DType stored_dtype;
    public TensorFlags flags;
    public nuint ndim;
    public long* sizes;
    public long* strides;
    public long numel;
    public long itemsize;
    public void* data;
    public td_str device;
    public td_tensor_facts() => this = default(td_tensor_facts) with { struct_size = (nuint)sizeof(td_tensor_facts) };
}

/// <summary>Options of td_dict_new.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dict_options
{
    public nuint struct_size;
    public td_str device;
    public td_dict_options() => this = default(td_dict_options) with { struct_size = (nuint)sizeof(td_dict_options) };
}

/// <summary>An entry: `kind` says which of the three is set; the others are NULL.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_entry
{
    public EntryKind kind;
    public int reserved;
    public td_tensor* tensor;
    public td_dict* dict;
    public td_data_list* data;
}

/// <summary>One value. As an argument it borrows `text`, which is copied; `reserved` is 0.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_data
{
    public DataKind kind;
    public int reserved;
    public long i;
    public double f;
    public td_str text;
}

/// <summary>
/// A key with its value, a TENSOR, a DICT or DATA. INT, UINT, DOUBLE, BOOL and COMPLEX become tensors without dims
/// (int64, int64, float32, bool, complex64);
/// INTS, DOUBLES and BOOLS become tensors with one dim; STR becomes non-tensor data.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_item
{
    public td_key* key;
    public td_value value;
}

/// <summary>The position of a field in every record of an array.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_field
{
    public td_key* key;
    public DType dtype;
    public int reserved;
    public long* dims;
    public nuint ndim;
    public nuint offset;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dict_update_options
{
    public nuint struct_size;
    public byte inplace;
    public byte clone;
    public byte update_batch_size;
    public fixed byte reserved[5];
    public td_key* keys;
    public nuint n_keys;
    public td_dict_update_options() => this = default(td_dict_update_options) with { struct_size = (nuint)sizeof(td_dict_update_options) };
}

/// <summary>A set of keys.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_key_set
{
    public td_key* keys;
    public nuint n;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_split_options
{
    public nuint struct_size;
    public byte lenient;
    public byte reproduce_struct;
    public fixed byte reserved[6];
    public td_tensor* fill;
    public td_key_set* names;
    public td_split_options() => this = default(td_split_options) with { struct_size = (nuint)sizeof(td_split_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_separate_options
{
    public nuint struct_size;
    public byte lenient;
    public byte keep_empty;
    public fixed byte reserved[6];
    public td_tensor* fill;
    public td_separate_options() => this = default(td_separate_options) with { struct_size = (nuint)sizeof(td_separate_options) };
}

/// <summary>One component of an index.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_index
{
    public IndexKind kind;
    public int reserved;
    public long start;
    public long stop;
    public long step;
    public td_tensor* tensor;
    public long* ints;
    public nuint n;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_pad_sequence_options
{
    public nuint struct_size;
    public long pad_dim;
    public td_value* value;
    public td_key* mask_key;
    public td_item* values;
    public nuint n_values;
    public byte left;
    public fixed byte reserved[7];
    public td_pad_sequence_options() => this = default(td_pad_sequence_options) with { struct_size = (nuint)sizeof(td_pad_sequence_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_unpad_sequence_options
{
    public nuint struct_size;
    public long pad_dim;
    public td_key* mask_key;
    public td_dict* masks;
    public td_tensor* mask;
    public td_unpad_sequence_options() => this = default(td_unpad_sequence_options) with { struct_size = (nuint)sizeof(td_unpad_sequence_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_padding_options
{
    public nuint struct_size;
    public td_value* value;
    public byte left;
    public fixed byte reserved[7];
    public td_key* mask_key;
    public td_padding_options() => this = default(td_padding_options) with { struct_size = (nuint)sizeof(td_padding_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_params_options
{
    public nuint struct_size;
    public byte no_convert;
    public byte @lock;
    public fixed byte reserved[6];
    public td_params_options() => this = default(td_params_options) with { struct_size = (nuint)sizeof(td_params_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_new_tensor_options
{
    public nuint struct_size;
    public DType dtype;
    public byte requires_grad;
    public fixed byte reserved[3];
    public td_str device;
    public td_new_tensor_options() => this = default(td_new_tensor_options) with { struct_size = (nuint)sizeof(td_new_tensor_options) };
}

/// <summary>A tensor with its feature dims, or a node with its batch dims beyond the root's.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_pack_entry
{
    public td_key* key;
    public long* dims;
    public nuint ndim;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_pointwise_options
{
    public nuint struct_size;
    public Missing missing;
    public fixed byte reserved[4];
    public td_value* fill;
    public td_pointwise_options() => this = default(td_pointwise_options) with { struct_size = (nuint)sizeof(td_pointwise_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_reduce_options
{
    public nuint struct_size;
    public long* dims;
    public nuint n_dims;
    public byte keepdim;
    public byte feature;
    public fixed byte reserved[6];
    public td_reduce_options() => this = default(td_reduce_options) with { struct_size = (nuint)sizeof(td_reduce_options) };
}

/// <summary>
/// A callback for tensors. `fn` gets the full key of a leaf and `n` tensors, all borrowed: the leaf of `self`, then the
/// leaf of each of the others. It stores a new reference in `*out`, or leaves it NULL to drop the entry.
/// `destroy(userdata)` runs once, before td_dict_map returns.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_map_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_key*, td_tensor**, nuint, td_tensor**, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_map_function() => this = default(td_map_function) with { struct_size = (nuint)sizeof(td_map_function) };
}

/// <summary>
/// A callback for non-tensor entries. `lists` has the data of `self`, then of each of the others. It stores a new
/// reference to data or to a tensor in one of the two outputs, or leaves both NULL to drop the entry.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_map_data_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_key*, td_data_list**, nuint, td_data_list**, td_tensor**, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_map_data_function() => this = default(td_map_data_function) with { struct_size = (nuint)sizeof(td_map_data_function) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_map_options
{
    public nuint struct_size;
    public long* batch_size;
    public nuint ndim;
    public Emptied emptied;
    public byte in_place;
    public byte missing_as_null;
    public fixed byte reserved[2];
    public td_map_data_function* data;
    public td_map_options() => this = default(td_map_options) with { struct_size = (nuint)sizeof(td_map_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_backward_options
{
    public nuint struct_size;
    public byte retain_graph;
    public byte create_graph;
    public byte allow_unused;
    public fixed byte reserved[5];
    public td_backward_options() => this = default(td_backward_options) with { struct_size = (nuint)sizeof(td_backward_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_load_state_options
{
    public nuint struct_size;
    public byte lenient;
    public byte assign;
    public fixed byte reserved[6];
    public td_load_state_options() => this = default(td_load_state_options) with { struct_size = (nuint)sizeof(td_load_state_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_parse_options
{
    public nuint struct_size;
    public td_str device;
    public td_parse_options() => this = default(td_parse_options) with { struct_size = (nuint)sizeof(td_parse_options) };
}

/// <summary>
/// Numbers are equal if |a - b| &lt;= absolute + relative * |b|; without tolerances, if they are the same.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_equal_options
{
    public nuint struct_size;
    public double relative;
    public double absolute;
    public byte equal_nan;
    public fixed byte reserved[7];
    public td_equal_options() => this = default(td_equal_options) with { struct_size = (nuint)sizeof(td_equal_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_open_options
{
    public nuint struct_size;
    public OpenMode mode;
    public Format format;
    public byte lenient;
    public byte trusted;
    public fixed byte reserved[6];
    public td_key* part;
    public td_open_options() => this = default(td_open_options) with { struct_size = (nuint)sizeof(td_open_options) };
}

/// <summary>
/// A callback for progress: called on the thread that saves when `done` of `total` bytes are written. A status other
/// than TD_OK cancels the save. `destroy(userdata)` runs once, before the saving call returns.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_progress
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, long, long, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_progress() => this = default(td_progress) with { struct_size = (nuint)sizeof(td_progress) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_save_options
{
    public nuint struct_size;
    public byte overwrite;
    public byte sync;
    public fixed byte reserved[6];
    public nuint threads;
    public td_progress* progress;
    public Format format;
    public Compression compression;
    public td_save_options() => this = default(td_save_options) with { struct_size = (nuint)sizeof(td_save_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_persistent_options
{
    public nuint struct_size;
    public OpenMode mode;
    public int compression;
    public long* batch_size;
    public nuint ndim;
    public long max_batch_dims;
    public long* chunks;
    public nuint n_chunks;
    public byte shuffle;
    public fixed byte reserved[7];
    public td_persistent_options() => this = default(td_persistent_options) with { struct_size = (nuint)sizeof(td_persistent_options) };
}

/// <summary>The description of an entry; `dims` are its feature dims.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_schema_entry
{
    public td_key* key;
    public DType dtype;
    public int reserved;
    public long* dims;
    public nuint ndim;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_schema_options
{
    public nuint struct_size;
    public Storage storage;
    public int reserved;
    public td_str path;
    public td_str device;
    public td_save_options* save;
    public td_schema_options() => this = default(td_schema_options) with { struct_size = (nuint)sizeof(td_schema_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_segment_options
{
    public nuint struct_size;
    public byte keep;
    public byte large_pages;
    public byte replace_dead;
    public fixed byte reserved[1];
    public int snapshots;
    public td_segment_options() => this = default(td_segment_options) with { struct_size = (nuint)sizeof(td_segment_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_segment_open_options
{
    public nuint struct_size;
    public byte populate;
    public byte large_pages;
    public fixed byte reserved[6];
    public long timeout_ms;
    public td_cancel* cancel;
    public td_segment_open_options() => this = default(td_segment_open_options) with { struct_size = (nuint)sizeof(td_segment_open_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_channel_options
{
    public nuint struct_size;
    public ChannelMode mode;
    public ChannelOverflow overflow;
    public ChannelRole roles;
    public int slots;
    public int members;
    public int deliveries;
    public int max_held;
    public byte keep;
    public byte replace_dead;
    public fixed byte reserved[2];
    public td_channel_options() => this = default(td_channel_options) with { struct_size = (nuint)sizeof(td_channel_options) };
}

/// <summary>
/// Statistics of a channel. Counts of events may be slightly inexact after a process was killed.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_channel_statistics
{
    public nuint struct_size;
    public long published;
    public long dropped;
    public long redelivered;
    public long dead_letters;
    public long aborted;
    public long swept;
    public int slots;
    public int free;
    public int writing;
    public int ready;
    public int reading;
    public int producers;
    public int consumers;
    public ChannelState state;
    public long oldest_ms;
    public long oldest_pid;
    public td_channel_statistics() => this = default(td_channel_statistics) with { struct_size = (nuint)sizeof(td_channel_statistics) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_channel_open_options
{
    public nuint struct_size;
    public long timeout_ms;
    public td_cancel* cancel;
    public td_channel_open_options() => this = default(td_channel_open_options) with { struct_size = (nuint)sizeof(td_channel_open_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_group_options
{
    public nuint struct_size;
    public td_str prefix;
    public td_str address;
    public long timeout_ms;
    public int rank;
    public int size;
    public byte serve;
    public byte serve_everywhere;
    public fixed byte reserved[6];
    public td_group_options() => this = default(td_group_options) with { struct_size = (nuint)sizeof(td_group_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_transfer_options
{
    public nuint struct_size;
    public int tag;
    public byte by_leaf;
    public byte pseudo_rand;
    public fixed byte reserved[2];
    public td_transfer_options() => this = default(td_transfer_options) with { struct_size = (nuint)sizeof(td_transfer_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_group_reduce_options
{
    public nuint struct_size;
    public long bucket_bytes;
    public GroupReduction reduction;
    public fixed byte reserved[4];
    public td_group_reduce_options() => this = default(td_group_reduce_options) with { struct_size = (nuint)sizeof(td_group_reduce_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_remote_options
{
    public nuint struct_size;
    public long* batch_size;
    public nuint ndim;
    public long timeout_ms;
    public OpenMode mode;
    public fixed byte reserved[4];
    public td_remote_options() => this = default(td_remote_options) with { struct_size = (nuint)sizeof(td_remote_options) };
}

/// <summary>
/// A callback for a module without state. `fn` borrows its inputs and fills `outputs` with new references.
/// `destroy(userdata)` runs once: when the module is freed, or before the creating call returns if it fails.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_module_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_tensor**, nuint, td_tensor**, nuint, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_module_function() => this = default(td_module_function) with { struct_size = (nuint)sizeof(td_module_function) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_vmap_options
{
    public nuint struct_size;
    public Randomness randomness;
    public int data_dim;
    public byte map_data;
    public fixed byte reserved[7];
    public td_vmap_options() => this = default(td_vmap_options) with { struct_size = (nuint)sizeof(td_vmap_options) };
}

/// <summary>
/// A callback that takes and returns anything that a dict can hold. An argument is a TENSOR, a DICT, DATA, or NONE for a
/// key that the dict lacks; `kwargs` are the arguments whose in-keys have argument names. The callback writes its
/// results to `outs` and their number, from 0 to `capacity`, to `n_outs`. A result is a TENSOR, a DICT or DATA, each a
/// new reference that the library takes over; a number, which becomes a tensor without dims; or a STR, which becomes
/// non-tensor data. The text of a STR is copied after the callback has returned, so it must outlive it. A callback that
/// fails releases what it made. `destroy` runs as in td_module_function.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_values_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_value*, nuint, td_named_value*, nuint, td_value*, nuint, nuint*, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_values_function() => this = default(td_values_function) with { struct_size = (nuint)sizeof(td_values_function) };
}

/// <summary>
/// A callback from dict to dict: it may change `data` and return a new reference to it, or return another dict.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dict_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_dict*, td_dict**, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_dict_function() => this = default(td_dict_function) with { struct_size = (nuint)sizeof(td_dict_function) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_tensordict_options
{
    public nuint struct_size;
    public Inplace inplace;
    public byte strict;
    public fixed byte reserved[3];
    public td_str* argument_names;
    public td_tensordict_options() => this = default(td_tensordict_options) with { struct_size = (nuint)sizeof(td_tensordict_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_sequential_options
{
    public nuint struct_size;
    public Inplace inplace;
    public byte partial_tolerant;
    public fixed byte reserved[3];
    public td_key* selected_out_keys;
    public nuint n_selected;
    public td_str* names;
    public td_sequential_options() => this = default(td_sequential_options) with { struct_size = (nuint)sizeof(td_sequential_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_run_options
{
    public nuint struct_size;
    public td_dict* tensordict_out;
    public Interaction interaction;
    public byte skip_existing;
    public byte no_grad;
    public fixed byte reserved[2];
    public td_run_options() => this = default(td_run_options) with { struct_size = (nuint)sizeof(td_run_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_from_modules_options
{
    public nuint struct_size;
    public byte as_module;
    public byte no_lock;
    public byte use_state_dict;
    public byte lazy_stack;
    public byte expand_identical;
    public fixed byte reserved[3];
    public td_from_modules_options() => this = default(td_from_modules_options) with { struct_size = (nuint)sizeof(td_from_modules_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_functional_options
{
    public nuint struct_size;
    public byte untie_weights;
    public byte strict;
    public fixed byte reserved[6];
    public td_functional_options() => this = default(td_functional_options) with { struct_size = (nuint)sizeof(td_functional_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_load_options
{
    public nuint struct_size;
    public byte lenient;
    public byte assign;
    public fixed byte reserved[6];
    public td_load_options() => this = default(td_load_options) with { struct_size = (nuint)sizeof(td_load_options) };
}

/// <summary>
/// Callbacks for state of a module beside its tensors. `get` sets one tensor or non-tensor data under "_extra_state" in
/// the empty dict `state`; `set` reads it from there, and must change nothing if it fails. Either may be NULL. `destroy`
/// (may be NULL) runs when the callbacks are replaced or the module is freed.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_extra_state
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_error**, Status> get;
    public delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_error**, Status> set;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_extra_state() => this = default(td_extra_state) with { struct_size = (nuint)sizeof(td_extra_state) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_list_options
{
    public nuint struct_size;
    public td_key* prefix;
    public byte shallow;
    public byte keep_duplicates;
    public fixed byte reserved[6];
    public td_list_options() => this = default(td_list_options) with { struct_size = (nuint)sizeof(td_list_options) };
}

/// <summary>
/// What a forward hook sees, borrowed until it returns. If the module runs on a dict, `data` is set, and `result` after
/// the run; if it runs on tensors, the arrays are set. Later versions may add members: `struct_size` says how many the
/// library filled. Use the functions below to replace what the module gets or gives.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_hook_call
{
    public nuint struct_size;
    public td_dict* data;
    public td_dict* result;
    public td_tensor** inputs;
    public nuint n_inputs;
    public td_tensor** outputs;
    public nuint n_outputs;
    public td_hook_call() => this = default(td_hook_call) with { struct_size = (nuint)sizeof(td_hook_call) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_forward_hook
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_module*, td_hook_call*, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_forward_hook() => this = default(td_forward_hook) with { struct_size = (nuint)sizeof(td_forward_hook) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_state_hook
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_module*, td_dict*, td_str, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_state_hook() => this = default(td_state_hook) with { struct_size = (nuint)sizeof(td_state_hook) };
}

/// <summary>
/// What a backward hook sees, borrowed until it returns; NULL means no gradient. A pre-hook, which runs before the
/// module's backward, gets only the gradients of the outputs; a hook, which runs after it, also gets those of the
/// inputs. `struct_size` is as in td_hook_call.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_backward_call
{
    public nuint struct_size;
    public td_tensor** grad_inputs;
    public nuint n_inputs;
    public td_tensor** grad_outputs;
    public nuint n_outputs;
    public td_backward_call() => this = default(td_backward_call) with { struct_size = (nuint)sizeof(td_backward_call) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_backward_hook
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_module*, td_backward_call*, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_backward_hook() => this = default(td_backward_hook) with { struct_size = (nuint)sizeof(td_backward_hook) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_vmap_function_options
{
    public nuint struct_size;
    public Randomness randomness;
    public fixed byte reserved[4];
    public int* in_dims;
    public long* out_dims;
    public long chunk_size;
    public td_vmap_function_options() => this = default(td_vmap_function_options) with { struct_size = (nuint)sizeof(td_vmap_function_options) };
}

/// <summary>
/// In these options 0 means the default that is given beside a member. TD_ZERO, the smallest positive double, stands for
/// 0 there.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_sgd_options
{
    public nuint struct_size;
    public double lr;
    public double momentum;
    public double dampening;
    public double weight_decay;
    public byte nesterov;
    public fixed byte reserved[7];
    public td_sgd_options() => this = default(td_sgd_options) with { struct_size = (nuint)sizeof(td_sgd_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_adam_options
{
    public nuint struct_size;
    public double lr;
    public double beta1;
    public double beta2;
    public double eps;
    public double weight_decay;
    public byte amsgrad;
    public fixed byte reserved[7];
    public td_adam_options() => this = default(td_adam_options) with { struct_size = (nuint)sizeof(td_adam_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_rmsprop_options
{
    public nuint struct_size;
    public double lr;
    public double alpha;
    public double eps;
    public double weight_decay;
    public double momentum;
    public byte centered;
    public fixed byte reserved[7];
    public td_rmsprop_options() => this = default(td_rmsprop_options) with { struct_size = (nuint)sizeof(td_rmsprop_options) };
}

/// <summary>The options of Adam, with a different default of `weight_decay`.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_adamw_options
{
    public nuint struct_size;
    public double lr;
    public double beta1;
    public double beta2;
    public double eps;
    public double weight_decay;
    public byte amsgrad;
    public fixed byte reserved[7];
    public td_adamw_options() => this = default(td_adamw_options) with { struct_size = (nuint)sizeof(td_adamw_options) };
}

/// <summary>TD_ZERO stands for 0, as in the options of optimizers.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_one_cycle_options
{
    public nuint struct_size;
    public double pct_start;
    public double div_factor;
    public double final_div_factor;
    public double base_momentum;
    public double max_momentum;
    public byte linear;
    public byte three_phases;
    public byte keep_momentum;
    public fixed byte reserved[5];
    public td_one_cycle_options() => this = default(td_one_cycle_options) with { struct_size = (nuint)sizeof(td_one_cycle_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dist_part
{
    public td_key @params;
    public td_str type;
    public td_str config;
    public td_key* name;
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_probabilistic_options
{
    public nuint struct_size;
    public Interaction default_interaction;
    public byte return_log_prob;
    public byte aggregate;
    public fixed byte reserved[2];
    public td_key* log_prob_keys;
    public nuint n_log_prob_keys;
    public long n_empirical_estimate;
    public long* num_samples;
    public nuint n_num_samples;
    public td_generator* generator;
    public td_key* generator_key;
    public td_str* param_names;
    public td_dict* @params;
    public td_probabilistic_options() => this = default(td_probabilistic_options) with { struct_size = (nuint)sizeof(td_probabilistic_options) };
}

/// <summary>
/// A callback that makes a distribution: `params` (borrowed) has the parameters that are in the data, by their names;
/// `out` receives a new reference. `destroy` runs as in td_module_function.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dist_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_dict*, td_dist**, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_dist_function() => this = default(td_dist_function) with { struct_size = (nuint)sizeof(td_dist_function) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_log_prob_options
{
    public nuint struct_size;
    public td_dist* dist;
    public byte include_sum;
    public byte given_samples;
    public fixed byte reserved[6];
    public td_log_prob_options() => this = default(td_log_prob_options) with { struct_size = (nuint)sizeof(td_log_prob_options) };
}

/// <summary>
/// A callback as a hash: `fn` borrows a tensor and returns a new reference to an integer tensor with one element for
/// each row of the leading dim. `destroy(userdata)` runs once: when the hash is freed, or before the call that makes it
/// returns if that call fails.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_hash_function
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_tensor*, td_tensor**, td_error**, Status> fn;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_hash_function() => this = default(td_hash_function) with { struct_size = (nuint)sizeof(td_hash_function) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_query_options
{
    public nuint struct_size;
    public td_key* index_key;
    public td_key* hash_key;
    public td_str hash_type;
    public td_str hash_config;
    public td_hash* hash;
    public td_hash** hashes;
    public nuint n_hashes;
    public td_hash* aggregator;
    public td_query* map_of;
    public long capacity;
    public QueryMiss miss;
    public int threads;
    public byte clone;
    public byte exact;
    public byte canonical;
    public fixed byte reserved[5];
    public td_query_options() => this = default(td_query_options) with { struct_size = (nuint)sizeof(td_query_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_query_call_options
{
    public nuint struct_size;
    public QueryFlags flags;
    public QueryTarget target;
    public fixed byte reserved[4];
    public td_key* found_key;
    public td_query_call_options() => this = default(td_query_call_options) with { struct_size = (nuint)sizeof(td_query_call_options) };
}

/// <summary>Statistics of a map.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_query_statistics
{
    public nuint struct_size;
    public long size;
    public long next;
    public long collisions;
    public long evictions;
    public long nbytes;
    public td_query_statistics() => this = default(td_query_statistics) with { struct_size = (nuint)sizeof(td_query_statistics) };
}

/// <summary>
/// Callbacks for a map from int64 hashes to indices from 0 up. A callback that fails returns a status other than TD_OK
/// and must change nothing. `erase`, `clear`, `state` and `load` may be NULL; functions that need them are then
/// UNSUPPORTED. Callbacks run on the thread that calls the query. `look_up`, `size` and `state` may run concurrently if
/// several threads call the query; the others run alone. Callbacks may call this library, except queries over this map,
/// which are UNSUPPORTED. Two hashes may have the same index. `destroy` runs once: when the last query over the map is
/// freed, or before td_query_new_with_map returns if it fails. A forked child has a copy of the map's memory, like of
/// any memory of the process.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_index_map
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, long*, nuint, long*, td_error**, Status> look_up;
    public delegate* unmanaged[Cdecl]<void*, long*, nuint, long*, td_error**, Status> insert;
    public delegate* unmanaged[Cdecl]<void*, long*, nuint, td_error**, Status> erase;
    public delegate* unmanaged[Cdecl]<void*, long*, long*, td_error**, Status> size;
    public delegate* unmanaged[Cdecl]<void*, td_error**, Status> clear;
    public delegate* unmanaged[Cdecl]<void*, td_dict*, td_error**, Status> state;
    public delegate* unmanaged[Cdecl]<void*, td_dict*, td_error**, Status> load;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_index_map() => this = default(td_index_map) with { struct_size = (nuint)sizeof(td_index_map) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_query_share_options
{
    public nuint struct_size;
    public long capacity;
    public byte keep;
    public byte large_pages;
    public fixed byte reserved[6];
    public td_query_share_options() => this = default(td_query_share_options) with { struct_size = (nuint)sizeof(td_query_share_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_query_save_options
{
    public nuint struct_size;
    public long capacity;
    public byte overwrite;
    public fixed byte reserved[7];
    public td_query_save_options() => this = default(td_query_save_options) with { struct_size = (nuint)sizeof(td_query_save_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_store_options
{
    public nuint struct_size;
    public long capacity;
    public byte preallocate;
    public fixed byte reserved[7];
    public td_str path;
    public td_store_options() => this = default(td_store_options) with { struct_size = (nuint)sizeof(td_store_options) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_sample_options
{
    public nuint struct_size;
    public byte without_replacement;
    public fixed byte reserved[7];
    public td_sample_options() => this = default(td_sample_options) with { struct_size = (nuint)sizeof(td_sample_options) };
}

/// <summary>The description of a type that this process registers.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_type_info
{
    public nuint struct_size;
    public td_str id;
    public td_str version;
    public td_str schema;
    public PluginFlags flags;
    public td_type_info() => this = default(td_type_info) with { struct_size = (nuint)sizeof(td_type_info) };
}

/// <summary>
/// Callbacks as a type, without a shared library. `config` is the JSON that the instance was made with, valid during the
/// call. `destroy(userdata)` runs once: when the type is unregistered and its last instance is freed, or before the
/// registering call returns if it fails. A callback may be NULL if the doc of the plugin type in tensordict_plugin.h
/// says so.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_hash_callbacks
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_str, void*, nuint, nuint, nuint, ulong*, td_error**, Status> hash_rows;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_hash_callbacks() => this = default(td_hash_callbacks) with { struct_size = (nuint)sizeof(td_hash_callbacks) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_module_callbacks
{
    public nuint struct_size;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_generator*, td_dict*, td_dict*, td_error**, Status> init;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_tensor**, nuint, td_tensor**, nuint, byte, td_tensor**, nuint, td_error**, Status> forward;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_module_callbacks() => this = default(td_module_callbacks) with { struct_size = (nuint)sizeof(td_module_callbacks) };
}

[StructLayout(LayoutKind.Sequential)]
public unsafe struct td_dist_callbacks
{
    public nuint struct_size;
    public td_str* @params;
    public nuint n_params;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_tensor**, long*, nuint, td_generator*, td_tensor**, td_error**, Status> sample;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_tensor**, long*, nuint, td_generator*, td_tensor**, td_error**, Status> rsample;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_tensor**, td_tensor*, td_tensor**, td_error**, Status> log_prob;
    public delegate* unmanaged[Cdecl]<void*, td_str, td_tensor**, DistStat, td_tensor**, td_error**, Status> stat;
    public void* userdata;
    public delegate* unmanaged[Cdecl]<void*, void> destroy;
    public td_dist_callbacks() => this = default(td_dist_callbacks) with { struct_size = (nuint)sizeof(td_dist_callbacks) };
}
