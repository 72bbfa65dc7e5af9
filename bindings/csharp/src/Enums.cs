// Made from tensordict.h 0.2.0 by bindings/generate.py; do not edit.
#nullable enable

using System;

namespace LibTensorDict;

/// <summary>
/// The result of every call that can fail. The values never change; callers must treat unknown values as failures.
/// </summary>
public enum Status : int
{
    /// <summary>TD_OK</summary>
    Ok = 0,
    /// <summary>a NULL handle, an unknown constant, text that is not UTF-8, a bad options struct</summary>
    Argument = 1,
    /// <summary>no such key, or the path runs through a tensor</summary>
    Key = 2,
    /// <summary>leading dims differ from the batch size, or shapes do not fit each other</summary>
    Shape = 3,
    /// <summary>a dtype that this operation or this LibTorch does not take</summary>
    DType = 4,
    /// <summary>no such device, or data that is not where it must be</summary>
    Device = 5,
    /// <summary>an index or a dim out of range</summary>
    Index = 6,
    /// <summary>a structural change of a locked dict, or a write to read-only memory</summary>
    Locked = 7,
    /// <summary>valid, but not offered by this object, this platform or this build</summary>
    Unsupported = 8,
    /// <summary>made by, or for, another version of the library, a format or a plugin ABI</summary>
    Version = 9,
    /// <summary>the operating system refused; the message carries its reason</summary>
    IO = 10,
    /// <summary>no space on the device, in shared memory or under a limit</summary>
    NoSpace = 11,
    /// <summary>a file, a directory or a segment contradicts itself</summary>
    Corrupt = 12,
    /// <summary>a plugin failed or broke its contract</summary>
    Plugin = 13,
    /// <summary>a callback failed or threw</summary>
    Callback = 14,
    /// <summary>the timeout expired</summary>
    Timeout = 15,
    /// <summary>a channel, message, file or scope that is closed or ended</summary>
    Closed = 16,
    /// <summary>LibTorch failed; the message is LibTorch's</summary>
    Torch = 17,
    /// <summary>out of memory</summary>
    OutOfMemory = 18,
    /// <summary>a bug in this library</summary>
    Internal = 19,
    /// <summary>no such file, directory, segment, operator, plugin or type</summary>
    NotFound = 20,
    /// <summary>the name is taken</summary>
    Exists = 21,
    /// <summary>the caller ended the wait by td_cancel_request</summary>
    Cancelled = 22,
    /// <summary>
    /// another thread is using the same dict, or other processes change the same entries of it
    /// </summary>
    Busy = 23,
}

/// <summary>Element types. The numbers belong to this library, not to LibTorch.</summary>
public enum DType : int
{
    /// <summary>"not given": an operation's default</summary>
    None = 0,
    /// <summary>elements are td_bool: one byte, 0 or 1</summary>
    Bool = 1,
    /// <summary>TD_DTYPE_UINT8</summary>
    UInt8 = 2,
    /// <summary>TD_DTYPE_INT8</summary>
    Int8 = 3,
    /// <summary>TD_DTYPE_INT16</summary>
    Int16 = 4,
    /// <summary>TD_DTYPE_INT32</summary>
    Int32 = 5,
    /// <summary>TD_DTYPE_INT64</summary>
    Int64 = 6,
    /// <summary>uint16, uint32 and uint64 need LibTorch 2.3 or later</summary>
    UInt16 = 7,
    /// <summary>TD_DTYPE_UINT32</summary>
    UInt32 = 8,
    /// <summary>TD_DTYPE_UINT64</summary>
    UInt64 = 9,
    /// <summary>TD_DTYPE_FLOAT16</summary>
    Float16 = 10,
    /// <summary>TD_DTYPE_BFLOAT16</summary>
    BFloat16 = 11,
    /// <summary>TD_DTYPE_FLOAT32</summary>
    Float32 = 12,
    /// <summary>TD_DTYPE_FLOAT64</summary>
    Float64 = 13,
    /// <summary>TD_DTYPE_COMPLEX32</summary>
    Complex32 = 14,
    /// <summary>TD_DTYPE_COMPLEX64</summary>
    Complex64 = 15,
    /// <summary>TD_DTYPE_COMPLEX128</summary>
    Complex128 = 16,
    /// <summary>LibTorch 2.1; see td_tensor_stored_dtype for older ones</summary>
    Float8E4m3fn = 17,
    /// <summary>2.1</summary>
    Float8E5m2 = 18,
    /// <summary>2.2</summary>
    Float8E4m3fnuz = 19,
    /// <summary>2.2</summary>
    Float8E5m2fnuz = 20,
    /// <summary>2.7</summary>
    Float8E8m0fnu = 21,
    /// <summary>2.8; two in a byte</summary>
    Float4E2m1fnX2 = 22,
}

