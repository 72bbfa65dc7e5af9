//! The whole of tensordict.h, as it is: unsafe, unchecked, undecorated. The safe layer is the rest of this crate.
//!
//! Do not edit; made from tensordict.h 0.1.0 by bindings/generate.py.
#![allow(non_camel_case_types)]

use std::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_void};

pub type td_status = i32;
pub type td_bool = u8;
pub type td_dtype = i32;
pub type td_value_kind = i32;
pub type td_object_kind = i32;
pub type td_fast_level = i32;
pub type td_entry_kind = i32;
pub type td_index_kind = i32;
pub type td_open_mode = i32;
pub type td_randomness = i32;
pub type td_dist_stat = i32;

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
pub const TD_ERR_TIMEOUT: td_status = 15;
pub const TD_ERR_CLOSED: td_status = 16;
/// LibTorch refused; the message is its own
pub const TD_ERR_TORCH: td_status = 17;
pub const TD_ERR_OOM: td_status = 18;
/// a bug in this library
pub const TD_ERR_INTERNAL: td_status = 19;
/// no such file, directory, segment, operator, plugin or type
pub const TD_ERR_NOT_FOUND: td_status = 20;
/// the name is taken
pub const TD_ERR_EXISTS: td_status = 21;
/// "not given": an operation's default
pub const TD_DTYPE_NONE: td_dtype = 0;
pub const TD_BOOL: td_dtype = 1;
pub const TD_UINT8: td_dtype = 2;
pub const TD_INT8: td_dtype = 3;
pub const TD_INT16: td_dtype = 4;
pub const TD_INT32: td_dtype = 5;
pub const TD_INT64: td_dtype = 6;
/// uint16, uint32 and uint64 need LibTorch 2.3 or later
pub const TD_UINT16: td_dtype = 7;
pub const TD_UINT32: td_dtype = 8;
pub const TD_UINT64: td_dtype = 9;
pub const TD_FLOAT16: td_dtype = 10;
pub const TD_BFLOAT16: td_dtype = 11;
pub const TD_FLOAT32: td_dtype = 12;
pub const TD_FLOAT64: td_dtype = 13;
pub const TD_COMPLEX32: td_dtype = 14;
pub const TD_COMPLEX64: td_dtype = 15;
pub const TD_COMPLEX128: td_dtype = 16;
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
/// as.str with `size`; arguments only. Devices are strings: "cpu", "cuda:0"
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
/// as.dict; arguments of td_dict_apply_op only
pub const TD_VALUE_DICT: td_value_kind = 14;
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
pub const TD_OBJECT_DIST: td_object_kind = 12;
pub const TD_OBJECT_QUERY: td_object_kind = 13;
pub const TD_OBJECT_NO_GRAD: td_object_kind = 14;
/// files and segments mapped now, by whatever still uses them
pub const TD_OBJECT_MAPPING: td_object_kind = 15;
/// LibTorch operators only
pub const TD_FAST_NONE: td_fast_level = 0;
/// and views made by hand on plain CPU tensors
pub const TD_FAST_VIEWS: td_fast_level = 1;
/// and results of many leaves in one allocation; the default
pub const TD_FAST_ARENA: td_fast_level = 2;
pub const TD_ENTRY_NONE: td_entry_kind = 0;
pub const TD_ENTRY_TENSOR: td_entry_kind = 1;
pub const TD_ENTRY_DICT: td_entry_kind = 2;
/// go into nodes; a node is listed before what it holds
pub const TD_KEYS_NESTED: u64 = 1 << 0;
/// tensors only
pub const TD_KEYS_LEAVES: u64 = 1 << 1;
/// start
pub const TD_INDEX_KIND_INT: td_index_kind = 0;
/// start:stop:step; step \>= 1; negative start and stop count from the end
pub const TD_INDEX_KIND_SLICE: td_index_kind = 1;
/// a new dim of size 1
pub const TD_INDEX_KIND_NONE: td_index_kind = 2;
/// as many full slices as are left; at most one
pub const TD_INDEX_KIND_ELLIPSIS: td_index_kind = 3;
/// integers, or a bool mask over as many dims as it has
pub const TD_INDEX_KIND_TENSOR: td_index_kind = 4;
/// memory is mapped read-only: our own writes refuse with LOCKED
pub const TD_MODE_READ: td_open_mode = 0;
/// writes stay in this process and never reach the file
pub const TD_MODE_COW: td_open_mode = 1;
/// random operators fail
pub const TD_RANDOMNESS_ERROR: td_randomness = 0;
/// each member draws its own numbers
pub const TD_RANDOMNESS_DIFFERENT: td_randomness = 1;
pub const TD_RANDOMNESS_SAME: td_randomness = 2;
pub const TD_DIST_MEAN: td_dist_stat = 0;
pub const TD_DIST_MODE: td_dist_stat = 1;
pub const TD_DIST_VARIANCE: td_dist_stat = 2;
pub const TD_DIST_ENTROPY: td_dist_stat = 3;
/// rows not seen before get new indices; else they get the size of the map, as in torchrl
pub const TD_QUERY_EXTEND: u64 = 1 << 0;
/// also write the int64 hash
pub const TD_QUERY_WRITE_HASH: u64 = 1 << 1;
pub const TD_QUERY_DEFAULT: u64 = (1 << 0) | (1 << 1);
pub const TD_VERSION_MAJOR: i32 = 0;
pub const TD_VERSION_MINOR: i32 = 1;
pub const TD_VERSION_PATCH: i32 = 0;
pub const TD_ABI_MAJOR: i32 = 1;
pub const TD_STRLEN: usize = usize::MAX;
pub const TD_END: i64 = i64::MAX;
pub const TD_VMAP_SHARED: i32 = i32::MIN;

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
pub struct DLManagedTensor {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

#[repr(C)]
pub struct DLManagedTensorVersioned {
    _data: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Tells the owner of foreign memory that the last view of it is gone. Runs on any thread, exactly once.
pub type td_release_fn = Option<unsafe extern "C" fn(owner: *mut c_void)>;

/// UTF-8 text: `size` bytes at `data`, or TD_STRLEN for text that ends with a NUL. Need not end with a NUL otherwise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_str {
    pub data: *const c_char,
    pub size: usize,
}

/// A nested key is a list of strings; no separator is parsed, so dots and slashes are ordinary characters. n \>= 1.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_key {
    pub parts: *const td_str,
    pub n: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union td_value_as {
    pub i: i64,
    pub f: f64,
    pub str: *const c_char,
    pub ints: *const i64,
    pub doubles: *const f64,
    pub bools: *const td_bool,
    pub tensor: *mut td_tensor,
    pub tensors: *const *mut td_tensor,
    pub list: *mut td_tensor_list,
    pub generator: *mut td_generator,
    pub dict: *const td_dict,
}

/// A tagged value. As an argument it borrows what it points to; as a result it owns it, and td_value_clear releases it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_value {
    pub kind: td_value_kind,
    pub reserved: i32,
    pub size: usize,
    pub as_: td_value_as,
}

