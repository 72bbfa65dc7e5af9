//! tensordict.h with its chapters, as it is: unsafe, unchecked, undecorated. The safe layer is the rest of this crate.
//!
//! Do not edit; made from tensordict.h 0.2.0 by bindings/generate.py.
#![allow(non_camel_case_types)]

use std::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_void};

pub type td_status = i32;
pub type td_bool = u8;
pub type td_dtype = i32;
pub type td_value_kind = i32;
pub type td_plugin_kind = i32;
pub type td_plugin_flags = u64;
pub type td_object_kind = i32;
pub type td_fast_level = i32;
pub type td_tensor_flags = u64;
pub type td_entry_kind = i32;
pub type td_keys_flags = u64;
pub type td_data_kind = i32;
pub type td_index_kind = i32;
pub type td_dict_kind = i32;
pub type td_missing = i32;
pub type td_emptied = i32;
pub type td_repr_flags = u64;
pub type td_format = i32;
pub type td_open_mode = i32;
pub type td_compression = i32;
pub type td_storage = i32;
pub type td_channel_role = i32;
pub type td_channel_mode = i32;
pub type td_channel_overflow = i32;
pub type td_channel_state = i32;
pub type td_group_reduction = i32;
pub type td_interaction = i32;
pub type td_randomness = i32;
pub type td_inplace = i32;
pub type td_visit_order = i32;
pub type td_hook_flags = u64;
pub type td_state_hook_kind = i32;
pub type td_dist_stat = i32;
pub type td_return_composite = i32;
pub type td_query_miss = i32;
pub type td_query_flags = u64;
pub type td_query_target = i32;
pub type td_query_load_any_flags = u64;
pub type td_query_map_mode = i32;

pub const TD_OK: td_status = 0;
/// a NULL handle, an unknown constant, text that is not UTF-8, a bad options struct
pub const TD_ERR_ARGUMENT: td_status = 1;
/// no such key, or the path runs through a tensor
pub const TD_ERR_KEY: td_status = 2;
/// leading dims differ from the batch size, or shapes do not fit each other
pub const TD_ERR_SHAPE: td_status = 3;
/// a dtype that this operation or this LibTorch does not take
pub const TD_ERR_DTYPE: td_status = 4;
/// no such device, or data that is not where it must be
pub const TD_ERR_DEVICE: td_status = 5;
/// an index or a dim out of range
pub const TD_ERR_INDEX: td_status = 6;
/// a structural change of a locked dict, or a write to read-only memory
pub const TD_ERR_LOCKED: td_status = 7;
/// valid, but not offered by this object, this platform or this build
pub const TD_ERR_UNSUPPORTED: td_status = 8;
/// made by, or for, another version of the library, a format or a plugin ABI
pub const TD_ERR_VERSION: td_status = 9;
/// the operating system refused; the message carries its reason
pub const TD_ERR_IO: td_status = 10;
/// no space on the device, in shared memory or under a limit
pub const TD_ERR_NOSPACE: td_status = 11;
/// a file, a directory or a segment contradicts itself
pub const TD_ERR_CORRUPT: td_status = 12;
/// a plugin failed or broke its contract
pub const TD_ERR_PLUGIN: td_status = 13;
/// a callback failed or threw
pub const TD_ERR_CALLBACK: td_status = 14;
/// the timeout expired
pub const TD_ERR_TIMEOUT: td_status = 15;
/// a channel, message, file or scope that is closed or ended
pub const TD_ERR_CLOSED: td_status = 16;
/// LibTorch failed; the message is LibTorch's
pub const TD_ERR_TORCH: td_status = 17;
/// out of memory
pub const TD_ERR_OOM: td_status = 18;
/// a bug in this library
pub const TD_ERR_INTERNAL: td_status = 19;
/// no such file, directory, segment, operator, plugin or type
pub const TD_ERR_NOT_FOUND: td_status = 20;
/// the name is taken
pub const TD_ERR_EXISTS: td_status = 21;
/// the caller ended the wait by td_cancel_request
pub const TD_ERR_CANCELLED: td_status = 22;
/// another thread is using the same dict, or other processes change the same entries of it
pub const TD_ERR_BUSY: td_status = 23;
/// "not given": an operation's default
pub const TD_DTYPE_NONE: td_dtype = 0;
/// elements are td_bool: one byte, 0 or 1
pub const TD_DTYPE_BOOL: td_dtype = 1;
pub const TD_DTYPE_UINT8: td_dtype = 2;
pub const TD_DTYPE_INT8: td_dtype = 3;
pub const TD_DTYPE_INT16: td_dtype = 4;
pub const TD_DTYPE_INT32: td_dtype = 5;
pub const TD_DTYPE_INT64: td_dtype = 6;
/// uint16, uint32 and uint64 need LibTorch 2.3 or later
pub const TD_DTYPE_UINT16: td_dtype = 7;
pub const TD_DTYPE_UINT32: td_dtype = 8;
pub const TD_DTYPE_UINT64: td_dtype = 9;
pub const TD_DTYPE_FLOAT16: td_dtype = 10;
pub const TD_DTYPE_BFLOAT16: td_dtype = 11;
pub const TD_DTYPE_FLOAT32: td_dtype = 12;
pub const TD_DTYPE_FLOAT64: td_dtype = 13;
pub const TD_DTYPE_COMPLEX32: td_dtype = 14;
pub const TD_DTYPE_COMPLEX64: td_dtype = 15;
pub const TD_DTYPE_COMPLEX128: td_dtype = 16;
/// LibTorch 2.1; see td_tensor_stored_dtype for older ones
pub const TD_DTYPE_FLOAT8_E4M3FN: td_dtype = 17;
/// 2.1
pub const TD_DTYPE_FLOAT8_E5M2: td_dtype = 18;
/// 2.2
pub const TD_DTYPE_FLOAT8_E4M3FNUZ: td_dtype = 19;
/// 2.2
pub const TD_DTYPE_FLOAT8_E5M2FNUZ: td_dtype = 20;
/// 2.7
pub const TD_DTYPE_FLOAT8_E8M0FNU: td_dtype = 21;
/// 2.8; two in a byte
pub const TD_DTYPE_FLOAT4_E2M1FN_X2: td_dtype = 22;
/// as an argument: take the operator's default
pub const TD_VALUE_DEFAULT: td_value_kind = 0;
/// as an argument: "no value", for optional parameters
pub const TD_VALUE_NONE: td_value_kind = 1;
/// as.tensor; NULL is NONE
pub const TD_VALUE_TENSOR: td_value_kind = 2;
/// as.i
pub const TD_VALUE_INT: td_value_kind = 3;
/// as.f
pub const TD_VALUE_DOUBLE: td_value_kind = 4;
/// as.i, 0 or 1
pub const TD_VALUE_BOOL: td_value_kind = 5;
/// as.str; arguments only. Devices are strings: "cpu", "cuda:0"
pub const TD_VALUE_STR: td_value_kind = 6;
/// as.i, a td_dtype
pub const TD_VALUE_DTYPE: td_value_kind = 7;
/// as.ints, `size` of them; arguments only
pub const TD_VALUE_INTS: td_value_kind = 8;
/// as.doubles, `size` of them; arguments only
pub const TD_VALUE_DOUBLES: td_value_kind = 9;
/// as.bools, `size` of them; arguments only
pub const TD_VALUE_BOOLS: td_value_kind = 10;
/// as.tensors, `size` of them, NULL entries are "no value"; arguments only
pub const TD_VALUE_TENSORS: td_value_kind = 11;
/// as.list; results only
pub const TD_VALUE_TENSOR_LIST: td_value_kind = 12;
/// as.generator; arguments only
pub const TD_VALUE_GENERATOR: td_value_kind = 13;
/// as.dict; not for td_op_call
pub const TD_VALUE_DICT: td_value_kind = 14;
/// as.u: the element of a uint64 tensor, or a number that may be above INT64_MAX
pub const TD_VALUE_UINT: td_value_kind = 15;
/// as.c
pub const TD_VALUE_COMPLEX: td_value_kind = 16;
/// as.strs, `size` of them; arguments only
pub const TD_VALUE_STRS: td_value_kind = 17;
/// as.data: text, bytes, JSON and other non-tensor data; not for td_op_call
pub const TD_VALUE_DATA: td_value_kind = 18;
pub const TD_PLUGIN_KIND_HASH: td_plugin_kind = 1;
pub const TD_PLUGIN_KIND_DISTRIBUTION: td_plugin_kind = 2;
pub const TD_PLUGIN_KIND_MODULE: td_plugin_kind = 3;
/// the same inputs and generator state give the same result
pub const TD_PLUGIN_DETERMINISTIC: td_plugin_flags = 1 << 0;
/// ... on every platform and in every version
pub const TD_PLUGIN_STABLE: td_plugin_flags = 1 << 1;
/// results depend on a key or a seed in the config
pub const TD_PLUGIN_KEYED: td_plugin_flags = 1 << 2;
/// results carry gradients to the inputs
pub const TD_PLUGIN_DIFFERENTIABLE: td_plugin_flags = 1 << 3;
/// functions of one instance may run concurrently
pub const TD_PLUGIN_THREAD_SAFE: td_plugin_flags = 1 << 4;
pub const TD_OBJECT_ERROR: td_object_kind = 0;
pub const TD_OBJECT_STRING: td_object_kind = 1;
pub const TD_OBJECT_KEYS: td_object_kind = 2;
pub const TD_OBJECT_PATH: td_object_kind = 3;
pub const TD_OBJECT_TENSOR: td_object_kind = 4;
pub const TD_OBJECT_TENSOR_LIST: td_object_kind = 5;
pub const TD_OBJECT_GENERATOR: td_object_kind = 6;
pub const TD_OBJECT_OP: td_object_kind = 7;
pub const TD_OBJECT_DICT: td_object_kind = 8;
pub const TD_OBJECT_SEGMENT: td_object_kind = 9;
pub const TD_OBJECT_MODULE: td_object_kind = 10;
pub const TD_OBJECT_OPTIMIZER: td_object_kind = 11;
/// and transforms
pub const TD_OBJECT_DIST: td_object_kind = 12;
pub const TD_OBJECT_QUERY: td_object_kind = 13;
pub const TD_OBJECT_NO_GRAD: td_object_kind = 14;
/// files and segments that are mapped now
pub const TD_OBJECT_MAPPING: td_object_kind = 15;
pub const TD_OBJECT_DICT_LIST: td_object_kind = 16;
pub const TD_OBJECT_DATA_LIST: td_object_kind = 17;
pub const TD_OBJECT_SCOPE: td_object_kind = 18;
pub const TD_OBJECT_CHANNEL: td_object_kind = 19;
pub const TD_OBJECT_MESSAGE: td_object_kind = 20;
pub const TD_OBJECT_HASH: td_object_kind = 21;
pub const TD_OBJECT_STORE: td_object_kind = 22;
pub const TD_OBJECT_ROW_MAP: td_object_kind = 23;
pub const TD_OBJECT_PACK_LAYOUT: td_object_kind = 24;
pub const TD_OBJECT_CANCEL: td_object_kind = 25;
pub const TD_OBJECT_ENTRIES: td_object_kind = 26;
pub const TD_OBJECT_SCHEDULE: td_object_kind = 27;
pub const TD_OBJECT_GROUP: td_object_kind = 28;
pub const TD_OBJECT_WORK: td_object_kind = 29;
/// LibTorch operators only
pub const TD_FAST_NONE: td_fast_level = 0;
/// also its own views of plain CPU tensors
pub const TD_FAST_VIEWS: td_fast_level = 1;
/// also one allocation for the results of many leaves; the default
pub const TD_FAST_ARENA: td_fast_level = 2;
/// as td_tensor_is_contiguous
pub const TD_TENSOR_CONTIGUOUS: td_tensor_flags = 1 << 0;
/// as td_tensor_is_read_only
pub const TD_TENSOR_READ_ONLY: td_tensor_flags = 1 << 1;
/// as td_tensor_requires_grad
pub const TD_TENSOR_REQUIRES_GRAD: td_tensor_flags = 1 << 2;
/// dense; there are strides
pub const TD_TENSOR_STRIDED: td_tensor_flags = 1 << 3;
pub const TD_ENTRY_NONE: td_entry_kind = 0;
pub const TD_ENTRY_TENSOR: td_entry_kind = 1;
pub const TD_ENTRY_DICT: td_entry_kind = 2;
pub const TD_ENTRY_DATA: td_entry_kind = 3;
/// list the entries of nodes too; a node comes before its entries
pub const TD_KEYS_NESTED: td_keys_flags = 1 << 0;
/// tensors only
pub const TD_KEYS_LEAVES: td_keys_flags = 1 << 1;
/// sorted by the parts joined with dots, as bytes; else in insertion order
pub const TD_KEYS_SORTED: td_keys_flags = 1 << 2;
/// the entries of a node come before the node, as in td.keys(True)
pub const TD_KEYS_CHILDREN_FIRST: td_keys_flags = 1 << 3;
/// with TD_KEYS_LEAVES: non-tensor entries too
pub const TD_KEYS_DATA: td_keys_flags = 1 << 4;
/// non-tensor entries only, as td.non_tensor_items() lists them
pub const TD_KEYS_DATA_ONLY: td_keys_flags = 1 << 5;
pub const TD_DATA_NONE: td_data_kind = 0;
/// i, 0 or 1
pub const TD_DATA_BOOL: td_data_kind = 1;
/// i
pub const TD_DATA_INT: td_data_kind = 2;
/// f
pub const TD_DATA_DOUBLE: td_data_kind = 3;
/// text, UTF-8
pub const TD_DATA_STR: td_data_kind = 4;
/// text, any bytes; Python pickles them, so that only memmap directories and archives hold them
pub const TD_DATA_BYTES: td_data_kind = 5;
/// text: a list, an object, or an integer beyond 64 bits
pub const TD_DATA_JSON: td_data_kind = 6;
pub const TD_DATA_PICKLE: td_data_kind = 7;
/// start
pub const TD_INDEX_KIND_INT: td_index_kind = 0;
/// start:stop:step; step \>= 1; negative start and stop count from the end
pub const TD_INDEX_KIND_SLICE: td_index_kind = 1;
/// a new dim of size 1
pub const TD_INDEX_KIND_NONE: td_index_kind = 2;
/// full slices of all remaining dims; at most one per index
pub const TD_INDEX_KIND_ELLIPSIS: td_index_kind = 3;
/// signed integers, or a bool mask over as many dims as it has; without dims, a new dim of size 1 if it is true and 0 if not
pub const TD_INDEX_KIND_TENSOR: td_index_kind = 4;
/// as a tensor of these integers
pub const TD_INDEX_KIND_INTS: td_index_kind = 5;
pub const TD_DICT_KIND_TENSORDICT: td_dict_kind = 0;
pub const TD_DICT_KIND_LAZY_STACK: td_dict_kind = 1;
pub const TD_DICT_KIND_PARAMS: td_dict_kind = 2;
pub const TD_DICT_KIND_PERSISTENT: td_dict_kind = 3;
pub const TD_DICT_KIND_WINDOW: td_dict_kind = 4;
/// TD_ERR_KEY; in place, only if the first dict has the leaf and another lacks it
pub const TD_MISSING_ERROR: td_missing = 0;
/// the result lacks them too; in place, they do not change
pub const TD_MISSING_SKIP: td_missing = 1;
/// `fill` replaces them; in place, no leaves are added
pub const TD_MISSING_FILL: td_missing = 2;
/// removed, unless they were empty before
pub const TD_EMPTIED_DROP: td_emptied = 0;
/// removed
pub const TD_EMPTIED_DROP_ALL: td_emptied = 1;
pub const TD_EMPTIED_KEEP: td_emptied = 2;
/// of the dict and of each node
pub const TD_REPR_BATCH_SIZE: td_repr_flags = 1 << 0;
pub const TD_REPR_DEVICE: td_repr_flags = 1 << 1;
pub const TD_REPR_IS_SHARED: td_repr_flags = 1 << 2;
/// of each tensor
pub const TD_REPR_SHAPE: td_repr_flags = 1 << 3;
pub const TD_REPR_FIELD_DEVICE: td_repr_flags = 1 << 4;
pub const TD_REPR_DTYPE: td_repr_flags = 1 << 5;
pub const TD_REPR_FIELD_IS_SHARED: td_repr_flags = 1 << 6;
pub const TD_REPR_GRAD: td_repr_flags = 1 << 7;
pub const TD_REPR_IS_CONTIGUOUS: td_repr_flags = 1 << 8;
pub const TD_REPR_IS_VIEW: td_repr_flags = 1 << 9;
pub const TD_REPR_STORAGE_SIZE: td_repr_flags = 1 << 10;
/// mean and std of floating tensors, min and max of the others
pub const TD_REPR_PLAIN: td_repr_flags = 1 << 11;
/// entries in insertion order, else sorted by their lines
pub const TD_REPR_UNSORTED: td_repr_flags = 1 << 12;
/// the form with few lines that Python prints by default since 0.15; it has no other fields
pub const TD_REPR_COMPACT: td_repr_flags = 1 << 13;
/// nothing of the above
pub const TD_REPR_NO_FIELDS: td_repr_flags = 1 << 14;
pub const TD_REPR_DEFAULT: td_repr_flags = 0x7f;
/// as verbose=False
pub const TD_REPR_BRIEF: td_repr_flags = (1 << 0) | (1 << 3);
/// open: recognised from the file, but see `trusted`; save: by the ending of the path
pub const TD_FORMAT_AUTO: td_format = 0;
/// a directory; any path without the ending of another format
pub const TD_FORMAT_MEMMAP: td_format = 1;
/// .td
pub const TD_FORMAT_CONSOLIDATED: td_format = 2;
/// .tdz
pub const TD_FORMAT_ARCHIVE: td_format = 3;
/// .h5, .hdf5
pub const TD_FORMAT_HDF5: td_format = 4;
/// .safetensors
pub const TD_FORMAT_SAFETENSORS: td_format = 5;
/// .pt, .pth: opened, never saved
pub const TD_FORMAT_TORCH_SAVE: td_format = 6;
/// memory is mapped read-only: writes through this library are LOCKED
pub const TD_OPEN_READ: td_open_mode = 0;
/// writes stay in this process and never reach the file
pub const TD_OPEN_COW: td_open_mode = 1;
/// writes to tensors go to the file immediately; all processes that have it open see them
pub const TD_OPEN_READ_WRITE: td_open_mode = 2;
pub const TD_COMPRESSION_NONE: td_compression = 0;
/// archives and HDF5
pub const TD_COMPRESSION_DEFLATE: td_compression = 1;
/// archives, if the build has the feature "lzma": smaller and much slower
pub const TD_COMPRESSION_LZMA: td_compression = 2;
/// an ordinary dict
pub const TD_STORAGE_MEMORY: td_storage = 0;
/// shared memory as of td_dict_share_memory_, locked
pub const TD_STORAGE_SHARED: td_storage = 1;
/// a memmap directory as of td_dict_memmap_like
pub const TD_STORAGE_MEMMAP: td_storage = 2;
/// an HDF5 file, open for writing
pub const TD_STORAGE_HDF5: td_storage = 3;
pub const TD_CHANNEL_ROLE_PRODUCES: td_channel_role = 1;
pub const TD_CHANNEL_ROLE_CONSUMES: td_channel_role = 2;
pub const TD_CHANNEL_ROLE_OBSERVES: td_channel_role = 4;
/// each message goes to one consumer
pub const TD_CHANNEL_MODE_QUEUE: td_channel_mode = 0;
/// each message goes to all consumers that are members when it is published
pub const TD_CHANNEL_MODE_BROADCAST: td_channel_mode = 1;
/// waits
pub const TD_CHANNEL_OVERFLOW_BLOCK: td_channel_overflow = 0;
/// fails with NOSPACE
pub const TD_CHANNEL_OVERFLOW_FAIL: td_channel_overflow = 1;
/// drops the oldest message that no consumer is reading
pub const TD_CHANNEL_OVERFLOW_DROP_OLDEST: td_channel_overflow = 2;
pub const TD_CHANNEL_STATE_OPEN: td_channel_state = 0;
pub const TD_CHANNEL_STATE_CLOSED: td_channel_state = 1;
pub const TD_CHANNEL_STATE_CORRUPT: td_channel_state = 2;
pub const TD_GROUP_REDUCTION_SUM: td_group_reduction = 0;
pub const TD_GROUP_REDUCTION_PRODUCT: td_group_reduction = 1;
pub const TD_GROUP_REDUCTION_MIN: td_group_reduction = 2;
pub const TD_GROUP_REDUCTION_MAX: td_group_reduction = 3;
/// the default of the function or module that is called
pub const TD_INTERACTION_DEFAULT: td_interaction = 0;
pub const TD_INTERACTION_MODE: td_interaction = 1;
pub const TD_INTERACTION_MEDIAN: td_interaction = 2;
pub const TD_INTERACTION_MEAN: td_interaction = 3;
pub const TD_INTERACTION_RANDOM: td_interaction = 4;
pub const TD_INTERACTION_DETERMINISTIC: td_interaction = 5;
/// random operators fail
pub const TD_RANDOMNESS_ERROR: td_randomness = 0;
/// each member draws its own numbers
pub const TD_RANDOMNESS_DIFFERENT: td_randomness = 1;
pub const TD_RANDOMNESS_SAME: td_randomness = 2;
/// NONE for a sequence, TRUE for other modules
pub const TD_INPLACE_DEFAULT: td_inplace = 0;
/// True: into the data
pub const TD_INPLACE_TRUE: td_inplace = 1;
/// False: into a new dict without batch dims; the data does not change
pub const TD_INPLACE_FALSE: td_inplace = 2;
/// "empty": into a new dict with the data's batch size and device; the data does not change
pub const TD_INPLACE_EMPTY: td_inplace = 3;
/// None: a sequence returns the dict of its last member; other modules write to a new dict
pub const TD_INPLACE_NONE: td_inplace = 4;
/// all modules, each before the modules below it: named_modules
pub const TD_VISIT_MODULES: td_visit_order = 0;
/// the direct children: named_children
pub const TD_VISIT_CHILDREN: td_visit_order = 1;
/// all modules, each after the modules below it: apply
pub const TD_VISIT_APPLY: td_visit_order = 2;
/// before the existing hooks
pub const TD_HOOK_PREPEND: td_hook_flags = 1 << 0;
/// for a hook after the module: run it also if the module fails
pub const TD_HOOK_ALWAYS_CALL: td_hook_flags = 1 << 1;
pub const TD_STATE_HOOK_STATE_DICT_PRE: td_state_hook_kind = 0;
/// `state` has the entries of the module and all modules below it
pub const TD_STATE_HOOK_STATE_DICT: td_state_hook_kind = 1;
pub const TD_STATE_HOOK_LOAD_STATE_DICT_PRE: td_state_hook_kind = 2;
/// all problems are known and nothing is loaded yet
pub const TD_STATE_HOOK_LOAD_STATE_DICT: td_state_hook_kind = 3;
pub const TD_DIST_STAT_MEAN: td_dist_stat = 0;
pub const TD_DIST_STAT_MODE: td_dist_stat = 1;
pub const TD_DIST_STAT_VARIANCE: td_dist_stat = 2;
pub const TD_DIST_STAT_ENTROPY: td_dist_stat = 3;
pub const TD_DIST_STAT_MEDIAN: td_dist_stat = 4;
pub const TD_DIST_STAT_STDDEV: td_dist_stat = 5;
/// the deterministic sample that the type defines
pub const TD_DIST_STAT_DETERMINISTIC: td_dist_stat = 6;
pub const TD_DIST_STAT_PERPLEXITY: td_dist_stat = 7;
/// TRUE if there are several probabilistic modules or the last has no distribution, else FALSE
pub const TD_RETURN_COMPOSITE_DEFAULT: td_return_composite = 0;
/// the distribution of the last member; the others run with its interaction type
pub const TD_RETURN_COMPOSITE_FALSE: td_return_composite = 1;
/// one composite distribution of all probabilistic members
pub const TD_RETURN_COMPOSITE_TRUE: td_return_composite = 2;
/// the number of indices assigned so far, as in torchrl
pub const TD_QUERY_MISS_SIZE: td_query_miss = 0;
pub const TD_QUERY_MISS_MINUS_ONE: td_query_miss = 1;
/// the call fails with KEY
pub const TD_QUERY_MISS_ERROR: td_query_miss = 2;
/// every row has an index afterwards, and the hash is written
pub const TD_QUERY_DEFAULT: td_query_flags = 0;
/// rows that are not in the map get what the option `miss` says, and no new index
pub const TD_QUERY_NO_EXTEND: td_query_flags = 1 << 0;
/// the int64 hash is not written
pub const TD_QUERY_NO_HASH: td_query_flags = 1 << 1;
/// as the option `clone` of the query says
pub const TD_QUERY_TARGET_DEFAULT: td_query_target = 0;
/// to `data`
pub const TD_QUERY_TARGET_DATA: td_query_target = 1;
/// to a copy of it
pub const TD_QUERY_TARGET_COPY: td_query_target = 2;
pub const TD_QUERY_LOAD_ANY_HASH: td_query_load_any_flags = 1 << 0;
/// rows cannot be added; another process may add rows meanwhile
pub const TD_QUERY_MAP_READ: td_query_map_mode = 0;
/// the map as it is now; new rows are kept in the memory of this process
pub const TD_QUERY_MAP_COPY: td_query_map_mode = 1;
/// the only process that adds rows to the file
pub const TD_QUERY_MAP_WRITE: td_query_map_mode = 2;
pub const TD_VERSION_MAJOR: i32 = 0;
pub const TD_VERSION_MINOR: i32 = 2;
pub const TD_VERSION_PATCH: i32 = 0;
pub const TD_ABI_MAJOR: i32 = 2;
pub const TD_STRLEN: usize = usize::MAX;
pub const TD_PREPARED: usize = usize::MAX;
pub const TD_END: i64 = i64::MAX;
pub const TD_VMAP_SHARED: i32 = i32::MIN;
pub const TD_ZERO: f64 = 5e-324;