/// <summary>The kind of a td_value.</summary>
public enum ValueKind : int
{
    /// <summary>as an argument: take the operator's default</summary>
    Default = 0,
    /// <summary>as an argument: "no value", for optional parameters</summary>
    None = 1,
    /// <summary>as.tensor; NULL is NONE</summary>
    Tensor = 2,
    /// <summary>as.i</summary>
    Int = 3,
    /// <summary>as.f</summary>
    Double = 4,
    /// <summary>as.i, 0 or 1</summary>
    Bool = 5,
    /// <summary>as.str; arguments only. Devices are strings: "cpu", "cuda:0"</summary>
    Str = 6,
    /// <summary>as.i, a td_dtype</summary>
    DType = 7,
    /// <summary>as.ints, `size` of them; arguments only</summary>
    Ints = 8,
    /// <summary>as.doubles, `size` of them; arguments only</summary>
    Doubles = 9,
    /// <summary>as.bools, `size` of them; arguments only</summary>
    Bools = 10,
    /// <summary>as.tensors, `size` of them, NULL entries are "no value"; arguments only</summary>
    Tensors = 11,
    /// <summary>as.list; results only</summary>
    TensorList = 12,
    /// <summary>as.generator; arguments only</summary>
    Generator = 13,
    /// <summary>as.dict; not for td_op_call</summary>
    Dict = 14,
    /// <summary>as.u: the element of a uint64 tensor, or a number that may be above INT64_MAX</summary>
    UInt = 15,
    /// <summary>as.c</summary>
    Complex = 16,
    /// <summary>as.strs, `size` of them; arguments only</summary>
    Strs = 17,
    /// <summary>as.data: text, bytes, JSON and other non-tensor data; not for td_op_call</summary>
    Data = 18,
}

/// <summary>The kind of a plugin's type. The flags below are what the type promises.</summary>
public enum PluginKind : int
{
    /// <summary>TD_PLUGIN_KIND_HASH</summary>
    Hash = 1,
    /// <summary>TD_PLUGIN_KIND_DISTRIBUTION</summary>
    Distribution = 2,
    /// <summary>TD_PLUGIN_KIND_MODULE</summary>
    Module = 3,
}

/// <summary>The kind of a plugin's type. The flags below are what the type promises.</summary>
[Flags]
public enum PluginFlags : ulong
{
    /// <summary>the same inputs and generator state give the same result</summary>
    Deterministic = 1 << 0,
    /// <summary>... on every platform and in every version</summary>
    Stable = 1 << 1,
    /// <summary>results depend on a key or a seed in the config</summary>
    Keyed = 1 << 2,
    /// <summary>results carry gradients to the inputs</summary>
    Differentiable = 1 << 3,
    /// <summary>functions of one instance may run concurrently</summary>
    ThreadSafe = 1 << 4,
}