/// An argument given by the name that it has in the operator's schema.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_named_value {
    pub name: td_str,
    pub value: td_value,
}

/// Choices at creation.
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
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_open_options {
    pub struct_size: usize,
    pub mode: td_open_mode,
}

impl Default for td_open_options {
    fn default() -> Self {
        td_open_options {
            struct_size: std::mem::size_of::<td_open_options>(),
            mode: TD_MODE_READ,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_save_options {
    pub struct_size: usize,
    pub overwrite: td_bool,
    pub sync: td_bool,
}

impl Default for td_save_options {
    fn default() -> Self {
        td_save_options {
            struct_size: std::mem::size_of::<td_save_options>(),
            overwrite: 0,
            sync: 0,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_segment_options {
    pub struct_size: usize,
    pub keep: td_bool,
}

impl Default for td_segment_options {
    fn default() -> Self {
        td_segment_options {
            struct_size: std::mem::size_of::<td_segment_options>(),
            keep: 0,
        }
    }
}

/// A function of the caller's as a module without state. `fn` borrows its inputs and fills `outputs` with new references;
/// `destroy(userdata)` runs once, when the module dies or before the creating call returns if it fails.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_module_function {
    pub fn_: Option<unsafe extern "C" fn(userdata: *mut c_void, inputs: *const *mut td_tensor, n_inputs: usize, outputs: *mut *mut td_tensor, n_outputs: usize, err: *mut *mut td_error) -> td_status>,
    pub userdata: *mut c_void,
    pub destroy: Option<unsafe extern "C" fn(userdata: *mut c_void)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_vmap_options {
    pub struct_size: usize,
    pub randomness: td_randomness,
    pub data_dim: i32,
}

impl Default for td_vmap_options {
    fn default() -> Self {
        td_vmap_options {
            struct_size: std::mem::size_of::<td_vmap_options>(),
            randomness: TD_RANDOMNESS_ERROR,
            data_dim: TD_VMAP_SHARED,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct td_sgd_options {
    pub struct_size: usize,
    pub lr: f64,
    pub momentum: f64,
    pub dampening: f64,
    pub weight_decay: f64,
    pub nesterov: td_bool,
}

impl Default for td_sgd_options {
    fn default() -> Self {
        td_sgd_options {
            struct_size: std::mem::size_of::<td_sgd_options>(),
            lr: 1e-3,
            momentum: 0.0,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: 0,
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
}

impl Default for td_adam_options {
    fn default() -> Self {
        td_adam_options {
            struct_size: std::mem::size_of::<td_adam_options>(),
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: 0.0,
            amsgrad: 0,
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
        }
    }
}

#[link(name = "tensordict")]
extern "C" {
    // Basics

    /// The name of a status, "TD_ERR_KEY" for instance; "TD_ERR_?" for unknown values. Static text.   \[any-thread\]  Since 0.1
    pub fn td_status_name(status: td_status) -> *const c_char;

    // Versions and features

    /// The version of the library that is loaded, "0.1.0". Static text.   \[any-thread\]  Since 0.1
    pub fn td_version() -> *const c_char;

    /// The ABI major of the library that is loaded; equals TD_ABI_MAJOR of the header it was built from.   \[any-thread\]  Since 0.1
    pub fn td_abi_version() -> i32;

    /// How the library was built, as a JSON object: version, abi, libtorch, libtorch_path, cxx11_abi, compiler, boost, features.
    /// Errors: OOM.   \[any-thread\]  Since 0.1
    pub fn td_build_info(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;

    /// 1 if this build on this machine has the feature: "segment", "cuda", "uint16". Unknown names are 0.   \[any-thread\]  Since 0.1
    pub fn td_has_feature(name: td_str) -> td_bool;

    // Errors

    /// Makes an error: callbacks report their failures with it. Never fails: without memory it returns a fixed TD_ERR_OOM
    /// object, for which release does nothing.   \[any-thread\]  Since 0.1
    pub fn td_error_new(code: td_status, message: td_str) -> *mut td_error;

    /// The status that the failing call returned.   \[any-thread\]  Since 0.1
    pub fn td_error_code(self_: *const td_error) -> td_status;

    /// The whole message: what was wrong, where, and what to do. One line, ends with a NUL; lives as long as the error.
    /// \[any-thread\]  Since 0.1
    pub fn td_error_message(self_: *const td_error) -> td_str;

    /// The key that was meant, as `("next", "obs")`; empty when no key was concerned. Lives as long as the error.
    /// \[any-thread\]  Since 0.1
    pub fn td_error_key(self_: *const td_error) -> td_str;

    /// The file, segment, operator or plugin that was meant; empty when none was. Lives as long as the error.
    /// \[any-thread\]  Since 0.1
    pub fn td_error_where(self_: *const td_error) -> td_str;

    /// What the caller can do about it; empty when there is nothing to add. Lives as long as the error.   \[any-thread\]  Since 0.1
    pub fn td_error_hint(self_: *const td_error) -> td_str;

    /// The error that caused this one, or NULL. Borrowed: lives as long as `self`.   \[any-thread\]  Since 0.1
    pub fn td_error_cause(self_: *const td_error) -> *const td_error;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_error_retain(self_: *const td_error);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_error_release(self_: *const td_error);

    // Strings and keys

    /// The text; ends with a NUL that `size` does not count. Lives as long as the string.   \[any-thread\]  Since 0.1
    pub fn td_string_view(self_: *const td_string) -> td_str;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_string_retain(self_: *const td_string);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_string_release(self_: *const td_string);

    /// Number of keys in the list; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_keys_size(self_: *const td_keys) -> usize;

    /// The key at `index`; its parts live as long as the list.
    /// Errors: INDEX if `index` \>= size.   \[any-thread\]  Since 0.1
    pub fn td_keys_get(
        self_: *const td_keys,
        index: usize,
        out_view: *mut td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_keys_retain(self_: *const td_keys);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_keys_release(self_: *const td_keys);

    /// Makes a key ready for repeated look-ups: the strings are copied and hashed once.
    /// Errors: ARGUMENT if a part is not UTF-8 or n is 0.   \[any-thread\]  Since 0.1
    pub fn td_path_new(
        key: *const td_key,
        out: *mut *mut td_path,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_path_retain(self_: *const td_path);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_path_release(self_: *const td_path);

    // Process

    /// References of a kind that callers hold now: handed out or retained, and not yet released. A binding's leak test
    /// compares it before and after. -1 for an unknown kind.   \[any-thread\]  Since 0.1
    pub fn td_live_objects(kind: td_object_kind) -> i64;

    /// Bytes of files and segments that are mapped now.   \[any-thread\]  Since 0.1
    pub fn td_live_bytes() -> i64;

    /// Sets the level for the process; use it to rule our own code out when hunting a bug.
    /// Errors: ARGUMENT for an unknown level.   \[any-thread\]  Since 0.1
    pub fn td_set_fast_level(level: td_fast_level, err: *mut *mut td_error) -> td_status;

    /// Threads that LibTorch uses inside one operator, for the whole process.
    /// Errors: ARGUMENT if n \< 1.   \[any-thread\]  Since 0.1
    pub fn td_set_num_threads(n: i32, err: *mut *mut td_error) -> td_status;

    /// Makes the library usable in a forked child: one thread for operators (LibTorch's pool does not survive a fork), and
    /// segments that the parent created are no longer unlinked by the child. Call it first in the child.   \[exclusive\]  Since 0.1
    pub fn td_after_fork();

    // Tensors

    /// Makes a tensor over `data`, which stays the caller's and must live until `release(owner)` is called: when the last view
    /// is dropped, or before this call returns if it fails. `strides` counts elements and may be NULL for row-major;
    /// `release` may be NULL for memory that outlives the process's use of it.   Like torch.from_blob.
    /// Errors: ARGUMENT for a NULL `data` with elements or a negative size; DTYPE; SHAPE if a size overflows or a stride is
    /// negative; ARGUMENT if `data` is not aligned to its dtype.   \[any-thread\] \[may-call-back\]  Since 0.1
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

    /// Makes a tensor with a copy of row-major `data`.
    /// Errors: as td_tensor_from_memory, without the alignment; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_copy_from(
        data: *const c_void,
        dtype: td_dtype,
        dims: *const i64,
        ndim: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
    /// TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_empty(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
    /// TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_zeros(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
    /// TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_full(
        dims: *const i64,
        ndim: usize,
        value: f64,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// New tensors on `device` (NULL data: "cpu"), contents undefined, zeros, one value everywhere, or standard normal.
    /// TD_DTYPE_NONE is float32. `generator` may be NULL for LibTorch's default one.   Like torch.empty, zeros, full, randn.
    /// Errors: SHAPE for a negative or overflowing size; DTYPE; DEVICE; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_randn(
        dims: *const i64,
        ndim: usize,
        dtype: td_dtype,
        device: td_str,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_retain(self_: *const td_tensor);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_release(self_: *const td_tensor);

    /// Number of dims; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_tensor_ndim(self_: *const td_tensor) -> usize;

    /// Fill up to `capacity` entries of `out` and return the number of dims; `out` may be NULL if `capacity` is 0. Strides count
    /// elements; 0 is returned for a NULL tensor and for layouts without strides.   \[any-thread\]  Since 0.1
    pub fn td_tensor_shape(self_: *const td_tensor, out: *mut i64, capacity: usize) -> usize;

    /// Fill up to `capacity` entries of `out` and return the number of dims; `out` may be NULL if `capacity` is 0. Strides count
    /// elements; 0 is returned for a NULL tensor and for layouts without strides.   \[any-thread\]  Since 0.1
    pub fn td_tensor_strides(self_: *const td_tensor, out: *mut i64, capacity: usize) -> usize;

    /// Number of elements, bytes of one element, and bytes of all elements; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_tensor_numel(self_: *const td_tensor) -> i64;

    /// Number of elements, bytes of one element, and bytes of all elements; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_tensor_itemsize(self_: *const td_tensor) -> i64;

    /// Number of elements, bytes of one element, and bytes of all elements; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_tensor_nbytes(self_: *const td_tensor) -> i64;

    /// The element type; TD_DTYPE_NONE for NULL and for types that td_dtype has no name for.   \[any-thread\]  Since 0.1
    pub fn td_tensor_dtype(self_: *const td_tensor) -> td_dtype;

    /// The device, as "cpu" or "cuda:0".
    /// Errors: ARGUMENT; OOM.   \[any-thread\]  Since 0.1
    pub fn td_tensor_device(
        self_: *const td_tensor,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// 1 if the elements lie in row-major order without gaps.   \[any-thread\]  Since 0.1
    pub fn td_tensor_is_contiguous(self_: *const td_tensor) -> td_bool;

    /// 1 if the memory is mapped read-only: writing through td_tensor_data would fault, so our own writes refuse with LOCKED.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_is_read_only(self_: *const td_tensor) -> td_bool;

    /// The first element of a CPU tensor; lives as long as the tensor. Never NULL on success, also for 0 elements.
    /// Read-only tensors give their address through td_tensor_data; td_tensor_mutable_data refuses them.
    /// Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors and inside a vmap.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_data(
        self_: *const td_tensor,
        out_view: *mut *const c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The first element of a CPU tensor; lives as long as the tensor. Never NULL on success, also for 0 elements.
    /// Read-only tensors give their address through td_tensor_data; td_tensor_mutable_data refuses them.
    /// Errors: DEVICE if the data is not in this process's memory; LOCKED; UNSUPPORTED for sparse tensors and inside a vmap.
    /// \[any-thread\]  Since 0.1
    pub fn td_tensor_mutable_data(
        self_: *mut td_tensor,
        out_view: *mut *mut c_void,
        err: *mut *mut td_error,
    ) -> td_status;

    /// A copy with its own memory.   Like Tensor.clone.   \[any-thread\]  Since 0.1
    pub fn td_tensor_clone(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The same tensor if it is row-major already, else a row-major copy.   Like Tensor.contiguous.   \[any-thread\]  Since 0.1
    pub fn td_tensor_contiguous(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The same tensor if nothing changes, else a copy of another dtype (TD_DTYPE_NONE: keep) on another device (NULL data: keep).
    /// Like Tensor.to.   Errors: DTYPE; DEVICE.   \[any-thread\]  Since 0.1
    pub fn td_tensor_to(
        self_: *const td_tensor,
        dtype: td_dtype,
        device: td_str,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `src` into the memory of `self`, with broadcasting and a dtype cast.   Like Tensor.copy_.
    /// Errors: SHAPE; LOCKED if `self` is read-only.   \[exclusive\]  Since 0.1
    pub fn td_tensor_copy_(
        self_: *mut td_tensor,
        src: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The value of a tensor with one element, as INT, DOUBLE or BOOL.   Like Tensor.item.
    /// Errors: SHAPE if it has more or fewer elements; DTYPE for complex ones.   \[any-thread\]  Since 0.1
    pub fn td_tensor_item(
        self_: *const td_tensor,
        out: *mut td_value,
        err: *mut *mut td_error,
    ) -> td_status;

    // Lists of tensors

    /// Number of tensors; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_size(self_: *const td_tensor_list) -> usize;

    /// A new reference to the tensor at `index`.   Errors: INDEX.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_get(
        self_: *const td_tensor_list,
        index: usize,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_retain(self_: *const td_tensor_list);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_tensor_list_release(self_: *const td_tensor_list);

    // DLPack

    /// Give the tensor away: the receiver calls the struct's own deleter once. Read-only tensors carry DLPack's read-only flag;
    /// the unversioned form has no such flag and refuses them with LOCKED.
    /// Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and ones that require grad (detach first); DTYPE.   \[any-thread\]  Since 0.1
    pub fn td_tensor_to_dlpack(
        self_: *const td_tensor,
        out: *mut *mut DLManagedTensorVersioned,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Give the tensor away: the receiver calls the struct's own deleter once. Read-only tensors carry DLPack's read-only flag;
    /// the unversioned form has no such flag and refuses them with LOCKED.
    /// Errors: UNSUPPORTED for sparse, conjugated or vmapped tensors and ones that require grad (detach first); DTYPE.   \[any-thread\]  Since 0.1
    pub fn td_tensor_to_dlpack_unversioned(
        self_: *const td_tensor,
        out: *mut *mut DLManagedTensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Take a tensor: its deleter is called when the last view is dropped, or before this call returns if it fails.
    /// Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_from_dlpack(
        managed: *mut DLManagedTensorVersioned,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Take a tensor: its deleter is called when the last view is dropped, or before this call returns if it fails.
    /// Errors: VERSION for another DLPack major; DTYPE; DEVICE; SHAPE.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_tensor_from_dlpack_unversioned(
        managed: *mut DLManagedTensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    // Autograd

    /// 1 if operations on the tensor are recorded.   \[any-thread\]  Since 0.1
    pub fn td_tensor_requires_grad(self_: *const td_tensor) -> td_bool;

    /// Starts or stops recording on a leaf.   Like Tensor.requires_grad_.
    /// Errors: DTYPE unless it is a floating or complex tensor; ARGUMENT to stop on a non-leaf (detach it).   \[exclusive\]  Since 0.1
    pub fn td_tensor_set_requires_grad(
        self_: *mut td_tensor,
        requires_grad: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds the gradient of `self` to the grad of every leaf it was computed from. `gradient` may be NULL for a tensor of one
    /// element. `retain_graph` keeps the graph for another call.   Like Tensor.backward.
    /// Errors: SHAPE for more elements and no gradient; ARGUMENT if nothing requires grad; TORCH.   \[any-thread\]  Since 0.1
    pub fn td_tensor_backward(
        self_: *const td_tensor,
        gradient: *const td_tensor,
        retain_graph: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The collected gradient, a new reference; `\*out` is NULL if there is none yet.   Like Tensor.grad.   \[any-thread\]  Since 0.1
    pub fn td_tensor_grad(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The same data without its history.   Like Tensor.detach.   \[any-thread\]  Since 0.1
    pub fn td_tensor_detach(
        self_: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stops recording on the calling thread until td_no_grad_end. Scopes of one thread end in reverse order of their begin;
    /// in Go, lock the goroutine to its thread in between.   Like torch.no_grad.   \[any-thread\]  Since 0.1
    pub fn td_no_grad_begin(out: *mut *mut td_no_grad, err: *mut *mut td_error) -> td_status;

    /// Ends the scope and frees it.
    /// Errors: ARGUMENT on another thread than its begin, or if an inner scope is still open; the scope then stays.   \[exclusive\]  Since 0.1
    pub fn td_no_grad_end(self_: *mut td_no_grad, err: *mut *mut td_error) -> td_status;

    // Random numbers

    /// Makes a CPU generator; the same seed gives the same numbers as torch.Generator().manual_seed(seed).   \[any-thread\]  Since 0.1
    pub fn td_generator_new(
        seed: u64,
        out: *mut *mut td_generator,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Starts the sequence of `seed` again.   \[exclusive\]  Since 0.1
    pub fn td_generator_seed(
        self_: *mut td_generator,
        seed: u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_generator_retain(self_: *const td_generator);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_generator_release(self_: *const td_generator);

    /// Seeds LibTorch's default generators, for the whole process.   Like torch.manual_seed.   \[any-thread\]  Since 0.1
    pub fn td_manual_seed(seed: u64, err: *mut *mut td_error) -> td_status;

    // Operators

    /// Finds an operator: "add" is "aten::add". An overload with NULL data leaves the choice to each call: the first whose
    /// schema takes the arguments, exact matches before converted ones. Empty text is the overload without a name.
    /// Errors: NOT_FOUND, with the overloads that exist.   \[any-thread\]  Since 0.1
    pub fn td_op_find(
        name: td_str,
        overload: td_str,
        out: *mut *mut td_op,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The schemas, one a line, as PyTorch prints them.   \[any-thread\]  Since 0.1
    pub fn td_op_schema(
        self_: *const td_op,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Calls the operator. Positional `args` first, then `kwargs` by name, then the schema's defaults. A number is taken where
    /// the schema asks for a Tensor, Scalar, float or a list of one; an INTS where it asks for SymInt\[\].
    /// `outs\[0..n_outs)` receive the results in order; more outs than results are set to NONE, fewer is ARGUMENT.
    /// Errors: ARGUMENT if the arguments fit no schema (the message shows it); LOCKED if it would write to read-only memory;
    /// SHAPE, INDEX, DTYPE where LibTorch says so, else TORCH.   \[any-thread\]  Since 0.1
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

    /// Releases what a result owns and sets it to NONE; NULL is allowed. Not for values that only borrow.   \[exclusive\]  Since 0.1
    pub fn td_value_clear(self_: *mut td_value);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_op_retain(self_: *const td_op);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
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

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dict_retain(self_: *const td_dict);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dict_release(self_: *const td_dict);

    /// Fills up to `capacity` sizes of `out` and returns the number of batch dims; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_dict_batch_size(self_: *const td_dict, out: *mut i64, capacity: usize) -> usize;

    /// Changes the batch size; allowed on a locked dict. Nodes whose own batch size is shorter grow with it.
    /// Errors: SHAPE naming the first entry that does not fit; nothing has changed then.   Like TensorDict.batch_size.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_batch_size(
        self_: *mut td_dict,
        batch_size: *const i64,
        ndim: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The device that entries are moved to; `\*out` is NULL if there is none.   \[any-thread\]  Since 0.1
    pub fn td_dict_device(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The first batch size, or 0 without batch dims.   Like len(td).   \[any-thread\]  Since 0.1
    pub fn td_dict_len(self_: *const td_dict) -> i64;

    /// Number of entries at the root.   Like len(td.keys()).   \[any-thread\]  Since 0.1
    pub fn td_dict_count(self_: *const td_dict) -> usize;

    /// Bytes of all tensors, nested ones too.   \[any-thread\]  Since 0.1
    pub fn td_dict_nbytes(self_: *const td_dict) -> i64;

    /// Puts `value` under `key`, replacing what is there; missing nodes are made with this dict's batch size. The tensor is
    /// stored, not copied: later in-place writes show in the dict.   Like TensorDict.set.
    /// Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
    /// tensor; DEVICE if the dict has a device and the move fails.   \[exclusive\]  Since 0.1
    pub fn td_dict_set(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Puts `value` under `key`, replacing what is there; missing nodes are made with this dict's batch size. The tensor is
    /// stored, not copied: later in-place writes show in the dict.   Like TensorDict.set.
    /// Errors: SHAPE if the leading dims of `value` differ from the batch size; LOCKED; KEY if the path runs through a
    /// tensor; DEVICE if the dict has a device and the move fails.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_p(
        self_: *mut td_dict,
        path: *const td_path,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Puts a dict under `key`. It is stored itself if its batch size begins with this dict's (and the device agrees); else a
    /// shallow copy with this dict's batch size is stored and `value` is left as it is.   Like TensorDict.set.
    /// Errors: as td_dict_set; ARGUMENT if `value` would contain itself.   \[exclusive\]  Since 0.1
    pub fn td_dict_set_dict(
        self_: *mut td_dict,
        key: *const td_key,
        value: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies `value` into the memory of the tensor under `key`; allowed on a locked dict.   Like TensorDict.set_.
    /// Errors: KEY if there is none; SHAPE; LOCKED if that memory is read-only.   \[exclusive\]  Since 0.1
    pub fn td_dict_copy_into(
        self_: *mut td_dict,
        key: *const td_key,
        value: *const td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The tensor under `key`, a new reference.   Like td\[key\].
    /// Errors: KEY if it is missing, is a dict, or the path runs through a tensor.   \[any-thread\]  Since 0.1
    pub fn td_dict_get(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The tensor under `key`, a new reference.   Like td\[key\].
    /// Errors: KEY if it is missing, is a dict, or the path runs through a tensor.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_p(
        self_: *const td_dict,
        path: *const td_path,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The tensors under `n` paths in one call; all or none.   Errors: KEY.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_many(
        self_: *const td_dict,
        paths: *const *const td_path,
        n: usize,
        outs: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The dict under `key`, a new reference: changes show in `self`.
    /// Errors: KEY if it is missing or is a tensor.   \[any-thread\]  Since 0.1
    pub fn td_dict_get_dict(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// What stands under `key`: TD_ENTRY_NONE if it is missing, also below a tensor.   Like `key in td`, with the kind.
    /// \[any-thread\]  Since 0.1
    pub fn td_dict_has(
        self_: *const td_dict,
        key: *const td_key,
        out: *mut td_entry_kind,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Removes the entry; nodes that it leaves empty stay.   Like del td\[key\].
    /// Errors: KEY; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_dict_delete(
        self_: *mut td_dict,
        key: *const td_key,
        err: *mut *mut td_error,
    ) -> td_status;

    /// A snapshot of the keys in insertion order.   Like td.keys(include_nested, leaves_only).   \[any-thread\]  Since 0.1
    pub fn td_dict_keys(
        self_: *const td_dict,
        flags: u64,
        out: *mut *mut td_keys,
        err: *mut *mut td_error,
    ) -> td_status;

    /// A copy: nodes are new, tensors are shared.   Like td.copy().   \[any-thread\]  Since 0.1
    pub fn td_dict_copy(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// A deep copy: tensors are cloned, with their autograd history.   Like td.clone().   \[any-thread\]  Since 0.1
    pub fn td_dict_clone(
        self_: *const td_dict,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Index and stack

    /// Indexes the batch dims of every entry. Integers, slices and NONE give views, tensors give copies; the result is
    /// unlocked.   Like td\[index\].
    /// Errors: INDEX if it is out of range, or reaches past the batch dims.   \[any-thread\]  Since 0.1
    pub fn td_dict_index(
        self_: *const td_dict,
        indices: *const td_index,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Stacks dicts of equal keys, batch sizes and leaf shapes along a new batch dim `dim` (negative counts from the end of the
    /// result).   Like torch.stack over TensorDicts.
    /// Errors: ARGUMENT for n = 0; KEY naming a key that is not in all; SHAPE; INDEX.   \[any-thread\]  Since 0.1
    pub fn td_dict_stack(
        dicts: *const *const td_dict,
        n: usize,
        dim: i64,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Operators over dicts

    /// Calls `op` once for each leaf. Arguments of kind DICT are replaced by that leaf of theirs; all DICTs have the same leaf
    /// keys. Other arguments go to every call unchanged. `outs` receive one dict for each tensor that the operator returns,
    /// with the nodes and the batch size of the first DICT. With an operator that writes in place the leaves are written and the
    /// results share them; nothing is written unless every leaf can be called.
    /// Errors: ARGUMENT without a DICT; KEY if the leaves differ; SHAPE if a result loses the batch dims; and those of td_op_call,
    /// with the key.   Like td.add(other) and its 150 siblings.   \[any-thread\]  Since 0.1
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

    // Lock and print

    /// Forbids structural changes here and in all nodes below; values may still be written in place.   Like td.lock_().   \[exclusive\]  Since 0.1
    pub fn td_dict_lock(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// Allows them again, here and below.   Like td.unlock_().
    /// Errors: LOCKED while a locked dict that contains this one is alive; nothing has changed then.   \[exclusive\]  Since 0.1
    pub fn td_dict_unlock(self_: *mut td_dict, err: *mut *mut td_error) -> td_status;

    /// 1 if the dict is locked.   \[any-thread\]  Since 0.1
    pub fn td_dict_is_locked(self_: *const td_dict) -> td_bool;

    /// The text that Python's repr(td) gives for the same content.   \[any-thread\]  Since 0.1
    pub fn td_dict_repr(
        self_: *const td_dict,
        out: *mut *mut td_string,
        err: *mut *mut td_error,
    ) -> td_status;

    // Storage

    /// Opens what Python's td.save(path) or td_save wrote. Strict: every size, type and name is checked first, links are not
    /// followed, and nothing outside `path` is read. `options` may be NULL.   Like TensorDict.load_memmap, which tolerates more.
    /// Errors: NOT_FOUND; CORRUPT naming the file (missing or short leaf, bad JSON, batch mismatch...); UNSUPPORTED for
    /// collection kinds that this version does not open; DTYPE; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_open(
        path: td_str,
        options: *const td_open_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Saves as a memmap directory, byte for byte as Python does. It is built beside `path` and renamed: a crash leaves the old
    /// or the new, never half. `options` may be NULL.   Like TensorDict.save.
    /// Errors: EXISTS; KEY for names that the format cannot hold; UNSUPPORTED for layouts without bytes; NOSPACE; IO.
    /// \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_save(
        self_: *const td_dict,
        path: td_str,
        options: *const td_save_options,
        err: *mut *mut td_error,
    ) -> td_status;

    // Shared segments

    /// Copies `dict` into a new segment and makes it visible under `name` at one stroke, readable by this user only (0600).
    /// Names are 1 to 200 of A-Z a-z 0-9 _ . -, not beginning with a dot. `options` may be NULL.
    /// Errors: EXISTS if the name is taken; ARGUMENT for a bad name; NOSPACE; UNSUPPORTED for layouts without bytes; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_create(
        name: td_str,
        dict: *const td_dict,
        options: *const td_segment_options,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Opens a segment read-only. Everything in it is checked before use; a file that another user owns or may write is refused.
    /// Errors: NOT_FOUND; CORRUPT; VERSION; IO.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_segment_open(
        name: td_str,
        out: *mut *mut td_segment,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The dict in the segment, locked. Its tensors are views of the shared memory: the owner's may be written, the others'
    /// are read-only. They keep the memory mapped, also after td_segment_release and td_segment_unlink.   \[any-thread\]  Since 0.1
    pub fn td_segment_dict(
        self_: *const td_segment,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Copies the values of `src` into the segment's tensors in place: other processes see them without reopening. Readers that
    /// must not see a mix compare td_segment_version before and after.
    /// Errors: LOCKED unless this process created it; KEY, SHAPE or DTYPE if `src` differs in structure; nothing is written then.
    /// \[exclusive\]  Since 0.1
    pub fn td_segment_update(
        self_: *mut td_segment,
        src: *const td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Number of updates begun and ended: it is odd while one is under way. 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_segment_version(self_: *const td_segment) -> u64;

    /// The file that stock Python opens, "/dev/shm/digits.predictions". Lives as long as the segment.   \[any-thread\]  Since 0.1
    pub fn td_segment_path(self_: *const td_segment) -> td_str;

    /// Bytes of the whole segment; 0 for NULL.   \[any-thread\]  Since 0.1
    pub fn td_segment_nbytes(self_: *const td_segment) -> i64;

    /// Removes the name. Processes that have the segment open keep it.
    /// Errors: NOT_FOUND; CORRUPT if it is not a segment; IO.   \[any-thread\]  Since 0.1
    pub fn td_segment_unlink(name: td_str, err: *mut *mut td_error) -> td_status;

    /// Adds and drops a reference; NULL is allowed. Dropping the owner's last one unlinks the name, unless `keep`.   \[any-thread\]  Since 0.1
    pub fn td_segment_retain(self_: *const td_segment);

    /// Adds and drops a reference; NULL is allowed. Dropping the owner's last one unlinks the name, unless `keep`.   \[any-thread\]  Since 0.1
    pub fn td_segment_release(self_: *const td_segment);

    // Modules

    /// Makes a module of a plugin type. `config` is a JSON object, checked by the type; NULL data is {}. Parameters start at
    /// the type's own distribution drawn from `generator` (NULL: the default one).
    /// Errors: NOT_FOUND for an unknown type (the message lists those there are); ARGUMENT for a bad config; PLUGIN.   \[any-thread\]  Since 0.1
    pub fn td_module_create(
        type_: td_str,
        config: td_str,
        generator: *mut td_generator,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Makes a module that calls `function.fn`. It may be called from any thread that runs the module, and may call this library.
    /// Errors: ARGUMENT if `fn` is NULL.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_from_function(
        function: td_module_function,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Gives `inner` keys: forward reads the in_keys in order and writes the results to the out_keys ("_" drops one).
    /// Like TensorDictModule.   Errors: ARGUMENT.   \[any-thread\]  Since 0.1
    pub fn td_module_tensordict(
        inner: *mut td_module,
        in_keys: *const td_key,
        n_in: usize,
        out_keys: *const td_key,
        n_out: usize,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Chains modules that have keys.   Like TensorDictSequential.
    /// Errors: ARGUMENT naming the member without keys.   \[any-thread\]  Since 0.1
    pub fn td_module_sequential(
        modules: *const *mut td_module,
        n: usize,
        out: *mut *mut td_module,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_module_retain(self_: *const td_module);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_module_release(self_: *const td_module);

    /// Training mode, here and in all children: it is handed to the plugins' functions.   Like Module.train.   \[exclusive\]  Since 0.1
    pub fn td_module_train(
        self_: *mut td_module,
        training: td_bool,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module that has keys on `data`, in place: on failure `data` keeps the keys written by members that succeeded.
    /// Errors: ARGUMENT if it has no keys; KEY for a missing input; SHAPE; LOCKED; and those of the module itself.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_forward(
        self_: *const td_module,
        data: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The same with the parameters and buffers of `state` in place of the module's own; entries it lacks are taken from the
    /// module. The module is not changed.   Like torch.func.functional_call.
    /// Errors: KEY for an entry that the module does not have.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_forward_with(
        self_: *const td_module,
        state: *const td_dict,
        data: *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs a module on tensors; `outputs` receive `n_outputs` new references.
    /// Errors: ARGUMENT if it returns another number; and those of the module itself.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_call(
        self_: *const td_module,
        inputs: *const *mut td_tensor,
        n_inputs: usize,
        outputs: *mut *mut td_tensor,
        n_outputs: usize,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The state as a dict that mirrors the module tree, without batch dims. The tensors are the module's own.
    /// Like TensorDict.from_module.   \[any-thread\]  Since 0.1
    pub fn td_dict_from_module(
        module: *const td_module,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The states of `n` modules stacked along a new batch dim 0: new leaves, independent of the modules, that require grad as
    /// the first module's do.   Like TensorDict.from_modules.
    /// Errors: ARGUMENT for n = 0; KEY or SHAPE naming the entry that differs.   \[any-thread\]  Since 0.1
    pub fn td_dict_from_modules(
        modules: *const *mut td_module,
        n: usize,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Runs the module once for each of the N states in `states` (batch size \[N\], as td_dict_from_modules gives), vectorised:
    /// the result is a new dict of batch size \[N, batch...\] with all entries of `data` and all outputs. `data` is not
    /// changed.   Like vmap over functional_call.
    /// Errors: SHAPE if `states` has not one batch dim, or the mapped sizes differ; TORCH for random operators under
    /// TD_RANDOMNESS_ERROR; and those of td_module_forward_with.   \[any-thread\] \[may-call-back\]  Since 0.1
    pub fn td_module_vmap(
        self_: *const td_module,
        states: *const td_dict,
        data: *const td_dict,
        options: *const td_vmap_options,
        out: *mut *mut td_dict,
        err: *mut *mut td_error,
    ) -> td_status;

    // Optimizers

    /// Make an optimizer over every leaf of `params` that requires grad; `options` may be NULL.   Like torch.optim.SGD, Adam.
    /// Errors: ARGUMENT if no leaf requires grad, or an option is out of range.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_sgd(
        params: *const td_dict,
        options: *const td_sgd_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Make an optimizer over every leaf of `params` that requires grad; `options` may be NULL.   Like torch.optim.SGD, Adam.
    /// Errors: ARGUMENT if no leaf requires grad, or an option is out of range.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_adam(
        params: *const td_dict,
        options: *const td_adam_options,
        out: *mut *mut td_optimizer,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Forgets the collected gradients.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_zero_grad(self_: *mut td_optimizer, err: *mut *mut td_error) -> td_status;

    /// Changes the parameters in place by one step.   \[exclusive\]  Since 0.1
    pub fn td_optimizer_step(self_: *mut td_optimizer, err: *mut *mut td_error) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_retain(self_: *const td_optimizer);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_optimizer_release(self_: *const td_optimizer);

    // Distributions

    /// Makes a distribution from its parameters, which are kept by reference. `config` is a JSON object; NULL data is {}.
    /// Errors: NOT_FOUND; KEY for a missing or unknown parameter; SHAPE if they do not broadcast; PLUGIN.   \[any-thread\]  Since 0.1
    pub fn td_dist_create(
        type_: td_str,
        params: *const td_dict,
        config: td_str,
        out: *mut *mut td_dist,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Draws `shape` + batch shape values, without and with gradients to the parameters. `generator` may be NULL.
    /// Errors: UNSUPPORTED if the type cannot.   Like Distribution.sample, rsample.   \[any-thread\]  Since 0.1
    pub fn td_dist_sample(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Draws `shape` + batch shape values, without and with gradients to the parameters. `generator` may be NULL.
    /// Errors: UNSUPPORTED if the type cannot.   Like Distribution.sample, rsample.   \[any-thread\]  Since 0.1
    pub fn td_dist_rsample(
        self_: *const td_dist,
        shape: *const i64,
        ndim: usize,
        generator: *mut td_generator,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// The log of the density or mass at `value`.   Errors: UNSUPPORTED; SHAPE.   \[any-thread\]  Since 0.1
    pub fn td_dist_log_prob(
        self_: *const td_dist,
        value: *const td_tensor,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// A statistic, of the batch shape.   Errors: UNSUPPORTED if the type has none.   \[any-thread\]  Since 0.1
    pub fn td_dist_get(
        self_: *const td_dist,
        stat: td_dist_stat,
        out: *mut *mut td_tensor,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dist_retain(self_: *const td_dist);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_dist_release(self_: *const td_dist);

    // Queries

    /// Makes an empty map over `n` keys. With several keys the rows' hashes are hashed again, in the order of the keys.
    /// `options` may be NULL.   Like torchrl's QueryModule.
    /// Errors: ARGUMENT for n = 0 or a bad config; NOT_FOUND for an unknown hash type.   \[any-thread\]  Since 0.1
    pub fn td_query_new(
        in_keys: *const td_key,
        n: usize,
        options: *const td_query_options,
        out: *mut *mut td_query,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Looks up every row of `data` along the leading dim and writes int64 indices. All checks come first: on failure neither
    /// the map nor `data` has changed.   Like QueryModule.forward.
    /// Errors: KEY for a missing input; SHAPE unless all inputs have the same number of rows and the results fit the batch
    /// size; DTYPE; LOCKED.   \[exclusive\]  Since 0.1
    pub fn td_query_forward(
        self_: *mut td_query,
        data: *mut td_dict,
        flags: u64,
        err: *mut *mut td_error,
    ) -> td_status;

    /// Number of different rows seen.   \[any-thread\]  Since 0.1
    pub fn td_query_size(self_: *const td_query) -> i64;

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_query_retain(self_: *const td_query);

    /// Adds and drops a reference; NULL is allowed.   \[any-thread\]  Since 0.1
    pub fn td_query_release(self_: *const td_query);

    // Plugins

    /// Loads one plugin file. Loading the same file again does nothing.
    /// Errors: NOT_FOUND; PLUGIN if it is not a plugin, fails, or links LibTorch; VERSION with both sides' numbers if it was
    /// built for another ABI; EXISTS if another plugin has one of its type ids.   \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_load(file: td_str, err: *mut *mut td_error) -> td_status;

    /// Loads every `\*.so` of a directory, in the order of their names; files that are refused are listed in the report.
    /// Errors: NOT_FOUND; IO.   \[any-thread\] \[may-block\] \[may-call-back\]  Since 0.1
    pub fn td_plugins_add_path(directory: td_str, err: *mut *mut td_error) -> td_status;

    /// The types there are, as a JSON array of {kind, id, plugin, version, file}.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_plugins_list(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;

    /// What was loaded and what was refused, with the reasons; a line for each file.   \[any-thread\] \[may-block\]  Since 0.1
    pub fn td_plugins_report(out: *mut *mut td_string, err: *mut *mut td_error) -> td_status;
}