#[repr(C)]
pub struct td_error {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_tensor {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_tensor_list {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_generator {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_op {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_dict {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_hash {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_data_list {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_string {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_keys {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_path {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_entries {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_dict_list {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_scope {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_no_grad {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_segment {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_channel {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_message {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_cancel {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_module {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_optimizer {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_schedule {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_dist {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_query {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_pack_layout {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct DLManagedTensor {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct DLManagedTensorVersioned {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_group {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_work {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_transform {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_store {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct td_row_map {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Called when the library has dropped its last reference to something of the caller's. Runs exactly once, on any
/// thread.
pub type td_release_fn = Option<unsafe extern "C" fn(owner: *mut c_void)>;

/// A callback that a call runs once, on the thread of the call, before it returns.
pub type td_run_function = Option<unsafe extern "C" fn(userdata: *mut c_void, err: *mut *mut td_error) -> td_status>;

/// Receives a borrowed module and its name, which has n = 0 for `self`, and always for TD_VISIT_APPLY. A status other
/// than TD_OK ends the visit.
pub type td_module_visitor = Option<unsafe extern "C" fn(userdata: *mut c_void, name: *const td_key, module: *mut td_module, err: *mut *mut td_error) -> td_status>;

/// A callback to be mapped. It gets each argument (TENSOR or DICT, borrowed) without the mapped dim, and writes `n_outs`
/// new references, TENSOR or DICT.
pub type td_vmap_function = Option<unsafe extern "C" fn(userdata: *mut c_void, args: *const td_value, n_args: usize, outs: *mut td_value, n_outs: usize, err: *mut *mut td_error) -> td_status>;

/// UTF-8 text: `size` bytes at `data`. If `size` is TD_STRLEN, the text ends with a NUL; otherwise it need not.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_str {
    pub data: *const c_char,
    pub size: usize,
}

/// A key is a list of `n` \>= 1 strings. No separator is parsed, so dots and slashes are ordinary characters.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_key {
    pub parts: *const td_str,
    pub n: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_complex {
    pub re: f64,
    pub im: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union td_value_as {
    pub i: i64,
    pub u: u64,
    pub f: f64,
    pub c: td_complex,
    pub str: td_str,
    pub strs: *const td_str,
    pub ints: *const i64,
    pub doubles: *const f64,
    pub bools: *const td_bool,
    pub tensor: *mut td_tensor,
    pub tensors: *const *mut td_tensor,
    pub list: *mut td_tensor_list,
    pub generator: *mut td_generator,
    pub dict: *const td_dict,
    pub data: *mut td_data_list,
}

/// A tagged value. As an argument it borrows the object that it points to; as a result it owns it, and td_value_clear
/// releases it. A value is a number if it is an INT, UINT, DOUBLE, BOOL or COMPLEX.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_value {
    pub kind: td_value_kind,
    pub reserved: i32,
    pub size: usize,
    pub as_: td_value_as,
}

/// An argument given by its name in the operator's schema.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_named_value {
    pub name: td_str,
    pub value: td_value,
}

/// A destination for bytes: `write` takes all of them or fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_writer {
    pub struct_size: usize,
    pub write: Option<unsafe extern "C" fn(userdata: *mut c_void, bytes: *const c_void, size: usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
}

impl Default for td_writer {
    fn default() -> Self {
        td_writer {
            struct_size: std::mem::size_of::<td_writer>(),
            write: None,
            userdata: std::ptr::null_mut(),
        }
    }
}

/// A source of bytes: `read` fills `bytes` and sets `got` to how many it read: fewer than `size` only at the end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_reader {
    pub struct_size: usize,
    pub read: Option<unsafe extern "C" fn(userdata: *mut c_void, bytes: *mut c_void, size: usize, got: *mut usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
}

impl Default for td_reader {
    fn default() -> Self {
        td_reader {
            struct_size: std::mem::size_of::<td_reader>(),
            read: None,
            userdata: std::ptr::null_mut(),
        }
    }
}

/// A handle of any kind.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_object {
    pub kind: td_object_kind,
    pub reserved: i32,
    pub handle: *mut c_void,
}

/// A callback for warnings of LibTorch. `fn` gets a warning with the file and line of its origin; both texts are valid
/// only during the call, and no exception may leave it. `destroy(userdata)` runs once: when the callback has been
/// replaced and no thread runs it any more, or before the call that sets it returns if that call fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_warning_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, text: td_str, where_: td_str)>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_warning_function {
    fn default() -> Self {
        td_warning_function {
            struct_size: std::mem::size_of::<td_warning_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

/// The facts that td_tensor_info returns. Arrays and text live as long as the tensor, and change with it in place.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_tensor_facts {
    pub struct_size: usize,
    pub dtype: td_dtype,
    pub stored_dtype: td_dtype,
    pub flags: td_tensor_flags,
    pub ndim: usize,
    pub sizes: *const i64,
    pub strides: *const i64,
    pub numel: i64,
    pub itemsize: i64,
    pub data: *const c_void,
    pub device: td_str,
}

impl Default for td_tensor_facts {
    fn default() -> Self {
        td_tensor_facts {
            struct_size: std::mem::size_of::<td_tensor_facts>(),
            dtype: 0,
            stored_dtype: 0,
            flags: 0,
            ndim: 0,
            sizes: std::ptr::null(),
            strides: std::ptr::null(),
            numel: 0,
            itemsize: 0,
            data: std::ptr::null(),
            device: td_str {
                data: std::ptr::null(),
                size: 0,
            },
        }
    }
}

/// Options of td_dict_new.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dict_options {
    pub struct_size: usize,
    pub device: td_str,
}

impl Default for td_dict_options {
    fn default() -> Self {
        td_dict_options {
            struct_size: std::mem::size_of::<td_dict_options>(),
            device: td_str {
                data: std::ptr::null(),
                size: 0,
            },
        }
    }
}

/// An entry: `kind` says which of the three is set; the others are NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_entry {
    pub kind: td_entry_kind,
    pub reserved: i32,
    pub tensor: *mut td_tensor,
    pub dict: *mut td_dict,
    pub data: *mut td_data_list,
}

/// One value. As an argument it borrows `text`, which is copied; `reserved` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_data {
    pub kind: td_data_kind,
    pub reserved: i32,
    pub i: i64,
    pub f: f64,
    pub text: td_str,
}

/// A key with its value, a TENSOR, a DICT or DATA. INT, UINT, DOUBLE, BOOL and COMPLEX become tensors without dims
/// (int64, int64, float32, bool, complex64);
/// INTS, DOUBLES and BOOLS become tensors with one dim; STR becomes non-tensor data.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_item {
    pub key: *const td_key,
    pub value: td_value,
}

/// The position of a field in every record of an array.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_field {
    pub key: *const td_key,
    pub dtype: td_dtype,
    pub reserved: i32,
    pub dims: *const i64,
    pub ndim: usize,
    pub offset: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dict_update_options {
    pub struct_size: usize,
    pub inplace: td_bool,
    pub clone: td_bool,
    pub update_batch_size: td_bool,
    pub reserved: [u8; 5],
    pub keys: *const td_key,
    pub n_keys: usize,
}

impl Default for td_dict_update_options {
    fn default() -> Self {
        td_dict_update_options {
            struct_size: std::mem::size_of::<td_dict_update_options>(),
            inplace: 0,
            clone: 0,
            update_batch_size: 0,
            reserved: [0; 5],
            keys: std::ptr::null(),
            n_keys: 0,
        }
    }
}

/// A set of keys.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_key_set {
    pub keys: *const td_key,
    pub n: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_split_options {
    pub struct_size: usize,
    pub lenient: td_bool,
    pub reproduce_struct: td_bool,
    pub reserved: [u8; 6],
    pub fill: *const td_tensor,
    pub names: *const td_key_set,
}

impl Default for td_split_options {
    fn default() -> Self {
        td_split_options {
            struct_size: std::mem::size_of::<td_split_options>(),
            lenient: 0,
            reproduce_struct: 0,
            reserved: [0; 6],
            fill: std::ptr::null(),
            names: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_separate_options {
    pub struct_size: usize,
    pub lenient: td_bool,
    pub keep_empty: td_bool,
    pub reserved: [u8; 6],
    pub fill: *const td_tensor,
}

impl Default for td_separate_options {
    fn default() -> Self {
        td_separate_options {
            struct_size: std::mem::size_of::<td_separate_options>(),
            lenient: 0,
            keep_empty: 0,
            reserved: [0; 6],
            fill: std::ptr::null(),
        }
    }
}

/// One component of an index.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_index {
    pub kind: td_index_kind,
    pub reserved: i32,
    pub start: i64,
    pub stop: i64,
    pub step: i64,
    pub tensor: *const td_tensor,
    pub ints: *const i64,
    pub n: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_pad_sequence_options {
    pub struct_size: usize,
    pub pad_dim: i64,
    pub value: *const td_value,
    pub mask_key: *const td_key,
    pub values: *const td_item,
    pub n_values: usize,
    pub left: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_pad_sequence_options {
    fn default() -> Self {
        td_pad_sequence_options {
            struct_size: std::mem::size_of::<td_pad_sequence_options>(),
            pad_dim: 0,
            value: std::ptr::null(),
            mask_key: std::ptr::null(),
            values: std::ptr::null(),
            n_values: 0,
            left: 0,
            reserved: [0; 7],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_unpad_sequence_options {
    pub struct_size: usize,
    pub pad_dim: i64,
    pub mask_key: *const td_key,
    pub masks: *const td_dict,
    pub mask: *const td_tensor,
}

impl Default for td_unpad_sequence_options {
    fn default() -> Self {
        td_unpad_sequence_options {
            struct_size: std::mem::size_of::<td_unpad_sequence_options>(),
            pad_dim: 0,
            mask_key: std::ptr::null(),
            masks: std::ptr::null(),
            mask: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_padding_options {
    pub struct_size: usize,
    pub value: *const td_value,
    pub left: td_bool,
    pub reserved: [u8; 7],
    pub mask_key: *const td_key,
}

impl Default for td_padding_options {
    fn default() -> Self {
        td_padding_options {
            struct_size: std::mem::size_of::<td_padding_options>(),
            value: std::ptr::null(),
            left: 0,
            reserved: [0; 7],
            mask_key: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_params_options {
    pub struct_size: usize,
    pub no_convert: td_bool,
    pub lock: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_params_options {
    fn default() -> Self {
        td_params_options {
            struct_size: std::mem::size_of::<td_params_options>(),
            no_convert: 0,
            lock: 0,
            reserved: [0; 6],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_new_tensor_options {
    pub struct_size: usize,
    pub dtype: td_dtype,
    pub requires_grad: td_bool,
    pub reserved: [u8; 3],
    pub device: td_str,
}

impl Default for td_new_tensor_options {
    fn default() -> Self {
        td_new_tensor_options {
            struct_size: std::mem::size_of::<td_new_tensor_options>(),
            dtype: 0,
            requires_grad: 0,
            reserved: [0; 3],
            device: td_str {
                data: std::ptr::null(),
                size: 0,
            },
        }
    }
}

/// A tensor with its feature dims, or a node with its batch dims beyond the root's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_pack_entry {
    pub key: *const td_key,
    pub dims: *const i64,
    pub ndim: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_pointwise_options {
    pub struct_size: usize,
    pub missing: td_missing,
    pub reserved: [u8; 4],
    pub fill: *const td_value,
}

impl Default for td_pointwise_options {
    fn default() -> Self {
        td_pointwise_options {
            struct_size: std::mem::size_of::<td_pointwise_options>(),
            missing: TD_MISSING_ERROR,
            reserved: [0; 4],
            fill: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_reduce_options {
    pub struct_size: usize,
    pub dims: *const i64,
    pub n_dims: usize,
    pub keepdim: td_bool,
    pub feature: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_reduce_options {
    fn default() -> Self {
        td_reduce_options {
            struct_size: std::mem::size_of::<td_reduce_options>(),
            dims: std::ptr::null(),
            n_dims: 0,
            keepdim: 0,
            feature: 0,
            reserved: [0; 6],
        }
    }
}

/// A callback for tensors. `fn` gets the full key of a leaf and `n` tensors, all borrowed: the leaf of `self`, then the
/// leaf of each of the others. It stores a new reference in `\*out`, or leaves it NULL to drop the entry.
/// `destroy(userdata)` runs once, before td_dict_map returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_map_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, key: *const td_key, tensors: *const *mut td_tensor, n: usize, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_map_function {
    fn default() -> Self {
        td_map_function {
            struct_size: std::mem::size_of::<td_map_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

/// A callback for non-tensor entries. `lists` has the data of `self`, then of each of the others. It stores a new
/// reference to data or to a tensor in one of the two outputs, or leaves both NULL to drop the entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_map_data_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, key: *const td_key, lists: *const *mut td_data_list, n: usize, out_data: *mut *mut td_data_list, out_tensor: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_map_data_function {
    fn default() -> Self {
        td_map_data_function {
            struct_size: std::mem::size_of::<td_map_data_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_map_options {
    pub struct_size: usize,
    pub batch_size: *const i64,
    pub ndim: usize,
    pub emptied: td_emptied,
    pub in_place: td_bool,
    pub missing_as_null: td_bool,
    pub reserved: [u8; 2],
    pub data: *const td_map_data_function,
}

impl Default for td_map_options {
    fn default() -> Self {
        td_map_options {
            struct_size: std::mem::size_of::<td_map_options>(),
            batch_size: std::ptr::null(),
            ndim: 0,
            emptied: TD_EMPTIED_DROP,
            in_place: 0,
            missing_as_null: 0,
            reserved: [0; 2],
            data: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_backward_options {
    pub struct_size: usize,
    pub retain_graph: td_bool,
    pub create_graph: td_bool,
    pub allow_unused: td_bool,
    pub reserved: [u8; 5],
}

impl Default for td_backward_options {
    fn default() -> Self {
        td_backward_options {
            struct_size: std::mem::size_of::<td_backward_options>(),
            retain_graph: 0,
            create_graph: 0,
            allow_unused: 0,
            reserved: [0; 5],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_load_state_options {
    pub struct_size: usize,
    pub lenient: td_bool,
    pub assign: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_load_state_options {
    fn default() -> Self {
        td_load_state_options {
            struct_size: std::mem::size_of::<td_load_state_options>(),
            lenient: 0,
            assign: 0,
            reserved: [0; 6],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_parse_options {
    pub struct_size: usize,
    pub device: td_str,
}

impl Default for td_parse_options {
    fn default() -> Self {
        td_parse_options {
            struct_size: std::mem::size_of::<td_parse_options>(),
            device: td_str {
                data: std::ptr::null(),
                size: 0,
            },
        }
    }
}

/// Numbers are equal if |a - b| \<= absolute + relative \* |b|; without tolerances, if they are the same.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_equal_options {
    pub struct_size: usize,
    pub relative: f64,
    pub absolute: f64,
    pub equal_nan: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_equal_options {
    fn default() -> Self {
        td_equal_options {
            struct_size: std::mem::size_of::<td_equal_options>(),
            relative: 0.0,
            absolute: 0.0,
            equal_nan: 0,
            reserved: [0; 7],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_open_options {
    pub struct_size: usize,
    pub mode: td_open_mode,
    pub format: td_format,
    pub lenient: td_bool,
    pub trusted: td_bool,
    pub reserved: [u8; 6],
    pub part: *const td_key,
}

impl Default for td_open_options {
    fn default() -> Self {
        td_open_options {
            struct_size: std::mem::size_of::<td_open_options>(),
            mode: TD_OPEN_READ,
            format: TD_FORMAT_AUTO,
            lenient: 0,
            trusted: 0,
            reserved: [0; 6],
            part: std::ptr::null(),
        }
    }
}

/// A callback for progress: called on the thread that saves when `done` of `total` bytes are written. A status other
/// than TD_OK cancels the save. `destroy(userdata)` runs once, before the saving call returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_progress {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, done: i64, total: i64, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_progress {
    fn default() -> Self {
        td_progress {
            struct_size: std::mem::size_of::<td_progress>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_save_options {
    pub struct_size: usize,
    pub overwrite: td_bool,
    pub sync: td_bool,
    pub reserved: [u8; 6],
    pub threads: usize,
    pub progress: *const td_progress,
    pub format: td_format,
    pub compression: td_compression,
}

impl Default for td_save_options {
    fn default() -> Self {
        td_save_options {
            struct_size: std::mem::size_of::<td_save_options>(),
            overwrite: 0,
            sync: 0,
            reserved: [0; 6],
            threads: 0,
            progress: std::ptr::null(),
            format: TD_FORMAT_AUTO,
            compression: TD_COMPRESSION_NONE,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_persistent_options {
    pub struct_size: usize,
    pub mode: td_open_mode,
    pub compression: i32,
    pub batch_size: *const i64,
    pub ndim: usize,
    pub max_batch_dims: i64,
    pub chunks: *const i64,
    pub n_chunks: usize,
    pub shuffle: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_persistent_options {
    fn default() -> Self {
        td_persistent_options {
            struct_size: std::mem::size_of::<td_persistent_options>(),
            mode: TD_OPEN_READ,
            compression: 0,
            batch_size: std::ptr::null(),
            ndim: 0,
            max_batch_dims: 0,
            chunks: std::ptr::null(),
            n_chunks: 0,
            shuffle: 0,
            reserved: [0; 7],
        }
    }
}

/// The description of an entry; `dims` are its feature dims.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_schema_entry {
    pub key: *const td_key,
    pub dtype: td_dtype,
    pub reserved: i32,
    pub dims: *const i64,
    pub ndim: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_schema_options {
    pub struct_size: usize,
    pub storage: td_storage,
    pub reserved: i32,
    pub path: td_str,
    pub device: td_str,
    pub save: *const td_save_options,
}

impl Default for td_schema_options {
    fn default() -> Self {
        td_schema_options {
            struct_size: std::mem::size_of::<td_schema_options>(),
            storage: TD_STORAGE_MEMORY,
            reserved: 0,
            path: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            device: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            save: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_segment_options {
    pub struct_size: usize,
    pub keep: td_bool,
    pub large_pages: td_bool,
    pub replace_dead: td_bool,
    pub reserved: [u8; 1],
    pub snapshots: i32,
}

impl Default for td_segment_options {
    fn default() -> Self {
        td_segment_options {
            struct_size: std::mem::size_of::<td_segment_options>(),
            keep: 0,
            large_pages: 0,
            replace_dead: 0,
            reserved: [0; 1],
            snapshots: 0,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_segment_open_options {
    pub struct_size: usize,
    pub populate: td_bool,
    pub large_pages: td_bool,
    pub reserved: [u8; 6],
    pub timeout_ms: i64,
    pub cancel: *const td_cancel,
}

impl Default for td_segment_open_options {
    fn default() -> Self {
        td_segment_open_options {
            struct_size: std::mem::size_of::<td_segment_open_options>(),
            populate: 0,
            large_pages: 0,
            reserved: [0; 6],
            timeout_ms: 0,
            cancel: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_channel_options {
    pub struct_size: usize,
    pub mode: td_channel_mode,
    pub overflow: td_channel_overflow,
    pub roles: td_channel_role,
    pub slots: i32,
    pub members: i32,
    pub deliveries: i32,
    pub max_held: i32,
    pub keep: td_bool,
    pub replace_dead: td_bool,
    pub reserved: [u8; 2],
}

impl Default for td_channel_options {
    fn default() -> Self {
        td_channel_options {
            struct_size: std::mem::size_of::<td_channel_options>(),
            mode: TD_CHANNEL_MODE_QUEUE,
            overflow: TD_CHANNEL_OVERFLOW_BLOCK,
            roles: 0,
            slots: 0,
            members: 0,
            deliveries: 0,
            max_held: 0,
            keep: 0,
            replace_dead: 0,
            reserved: [0; 2],
        }
    }
}

/// Statistics of a channel. Counts of events may be slightly inexact after a process was killed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_channel_statistics {
    pub struct_size: usize,
    pub published: i64,
    pub dropped: i64,
    pub redelivered: i64,
    pub dead_letters: i64,
    pub aborted: i64,
    pub swept: i64,
    pub slots: i32,
    pub free: i32,
    pub writing: i32,
    pub ready: i32,
    pub reading: i32,
    pub producers: i32,
    pub consumers: i32,
    pub state: td_channel_state,
    pub oldest_ms: i64,
    pub oldest_pid: i64,
}

impl Default for td_channel_statistics {
    fn default() -> Self {
        td_channel_statistics {
            struct_size: std::mem::size_of::<td_channel_statistics>(),
            published: 0,
            dropped: 0,
            redelivered: 0,
            dead_letters: 0,
            aborted: 0,
            swept: 0,
            slots: 0,
            free: 0,
            writing: 0,
            ready: 0,
            reading: 0,
            producers: 0,
            consumers: 0,
            state: 0,
            oldest_ms: 0,
            oldest_pid: 0,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_channel_open_options {
    pub struct_size: usize,
    pub timeout_ms: i64,
    pub cancel: *const td_cancel,
}

impl Default for td_channel_open_options {
    fn default() -> Self {
        td_channel_open_options {
            struct_size: std::mem::size_of::<td_channel_open_options>(),
            timeout_ms: 0,
            cancel: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_group_options {
    pub struct_size: usize,
    pub prefix: td_str,
    pub address: td_str,
    pub timeout_ms: i64,
    pub rank: i32,
    pub size: i32,
    pub serve: td_bool,
    pub serve_everywhere: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_group_options {
    fn default() -> Self {
        td_group_options {
            struct_size: std::mem::size_of::<td_group_options>(),
            prefix: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            address: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            timeout_ms: 0,
            rank: 0,
            size: 0,
            serve: 0,
            serve_everywhere: 0,
            reserved: [0; 6],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_transfer_options {
    pub struct_size: usize,
    pub tag: i32,
    pub by_leaf: td_bool,
    pub pseudo_rand: td_bool,
    pub reserved: [u8; 2],
}

impl Default for td_transfer_options {
    fn default() -> Self {
        td_transfer_options {
            struct_size: std::mem::size_of::<td_transfer_options>(),
            tag: 0,
            by_leaf: 0,
            pseudo_rand: 0,
            reserved: [0; 2],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_group_reduce_options {
    pub struct_size: usize,
    pub bucket_bytes: i64,
    pub reduction: td_group_reduction,
    pub reserved: [u8; 4],
}

impl Default for td_group_reduce_options {
    fn default() -> Self {
        td_group_reduce_options {
            struct_size: std::mem::size_of::<td_group_reduce_options>(),
            bucket_bytes: 0,
            reduction: 0,
            reserved: [0; 4],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_remote_options {
    pub struct_size: usize,
    pub batch_size: *const i64,
    pub ndim: usize,
    pub timeout_ms: i64,
    pub mode: td_open_mode,
    pub reserved: [u8; 4],
}

impl Default for td_remote_options {
    fn default() -> Self {
        td_remote_options {
            struct_size: std::mem::size_of::<td_remote_options>(),
            batch_size: std::ptr::null(),
            ndim: 0,
            timeout_ms: 0,
            mode: TD_OPEN_READ,
            reserved: [0; 4],
        }
    }
}

/// A callback for a module without state. `fn` borrows its inputs and fills `outputs` with new references.
/// `destroy(userdata)` runs once: when the module is freed, or before the creating call returns if it fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_module_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, inputs: *const *mut td_tensor, n_inputs: usize, outputs: *mut *mut td_tensor, n_outputs: usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_module_function {
    fn default() -> Self {
        td_module_function {
            struct_size: std::mem::size_of::<td_module_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_vmap_options {
    pub struct_size: usize,
    pub randomness: td_randomness,
    pub data_dim: i32,
    pub map_data: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_vmap_options {
    fn default() -> Self {
        td_vmap_options {
            struct_size: std::mem::size_of::<td_vmap_options>(),
            randomness: TD_RANDOMNESS_ERROR,
            data_dim: 0,
            map_data: 0,
            reserved: [0; 7],
        }
    }
}

/// A callback that takes and returns anything that a dict can hold. An argument is a TENSOR, a DICT, DATA, or NONE for a
/// key that the dict lacks; `kwargs` are the arguments whose in-keys have argument names. The callback writes its
/// results to `outs` and their number, from 0 to `capacity`, to `n_outs`. A result is a TENSOR, a DICT or DATA, each a
/// new reference that the library takes over; a number, which becomes a tensor without dims; or a STR, which becomes
/// non-tensor data. The text of a STR is copied after the callback has returned, so it must outlive it. A callback that
/// fails releases what it made. `destroy` runs as in td_module_function.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_values_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, args: *const td_value, n_args: usize, kwargs: *const td_named_value, n_kwargs: usize, outs: *mut td_value, capacity: usize, n_outs: *mut usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_values_function {
    fn default() -> Self {
        td_values_function {
            struct_size: std::mem::size_of::<td_values_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

/// A callback from dict to dict: it may change `data` and return a new reference to it, or return another dict.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dict_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, data: *mut td_dict, out: *mut *mut td_dict, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_dict_function {
    fn default() -> Self {
        td_dict_function {
            struct_size: std::mem::size_of::<td_dict_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_tensordict_options {
    pub struct_size: usize,
    pub inplace: td_inplace,
    pub strict: td_bool,
    pub reserved: [u8; 3],
    pub argument_names: *const td_str,
}

impl Default for td_tensordict_options {
    fn default() -> Self {
        td_tensordict_options {
            struct_size: std::mem::size_of::<td_tensordict_options>(),
            inplace: TD_INPLACE_DEFAULT,
            strict: 0,
            reserved: [0; 3],
            argument_names: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_sequential_options {
    pub struct_size: usize,
    pub inplace: td_inplace,
    pub partial_tolerant: td_bool,
    pub reserved: [u8; 3],
    pub selected_out_keys: *const td_key,
    pub n_selected: usize,
    pub names: *const td_str,
}

impl Default for td_sequential_options {
    fn default() -> Self {
        td_sequential_options {
            struct_size: std::mem::size_of::<td_sequential_options>(),
            inplace: TD_INPLACE_DEFAULT,
            partial_tolerant: 0,
            reserved: [0; 3],
            selected_out_keys: std::ptr::null(),
            n_selected: 0,
            names: std::ptr::null(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_run_options {
    pub struct_size: usize,
    pub tensordict_out: *mut td_dict,
    pub interaction: td_interaction,
    pub skip_existing: td_bool,
    pub no_grad: td_bool,
    pub reserved: [u8; 2],
}

impl Default for td_run_options {
    fn default() -> Self {
        td_run_options {
            struct_size: std::mem::size_of::<td_run_options>(),
            tensordict_out: std::ptr::null_mut(),
            interaction: TD_INTERACTION_DEFAULT,
            skip_existing: 0,
            no_grad: 0,
            reserved: [0; 2],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_from_modules_options {
    pub struct_size: usize,
    pub as_module: td_bool,
    pub no_lock: td_bool,
    pub use_state_dict: td_bool,
    pub lazy_stack: td_bool,
    pub expand_identical: td_bool,
    pub reserved: [u8; 3],
}

impl Default for td_from_modules_options {
    fn default() -> Self {
        td_from_modules_options {
            struct_size: std::mem::size_of::<td_from_modules_options>(),
            as_module: 0,
            no_lock: 0,
            use_state_dict: 0,
            lazy_stack: 0,
            expand_identical: 0,
            reserved: [0; 3],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_functional_options {
    pub struct_size: usize,
    pub untie_weights: td_bool,
    pub strict: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_functional_options {
    fn default() -> Self {
        td_functional_options {
            struct_size: std::mem::size_of::<td_functional_options>(),
            untie_weights: 0,
            strict: 0,
            reserved: [0; 6],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_load_options {
    pub struct_size: usize,
    pub lenient: td_bool,
    pub assign: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_load_options {
    fn default() -> Self {
        td_load_options {
            struct_size: std::mem::size_of::<td_load_options>(),
            lenient: 0,
            assign: 0,
            reserved: [0; 6],
        }
    }
}

/// Callbacks for state of a module beside its tensors. `get` sets one tensor or non-tensor data under "_extra_state" in
/// the empty dict `state`; `set` reads it from there, and must change nothing if it fails. Either may be NULL. `destroy`
/// (may be NULL) runs when the callbacks are replaced or the module is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_extra_state {
    pub struct_size: usize,
    pub get: Option<unsafe extern "C" fn(userdata: *mut c_void, module: *const td_module, state: *mut td_dict, err: *mut *mut td_error) -> td_status>,
    pub set: Option<unsafe extern "C" fn(userdata: *mut c_void, module: *const td_module, state: *const td_dict, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_extra_state {
    fn default() -> Self {
        td_extra_state {
            struct_size: std::mem::size_of::<td_extra_state>(),
            get: None,
            set: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_list_options {
    pub struct_size: usize,
    pub prefix: *const td_key,
    pub shallow: td_bool,
    pub keep_duplicates: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_list_options {
    fn default() -> Self {
        td_list_options {
            struct_size: std::mem::size_of::<td_list_options>(),
            prefix: std::ptr::null(),
            shallow: 0,
            keep_duplicates: 0,
            reserved: [0; 6],
        }
    }
}

/// What a forward hook sees, borrowed until it returns. If the module runs on a dict, `data` is set, and `result` after
/// the run; if it runs on tensors, the arrays are set. Later versions may add members: `struct_size` says how many the
/// library filled. Use the functions below to replace what the module gets or gives.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_hook_call {
    pub struct_size: usize,
    pub data: *mut td_dict,
    pub result: *mut td_dict,
    pub inputs: *const *mut td_tensor,
    pub n_inputs: usize,
    pub outputs: *const *mut td_tensor,
    pub n_outputs: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_forward_hook {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, module: *const td_module, call: *mut td_hook_call, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_forward_hook {
    fn default() -> Self {
        td_forward_hook {
            struct_size: std::mem::size_of::<td_forward_hook>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_state_hook {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, module: *const td_module, state: *mut td_dict, prefix: td_str, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_state_hook {
    fn default() -> Self {
        td_state_hook {
            struct_size: std::mem::size_of::<td_state_hook>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

/// What a backward hook sees, borrowed until it returns; NULL means no gradient. A pre-hook, which runs before the
/// module's backward, gets only the gradients of the outputs; a hook, which runs after it, also gets those of the
/// inputs. `struct_size` is as in td_hook_call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_backward_call {
    pub struct_size: usize,
    pub grad_inputs: *const *mut td_tensor,
    pub n_inputs: usize,
    pub grad_outputs: *const *mut td_tensor,
    pub n_outputs: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_backward_hook {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, module: *const td_module, call: *mut td_backward_call, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_backward_hook {
    fn default() -> Self {
        td_backward_hook {
            struct_size: std::mem::size_of::<td_backward_hook>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_vmap_function_options {
    pub struct_size: usize,
    pub randomness: td_randomness,
    pub reserved: [u8; 4],
    pub in_dims: *const i32,
    pub out_dims: *const i64,
    pub chunk_size: i64,
}

impl Default for td_vmap_function_options {
    fn default() -> Self {
        td_vmap_function_options {
            struct_size: std::mem::size_of::<td_vmap_function_options>(),
            randomness: TD_RANDOMNESS_ERROR,
            reserved: [0; 4],
            in_dims: std::ptr::null(),
            out_dims: std::ptr::null(),
            chunk_size: 0,
        }
    }
}

/// In these options 0 means the default that is given beside a member. TD_ZERO, the smallest positive double, stands for
/// 0 there.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_sgd_options {
    pub struct_size: usize,
    pub lr: f64,
    pub momentum: f64,
    pub dampening: f64,
    pub weight_decay: f64,
    pub nesterov: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_sgd_options {
    fn default() -> Self {
        td_sgd_options {
            struct_size: std::mem::size_of::<td_sgd_options>(),
            lr: 0.0,
            momentum: 0.0,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: 0,
            reserved: [0; 7],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_adam_options {
    pub struct_size: usize,
    pub lr: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub eps: f64,
    pub weight_decay: f64,
    pub amsgrad: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_adam_options {
    fn default() -> Self {
        td_adam_options {
            struct_size: std::mem::size_of::<td_adam_options>(),
            lr: 0.0,
            beta1: 0.0,
            beta2: 0.0,
            eps: 0.0,
            weight_decay: 0.0,
            amsgrad: 0,
            reserved: [0; 7],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_rmsprop_options {
    pub struct_size: usize,
    pub lr: f64,
    pub alpha: f64,
    pub eps: f64,
    pub weight_decay: f64,
    pub momentum: f64,
    pub centered: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_rmsprop_options {
    fn default() -> Self {
        td_rmsprop_options {
            struct_size: std::mem::size_of::<td_rmsprop_options>(),
            lr: 0.0,
            alpha: 0.0,
            eps: 0.0,
            weight_decay: 0.0,
            momentum: 0.0,
            centered: 0,
            reserved: [0; 7],
        }
    }
}

/// The options of Adam, with a different default of `weight_decay`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_adamw_options {
    pub struct_size: usize,
    pub lr: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub eps: f64,
    pub weight_decay: f64,
    pub amsgrad: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_adamw_options {
    fn default() -> Self {
        td_adamw_options {
            struct_size: std::mem::size_of::<td_adamw_options>(),
            lr: 0.0,
            beta1: 0.0,
            beta2: 0.0,
            eps: 0.0,
            weight_decay: 0.0,
            amsgrad: 0,
            reserved: [0; 7],
        }
    }
}

/// TD_ZERO stands for 0, as in the options of optimizers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_one_cycle_options {
    pub struct_size: usize,
    pub pct_start: f64,
    pub div_factor: f64,
    pub final_div_factor: f64,
    pub base_momentum: f64,
    pub max_momentum: f64,
    pub linear: td_bool,
    pub three_phases: td_bool,
    pub keep_momentum: td_bool,
    pub reserved: [u8; 5],
}

impl Default for td_one_cycle_options {
    fn default() -> Self {
        td_one_cycle_options {
            struct_size: std::mem::size_of::<td_one_cycle_options>(),
            pct_start: 0.0,
            div_factor: 0.0,
            final_div_factor: 0.0,
            base_momentum: 0.0,
            max_momentum: 0.0,
            linear: 0,
            three_phases: 0,
            keep_momentum: 0,
            reserved: [0; 5],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dist_part {
    pub params: td_key,
    pub type_: td_str,
    pub config: td_str,
    pub name: *const td_key,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_probabilistic_options {
    pub struct_size: usize,
    pub default_interaction: td_interaction,
    pub return_log_prob: td_bool,
    pub aggregate: td_bool,
    pub reserved: [u8; 2],
    pub log_prob_keys: *const td_key,
    pub n_log_prob_keys: usize,
    pub n_empirical_estimate: i64,
    pub num_samples: *const i64,
    pub n_num_samples: usize,
    pub generator: *mut td_generator,
    pub generator_key: *const td_key,
    pub param_names: *const td_str,
    pub params: *const td_dict,
}

impl Default for td_probabilistic_options {
    fn default() -> Self {
        td_probabilistic_options {
            struct_size: std::mem::size_of::<td_probabilistic_options>(),
            default_interaction: TD_INTERACTION_DEFAULT,
            return_log_prob: 0,
            aggregate: 0,
            reserved: [0; 2],
            log_prob_keys: std::ptr::null(),
            n_log_prob_keys: 0,
            n_empirical_estimate: 0,
            num_samples: std::ptr::null(),
            n_num_samples: 0,
            generator: std::ptr::null_mut(),
            generator_key: std::ptr::null(),
            param_names: std::ptr::null(),
            params: std::ptr::null(),
        }
    }
}

/// A callback that makes a distribution: `params` (borrowed) has the parameters that are in the data, by their names;
/// `out` receives a new reference. `destroy` runs as in td_module_function.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dist_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, params: *const td_dict, out: *mut *mut td_dist, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_dist_function {
    fn default() -> Self {
        td_dist_function {
            struct_size: std::mem::size_of::<td_dist_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_log_prob_options {
    pub struct_size: usize,
    pub dist: *const td_dist,
    pub include_sum: td_bool,
    pub given_samples: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_log_prob_options {
    fn default() -> Self {
        td_log_prob_options {
            struct_size: std::mem::size_of::<td_log_prob_options>(),
            dist: std::ptr::null(),
            include_sum: 0,
            given_samples: 0,
            reserved: [0; 6],
        }
    }
}

/// A callback as a hash: `fn` borrows a tensor and returns a new reference to an integer tensor with one element for
/// each row of the leading dim. `destroy(userdata)` runs once: when the hash is freed, or before the call that makes it
/// returns if that call fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_hash_function {
    pub struct_size: usize,
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, rows: *const td_tensor, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_hash_function {
    fn default() -> Self {
        td_hash_function {
            struct_size: std::mem::size_of::<td_hash_function>(),
            fn_: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_query_options {
    pub struct_size: usize,
    pub index_key: *const td_key,
    pub hash_key: *const td_key,
    pub hash_type: td_str,
    pub hash_config: td_str,
    pub hash: *mut td_hash,
    pub hashes: *const *mut td_hash,
    pub n_hashes: usize,
    pub aggregator: *mut td_hash,
    pub map_of: *const td_query,
    pub capacity: i64,
    pub miss: td_query_miss,
    pub threads: i32,
    pub clone: td_bool,
    pub exact: td_bool,
    pub canonical: td_bool,
    pub reserved: [u8; 5],
}

impl Default for td_query_options {
    fn default() -> Self {
        td_query_options {
            struct_size: std::mem::size_of::<td_query_options>(),
            index_key: std::ptr::null(),
            hash_key: std::ptr::null(),
            hash_type: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            hash_config: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            hash: std::ptr::null_mut(),
            hashes: std::ptr::null(),
            n_hashes: 0,
            aggregator: std::ptr::null_mut(),
            map_of: std::ptr::null(),
            capacity: 0,
            miss: TD_QUERY_MISS_SIZE,
            threads: 0,
            clone: 0,
            exact: 0,
            canonical: 0,
            reserved: [0; 5],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_query_call_options {
    pub struct_size: usize,
    pub flags: td_query_flags,
    pub target: td_query_target,
    pub reserved: [u8; 4],
    pub found_key: *const td_key,
}

impl Default for td_query_call_options {
    fn default() -> Self {
        td_query_call_options {
            struct_size: std::mem::size_of::<td_query_call_options>(),
            flags: 0,
            target: TD_QUERY_TARGET_DEFAULT,
            reserved: [0; 4],
            found_key: std::ptr::null(),
        }
    }
}

/// Statistics of a map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_query_statistics {
    pub struct_size: usize,
    pub size: i64,
    pub next: i64,
    pub collisions: i64,
    pub evictions: i64,
    pub nbytes: i64,
}

impl Default for td_query_statistics {
    fn default() -> Self {
        td_query_statistics {
            struct_size: std::mem::size_of::<td_query_statistics>(),
            size: 0,
            next: 0,
            collisions: 0,
            evictions: 0,
            nbytes: 0,
        }
    }
}

/// Callbacks for a map from int64 hashes to indices from 0 up. A callback that fails returns a status other than TD_OK
/// and must change nothing. `erase`, `clear`, `state` and `load` may be NULL; functions that need them are then
/// UNSUPPORTED. Callbacks run on the thread that calls the query. `look_up`, `size` and `state` may run concurrently if
/// several threads call the query; the others run alone. Callbacks may call this library, except queries over this map,
/// which are UNSUPPORTED. Two hashes may have the same index. `destroy` runs once: when the last query over the map is
/// freed, or before td_query_new_with_map returns if it fails. A forked child has a copy of the map's memory, like of
/// any memory of the process.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_index_map {
    pub struct_size: usize,
    pub look_up: Option<unsafe extern "C" fn(userdata: *mut c_void, hashes: *const i64, n: usize, indices: *mut i64, err: *mut *mut td_error) -> td_status>,
    pub insert: Option<unsafe extern "C" fn(userdata: *mut c_void, hashes: *const i64, n: usize, indices: *mut i64, err: *mut *mut td_error) -> td_status>,
    pub erase: Option<unsafe extern "C" fn(userdata: *mut c_void, hashes: *const i64, n: usize, err: *mut *mut td_error) -> td_status>,
    pub size: Option<unsafe extern "C" fn(userdata: *mut c_void, out_size: *mut i64, out_next: *mut i64, err: *mut *mut td_error) -> td_status>,
    pub clear: Option<unsafe extern "C" fn(userdata: *mut c_void, err: *mut *mut td_error) -> td_status>,
    pub state: Option<unsafe extern "C" fn(userdata: *mut c_void, state: *mut td_dict, err: *mut *mut td_error) -> td_status>,
    pub load: Option<unsafe extern "C" fn(userdata: *mut c_void, state: *const td_dict, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_index_map {
    fn default() -> Self {
        td_index_map {
            struct_size: std::mem::size_of::<td_index_map>(),
            look_up: None,
            insert: None,
            erase: None,
            size: None,
            clear: None,
            state: None,
            load: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_query_share_options {
    pub struct_size: usize,
    pub capacity: i64,
    pub keep: td_bool,
    pub large_pages: td_bool,
    pub reserved: [u8; 6],
}

impl Default for td_query_share_options {
    fn default() -> Self {
        td_query_share_options {
            struct_size: std::mem::size_of::<td_query_share_options>(),
            capacity: 0,
            keep: 0,
            large_pages: 0,
            reserved: [0; 6],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_query_save_options {
    pub struct_size: usize,
    pub capacity: i64,
    pub overwrite: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_query_save_options {
    fn default() -> Self {
        td_query_save_options {
            struct_size: std::mem::size_of::<td_query_save_options>(),
            capacity: 0,
            overwrite: 0,
            reserved: [0; 7],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_store_options {
    pub struct_size: usize,
    pub capacity: i64,
    pub preallocate: td_bool,
    pub reserved: [u8; 7],
    pub path: td_str,
}

impl Default for td_store_options {
    fn default() -> Self {
        td_store_options {
            struct_size: std::mem::size_of::<td_store_options>(),
            capacity: 0,
            preallocate: 0,
            reserved: [0; 7],
            path: td_str {
                data: std::ptr::null(),
                size: 0,
            },
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_sample_options {
    pub struct_size: usize,
    pub without_replacement: td_bool,
    pub reserved: [u8; 7],
}

impl Default for td_sample_options {
    fn default() -> Self {
        td_sample_options {
            struct_size: std::mem::size_of::<td_sample_options>(),
            without_replacement: 0,
            reserved: [0; 7],
        }
    }
}

/// The description of a type that this process registers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_type_info {
    pub struct_size: usize,
    pub id: td_str,
    pub version: td_str,
    pub schema: td_str,
    pub flags: td_plugin_flags,
}

impl Default for td_type_info {
    fn default() -> Self {
        td_type_info {
            struct_size: std::mem::size_of::<td_type_info>(),
            id: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            version: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            schema: td_str {
                data: std::ptr::null(),
                size: 0,
            },
            flags: 0,
        }
    }
}

/// Callbacks as a type, without a shared library. `config` is the JSON that the instance was made with, valid during the
/// call. `destroy(userdata)` runs once: when the type is unregistered and its last instance is freed, or before the
/// registering call returns if it fails. A callback may be NULL if the doc of the plugin type in tensordict_plugin.h
/// says so.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_hash_callbacks {
    pub struct_size: usize,
    pub hash_rows: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, rows: *const c_void, n: usize, row_bytes: usize, stride: usize, out: *mut u64, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_hash_callbacks {
    fn default() -> Self {
        td_hash_callbacks {
            struct_size: std::mem::size_of::<td_hash_callbacks>(),
            hash_rows: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_module_callbacks {
    pub struct_size: usize,
    pub init: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, generator: *mut td_generator, parameters: *mut td_dict, buffers: *mut td_dict, err: *mut *mut td_error) -> td_status>,
    pub forward: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, state: *const *mut td_tensor, n_state: usize, inputs: *const *mut td_tensor, n_inputs: usize, training: td_bool, outputs: *mut *mut td_tensor, n_outputs: usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_module_callbacks {
    fn default() -> Self {
        td_module_callbacks {
            struct_size: std::mem::size_of::<td_module_callbacks>(),
            init: None,
            forward: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_dist_callbacks {
    pub struct_size: usize,
    pub params: *const td_str,
    pub n_params: usize,
    pub sample: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, params: *const *mut td_tensor, dims: *const i64, ndim: usize, generator: *mut td_generator, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub rsample: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, params: *const *mut td_tensor, dims: *const i64, ndim: usize, generator: *mut td_generator, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub log_prob: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, params: *const *mut td_tensor, value: *const td_tensor, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub stat: Option<unsafe extern "C" fn(userdata: *mut c_void, config: td_str, params: *const *mut td_tensor, which: td_dist_stat, out: *mut *mut td_tensor, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

impl Default for td_dist_callbacks {
    fn default() -> Self {
        td_dist_callbacks {
            struct_size: std::mem::size_of::<td_dist_callbacks>(),
            params: std::ptr::null(),
            n_params: 0,
            sample: None,
            rsample: None,
            log_prob: None,
            stat: None,
            userdata: std::ptr::null_mut(),
            destroy: None,
        }
    }
}

#[link(name = "tensordict")]
extern "C" {
    // Errors

    /// Makes an error; callbacks use it to report their failures. TD_OK as the code becomes TD_ERR_ARGUMENT. Never fails: if
    /// there is no memory, it returns a fixed TD_ERR_OOM object, which release ignores.   \[any-thread\]  Since 0.1
    pub fn td_error_new(code: td_status, message: td_str) -> *mut td_error;

    /// Makes an error that carries an object of the caller's, for instance the exception that a callback caught: the code
    /// that called the library gets it with td_error_userdata and can rethrow it. `destroy(userdata)` runs when the last
    /// reference is released, on the thread that does so; immediately if there is no memory for the error.
    /// \[any-thread\] \[may-call-back\]  Since 0.2
    pub fn td_error_new_with(
        code: td_status,
        message: td_str,
        userdata: *mut c_void,
        destroy: td_release_fn,
    ) -> *mut td_error;

    /// Returns the object that td_error_new_with put into this error (not into its causes), or NULL. `destroy` says which
    /// kind of object the caller expects: the result is NULL if the error was made with another `destroy`, for instance by
    /// another language. A NULL `destroy` accepts an object of any kind. The object lives as long as the error.
    /// \[any-thread\]  Since 0.2
    pub fn td_error_userdata(self_: *const td_error, destroy: td_release_fn) -> *mut c_void;

    /// Returns the status that the failing call returned; TD_OK for NULL.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_code(self_: *const td_error) -> td_status;

    /// Returns the whole message: what was wrong, where, and what to do. It is one line of at most 8 KiB; a longer message
    /// loses its middle. It ends with a NUL. The text lives as long as the error.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_message(self_: *const td_error) -> td_str;

    /// Returns the key that the error is about, like `("next", "obs")`, or NULL data. The text lives as long as the error.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_key(self_: *const td_error) -> td_str;

    /// Returns the file, segment, operator or plugin that the error is about, or NULL data. The text lives as long as the
    /// error.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_where(self_: *const td_error) -> td_str;

    /// Returns what the caller can do about the error, or NULL data. The text lives as long as the error.   \[any-thread\]
    /// \[leaf\]  Since 0.1
    pub fn td_error_hint(self_: *const td_error) -> td_str;

    /// Returns the hint with the names of this header in braces and without td_ or TD_: "make a dense copy with
    /// {dict_contiguous} first". A binding puts its own names in their place. NULL data if there is no hint. The text lives
    /// as long as `self`.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_error_hint_format(self_: *const td_error) -> td_str;

    /// Returns the error that caused this one, or NULL. The result is borrowed and lives as long as `self`.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_cause(self_: *const td_error) -> *const td_error;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_error_retain(self_: *const td_error);

    /// Drops a reference; NULL is allowed. The last release runs the `destroy` of td_error_new_with.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_error_release(self_: *const td_error);

    /// Returns the name of a status, for instance "TD_ERR_KEY", or "TD_ERR_?" for unknown values. The text is static.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_status_name(status: td_status) -> td_str;

    // Strings and keys

    /// Returns the text, which lives as long as the string; NULL data for NULL. It ends with a NUL that `size` does not
    /// count.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_string_view(self_: *const td_string) -> td_str;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_string_retain(self_: *const td_string);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_string_release(self_: *const td_string);

    /// Returns the number of keys in the list; 0 for NULL.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_keys_size(self_: *const td_keys) -> usize;

    /// Returns the key at `index`; its parts live as long as the list.
    /// Errors: INDEX if `index` \>= size.   \[any-thread\]  Since 0.1
    pub fn td_keys_get(
        self_: *const td_keys,
        index: i64,
        out_view: *mut td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns all keys as one array of `\*out_size` keys, which lives as long as the list.   \[any-thread\]  Since 0.2
    pub fn td_keys_view(
        self_: *const td_keys,
        out_view: *mut *const td_key,
        out_size: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_keys_retain(self_: *const td_keys);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_keys_release(self_: *const td_keys);

    /// Prepares a key for repeated look-ups: copies and hashes the strings once.
    /// Errors: ARGUMENT if a part is not UTF-8 or n is 0.   \[any-thread\]  Since 0.1
    pub fn td_path_new(
        key: *const td_key,
        out: *mut *mut td_path,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the strings of the path, which live as long as the path.   \[any-thread\]  Since 0.2
    pub fn td_path_view(
        self_: *const td_path,
        out_view: *mut td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_path_retain(self_: *const td_path);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_path_release(self_: *const td_path);

    // Process

    /// Returns how many references to objects of a kind callers hold now: returned or retained, and not yet released. Leak
    /// tests compare the numbers before and after. Returns -1 for an unknown kind.   \[any-thread\]  Since 0.1
    pub fn td_live_objects(kind: td_object_kind) -> i64;

    /// Releases `n` handles of any kinds in one call, in their order, as td_X_release does: for languages that collect
    /// garbage and queue what they find. NULL handles are skipped.
    /// Errors: ARGUMENT for an unknown kind, for TD_OBJECT_MAPPING and for TD_OBJECT_NO_GRAD; nothing is released then. A
    /// td_transform has no kind and is not released by this.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.2
    pub fn td_release_many(
        objects: *const td_object,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns how many bytes of files and segments are mapped now.   \[any-thread\]  Since 0.1
    pub fn td_live_bytes() -> i64;

    /// Sets the level for the process. Use it to find out whether the library's own code causes a bug.
    /// Errors: ARGUMENT for an unknown level.   \[any-thread\]  Since 0.1
    pub fn td_set_fast_level(level: td_fast_level, err: *mut *mut td_error) -> td_status;

    /// Returns the current level.   \[any-thread\]  Since 0.2
    pub fn td_get_fast_level() -> td_fast_level;

    /// Sets how many threads LibTorch uses inside one operator, for the whole process.
    /// Errors: ARGUMENT if n \< 1 or n \> 4096.   \[any-thread\]  Since 0.1
    pub fn td_set_num_threads(n: i32, err: *mut *mut td_error) -> td_status;

    /// Returns the current number of these threads.   \[any-thread\]  Since 0.2
    pub fn td_get_num_threads() -> i32;

    /// Sets the callback for LibTorch's warnings during calls of this library, for the whole process. `fn` is called on the
    /// thread of that call, while an operator runs. If `function` is NULL (the default), warnings are dropped; nothing is
    /// written to stderr. The previous callback may still run on other threads after this returns.
    /// Errors: ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_set_warning_callback(
        function: *const td_warning_function,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes the library usable in a forked child: operators use one thread, because LibTorch's pool does not survive a
    /// fork, and the child does not unlink segments that the parent created. Call it first in the child. The child must not
    /// use a handle that another thread of the parent was using. A fork waits for the locks of this library, but not for
    /// those that LibTorch takes in the first call of a thread or of an operator.   \[exclusive\]  Since 0.1
    pub fn td_after_fork();

    // Versions and features

    /// Returns the version of the loaded library, for instance "0.2.0". The text is static.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_version() -> td_str;

    /// Returns the ABI major of the loaded library: TD_ABI_MAJOR of the header that it was built from.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_abi_version() -> i32;

    /// Returns how the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler,
    /// boost, features.
    /// Errors: OOM.   \[any-thread\]  Since 0.1
    pub fn td_build_info(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;

    /// Returns 1 if this build on this machine has the feature: "segment", "cuda", "uint16", "archive", "bzip2", "lzma",
    /// "hdf5", "group", "redis". Returns 0 for unknown names.   \[any-thread\]  Since 0.1
    pub fn td_has_feature(name: td_str) -> td_bool;

    // Cancelling waits

    /// Makes a td_cancel that is not requested.   \[any-thread\]  Since 0.2
    pub fn td_cancel_new(out: *mut *mut td_cancel, err: *mut *mut td_error) -> td_status;

    /// Ends the present and later waits of calls that are given `self`. A second request does nothing; neither does NULL. Do
    /// not call it in a signal handler; in a forked child it ends no waits of the parent.   \[any-thread\]  Since 0.2
    pub fn td_cancel_request(self_: *const td_cancel);

    /// Returns 1 after td_cancel_request.   \[any-thread\]  Since 0.2
    pub fn td_cancel_requested(self_: *const td_cancel) -> td_bool;

    /// Adds and drops a reference; NULL is allowed. Keep one while a call uses `self`.   \[any-thread\]  Since 0.2
    pub fn td_cancel_retain(self_: *const td_cancel);

    /// Adds and drops a reference; NULL is allowed. Keep one while a call uses `self`.   \[any-thread\]  Since 0.2
    pub fn td_cancel_release(self_: *const td_cancel);

    // Tensors

    /// Makes a tensor over `data` without a copy. The caller keeps the memory valid until `release(owner)` is called: when
    /// the last view is released, or before this call returns if it fails. `strides` counts elements; NULL means row-major.
    /// `release` may be NULL if the memory outlives every use of it.   Like torch.from_blob.
    /// Errors: ARGUMENT for a NULL `data` with elements, or one that is not aligned to its dtype; DTYPE; SHAPE for a
    /// negative or overflowing size or a negative stride.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_from_memory(
        data: *mut c_void,
        dtype: td_dtype,
        dims: *const i64,
        ndim: usize,
        strides: *const i64,
        release: td_release_fn,
        owner: *mut c_void,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a tensor with a copy of row-major `data`.   Like torch.tensor.
    /// Errors: as td_tensor_from_memory, without the alignment; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_copy_from(
        data: *const c_void,
        dtype: td_dtype,
        dims: *const i64,
        ndim: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a tensor on `device` (NULL data: "cpu") with undefined contents, zeros, one value everywhere, or standard
    /// normal numbers. TD_DTYPE_NONE is float32. If `generator` is NULL, LibTorch's default one is used.   Like torch.empty,
    /// zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; UNSUPPORTED
    /// for a `value` that is not a number.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_empty(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a tensor on `device` (NULL data: "cpu") with undefined contents, zeros, one value everywhere, or standard
    /// normal numbers. TD_DTYPE_NONE is float32. If `generator` is NULL, LibTorch's default one is used.   Like torch.empty,
    /// zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; UNSUPPORTED
    /// for a `value` that is not a number.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_zeros(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a tensor on `device` (NULL data: "cpu") with undefined contents, zeros, one value everywhere, or standard
    /// normal numbers. TD_DTYPE_NONE is float32. If `generator` is NULL, LibTorch's default one is used.   Like torch.empty,
    /// zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; UNSUPPORTED
    /// for a `value` that is not a number.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_full(
        dims: *const i64,
        ndim: usize,
        value: *const td_value,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a tensor on `device` (NULL data: "cpu") with undefined contents, zeros, one value everywhere, or standard
    /// normal numbers. TD_DTYPE_NONE is float32. If `generator` is NULL, LibTorch's default one is used.   Like torch.empty,
    /// zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; TORCH if the dtype cannot hold `value`; UNSUPPORTED
    /// for a `value` that is not a number.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_randn(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_retain(self_: *const td_tensor);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_release(self_: *const td_tensor);

    /// Returns the number of dims; 0 for NULL.   Like Tensor.ndim.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_ndim(self_: *const td_tensor) -> usize;

    /// Fills up to `capacity` entries of `out` and returns the number of dims; `out` may be NULL if `capacity` is 0. Strides
    /// count elements. Returns 0 for a NULL tensor, and for the strides of layouts without strides.   Like Tensor.shape,
    /// stride.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_shape(self_: *const td_tensor, out: *mut i64, capacity: usize) -> usize;

    /// Fills up to `capacity` entries of `out` and returns the number of dims; `out` may be NULL if `capacity` is 0. Strides
    /// count elements. Returns 0 for a NULL tensor, and for the strides of layouts without strides.   Like Tensor.shape,
    /// stride.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_strides(self_: *const td_tensor, out: *mut i64, capacity: usize) -> usize;

    /// Returns the number of elements, the size of one element in bytes, or the size of all elements in bytes; 0 for NULL.
    /// Like Tensor.numel, itemsize, nbytes.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_numel(self_: *const td_tensor) -> i64;

    /// Returns the number of elements, the size of one element in bytes, or the size of all elements in bytes; 0 for NULL.
    /// Like Tensor.numel, itemsize, nbytes.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_itemsize(self_: *const td_tensor) -> i64;

    /// Returns the number of elements, the size of one element in bytes, or the size of all elements in bytes; 0 for NULL.
    /// Like Tensor.numel, itemsize, nbytes.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_nbytes(self_: *const td_tensor) -> i64;

    /// Returns the name of a dtype in Python, for instance "float32"; empty for TD_DTYPE_NONE and unknown ones. The text is
    /// static.   Like str(dtype).   \[any-thread\]  Since 0.2
    pub fn td_dtype_name(dtype: td_dtype) -> td_str;

    /// Returns the size of one element in bytes; 0 for TD_DTYPE_NONE and unknown ones.   Like dtype.itemsize.
    /// \[any-thread\]  Since 0.2
    pub fn td_dtype_size(dtype: td_dtype) -> i64;

    /// Returns the dtype with that name, with or without "torch." before it.   Errors: DTYPE for an unknown name, or a dtype
    /// that this LibTorch lacks.   \[any-thread\]  Since 0.2
    pub fn td_dtype_from_name(
        name: td_str,
        out: *mut td_dtype,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the element type; TD_DTYPE_NONE for NULL and for types without a td_dtype.   Like Tensor.dtype.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_dtype(self_: *const td_tensor) -> td_dtype;

    /// Returns the dtype of the elements in the file or shared memory that the tensor was opened from. This is
    /// td_tensor_dtype unless this LibTorch lacks the dtype. Then the tensor is uint8 and shows the bytes of the elements,
    /// in one more, last dim if an element has more than one. Views of whole elements, clones, saves, segments and channels
    /// keep the dtype; all other functions see bytes. TD_DTYPE_NONE for NULL.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_tensor_stored_dtype(self_: *const td_tensor) -> td_dtype;

    /// Returns the device, as "cpu" or "cuda:0"; NULL data for NULL. The text is static.   Like Tensor.device.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_device(self_: *const td_tensor) -> td_str;

    /// Returns 1 if the elements are in row-major order without gaps.   Like Tensor.is_contiguous.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_is_contiguous(self_: *const td_tensor) -> td_bool;

    /// Returns 1 if the memory is mapped read-only. Writing through td_tensor_data would fault; functions of this library
    /// that would write return LOCKED.   \[any-thread\]  Since 0.1
    pub fn td_tensor_is_read_only(self_: *const td_tensor) -> td_bool;

    /// Returns 1 if writes to the memory are visible in forked processes, or in processes that map the same file or segment,
    /// and for GPU memory.   Like Tensor.is_shared.   \[any-thread\]  Since 0.1
    pub fn td_tensor_is_shared(self_: *const td_tensor) -> td_bool;

    /// Fills `\*out`, whose struct_size the caller sets, with all of these facts.   \[any-thread\]  Since 0.2
    pub fn td_tensor_info(
        self_: *const td_tensor,
        out: *mut td_tensor_facts,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a pointer to the first element of a CPU tensor, valid while the tensor lives. It is never NULL on success,
    /// not even for 0 elements. td_tensor_mutable_data refuses read-only tensors.   Like Tensor.data_ptr.
    /// Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors, for tensors with
    /// a lazy conjugate or negative bit, and inside a vmap.   \[any-thread\]  Since 0.1
    pub fn td_tensor_data(
        self_: *const td_tensor,
        out_view: *mut *const c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a pointer to the first element of a CPU tensor, valid while the tensor lives. It is never NULL on success,
    /// not even for 0 elements. td_tensor_mutable_data refuses read-only tensors.   Like Tensor.data_ptr.
    /// Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors, for tensors with
    /// a lazy conjugate or negative bit, and inside a vmap.   \[any-thread\]  Since 0.1
    pub fn td_tensor_mutable_data(
        self_: *mut td_tensor,
        out_view: *mut *mut c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy with its own memory.   Like Tensor.clone.   \[any-thread\]  Since 0.1
    pub fn td_tensor_clone(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the same tensor if it is already row-major, else a row-major copy.   Like Tensor.contiguous.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_tensor_contiguous(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy with `dtype` (TD_DTYPE_NONE: keep) on `device` (NULL data: keep), or the same tensor if nothing
    /// changes.   Like Tensor.to.   Errors: DTYPE; DEVICE.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_tensor_to(
        self_: *const td_tensor,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `src` into the memory of `self`, with broadcasting and a dtype cast.   Like Tensor.copy_.
    /// Errors: SHAPE; LOCKED if `self` is read-only; TORCH for a leaf that requires grad.   \[exclusive\]  Since 0.1
    pub fn td_tensor_copy_(
        self_: *mut td_tensor,
        src: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the value of a tensor with one element, as INT, DOUBLE or BOOL.   Like Tensor.item.
    /// Errors: SHAPE if it has more or fewer elements; DTYPE for complex ones.   \[any-thread\]  Since 0.1
    pub fn td_tensor_item(
        self_: *const td_tensor,
        out: *mut td_value,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the text that Python prints for the same tensor with torch's default print options, for instance "tensor(\[1.,
    /// 2.\])". If there are more than 1000 elements, it shows the first three and the last three along each dim.   Like
    /// repr(tensor).
    /// Errors: UNSUPPORTED for quantized tensors, for layouts that are neither strided nor sparse, and for tensors that a
    /// vmap maps.   \[any-thread\]  Since 0.2
    pub fn td_tensor_repr(
        self_: *const td_tensor,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    // Lists of tensors

    /// Returns the number of tensors; 0 for NULL.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_list_size(self_: *const td_tensor_list) -> usize;

    /// Returns a new reference to the tensor at `index`.   Errors: INDEX.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_get(
        self_: *const td_tensor_list,
        index: i64,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns all tensors as one array of `\*out_size` handles, which live as long as the list: retain what you keep. An
    /// element is NULL where there is no tensor.   \[any-thread\]  Since 0.2
    pub fn td_tensor_list_view(
        self_: *const td_tensor_list,
        out_view: *mut *const *mut td_tensor,
        out_size: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_list_retain(self_: *const td_tensor_list);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_release(self_: *const td_tensor_list);

    // DLPack

    /// Exports a tensor: the receiver calls the struct's deleter once. Read-only tensors have DLPack's read-only flag; the
    /// unversioned form has no such flag, so it refuses them with LOCKED.   Like Tensor.__dlpack__.
    /// Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and tensors that require grad (detach first); DEVICE if
    /// the data is not in this process's memory; DTYPE; LOCKED, see above.   \[any-thread\]  Since 0.1
    pub fn td_tensor_to_dlpack(
        self_: *const td_tensor,
        out: *mut *mut DLManagedTensorVersioned,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Exports a tensor: the receiver calls the struct's deleter once. Read-only tensors have DLPack's read-only flag; the
    /// unversioned form has no such flag, so it refuses them with LOCKED.   Like Tensor.__dlpack__.
    /// Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and tensors that require grad (detach first); DEVICE if
    /// the data is not in this process's memory; DTYPE; LOCKED, see above.   \[any-thread\]  Since 0.1
    pub fn td_tensor_to_dlpack_unversioned(
        self_: *const td_tensor,
        out: *mut *mut DLManagedTensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Imports a tensor: calls its deleter when the last view is released, or before this call returns if it fails.   Like
    /// torch.from_dlpack.
    /// Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE; ARGUMENT for data that is not aligned.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_from_dlpack(
        managed: *mut DLManagedTensorVersioned,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Imports a tensor: calls its deleter when the last view is released, or before this call returns if it fails.   Like
    /// torch.from_dlpack.
    /// Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE; ARGUMENT for data that is not aligned.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_from_dlpack_unversioned(
        managed: *mut DLManagedTensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Autograd

    /// Returns 1 if operations on the tensor are recorded.   Like Tensor.requires_grad.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_tensor_requires_grad(self_: *const td_tensor) -> td_bool;

    /// Starts or stops recording on a leaf.   Like Tensor.requires_grad_.
    /// Errors: DTYPE unless it is a floating or complex tensor; ARGUMENT to stop on a non-leaf (detach it).
    /// \[exclusive\]  Since 0.1
    pub fn td_tensor_requires_grad_(
        self_: *mut td_tensor,
        requires_grad: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds the gradient of `self` to the grad of every leaf that it was computed from. `gradient` may be NULL if `self` has
    /// one element. `retain_graph` keeps the graph for another call.   Like Tensor.backward.
    /// Errors: SHAPE if `self` has more elements and `gradient` is NULL; ARGUMENT if nothing requires grad; TORCH.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_backward(
        self_: *const td_tensor,
        gradient: *const td_tensor,
        retain_graph: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new reference to the collected gradient; `\*out` is NULL if there is none yet.   Like Tensor.grad.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_grad(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a tensor with the same data and without its history.   Like Tensor.detach.   \[any-thread\]  Since 0.1
    pub fn td_tensor_detach(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if operations on the calling thread are recorded.   Like torch.is_grad_enabled.
    /// \[any-thread\]  Since 0.2
    pub fn td_is_grad_enabled() -> td_bool;

    /// Runs `fn` without recording: neither it nor what it calls on this thread records operations. Afterwards the thread is
    /// as before, also if `fn` fails. Bindings should use this, or `no_grad` of td_run_options, and leave the scopes below
    /// to C: then nothing is left behind on a thread.   Like torch.no_grad.
    /// Errors: ARGUMENT if `fn` is NULL; CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.2
    pub fn td_no_grad_run(
        fn_: td_run_function,
        userdata: *mut c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stops recording on the calling thread until td_no_grad_end. Scopes of one thread must end in the reverse order in
    /// which they began.   Like torch.no_grad.   \[any-thread\]  Since 0.1
    pub fn td_no_grad_begin(out: *mut *mut td_no_grad, err: *mut *mut td_error) -> td_status;

    /// Ends the scope: the thread records again, if it did before.
    /// Errors: ARGUMENT on another thread than td_no_grad_begin, or if an inner scope is still open; the scope then stays
    /// open; CLOSED if it has ended.   \[exclusive\]  Since 0.1
    pub fn td_no_grad_end(self_: *mut td_no_grad, err: *mut *mut td_error) -> td_status;

    /// Adds and drops a reference; NULL is allowed. Releasing an open scope, on any thread, changes nothing: its thread
    /// still does not record until an outer scope ends, and outer scopes can end.   \[any-thread\]  Since 0.2
    pub fn td_no_grad_retain(self_: *const td_no_grad);

    /// Adds and drops a reference; NULL is allowed. Releasing an open scope, on any thread, changes nothing: its thread
    /// still does not record until an outer scope ends, and outer scopes can end.   \[any-thread\]  Since 0.2
    pub fn td_no_grad_release(self_: *const td_no_grad);

    // Random numbers

    /// Makes a CPU generator; the same seed gives the same numbers as torch.Generator().manual_seed(seed).
    /// \[any-thread\]  Since 0.1
    pub fn td_generator_new(
        seed: u64,
        out: *mut *mut td_generator,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Restarts the generator with `seed`.   Like Generator.manual_seed.   \[exclusive\]  Since 0.1
    pub fn td_generator_seed(
        self_: *mut td_generator,
        seed: u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the seed that the generator began with, or was last restarted with; 0 for NULL.   Like
    /// Generator.initial_seed.   \[any-thread\]  Since 0.2
    pub fn td_generator_initial_seed(self_: *const td_generator) -> u64;

    /// Returns the state as a new uint8 tensor with one dim, the same bytes as torch.Generator has.   Like
    /// Generator.get_state.   \[any-thread\]  Since 0.2
    pub fn td_generator_state(
        self_: *const td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Continues from a state of td_generator_state or of torch.Generator.   Like Generator.set_state.
    /// Errors: DTYPE unless it is uint8; SHAPE for another number of bytes; CORRUPT for other bytes.
    /// \[exclusive\]  Since 0.2
    pub fn td_generator_load_state(
        self_: *mut td_generator,
        state: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_generator_retain(self_: *const td_generator);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_generator_release(self_: *const td_generator);

    /// Seeds LibTorch's default generators, for the whole process.   Like torch.manual_seed.   \[any-thread\]  Since 0.1
    pub fn td_manual_seed(seed: u64, err: *mut *mut td_error) -> td_status;

    // Operators

    /// Finds an operator: "add" means "aten::add". If `overload` has NULL data, each call uses the first overload whose
    /// schema accepts the arguments; exact matches come before conversions. Empty text means the overload without a name.
    /// The name may have the overload in it, as in "add.Tensor" and, without a name, "softmax.default"; `overload` then has
    /// NULL data.
    /// Errors: NOT_FOUND; the message lists the overloads that exist.   \[any-thread\]  Since 0.1
    pub fn td_op_find(
        name: td_str,
        overload: td_str,
        out: *mut *mut td_op,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the schemas, one per line, as PyTorch prints them.   \[any-thread\]  Since 0.1
    pub fn td_op_schema(
        self_: *const td_op,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls the operator with the positional `args`, then `kwargs` by name, then the schema's defaults. A number is
    /// accepted where the schema has a Tensor, Scalar, float or a list of one; INTS where it has SymInt\[\]. `outs\[0..n_outs)`
    /// receive the results in order. Outs beyond the results are set to NONE; too few outs are ARGUMENT.
    /// Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
    /// UNSUPPORTED for a result that no td_value can hold; SHAPE, INDEX or DTYPE if LibTorch reports one of these, else
    /// TORCH.   \[any-thread\]  Since 0.1
    pub fn td_op_call(
        self_: *const td_op,
        args: *const td_value,
        n_args: usize,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        outs: *mut td_value,
        n_outs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Finds an operator and calls it, as td_op_find without `overload` and td_op_call do. What was found is kept, so that
    /// only the first call with a name looks it up.   Like torch.ops.aten.add, torch.ops.aten.add.Tensor.
    /// Errors: as td_op_find, td_op_call.   \[any-thread\]  Since 0.2
    pub fn td_op_run(
        name: td_str,
        args: *const td_value,
        n_args: usize,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        outs: *mut td_value,
        n_outs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Releases what a result owns and sets it to NONE; NULL is allowed. Do not call it on values that only borrow.
    /// \[exclusive\]  Since 0.1
    pub fn td_value_clear(self_: *mut td_value);

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_op_retain(self_: *const td_op);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_op_release(self_: *const td_op);

    // Dicts

    /// Makes an empty dict; `options` may be NULL.   Like TensorDict({}, batch_size).
    /// Errors: SHAPE for a negative size; DEVICE.   \[any-thread\]  Since 0.1
    pub fn td_dict_new(
        batch_size: *const i64,
        ndim: usize,
        options: *const td_dict_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_retain(self_: *const td_dict);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dict_release(self_: *const td_dict);

    /// Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL. A size is -1 if the members
    /// of a lazy stack differ in it.   Like TensorDict.batch_size.   \[any-thread\]  Since 0.1
    pub fn td_dict_batch_size(self_: *const td_dict, out: *mut i64, capacity: usize) -> usize;

    /// Changes the batch size; allowed on a locked dict. A node with a shorter batch size gets the new one.   Like
    /// TensorDict.batch_size.   Errors: SHAPE naming the first entry that does not fit.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_batch_size(
        self_: *mut td_dict,
        batch_size: *const i64,
        ndim: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the device that entries are moved to, as "cpu" or "cuda:0"; NULL data if there is none. The text is static.
    /// Like TensorDict.device.   \[any-thread\]  Since 0.1
    pub fn td_dict_device(self_: *const td_dict) -> td_str;

    /// Removes the device, or sets the device that all tensors are on (none if they differ or there are no tensors), here
    /// and in every dict below. Nothing is moved. Allowed on a locked dict.   Like TensorDict.clear_device_, auto_device_.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_clear_device_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Removes the device, or sets the device that all tensors are on (none if they differ or there are no tensors), here
    /// and in every dict below. Nothing is moved. Allowed on a locked dict.   Like TensorDict.clear_device_, auto_device_.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_auto_device_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns the size of the first batch dim, or 0 without batch dims.   Like len(td).   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_len(self_: *const td_dict) -> i64;

    /// Returns the number of entries at the root.   Like len(td.keys()).   \[any-thread\]  Since 0.1
    pub fn td_dict_count(self_: *const td_dict) -> usize;

    /// Returns the size of all tensors in bytes, including nested ones.   \[any-thread\]  Since 0.1
    pub fn td_dict_nbytes(self_: *const td_dict) -> i64;

    /// Returns how many levels of nodes are above the deepest tensor; 0 without nodes and for NULL.   Like TensorDict.depth.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_depth(self_: *const td_dict) -> i64;

    /// Returns the dtype that all tensors have; TD_DTYPE_NONE if they differ, without tensors and for NULL.   Like
    /// TensorDict.dtype.   \[any-thread\]  Since 0.1
    pub fn td_dict_dtype(self_: *const td_dict) -> td_dtype;

    /// Returns 1 if all tensors have a floating-point dtype, also if there are no tensors, and for NULL.   Like
    /// TensorDict.is_floating_point.   \[any-thread\]  Since 0.1
    pub fn td_dict_is_floating_point(self_: *const td_dict) -> td_bool;

    /// Returns the number of elements of all tensors, or the bytes of all tensors and their collected gradients. Without
    /// `count_duplicates`, a tensor under several keys counts once.   Like TensorDict.param_count, bytes.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_param_count(self_: *const td_dict, count_duplicates: td_bool) -> i64;

    /// Returns the number of elements of all tensors, or the bytes of all tensors and their collected gradients. Without
    /// `count_duplicates`, a tensor under several keys counts once.   Like TensorDict.param_count, bytes.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_param_bytes(self_: *const td_dict, count_duplicates: td_bool) -> i64;

    /// Sets `value` under `key` and replaces an existing entry; missing nodes are made with this dict's batch size. The
    /// tensor itself is stored, not a copy, so later in-place writes show in the dict.   Like TensorDict.set.
    /// Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
    /// tensor; DEVICE if the dict has a device and the move fails; ARGUMENT for more than 250 levels, including those above
    /// this dict.   \[exclusive\]  Since 0.1
    pub fn td_dict_set(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets `value` under `key` and replaces an existing entry; missing nodes are made with this dict's batch size. The
    /// tensor itself is stored, not a copy, so later in-place writes show in the dict.   Like TensorDict.set.
    /// Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
    /// tensor; DEVICE if the dict has a device and the move fails; ARGUMENT for more than 250 levels, including those above
    /// this dict.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_path(
        self_: *mut td_dict,
        path: *const td_path,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets a tensor of any shape under `key` that belongs to the whole batch: a table, a mask, parameters. Operations that
    /// change the batch dims (an index, a shape, a split, a reduction) return the same tensor; stack and cat keep the tensor
    /// of the first dict, and warn if another dict has other memory. Every other operation (operators, clones, casts)
    /// applies to it as to any tensor; an entry that is unbatched in the first dict is unbatched in the result.
    /// td_dict_set_at writes all of it, from a value of its shape, and does not change it if the value is a number or lacks
    /// the key. vmap shares it between the members. Safetensors keep it. td_save warns and writes an ordinary tensor into
    /// HDF5 files and, if it has the batch dims, into `.tdz` archives. Masks, operands of the batch's shape, packing,
    /// queries, stores, segments, channels, memmap directories, consolidation and dicts in HDF5 files refuse it with
    /// UNSUPPORTED.   Like TensorDict.set of an UnbatchedTensor.
    /// Errors: those of td_dict_set, without SHAPE.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_unbatched(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if the tensor under `key` is unbatched.   Like isinstance(td.get(key), UnbatchedTensor).
    /// Errors: KEY if there is no tensor.   \[any-thread\]  Since 0.1
    pub fn td_dict_is_unbatched(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets a dict under `key`. The dict itself is stored if its batch size begins with this dict's batch size and the
    /// device agrees. Otherwise a shallow copy with this dict's batch size is stored, and `value` does not change.   Like
    /// TensorDict.set.
    /// Errors: as td_dict_set; ARGUMENT if `value` would contain itself, or has different names for its dims.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_set_dict(
        self_: *mut td_dict,
        key: *const td_key,
        value: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
    /// Errors: KEY if there is no tensor; SHAPE; LOCKED if its memory is read-only; TORCH for a leaf that requires grad.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_copy_into(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new reference to the tensor under `key`.   Like td\[key\]. A missing key is always an error; td_dict_lookup
    /// does not make one. There is no set_get_defaults_to_none, because a process-wide switch would affect other code in the
    /// process. Entries of a dict in a file may be read in this call: see td_open.
    /// Errors: KEY if there is no entry, the entry is a dict, or the path runs through a tensor; CORRUPT or IO for an entry
    /// that is read in this call.   \[any-thread\] \[may-block\] \[may-alias\]  Since 0.1
    pub fn td_dict_get(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new reference to the tensor under `key`.   Like td\[key\]. A missing key is always an error; td_dict_lookup
    /// does not make one. There is no set_get_defaults_to_none, because a process-wide switch would affect other code in the
    /// process. Entries of a dict in a file may be read in this call: see td_open.
    /// Errors: KEY if there is no entry, the entry is a dict, or the path runs through a tensor; CORRUPT or IO for an entry
    /// that is read in this call.   \[any-thread\] \[may-block\] \[may-alias\]  Since 0.1
    pub fn td_dict_get_path(
        self_: *const td_dict,
        path: *const td_path,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the tensors under `n` paths: all of them, or none if the call fails.   Errors: KEY.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_get_many(
        self_: *const td_dict,
        paths: *const *const td_path,
        n: usize,
        outs: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new reference to the dict under `key`; changes of it show in `self`.   Like td\[key\].   Errors: KEY if there
    /// is no entry or it is a tensor.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_get_dict(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Looks up an entry of any kind: `\*out` receives its kind and a new reference, which td_entry_clear releases. If there
    /// is no entry, or the path runs through a tensor, the kind is TD_ENTRY_NONE; this is neither an error nor slow.   Like
    /// td.get(key, None).   Errors: ARGUMENT if a part is not UTF-8; SHAPE if the members of a lazy stack do not stack;
    /// CORRUPT or IO for an entry of a file that is read in this call.   \[any-thread\] \[may-block\] \[may-alias\]  Since 0.2
    pub fn td_dict_lookup(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut td_entry,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Releases what the entry holds and sets its kind to TD_ENTRY_NONE; NULL is allowed. Do not call it on entries that
    /// td_entries_view shows.   \[exclusive\]  Since 0.2
    pub fn td_entry_clear(self_: *mut td_entry);

    /// Returns the kind of the entry under `key`: TD_ENTRY_NONE if there is no entry, or the path runs through a tensor.
    /// Like `key in td`, with the kind.   \[any-thread\]  Since 0.1
    pub fn td_dict_entry_kind(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut td_entry_kind,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the tensor under `key`; first sets `value` there if there is no entry.   Like TensorDict.setdefault.
    /// Errors: KEY if the entry is not a tensor; those of td_dict_set.   \[exclusive\] \[may-alias\]  Since 0.1
    pub fn td_dict_set_default(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the entry; nodes that become empty stay.   Like del td\[key\].
    /// Errors: KEY; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_remove(
        self_: *mut td_dict,
        key: *const td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a snapshot of the keys.   Like td.keys(include_nested, leaves_only, sort).
    /// Errors: ARGUMENT for unknown flags.   \[any-thread\]  Since 0.1
    pub fn td_dict_keys(
        self_: *const td_dict,
        flags: td_keys_flags,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a snapshot of the keys with their entries: those that td_dict_keys lists with the same flags.   Like
    /// td.items(include_nested, leaves_only, sort).
    /// Errors: ARGUMENT for unknown flags; SHAPE if the members of a lazy stack do not stack.   \[any-thread\]  Since 0.2
    pub fn td_dict_entries(
        self_: *const td_dict,
        flags: u64,
        out: *mut *mut td_entries,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns all keys and all entries as arrays of `\*out_size`, which live as long as `self`, and so do the objects in
    /// them: retain what you keep. `out_keys_view` and `out_entries_view` may be NULL.   \[any-thread\] \[may-alias\]
    /// Since 0.2
    pub fn td_entries_view(
        self_: *const td_entries,
        out_keys_view: *mut *const td_key,
        out_entries_view: *mut *const td_entry,
        out_size: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.2
    pub fn td_entries_retain(self_: *const td_entries);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.2
    pub fn td_entries_release(self_: *const td_entries);

    // Copies

    /// Returns a copy with new nodes that shares the tensors.   Like td.copy().   \[any-thread\]  Since 0.1
    pub fn td_dict_copy(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a deep copy. Tensors are cloned with their autograd history.   Like td.clone().   \[any-thread\]  Since 0.1
    pub fn td_dict_clone(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a deep, unlocked copy in which all nodes are plain dicts.   Like td.to_tensordict().
    /// Errors: SHAPE if members of a lazy stack differ.   \[any-thread\]  Since 0.1
    pub fn td_dict_to_tensordict(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Non-tensor data

    /// Sets one value for the whole batch under `key` and replaces an existing entry; missing nodes are made. JSON is
    /// checked and stored without spaces; JSON that is a string, a number, a bool or null is stored as that kind. NaN and
    /// Infinity are read and written as Python writes them.   Like TensorDict.set_non_tensor.
    /// Errors: ARGUMENT for an unknown kind, text that is not UTF-8 or not JSON; LOCKED; KEY if the path runs through an
    /// entry that is not a dict.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_data(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_data,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets one value for each batch element of the dict that holds `key`: `n` is the product of its batch size, and
    /// `values` are row-major. Without batch dims it takes one value, like td_dict_set_data.   Like setting a
    /// NonTensorStack.
    /// Errors: SHAPE for another `n`; those of td_dict_set_data.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_data_stack(
        self_: *mut td_dict,
        key: *const td_key,
        values: *const td_data,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the data under `key` by one value for the whole batch; allowed on a locked dict.   Like TensorDict.set_ of
    /// non-tensor data.
    /// Errors: KEY if there is no entry, or it is a tensor or a dict; ARGUMENT as td_dict_set_data; LOCKED for a file that
    /// was opened read-only.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_data_(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_data,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the values under `key`.   Like TensorDict.get_non_tensor.
    /// Errors: KEY if there is no entry, or it is a tensor or a dict.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_data(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_data_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if each batch element has its own value, even if they are equal; 0 for NULL.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_data_list_is_stack(self_: *const td_data_list) -> td_bool;

    /// Fills up to `capacity` sizes of `out` and returns the number of dims: those of the dict's batch, or more for a deeper
    /// stack; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_data_list_shape(self_: *const td_data_list, out: *mut i64, capacity: usize) -> usize;

    /// Returns the number of values: 1 for a value for the whole batch, else the product of the shape; 0 for NULL.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_data_list_size(self_: *const td_data_list) -> usize;

    /// Returns the value at `index`, row-major; its text lives as long as the list.
    /// Errors: INDEX if `index` \>= size.   \[any-thread\]  Since 0.1
    pub fn td_data_list_get(
        self_: *const td_data_list,
        index: i64,
        out_view: *mut td_data,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict without batch dims from a JSON object: objects in it become dicts, and everything else becomes data;
    /// lists have the kind TD_DATA_JSON. It reads the JSON that this library returns, for instance that of td_build_info.
    /// Errors: ARGUMENT for text that is not the JSON of an object, has a name twice, or nests too deeply.
    /// \[any-thread\]  Since 0.2
    pub fn td_dict_from_json(
        json: td_str,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a list of such dicts from a JSON array of objects, for instance from td_plugins_list or td_segment_list.
    /// Errors: ARGUMENT as td_dict_from_json, and for any other element, with its index.   \[any-thread\]  Since 0.2
    pub fn td_dict_list_from_json(
        json: td_str,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_data_list_retain(self_: *const td_data_list);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_data_list_release(self_: *const td_data_list);

    // Changing many entries

    /// Makes a dict with these entries, in their order, stored as by td_dict_set and td_dict_set_dict. If a key comes twice,
    /// the last value wins. `options` may be NULL.   Like TensorDict({...}, batch_size).
    /// Errors: as td_dict_new, td_dict_set and td_dict_set_dict; ARGUMENT for values of other kinds, or text that is not
    /// UTF-8.   \[any-thread\]  Since 0.1
    pub fn td_dict_from_items(
        batch_size: *const i64,
        ndim: usize,
        items: *const td_item,
        n: usize,
        options: *const td_dict_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict without batch dims that has the same tensor `value` under every key.   Like TensorDict.fromkeys.
    /// Errors: KEY if one key runs through another.   \[any-thread\]  Since 0.1
    pub fn td_dict_from_keys(
        keys: *const td_key,
        n: usize,
        value: *const td_tensor,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict over a row-major array of records of `itemsize` bytes, one per batch element. Each field becomes an
    /// entry that uses the caller's memory; nothing is copied. `data` must stay valid until `release(owner)` is called: when
    /// the last view is released, or before this call returns if it fails or there are no fields. `release` may be NULL.
    /// Like TensorDict.from_struct_array.
    /// Errors: ARGUMENT naming a field that is not within its record, is not aligned, whose dtype's size does not divide
    /// `itemsize`, or whose key is taken; KEY if one key runs through another; SHAPE; DTYPE.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_dict_from_struct_array(
        data: *mut c_void,
        itemsize: usize,
        batch_size: *const i64,
        ndim: usize,
        fields: *const td_field,
        n: usize,
        release: td_release_fn,
        owner: *mut c_void,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies entries into an array of such records, `size` bytes long, with a dtype cast. Bytes outside all fields do not
    /// change. The array must not overlap the memory of the entries.   Like TensorDict.to_struct_array.
    /// Errors: as td_dict_from_struct_array; KEY for a field without a tensor; SHAPE if the tensor has another shape;
    /// ARGUMENT if `size` is too small. On failure nothing is written.   \[any-thread\]  Since 0.1
    pub fn td_dict_to_struct_array(
        self_: *const td_dict,
        fields: *const td_field,
        n: usize,
        itemsize: usize,
        data: *mut c_void,
        size: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict with the entries of all `dicts`, with the batch size and the device of the first. Nodes are new and are
    /// merged level by level. If several dicts have a tensor under one key, the first wins.   Like merge_tensordicts.
    /// Errors: ARGUMENT for n = 0; KEY if an entry is a dict in one and a tensor in another; SHAPE.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_merge(
        dicts: *const *const td_dict,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of all tensors, including nested ones, and the tensors in the same order. To make one tensor of
    /// them, use td_dict_cat_leaves or td_dict_stack_leaves.   Like td.items(include_nested, leaves_only).
    /// Errors: SHAPE if members of a lazy stack differ.   \[any-thread\]  Since 0.1
    pub fn td_dict_leaves(
        self_: *const td_dict,
        out_keys: *mut *mut td_keys,
        out_tensors: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets `values\[i\]` under `paths\[i\]` for all i, in this order: all of them, or none.
    /// Errors: as td_dict_set.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_many(
        self_: *mut td_dict,
        paths: *const *const td_path,
        values: *const *mut td_tensor,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets every entry of `src` in `self`. A node that both have stays, keeps the entries that `src` lacks, and is updated
    /// recursively. If `src` has a lazy stack there, the dict of `self` first becomes a stack of its parts. Any other entry
    /// is replaced, whatever its kind. `options` may be NULL.   Like TensorDict.update.
    /// Errors: SHAPE unless one batch size begins with the other and all tensors fit, and if a dict that must become a stack
    /// lacks the dim for it; LOCKED; ARGUMENT if `self` would contain itself, or for `update_batch_size` with `inplace` or
    /// `keys`; with `inplace` KEY for entries of different kinds and TORCH for leaves that require grad; KEY if a source of
    /// another batch size lacks a key.   \[exclusive\]  Since 0.1
    pub fn td_dict_update(
        self_: *mut td_dict,
        src: *const td_dict,
        options: *const td_dict_update_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies the values of `src` into the tensors under the same keys, with broadcasting and a dtype cast. It is allowed on
    /// a locked dict, because keys, shapes and nodes do not change. Keys that only `self` has do not change.   Like
    /// TensorDict.update_.
    /// Errors: KEY for a key that `self` lacks or has with another kind of entry; SHAPE; LOCKED for read-only memory; TORCH
    /// for leaves that require grad.   \[exclusive\]  Since 0.1
    pub fn td_dict_update_(
        self_: *mut td_dict,
        src: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes `value` into the tensor under `key` or into all tensors below it, or zero into all tensors of the dict;
    /// allowed on a locked dict.   Like TensorDict.fill_, zero_.
    /// Errors: KEY; ARGUMENT if a dtype cannot hold the value; LOCKED for read-only memory; TORCH for leaves that require
    /// grad.   \[exclusive\]  Since 0.1
    pub fn td_dict_fill_(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_value,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes `value` into the tensor under `key` or into all tensors below it, or zero into all tensors of the dict;
    /// allowed on a locked dict.   Like TensorDict.fill_, zero_.
    /// Errors: KEY; ARGUMENT if a dtype cannot hold the value; LOCKED for read-only memory; TORCH for leaves that require
    /// grad.   \[exclusive\]  Since 0.1
    pub fn td_dict_zero_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Removes the entry and returns it: a tensor, or a dict.   Like TensorDict.pop.
    /// Errors: KEY if there is no entry or it has the other kind; LOCKED.   \[exclusive\] \[may-alias\]  Since 0.1
    pub fn td_dict_pop(
        self_: *mut td_dict,
        key: *const td_key,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the entry and returns it: a tensor, or a dict.   Like TensorDict.pop.
    /// Errors: KEY if there is no entry or it has the other kind; LOCKED.   \[exclusive\] \[may-alias\]  Since 0.1
    pub fn td_dict_pop_dict(
        self_: *mut td_dict,
        key: *const td_key,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the last inserted entry of the root and returns it: one of `\*out_tensor`, `\*out_dict` and `\*out_data` is set,
    /// the others are NULL.   Like TensorDict.popitem.   Errors: KEY if there is no entry; LOCKED.
    /// \[exclusive\] \[may-alias\]  Since 0.1
    pub fn td_dict_popitem(
        self_: *mut td_dict,
        out_key: *mut *mut td_string,
        out_tensor: *mut *mut td_tensor,
        out_dict: *mut *mut td_dict,
        out_data: *mut *mut td_data_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy of `self`, updated with `src`.   Like TensorDict.replace.   Errors: as td_dict_update.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_replace(
        self_: *const td_dict,
        src: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Joins the tensors under `keys` along `dim`, or stacks them along a new dim, and sets the result under `out_key`.
    /// `dim` counts the dims of the tensors. Without `keep_entries` the entries under `keys` are removed.   Like
    /// TensorDict.cat_tensors, stack_tensors.
    /// Errors: ARGUMENT for n = 0; KEY; SHAPE if they cannot be joined, or the result lacks the batch dims; INDEX; LOCKED.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_cat_tensors(
        self_: *mut td_dict,
        keys: *const td_key,
        n: usize,
        out_key: *const td_key,
        dim: i64,
        keep_entries: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Joins the tensors under `keys` along `dim`, or stacks them along a new dim, and sets the result under `out_key`.
    /// `dim` counts the dims of the tensors. Without `keep_entries` the entries under `keys` are removed.   Like
    /// TensorDict.cat_tensors, stack_tensors.
    /// Errors: ARGUMENT for n = 0; KEY; SHAPE if they cannot be joined, or the result lacks the batch dims; INDEX; LOCKED.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_stack_tensors(
        self_: *mut td_dict,
        keys: *const td_key,
        n: usize,
        out_key: *const td_key,
        dim: i64,
        keep_entries: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes one tensor of all tensors, including nested ones: joined along a dim, or stacked along a new dim, in insertion
    /// order or in the order of the sorted keys.   Like TensorDict.cat_from_tensordict, stack_from_tensordict.
    /// Errors: ARGUMENT without tensors; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_cat_leaves(
        self_: *const td_dict,
        dim: i64,
        sorted: td_bool,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes one tensor of all tensors, including nested ones: joined along a dim, or stacked along a new dim, in insertion
    /// order or in the order of the sorted keys.   Like TensorDict.cat_from_tensordict, stack_from_tensordict.
    /// Errors: ARGUMENT without tensors; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_stack_leaves(
        self_: *const td_dict,
        dim: i64,
        sorted: td_bool,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes every entry.   Like TensorDict.clear.
    /// Errors: LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_clear(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Takes over the batch size, the names and the entries of `other`, in its order and by reference. It also takes over
    /// the device; if `other` has none, it keeps its own and moves the entries there. A node for which `other` has a node
    /// under the same key stays the same object and takes over that node. This gives every operation an in-place form:
    /// td_dict_reshape, then this, is td.reshape(..., inplace=True); td_dict_to, then this, is td.to(device, inplace=True).
    /// It works on every kind of dict. If `other` is a lazy stack of as many members along the same dim, or can be split
    /// into one, the members of a lazy stack take over one by one; otherwise they are replaced by the members of `other`.
    /// Entries that parameters take over become parameters. A dict in a file writes copies and keeps its batch size.   Like
    /// the inplace=True and out= of TensorDict's operations.
    /// Errors: LOCKED, also for a node that would change; ARGUMENT if `other` contains `self`; SHAPE if `other` is a lazy
    /// stack whose members differ and `self` is not a lazy stack; DEVICE; UNSUPPORTED for a dict in a file and another batch
    /// size, and for a lazy stack that would have no members.   \[exclusive\]  Since 0.1
    pub fn td_dict_become(
        self_: *mut td_dict,
        other: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes an empty node under `key`, and the missing nodes on the way to it.   Like TensorDict.create_nested, which
    /// overwrites.
    /// Errors: EXISTS if there is an entry; KEY if the path runs through a tensor; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_create_nested(
        self_: *mut td_dict,
        key: *const td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    // Choosing and renaming keys

    /// Renames an entry. It moves to the end, or to the position of the entry that it replaces. With `safe`, an existing
    /// `new_key` is an error. A node that becomes empty stays.   Like TensorDict.rename_key_.
    /// Errors: KEY; EXISTS; SHAPE if it does not fit the batch size there; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_rename_key_(
        self_: *mut td_dict,
        old_key: *const td_key,
        new_key: *const td_key,
        safe: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict with the entries under `keys`, in their order. Nodes are the same objects. If `keys` names entries of
    /// a node, only these are kept, in a new node (by td_dict_select_: in the node itself). With `strict`, a missing key is
    /// an error; otherwise it is ignored.   Like TensorDict.select.   Errors: KEY.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_select(
        self_: *const td_dict,
        keys: *const td_key,
        n: usize,
        strict: td_bool,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes all entries except those under `keys`, as td_dict_select does in place.   Like TensorDict.select with
    /// inplace=True.   Errors: KEY; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_select_(
        self_: *mut td_dict,
        keys: *const td_key,
        n: usize,
        strict: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict with the entries that are not under `keys`. Nodes are treated as by td_dict_select; a node that loses
    /// all entries stays. Missing keys are ignored; without keys this is td_dict_copy.   Like TensorDict.exclude.
    /// Errors: ARGUMENT.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_exclude(
        self_: *const td_dict,
        keys: *const td_key,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the entries under `keys`, as td_dict_exclude does in place.   Like TensorDict.exclude with inplace=True.
    /// Errors: LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_exclude_(
        self_: *mut td_dict,
        keys: *const td_key,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits a dict: `outs` receive n + 1 dicts, one for each set of keys and one for the remaining entries, without empty
    /// nodes. All nodes are new. A missing key is an error, and an entry that only some members of a lazy stack have is
    /// moved; with `lenient`, both are ignored. `options` may be NULL.   Like TensorDict.split_keys, also with default,
    /// reproduce_struct and sets that are dicts.
    /// Errors: KEY for a missing key, and for a key that is in two sets; ARGUMENT if `names` lacks a name for a key; SHAPE
    /// if `fill` lacks the batch dims.   \[any-thread\]  Since 0.1
    pub fn td_dict_split_keys(
        self_: *const td_dict,
        sets: *const td_key_set,
        n: usize,
        options: *const td_split_options,
        outs: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the entries under `keys` and the nodes that become empty, and returns a new dict with these entries. A
    /// missing key is an error; with `lenient`, it is ignored. `options` may be NULL.   Like TensorDict.separates.
    /// Errors: KEY; LOCKED; SHAPE if `fill` lacks the batch dims.   \[exclusive\]  Since 0.1
    pub fn td_dict_separate(
        self_: *mut td_dict,
        keys: *const td_key,
        n: usize,
        options: *const td_separate_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy without the non-tensor entries.   Like TensorDict.filter_non_tensor_data.   \[any-thread\]  Since 0.1
    pub fn td_dict_filter_non_tensor_data(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict with the same batch size, device and names and without entries; with `recurse`, the nodes stay,
    /// without their entries.   Like TensorDict.empty.   \[any-thread\]  Since 0.1
    pub fn td_dict_empty(
        self_: *const td_dict,
        recurse: td_bool,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if the dict has no entries other than nodes at any depth; 1 for NULL.   Like TensorDict.is_empty.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_is_empty(self_: *const td_dict) -> td_bool;

    /// Removes the nodes for which td_dict_is_empty returns 1.   Like TensorDict.filter_empty_.
    /// Errors: LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_filter_empty_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns a dict with one level, whose keys are the parts joined with `separator` (NULL data: "."). Empty nodes, and
    /// the batch sizes and names of nodes, are lost.   Like TensorDict.flatten_keys.
    /// Errors: EXISTS if two entries would get one key.   \[any-thread\]  Since 0.1
    pub fn td_dict_flatten_keys(
        self_: *const td_dict,
        separator: td_str,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits the keys of the root at every `separator` (NULL data: "."): "a..b" becomes ("a", "", "b"). Nodes are new;
    /// existing nodes are merged into them and come first, together with all keys without a separator.   Like
    /// TensorDict.unflatten_keys.
    /// Errors: ARGUMENT for an empty separator; EXISTS if two entries would get one key; KEY if a path runs through a
    /// tensor.   \[any-thread\]  Since 0.1
    pub fn td_dict_unflatten_keys(
        self_: *const td_dict,
        separator: td_str,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Index

    /// Indexes the batch dims of every entry. Integers, slices and NONE give views, tensors give copies; the result is
    /// unlocked.   Like td\[index\].
    /// Errors: INDEX if the index is out of range or has more dims than the batch; DTYPE for a tensor with another dtype.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_index(
        self_: *const td_dict,
        indices: *const td_index,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a window: a dict that shows the rows of `self` that the index selects, without a copy. It keeps `self` alive
    /// and always has the keys of `self`. Each get indexes the tensor in `self` again; a dict below is a window too. Writes
    /// into entries go to `self`, even if reading makes a copy because of a tensor in the index, a lazy stack or a file. A
    /// window is always locked: add, replace and delete entries in `self`. Operations that make a dict from a window make an
    /// ordinary dict.   Like td._get_sub_tensordict(index).
    /// Errors: as td_dict_index.   \[any-thread\]  Since 0.1
    pub fn td_dict_window(
        self_: *mut td_dict,
        indices: *const td_index,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes the entries of `value` into the rows that the index selects; entries that `value` lacks do not change. The
    /// batch size of `value` must be the selected one or its last dims, or its tensors must have shapes that fit. A lazy
    /// stack repeats a value without batch dims. A new entry is zero outside the selected rows; new non-tensor data has no
    /// value there. All checks come before the first write, and a `value` that shares memory with `self` is read before it.
    /// Each member of a lazy stack gets its part of `value`, so members may differ.   Like td\[index\] = value.
    /// Errors: INDEX; SHAPE; KEY if an entry and its new value are of different kinds; LOCKED for new entries in a locked
    /// dict (existing values may be written) and for read-only memory; TORCH for leaves that require grad.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_set_at(
        self_: *mut td_dict,
        indices: *const td_index,
        n: usize,
        value: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes one number into the selected rows of every tensor.   Like td\[index\] = 0.
    /// Errors: as td_dict_set_at; ARGUMENT if a dtype cannot hold the number.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_at_value(
        self_: *mut td_dict,
        indices: *const td_index,
        n: usize,
        value: *const td_value,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `value` into the selected part of the tensor under `key`, with broadcasting. The index may extend into the
    /// feature dims.   Like TensorDict.set_at_.
    /// Errors: KEY; INDEX; SHAPE; LOCKED if that memory is read-only; TORCH if the tensor is a leaf that requires grad.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_copy_into_at(
        self_: *mut td_dict,
        key: *const td_key,
        indices: *const td_index,
        n: usize,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the selected part of the tensor under `key`: a view, or a copy if there are tensors in the index. The index
    /// may extend into the feature dims.   Like TensorDict.get_at.
    /// Errors: KEY; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_at(
        self_: *const td_dict,
        key: *const td_key,
        indices: *const td_index,
        n: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the selected part of a tensor: a view, or a copy if there are tensors or integer lists in the index.   Like
    /// tensor\[index\].   Errors: INDEX; DTYPE for a tensor with another dtype.   \[any-thread\] \[may-alias\]  Since 0.2
    pub fn td_tensor_index(
        self_: *const td_tensor,
        indices: *const td_index,
        n: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `value` into the selected part of a tensor, with broadcasting and a dtype cast.   Like tensor\[index\] = value.
    /// Errors: INDEX; SHAPE; LOCKED if the memory is read-only; TORCH if the tensor is a leaf that requires grad.
    /// \[exclusive\]  Since 0.2
    pub fn td_tensor_set_at(
        self_: *mut td_tensor,
        indices: *const td_index,
        n: usize,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Stack, join and pad

    /// Stacks dicts with equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative values count from the
    /// end of the result).   Like torch.stack over TensorDicts.
    /// Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_stack(
        dicts: *const *const td_dict,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Joins dicts with equal keys along the batch dim `dim` (negative values count from the last); all other sizes must be
    /// equal. Leaves are new. Names come from the first dict. Non-tensor data that is one single value in all dicts stays
    /// one value; otherwise the result has one value for each batch element.   Like torch.cat over TensorDicts.
    /// Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_cat(
        dicts: *const *const td_dict,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes the result of td_dict_cat or td_dict_stack into the entries of `target`, completely or not at all, with a cast
    /// to its dtypes. `target` must have these keys and may be locked; its other entries do not change. A lazy stack is
    /// written member by member, so members may differ.   Like torch.cat(..., out=target), torch.stack(..., out=target).
    /// Errors: as td_dict_cat; SHAPE if `target` has another batch size; LOCKED for read-only memory; TORCH for leaves that
    /// require grad.   \[exclusive\]  Since 0.1
    pub fn td_dict_cat_into(
        dicts: *const *const td_dict,
        n: usize,
        dim: i64,
        target: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes the result of td_dict_cat or td_dict_stack into the entries of `target`, completely or not at all, with a cast
    /// to its dtypes. `target` must have these keys and may be locked; its other entries do not change. A lazy stack is
    /// written member by member, so members may differ.   Like torch.cat(..., out=target), torch.stack(..., out=target).
    /// Errors: as td_dict_cat; SHAPE if `target` has another batch size; LOCKED for read-only memory; TORCH for leaves that
    /// require grad.   \[exclusive\]  Since 0.1
    pub fn td_dict_stack_into(
        dicts: *const *const td_dict,
        n: usize,
        dim: i64,
        target: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Pads batch dims with `value`. `pairs` has `n` numbers: how many elements to add before and after each batch dim,
    /// beginning with the first; negative numbers crop. Non-tensor data has no value in the padding; names stay.   Like
    /// tensordict.pad.
    /// Errors: ARGUMENT for an odd `n`, or a dtype that cannot hold the value; SHAPE if there are more pairs than batch dims
    /// or a dim would lose more than it has.   \[any-thread\]  Since 0.1
    pub fn td_dict_pad(
        self_: *const td_dict,
        pairs: *const i64,
        n: usize,
        value: *const td_value,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stacks dicts along a new dim 0 after padding one dim of each entry, at one end, to the longest. Entries that are not
    /// in all dicts are left out. Padding a batch dim also changes the batch size. Masks have the batch size, plus one dim
    /// if the padded dim is not a batch dim. `options` may be NULL.   Like tensordict.pad_sequence.
    /// Errors: ARGUMENT for n = 0 or a dtype that cannot hold the value; EXISTS for a taken mask key; KEY for a padding
    /// value whose key is not a tensor in all dicts; SHAPE naming an entry without dims, or whose other dims differ; INDEX.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_pad_sequence(
        dicts: *const *const td_dict,
        n: usize,
        options: *const td_pad_sequence_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits the result of td_dict_pad_sequence into a lazy stack of the samples along the first batch dim. The entries are
    /// views of the elements that the masks mark, which may be at the start, at the end or in the middle. If the padded dim
    /// is a batch dim of the samples, each sample and its data are cut by the mask of its first tensor; otherwise each
    /// tensor is cut by its own mask. `options` may be NULL.   Like tensordict.unpad_sequence.
    /// Errors: SHAPE without batch dims, and naming an entry whose mask has another shape; KEY if there are no masks, or
    /// none for an entry; INDEX for a `pad_dim` that an entry lacks; ARGUMENT naming an entry whose mask has a hole in a
    /// row, and if more than one of `mask_key`, `masks` and `mask` is given.   \[any-thread\]  Since 0.1
    pub fn td_dict_unpad_sequence(
        self_: *const td_dict,
        options: *const td_unpad_sequence_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Lazy stacks

    /// Returns the kind of a dict; TD_DICT_KIND_TENSORDICT for NULL.   Like type(td).   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_kind_of(self_: *const td_dict) -> td_dict_kind;

    /// Makes a lazy stack of these dicts, without copying them, along a new batch dim `dim`; negative values count from the
    /// end of the result. Batch sizes in which the dicts differ are -1.   Like LazyStackedTensorDict.lazy_stack.
    /// Errors: ARGUMENT for n = 0; SHAPE for different numbers of batch dims, more than 64 of them or 2^24 members in all;
    /// DEVICE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_lazy_stack(
        dicts: *const *mut td_dict,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a lazy stack without members. Members that are added later must have the batch size `element`.   Like
    /// LazyStackedTensorDict(stack_dim=).
    /// Errors: SHAPE for a negative size; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_lazy_new(
        element: *const i64,
        ndim: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dense stack at each level at which keys and shapes agree, and a lazy stack at each level at which they do
    /// not. Lazy stacks along the same dim with equally many members are stacked member by member.   Like
    /// TensorDict.maybe_dense_stack; with the members of a lazy stack, dense_stack_tds.
    /// Errors: as td_dict_lazy_stack.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_maybe_dense_stack(
        dicts: *const *mut td_dict,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a lazy stack of the views that td_dict_unbind returns.   Like TensorDict.to_lazystack.   Errors: INDEX.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_to_lazy_stack(
        self_: *const td_dict,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the batch dim along which the members are stacked; -1 if the dict is not a lazy stack.   Like
    /// LazyStackedTensorDict.stack_dim.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_stack_dim(self_: *const td_dict) -> i64;

    /// Returns the members themselves; changes of a member show in the stack.   Like LazyStackedTensorDict.tensordicts.
    /// Errors: UNSUPPORTED if the dict is not a lazy stack.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_members(
        self_: *const td_dict,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Inserts dicts before the member at `index`, or at the end; the batch size grows. If they lack a key, the stack no
    /// longer has that key. They may have other keys.   Like LazyStackedTensorDict.insert, append, extend.
    /// Errors: UNSUPPORTED if `self` is not a lazy stack; INDEX unless 0 \<= index \<= members; SHAPE for another batch size;
    /// DEVICE; LOCKED; ARGUMENT if it would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_dict_insert(
        self_: *mut td_dict,
        index: i64,
        dicts: *const *mut td_dict,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Inserts dicts before the member at `index`, or at the end; the batch size grows. If they lack a key, the stack no
    /// longer has that key. They may have other keys.   Like LazyStackedTensorDict.insert, append, extend.
    /// Errors: UNSUPPORTED if `self` is not a lazy stack; INDEX unless 0 \<= index \<= members; SHAPE for another batch size;
    /// DEVICE; LOCKED; ARGUMENT if it would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_dict_append(
        self_: *mut td_dict,
        dict: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills up to `capacity` sizes of `out` with the shape of an entry (the batch size for a dict), and `\*out_ndim` with
    /// their number. A size is -1 if members of a stack differ in it; the shape is a single -1 if their numbers of dims
    /// differ.   Like TensorDict.get_item_shape.   Errors: KEY.   \[any-thread\]  Since 0.1
    pub fn td_dict_entry_shape(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut i64,
        capacity: usize,
        out_ndim: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of all tensors, including nested ones, whose shapes differ between members; td_dict_get refuses
    /// them.   \[any-thread\]  Since 0.1
    pub fn td_dict_ragged_keys(
        self_: *const td_dict,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys that the member at `index` has and at least one other member lacks.
    /// Errors: UNSUPPORTED if the dict is not a lazy stack; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_exclusive_keys(
        self_: *const td_dict,
        index: i64,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the members' tensors themselves. The stack may be `self` or on the way to `key`. For nested stacks these are
    /// the tensors of the innermost members, those of the first outer member first; Python nests the lists.   Like
    /// td.get(key, as_list=True).
    /// Errors: KEY; UNSUPPORTED if there is no lazy stack on the way.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_list(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets one tensor in each member, in all of them or in none; the shapes may differ. For nested stacks, the members are
    /// those of the outer stack.   Like ls.set(key, list).
    /// Errors: as td_dict_set; ARGUMENT unless `n` is the number of members; UNSUPPORTED without a lazy stack.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_set_list(
        self_: *mut td_dict,
        key: *const td_key,
        values: *const *mut td_tensor,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the members' tensors, also those of nested stacks, padded to the longest in each dim and stacked. `out_mask`
    /// receives a bool tensor, true for values, over the dims up to the last padded one; it may be NULL. `options` may be
    /// NULL.   Like td.get(key, as_padded_tensor=True).
    /// Errors: KEY; SHAPE for different numbers of dims; ARGUMENT if the dtype cannot hold the value; UNSUPPORTED without a
    /// lazy stack on the way.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_padded(
        self_: *const td_dict,
        key: *const td_key,
        options: *const td_padding_options,
        out: *mut *mut td_tensor,
        out_mask: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the members' tensors joined along the first dim after the stack dim, and int64 offsets, one more than there
    /// are members, that say where each begins. The components of a jagged tensor are joined along its ragged dim; for 0
    /// components there is one offset and no element.   Like td.get(key, as_nested_tensor=True, layout=torch.jagged), taken
    /// apart.
    /// Errors: KEY, also for other stacks without members; SHAPE if another dim differs; UNSUPPORTED without a lazy stack on
    /// the way.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_jagged(
        self_: *const td_dict,
        key: *const td_key,
        out_values: *mut *mut td_tensor,
        out_offsets: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dense dict with the entries that any member has, at every level. Shorter tensors are padded, missing
    /// tensors are filled with padding, and missing non-tensor data has no value. `options` may be NULL.   Like
    /// td.densify().to_padded_tensor().
    /// Errors: KEY for entries of different kinds; SHAPE for different numbers of dims; ARGUMENT if a dtype cannot hold the
    /// value; EXISTS if the key of the masks is taken.   \[any-thread\]  Since 0.1
    pub fn td_dict_densify(
        self_: *const td_dict,
        options: *const td_padding_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Parameters

    /// Wraps `self` as parameters. The entries of `self` are replaced by the parameters: new tensors with the same memory.
    /// The dicts below stay ordinary dicts. If `self` is already parameters, the result is a copy with the same tensors.
    /// `options` may be NULL.   Like TensorDictParams(td, no_convert, lock).   Errors: UNSUPPORTED if it contains lazy
    /// stacks; LOCKED if it is part of a locked dict.   \[exclusive\]  Since 0.1
    pub fn td_dict_params(
        self_: *mut td_dict,
        options: *const td_params_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the tensors that require grad, or the others, with their keys in the same order. A tensor under several keys
    /// is listed once, with its first key. It works for every dict.   Like Module.named_parameters, named_buffers.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_parameters(
        self_: *const td_dict,
        out_keys: *mut *mut td_keys,
        out_tensors: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the tensors that require grad, or the others, with their keys in the same order. A tensor under several keys
    /// is listed once, with its first key. It works for every dict.   Like Module.named_parameters, named_buffers.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_buffers(
        self_: *const td_dict,
        out_keys: *mut *mut td_keys,
        out_tensors: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    // Selecting rows

    /// Takes, for each element of `index`, that position along batch dim `dim`. The index has all batch dims, or only the
    /// first ones up to `dim`; then the other dims are taken completely. The shape of the index is the new batch size.
    /// Like torch.gather.
    /// Errors: INDEX if `dim` or an element is out of range (elements must not be negative); SHAPE; DTYPE.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_gather(
        self_: *const td_dict,
        dim: i64,
        index: *const td_tensor,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the rows for which `mask` is true; the dims of the mask become one. Names, and lazy stacks whose members
    /// differ, are treated as by td_dict_index with the mask.   Like td.masked_select.
    /// Errors: INDEX if the mask does not match the batch size; DTYPE.   \[any-thread\]  Since 0.1
    pub fn td_dict_masked_select(
        self_: *const td_dict,
        mask: *const td_tensor,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict with the elements of `self` where `condition` is true and of `other` elsewhere. A tensor that only one
    /// dict has is the number `pad` in the other, and non-tensor data has no value there; if `pad` is NULL, such an entry
    /// is an error. To use a tensor or a number instead of `other`, call td_dict_pointwise with the operator
    /// "where".   Like td.where(condition, other, pad=).
    /// Errors: KEY; SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   \[any-thread\]  Since 0.1
    pub fn td_dict_where(
        self_: *const td_dict,
        condition: *const td_tensor,
        other: *const td_dict,
        pad: *const td_value,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict of new tensors, with `value` where `mask` is true.   Like td.masked_fill.
    /// Errors: SHAPE; DTYPE; ARGUMENT if a dtype cannot hold the value.   \[any-thread\]  Since 0.1
    pub fn td_dict_masked_fill(
        self_: *const td_dict,
        mask: *const td_tensor,
        value: *const td_value,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes `value` into the dict's tensors where `mask` is true; if it fails, nothing is written.   Like td.masked_fill_.
    /// Errors: as td_dict_masked_fill; LOCKED for read-only memory; TORCH for leaves that require grad.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_masked_fill_(
        self_: *mut td_dict,
        mask: *const td_tensor,
        value: *const td_value,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a bool for each position along batch dim `dim`: whether that slice of `key` is among the slices of
    /// `reference`.   Like tensordict.utils.isin.   Errors: KEY; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_isin(
        self_: *const td_dict,
        reference: *const td_dict,
        key: *const td_key,
        dim: i64,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the elements of the dict at the first occurrence of each distinct slice of `key` along batch dim `dim`,
    /// sorted by the slices. `out_inverse` receives, for each position, the index of its slice in the result; it may be
    /// NULL.   Like tensordict.utils.remove_duplicates.   Errors: KEY; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_remove_duplicates(
        self_: *const td_dict,
        key: *const td_key,
        dim: i64,
        out: *mut *mut td_dict,
        out_inverse: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits a dict along its first batch dim into one dict per value of `key`, with the rows of that value in their order.
    /// The values are sorted. If `key` is a tensor, `out_values` receives a tensor with one row per group, and rows are
    /// compared element by element. If it is non-tensor data, `out_data` receives one value per group, and values are
    /// compared as in Python: 1, 1.0 and true are equal, and lists are compared element by element. The other output is set
    /// to NULL; both pointers may be NULL. NaN is equal to nothing and comes last. The rows are gathered once, and the
    /// groups are views of them.   Like tensordict.group_by.
    /// Errors: KEY if there is no entry, or it is a dict; SHAPE without batch dims, for rows without elements, and if
    /// members of a lazy stack differ in `key`; DTYPE for complex values; ARGUMENT for data without an order: numbers mixed
    /// with text or missing values, JSON objects, pickles.   \[any-thread\]  Since 0.1
    pub fn td_dict_group_by(
        self_: *const td_dict,
        key: *const td_key,
        out_values: *mut *mut td_tensor,
        out_data: *mut *mut td_data_list,
        out_groups: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a view with dims added on the right to reach the given shape, or the shape of `other`, as broadcasting adds
    /// them on the left.   Like tensordict.utils.expand_right, expand_as_right.   Errors: SHAPE.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_expand_right(
        self_: *const td_tensor,
        dims: *const i64,
        ndim: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a view with dims added on the right to reach the given shape, or the shape of `other`, as broadcasting adds
    /// them on the left.   Like tensordict.utils.expand_right, expand_as_right.   Errors: SHAPE.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_expand_as_right(
        self_: *const td_tensor,
        other: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Shape

    /// Returns the product of the batch size: 1 without batch dims, 0 for an empty batch and for NULL, -1 if a size is -1.
    /// Like TensorDict.numel.   \[any-thread\]  Since 0.1
    pub fn td_dict_numel(self_: *const td_dict) -> i64;

    /// Returns a dict with the batch size `sizes`, of which one may be -1, and without names of dims. If the batch size does
    /// not change, the result is `self` itself. view never copies; reshape copies the leaves whose strides require it. If
    /// neighbouring dims are joined, a dim is split, or dims of size 1 are added or removed, a lazy stack stays a lazy
    /// stack, of views of its members; if its members have different batch sizes, `sizes` may only be a single -1, for all
    /// elements. Otherwise reshape makes a dense dict from a lazy stack.   Like TensorDict.view, reshape.
    /// Errors: SHAPE if the number of elements differs, or if a lazy stack would have to become dense and its members
    /// differ; for view also SHAPE naming a leaf that would have to be copied, and UNSUPPORTED if a lazy stack would have to
    /// become dense.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_view(
        self_: *const td_dict,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict with the batch size `sizes`, of which one may be -1, and without names of dims. If the batch size does
    /// not change, the result is `self` itself. view never copies; reshape copies the leaves whose strides require it. If
    /// neighbouring dims are joined, a dim is split, or dims of size 1 are added or removed, a lazy stack stays a lazy
    /// stack, of views of its members; if its members have different batch sizes, `sizes` may only be a single -1, for all
    /// elements. Otherwise reshape makes a dense dict from a lazy stack.   Like TensorDict.view, reshape.
    /// Errors: SHAPE if the number of elements differs, or if a lazy stack would have to become dense and its members
    /// differ; for view also SHAPE naming a leaf that would have to be copied, and UNSUPPORTED if a lazy stack would have to
    /// become dense.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_reshape(
        self_: *const td_dict,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the dims `start` to `end`, inclusive, by one dim without a name. Leaves are copied if their strides require
    /// it. A dict without batch dims gets one of size 1. A lazy stack stays a lazy stack, of views of its members' elements.
    /// Like TensorDict.flatten.
    /// Errors: INDEX; ARGUMENT if the end comes before the start; SHAPE if the members of a lazy stack differ in a dim
    /// before its own.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_flatten(
        self_: *const td_dict,
        start: i64,
        end: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces `dim` by dims of `sizes`, of which one may be -1; the last of them gets the name of `dim`.   Like
    /// TensorDict.unflatten.
    /// Errors: INDEX; SHAPE if the product of the sizes is not the size of `dim`.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_unflatten(
        self_: *const td_dict,
        dim: i64,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes those of `dims` that have size 1, or all such batch dims if n = 0. If nothing is removed, the result is
    /// `self` itself.   Like TensorDict.squeeze.   Errors: INDEX; ARGUMENT if a dim comes twice.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_squeeze(
        self_: *const td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a batch dim of size 1 at `dim`; negative values count from the end of the result.   Like TensorDict.unsqueeze.
    /// Errors: INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_unsqueeze(
        self_: *const td_dict,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Repeats dims of size 1 without copying, and adds new dims on the left; -1 keeps a size. Several elements of the
    /// result share memory, so functions that write in place refuse it with TORCH. Only batch dims are repeated. With the
    /// shape of a tensor this is td.expand_as(tensor); with sizes of 1 on the left it is atleast_2d.   Like
    /// TensorDict.expand.
    /// Errors: SHAPE if another dim would change, or if there are fewer `sizes` than batch dims.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_expand(
        self_: *const td_dict,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Expands each tensor to the shape of the tensor under its key in `other`, including the feature dims, and each node to
    /// the batch size of `other`. A single data value stays single; stacks of data are repeated like tensors. The result is
    /// unlocked and has no names. Entries that only `other` has are ignored.   Like TensorDict.expand_as.
    /// Errors: KEY for an entry that `other` lacks or has with another kind; SHAPE naming an entry that cannot be expanded,
    /// or whose shapes differ between members of a lazy stack.   \[any-thread\]  Since 0.1
    pub fn td_dict_expand_as(
        self_: *const td_dict,
        other: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Permutes the batch dims into the order `dims`, a permutation of all dims or of the first `n`. If the order does not
    /// change, the result is `self` itself.   Like TensorDict.permute.   Errors: INDEX; ARGUMENT if `dims` is not a
    /// permutation.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_permute(
        self_: *const td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Swaps two batch dims. If they are equal, the result is `self` itself.   Like TensorDict.transpose.   Errors: INDEX.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_transpose(
        self_: *const td_dict,
        dim0: i64,
        dim1: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Moves `n` batch dims from the positions `source` to the positions `destination`; the others keep their order. If
    /// nothing moves, the result is `self` itself.   Like TensorDict.movedim.   Errors: INDEX; ARGUMENT if a dim comes
    /// twice.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_movedim(
        self_: *const td_dict,
        source: *const i64,
        destination: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns `length` elements of `dim`, beginning at `start`; a negative `start` counts from the end.   Like
    /// TensorDict.narrow.
    /// Errors: INDEX; SHAPE if the elements are not all within the dim.   \[any-thread\]  Since 0.1
    pub fn td_dict_narrow(
        self_: *const td_dict,
        dim: i64,
        start: i64,
        length: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits `dim` into pieces of `size` elements, of which the last may be shorter, or into pieces of the given sizes.
    /// Like TensorDict.split.   Errors: INDEX; ARGUMENT for a size below 1; SHAPE if the sum of the sizes is not the size of
    /// the dim.   \[any-thread\]  Since 0.1
    pub fn td_dict_split(
        self_: *const td_dict,
        size: i64,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits `dim` into pieces of `size` elements, of which the last may be shorter, or into pieces of the given sizes.
    /// Like TensorDict.split.   Errors: INDEX; ARGUMENT for a size below 1; SHAPE if the sum of the sizes is not the size of
    /// the dim.   \[any-thread\]  Since 0.1
    pub fn td_dict_split_sizes(
        self_: *const td_dict,
        sizes: *const i64,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits `dim` into `chunks` pieces, or fewer, so that all except the last have the same size.   Like TensorDict.chunk.
    /// Errors: INDEX; ARGUMENT for less than 1.   \[any-thread\]  Since 0.1
    pub fn td_dict_chunk(
        self_: *const td_dict,
        chunks: i64,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits `dim` into exactly `sections` pieces whose sizes differ by at most 1, or at each of the `n` indices, into n +
    /// 1 pieces.   Like TensorDict.tensor_split.   Errors: INDEX; ARGUMENT for fewer than 1 section.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_tensor_split(
        self_: *const td_dict,
        sections: i64,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Splits `dim` into exactly `sections` pieces whose sizes differ by at most 1, or at each of the `n` indices, into n +
    /// 1 pieces.   Like TensorDict.tensor_split.   Errors: INDEX; ARGUMENT for fewer than 1 section.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_tensor_split_at(
        self_: *const td_dict,
        indices: *const i64,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns one unlocked dict for each element of `dim`, without that dim.   Like TensorDict.unbind.   Errors: INDEX.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_unbind(
        self_: *const td_dict,
        dim: i64,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of dicts; 0 for NULL.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_list_size(self_: *const td_dict_list) -> usize;

    /// Returns a new reference to the dict at `index`.   Errors: INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_list_get(
        self_: *const td_dict_list,
        index: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns all dicts as one array of `\*out_size` handles, which live as long as the list: retain what you keep.
    /// \[any-thread\]  Since 0.2
    pub fn td_dict_list_view(
        self_: *const td_dict_list,
        out_view: *mut *const *mut td_dict,
        out_size: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_list_retain(self_: *const td_dict_list);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dict_list_release(self_: *const td_dict_list);

    /// Returns a copy in which each batch dim is repeated as often as `repeats` says, one number per dim. tile also accepts
    /// fewer numbers, for the last dims, or more, for new dims on the left, and drops the names of dims. repeat keeps a lazy
    /// stack lazy: the copies of its members are in the result several times along the stack dim.   Like TensorDict.repeat,
    /// tile.
    /// Errors: SHAPE for a negative number, and for repeat if there is not one number per batch dim.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_repeat(
        self_: *const td_dict,
        repeats: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy in which each batch dim is repeated as often as `repeats` says, one number per dim. tile also accepts
    /// fewer numbers, for the last dims, or more, for new dims on the left, and drops the names of dims. repeat keeps a lazy
    /// stack lazy: the copies of its members are in the result several times along the stack dim.   Like TensorDict.repeat,
    /// tile.
    /// Errors: SHAPE for a negative number, and for repeat if there is not one number per batch dim.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_tile(
        self_: *const td_dict,
        repeats: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy in which each element of `dim` comes several times in a row: `repeats` has one number for all
    /// elements, or one for each. For all batch dims together, call td_dict_flatten first. Along the dim of a lazy stack,
    /// the members themselves are in the result several times, without a copy.   Like TensorDict.repeat_interleave.
    /// Errors: INDEX; SHAPE for negative numbers, or a wrong count of numbers.   \[any-thread\]  Since 0.1
    pub fn td_dict_repeat_interleave(
        self_: *const td_dict,
        repeats: *const i64,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy with the elements of `dims` in reverse order.   Like TensorDict.flip.
    /// Errors: INDEX; ARGUMENT if a dim comes twice.   \[any-thread\]  Since 0.1
    pub fn td_dict_flip(
        self_: *const td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy with the elements of each dim shifted; elements beyond the end reappear at the start. With n_dims = 0,
    /// a single shift applies to the batch as if it were flattened.   Like TensorDict.roll.
    /// Errors: INDEX; ARGUMENT if there is not one shift for each dim.   \[any-thread\]  Since 0.1
    pub fn td_dict_roll(
        self_: *const td_dict,
        shifts: *const i64,
        n_shifts: usize,
        dims: *const i64,
        n_dims: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a copy rotated `times` times by 90 degrees, from `dim0` towards `dim1`.   Like TensorDict.rot90.
    /// Errors: INDEX; ARGUMENT if the dims are equal.   \[any-thread\]  Since 0.1
    pub fn td_dict_rot90(
        self_: *const td_dict,
        times: i64,
        dim0: i64,
        dim1: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns an unlocked dict with row-major leaves: leaves that are already row-major are kept, the others are copied.
    /// The strides of dims of size 1 are row-major too.   Like TensorDict.contiguous(canonical=True).
    /// Errors: KEY and SHAPE if members of a lazy stack differ.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_contiguous(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if all leaves are row-major; 0 for NULL, for a dict that contains lazy stacks, and for a dict in a file.
    /// Like TensorDict.is_contiguous.   \[any-thread\]  Since 0.1
    pub fn td_dict_is_contiguous(self_: *const td_dict) -> td_bool;

    /// Sets the batch size to the longest one that all entries share, here and in each node below, with at most `limit`
    /// dims; -1 means no limit. Empty dicts and data with a single value are ignored; a lazy stack does not change. Allowed
    /// on a locked dict.   Like TensorDict.auto_batch_size_.   Errors: ARGUMENT for any other negative limit.
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_auto_batch_size_(
        self_: *mut td_dict,
        limit: i64,
        err: *mut *mut td_error,
    ) -> td_status;

    // Dicts like another

    /// Returns an unlocked dict with the keys, nodes and feature dims of `self` and another batch size, with undefined
    /// contents or `value` in every tensor. TD_DTYPE_NONE keeps the dtypes. Names are aligned on the right. A single data
    /// value is kept; other non-tensor entries have no values.   Like TensorDict.new_empty; new_zeros, new_ones, new_full.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; ARGUMENT if a dtype cannot hold the value; OOM.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_new_empty(
        self_: *const td_dict,
        batch_size: *const i64,
        ndim: usize,
        dtype: td_dtype,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns an unlocked dict with the keys, nodes and feature dims of `self` and another batch size, with undefined
    /// contents or `value` in every tensor. TD_DTYPE_NONE keeps the dtypes. Names are aligned on the right. A single data
    /// value is kept; other non-tensor entries have no values.   Like TensorDict.new_empty; new_zeros, new_ones, new_full.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; ARGUMENT if a dtype cannot hold the value; OOM.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_new_full(
        self_: *const td_dict,
        batch_size: *const i64,
        ndim: usize,
        value: *const td_value,
        dtype: td_dtype,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict with the keys and nodes of `self` and copies of `data`, each with the dtype of the tensor that it
    /// replaces. If `data` is a TENSOR or numbers (INT, DOUBLE, BOOL, or INTS, DOUBLES, BOOLS with one dim), every tensor is
    /// a copy of it, and its shape is the batch size of the result and of all nodes. If `data` is a DICT, each tensor is a
    /// copy of the tensor under its key in that dict, and nodes have the batch sizes of its nodes; entries that only `data`
    /// has are ignored. A single data value is kept; other non-tensor entries have no values. The result has no names, no
    /// history and no lock. `options` may be NULL; for pin_memory=True, call td_dict_pin_memory on the result.   Like
    /// TensorDict.new_tensor.
    /// Errors: ARGUMENT for data of other kinds, and for numbers that a dtype cannot hold (tensors are cast); KEY for an
    /// entry that the dict lacks or has with another kind; SHAPE if members of a lazy stack differ; DTYPE for unknown
    /// dtypes, and if integers would require grad; DEVICE.   \[any-thread\]  Since 0.1
    pub fn td_dict_new_tensor(
        self_: *const td_dict,
        data: *const td_value,
        options: *const td_new_tensor_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Packing

    /// Joins the features of all tensors, row-major, along a new dim at `dim` of the batch dims (negative values count from
    /// the end of the result). The tensors are in the order of their sorted keys or, if `layout` is not NULL, of its
    /// columns; a layout must have the same tensors with the same features along the same dim. `out_layout` may be NULL. A
    /// lazy stack is packed as a dense dict. Without tensors the result is float32.   Like TensorDict.pack(dim, layout).
    /// Errors: INDEX; UNSUPPORTED naming non-tensor data (td_dict_filter_non_tensor_data); DTYPE and DEVICE naming a tensor
    /// that differs from the first; KEY if members of a lazy stack have different keys, and naming a tensor that only the
    /// dict or only the layout has; SHAPE naming a tensor whose features differ from the layout's, or between members;
    /// ARGUMENT for a layout along another dim.   \[any-thread\]  Since 0.1
    pub fn td_dict_pack(
        self_: *const td_dict,
        dim: i64,
        layout: *const td_pack_layout,
        out: *mut *mut td_tensor,
        out_layout: *mut *mut td_pack_layout,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a layout of these columns, in this order. `nested` lists the nodes that have further batch dims or no tensors;
    /// a node comes before its entries. If `device` is not NULL data, the packed dict had a device.   Like PackLayout(keys,
    /// shapes, dim, nested, device).
    /// Errors: EXISTS for a key that comes twice; KEY if one key runs through another; SHAPE for a negative or overflowing
    /// size; INDEX for a dim beyond 62; DEVICE.   \[any-thread\]  Since 0.1
    pub fn td_pack_layout_new(
        columns: *const td_pack_entry,
        n_columns: usize,
        nested: *const td_pack_entry,
        n_nested: usize,
        dim: i64,
        device: td_str,
        out: *mut *mut td_pack_layout,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict whose tensors are views of `packed`. Its batch size is the shape of `packed` without the packed dim,
    /// with any number of rows and dims. If the packed dict had a device, the result has the device of `packed`. Lazy stacks
    /// and parameters become ordinary dicts. Names are lost; Python's classes are kept.   Like PackLayout.unpack.
    /// Errors: INDEX if `packed` lacks the dim; SHAPE for another number of columns.   \[any-thread\]  Since 0.1
    pub fn td_pack_layout_unpack(
        self_: *const td_pack_layout,
        packed: *const td_tensor,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of the columns, in their order, or of the nodes, sorted.   Like PackLayout.keys, nested.
    /// \[any-thread\]  Since 0.1
    pub fn td_pack_layout_keys(
        self_: *const td_pack_layout,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of the columns, in their order, or of the nodes, sorted.   Like PackLayout.keys, nested.
    /// \[any-thread\]  Since 0.1
    pub fn td_pack_layout_nested(
        self_: *const td_pack_layout,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills up to `capacity` sizes of `out` with the feature dims of the column, or the further batch dims of the node, at
    /// `index`, and returns their number; 0 for NULL and beyond the last.   Like PackLayout.shapes, nested.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_shape(
        self_: *const td_pack_layout,
        index: i64,
        out: *mut i64,
        capacity: usize,
    ) -> usize;

    /// Fills up to `capacity` sizes of `out` with the feature dims of the column, or the further batch dims of the node, at
    /// `index`, and returns their number; 0 for NULL and beyond the last.   Like PackLayout.shapes, nested.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_nested_shape(
        self_: *const td_pack_layout,
        index: i64,
        out: *mut i64,
        capacity: usize,
    ) -> usize;

    /// Returns where the column at `index` begins along the packed dim (-1 beyond the last); the size of that dim; its
    /// position, which a layout from td_dict_pack counts from the end. Returns 0 for NULL.   Like PackLayout.offsets, numel,
    /// dim.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_offset(self_: *const td_pack_layout, index: i64) -> i64;

    /// Returns where the column at `index` begins along the packed dim (-1 beyond the last); the size of that dim; its
    /// position, which a layout from td_dict_pack counts from the end. Returns 0 for NULL.   Like PackLayout.offsets, numel,
    /// dim.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_numel(self_: *const td_pack_layout) -> i64;

    /// Returns where the column at `index` begins along the packed dim (-1 beyond the last); the size of that dim; its
    /// position, which a layout from td_dict_pack counts from the end. Returns 0 for NULL.   Like PackLayout.offsets, numel,
    /// dim.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_dim(self_: *const td_pack_layout) -> i64;

    /// Returns the device of the dict that was packed, as "cpu" or "cuda:0"; NULL data if it had none. The text is static.
    /// Like PackLayout.device.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_device(self_: *const td_pack_layout) -> td_str;

    /// Returns 1 if both have the same columns, nodes, dim, device and classes; two NULLs are equal.   Like layout == other.
    /// \[any-thread\]  Since 0.1
    pub fn td_pack_layout_equal(
        self_: *const td_pack_layout,
        other: *const td_pack_layout,
    ) -> td_bool;

    /// Returns the text that Python prints.   Like repr(layout).   \[any-thread\]  Since 0.1
    pub fn td_pack_layout_repr(
        self_: *const td_pack_layout,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_pack_layout_retain(self_: *const td_pack_layout);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_pack_layout_release(self_: *const td_pack_layout);

    // Names of dims

    /// Names the batch dims, here and in all nodes below; NULL data means no name. n is the number of batch dims, or 0 to
    /// remove all names. Allowed on a locked dict.   Like TensorDict.names.
    /// Errors: ARGUMENT for another n, and for a name that comes twice, is not UTF-8, or is the name of a further dim of a
    /// node below (with its key).   \[exclusive\]  Since 0.1
    pub fn td_dict_set_names(
        self_: *mut td_dict,
        names: *const td_str,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the name of a batch dim; `\*out` is NULL if it has none.   Like TensorDict.names.   Errors: INDEX.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_name(
        self_: *const td_dict,
        dim: i64,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Names the dims that have no name yet. For a dim with a name, `names` must have the same name.   Like
    /// TensorDict.refine_names.
    /// Errors: ARGUMENT if a name would change, and as td_dict_set_names.   \[exclusive\]  Since 0.1
    pub fn td_dict_refine_names(
        self_: *mut td_dict,
        names: *const td_str,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Renames the dims `from` to the names `to`, all together, so that names can be swapped; NULL data removes a name.
    /// Like TensorDict.rename_ with a map.
    /// Errors: ARGUMENT if there is no such name, or a name would come twice.   \[exclusive\]  Since 0.1
    pub fn td_dict_rename_names(
        self_: *mut td_dict,
        from: *const td_str,
        to: *const td_str,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    // Arithmetic and comparison

    /// Calls the pointwise operator `op` for each leaf. Operands are dicts (at least one), tensors and numbers, in the order
    /// of the operator's schema; `kwargs` has the other arguments ("alpha", or operands too). `options` may be NULL. The
    /// batch sizes of the dicts and the shapes of tensors with dims broadcast to the batch size of the result: a tensor has
    /// one element for each batch element, whatever the feature dims of a leaf. Tensors without dims and numbers apply to
    /// every leaf. Leaves of several dicts are matched by key, and their feature dims broadcast as in LibTorch. The result
    /// has the nodes, also empty ones, the non-tensor entries, the names and the device of the first dict, and is locked if
    /// that dict is locked. Comparisons (eq, ne, lt, le, gt, ge, their long names, isclose) return bool leaves without
    /// names, unlocked. For them, two dicts must have the same non-tensor entries; eq and ne compare the values, which gives
    /// a bool tensor for each entry. With TD_MISSING_FILL, data that only one dict has is not equal to the fill. An in-place
    /// operator ("add_") writes the leaves of its first operand, a dict, which may be locked; a lazy stack is written member
    /// by member. `\*out` shares these leaves, and `out` may be NULL. Nothing is written unless every leaf can be written.
    /// Like td + other, td.lerp, td == other, td.abs.
    /// Errors: ARGUMENT without a dict; KEY; SHAPE if the operands do not broadcast, or would enlarge the leaves in place;
    /// LOCKED for leaves in read-only memory; those of td_op_call, with the key.   \[any-thread\]  Since 0.1
    pub fn td_dict_pointwise(
        op: *const td_op,
        operands: *const td_value,
        n: usize,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        options: *const td_pointwise_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Operators over dicts

    /// Calls `op` once for each leaf. In each call, an argument of kind DICT is replaced by its leaf; all DICTs must have
    /// the same leaf keys. Other arguments are passed to every call unchanged. `outs` receive one dict for each tensor that
    /// the operator returns, with the nodes and the batch size of the first DICT; further outs receive NULL. An in-place
    /// operator writes the leaves, and the results share them; nothing is written unless the operator accepts every leaf.
    /// td.view(dtype) is "view" with the overload "dtype".   Like td.add(other) and its siblings.
    /// Errors: ARGUMENT without a DICT, or for too few outs; KEY if the leaves differ; SHAPE if a result does not begin with
    /// the batch size of the dict that holds the leaf; those of td_op_call, with the key.   \[any-thread\]  Since 0.1
    pub fn td_dict_apply_op(
        op: *const td_op,
        args: *const td_value,
        n_args: usize,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        outs: *mut *mut td_dict,
        n_outs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    // Reductions

    /// Calls `op` for each leaf, with the dims that `options` (may be NULL) names; `kwargs` has further arguments of the
    /// operator ("dtype", "correction", "p", "q"). The batch size and the names lose the dims. Operators that keep a dim
    /// (softmax, cumsum, sort) keep it here too. `outs` receive a dict for each result of the operator: max, min, cummax and
    /// cummin along a dim return values and indices; outs beyond the results are set to NULL. Several numbers in "q" add a
    /// first batch dim; without dims they add a feature dim. Results are unlocked. Nodes, and non-tensor entries with a
    /// single value, are kept.   Like td.sum, td.mean, td.max, td.softmax and similar methods.
    /// Errors: INDEX for a dim that is not a batch dim; ARGUMENT for a dim named twice, keepdim without dims, `feature` with
    /// either, too few outs, or several dims where the operator takes one; SHAPE if the operator does not reduce, or
    /// non-tensor entries have different values; DTYPE, TORCH with the key.   \[any-thread\]  Since 0.1
    pub fn td_dict_reduce(
        self_: *const td_dict,
        op: *const td_op,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        options: *const td_reduce_options,
        outs: *mut *mut td_dict,
        n_outs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Reduces all leaves together to one tensor. The leaves are flattened and joined; with dims, joined along the first of
    /// them; with `feature`, their feature dims are flattened and joined.   Like td.sum(reduce=True).
    /// Errors: as td_dict_reduce; ARGUMENT if there are no tensors; SHAPE if they cannot be joined.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_reduce_all(
        self_: *const td_dict,
        op: *const td_op,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        options: *const td_reduce_options,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns whether every element of every tensor is true (not 0), or whether at least one is; without tensors 1 and 0.
    /// To reduce along dims, use td_dict_reduce with the operators of these names.   Like td.all(), td.any().
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_all(
        self_: *const td_dict,
        out: *mut td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns whether every element of every tensor is true (not 0), or whether at least one is; without tensors 1 and 0.
    /// To reduce along dims, use td_dict_reduce with the operators of these names.   Like td.all(), td.any().
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_any(
        self_: *const td_dict,
        out: *mut td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    // Functions over leaves

    /// Makes data that such a callback can return: one value for the whole batch if `shape` is NULL, else one value for each
    /// element of a batch of that shape, row-major.
    /// Errors: ARGUMENT as td_dict_set_data; SHAPE for a negative or overflowing size.   \[any-thread\]  Since 0.1
    pub fn td_data_list_new(
        values: *const td_data,
        shape: *const i64,
        ndim: usize,
        out: *mut *mut td_data_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls the function for each tensor of `self`, in the order of td_dict_keys, and makes an unlocked dict of the
    /// results. Leaves that only the others have are ignored. Non-tensor entries stay, unless the options have a function
    /// for them too, like Python's is_leaf. `options` may be NULL. With `in_place`, leaves are written after the last call,
    /// also in a locked dict; `\*out` shares them, and `out` may be NULL; data can only be replaced by data (else ARGUMENT).
    /// For propagate_lock= and out=, use td_dict_lock_ and td_dict_become on the result.   Like TensorDict.named_apply,
    /// apply_.
    /// Errors: CALLBACK with the key if `fn` fails or throws; KEY; SHAPE if a result lacks the batch dims of its node, or
    /// with `in_place` has another shape than the leaf; LOCKED if a leaf to write is in read-only memory; ARGUMENT.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_dict_map(
        self_: *const td_dict,
        function: *const td_map_function,
        others: *const *const td_dict,
        n_others: usize,
        options: *const td_map_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Merges dicts like td_dict_merge, but calls the function to compute each tensor that all `dicts` have; NULL keeps the
    /// tensor of the first.   Like merge_tensordicts(callback_exist).
    /// Errors: as td_dict_merge; CALLBACK with the key if `fn` fails or throws; SHAPE if a result lacks the batch dims.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_dict_merge_with(
        dicts: *const *const td_dict,
        n: usize,
        function: *const td_map_function,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Autograd, device and dtype

    /// Returns 1 if operations on some tensor are recorded.   Like td.requires_grad.   \[any-thread\]  Since 0.1
    pub fn td_dict_requires_grad(self_: *const td_dict) -> td_bool;

    /// Starts or stops recording on every tensor; if one tensor refuses, nothing changes.   Like td.requires_grad_.
    /// Errors: as td_tensor_requires_grad_, with the key; UNSUPPORTED for tensors in a file.   \[exclusive\]  Since 0.1
    pub fn td_dict_requires_grad_(
        self_: *mut td_dict,
        requires_grad: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns new nodes with the same data without its history, locked if `self` is locked. For td.data, call
    /// td_dict_pointwise with the operator "data": autograd does not notice writes to its result.   Like td.detach().
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_detach(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the history of the tensors themselves; allowed on a locked dict.   Like td.detach_().
    /// Errors: TORCH naming a view that requires grad; nothing changes then.   \[exclusive\]  Since 0.1
    pub fn td_dict_detach_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns a dict with the collected gradients of the leaves that have one, locked if `self` is locked. Nodes without
    /// gradients are left out. `\*out` is NULL if no leaf has a gradient.   Like td.grad.   \[any-thread\]  Since 0.1
    pub fn td_dict_grad(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the collected gradients, or writes zeros into them.   Like td.zero_grad(set_to_none).
    /// Errors: LOCKED for a gradient in read-only memory.   \[exclusive\]  Since 0.1
    pub fn td_dict_zero_grad(
        self_: *mut td_dict,
        set_to_none: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs backward once from all leaves that require grad. `gradient` has a tensor of the same shape for each of them; it
    /// may be NULL if they have one element each. With `inputs`, gradients are added only to its tensors. `options` may be
    /// NULL.   Like td.backward(gradient, retain_graph, create_graph, inputs).
    /// Errors: ARGUMENT if no leaf requires grad, or naming an input that does not; KEY and SHAPE naming the leaf whose
    /// gradient is missing or does not fit; TORCH.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_dict_backward(
        self_: *const td_dict,
        gradient: *const td_dict,
        inputs: *const td_dict,
        options: *const td_backward_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the gradients for the tensors of `inputs`, in its structure, without adding them to any tensor; locked if
    /// `inputs` is locked. Nodes that become empty are left out. `gradient` and `options` may be NULL.   Like
    /// torch.autograd.grad over TensorDicts.
    /// Errors: as td_dict_backward; ARGUMENT naming an input that was not used.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_dict_autograd_grad(
        self_: *const td_dict,
        inputs: *const td_dict,
        gradient: *const td_dict,
        options: *const td_backward_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Converts every tensor to `dtype` (TD_DTYPE_NONE: keep) and moves every node and tensor to `device` (NULL data: keep).
    /// `\*out` is `self` if it already has that device and no dtype is given. Otherwise it is a new dict, locked if `self` is
    /// locked, that shares the tensors that do not change. td.to(other) is this with the device of `other`.   Like td.to,
    /// td.float(), td.cpu().
    /// Errors: DTYPE; DEVICE.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_to(
        self_: *const td_dict,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies the tensors to page-locked memory, from which copies to a GPU need not block; the result is locked if `self`
    /// is locked.   Like td.pin_memory().
    /// Errors: UNSUPPORTED without CUDA; DEVICE naming a tensor that is not on the CPU.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_dict_pin_memory(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns new, unlocked nodes with detached tensors that share the memory, for td_dict_load_state_dict or for saving.
    /// Nested entries stay nested; Python joins their keys with dots.   Like td.state_dict(flatten=False).
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_state_dict(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Loads the batch sizes and the values of `state`. Without `assign`, autograd does not record the copies, and the dict
    /// may be locked. `options` may be NULL. Empty nodes do not count as entries.   Like td.load_state_dict.
    /// Errors: KEY naming an entry that only one of the two has, or that has another kind; SHAPE; LOCKED. Nothing changes
    /// then.   \[exclusive\]  Since 0.1
    pub fn td_dict_load_state_dict(
        self_: *mut td_dict,
        state: *const td_dict,
        options: *const td_load_state_options,
        err: *mut *mut td_error,
    ) -> td_status;

    // Lock

    /// Forbids structural changes here and in all nodes below; values may still be written in place.   Like td.lock_().
    /// \[exclusive\]  Since 0.1
    pub fn td_dict_lock_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Allows structural changes again, here and in all nodes below.   Like td.unlock_().
    /// Errors: LOCKED while a locked dict that contains this one is alive; nothing changes then.   \[exclusive\]  Since 0.1
    pub fn td_dict_unlock_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns 1 if the dict is locked.   Like td.is_locked.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dict_is_locked(self_: *const td_dict) -> td_bool;

    /// Moves all tensors, including those of nodes and of members of stacks, to memory that processes forked from now on
    /// share, and locks the dict. The tensors stay the same objects, and their views move with them. Memory that is already
    /// shared, and GPU memory, is not moved. The caller's memory (td_tensor_from_memory) is copied, then released. The
    /// shared memory has no name and is freed with its last tensor; to share a dict with other processes than forks, use
    /// td_segment_create.   Like td.share_memory_().
    /// Errors: UNSUPPORTED naming a tensor that is sparse or on another device, and for a dict in a file; NOSPACE. Nothing
    /// changes then.   \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_dict_share_memory_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns 1 if there are tensors and all of them are shared as in td_tensor_is_shared; 0 for NULL. Python instead
    /// remembers how the dict was made.   Like td.is_shared().   \[any-thread\]  Since 0.1
    pub fn td_dict_is_shared(self_: *const td_dict) -> td_bool;

    // Print and parse

    /// Returns the text that Python prints for the same content with the print options that correspond to `flags`. 0 means
    /// TD_REPR_DEFAULT, the form with many lines.   Like repr(td), set_printoptions.
    /// Errors: ARGUMENT for unknown flags, and for TD_REPR_NO_FIELDS beside the flag of a field; TORCH if a dtype has no
    /// mean or minimum for TD_REPR_PLAIN.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_repr(
        self_: *const td_dict,
        flags: td_repr_flags,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict of zeros from a text that td_dict_repr or Python's repr printed, in either form and with any
    /// options. Shapes, dtypes, devices, nodes and non-tensor data come from the text. If the text does not show them,
    /// tensors are float32 on the CPU and have the batch size of their node; data of which the text shows only the type is
    /// empty. Text that is a number, True, False, None, bytes, a list or a dict in Python becomes that value; an abbreviated
    /// stack ends in None. In a dim in which the members of a lazy stack differ, the first has size 1 and the others have
    /// size 2. `options` may be NULL.   Like tensordict.parse_tensor_dict_string.
    /// Errors: ARGUMENT with line and column for other text, or text that is not UTF-8; UNSUPPORTED for entries of other
    /// classes and for data that the text does not show; DTYPE; DEVICE for a device that does not exist; SHAPE if a shape
    /// lacks the batch dims, or is ragged.   \[any-thread\]  Since 0.1
    pub fn td_dict_parse(
        text: td_str,
        options: *const td_parse_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Equality

    /// Sets `\*out` to 1 if both tensors have the same shape, dtype and elements. `\*out_difference` receives what differs, or
    /// NULL if nothing does. Devices, strides and gradients are not compared.   Like torch.equal, torch.allclose.
    /// Errors: ARGUMENT for a tolerance that is negative or NaN.   \[any-thread\]  Since 0.2
    pub fn td_tensor_equal(
        self_: *const td_tensor,
        other: *const td_tensor,
        options: *const td_equal_options,
        out: *mut td_bool,
        out_difference: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets `\*out` to 1 if both dicts have the same batch size, the same keys in any order, and under each key tensors that
    /// are equal, dicts that are equal, or data that are equal: numbers of different kinds by value, NaN as in tensors.
    /// `\*out_difference` receives the first key with what differs there, or NULL if nothing does. Kinds of dict, devices,
    /// names and locks are not compared; the members of a lazy stack are compared one by one.   Like assert_close.
    /// Errors: ARGUMENT for a tolerance that is negative or NaN.   \[any-thread\]  Since 0.2
    pub fn td_dict_equal(
        self_: *const td_dict,
        other: *const td_dict,
        options: *const td_equal_options,
        out: *mut td_bool,
        out_difference: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    // Scopes

    /// Unlocks the dict until the scope ends or is cancelled; then everything that was locked before is locked again.   Like
    /// `with td.unlock_()`.   Errors: LOCKED as td_dict_unlock_.   \[exclusive\]  Since 0.1
    pub fn td_scope_unlock(
        self_: *mut td_dict,
        out: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of td_dict_flatten_keys or td_dict_unflatten_keys. Existing keys return to their
    /// original place, even if they contain the separator.   Like `with td.flatten_keys(sep)`.   Errors: as those of
    /// td_dict_flatten_keys and td_dict_unflatten_keys.   \[exclusive\]  Since 0.1
    pub fn td_scope_flatten_keys(
        self_: *mut td_dict,
        separator: td_str,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of td_dict_flatten_keys or td_dict_unflatten_keys. Existing keys return to their
    /// original place, even if they contain the separator.   Like `with td.flatten_keys(sep)`.   Errors: as those of
    /// td_dict_flatten_keys and td_dict_unflatten_keys.   \[exclusive\]  Since 0.1
    pub fn td_scope_unflatten_keys(
        self_: *mut td_dict,
        separator: td_str,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of td_dict_to. At its end, tensors are moved back to the device of the entry that they
    /// replace, and converted back to its dtype if `dtype` was given.   Like `with td.to(device)`.   Errors: DTYPE; DEVICE.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_to(
        self_: *mut td_dict,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Ends the scope: writes the entries back, or locks the dict again.
    /// Errors: CLOSED if the scope has ended; those of transforming back, of td_dict_update and, for a locked original, of
    /// td_dict_update_. On failure the original does not change and the scope stays open, unless it is a scope of
    /// td_module_swap.   \[exclusive\]  Since 0.1
    pub fn td_scope_end(self_: *mut td_scope, err: *mut *mut td_error) -> td_status;

    /// Ends the scope without writing anything back: locks the dict again, restores the module's own tensors, forgets the
    /// temporary form. What was written through memory that the temporary form shares with the original stays.
    /// Errors: CLOSED if the scope has ended or was cancelled.   \[exclusive\]  Since 0.2
    pub fn td_scope_cancel(self_: *mut td_scope, err: *mut *mut td_error) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_scope_retain(self_: *const td_scope);

    /// Drops a reference; NULL is allowed. Releasing an open scope neither ends nor cancels it: no dict and no module
    /// changes.   \[any-thread\]  Since 0.1
    pub fn td_scope_release(self_: *const td_scope);

    // Scopes over shapes

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_view(
        self_: *mut td_dict,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_flatten(
        self_: *mut td_dict,
        start: i64,
        end: i64,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_unflatten(
        self_: *mut td_dict,
        dim: i64,
        sizes: *const i64,
        ndim: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_squeeze(
        self_: *mut td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_unsqueeze(
        self_: *mut td_dict,
        dim: i64,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_permute(
        self_: *mut td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_transpose(
        self_: *mut td_dict,
        dim0: i64,
        dim1: i64,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_movedim(
        self_: *mut td_dict,
        source: *const i64,
        destination: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_flip(
        self_: *mut td_dict,
        dims: *const i64,
        n: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins a scope with the result of the td_dict_ function of the same name.   Like `with td.view(\*sizes)`, flatten,
    /// unflatten, squeeze, unsqueeze, permute, transpose, movedim, flip, roll.   Errors: as that function.
    /// \[exclusive\]  Since 0.1
    pub fn td_scope_roll(
        self_: *mut td_dict,
        shifts: *const i64,
        n_shifts: usize,
        dims: *const i64,
        n_dims: usize,
        out: *mut *mut td_dict,
        out_scope: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    // Storage

    /// Returns the name of a format, for instance "memmap directory"; "?" for unknown values and AUTO. The text is static.
    /// \[any-thread\]  Since 0.1
    pub fn td_format_name(format: td_format) -> td_str;

    /// Returns the format of the file at `path`, recognised by its first and last bytes. A directory is MEMMAP.
    /// Errors: NOT_FOUND; CORRUPT if it has none of the formats; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_format_detect(
        path: td_str,
        out: *mut td_format,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the format in which td_save writes a file of this name, according to its ending; MEMMAP for any other name.
    /// The file need not exist.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_format_of_ending(
        path: td_str,
        out: *mut td_format,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens what Python's td.save(path) or td_save wrote. `options` may be NULL.   Like TensorDict.load_memmap, which
    /// tolerates more.
    ///
    /// Opening is strict: every size, type and name is checked first, links are not followed, and nothing outside `path` is
    /// read. A tensorclass opens as an ordinary dict that knows its class (td_dict_python_class). So does a nested tensor,
    /// as a lazy stack of its components, each under "values". Both are saved again in their original form. Views open as
    /// ordinary tensors with the same contents. Pickles are never run: pickled bytes open as bytes, other pickles as
    /// TD_DATA_PICKLE. Metadata may be UTF-8, UTF-16 or UTF-32, as in Python. Leaves may be opened on LibTorch's threads. An
    /// archive may unpack to at most 64 MiB or 1032 times its size, whichever is more. With TD_OPEN_READ_WRITE the dict of a
    /// memmap directory is locked. A leaf of a dtype that this LibTorch lacks opens as the bytes of its elements, knows its
    /// dtype (td_tensor_stored_dtype) and is saved with it again; nested tensors of such a dtype are DTYPE, and entries of
    /// HDF5 files UNSUPPORTED.
    ///
    /// Today all metadata is read on opening. A later release may leave nodes and leaves of a directory, a file or a segment
    /// to the first call that needs them. Such a call may block, and returns CORRUPT or IO, with the key and the file, where
    /// opening does today; it changes nothing and may be repeated. It reads the save that was opened, even if another save
    /// has replaced the directory or the file meanwhile; data that was overwritten in place and no longer fits the metadata
    /// is CORRUPT.
    ///
    /// `lenient` relaxes only this: memmap directories and archives leave out entries whose files are missing or that have
    /// no dtype or shape, and end a lazy stack at its first missing member; archives unpack to any size; tensors of a
    /// consolidated file may overlap; a safetensors file may have holes, and tensors with unknown dtypes are left out; HDF5
    /// files leave out entries that cannot be read, and files of torch.save those that only Python can make. Untrusted files
    /// may be opened with `lenient`, in every format except HDF5.
    ///
    /// libhdf5 does not validate HDF5 files: damaged files crash it or make it loop forever. Therefore an HDF5 file is
    /// opened only if `format` is TD_FORMAT_HDF5 or `trusted` is 1. Set them only for files from a source that you trust.
    ///
    /// With `part`, only the meta.json files on the way to that dict are read besides it. The key of a member of a lazy
    /// stack is its number: TD_KEY("stack", "0").   Like load_memmap(path, subpath=).
    /// Errors: NOT_FOUND, also for a part that does not exist or is a tensor; CORRUPT naming the file (missing or short
    /// leaf, bad JSON, batch mismatch...); UNSUPPORTED for formats and kinds of collection that this build does not open,
    /// for archives that unpack to more, for HDF5 files that are neither named nor trusted, and for parts of a file in
    /// another format; DTYPE; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_open(
        path: td_str,
        options: *const td_open_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Saves the dict, byte for byte as Python's tensordict 0.15 does with orjson, which writes no spaces. `options` may be
    /// NULL. The save is written beside `path` and renamed, so a crash or a cancelled save leaves the old or the new save,
    /// never a partial one. A new file gets the mode of the file that it replaces. In a directory, all directories get the
    /// mode of the old directory, all files get the mode of its meta.json, and all get its group if this process may set it.
    /// Otherwise the umask decides.   Like TensorDict.save. A stack of JSON lists with the same length opens again as a
    /// deeper stack, as in Python.
    /// Errors: EXISTS; NOT_FOUND without the directory; KEY for names that the format cannot hold; UNSUPPORTED for formats
    /// and compressions that this build does not write, tensor layouts without bytes, data that the format cannot hold, and
    /// parts of a pickled list; CALLBACK if the progress callback cancels; NOSPACE; IO.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_save(
        self_: *const td_dict,
        path: td_str,
        options: *const td_save_options,
        err: *mut *mut td_error,
    ) -> td_status;

    // Files of torch.save

    /// Reads all of an archive and compares every checksum; td_open does so only for entries that it unpacks or copies. The
    /// features "archive", "bzip2" and "lzma" say what this build supports.
    /// Errors: NOT_FOUND; CORRUPT naming the entry; UNSUPPORTED for compression methods that this build lacks; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_archive_verify(path: td_str, err: *mut *mut td_error) -> td_status;

    /// Updates the checksums of an archive in place after writes with TD_OPEN_READ_WRITE; other tools compare them.   Like
    /// refresh_archive_checksums.
    /// Errors: NOT_FOUND; CORRUPT if the file is not an archive; UNSUPPORTED in a build without archives; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_archive_refresh_checksums(path: td_str, err: *mut *mut td_error) -> td_status;

    /// Returns a locked copy with all tensors in one allocation, which is cheaper than one allocation per tensor. The copies
    /// do not require grad; lazy stacks stay lazy. td_save with TD_FORMAT_CONSOLIDATED writes the same to a file.   Like
    /// TensorDict.consolidate.
    /// Errors: DEVICE for tensors that are not on the CPU; UNSUPPORTED for tensors that are not dense.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_consolidate(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Live memmap directories

    /// Makes a memmap directory with the structure of `self` and zeros in all tensors, and opens it with TD_OPEN_READ_WRITE.
    /// If the path ends in .tdz, or the format is ARCHIVE, it makes an archive of zeros, and `out` is a dict of zeros in
    /// memory. Non-tensor entries are kept. `options` may be NULL.   Like TensorDict.memmap_like.
    /// Errors: UNSUPPORTED for options.format other than AUTO, MEMMAP and ARCHIVE; as td_save and td_open.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_dict_memmap_like(
        self_: *const td_dict,
        path: td_str,
        options: *const td_save_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a new entry of zeros in the directory and in the dict, and missing nodes. `out` may be NULL. If two processes
    /// make the same key, one of them fails with EXISTS.   Like TensorDict.make_memmap.
    /// Errors: UNSUPPORTED unless the directory was opened with TD_OPEN_READ_WRITE; EXISTS; SHAPE unless `shape` begins with
    /// the batch size; KEY for names that the format cannot hold, or if the path runs through an entry that is not a dict;
    /// NOSPACE; IO.   \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_dict_make_memmap(
        self_: *mut td_dict,
        key: *const td_key,
        shape: *const i64,
        ndim: usize,
        dtype: td_dtype,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a new entry like td_dict_make_memmap, with the elements of `value`.   Like TensorDict.make_memmap_from_tensor.
    /// Errors: as td_dict_make_memmap; UNSUPPORTED for layouts without bytes.   \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_dict_make_memmap_from(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens the directory again in the same mode: entries that other processes added appear, and entries that they removed
    /// disappear. Tensors that were returned before stay valid.   Like TensorDict.memmap_refresh_.
    /// Errors: UNSUPPORTED if `self` was not opened from a directory; LOCKED unless it was opened for writing; as td_open.
    /// \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_dict_memmap_refresh_(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Returns 1 if the tensors of the dict itself were mapped from files when it was opened, or if it is a view of such a
    /// dict from td_dict_index. Returns 1 for a lazy stack if this holds for all members, and 0 for NULL.   Like
    /// TensorDict.is_memmap.   \[any-thread\]  Since 0.1
    pub fn td_dict_is_memmap(self_: *const td_dict) -> td_bool;

    /// Returns the absolute path of the directory that the dict was opened from; `\*out` is NULL if there is none. A node
    /// below has its own path.   Like td.saved_path.   \[any-thread\]  Since 0.1
    pub fn td_dict_saved_path(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the Python class of a dict that is an ordinary dict here: "module.Class" for a tensorclass, "torch.nested"
    /// for a nested tensor, and `\*out` is NULL for all others. Copies and operations over leaves keep the class.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_python_class(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the fields of a tensorclass that are not entries as a JSON object ("{\"label\":null}"); "{}" for all others.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_python_fields(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Appends rows to a memmap directory and all dicts in it, along the first batch dim. A process that opens the directory
    /// during the call, or after a crash, finds either the old rows or all of them. A dict that was opened before keeps the
    /// old rows, which stay in the same files; td_dict_memmap_refresh_ shows the new ones. `rows` must have the same keys,
    /// dtypes and sizes, except the size of the first dim. A single data value applies to all rows and must be equal. Rows
    /// for a tensorclass may be an ordinary dict. With `sync` 1, everything is on the disk before it becomes visible.   Like
    /// append_memmap, which leaves dicts of different lengths when killed.
    /// Errors: KEY for entries that only one side has, or that have another kind; SHAPE; DTYPE; ARGUMENT for different data,
    /// and for rows of another class; UNSUPPORTED for other formats, and for lazy stacks, nested tensors, stacks of data and
    /// views, which cannot grow; as td_open of the directory; NOSPACE; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_append_memmap(
        path: td_str,
        rows: *const td_dict,
        sync: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    // Tensors in their own files

    /// Makes a file of zeros, or of one value everywhere, and opens it with TD_OPEN_READ_WRITE. The directory must exist;
    /// the file appears atomically. TD_DTYPE_NONE is float32. `options` may be NULL; only overwrite, sync, threads and
    /// progress are used. Tensors mapped from a file that is replaced keep the old elements.   Like
    /// MemoryMappedTensor.zeros, empty, ones, full.
    /// Errors: EXISTS if the path exists, unless it is a file and may be overwritten; SHAPE for a negative or overflowing
    /// size; DTYPE; TORCH if the dtype cannot hold `value`; UNSUPPORTED for options.format other than AUTO and MEMMAP;
    /// CALLBACK if the progress callback cancels; NOT_FOUND for a missing directory; NOSPACE; IO.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_memmap_zeros(
        path: td_str,
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        options: *const td_save_options,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a file of zeros, or of one value everywhere, and opens it with TD_OPEN_READ_WRITE. The directory must exist;
    /// the file appears atomically. TD_DTYPE_NONE is float32. `options` may be NULL; only overwrite, sync, threads and
    /// progress are used. Tensors mapped from a file that is replaced keep the old elements.   Like
    /// MemoryMappedTensor.zeros, empty, ones, full.
    /// Errors: EXISTS if the path exists, unless it is a file and may be overwritten; SHAPE for a negative or overflowing
    /// size; DTYPE; TORCH if the dtype cannot hold `value`; UNSUPPORTED for options.format other than AUTO and MEMMAP;
    /// CALLBACK if the progress callback cancels; NOT_FOUND for a missing directory; NOSPACE; IO.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_memmap_full(
        path: td_str,
        dims: *const i64,
        ndim: usize,
        value: *const td_value,
        dtype: td_dtype,
        options: *const td_save_options,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a file with a copy of the elements of `self`, which may be the tensor in the file that is replaced. The new
    /// tensor does not require grad.   Like MemoryMappedTensor.from_tensor, which refuses tensors that require grad or have
    /// a file.
    /// Errors: as td_tensor_memmap_zeros; UNSUPPORTED for layouts without bytes.
    /// \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_memmap_from(
        self_: *const td_tensor,
        path: td_str,
        options: *const td_save_options,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens the beginning of a file as a tensor; the rest of the file is ignored. `path` may be a link.   Like
    /// MemoryMappedTensor.from_filename, which extends files that are too short.
    /// Errors: NOT_FOUND; CORRUPT if the file is shorter than the shape needs, or is not a regular file; SHAPE for a
    /// negative or overflowing size; DTYPE; IO, also if TD_OPEN_READ_WRITE is given without permission to write.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_tensor_memmap_open(
        path: td_str,
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        mode: td_open_mode,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the absolute path, with links resolved, of the file that the tensor, or the tensor that it is a view of, is
    /// mapped from: a file that these functions made or opened, or a leaf of a memmap directory. `\*out` is NULL for all
    /// other tensors, for tensors without elements, and if the file was removed or replaced.   Like
    /// MemoryMappedTensor.filename.
    /// Errors: ARGUMENT.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_tensor_saved_path(
        self_: *const td_tensor,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    // Dicts in files

    /// Opens an HDF5 file as a dict; `options` may be NULL.   Like PersistentTensorDict.from_h5(path, mode, batch_size,
    /// batch_dims).
    /// Errors: SHAPE naming the entry that does not have the given batch size; ARGUMENT for another mode; NOT_FOUND; CORRUPT
    /// if it is not an HDF5 file or is damaged; UNSUPPORTED in a build without libhdf5; IO, also while another process
    /// writes to it.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_persistent_open(
        path: td_str,
        options: *const td_persistent_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes an HDF5 file without entries and opens it for writing; `options` may be NULL.   Like
    /// PersistentTensorDict(mode="w-").
    /// Errors: EXISTS; SHAPE for a negative size; ARGUMENT for an option out of range; UNSUPPORTED in a build without
    /// libhdf5; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_persistent_create(
        path: td_str,
        options: *const td_persistent_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the path with which the file was opened.   Errors: UNSUPPORTED if the dict is not in a file.
    /// \[any-thread\]  Since 0.1
    pub fn td_persistent_file(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if the dict is in a file that is open for writing; 0 for all others and for NULL.
    /// \[any-thread\]  Since 0.1
    pub fn td_persistent_is_writable(self_: *const td_dict) -> td_bool;

    /// Closes the file for this dict and all dicts in the file; calls on them then fail with CLOSED. Closing again does
    /// nothing. Without this call the file is closed when the last of these dicts is released. Writes are in the file before
    /// this call; they reach the disk when the system writes them.   Like PersistentTensorDict.close.   Errors: UNSUPPORTED
    /// if the dict is not in a file; NOSPACE; IO.   \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_persistent_close(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    // Dicts from a description

    /// Makes a dict of zeros with one entry for each schema entry, whose shape is the batch size followed by its dims;
    /// missing nodes are made. Making a file uses no memory, except for one entry of an HDF5 file at a time. `options` may
    /// be NULL.   Like TensorDict.from_schema.
    /// Errors: EXISTS for a key that comes twice, and if the path exists; KEY if one key runs through another, or the format
    /// cannot hold it; SHAPE for a negative or overflowing size; DTYPE; DEVICE, also for a device other than "cpu" with a
    /// file; ARGUMENT for a file without a path; those of td_dict_share_memory_, td_dict_memmap_like and td_save. On failure
    /// nothing is made.   \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_dict_from_schema(
        entries: *const td_schema_entry,
        n: usize,
        batch_size: *const i64,
        ndim: usize,
        options: *const td_schema_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Shared segments

    /// Copies `dict` into a new segment, which appears atomically under `name`, readable only by this user (0600). A name
    /// has 1 to 200 of the characters A-Z a-z 0-9 _ . - and does not begin with a dot. `options` may be NULL.
    ///
    /// With `replace_dead` the new segment takes the name of one whose creator has ended, for instance by a kill, also of
    /// one with `keep`; processes that have the old one open can still use it. The name of a process that runs is never
    /// taken, and of processes that replace concurrently exactly one succeeds. Until the old one is removed there must be
    /// memory for both; if the call fails before that, the old one stays.
    /// Errors: EXISTS if the name is taken; ARGUMENT for a bad name; KEY for keys that the format needs for itself; NOSPACE;
    /// UNSUPPORTED for tensor layouts without bytes, data of kind BYTES and lazy stacks without members; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_create(
        name: td_str,
        dict: *const td_dict,
        options: *const td_segment_options,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write to is
    /// refused. `options` may be NULL. With `timeout_ms` it waits until the name exists, and notices it within 20 ms. The
    /// NUMA node of the memory is that of the process that creates the segment, or follows its policy (numactl); there is no
    /// option for it.
    /// Errors: NOT_FOUND without `timeout_ms`, TIMEOUT with it; CANCELLED; ARGUMENT for a bad name; CORRUPT; VERSION; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_open(
        name: td_str,
        options: *const td_segment_open_options,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the dict in the segment, locked. Its tensors are views of the shared memory, writable for the owner and
    /// read-only for all others. They keep the memory mapped, even after td_segment_release and td_segment_unlink.
    /// \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_segment_dict(
        self_: *const td_segment,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies the values of `src` into the segment's tensors in place; other processes see them without reopening. Readers
    /// that must not see a mixture of old and new values use td_segment_snapshot, or compare td_segment_version before and
    /// after. With snapshots the values are copied twice.
    /// Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure, including batch
    /// sizes and the members of lazy stacks; UNSUPPORTED if it differs in non-tensor data, which cannot change; NOSPACE if
    /// readers hold all older snapshots. On failure nothing is written.   \[exclusive\]  Since 0.1
    pub fn td_segment_update(
        self_: *mut td_segment,
        src: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the newest complete state as a locked dict of read-only views. No update changes it while one of its tensors
    /// lives, so it is never torn, whatever its size and the speed of the owner. Readers that die do not block updates.
    /// Errors: UNSUPPORTED without the option `snapshots`, and in a forked child; NOSPACE if 62 processes already read;
    /// CORRUPT.   \[any-thread\]  Since 0.1
    pub fn td_segment_snapshot(
        self_: *const td_segment,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of beginnings and ends of updates, which is odd during an update; 0 for NULL.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_segment_version(self_: *const td_segment) -> u64;

    /// Waits until an update has ended that td_segment_version did not count yet when it returned `seen`. `out_version`
    /// receives the version then, even and greater than `seen`, for the next call. Returns at once if there was such an
    /// update already; of several updates only the last one is noticed. Waits up to `timeout_ms`, without limit if that is
    /// negative, or until `cancel` is requested. A thread that waits needs its own handle if another thread updates.
    ///
    /// td_segment_update wakes waiting calls. Waiting calls do not notice writes that leave the version unchanged: those
    /// into tensors of td_segment_dict, or into the file, as stock Python writes. Such a writer announces its values by
    /// adding 2 to the version, the 8 bytes at offset 256 of the file, in the byte order of the machine. It need not wake
    /// anybody: waiting calls check the version every 20 ms.
    /// Errors: CANCELLED; TIMEOUT; CLOSED once the process that created the segment has ended, also by a kill in the middle
    /// of an update, if no complete update is left to report (noticed within 250 ms); UNSUPPORTED for memory from
    /// td_segment_receive and td_segment_import, which never changes.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_segment_wait(
        self_: *const td_segment,
        seen: u64,
        timeout_ms: i64,
        cancel: *const td_cancel,
        out_version: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the file that stock Python opens, for instance "/dev/shm/digits.predictions". A segment from
    /// td_segment_import has no file; for it the text names the descriptor. The text lives as long as the segment.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_segment_path(self_: *const td_segment) -> td_str;

    /// Returns the size of the whole segment in bytes; 0 for NULL.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_segment_nbytes(self_: *const td_segment) -> i64;

    /// Removes the name. Processes that have the segment open can still use it.
    /// Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a segment; IO.   \[any-thread\]  Since 0.1
    pub fn td_segment_unlink(name: td_str, err: *mut *mut td_error) -> td_status;

    /// Returns the segments, channels and maps of this user whose names begin with `prefix` (empty: all), as a JSON array of
    /// objects with name, kind ("segment", "channel" or "map"), bytes, pid of the owner, alive, keep; or with name, kind
    /// "damaged" and error.
    /// Errors: IO; UNSUPPORTED on platforms without segments.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_list(
        prefix: td_str,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes names that begin with `prefix` and that killed processes left: of segments whose owner has ended, of channels
    /// without members, and of maps without a writer. Names with the option `keep` and unknown files stay. `out_removed`
    /// receives the number of removed names.
    /// Errors: IO; TIMEOUT if another process is removing names and does not finish within seconds.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_prune(
        prefix: td_str,
        out_removed: *mut i64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sends a copy of `dict` through a Unix socket, in sealed memory without a name that no process can change, to a
    /// process that need not trust this one.
    /// Errors: ARGUMENT if `socket` is not a Unix socket; CLOSED if the other end is closed; TIMEOUT if it is full and
    /// non-blocking; as td_segment_export.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_send(dict: *const td_dict, socket: i32, err: *mut *mut td_error) -> td_status;

    /// Receives a segment that td_segment_send sends, checked like td_segment_open. Waits up to `timeout_ms` for it, without
    /// limit if that is negative. The segment has no file; SO_PEERCRED on the socket says who sent it.
    /// Errors: TIMEOUT; CLOSED if the other end is closed; CORRUPT if something else was received; as td_segment_import.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_receive(
        socket: i32,
        timeout_ms: i64,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `dict` into sealed memory without a name that no process can change. The caller sends the descriptor to
    /// another process by any means and closes it.
    /// Errors: NOSPACE; UNSUPPORTED for layouts without bytes and data of kind BYTES; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_export(
        dict: *const td_dict,
        out_fd: *mut i32,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens memory that td_segment_export made in another process, checked like td_segment_open. The caller closes `fd`, at
    /// any time after this call.
    /// Errors: ARGUMENT if it is not sealed against its sender; CORRUPT; VERSION; IO.   \[any-thread\]  Since 0.1
    pub fn td_segment_import(
        fd: i32,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_segment_retain(self_: *const td_segment);

    /// Drops a reference; NULL is allowed. Dropping the owner's last reference unlinks the name, unless `keep` is
    /// set.   \[any-thread\]  Since 0.1
    pub fn td_segment_release(self_: *const td_segment);

    // Channels

    /// Makes a channel and joins it. Its messages have the structure, dtypes and non-tensor data of `schema`; the values of
    /// `schema` are not used. Lazy stacks have the same members in all messages, and nested tensors become lazy stacks of
    /// their components. All memory is allocated here. `options` may be NULL.
    ///
    /// With `replace_dead` the new channel takes the name of one whose creator has ended and in which no other process is a
    /// member, also of one with `keep`; its messages are lost. A channel with members lives on: open it instead. Of
    /// processes that replace concurrently exactly one succeeds. Until the old one is removed there must be memory for both.
    /// Errors: EXISTS if the name or the port is taken; ARGUMENT for a bad name or option; NOSPACE; UNSUPPORTED for tensor
    /// layouts without bytes, data of kind BYTES and lazy stacks without members, and over TCP for `keep`, `replace_dead`,
    /// more than one delivery, a build without groups, and a HOST other than 0.0.0.0 if LibTorch is older than 2.4; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_channel_create(
        name: td_str,
        schema: *const td_dict,
        options: *const td_channel_options,
        out: *mut *mut td_channel,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens a channel and joins it; `roles` are TD_CHANNEL_ROLE_PRODUCES, TD_CHANNEL_ROLE_CONSUMES, both (|) or
    /// TD_CHANNEL_ROLE_OBSERVES. Everything in it is checked before use; a file that another user owns or may write to is
    /// refused. A consumer of a broadcast gets the messages that are published from now on. `options` may be NULL. With
    /// `timeout_ms` it waits until the name exists, and notices it within 20 ms. Over TCP a creator that exists but does not
    /// answer is waited for up to 30 s.
    /// Errors: NOT_FOUND without `timeout_ms`, TIMEOUT with it; CANCELLED; ARGUMENT for a bad name or roles; NOSPACE if the
    /// channel has its maximum of members; CORRUPT; VERSION, over TCP also for another major version of LibTorch; CLOSED if
    /// the creator ends meanwhile; UNSUPPORTED; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_channel_open(
        name: td_str,
        roles: td_channel_role,
        options: *const td_channel_open_options,
        out: *mut *mut td_channel,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Acquires a message to write: a free slot, with the values that were in it before. Waits up to `timeout_ms` for one,
    /// without limit if that is negative, or until `cancel` is requested.
    /// Errors: CANCELLED; TIMEOUT; NOSPACE with FAIL, or if the handle holds `max_held` messages; CLOSED; CORRUPT;
    /// ARGUMENT without the role PRODUCES.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_channel_acquire(
        self_: *mut td_channel,
        timeout_ms: i64,
        cancel: *const td_cancel,
        out: *mut *mut td_message,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Takes the oldest message for this consumer. Waits up to `timeout_ms` for one, without limit if that is negative, or
    /// until `cancel` is requested. The messages of one producer come in their order, except messages that are delivered
    /// again.
    /// Errors: CANCELLED; TIMEOUT; NOT_FOUND instead of TIMEOUT if there is also no producer (not yet, or no longer);
    /// CLOSED if the channel is closed and empty; NOSPACE if the handle holds `max_held` messages; CORRUPT; ARGUMENT
    /// without the role CONSUMES.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_channel_take(
        self_: *mut td_channel,
        timeout_ms: i64,
        cancel: *const td_cancel,
        out: *mut *mut td_message,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a descriptor for poll, epoll and event loops, so that many channels need no thread each: it is readable while
    /// td_channel_take (with the role CONSUMES) or td_channel_acquire (with PRODUCES) would not wait, which includes that it
    /// would fail with CLOSED or CORRUPT. Another process may be faster, so call them with the timeout 0; whatever they
    /// return, the descriptor is then up to date. An edge-triggered loop may wait after a call that failed with TIMEOUT:
    /// what came during that call is a new event. The descriptor belongs to the channel and lives as long as `self`: poll
    /// it, but do not read or close it. Each role has one descriptor per handle, the same each time.
    ///
    /// The descriptors of all channels of a process are fed by one thread, with all signals blocked, which starts with the
    /// first of them and also cleans up after dead members. It notices messages immediately for 127 descriptors that are not
    /// readable, and within about 1 ms for further ones and on kernels before 5.16. A forked child has neither the thread
    /// nor the channel; channels that it opens get descriptors and their own thread.
    /// Errors: ARGUMENT for another role or one that the handle does not have; IO if there are too many descriptors or
    /// threads; UNSUPPORTED in a forked child and on platforms without eventfd.   \[any-thread\]  Since 0.2
    pub fn td_channel_descriptor(
        self_: *mut td_channel,
        role: td_channel_role,
        out_fd: *mut i32,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Closes the channel: producers get CLOSED from now on, consumers after they have taken the remaining messages.
    /// Errors: UNSUPPORTED in a forked child.   \[any-thread\]  Since 0.1
    pub fn td_channel_close(self_: *mut td_channel, err: *mut *mut td_error) -> td_status;

    /// Cleans up after dead members now; waiting members also do this automatically. `out_dead` receives their number, which
    /// is 0 for a member over TCP: the creator notices who has gone.
    /// Errors: UNSUPPORTED in a forked child.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_channel_sweep(
        self_: *mut td_channel,
        out_dead: *mut i32,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills `out`, whose struct_size the caller has set (TD_CHANNEL_STATISTICS_INIT). A member over TCP has the numbers
    /// that the creator sent last, at most 0.2 s ago.
    /// Errors: ARGUMENT for a bad struct_size; UNSUPPORTED in a forked child.   \[any-thread\]  Since 0.1
    pub fn td_channel_stats(
        self_: *const td_channel,
        out: *mut td_channel_statistics,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the state of the channel as text for people: every word, who holds what, and whether that process lives.
    /// Errors: UNSUPPORTED in a forked child; OOM.   \[any-thread\]  Since 0.1
    pub fn td_channel_dump(
        self_: *const td_channel,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills `out`, whose struct_size the caller has set (TD_CHANNEL_OPTIONS_INIT), with the options that the channel was
    /// created with. `roles` are those of this handle.
    /// Errors: ARGUMENT for a bad struct_size.   \[any-thread\]  Since 0.2
    pub fn td_channel_get_options(
        self_: *const td_channel,
        out: *mut td_channel_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a dict of zeros with the structure of the messages.   \[any-thread\]  Since 0.1
    pub fn td_channel_schema(
        self_: *const td_channel,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the file of the channel, for instance "/dev/shm/digits.work", or its address. The text lives as long as the
    /// channel.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_channel_path(self_: *const td_channel) -> td_str;

    /// Returns the size of the whole channel in bytes, over TCP of the part in this process; 0 for NULL.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_channel_nbytes(self_: *const td_channel) -> i64;

    /// Removes the name. Processes that have the channel open can still use it.
    /// Errors: NOT_FOUND; ARGUMENT for a bad name; CORRUPT if it is not a channel; UNSUPPORTED for an address; IO.
    /// \[any-thread\]  Since 0.1
    pub fn td_channel_unlink(name: td_str, err: *mut *mut td_error) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_channel_retain(self_: *const td_channel);

    /// Drops a reference; NULL is allowed. The handle leaves the channel when its last reference and its last
    /// message are released. Dropping the creator's last reference unlinks the name, unless `keep` is set.
    /// \[any-thread\]  Since 0.1
    pub fn td_channel_release(self_: *const td_channel);

    /// Returns the message as a locked dict, the same dict each time. An acquired message may be written in place until it
    /// is published (td_dict_copy_into, td_dict_update_, td_tensor_mutable_data); a taken message is read-only. A get
    /// from a lazy stack returns a copy; the tensors in the message are those of its members.
    /// Errors: CLOSED if the message was published; UNSUPPORTED in a forked child.   \[any-thread\] \[may-alias\]  Since 0.1
    pub fn td_message_dict(
        self_: *const td_message,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a clone of the message: an unlocked dict with its own memory, which does not keep the slot. If
    /// td_message_dict was never called, td_message_release then frees the slot immediately. The views of td_message_dict
    /// themselves cannot be closed: pointers into them, which threads and other libraries may have, would show parts of a
    /// later message.
    /// Errors: CLOSED if the message was published; OOM; UNSUPPORTED in a forked child.   \[any-thread\]  Since 0.2
    pub fn td_message_clone(
        self_: *const td_message,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of tensors and dicts of the message that are in use outside it, and of other tensors that share
    /// their memory: 0 means that td_message_release frees the slot. Objects that are used several times count once, a dict
    /// as one; a view of a tensor may keep that tensor in use. Returns 0 for NULL and after td_message_publish. While other
    /// threads use them, the number may be out of date when the call returns.   \[any-thread\]  Since 0.2
    pub fn td_message_open_views(self_: *const td_message) -> i64;

    /// Publishes an acquired message to the consumers; release the handle afterwards. Do not write to its tensors any more.
    /// On CLOSED and CORRUPT the message is given up.
    /// Errors: CLOSED if the channel is closed or the message is published; ARGUMENT if it was taken; CORRUPT; UNSUPPORTED
    /// in a forked child.   \[exclusive\]  Since 0.1
    pub fn td_message_publish(self_: *mut td_message, err: *mut *mut td_error) -> td_status;

    /// Returns the number of the message in the order of publishing, from 0; -1 before it is published, and for NULL. A
    /// producer over TCP counts its own messages.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_message_number(self_: *const td_message) -> i64;

    /// Returns how often the message was delivered, including this time: more than 1 if an earlier consumer died with it.
    /// Returns 0 for NULL, acquired messages and broadcasts.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_message_delivery(self_: *const td_message) -> i32;

    /// Returns how many messages DROP_OLDEST dropped since this handle last took one: in a broadcast, messages for this
    /// consumer; in a queue, all messages.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_message_lag(self_: *const td_message) -> i64;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_message_retain(self_: *const td_message);

    /// Drops a reference; NULL is allowed. When the last reference and the last of its tensors are released, a
    /// taken message frees its slot, and an acquired message that was not published is given up.
    /// \[any-thread\]  Since 0.1
    pub fn td_message_release(self_: *const td_message);

    // Groups

    /// Opens a group: waits until all ranks have opened it and are connected. `store` says where they meet.
    /// "tcp://HOST:PORT" is a store that one rank serves until its last reference to the group is released; release that
    /// reference last. "file:///PATH" is a file that does not exist yet, for ranks that share a file system. "env://" is a
    /// store at MASTER_ADDR and MASTER_PORT, with RANK and WORLD_SIZE in place of `rank` and `size`; rank 0 serves it unless
    /// TORCHELASTIC_USE_AGENT_STORE is True.
    ///
    /// `options` may be NULL, which is useful with "env://".   Like torch.distributed.init_process_group.
    /// Errors: ARGUMENT for a bad store or option, or a rank that has another `size`; TIMEOUT, which names the missing
    /// ranks; VERSION if a rank or the store has a LibTorch that cannot talk to this one; EXISTS if the rank or the port is
    /// taken; UNSUPPORTED in a build without the feature "group", and for serving without `serve_everywhere` before LibTorch
    /// 2.4; CLOSED if a rank dies meanwhile; IO.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_open(
        store: td_str,
        options: *const td_group_options,
        out: *mut *mut td_group,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Joins the group that Python's torch.distributed made in this process, of any backend that has tensors on the CPU;
    /// `name` is its `group_name`. With `beside_stock` 0 all ranks of the group call this function, which waits for them;
    /// afterwards all functions of this chapter work as in a group that this library opened. With 1 the call does not wait.
    /// The other ranks call the functions of stock Python, and those do not announce what they send: if the backend is Gloo,
    /// a message that is longer than its receiver expects ends the process of the receiver.
    ///
    /// Collective calls, those of Python included, come in the same order on all ranks. Timeouts are those of the group. Its
    /// values are in the store that _get_process_group_store(group) returns.   Like
    /// torch.distributed.distributed_c10d._resolve_process_group.
    /// Errors: ARGUMENT for an empty name; NOT_FOUND if this process has no group of that name; VERSION if another rank did
    /// not adopt it in the same way; UNSUPPORTED in a build without the feature "group", before LibTorch 2.2, and for a
    /// group without a backend for the CPU; TIMEOUT and CLOSED as td_group_barrier.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_adopt(
        name: td_str,
        beside_stock: td_bool,
        out: *mut *mut td_group,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of this rank, or how many ranks there are; -1 and 0 for NULL.   Like torch.distributed.get_rank,
    /// get_world_size.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_group_rank(self_: *const td_group) -> i32;

    /// Returns the number of this rank, or how many ranks there are; -1 and 0 for NULL.   Like torch.distributed.get_rank,
    /// get_world_size.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_group_size(self_: *const td_group) -> usize;

    /// Waits until all ranks have called it. Only one thread of a rank may call it at a time.   Like
    /// torch.distributed.barrier.
    /// Errors: CLOSED, which names a rank that has died; TIMEOUT; UNSUPPORTED in a forked child.
    /// \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_barrier(self_: *const td_group, err: *mut *mut td_error) -> td_status;

    /// Sets or gets a value in the store; all users of the store see it, whatever their prefix. td_group_get waits up to
    /// `timeout_ms` until the value is set, without limit if that is negative, or until `cancel` is requested.   Like
    /// Store.set, Store.get.
    /// Errors: ARGUMENT for an empty key; CLOSED if the rank that serves the store is gone; NOT_FOUND with the timeout 0,
    /// TIMEOUT with another; CANCELLED; UNSUPPORTED in a forked child; IO.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_set(
        self_: *const td_group,
        key: td_str,
        value: td_str,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets or gets a value in the store; all users of the store see it, whatever their prefix. td_group_get waits up to
    /// `timeout_ms` until the value is set, without limit if that is negative, or until `cancel` is requested.   Like
    /// Store.set, Store.get.
    /// Errors: ARGUMENT for an empty key; CLOSED if the rank that serves the store is gone; NOT_FOUND with the timeout 0,
    /// TIMEOUT with another; CANCELLED; UNSUPPORTED in a forked child; IO.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_get(
        self_: *const td_group,
        key: td_str,
        timeout_ms: i64,
        cancel: *const td_cancel,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds `n` to the number under a key, atomically, and returns the sum; a missing number is 0.   Like Store.add.
    /// Errors: as td_group_set.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_add(
        self_: *const td_group,
        key: td_str,
        n: i64,
        out: *mut i64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes a value or a number from the store. `\*out_removed` is 1 if there was one.   Like Store.delete_key.
    /// Errors: as td_group_set.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_group_remove(
        self_: *const td_group,
        key: td_str,
        out_removed: *mut td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sends the values of all tensors to rank `dst` as one message, and waits until that rank has received them. Non-tensor
    /// data is not sent. `options` may be NULL.   Like TensorDict.send, with consolidated=True unless `by_leaf` is set.
    /// Errors: ARGUMENT for a rank that is not in the group, for this rank itself, and for a bad tag; CLOSED and TIMEOUT,
    /// which name the rank; KEY and UNSUPPORTED for what a consolidated file cannot hold; UNSUPPORTED in a forked child.
    /// \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_dict_send(
        self_: *const td_dict,
        group: *const td_group,
        dst: i32,
        options: *const td_transfer_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Receives from rank `src` into the tensors of `self`, in place; `self` may be locked. The sender's dict must have the
    /// same structure, dtypes, shapes and non-tensor data, and its entries in the same order; this is checked before a
    /// tensor is received, and on any error `self` is unchanged. The sender is not told that the structure differs.
    ///
    /// Stock Python does not say what it sends: if `src` runs it, different structures mix up values, and Gloo ends this
    /// process if a message is longer than the tensors of `self`. Receive only from your own programs.   Like
    /// TensorDict.recv, with consolidated=True unless `by_leaf` is set.
    /// Errors: as td_dict_send; SHAPE if the sender's dict has another structure; CORRUPT if the message is not from
    /// td_dict_send.   \[exclusive\] \[may-block\]  Since 0.2
    pub fn td_dict_recv(
        self_: *mut td_dict,
        group: *const td_group,
        src: i32,
        options: *const td_transfer_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sends a dict with its structure and its non-tensor data to rank `dst`, which calls td_dict_from_remote_init, and
    /// waits until that rank has received the dict.   Like TensorDict.init_remote.
    /// Errors: as td_dict_send.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_dict_init_remote(
        self_: *const td_dict,
        group: *const td_group,
        dst: i32,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Receives a dict that rank `src` sends with td_dict_init_remote, or stock Python with init_remote. Its tensors share
    /// one block of memory. The structure is a pickle, which is read and never run: a tensorclass arrives as a dict that
    /// knows the name of its class.   Like TensorDict.from_remote_init.
    /// Errors: as td_dict_send; CORRUPT for an invalid structure, or if the message is not from init_remote; UNSUPPORTED for
    /// non-tensor data that is not JSON.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_dict_from_remote_init(
        group: *const td_group,
        src: i32,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_group_retain(self_: *const td_group);

    /// Drops a reference; NULL is allowed. With the last one this rank leaves: calls that need it get CLOSED.   \[any-thread\]
    /// Since 0.2
    pub fn td_group_release(self_: *const td_group);

    // Asynchronous transfers

    /// Begins to send as td_dict_send does. The values are copied before it returns, so that the dict may be changed.   Like
    /// TensorDict.isend with return_early=True.
    /// Errors: as td_dict_send; what happens later is an error of td_work_wait.   \[any-thread\]  Since 0.2
    pub fn td_dict_isend(
        self_: *const td_dict,
        group: *const td_group,
        dst: i32,
        options: *const td_transfer_options,
        out: *mut *mut td_work,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Begins to receive as td_dict_recv does. The first td_work_wait that succeeds writes the values into the dict, which
    /// must keep its structure until then. Without a successful wait the dict does not change.   Like TensorDict.irecv with
    /// return_premature=True.
    /// Errors: as td_dict_recv; what happens later is an error of td_work_wait.   \[any-thread\]  Since 0.2
    pub fn td_dict_irecv(
        self_: *mut td_dict,
        group: *const td_group,
        src: i32,
        options: *const td_transfer_options,
        out: *mut *mut td_work,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Waits until the transfer is done, up to `timeout_ms`, without limit if that is negative, or until `cancel` is
    /// requested. A receive needs the dict for itself.   Like Work.wait, which ends the connection if it times out.
    /// Errors: those of td_dict_send and td_dict_recv; CANCELLED, and TIMEOUT that names no rank, if the transfer goes on;
    /// UNSUPPORTED in a forked child.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_work_wait(
        self_: *const td_work,
        timeout_ms: i64,
        cancel: *const td_cancel,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if td_work_wait would not wait; 0 for NULL.   Like Work.is_completed.   \[any-thread\]  Since 0.2
    pub fn td_work_done(self_: *const td_work) -> td_bool;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_work_retain(self_: *const td_work);

    /// Drops a reference; NULL is allowed. The transfer goes on.   \[any-thread\]  Since 0.2
    pub fn td_work_release(self_: *const td_work);

    // Collective operations

    /// Returns the dict of rank `src` on every rank, with its structure and its non-tensor data, as
    /// td_dict_from_remote_init does; on `src` it is a copy, too. The other ranks pass NULL for `self`.   Like
    /// TensorDict.broadcast.
    /// Errors: ARGUMENT for a rank that is not in the group, without a dict on `src`, and if the ranks differ; CANCELLED if
    /// another rank failed before it took part; CLOSED and TIMEOUT, which name a rank where they can; KEY, UNSUPPORTED and
    /// CORRUPT as td_dict_from_remote_init; UNSUPPORTED in a forked child.
    /// \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_dict_broadcast(
        self_: *const td_dict,
        group: *const td_group,
        src: i32,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Reduces each tensor over all ranks, in place; on any error `self` is unchanged. All dicts must have the same
    /// structure, and their entries in the same order. With a rank that is stock Python, all tensors must be contiguous.
    /// `options` may be NULL.   Like TensorDict.all_reduce.
    /// Errors: as td_dict_broadcast; SHAPE if another rank has another structure; DTYPE for tensors that Gloo cannot reduce:
    /// it reduces float16, float32, float64, int8, uint8, int32, int64, bfloat16 (LibTorch 2), and sums complex numbers.
    /// \[exclusive\] \[may-block\]  Since 0.2
    pub fn td_dict_all_reduce(
        self_: *mut td_dict,
        group: *const td_group,
        options: *const td_group_reduce_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Reduces like td_dict_all_reduce, but changes only the dict of rank `dst`.   Like TensorDict.reduce.
    /// Errors: as td_dict_all_reduce.   \[exclusive\] \[may-block\]  Since 0.2
    pub fn td_dict_reduce_to(
        self_: *mut td_dict,
        group: *const td_group,
        dst: i32,
        options: *const td_group_reduce_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the dicts of all ranks, this one included, in rank order. They may have different structures.   Like
    /// TensorDict.all_gather.
    /// Errors: as td_dict_broadcast.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_dict_all_gather(
        self_: *const td_dict,
        group: *const td_group,
        out: *mut *mut td_dict_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stacks the dicts of all other ranks along a new first dim into the tensors of `self` on rank `dst`, in place; its
    /// first batch dim is one less than the size of the group. The other ranks send `self`.   Like
    /// TensorDict.gather_and_stack.
    /// Errors: as td_dict_broadcast; on `dst` KEY and SHAPE if the stack does not fit, and UNSUPPORTED for a dict that stock
    /// Python pickles as a whole.   \[exclusive\] \[may-block\]  Since 0.2
    pub fn td_dict_gather_and_stack(
        self_: *mut td_dict,
        group: *const td_group,
        dst: i32,
        err: *mut *mut td_error,
    ) -> td_status;

    // Dicts on a server

    /// Opens a dict or a lazy stack on a server, without writing to it; `options` may be NULL.   Like
    /// TensorDictStore.from_store(td_id=), which writes, and LazyStackedTensorDictStore.from_store.
    /// Errors: ARGUMENT for a bad URL or option; NOT_FOUND; CORRUPT if the id is not that of a dict; CLOSED; TIMEOUT;
    /// UNSUPPORTED for a lazy stack of too many members, and in a build without the feature "redis"; IO, also for a wrong
    /// password.
    /// \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_remote_open(
        url: td_str,
        options: *const td_remote_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a dict without entries and opens it for writing; `options` may be NULL.   Like TensorDictStore(td_id=,
    /// batch_size=), which takes over what exists.
    /// Errors: EXISTS; SHAPE for a negative size; as td_remote_open.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_remote_create(
        url: td_str,
        options: *const td_remote_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the ids of the dicts and lazy stacks that the server has under the prefix, in alphabetical order, each as a
    /// key with one part. The URL has no id; of the options, which may be NULL, only the timeout counts.
    /// Errors: as td_remote_open.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_remote_list(
        url: td_str,
        options: *const td_remote_options,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes a dict or a lazy stack with all its entries; of the options, which may be NULL, only the timeout counts.
    /// Like TensorDictStore.clear_redis.
    /// Errors: NOT_FOUND; BUSY; as td_remote_open.   \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_remote_remove(
        url: td_str,
        options: *const td_remote_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns how often this library has changed the dict; nodes have the version of the root.
    /// Errors: UNSUPPORTED if the dict is not on a server; CLOSED; TIMEOUT; CORRUPT.
    /// \[any-thread\] \[may-block\]  Since 0.2
    pub fn td_remote_version(
        self_: *const td_dict,
        out: *mut i64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Updates like td_dict_update, in one transaction, if the dict still has the given version. So several processes can
    /// read, compute and write without losing each other's changes. Changes by Python do not count.
    /// Errors: BUSY if it has another version, or other processes change it meanwhile; nothing is written then; UNSUPPORTED
    /// if the dict is not on a server; LOCKED; CLOSED; TIMEOUT; as td_dict_update.   \[exclusive\] \[may-block\]  Since 0.2
    pub fn td_remote_update_if(
        self_: *mut td_dict,
        src: *const td_dict,
        version: i64,
        err: *mut *mut td_error,
    ) -> td_status;

    // Interaction types

    /// Returns the interaction type with this name, ignoring case.   Like InteractionType.from_str.   Errors: ARGUMENT.
    /// \[any-thread\]  Since 0.1
    pub fn td_interaction_from_name(
        name: td_str,
        out: *mut td_interaction,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs `fn` with this interaction type of the calling thread (DEFAULT: none), which overrides the default of every
    /// module. Afterwards the thread is as before, also if `fn` fails. Bindings should use this, or `interaction` of
    /// td_run_options, and leave td_interaction_set to C.   Like set_interaction_type.
    /// Errors: ARGUMENT for an unknown type, or if `fn` is NULL; CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.2
    pub fn td_interaction_run(
        type_: td_interaction,
        fn_: td_run_function,
        userdata: *mut c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets the interaction type of the calling thread, which overrides the default of every module, and returns the
    /// previous one; set that again to restore it. `out_previous` may be NULL. In Go, lock the goroutine to its thread in
    /// between.   Like set_interaction_type.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_interaction_set(
        type_: td_interaction,
        out_previous: *mut td_interaction,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the interaction type of the calling thread; TD_INTERACTION_DEFAULT if none is set.   Like interaction_type.
    /// \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_interaction_get() -> td_interaction;

    /// Returns a value as `type` says (DEFAULT: DETERMINISTIC). RANDOM draws `shape` values, with gradients if the
    /// distribution supports them; the other types repeat their value. If the distribution has no mean, the mean of
    /// `n_empirical` draws is used (0: 1000).
    /// Errors: UNSUPPORTED; ARGUMENT for a negative `n_empirical`.   \[any-thread\]  Since 0.1
    pub fn td_dist_interact(
        self_: *const td_dist,
        type_: td_interaction,
        shape: *const i64,
        ndim: usize,
        n_empirical: i64,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Modules

    /// Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. The initial
    /// parameters are drawn from the type's own distribution with `generator` (NULL: the default one).
    /// Errors: NOT_FOUND for an unknown type (the message lists the existing ones); ARGUMENT for a bad config; PLUGIN.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_new(
        type_: td_str,
        config: td_str,
        generator: *mut td_generator,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module that calls `function.fn`. The callback runs on any thread that runs the module, and may call this
    /// library.
    /// Errors: ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_from_function(
        function: *const td_module_function,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_module_retain(self_: *const td_module);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_module_release(self_: *const td_module);

    /// Returns the type of the module: the id of a plugin type, for instance "td.mlp", or the name that td_module_repr
    /// shows.   \[any-thread\]  Since 0.2
    pub fn td_module_type_name(
        self_: *const td_module,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the config that the module of a plugin type was made with, as JSON; td_module_new can make a similar module
    /// from it. The text is empty for other modules.   \[any-thread\]  Since 0.2
    pub fn td_module_config(
        self_: *const td_module,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets the training mode of the module and all its children; plugins receive it as an argument.   Like Module.train.
    /// \[exclusive\]  Since 0.1
    pub fn td_module_train(
        self_: *mut td_module,
        training: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module that has keys on `data`, in place; use td_module_run for modules that return another dict. On failure
    /// `data` keeps the keys that successful members wrote.   Like calling a module on a TensorDict.
    /// Errors: ARGUMENT if it has no keys, or returns another dict; KEY for a missing input; SHAPE; LOCKED; those of the
    /// module itself.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_forward(
        self_: *const td_module,
        data: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module like td_module_forward, with the parameters and buffers of `state` instead of its own; entries that
    /// `state` lacks come from the module. The module does not change.   Like torch.func.functional_call.
    /// Errors: as td_module_forward; KEY for an entry that the module does not have.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_forward_with_state(
        self_: *const td_module,
        state: *const td_dict,
        data: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module on tensors; `outputs` receive `n_outputs` new references.   Like calling a torch.nn.Module.   Errors:
    /// ARGUMENT if it returns another number of results; those of the module itself.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_call(
        self_: *const td_module,
        inputs: *const *mut td_tensor,
        n_inputs: usize,
        outputs: *mut *mut td_tensor,
        n_outputs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the state as a dict without batch dims that mirrors the module tree. The tensors are the module's own.   Like
    /// TensorDict.from_module.   \[any-thread\]  Since 0.1
    pub fn td_dict_from_module(
        module: *const td_module,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs the module once for each of the N states in `states` (batch size \[N\], as td_dict_from_modules returns),
    /// vectorised. The result is a new dict of batch size \[N, batch...\] with all entries of `data` and all outputs, where
    /// batch is the batch size of `data` without the mapped dim. `data` does not change. Non-tensor data is kept; a stack of
    /// values that differ between members cannot be read inside. A lazy stack stays a lazy stack, unless its stack dim is
    /// mapped: then it becomes a dict.   Like vmap over functional_call.
    /// Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; INDEX if `data_dim` is not a batch dim;
    /// TORCH for random operators with TD_RANDOMNESS_ERROR; those of td_module_forward_with_state.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_vmap(
        self_: *const td_module,
        states: *const td_dict,
        data: *const td_dict,
        options: *const td_vmap_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Callbacks as modules

    /// Makes a module whose members are the tensors of a dict, under their keys: floating-point and complex tensors become
    /// parameters with the same memory, other tensors become buffers. Tensors of a dict made by td_dict_params keep whether
    /// they require grad. Use it for modules that read keys, ensembles and the caller's optimizers; it cannot be called.
    /// Like TensorDictParams, which is a module.
    /// Errors: ARGUMENT for a key with a dot, or a tensor that is computed from others; UNSUPPORTED for lazy stacks.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_from_params(
        params: *const td_dict,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module that calls `function.fn`. If it returns a single DICT with all out-keys of the enclosing module, the
    /// entries of the DICT are the results.   Errors: ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_from_values(
        function: *const td_values_function,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Wraps `function` as a module with these in- and out-keys. With `inplace`, if it returns another dict, the entries of
    /// that dict are written into the data.   Like WrapModule.   Errors: ARGUMENT if `fn` is NULL.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_wrap(
        function: *const td_dict_function,
        inplace: td_bool,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    // Modules that read keys

    /// Makes a module that runs `inner` on keys: forward reads the in_keys in order and writes the results to the out_keys
    /// ("_" drops a result). `options` may be NULL.   Like TensorDictModule, whose dict form of in_keys is `argument_names`.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_module_tensordict(
        inner: *mut td_module,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        options: *const td_tensordict_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Chains modules that have keys. `options` may be NULL.   Like TensorDictSequential.
    /// Errors: ARGUMENT naming the member without keys; KEY for a selected key that no member writes, or a name that is
    /// empty or has a dot. \[any-thread\]  Since 0.1
    pub fn td_module_sequential(
        modules: *const *mut td_module,
        n: usize,
        options: *const td_sequential_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Chains modules of tensors: each module gets the results of the one before it. If `names` is NULL, the names are
    /// numbers.   Like torch.nn.Sequential.   Errors: ARGUMENT; KEY or EXISTS for a bad name.   \[any-thread\]  Since 0.1
    pub fn td_module_chain(
        modules: *const *mut td_module,
        n: usize,
        names: *const td_str,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Holds modules for other code to call; it cannot be run itself.   Like torch.nn.ModuleList, and ModuleDict with
    /// `names`.
    /// Errors: as td_module_chain.   \[any-thread\]  Since 0.1
    pub fn td_module_list(
        modules: *const *mut td_module,
        n: usize,
        names: *const td_str,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module that has keys and returns the dict with the outputs: `data` itself, `tensordict_out`, or a new dict. If
    /// a member of a sequence fails, the members before it have already written to `data`.   Like calling a module,
    /// set_skip_existing, torch.no_grad, set_interaction_type.
    /// Errors: as td_module_forward; ARGUMENT for an unknown interaction type.
    /// \[any-thread\] \[may-call-back\] \[may-alias\]  Since 0.1
    pub fn td_module_run(
        self_: *const td_module,
        data: *mut td_dict,
        options: *const td_run_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls a module that has keys with values instead of a dict. Values are given by position, in the order of the
    /// in-keys, or by the name of the key; the parts of a nested key are joined with `separator` (NULL data: "_"). If the
    /// first argument is a DICT, it is the data itself. `outs` receives the values of the out-keys (TENSOR, DICT or DATA),
    /// and `n_outs` their number.   Like dispatch.
    /// Errors: ARGUMENT for a value given twice, too many or unknown names, or too little room; KEY for an out-key that was
    /// not written.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_dispatch(
        self_: *const td_module,
        args: *const td_value,
        n_args: usize,
        kwargs: *const td_named_value,
        n_kwargs: usize,
        separator: td_str,
        outs: *mut td_value,
        capacity: usize,
        n_outs: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys that a module reads, the keys that it writes, or the keys that it would write without
    /// td_module_select_out_keys.   Like in_keys, out_keys, out_keys_source.   Errors: ARGUMENT if it has no keys.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_in_keys(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys that a module reads, the keys that it writes, or the keys that it would write without
    /// td_module_select_out_keys.   Like in_keys, out_keys, out_keys_source.   Errors: ARGUMENT if it has no keys.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_out_keys(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys that a module reads, the keys that it writes, or the keys that it would write without
    /// td_module_select_out_keys.   Like in_keys, out_keys, out_keys_source.   Errors: ARGUMENT if it has no keys.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_out_keys_source(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Selects out-keys. Other outputs that are not inputs are removed from the result, with the nodes that become empty;
    /// all other entries stay. Selecting again chooses among the selected keys; reset selects all again.   Like
    /// select_out_keys, reset_out_keys.
    /// Errors: KEY for a key that the module does not write; UNSUPPORTED for a part of a probabilistic sequence.
    /// \[exclusive\]  Since 0.1
    pub fn td_module_select_out_keys(
        self_: *mut td_module,
        keys: *const td_key,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Selects out-keys. Other outputs that are not inputs are removed from the result, with the nodes that become empty;
    /// all other entries stay. Selecting again chooses among the selected keys; reset selects all again.   Like
    /// select_out_keys, reset_out_keys.
    /// Errors: KEY for a key that the module does not write; UNSUPPORTED for a part of a probabilistic sequence.
    /// \[exclusive\]  Since 0.1
    pub fn td_module_reset_out_keys(self_: *mut td_module, err: *mut *mut td_error) -> td_status;

    // Members of a sequence

    /// Makes a sequence of the members that can run with `in_keys` and that `out_keys` depend on; NULL means the sequence's
    /// own keys. Sequences among the members are reduced too; members are shared.   Like select_subsequence.
    /// Errors: ARGUMENT if `self` is not a sequence, or no member remains.   \[any-thread\]  Since 0.1
    pub fn td_module_select_subsequence(
        self_: *const td_module,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of members of a sequence, a chain or a list; 0 for other modules.   Like len(seq).
    /// \[any-thread\]  Since 0.1
    pub fn td_module_size(self_: *const td_module) -> usize;

    /// Returns the member at `index`, which counts from the end if negative.   Like seq\[i\].   Errors: INDEX, also without
    /// members, and where NULL was registered.   \[any-thread\]  Since 0.1
    pub fn td_module_member(
        self_: *const td_module,
        index: i64,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a sequence with default options of the members start, start + step, ... before `stop`. Negative `start` and
    /// `stop` count from the end; both may be out of range.   Like seq\[start:stop:step\].
    /// Errors: ARGUMENT if `self` is not a sequence, or `step` is 0.   \[any-thread\]  Since 0.1
    pub fn td_module_slice(
        self_: *const td_module,
        start: i64,
        stop: i64,
        step: i64,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a member of a sequence, or removes it; the keys of the sequence are updated.   Like seq\[i\] = module, del
    /// seq\[i\].   Errors: INDEX; ARGUMENT if `self` is not a sequence, or the module has no keys.   \[exclusive\]  Since 0.1
    pub fn td_module_set_member(
        self_: *mut td_module,
        index: i64,
        member: *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a member of a sequence, or removes it; the keys of the sequence are updated.   Like seq\[i\] = module, del
    /// seq\[i\].   Errors: INDEX; ARGUMENT if `self` is not a sequence, or the module has no keys.   \[exclusive\]  Since 0.1
    pub fn td_module_remove_member(
        self_: *mut td_module,
        index: i64,
        err: *mut *mut td_error,
    ) -> td_status;

    // State

    /// Returns a dict with the states of `n` modules stacked along a new batch dim 0. Without options, it is locked, and its
    /// leaves are new and independent of the modules; they require grad if those of the first module do. `options` may be
    /// NULL.   Like TensorDict.from_modules.
    /// Errors: ARGUMENT for n = 0, or both lazy_stack and as_module; KEY or SHAPE naming the entry that differs.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_from_modules(
        modules: *const *mut td_module,
        n: usize,
        options: *const td_from_modules_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the stacked parameters and buffers of modules of the same structure, as two flat dicts with dotted names. The
    /// leaves are new and require grad if those of the modules do. A tied parameter has only its first name.   Like
    /// torch.func.stack_module_state.
    /// Errors: ARGUMENT for n = 0, or if types, modes or requires_grad differ; KEY; SHAPE.   \[any-thread\]  Since 0.1
    pub fn td_module_stack_state(
        modules: *const *mut td_module,
        n: usize,
        out_params: *mut *mut td_dict,
        out_buffers: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module like td_module_call, with the tensors of `n_states` dicts, nested or with dotted names, instead of its
    /// own; if `states` is NULL, with its own. The module does not change.   Like torch.func.functional_call.
    /// Errors: ARGUMENT for a name that is given twice, or two values for a tied tensor; KEY with `strict`; those of the
    /// module itself.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_functional_call(
        self_: *const td_module,
        states: *const *const td_dict,
        n_states: usize,
        options: *const td_functional_options,
        inputs: *const *mut td_tensor,
        n_inputs: usize,
        outputs: *mut *mut td_tensor,
        n_outputs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    // State dicts

    /// Returns the parameters, persistent buffers and extra states in a flat dict with dotted names, each after `prefix`
    /// (NULL data: none). Tensors are detached, unless `keep_vars` is set, and share memory with the module's.   Like
    /// state_dict.
    /// Errors: CALLBACK if a hook or an extra state fails.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_state_dict(
        self_: *const td_module,
        prefix: td_str,
        keep_vars: td_bool,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Loads a dict with nested or dotted names. All problems are found first and reported together; unlike in the original,
    /// nothing is loaded on failure. The lists (may be NULL) receive the missing names and the unexpected names. Counters of
    /// batches ("num_batches_tracked") may be missing, as in states of old versions; then the module keeps its own.   Like
    /// load_state_dict.
    /// Errors: KEY listing the names, unless `lenient`; SHAPE; LOCKED for read-only memory; CALLBACK if a hook fails.
    /// \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_module_load_state_dict(
        self_: *mut td_module,
        state: *const td_dict,
        options: *const td_load_options,
        out_missing: *mut *mut td_keys,
        out_unexpected: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the extra state of this module, not of the modules below; if both callbacks are NULL, it has none. In
    /// td_module_state_dict it comes after the module's own tensors, under the prefix and "_extra_state".
    /// td_module_load_state_dict expects the key only for a module with `set`. It calls `set` after checking all names and
    /// shapes and before loading tensors. If one `set` fails, no tensor is loaded, and each `set` that ran before is called
    /// again with the state that its `get`, if there is one, returned at the start.   Like get_extra_state, set_extra_state.
    /// Errors: ARGUMENT.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_set_extra_state(
        self_: *mut td_module,
        extra: *const td_extra_state,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the module's tensors by those of `params` until the scope ends. Then the tensors that the module has are
    /// written into `params`, and its own are restored; td_scope_cancel only restores them. If the scope is released
    /// without either, the module keeps the tensors that it has. The autograd graph stays connected, so gradients reach the
    /// tensors of `params`. With `preserve_module_state`, a tensor that does not require grad and replaces a parameter that
    /// does is made a parameter, with the same memory, until the scope ends.   Like to_module.
    /// Errors: KEY for an entry that the module does not have.   \[exclusive\]  Since 0.1
    pub fn td_module_swap(
        self_: *mut td_module,
        params: *mut td_dict,
        preserve_module_state: td_bool,
        out: *mut *mut td_scope,
        err: *mut *mut td_error,
    ) -> td_status;

    // Trees of modules

    /// Returns the parameters or the buffers with their names; those of a module come before those of the modules below it.
    /// `options` may be NULL.   Like named_parameters, named_buffers.   \[any-thread\]  Since 0.1
    pub fn td_module_parameters(
        self_: *const td_module,
        options: *const td_list_options,
        out_keys: *mut *mut td_keys,
        out_tensors: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the parameters or the buffers with their names; those of a module come before those of the modules below it.
    /// `options` may be NULL.   Like named_parameters, named_buffers.   \[any-thread\]  Since 0.1
    pub fn td_module_buffers(
        self_: *const td_module,
        options: *const td_list_options,
        out_keys: *mut *mut td_keys,
        out_tensors: *mut *mut td_tensor_list,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls `visit` for each module that exists when the call begins, once per module unless `options` say otherwise.
    /// Like named_modules, named_children, apply.   Errors: ARGUMENT; CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_visit(
        self_: *mut td_module,
        order: td_visit_order,
        options: *const td_list_options,
        visit: td_module_visitor,
        userdata: *mut c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the parameter, buffer or module with this name. For td_module_get_submodule, NULL means the module itself.
    /// Like get_parameter, get_buffer, get_submodule.   Errors: KEY naming the part that is missing or of another kind.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_get_parameter(
        self_: *const td_module,
        name: *const td_key,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the parameter, buffer or module with this name. For td_module_get_submodule, NULL means the module itself.
    /// Like get_parameter, get_buffer, get_submodule.   Errors: KEY naming the part that is missing or of another kind.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_get_buffer(
        self_: *const td_module,
        name: *const td_key,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the parameter, buffer or module with this name. For td_module_get_submodule, NULL means the module itself.
    /// Like get_parameter, get_buffer, get_submodule.   Errors: KEY naming the part that is missing or of another kind.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_get_submodule(
        self_: *const td_module,
        name: *const td_key,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a parameter or a buffer (NULL: none) or a module. The module need not exist before.   Like setattr on a
    /// module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_module_set_parameter(
        self_: *mut td_module,
        name: *const td_key,
        value: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a parameter or a buffer (NULL: none) or a module. The module need not exist before.   Like setattr on a
    /// module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_module_set_buffer(
        self_: *mut td_module,
        name: *const td_key,
        value: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a parameter or a buffer (NULL: none) or a module. The module need not exist before.   Like setattr on a
    /// module, set_submodule.   Errors: KEY; ARGUMENT for a module that would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_module_set_submodule(
        self_: *mut td_module,
        name: *const td_key,
        module: *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a parameter, a buffer or a module. It may be NULL for a name without a value yet. A parameter requires grad: if
    /// the tensor does not, the parameter is another tensor with the same memory, as torch.nn.Parameter makes it. A buffer
    /// that is not `persistent` is not part of a state dict.   Like register_parameter, register_buffer, add_module.
    /// Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for an
    /// integer parameter; EXISTS.   \[exclusive\]  Since 0.1
    pub fn td_module_register_parameter(
        self_: *mut td_module,
        name: td_str,
        value: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a parameter, a buffer or a module. It may be NULL for a name without a value yet. A parameter requires grad: if
    /// the tensor does not, the parameter is another tensor with the same memory, as torch.nn.Parameter makes it. A buffer
    /// that is not `persistent` is not part of a state dict.   Like register_parameter, register_buffer, add_module.
    /// Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for an
    /// integer parameter; EXISTS.   \[exclusive\]  Since 0.1
    pub fn td_module_register_buffer(
        self_: *mut td_module,
        name: td_str,
        value: *mut td_tensor,
        persistent: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a parameter, a buffer or a module. It may be NULL for a name without a value yet. A parameter requires grad: if
    /// the tensor does not, the parameter is another tensor with the same memory, as torch.nn.Parameter makes it. A buffer
    /// that is not `persistent` is not part of a state dict.   Like register_parameter, register_buffer, add_module.
    /// Errors: ARGUMENT for a name that is empty or has a dot, or a parameter that is computed from others; DTYPE for an
    /// integer parameter; EXISTS.   \[exclusive\]  Since 0.1
    pub fn td_module_register_module(
        self_: *mut td_module,
        name: td_str,
        module: *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns 1 if the module is in training mode.   Like Module.training.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_module_is_training(self_: *const td_module) -> td_bool;

    /// Returns 1 if the module reads and writes keys.   Like is_tdmodule_compatible.   \[any-thread\]  Since 0.1
    pub fn td_module_has_keys(self_: *const td_module) -> td_bool;

    /// Returns the module as text, as Python prints it.   Like repr(module).   \[any-thread\]  Since 0.1
    pub fn td_module_repr(
        self_: *const td_module,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    // All tensors of a tree

    /// Sets whether all parameters require grad; removes their gradients, or sets them to zero.   Like requires_grad_,
    /// zero_grad.   Errors: DTYPE for an integer parameter.   \[exclusive\]  Since 0.1
    pub fn td_module_requires_grad_(
        self_: *mut td_module,
        requires_grad: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets whether all parameters require grad; removes their gradients, or sets them to zero.   Like requires_grad_,
    /// zero_grad.   Errors: DTYPE for an integer parameter.   \[exclusive\]  Since 0.1
    pub fn td_module_zero_grad(
        self_: *mut td_module,
        set_to_none: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Casts the floating-point and complex tensors to `dtype` (TD_DTYPE_NONE: keep) and moves all tensors to `device` (NULL
    /// data: keep). The parameters stay the same tensors, except those moved to "meta", which are new. td_module_to_type
    /// casts integers too.   Like Module.to, type.   Errors: DTYPE; DEVICE; UNSUPPORTED to move from "meta".
    /// \[exclusive\]  Since 0.1
    pub fn td_module_to(
        self_: *mut td_module,
        dtype: td_dtype,
        device: td_str,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Casts the floating-point and complex tensors to `dtype` (TD_DTYPE_NONE: keep) and moves all tensors to `device` (NULL
    /// data: keep). The parameters stay the same tensors, except those moved to "meta", which are new. td_module_to_type
    /// casts integers too.   Like Module.to, type.   Errors: DTYPE; DEVICE; UNSUPPORTED to move from "meta".
    /// \[exclusive\]  Since 0.1
    pub fn td_module_to_type(
        self_: *mut td_module,
        dtype: td_dtype,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces all tensors by uninitialised tensors of the same shapes on `device`: for a module on "meta".   Like
    /// Module.to_empty.   Errors: DEVICE.   \[exclusive\]  Since 0.1
    pub fn td_module_to_empty(
        self_: *mut td_module,
        device: td_str,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Moves all parameters, buffers and their gradients to memory that processes forked from now on share. The tensors stay
    /// the same objects, and their views move with them. Memory that is already shared, and GPU memory, is not moved. The
    /// caller's memory (td_tensor_from_memory) is copied, then released. The shared memory has no name and is freed with its
    /// last tensor.   Like Module.share_memory.
    /// Errors: UNSUPPORTED naming a tensor that is sparse or on another device; NOSPACE. On failure nothing is moved.
    /// \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_module_share_memory(self_: *mut td_module, err: *mut *mut td_error) -> td_status;

    /// Draws all parameters again, children first, with `generator` (NULL: the default one). If `params` is not NULL, it is
    /// a dict of tensors to draw into instead of the module's own; then `out` receives these as leaves that require grad,
    /// with the same memory, and `n_reset` receives 0. Without `params` nothing is written to `out`, and `n_reset` (may be
    /// NULL) receives the number of modules that had parameters. As in the original, the inner module of a member that has
    /// keys is drawn twice, so that equal seeds give equal numbers. For an ensemble, `params` are those of the inner module
    /// with a batch dim of copies, which are drawn one by one; `out` is a lazy stack of them.   Like
    /// reset_parameters_recursive.
    /// Errors: SHAPE if `params` has other batch dims, or a tensor has another shape than the module makes; KEY; LOCKED for
    /// read-only memory; UNSUPPORTED for an ensemble whose module was given other members since.   \[exclusive\]  Since 0.1
    pub fn td_module_reset_parameters(
        self_: *mut td_module,
        params: *const td_dict,
        generator: *mut td_generator,
        out: *mut *mut td_dict,
        n_reset: *mut usize,
        err: *mut *mut td_error,
    ) -> td_status;

    // Hooks

    /// Replaces the dict that the module gets, the dict that it gives, an input or an output. The library adds its own
    /// reference to what it is given. The replacement takes place when the hook has returned TD_OK: until then the members
    /// of the call stay as they are and remain valid. If something is replaced twice, the last replacement counts. `self` is
    /// the call of a hook that runs now on this thread.
    /// Errors: ARGUMENT if `self` is not such a call, or the call has no such dict; INDEX.   \[exclusive\]  Since 0.2
    pub fn td_hook_call_set_data(
        self_: *mut td_hook_call,
        dict: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the dict that the module gets, the dict that it gives, an input or an output. The library adds its own
    /// reference to what it is given. The replacement takes place when the hook has returned TD_OK: until then the members
    /// of the call stay as they are and remain valid. If something is replaced twice, the last replacement counts. `self` is
    /// the call of a hook that runs now on this thread.
    /// Errors: ARGUMENT if `self` is not such a call, or the call has no such dict; INDEX.   \[exclusive\]  Since 0.2
    pub fn td_hook_call_set_result(
        self_: *mut td_hook_call,
        dict: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the dict that the module gets, the dict that it gives, an input or an output. The library adds its own
    /// reference to what it is given. The replacement takes place when the hook has returned TD_OK: until then the members
    /// of the call stay as they are and remain valid. If something is replaced twice, the last replacement counts. `self` is
    /// the call of a hook that runs now on this thread.
    /// Errors: ARGUMENT if `self` is not such a call, or the call has no such dict; INDEX.   \[exclusive\]  Since 0.2
    pub fn td_hook_call_set_input(
        self_: *mut td_hook_call,
        index: i64,
        tensor: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the dict that the module gets, the dict that it gives, an input or an output. The library adds its own
    /// reference to what it is given. The replacement takes place when the hook has returned TD_OK: until then the members
    /// of the call stay as they are and remain valid. If something is replaced twice, the last replacement counts. `self` is
    /// the call of a hook that runs now on this thread.
    /// Errors: ARGUMENT if `self` is not such a call, or the call has no such dict; INDEX.   \[exclusive\]  Since 0.2
    pub fn td_hook_call_set_output(
        self_: *mut td_hook_call,
        index: i64,
        tensor: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a callback that runs before or after the module. It may remove hooks, including itself; calls that have begun
    /// still run them. `out_id` (may be NULL) is for td_module_remove_hook.   Like register_forward_pre_hook,
    /// register_forward_hook.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_module_add_forward_pre_hook(
        self_: *mut td_module,
        hook: *const td_forward_hook,
        flags: td_hook_flags,
        out_id: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a callback that runs before or after the module. It may remove hooks, including itself; calls that have begun
    /// still run them. `out_id` (may be NULL) is for td_module_remove_hook.   Like register_forward_pre_hook,
    /// register_forward_hook.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_module_add_forward_hook(
        self_: *mut td_module,
        hook: *const td_forward_hook,
        flags: td_hook_flags,
        out_id: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a callback that runs in td_module_state_dict or td_module_load_state_dict, for this module with its own prefix.
    /// The only flag is TD_HOOK_PREPEND.   Like register_state_dict_pre_hook, register_load_state_dict_post_hook and their
    /// siblings.
    /// Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_module_add_state_hook(
        self_: *mut td_module,
        kind: td_state_hook_kind,
        hook: *const td_state_hook,
        flags: td_hook_flags,
        out_id: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a gradient, as td_hook_call_set_input replaces an input: a hook those of the inputs, a pre-hook those of the
    /// outputs. NULL means no gradient. Shape, dtype and device must not change.
    /// Errors: ARGUMENT if `self` is not a call that runs now on this thread, or a hook replaces the gradient of an output;
    /// INDEX.   \[exclusive\]  Since 0.2
    pub fn td_backward_call_set_grad_input(
        self_: *mut td_backward_call,
        index: i64,
        grad: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces a gradient, as td_hook_call_set_input replaces an input: a hook those of the inputs, a pre-hook those of the
    /// outputs. NULL means no gradient. Shape, dtype and device must not change.
    /// Errors: ARGUMENT if `self` is not a call that runs now on this thread, or a hook replaces the gradient of an output;
    /// INDEX.   \[exclusive\]  Since 0.2
    pub fn td_backward_call_set_grad_output(
        self_: *mut td_backward_call,
        index: i64,
        grad: *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a callback that runs when gradients are computed through the module: a pre-hook when the gradients of all
    /// outputs are ready, a hook when those of all inputs are ready. If no input requires grad, both run at the outputs, and
    /// no input has a gradient. Each hook gets the gradients that the hooks before it stored. The inputs are the tensors
    /// that the module was called with, or the values under its in-keys; the gradient of an input is NULL if it is not a
    /// tensor, and zeros if nothing depends on it. The outputs are its results, in the order of the out-keys; the gradient
    /// of an unused output is NULL. Hooks of members run like those of a single module; a sequence may have its own. The
    /// hooks are those that the module had when it ran; the graph keeps them and the module alive. Tensors behind a hook
    /// cannot be changed in place (TORCH). Hooks do not run if gradients are not recorded. Running the module is UNSUPPORTED
    /// inside a vmap that records gradients and in an ensemble. The only flag is TD_HOOK_PREPEND.   Like
    /// register_full_backward_pre_hook, register_full_backward_hook.
    /// Errors: ARGUMENT; UNSUPPORTED for modules from td_module_wrap and td_module_query. Later, from td_tensor_backward and
    /// similar functions: CALLBACK for a hook that fails, or whose gradient does not fit.   \[any-thread\]  Since 0.1
    pub fn td_module_add_backward_pre_hook(
        self_: *mut td_module,
        hook: *const td_backward_hook,
        flags: td_hook_flags,
        out_id: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a callback that runs when gradients are computed through the module: a pre-hook when the gradients of all
    /// outputs are ready, a hook when those of all inputs are ready. If no input requires grad, both run at the outputs, and
    /// no input has a gradient. Each hook gets the gradients that the hooks before it stored. The inputs are the tensors
    /// that the module was called with, or the values under its in-keys; the gradient of an input is NULL if it is not a
    /// tensor, and zeros if nothing depends on it. The outputs are its results, in the order of the out-keys; the gradient
    /// of an unused output is NULL. Hooks of members run like those of a single module; a sequence may have its own. The
    /// hooks are those that the module had when it ran; the graph keeps them and the module alive. Tensors behind a hook
    /// cannot be changed in place (TORCH). Hooks do not run if gradients are not recorded. Running the module is UNSUPPORTED
    /// inside a vmap that records gradients and in an ensemble. The only flag is TD_HOOK_PREPEND.   Like
    /// register_full_backward_pre_hook, register_full_backward_hook.
    /// Errors: ARGUMENT; UNSUPPORTED for modules from td_module_wrap and td_module_query. Later, from td_tensor_backward and
    /// similar functions: CALLBACK for a hook that fails, or whose gradient does not fit.   \[any-thread\]  Since 0.1
    pub fn td_module_add_backward_hook(
        self_: *mut td_module,
        hook: *const td_backward_hook,
        flags: td_hook_flags,
        out_id: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes a hook.   Like handle.remove().   Errors: NOT_FOUND.   \[any-thread\]  Since 0.1
    pub fn td_module_remove_hook(
        self_: *mut td_module,
        id: u64,
        err: *mut *mut td_error,
    ) -> td_status;

    // Ensembles and vmap

    /// Makes a module of `copies` copies of a module that has keys. Each copy has its own parameters, drawn with `generator`
    /// (NULL: the default one), and the results have a new batch dim 0 of size `copies`. With `expand_input`, each copy gets
    /// all of the data; otherwise it gets its element of batch dim 0. The parameters are under "params_td", next to the
    /// template under "module". If the template is given other members later, running the ensemble and drawing its
    /// parameters are UNSUPPORTED.   Like EnsembleModule.   Errors: ARGUMENT for no copies, or a module without keys; LOCKED
    /// if memory to draw into is read-only.
    /// \[any-thread\]  Since 0.1
    pub fn td_module_ensemble(
        module: *mut td_module,
        copies: i64,
        expand_input: td_bool,
        generator: *mut td_generator,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls `fn` once for all members, vectorised. Results that do not depend on the member are repeated. `fn` may call
    /// td_vmap. If the batch size of a dict is too short for its mapped dim, the leading dims that its tensors share are
    /// used. Non-tensor data is treated as by td_module_vmap; lazy stacks become dicts.   Like torch.vmap.
    /// Errors: ARGUMENT if no argument is mapped; SHAPE for sizes that differ; INDEX; CALLBACK; TORCH.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_vmap(
        fn_: td_vmap_function,
        userdata: *mut c_void,
        args: *const td_value,
        n_args: usize,
        options: *const td_vmap_function_options,
        outs: *mut td_value,
        n_outs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    // Optimizers

    /// Makes an optimizer for every leaf of `params` that requires grad (for a lazy stack, of its members). `options` may be
    /// NULL.   Like torch.optim.SGD, Adam.
    /// Errors: ARGUMENT if no leaf requires grad, or an option is out of range; LOCKED for a leaf in read-only memory.
    /// \[any-thread\]  Since 0.1
    pub fn td_optimizer_sgd(
        params: *const td_dict,
        options: *const td_sgd_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes an optimizer for every leaf of `params` that requires grad (for a lazy stack, of its members). `options` may be
    /// NULL.   Like torch.optim.SGD, Adam.
    /// Errors: ARGUMENT if no leaf requires grad, or an option is out of range; LOCKED for a leaf in read-only memory.
    /// \[any-thread\]  Since 0.1
    pub fn td_optimizer_adam(
        params: *const td_dict,
        options: *const td_adam_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the collected gradients.   Like Optimizer.zero_grad.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_zero_grad(self_: *mut td_optimizer, err: *mut *mut td_error) -> td_status;

    /// Changes the parameters in place by one step.   Like Optimizer.step.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_step(self_: *mut td_optimizer, err: *mut *mut td_error) -> td_status;

    /// Makes an optimizer like td_optimizer_sgd.   Like torch.optim.AdamW, RMSprop.
    /// Errors: as td_optimizer_sgd.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_adamw(
        params: *const td_dict,
        options: *const td_adamw_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes an optimizer like td_optimizer_sgd.   Like torch.optim.AdamW, RMSprop.
    /// Errors: as td_optimizer_sgd.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_rmsprop(
        params: *const td_dict,
        options: *const td_rmsprop_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a group with the leaves of `params` that require grad and, until changed, the options of the first group. The
    /// parameters of the first dict are group 0.   Like add_param_group.
    /// Errors: as td_optimizer_sgd; EXISTS for a tensor that is already in a group.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_add_group(
        self_: *mut td_optimizer,
        params: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the name of the optimizer in torch.optim: "SGD", "Adam", "AdamW" or "RMSprop"; empty for NULL. The text is
    /// static.   \[any-thread\]  Since 0.2
    pub fn td_optimizer_type_name(self_: *const td_optimizer) -> td_str;

    /// Returns the number of groups; 0 for NULL.   Like len(optimizer.param_groups).   \[any-thread\]  Since 0.2
    pub fn td_optimizer_group_count(self_: *const td_optimizer) -> usize;

    /// Returns an option of a group by its name in torch.optim ("lr", "weight_decay", "momentum", ...; betas are "beta1"
    /// and "beta2"). Truth values ("nesterov", "amsgrad", "centered") are 0 and 1.   Like
    /// optimizer.param_groups\[group\]\[name\].   Errors: INDEX; KEY for an unknown name.
    /// \[any-thread\]  Since 0.1
    pub fn td_optimizer_get(
        self_: *const td_optimizer,
        group: i64,
        name: td_str,
        out: *mut f64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets an option of a group; a td_schedule sets "lr". Truth values are 0 and 1.   Errors: as td_optimizer_get; ARGUMENT
    /// for a value out of range. \[exclusive\]  Since 0.1
    pub fn td_optimizer_set(
        self_: *mut td_optimizer,
        group: i64,
        name: td_str,
        setting: f64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the optimizer's state and options as a dict of copies: ("state", "0", "exp_avg"), ("param_groups", "0",
    /// "lr"), ...   Like Optimizer.state_dict.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_state(
        self_: *const td_optimizer,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Loads the state of an optimizer of the same kind for parameters of the same shapes.   Like Optimizer.load_state_dict.
    /// Errors: KEY; SHAPE; ARGUMENT for another number of groups.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_load_state(
        self_: *mut td_optimizer,
        state: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Scales the gradients of all leaves so that their total norm (of order `norm_type`, INFINITY for the maximum) is at
    /// most `max_norm`; `out_norm` (may be NULL) receives the norm before. td_dict_clip_grad_value_ limits each element to
    /// \[-max_value, max_value\].   Like clip_grad_norm_, clip_grad_value_.
    /// Errors: ARGUMENT, also for a non-finite norm with `error_if_nonfinite`.   \[exclusive\]  Since 0.1
    pub fn td_dict_clip_grad_norm_(
        params: *mut td_dict,
        max_norm: f64,
        norm_type: f64,
        error_if_nonfinite: td_bool,
        out_norm: *mut f64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Scales the gradients of all leaves so that their total norm (of order `norm_type`, INFINITY for the maximum) is at
    /// most `max_norm`; `out_norm` (may be NULL) receives the norm before. td_dict_clip_grad_value_ limits each element to
    /// \[-max_value, max_value\].   Like clip_grad_norm_, clip_grad_value_.
    /// Errors: ARGUMENT, also for a non-finite norm with `error_if_nonfinite`.   \[exclusive\]  Since 0.1
    pub fn td_dict_clip_grad_value_(
        params: *mut td_dict,
        max_value: f64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_optimizer_retain(self_: *const td_optimizer);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_release(self_: *const td_optimizer);

    // Learning rates

    /// Makes a schedule that multiplies the learning rates by `gamma`: after every `step_size` steps; at each of the
    /// milestones, which need no order; or in every step.   Like StepLR, MultiStepLR, ExponentialLR.
    /// Errors: ARGUMENT for a step size or a milestone below 1, and a `gamma` that is negative or not finite.
    /// \[any-thread\]  Since 0.2
    pub fn td_schedule_new_step(
        optimizer: *mut td_optimizer,
        step_size: i64,
        gamma: f64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule that multiplies the learning rates by `gamma`: after every `step_size` steps; at each of the
    /// milestones, which need no order; or in every step.   Like StepLR, MultiStepLR, ExponentialLR.
    /// Errors: ARGUMENT for a step size or a milestone below 1, and a `gamma` that is negative or not finite.
    /// \[any-thread\]  Since 0.2
    pub fn td_schedule_new_multi_step(
        optimizer: *mut td_optimizer,
        milestones: *const i64,
        n: usize,
        gamma: f64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule that multiplies the learning rates by `gamma`: after every `step_size` steps; at each of the
    /// milestones, which need no order; or in every step.   Like StepLR, MultiStepLR, ExponentialLR.
    /// Errors: ARGUMENT for a step size or a milestone below 1, and a `gamma` that is negative or not finite.
    /// \[any-thread\]  Since 0.2
    pub fn td_schedule_new_exponential(
        optimizer: *mut td_optimizer,
        gamma: f64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule that lowers the learning rates to `min_lr` in `steps` steps, along half a cosine wave, and raises
    /// them again after that.   Like CosineAnnealingLR.
    /// Errors: ARGUMENT for less than 1 step, and a `min_lr` that is negative or not finite.   \[any-thread\]  Since 0.2
    pub fn td_schedule_new_cosine(
        optimizer: *mut td_optimizer,
        steps: i64,
        min_lr: f64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule for the first `steps` steps, for instance to warm up: td_schedule_new_linear multiplies the learning
    /// rates by factors from `start_factor` to `end_factor`, td_schedule_new_constant by `factor`. After that the learning
    /// rates stay at `end_factor`, or have no factor.   Like LinearLR, ConstantLR.
    /// Errors: ARGUMENT for less than 1 step, and a factor that is not in (0, 1\]; `end_factor` may be 0.
    /// \[any-thread\]  Since 0.2
    pub fn td_schedule_new_linear(
        optimizer: *mut td_optimizer,
        start_factor: f64,
        end_factor: f64,
        steps: i64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule for the first `steps` steps, for instance to warm up: td_schedule_new_linear multiplies the learning
    /// rates by factors from `start_factor` to `end_factor`, td_schedule_new_constant by `factor`. After that the learning
    /// rates stay at `end_factor`, or have no factor.   Like LinearLR, ConstantLR.
    /// Errors: ARGUMENT for less than 1 step, and a factor that is not in (0, 1\]; `end_factor` may be 0.
    /// \[any-thread\]  Since 0.2
    pub fn td_schedule_new_constant(
        optimizer: *mut td_optimizer,
        factor: f64,
        steps: i64,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a schedule for `steps` steps that raises the learning rates of all groups to `max_lr` and then lowers them
    /// further than they were at first, while the momentum ("momentum", or "beta1" of Adam) does the opposite. `options` may
    /// be NULL.   Like OneCycleLR.
    /// Errors: ARGUMENT for less than 1 step, and a number that is out of range.   \[any-thread\]  Since 0.2
    pub fn td_schedule_new_one_cycle(
        optimizer: *mut td_optimizer,
        max_lr: f64,
        steps: i64,
        options: *const td_one_cycle_options,
        out: *mut *mut td_schedule,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets the learning rates of the next step. The optimizer must not be in use.   Like LRScheduler.step.
    /// Errors: ARGUMENT after the last step of a cycle.   \[exclusive\]  Since 0.2
    pub fn td_schedule_step(self_: *mut td_schedule, err: *mut *mut td_error) -> td_status;

    /// Returns the number of steps so far; 0 for NULL.   Like LRScheduler.last_epoch.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_schedule_steps(self_: *const td_schedule) -> i64;

    /// Returns the state as a dict of copies: "last_epoch" and "base_lrs". The learning rates themselves are in
    /// td_optimizer_state.   Like LRScheduler.state_dict.   \[any-thread\]  Since 0.2
    pub fn td_schedule_state(
        self_: *const td_schedule,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Loads the state of a schedule that was made in the same way. Make the schedule first, then load its state and that of
    /// the optimizer.   Like LRScheduler.load_state_dict.
    /// Errors: KEY; SHAPE for another number of groups; ARGUMENT for a negative number of steps.   \[exclusive\]  Since 0.2
    pub fn td_schedule_load_state(
        self_: *mut td_schedule,
        state: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_schedule_retain(self_: *const td_schedule);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.2
    pub fn td_schedule_release(self_: *const td_schedule);

    // Distributions

    /// Makes a distribution from its parameters, which are kept by reference and broadcast. `config` is a JSON object; NULL
    /// data is {}. "validate_args": false turns off the checks of parameters and values, which read the data (inside vmap
    /// there are none).   Like torch.distributions.Normal(loc, scale) and its siblings.
    /// Errors: NOT_FOUND; KEY for a missing or unknown parameter; SHAPE if they do not broadcast; ARGUMENT for values that
    /// the type does not accept; PLUGIN.   \[any-thread\]  Since 0.1
    pub fn td_dist_new(
        type_: td_str,
        params: *const td_dict,
        config: td_str,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Draws values of shape `shape` + batch shape; td_dist_rsample keeps gradients to the parameters. If `generator` is
    /// NULL, LibTorch's default one is used.   Like Distribution.sample, rsample.   Errors: UNSUPPORTED if the type cannot
    /// draw.   \[any-thread\]  Since 0.1
    pub fn td_dist_sample(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Draws values of shape `shape` + batch shape; td_dist_rsample keeps gradients to the parameters. If `generator` is
    /// NULL, LibTorch's default one is used.   Like Distribution.sample, rsample.   Errors: UNSUPPORTED if the type cannot
    /// draw.   \[any-thread\]  Since 0.1
    pub fn td_dist_rsample(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the log of the density or mass at `value`.   Like Distribution.log_prob.
    /// Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   \[any-thread\]  Since 0.1
    pub fn td_dist_log_prob(
        self_: *const td_dist,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a statistic with batch and event shape; entropy and perplexity have the batch shape.   Like
    /// Distribution.mean, mode, variance, stddev, entropy.   Errors: UNSUPPORTED if the type does not define it.
    /// \[any-thread\]  Since 0.1
    pub fn td_dist_get(
        self_: *const td_dist,
        stat: td_dist_stat,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the cumulative distribution function at `value`, or its inverse, for which `value` is not checked.   Like
    /// Distribution.cdf, icdf.   Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   \[any-thread\]  Since 0.1
    pub fn td_dist_cdf(
        self_: *const td_dist,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the cumulative distribution function at `value`, or its inverse, for which `value` is not checked.   Like
    /// Distribution.cdf, icdf.   Errors: UNSUPPORTED; SHAPE; ARGUMENT outside the support.   \[any-thread\]  Since 0.1
    pub fn td_dist_icdf(
        self_: *const td_dist,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns all values of a discrete distribution, \[n, batch..., event...\]; without `expand` the batch dims have size 1.
    /// Like Distribution.enumerate_support.   Errors: UNSUPPORTED.   \[any-thread\]  Since 0.1
    pub fn td_dist_enumerate_support(
        self_: *const td_dist,
        expand: td_bool,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the same distribution with a larger batch; parameters are not copied.   Like Distribution.expand.   Errors:
    /// SHAPE; UNSUPPORTED.   \[any-thread\]  Since 0.1
    pub fn td_dist_expand(
        self_: *const td_dist,
        batch: *const i64,
        ndim: usize,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills up to `capacity` sizes of `out` and returns how many there are; 0 for NULL.   Like Distribution.batch_shape,
    /// event_shape.   \[any-thread\]  Since 0.1
    pub fn td_dist_batch_shape(self_: *const td_dist, out: *mut i64, capacity: usize) -> usize;

    /// Fills up to `capacity` sizes of `out` and returns how many there are; 0 for NULL.   Like Distribution.batch_shape,
    /// event_shape.   \[any-thread\]  Since 0.1
    pub fn td_dist_event_shape(self_: *const td_dist, out: *mut i64, capacity: usize) -> usize;

    /// Returns whether the distribution has this function; 0 for NULL.   Like Distribution.has_rsample,
    /// has_enumerate_support.   \[any-thread\]  Since 0.1
    pub fn td_dist_has_rsample(self_: *const td_dist) -> td_bool;

    /// Returns whether the distribution has this function; 0 for NULL.   Like Distribution.has_rsample,
    /// has_enumerate_support.   \[any-thread\]  Since 0.1
    pub fn td_dist_has_enumerate_support(self_: *const td_dist) -> td_bool;

    /// Returns the text that Python prints: "Normal(loc: 0.0, scale: 1.0)".   Like repr(dist).   \[any-thread\]  Since 0.1
    pub fn td_dist_repr(
        self_: *const td_dist,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets whether distributions made from now on check their parameters and values; "validate_args" in a config overrides
    /// it. The default is 1.   Like Distribution.set_default_validate_args.   \[any-thread\]  Since 0.1
    pub fn td_dist_set_default_validate_args(validate: td_bool);

    /// Returns that default.   \[any-thread\] \[leaf\]  Since 0.2
    pub fn td_dist_default_validate_args() -> td_bool;

    /// Takes the last `ndims` batch dims as event dims.   Like torch.distributions.Independent.
    /// Errors: ARGUMENT if there are fewer batch dims.   \[any-thread\]  Since 0.1
    pub fn td_dist_independent(
        base: *const td_dist,
        ndims: i64,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a transformed distribution. `transforms` is JSON, one or a list of "exp", "sigmoid", "tanh", "softplus", "abs",
    /// "softmax", "stick_breaking", "lower_cholesky", "corr_cholesky", "positive_definite", {"type": "affine", "loc": 0,
    /// "scale": "key", "event_dim": 0}, {"type": "power", "exponent": 2}, {"type": "tanh", "clamp": true} (finite at -1 and
    /// 1), {"type": "cdf", "of": "td.normal", "params": {"loc": 0, "scale": 1}}, {"type": "inverse", "of": ...}, "compose"
    /// of a list, "independent" with "ndims", "reshape" with "in" and "out", "stack" and "cat" of a list with "dim" (and
    /// "lengths"). A text instead of a number is a key of `params`, which may be NULL.   Like
    /// torch.distributions.TransformedDistribution.   Errors: ARGUMENT; KEY; SHAPE.   \[any-thread\]  Since 0.1
    pub fn td_dist_transformed(
        base: *const td_dist,
        transforms: td_str,
        params: *const td_dict,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a mixture of the elements along the last batch dim of `components`; `mixture`, a td.categorical, selects one.
    /// Like torch.distributions.MixtureSameFamily.   Errors: ARGUMENT; SHAPE.   \[any-thread\]  Since 0.1
    pub fn td_dist_mixture(
        mixture: *const td_dist,
        components: *const td_dist,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the Kullback-Leibler divergence of `p` from `q`.   Like torch.distributions.kl_divergence.
    /// Errors: UNSUPPORTED for a pair of types without one.   \[any-thread\]  Since 0.1
    pub fn td_dist_kl_divergence(
        p: *const td_dist,
        q: *const td_dist,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Composite distributions

    /// Makes a composite distribution, each part from the dict of its parameters; its batch size is that of `params`.   Like
    /// CompositeDistribution(params, distribution_map).
    /// Errors: KEY; those of td_dist_new.   \[any-thread\]  Since 0.1
    pub fn td_dist_composite(
        params: *const td_dict,
        parts: *const td_dist_part,
        n: usize,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a composite distribution of existing distributions.   Like CompositeDistribution.from_distributions.   Errors:
    /// ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_dist_composite_of(
        batch: *const i64,
        ndim: usize,
        names: *const td_key,
        dists: *const *mut td_dist,
        n: usize,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Works like td_dist_sample, rsample, get and interact, for a composite distribution; the result is a dict. The
    /// entropies are under "\<name\>_entropy".   Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors:
    /// UNSUPPORTED, also for a distribution that is not composite.   \[any-thread\]  Since 0.1
    pub fn td_dist_sample_dict(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Works like td_dist_sample, rsample, get and interact, for a composite distribution; the result is a dict. The
    /// entropies are under "\<name\>_entropy".   Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors:
    /// UNSUPPORTED, also for a distribution that is not composite.   \[any-thread\]  Since 0.1
    pub fn td_dist_rsample_dict(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Works like td_dist_sample, rsample, get and interact, for a composite distribution; the result is a dict. The
    /// entropies are under "\<name\>_entropy".   Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors:
    /// UNSUPPORTED, also for a distribution that is not composite.   \[any-thread\]  Since 0.1
    pub fn td_dist_get_dict(
        self_: *const td_dist,
        stat: td_dist_stat,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Works like td_dist_sample, rsample, get and interact, for a composite distribution; the result is a dict. The
    /// entropies are under "\<name\>_entropy".   Like CompositeDistribution.sample, rsample, mean, mode, entropy.   Errors:
    /// UNSUPPORTED, also for a distribution that is not composite.   \[any-thread\]  Since 0.1
    pub fn td_dist_interact_dict(
        self_: *const td_dist,
        type_: td_interaction,
        shape: *const i64,
        ndim: usize,
        n_empirical: i64,
        generator: *mut td_generator,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new dict with each part's "\<name\>_log_prob", and with `include_sum` their sum under "sample_log_prob".
    /// Like CompositeDistribution.log_prob_composite.   Errors: KEY; SHAPE; ARGUMENT; UNSUPPORTED.
    /// \[any-thread\]  Since 0.1
    pub fn td_dist_log_prob_dict(
        self_: *const td_dist,
        sample: *const td_dict,
        include_sum: td_bool,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the total log-probability: that of each part is summed over the dims beyond the sample's batch, then over the
    /// parts. For the sum of the entropies, use td_dist_get with TD_DIST_STAT_ENTROPY.   Like CompositeDistribution.log_prob
    /// under set_composite_lp_aggregate(True).
    /// Errors: as td_dist_log_prob_dict.   \[any-thread\]  Since 0.1
    pub fn td_dist_log_prob_sum(
        self_: *const td_dist,
        sample: *const td_dict,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes "\<name\>_cdf" into the sample, or "\<name\>_icdf", computed from "\<name\>_cdf" (or from the sample itself if that
    /// is missing).   Like CompositeDistribution.cdf, icdf.   Errors: KEY; UNSUPPORTED; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dist_cdf_dict(
        self_: *const td_dist,
        sample: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes "\<name\>_cdf" into the sample, or "\<name\>_icdf", computed from "\<name\>_cdf" (or from the sample itself if that
    /// is missing).   Like CompositeDistribution.cdf, icdf.   Errors: KEY; UNSUPPORTED; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dist_icdf_dict(
        self_: *const td_dist,
        sample: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_dist_retain(self_: *const td_dist);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dist_release(self_: *const td_dist);

    // Transforms

    /// Makes a transform from JSON as in td_dist_transformed; the transforms of a list are applied in order. `params` may be
    /// NULL.   Like torch.distributions.transforms.   Errors: ARGUMENT; KEY; SHAPE; NOT_FOUND.
    /// \[any-thread\]  Since 0.1
    pub fn td_transform_new(
        transform: td_str,
        params: *const td_dict,
        out: *mut *mut td_transform,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a transform from the cumulative distribution function of `dist`.   Like CumulativeDistributionTransform.
    /// \[any-thread\]  Since 0.1
    pub fn td_transform_cdf_of(
        dist: *const td_dist,
        out: *mut *mut td_transform,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a transform that applies `parts` in order; without parts it is the identity.   Like ComposeTransform.
    /// \[any-thread\]  Since 0.1
    pub fn td_transform_compose(
        parts: *const *const td_transform,
        n: usize,
        out: *mut *mut td_transform,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the inverse transform.   Like Transform.inv.   \[any-thread\]  Since 0.1
    pub fn td_transform_inverse_of(
        self_: *const td_transform,
        out: *mut *mut td_transform,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Computes y from x, x from y, or the log of the absolute determinant of dy/dx from both, with gradients. Nothing is
    /// cached: keep `y` together with its `x`.   Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED;
    /// SHAPE; TORCH.   \[any-thread\]  Since 0.1
    pub fn td_transform_forward(
        self_: *const td_transform,
        x: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Computes y from x, x from y, or the log of the absolute determinant of dy/dx from both, with gradients. Nothing is
    /// cached: keep `y` together with its `x`.   Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED;
    /// SHAPE; TORCH.   \[any-thread\]  Since 0.1
    pub fn td_transform_inverse(
        self_: *const td_transform,
        y: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Computes y from x, x from y, or the log of the absolute determinant of dy/dx from both, with gradients. Nothing is
    /// cached: keep `y` together with its `x`.   Like Transform.__call__, inv, log_abs_det_jacobian.   Errors: UNSUPPORTED;
    /// SHAPE; TORCH.   \[any-thread\]  Since 0.1
    pub fn td_transform_log_abs_det_jacobian(
        self_: *const td_transform,
        x: *const td_tensor,
        y: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the text that Python prints: "ExpTransform()".   \[any-thread\]  Since 0.1
    pub fn td_transform_repr(
        self_: *const td_transform,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a transformed distribution like td_dist_transformed, from existing transforms.   Like
    /// torch.distributions.TransformedDistribution.
    /// Errors: SHAPE.   \[any-thread\]  Since 0.1
    pub fn td_dist_transformed_by(
        base: *const td_dist,
        parts: *const *const td_transform,
        n: usize,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_transform_retain(self_: *const td_transform);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_transform_release(self_: *const td_transform);

    // Probabilistic modules

    /// Makes a module of a distribution type and its config (NULL data: td.delta and {}). The parameters are read from the
    /// in-keys; missing ones are not passed. The value is written to the out-key (none: "_") and replaces an existing entry.
    /// `options` may be NULL.   Like ProbabilisticTensorDictModule, whose dict form of in_keys is `param_names`; cache_dist
    /// has no effect there and is not offered.
    /// Errors: NOT_FOUND for an unknown type; ARGUMENT for a bad config, several out-keys, a parameter that is given twice,
    /// a log-probability key that would overwrite the value.   \[any-thread\]  Since 0.1
    pub fn td_module_probabilistic(
        type_: td_str,
        config: td_str,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        options: *const td_probabilistic_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module of a composite distribution, whose parts td_dist_composite makes from the dict under `params`. The
    /// out-keys are the names of the parts. With `aggregate`, each log-probability is written in addition to their sum.
    /// Errors: as td_module_probabilistic.   \[any-thread\]  Since 0.1
    pub fn td_module_probabilistic_composite(
        params: *const td_key,
        parts: *const td_dist_part,
        n_parts: usize,
        options: *const td_probabilistic_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module of any distribution, for instance a transformed or an independent one. A composite distribution writes
    /// its parts under their names; the out-keys must be among these names.
    /// Errors: as td_module_probabilistic; ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_probabilistic_function(
        function: *const td_dist_function,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        options: *const td_probabilistic_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a sequence with probabilistic members. `options` (may be NULL) are those of td_module_sequential; here
    /// `inplace` takes precedence over tensordict_out. If earlier members write the samples of the last member, the last
    /// member does not draw.   Like ProbabilisticTensorDictSequential.   Errors: as td_module_sequential; ARGUMENT for
    /// no members, or a last member without a distribution with TD_RETURN_COMPOSITE_FALSE.   \[any-thread\]  Since 0.1
    pub fn td_module_probabilistic_sequential(
        modules: *const *mut td_module,
        n: usize,
        return_composite: td_return_composite,
        options: *const td_sequential_options,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the distribution that a probabilistic module or sequence makes from the data. A sequence runs its members. If
    /// the distribution is not composite, they write into `tensordict_out`, or into the data if that is NULL. If it is
    /// composite, they write into a copy, and each member except the last draws again for the members after it.   Like
    /// get_dist.
    /// Errors: UNSUPPORTED if there is no distribution; KEY for a missing parameter; those of the members.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_get_dist(
        self_: *const td_module,
        data: *mut td_dict,
        tensordict_out: *mut td_dict,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs all members of a probabilistic sequence except the last, with the sequence's interaction type, and returns the
    /// dict with their outputs: `data`, `tensordict_out` (may be NULL), or a dict that a member returned.   Like
    /// get_dist_params.
    /// Errors: ARGUMENT if `self` is not a probabilistic sequence; those of the members.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_get_dist_params(
        self_: *const td_module,
        data: *mut td_dict,
        tensordict_out: *mut td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the distribution of the last probabilistic module, made from parameters in `params`; no module runs.   Like
    /// build_dist_from_params.
    /// Errors: as td_module_get_dist.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_dist_from_params(
        self_: *const td_module,
        params: *const td_dict,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the log-probability of the samples in the data. For a composite distribution it is the sum over the parts and
    /// their dims beyond the batch. td_module_log_prob_dict returns all log-probabilities in a new dict, under their keys.
    /// `options` may be NULL.   Like log_prob, under set_composite_lp_aggregate(True) and (False); the data does not change,
    /// except by td_module_get_dist.
    /// Errors: KEY for a missing sample; those of td_module_get_dist.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_log_prob(
        self_: *const td_module,
        data: *mut td_dict,
        options: *const td_log_prob_options,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the log-probability of the samples in the data. For a composite distribution it is the sum over the parts and
    /// their dims beyond the batch. td_module_log_prob_dict returns all log-probabilities in a new dict, under their keys.
    /// `options` may be NULL.   Like log_prob, under set_composite_lp_aggregate(True) and (False); the data does not change,
    /// except by td_module_get_dist.
    /// Errors: KEY for a missing sample; those of td_module_get_dist.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_log_prob_dict(
        self_: *const td_module,
        data: *mut td_dict,
        options: *const td_log_prob_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of the parameters, of the samples, or of the log-probabilities, even if these are not written; for a
    /// sequence, those of the last member come first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors:
    /// UNSUPPORTED if it has no distribution.   \[any-thread\]  Since 0.1
    pub fn td_module_dist_params_keys(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of the parameters, of the samples, or of the log-probabilities, even if these are not written; for a
    /// sequence, those of the last member come first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors:
    /// UNSUPPORTED if it has no distribution.   \[any-thread\]  Since 0.1
    pub fn td_module_dist_sample_keys(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys of the parameters, of the samples, or of the log-probabilities, even if these are not written; for a
    /// sequence, those of the last member come first.   Like dist_params_keys, dist_sample_keys, log_prob_keys.   Errors:
    /// UNSUPPORTED if it has no distribution.   \[any-thread\]  Since 0.1
    pub fn td_module_log_prob_keys(
        self_: *const td_module,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills up to `capacity` sizes of `out` with the dims that draws add before the batch, those of the last member first,
    /// and returns their number; 0 for other modules.   Like num_samples.   \[any-thread\]  Since 0.1
    pub fn td_module_num_samples(self_: *const td_module, out: *mut i64, capacity: usize) -> usize;

    /// Returns the module's own interaction type; for a sequence, that of the last member that has one; DEFAULT for other
    /// modules.   Like default_interaction_type.   \[any-thread\]  Since 0.1
    pub fn td_module_default_interaction(self_: *const td_module) -> td_interaction;

    // Hashes

    /// Makes an instance of a hash type. `config` is a JSON object, checked by the type's schema; NULL data is {}.
    /// Errors: NOT_FOUND for an unknown type; ARGUMENT naming the member of a bad config; PLUGIN.
    /// \[any-thread\]  Since 0.1
    pub fn td_hash_new(
        type_: td_str,
        config: td_str,
        out: *mut *mut td_hash,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a hash that calls `function.fn`, on any thread that uses the hash.
    /// Errors: ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_hash_from_function(
        function: *const td_hash_function,
        out: *mut *mut td_hash,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns an independent hash with the same state, which gives the same values.
    /// Errors: UNSUPPORTED for a function; PLUGIN.   \[any-thread\]  Since 0.1
    pub fn td_hash_clone(
        self_: *const td_hash,
        out: *mut *mut td_hash,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Sets out\[i\] to the hash of the `row_bytes` bytes at rows + i \* stride, for each i \< n.   Errors: UNSUPPORTED if it
    /// hashes tensors; PLUGIN.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_hash_rows(
        self_: *const td_hash,
        rows: *const c_void,
        n: usize,
        row_bytes: usize,
        stride: usize,
        out: *mut u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Hashes the elements of each row of the leading dim in row-major order, whatever the strides; bfloat16 is hashed as
    /// float16. The result has one int64 for each row.   Like SipHash.forward.
    /// Errors: SHAPE for a tensor without dims; DTYPE; PLUGIN if the plugin returns another number of results.
    /// \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_hash_call(
        self_: *const td_hash,
        rows: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns {"type", "version", "config", "takes": "bytes" or "tensor", "flags": \[...\]} as JSON; {"type": null} for a
    /// callback.   \[any-thread\]  Since 0.1
    pub fn td_hash_describe(
        self_: *const td_hash,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes the state of the hash beyond its config, with the version of its format.
    /// Errors: UNSUPPORTED for a function; those of the type and of `to`.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_hash_save(
        self_: *const td_hash,
        to: *const td_writer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Loads the state that td_hash_save wrote for a hash of the same type and config.
    /// Errors: UNSUPPORTED for a function; CORRUPT, VERSION for other bytes; those of the type and of `from`.
    /// \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_hash_load(
        self_: *mut td_hash,
        from: *const td_reader,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_hash_retain(self_: *const td_hash);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_hash_release(self_: *const td_hash);

    // Queries

    /// Makes a query with an empty map over `n` keys. With several keys, the hashes of a row are hashed again, in the order
    /// of the keys. `options` may be NULL.   Like torchrl's QueryModule.
    /// Errors: ARGUMENT for n = 0, a bad config, or a number of hashes that differs from the number of keys; UNSUPPORTED if
    /// one hash for several keys cannot be copied; NOT_FOUND for an unknown hash type.   \[any-thread\]  Since 0.1
    pub fn td_query_new(
        in_keys: *const td_key,
        n: usize,
        options: *const td_query_options,
        out: *mut *mut td_query,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure
    /// neither the map nor `data` changes.   Like QueryModule.forward.
    /// Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
    /// size; DTYPE; LOCKED; NOSPACE if a batch has more different rows than the capacity.
    /// \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_query_forward(
        self_: *mut td_query,
        data: *mut td_dict,
        flags: td_query_flags,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Looks up rows like td_query_forward. `\*out` is a new reference to `data`, or an unlocked copy with the same tensors.
    /// `options` may be NULL.   Like calling a QueryModule.
    /// Errors: as td_query_forward.   \[exclusive\] \[may-alias\] \[may-call-back\]  Since 0.1
    pub fn td_query_call(
        self_: *mut td_query,
        data: *mut td_dict,
        options: *const td_query_call_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module that runs the query, for td_module_sequential and other functions that take modules. Its in-keys and
    /// out-keys are the query's. It shares the map with the query; calls that add rows run one at a time.   Like torchrl's
    /// QueryModule.   \[any-thread\]  Since 0.1
    pub fn td_module_query(
        query: *mut td_query,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns for each row whether it is in the map, its index (or -1), or its int64 hash. The map does not change, and the
    /// rows do not count as used.
    /// Errors: KEY; SHAPE; DTYPE.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_contains(
        self_: *const td_query,
        data: *const td_dict,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns for each row whether it is in the map, its index (or -1), or its int64 hash. The map does not change, and the
    /// rows do not count as used.
    /// Errors: KEY; SHAPE; DTYPE.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_look_up(
        self_: *const td_query,
        data: *const td_dict,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns for each row whether it is in the map, its index (or -1), or its int64 hash. The map does not change, and the
    /// rows do not count as used.
    /// Errors: KEY; SHAPE; DTYPE.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_hash(
        self_: *const td_query,
        data: *const td_dict,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the rows of `data` from the map; new rows get their indices, the smallest first. `out` (may be NULL) receives
    /// the number of removed rows.
    /// Errors: as td_query_contains; UNSUPPORTED for a map in shared memory or a file, which only grows, and a map without
    /// `erase`.   \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_query_remove(
        self_: *mut td_query,
        data: *const td_dict,
        out: *mut i64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes all rows; the next index is 0.
    /// Errors: UNSUPPORTED for a map in shared memory or a file, and a map without `clear`.
    /// \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_query_clear(self_: *mut td_query, err: *mut *mut td_error) -> td_status;

    /// Restricts the out-keys that forward leaves in the dict, until they are reset. Further calls can only restrict them
    /// more.   Like TensorDictModule.select_out_keys, reset_out_keys.   Errors: KEY for a key that is not an out-key now.
    /// \[exclusive\]  Since 0.1
    pub fn td_query_select_out_keys(
        self_: *mut td_query,
        keys: *const td_key,
        n: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Restricts the out-keys that forward leaves in the dict, until they are reset. Further calls can only restrict them
    /// more.   Like TensorDictModule.select_out_keys, reset_out_keys.   Errors: KEY for a key that is not an out-key now.
    /// \[exclusive\]  Since 0.1
    pub fn td_query_reset_out_keys(self_: *mut td_query, err: *mut *mut td_error) -> td_status;

    /// Returns the keys that the query reads, or the keys that it writes: the index key, then the hash key.
    /// \[any-thread\]  Since 0.1
    pub fn td_query_in_keys(
        self_: *const td_query,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the keys that the query reads, or the keys that it writes: the index key, then the hash key.
    /// \[any-thread\]  Since 0.1
    pub fn td_query_out_keys(
        self_: *const td_query,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the map as a dict without batch dims: "keys" and "values" (int64, in the order of the indices), "next",
    /// "identity" (the hash types and their configs) and the state of the hashes. Save it with td_save and open it with
    /// td_open.   Like HashToInt.state_dict.
    /// Errors: UNSUPPORTED for a map without `state`.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_state(
        self_: *const td_query,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the map by a state from td_query_state; without "next" the next index is one more than the largest. If the
    /// state cannot be loaded, nothing changes.   Like HashToInt.load_state_dict.
    /// Errors: KEY for a missing entry; ARGUMENT for other hash types, duplicate hashes or indices, indices out of range,
    /// and entries of other dtypes or shapes; CORRUPT, VERSION for the state of a hash; UNSUPPORTED for a map in shared
    /// memory or a file, and a map without `load`.   \[exclusive\] \[may-call-back\]  Since 0.1
    pub fn td_query_load_state(
        self_: *mut td_query,
        state: *const td_dict,
        flags: td_query_load_any_flags,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills `out`, whose struct_size the caller has set (TD_QUERY_STATISTICS_INIT).
    /// Errors: ARGUMENT for a bad struct_size.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_stats(
        self_: *const td_query,
        out: *mut td_query_statistics,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Fills `out`, whose struct_size the caller has set (TD_QUERY_OPTIONS_INIT), with the options of the query: hash_type
    /// and hash_config, which live as long as the query, capacity, miss, threads, clone, exact and canonical. The other
    /// members are NULL or 0; td_query_out_keys has the keys.
    /// Errors: ARGUMENT for a bad struct_size.   \[any-thread\]  Since 0.2
    pub fn td_query_get_options(
        self_: *const td_query,
        out: *mut td_query_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of rows in the map; 0 for NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_size(self_: *const td_query) -> i64;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_query_retain(self_: *const td_query);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_query_release(self_: *const td_query);

    // Maps that the caller implements

    /// Makes a query like td_query_new over a map of the caller's, which need not be empty. In every call that uses the map,
    /// CALLBACK is returned if a callback fails or returns an index that is negative or not below the next one. Rows that
    /// such a call added are erased again; without `erase`, or if it fails too, they keep the indices that the map gave
    /// them. In td_query_stats, `size` and `next` are the map's and the other numbers are 0; td_query_size is 0 if the map
    /// fails. td_query_share, td_query_save and td_query_attach are UNSUPPORTED.   Like QueryModule(hash_to_int=...).
    /// Errors: as td_query_new; ARGUMENT for a map without `look_up`, `insert` or `size`, and for `exact`, a capacity or
    /// `map_of` in the options.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_query_new_with_map(
        in_keys: *const td_key,
        n: usize,
        options: *const td_query_options,
        map: *const td_index_map,
        out: *mut *mut td_query,
        err: *mut *mut td_error,
    ) -> td_status;

    // Maps in files

    /// Moves the map to shared memory under `name`, visible only to this user (0600), and writes to it from now on. Names
    /// follow the rules of segments; td_segment_list and td_segment_prune include maps. `options` may be NULL.
    /// Errors: EXISTS if the name is taken; ARGUMENT for a bad name, a capacity below the current number of rows, and hashes
    /// that draw their state at the first use, before that use; UNSUPPORTED for exact maps; NOSPACE.
    /// \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_query_share(
        self_: *mut td_query,
        name: td_str,
        options: *const td_query_share_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Writes the map to a file for td_query_attach. The file appears atomically. `options` may be NULL.
    /// Errors: EXISTS unless `overwrite`; NOT_FOUND without the directory; as td_query_share; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_query_save(
        self_: *const td_query,
        path: td_str,
        options: *const td_query_save_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Replaces the query's map by the one in shared memory with this name, or in the file `name` if it begins with '/'. The
    /// hashes must have the same types and configs; their states come with the map. The file is not trusted: everything in
    /// it is checked.
    /// Errors: NOT_FOUND; CORRUPT; VERSION; ARGUMENT for other hashes; LOCKED for TD_QUERY_MAP_WRITE if another process is
    /// the writer; UNSUPPORTED for queries with exact keys or a capacity; IO.   \[exclusive\] \[may-block\]  Since 0.1
    pub fn td_query_attach(
        self_: *mut td_query,
        name: td_str,
        mode: td_query_map_mode,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the name of a map in shared memory. Processes that have it open can still use it.
    /// Errors: NOT_FOUND; CORRUPT if it is not a map; IO.   \[any-thread\]  Since 0.1
    pub fn td_query_unlink(name: td_str, err: *mut *mut td_error) -> td_status;

    // Rows under keys

    /// Makes an empty store, or opens a store with the rows in the directory at `path`. The directory is a memmap directory
    /// with "rows" and "present", made at the first write; td_open and stock Python can open it. `options` may be NULL.
    /// Like torchrl's LazyTensorStorage, LazyMemmapStorage.
    /// Errors: ARGUMENT for a negative capacity, and for preallocate or a path without a capacity; CORRUPT if the directory
    /// is not a store; SHAPE if the store has another capacity; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_store_new(
        options: *const td_store_options,
        out: *mut *mut td_store,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies row i of `rows` (batch size \[n\]) to the int64 index\[i\]; among equal indices the last row wins. The first write
    /// determines keys, dtypes and shapes.   Like TensorStorage.set.
    /// Errors: INDEX for a negative index; NOSPACE past the capacity; SHAPE; DTYPE; KEY for other keys than before;
    /// UNSUPPORTED for non-tensor entries. On failure nothing changes.   \[exclusive\]  Since 0.1
    pub fn td_store_set(
        self_: *mut td_store,
        index: *const td_tensor,
        rows: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a new dict with the rows at `index`.   Like TensorStorage.get.
    /// Errors: INDEX naming the first index without a row.   \[any-thread\]  Since 0.1
    pub fn td_store_get(
        self_: *const td_store,
        index: *const td_tensor,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns a bool for each int64 index: whether it holds a row.   Errors: SHAPE; DTYPE.   \[any-thread\]  Since 0.1
    pub fn td_store_contains(
        self_: *const td_store,
        index: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Draws `batch_size` of the rows in the store, each with the same probability, with `generator` (NULL: the default
    /// one). `out` receives a new dict with these rows, and `out_index` their int64 indices; each may be NULL. The same
    /// seed draws the same rows; with replacement, of rows 0 to size - 1, those of torch.randint(size, (batch_size,)). For
    /// epochs, draw all indices once without replacement and get them in parts. `options` may be NULL.   Like torchrl's
    /// ReplayBuffer.sample with RandomSampler, SamplerWithoutReplacement.
    /// Errors: ARGUMENT for a negative size, or more different rows than the store has; INDEX if the store is empty.
    /// \[any-thread\]  Since 0.2
    pub fn td_store_sample(
        self_: *const td_store,
        batch_size: i64,
        options: *const td_sample_options,
        generator: *mut td_generator,
        out: *mut *mut td_dict,
        out_index: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes all rows, and the keys, dtypes and shapes that the first write determined; a store in a directory keeps
    /// these.   \[exclusive\]  Since 0.1
    pub fn td_store_clear(self_: *mut td_store, err: *mut *mut td_error) -> td_status;

    /// Fills `out`, whose struct_size the caller has set (TD_STORE_OPTIONS_INIT), with the options of the store. `path`
    /// lives as long as the store.   Errors: ARGUMENT for a bad struct_size.   \[any-thread\]  Since 0.2
    pub fn td_store_get_options(
        self_: *const td_store,
        out: *mut td_store_options,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the number of rows in the store; a row that was overwritten counts once.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_store_size(self_: *const td_store) -> i64;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_store_retain(self_: *const td_store);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_store_release(self_: *const td_store);

    /// Makes a row map from a query and a store, and keeps references to both.   Like torchrl's TensorDictMap.
    /// \[any-thread\]  Since 0.1
    pub fn td_row_map_new(
        query: *mut td_query,
        store: *mut td_store,
        out: *mut *mut td_row_map,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stores each row of `rows` under the corresponding row of `keys`; among equal keys the last row wins. A dict without
    /// batch dims is one row. If the query has a limited capacity, new rows replace the least recently used ones.   Like
    /// TensorDictMap.set.
    /// Errors: those of td_query_forward and td_store_set. On failure neither map nor store changes.
    /// \[exclusive\]  Since 0.1
    pub fn td_row_map_set(
        self_: *mut td_row_map,
        keys: *const td_dict,
        rows: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns the rows stored under the rows of `keys`.   Like TensorDictMap.get.   Errors: INDEX naming the first row of
    /// `keys` that is missing.   \[any-thread\]  Since 0.1
    pub fn td_row_map_get(
        self_: *const td_row_map,
        keys: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Returns for each row of `keys` whether it is in the map, as a bool tensor; without dims for a dict without batch
    /// dims.   Like TensorDictMap.contains.   \[any-thread\]  Since 0.1
    pub fn td_row_map_contains(
        self_: *const td_row_map,
        keys: *const td_dict,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes all rows, also from the query and the store.   \[exclusive\]  Since 0.1
    pub fn td_row_map_clear(self_: *mut td_row_map, err: *mut *mut td_error) -> td_status;

    /// Returns the number of rows in the store.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_row_map_size(self_: *const td_row_map) -> i64;

    /// Adds a reference; NULL is allowed.   \[any-thread\] \[leaf\]  Since 0.1
    pub fn td_row_map_retain(self_: *const td_row_map);

    /// Drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_row_map_release(self_: *const td_row_map);

    // Plugins

    /// Loads one plugin file, or the file that a manifest (\*.toml) names. Loading the same file again does nothing. If a
    /// manifest with the name of the file is beside it, the file must match its sha256, id, version and kinds.
    /// Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, links LibTorch, differs from its manifest, or if another
    /// user, an access control list or a group other than the user's own private one may write to it, to its manifest or to
    /// a directory above it; VERSION with both sides' numbers if it was built for another ABI; EXISTS if all its types are
    /// already registered in the same or a higher version.   \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_load(file: td_str, err: *mut *mut td_error) -> td_status;

    /// Loads every `\*.so` and `\*.toml` of a directory, in the order of their names. td_plugins_report lists files that are
    /// refused.
    /// Errors: NOT_FOUND; IO.   \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_add_path(directory: td_str, err: *mut *mut td_error) -> td_status;

    /// Returns the types in use, as a JSON array of {kind, id, plugin, version, file, vendor, license, flags, schema}.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_plugins_list(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;

    /// Returns one line per file: whether it was loaded or refused, with the reason.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_plugins_report(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;

    /// Registers a type under `info-\>id`; it can be used immediately.
    /// Errors: ARGUMENT for a bad info, an invalid schema, or a missing callback; EXISTS if the id is taken for this kind.
    /// Failures of the callbacks, and exceptions from them, are CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_register_hash(
        info: *const td_type_info,
        callbacks: *const td_hash_callbacks,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Registers a type under `info-\>id`; it can be used immediately.
    /// Errors: ARGUMENT for a bad info, an invalid schema, or a missing callback; EXISTS if the id is taken for this kind.
    /// Failures of the callbacks, and exceptions from them, are CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_register_module(
        info: *const td_type_info,
        callbacks: *const td_module_callbacks,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Registers a type under `info-\>id`; it can be used immediately.
    /// Errors: ARGUMENT for a bad info, an invalid schema, or a missing callback; EXISTS if the id is taken for this kind.
    /// Failures of the callbacks, and exceptions from them, are CALLBACK.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_register_dist(
        info: *const td_type_info,
        callbacks: *const td_dist_callbacks,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes a type from look-ups, whether a plugin or this process registered it. Existing instances continue to work.
    /// The id is free again.
    /// Errors: NOT_FOUND; ARGUMENT for an unknown kind.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_unregister(
        kind: td_plugin_kind,
        id: td_str,
        err: *mut *mut td_error,
    ) -> td_status;
}