/// <summary>The kinds of object that td_live_objects counts.</summary>
public enum ObjectKind : int
{
    /// <summary>TD_OBJECT_ERROR</summary>
    Error = 0,
    /// <summary>TD_OBJECT_STRING</summary>
    String = 1,
    /// <summary>TD_OBJECT_KEYS</summary>
    Keys = 2,
    /// <summary>TD_OBJECT_PATH</summary>
    Path = 3,
    /// <summary>TD_OBJECT_TENSOR</summary>
    Tensor = 4,
    /// <summary>TD_OBJECT_TENSOR_LIST</summary>
    TensorList = 5,
    /// <summary>TD_OBJECT_GENERATOR</summary>
    Generator = 6,
    /// <summary>TD_OBJECT_OP</summary>
    Op = 7,
    /// <summary>TD_OBJECT_DICT</summary>
    Dict = 8,
    /// <summary>TD_OBJECT_SEGMENT</summary>
    Segment = 9,
    /// <summary>TD_OBJECT_MODULE</summary>
    Module = 10,
    /// <summary>TD_OBJECT_OPTIMIZER</summary>
    Optimizer = 11,
    /// <summary>and transforms</summary>
    Dist = 12,
    /// <summary>TD_OBJECT_QUERY</summary>
    Query = 13,
    /// <summary>TD_OBJECT_NO_GRAD</summary>
    NoGrad = 14,
    /// <summary>files and segments that are mapped now</summary>
    Mapping = 15,
    /// <summary>TD_OBJECT_DICT_LIST</summary>
    DictList = 16,
    /// <summary>TD_OBJECT_DATA_LIST</summary>
    DataList = 17,
    /// <summary>TD_OBJECT_SCOPE</summary>
    Scope = 18,
    /// <summary>TD_OBJECT_CHANNEL</summary>
    Channel = 19,
    /// <summary>TD_OBJECT_MESSAGE</summary>
    Message = 20,
    /// <summary>TD_OBJECT_HASH</summary>
    Hash = 21,
    /// <summary>TD_OBJECT_STORE</summary>
    Store = 22,
    /// <summary>TD_OBJECT_ROW_MAP</summary>
    RowMap = 23,
    /// <summary>TD_OBJECT_PACK_LAYOUT</summary>
    PackLayout = 24,
    /// <summary>TD_OBJECT_CANCEL</summary>
    Cancel = 25,
    /// <summary>TD_OBJECT_ENTRIES</summary>
    Entries = 26,
    /// <summary>TD_OBJECT_SCHEDULE</summary>
    Schedule = 27,
    /// <summary>TD_OBJECT_GROUP</summary>
    Group = 28,
    /// <summary>TD_OBJECT_WORK</summary>
    Work = 29,
}

/// <summary>
/// How much the library may use its own code instead of LibTorch's operators. Results are the same at every level.
/// </summary>
public enum FastLevel : int
{
    /// <summary>LibTorch operators only</summary>
    None = 0,
    /// <summary>also its own views of plain CPU tensors</summary>
    Views = 1,
    /// <summary>also one allocation for the results of many leaves; the default</summary>
    Arena = 2,
}

/// <summary>The flags of td_tensor_facts.</summary>
[Flags]
public enum TensorFlags : ulong
{
    /// <summary>as td_tensor_is_contiguous</summary>
    Contiguous = 1 << 0,
    /// <summary>as td_tensor_is_read_only</summary>
    ReadOnly = 1 << 1,
    /// <summary>as td_tensor_requires_grad</summary>
    RequiresGrad = 1 << 2,
    /// <summary>dense; there are strides</summary>
    Strided = 1 << 3,
}

/// <summary>The kind of an entry.</summary>
public enum EntryKind : int
{
    /// <summary>TD_ENTRY_NONE</summary>
    None = 0,
    /// <summary>TD_ENTRY_TENSOR</summary>
    Tensor = 1,
    /// <summary>TD_ENTRY_DICT</summary>
    Dict = 2,
    /// <summary>TD_ENTRY_DATA</summary>
    Data = 3,
}

/// <summary>Which keys td_dict_keys lists.</summary>
[Flags]
public enum KeysFlags : ulong
{
    /// <summary>list the entries of nodes too; a node comes before its entries</summary>
    Nested = 1 << 0,
    /// <summary>tensors only</summary>
    Leaves = 1 << 1,
    /// <summary>sorted by the parts joined with dots, as bytes; else in insertion order</summary>
    Sorted = 1 << 2,
    /// <summary>the entries of a node come before the node, as in td.keys(True)</summary>
    ChildrenFirst = 1 << 3,
    /// <summary>with TD_KEYS_LEAVES: non-tensor entries too</summary>
    Data = 1 << 4,
    /// <summary>non-tensor entries only, as td.non_tensor_items() lists them</summary>
    DataOnly = 1 << 5,
}

/// <summary>The kind of a td_data.</summary>
public enum DataKind : int
{
    /// <summary>TD_DATA_NONE</summary>
    None = 0,
    /// <summary>i, 0 or 1</summary>
    Bool = 1,
    /// <summary>i</summary>
    Int = 2,
    /// <summary>f</summary>
    Double = 3,
    /// <summary>text, UTF-8</summary>
    Str = 4,
    /// <summary>
    /// text, any bytes; Python pickles them, so that only memmap directories and archives hold them
    /// </summary>
    Bytes = 5,
    /// <summary>text: a list, an object, or an integer beyond 64 bits</summary>
    Json = 6,
    /// <summary>TD_DATA_PICKLE</summary>
    Pickle = 7,
}

