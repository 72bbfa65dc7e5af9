//! org.example.fnv1: a hash plugin in Rust. FNV-1, 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>
//!
//! The structs are those of `tensordict_plugin.h`, as far as this plugin touches them.
#![deny(unsafe_op_in_unsafe_fn)]

use std::ffi::{c_char, c_void};
use std::panic::catch_unwind;

const ABI_MAJOR: u16 = 2;
const OK: i32 = 0;
const ERR_VERSION: i32 = 9;
const ERR_PLUGIN: i32 = 13;
const KIND_HASH: i32 = 1;
const DETERMINISTIC: u64 = 1 << 0;
const STABLE: u64 = 1 << 1;
const THREAD_SAFE: u64 = 1 << 4;

/// Text that lives as long as the process.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    data: *const c_char,
    size: usize,
}

const fn text(s: &'static str) -> Str {
    Str {
        data: s.as_ptr().cast(),
        size: s.len(),
    }
}

/// The first members of `td_host`.
#[repr(C)]
pub struct Host {
    magic: u32,
    abi_major: u16,
    abi_minor: u16,
    struct_size: usize,
    log: extern "C" fn(i32, Str),
    error_new: extern "C" fn(i32, Str) -> *mut c_void,
}

#[repr(C)]
struct TypeHead {
    struct_size: usize,
    kind: i32,
    reserved: u32,
    flags: u64,
    id: Str,
    version: Str,
}

#[repr(C)]
struct HashVector {
    config: Str,
    input: Str,
    hash: u64,
}

/// `td_hash_type` of plugin ABI 2.0.
#[repr(C)]
struct HashType {
    head: TypeHead,
    create: extern "C" fn(*const Host, *const c_void, *mut *mut c_void, *mut *mut c_void) -> i32,
    destroy: extern "C" fn(*mut c_void),
    hash_rows: unsafe extern "C" fn(
        *mut c_void,
        *const u8,
        usize,
        usize,
        usize,
        *mut u64,
        *mut *mut c_void,
    ) -> i32,
    vectors: *const HashVector,
    n_vectors: usize,
}

/// The tables are constant and point to constants only.
struct Constant<T>(T);
unsafe impl<T> Sync for Constant<T> {}

#[repr(C)]
pub struct Plugin {
    magic: u32,
    abi_major: u16,
    abi_minor: u16,
    struct_size: usize,
    id: Str,
    vendor: Str,
    version: Str,
    license: Str,
    types: *const *const c_void,
    n_types: usize,
}

pub fn fnv1(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| {
        h.wrapping_mul(0x100_0000_01b3) ^ u64::from(b)
    })
}

extern "C" fn create(
    _: *const Host,
    _: *const c_void,
    out: *mut *mut c_void,
    _: *mut *mut c_void,
) -> i32 {
    // No config and nothing to keep: any address will do.
    unsafe { *out = std::ptr::NonNull::<c_void>::dangling().as_ptr() };
    OK
}

extern "C" fn destroy(_: *mut c_void) {}

unsafe extern "C" fn hash_rows(
    _: *mut c_void,
    rows: *const u8,
    n: usize,
    row_bytes: usize,
    stride: usize,
    out: *mut u64,
    _: *mut *mut c_void,
) -> i32 {
    let hashed = catch_unwind(|| {
        for i in 0..n {
            // The host promises `row_bytes` bytes at rows + i * stride, and room for n results.
            let row = unsafe { std::slice::from_raw_parts(rows.add(i * stride), row_bytes) };
            unsafe { *out.add(i) = fnv1(row) };
        }
    });
    if hashed.is_ok() {
        OK
    } else {
        ERR_PLUGIN
    }
}

static VECTORS: Constant<[HashVector; 3]> = Constant([
    HashVector {
        config: text("{}"),
        input: text(""),
        hash: 0xcbf2_9ce4_8422_2325,
    },
    HashVector {
        config: text("{}"),
        input: text("a"),
        hash: 0xaf63_bd4c_8601_b7be,
    },
    HashVector {
        config: text("{}"),
        input: text("foobar"),
        hash: 0x340d_8765_a4dd_a9c2,
    },
]);

static FNV1: Constant<HashType> = Constant(HashType {
    head: TypeHead {
        struct_size: std::mem::size_of::<HashType>(),
        kind: KIND_HASH,
        reserved: 0,
        flags: DETERMINISTIC | STABLE | THREAD_SAFE,
        id: text("org.example.fnv1"),
        version: text("1.0.0"),
    },
    create,
    destroy,
    hash_rows,
    vectors: VECTORS.0.as_ptr(),
    n_vectors: 3,
});

static TYPES: Constant<[*const c_void; 1]> = Constant([std::ptr::addr_of!(FNV1).cast()]);

/// # Safety
/// Called by the host, with its own table and a `td_plugin` to fill in.
#[no_mangle]
pub unsafe extern "C" fn td_plugin_entry(
    host: *const Host,
    out: *mut Plugin,
    err: *mut *mut c_void,
) -> i32 {
    let (host, out) = unsafe { (&*host, &mut *out) };
    if host.abi_major != ABI_MAJOR {
        unsafe {
            *err = (host.error_new)(ERR_VERSION, text("org.example.fnv1 needs plugin ABI 1"))
        };
        return ERR_VERSION;
    }
    out.abi_major = ABI_MAJOR;
    out.abi_minor = 0;
    out.id = text("org.example.fnv1");
    out.vendor = text("Example");
    out.version = text("1.0.0");
    out.license = text("MIT");
    out.types = TYPES.0.as_ptr();
    out.n_types = 1;
    OK
}