/// <summary>The values of td_index_kind.</summary>
public enum IndexKind : int
{
    /// <summary>start</summary>
    Int = 0,
    /// <summary>start:stop:step; step &gt;= 1; negative start and stop count from the end</summary>
    Slice = 1,
    /// <summary>a new dim of size 1</summary>
    None = 2,
    /// <summary>full slices of all remaining dims; at most one per index</summary>
    Ellipsis = 3,
    /// <summary>
    /// signed integers, or a bool mask over as many dims as it has; without dims, a new dim of size 1 if it is true and 0 if not
    /// </summary>
    Tensor = 4,
    /// <summary>as a tensor of these integers</summary>
    Ints = 5,
}

/// <summary>The kind of a dict.</summary>
public enum DictKind : int
{
    /// <summary>TD_DICT_KIND_TENSORDICT</summary>
    TensorDict = 0,
    /// <summary>TD_DICT_KIND_LAZY_STACK</summary>
    LazyStack = 1,
    /// <summary>TD_DICT_KIND_PARAMS</summary>
    Params = 2,
    /// <summary>TD_DICT_KIND_PERSISTENT</summary>
    Persistent = 3,
    /// <summary>TD_DICT_KIND_WINDOW</summary>
    Window = 4,
}

/// <summary>How td_dict_pointwise treats leaves that some dicts lack.</summary>
public enum Missing : int
{
    /// <summary>TD_ERR_KEY; in place, only if the first dict has the leaf and another lacks it</summary>
    Error = 0,
    /// <summary>the result lacks them too; in place, they do not change</summary>
    Skip = 1,
    /// <summary>`fill` replaces them; in place, no leaves are added</summary>
    Fill = 2,
}

/// <summary>How to treat nodes that become empty.</summary>
public enum Emptied : int
{
    /// <summary>removed, unless they were empty before</summary>
    Drop = 0,
    /// <summary>removed</summary>
    DropAll = 1,
    /// <summary>TD_EMPTIED_KEEP</summary>
    Keep = 2,
}

/// <summary>The fields that td_dict_repr shows.</summary>
[Flags]
public enum ReprFlags : ulong
{
    /// <summary>of the dict and of each node</summary>
    BatchSize = 1 << 0,
    /// <summary>TD_REPR_DEVICE</summary>
    Device = 1 << 1,
    /// <summary>TD_REPR_IS_SHARED</summary>
    IsShared = 1 << 2,
    /// <summary>of each tensor</summary>
    Shape = 1 << 3,
    /// <summary>TD_REPR_FIELD_DEVICE</summary>
    FieldDevice = 1 << 4,
    /// <summary>TD_REPR_DTYPE</summary>
    DType = 1 << 5,
    /// <summary>TD_REPR_FIELD_IS_SHARED</summary>
    FieldIsShared = 1 << 6,
    /// <summary>TD_REPR_GRAD</summary>
    Grad = 1 << 7,
    /// <summary>TD_REPR_IS_CONTIGUOUS</summary>
    IsContiguous = 1 << 8,
    /// <summary>TD_REPR_IS_VIEW</summary>
    IsView = 1 << 9,
    /// <summary>TD_REPR_STORAGE_SIZE</summary>
    StorageSize = 1 << 10,
    /// <summary>mean and std of floating tensors, min and max of the others</summary>
    Plain = 1 << 11,
    /// <summary>entries in insertion order, else sorted by their lines</summary>
    Unsorted = 1 << 12,
    /// <summary>
    /// the form with few lines that Python prints by default since 0.15; it has no other fields
    /// </summary>
    Compact = 1 << 13,
    /// <summary>nothing of the above</summary>
    NoFields = 1 << 14,
    /// <summary>TD_REPR_DEFAULT</summary>
    Default = 0x7f,
    /// <summary>as verbose=False</summary>
    Brief = (1 << 0) | (1 << 3),
}

/// <summary>
/// The formats of dicts on disk. A build may lack some of them; td_has_feature says which.
/// </summary>
public enum Format : int
{
    /// <summary>
    /// open: recognised from the file, but see `trusted`; save: by the ending of the path
    /// </summary>
    Auto = 0,
    /// <summary>a directory; any path without the ending of another format</summary>
    Memmap = 1,
    /// <summary>.td</summary>
    Consolidated = 2,
    /// <summary>.tdz</summary>
    Archive = 3,
    /// <summary>.h5, .hdf5</summary>
    Hdf5 = 4,
    /// <summary>.safetensors</summary>
    Safetensors = 5,
    /// <summary>.pt, .pth: opened, never saved</summary>
    TorchSave = 6,
}

/// <summary>The values of td_open_mode.</summary>
public enum OpenMode : int
{
    /// <summary>memory is mapped read-only: writes through this library are LOCKED</summary>
    Read = 0,
    /// <summary>writes stay in this process and never reach the file</summary>
    Cow = 1,
    /// <summary>
    /// writes to tensors go to the file immediately; all processes that have it open see them
    /// </summary>
    ReadWrite = 2,
}

/// <summary>The compression of a save. Memmap directories are not compressed.</summary>
public enum Compression : int
{
    /// <summary>TD_COMPRESSION_NONE</summary>
    None = 0,
    /// <summary>archives and HDF5</summary>
    Deflate = 1,
    /// <summary>archives, if the build has the feature "lzma": smaller and much slower</summary>
    Lzma = 2,
}

/// <summary>Where the tensors are stored.</summary>
public enum Storage : int
{
    /// <summary>an ordinary dict</summary>
    Memory = 0,
    /// <summary>shared memory as of td_dict_share_memory_, locked</summary>
    Shared = 1,
    /// <summary>a memmap directory as of td_dict_memmap_like</summary>
    Memmap = 2,
    /// <summary>an HDF5 file, open for writing</summary>
    Hdf5 = 3,
}

/// <summary>
/// The roles of a handle in the channel. It may have the first two together. An observer has no other role: it does not
/// count as a member and may call stats, dump and close.
/// </summary>
public enum ChannelRole : int
{
    /// <summary>TD_CHANNEL_ROLE_PRODUCES</summary>
    Produces = 1,
    /// <summary>TD_CHANNEL_ROLE_CONSUMES</summary>
    Consumes = 2,
    /// <summary>TD_CHANNEL_ROLE_OBSERVES</summary>
    Observes = 4,
}

/// <summary>The values of td_channel_mode.</summary>
public enum ChannelMode : int
{
    /// <summary>each message goes to one consumer</summary>
    Queue = 0,
    /// <summary>each message goes to all consumers that are members when it is published</summary>
    Broadcast = 1,
}

/// <summary>What td_channel_acquire does if all slots are in use.</summary>
public enum ChannelOverflow : int
{
    /// <summary>waits</summary>
    Block = 0,
    /// <summary>fails with NOSPACE</summary>
    Fail = 1,
    /// <summary>drops the oldest message that no consumer is reading</summary>
    DropOldest = 2,
}

/// <summary>The values of td_channel_state.</summary>
public enum ChannelState : int
{
    /// <summary>TD_CHANNEL_STATE_OPEN</summary>
    Open = 0,
    /// <summary>TD_CHANNEL_STATE_CLOSED</summary>
    Closed = 1,
    /// <summary>TD_CHANNEL_STATE_CORRUPT</summary>
    Corrupt = 2,
}

/// <summary>How the values of all ranks are combined.</summary>
public enum GroupReduction : int
{
    /// <summary>TD_GROUP_REDUCTION_SUM</summary>
    Sum = 0,
    /// <summary>TD_GROUP_REDUCTION_PRODUCT</summary>
    Product = 1,
    /// <summary>TD_GROUP_REDUCTION_MIN</summary>
    Min = 2,
    /// <summary>TD_GROUP_REDUCTION_MAX</summary>
    Max = 3,
}

/// <summary>The values of td_interaction.</summary>
public enum Interaction : int
{
    /// <summary>the default of the function or module that is called</summary>
    Default = 0,
    /// <summary>TD_INTERACTION_MODE</summary>
    Mode = 1,
    /// <summary>TD_INTERACTION_MEDIAN</summary>
    Median = 2,
    /// <summary>TD_INTERACTION_MEAN</summary>
    Mean = 3,
    /// <summary>TD_INTERACTION_RANDOM</summary>
    Random = 4,
    /// <summary>TD_INTERACTION_DETERMINISTIC</summary>
    Deterministic = 5,
}

/// <summary>The values of td_randomness.</summary>
public enum Randomness : int
{
    /// <summary>random operators fail</summary>
    Error = 0,
    /// <summary>each member draws its own numbers</summary>
    Different = 1,
    /// <summary>TD_RANDOMNESS_SAME</summary>
    Same = 2,
}

/// <summary>Where a module writes its outputs.</summary>
public enum Inplace : int
{
    /// <summary>NONE for a sequence, TRUE for other modules</summary>
    Default = 0,
    /// <summary>True: into the data</summary>
    True = 1,
    /// <summary>False: into a new dict without batch dims; the data does not change</summary>
    False = 2,
    /// <summary>
    /// "empty": into a new dict with the data's batch size and device; the data does not change
    /// </summary>
    Empty = 3,
    /// <summary>
    /// None: a sequence returns the dict of its last member; other modules write to a new dict
    /// </summary>
    None = 4,
}

/// <summary>Which modules td_module_visit visits, and in which order.</summary>
public enum VisitOrder : int
{
    /// <summary>all modules, each before the modules below it: named_modules</summary>
    Modules = 0,
    /// <summary>the direct children: named_children</summary>
    Children = 1,
    /// <summary>all modules, each after the modules below it: apply</summary>
    Apply = 2,
}

/// <summary>The values of td_hook_flags.</summary>
[Flags]
public enum HookFlags : ulong
{
    /// <summary>before the existing hooks</summary>
    Prepend = 1 << 0,
    /// <summary>for a hook after the module: run it also if the module fails</summary>
    AlwaysCall = 1 << 1,
}

/// <summary>
/// When a state hook runs. The two hooks of a load may edit the flat dict; tensors are loaded after both.
/// </summary>
public enum StateHookKind : int
{
    /// <summary>TD_STATE_HOOK_STATE_DICT_PRE</summary>
    StateDictPre = 0,
    /// <summary>`state` has the entries of the module and all modules below it</summary>
    StateDict = 1,
    /// <summary>TD_STATE_HOOK_LOAD_STATE_DICT_PRE</summary>
    LoadStateDictPre = 2,
    /// <summary>all problems are known and nothing is loaded yet</summary>
    LoadStateDict = 3,
}

/// <summary>The values of td_dist_stat.</summary>
public enum DistStat : int
{
    /// <summary>TD_DIST_STAT_MEAN</summary>
    Mean = 0,
    /// <summary>TD_DIST_STAT_MODE</summary>
    Mode = 1,
    /// <summary>TD_DIST_STAT_VARIANCE</summary>
    Variance = 2,
    /// <summary>TD_DIST_STAT_ENTROPY</summary>
    Entropy = 3,
    /// <summary>TD_DIST_STAT_MEDIAN</summary>
    Median = 4,
    /// <summary>TD_DIST_STAT_STDDEV</summary>
    Stddev = 5,
    /// <summary>the deterministic sample that the type defines</summary>
    Deterministic = 6,
    /// <summary>TD_DIST_STAT_PERPLEXITY</summary>
    Perplexity = 7,
}

/// <summary>What td_module_get_dist returns for a sequence.</summary>
public enum ReturnComposite : int
{
    /// <summary>
    /// TRUE if there are several probabilistic modules or the last has no distribution, else FALSE
    /// </summary>
    Default = 0,
    /// <summary>the distribution of the last member; the others run with its interaction type</summary>
    False = 1,
    /// <summary>one composite distribution of all probabilistic members</summary>
    True = 2,
}

/// <summary>What a row that is not in the map gets if the map is not extended.</summary>
public enum QueryMiss : int
{
    /// <summary>the number of indices assigned so far, as in torchrl</summary>
    Size = 0,
    /// <summary>TD_QUERY_MISS_MINUS_ONE</summary>
    MinusOne = 1,
    /// <summary>the call fails with KEY</summary>
    Error = 2,
}

/// <summary>The values of td_query_flags.</summary>
[Flags]
public enum QueryFlags : ulong
{
    /// <summary>every row has an index afterwards, and the hash is written</summary>
    Default = 0,
    /// <summary>rows that are not in the map get what the option `miss` says, and no new index</summary>
    NoExtend = 1 << 0,
    /// <summary>the int64 hash is not written</summary>
    NoHash = 1 << 1,
}

/// <summary>Where td_query_call writes its results.</summary>
public enum QueryTarget : int
{
    /// <summary>as the option `clone` of the query says</summary>
    Default = 0,
    /// <summary>to `data`</summary>
    Data = 1,
    /// <summary>to a copy of it</summary>
    Copy = 2,
}

/// <summary>The values of td_query_load_any_flags.</summary>
[Flags]
public enum QueryLoadAnyFlags : ulong
{
    /// <summary>TD_QUERY_LOAD_ANY_HASH</summary>
    Hash = 1 << 0,
}

/// <summary>The values of td_query_map_mode.</summary>
public enum QueryMapMode : int
{
    /// <summary>rows cannot be added; another process may add rows meanwhile</summary>
    Read = 0,
    /// <summary>the map as it is now; new rows are kept in the memory of this process</summary>
    Copy = 1,
    /// <summary>the only process that adds rows to the file</summary>
    Write = 2,
}
