//! The library and the process: versions, features, threads, and what is alive.
use crate::string::Text;
use crate::{string, sys, Result};
use std::os::raw::c_void;

/// The version of the library that is loaded, "0.2.0".
pub fn version() -> &'static str {
    // SAFETY: static text that ends with a NUL.
    unsafe { string::view(sys::td_version()) }
}

/// The ABI major of the library that is loaded; [`sys::TD_ABI_MAJOR`] is the one that this crate was made for.
pub fn abi_version() -> i32 {
    unsafe { sys::td_abi_version() }
}

/// How the library was built, as a JSON object.
pub fn build_info() -> Result<String> {
    made!(td_build_info()).map(Text::take)
}

/// True if this build on this machine has the feature: "segment", "cuda", "uint16", "archive", "hdf5" and others.
pub fn has_feature(name: &str) -> bool {
    unsafe { sys::td_has_feature(string::borrow(name)) != 0 }
}

/// References of a kind (`sys::TD_OBJECT_...`) that this process holds now; for tests of leaks.
pub fn live_objects(kind: i32) -> i64 {
    unsafe { sys::td_live_objects(kind) }
}

/// Bytes of files and segments that are mapped now.
pub fn live_bytes() -> i64 {
    unsafe { sys::td_live_bytes() }
}

constants! {
    /// How far the library may leave LibTorch's operators for its own code; results are the same.
    FastLevel {
        /// LibTorch's operators only.
        None = TD_FAST_NONE,
        /// And views made by hand on plain CPU tensors.
        Views = TD_FAST_VIEWS,
        /// And results of many leaves in one allocation; the default.
        Arena = TD_FAST_ARENA,
    }
}

/// Sets the level for the process.
pub fn set_fast_level(level: FastLevel) -> Result<()> {
    done!(td_set_fast_level(level.raw()))
}

/// The level of the process.
pub fn fast_level() -> Option<FastLevel> {
    FastLevel::from_raw(unsafe { sys::td_get_fast_level() })
}

/// Threads that LibTorch uses inside one operator now.
pub fn num_threads() -> i32 {
    unsafe { sys::td_get_num_threads() }
}

/// Threads that LibTorch uses inside one operator, for the whole process. Errors: Argument for less than 1.
pub fn set_num_threads(n: i32) -> Result<()> {
    done!(td_set_num_threads(n))
}

/// Hears what LibTorch warns of, and where that comes from.
pub type WarningFunction = fn(text: &str, place: &str);

unsafe extern "C" fn warned(userdata: *mut c_void, text: sys::td_str, place: sys::td_str) {
    // SAFETY: `userdata` is the function that set_warning_callback was given; the views are valid during the call.
    let (function, text, place) = unsafe {
        (std::mem::transmute::<*mut c_void, WarningFunction>(userdata), string::view(text), string::view(place))
    };
    // Nothing may unwind into the library, and a warning has no one to give an error to.
    let _ = std::panic::catch_unwind(|| function(text, place));
}

/// Who hears of warnings that arise in calls of this library, for the whole process; at the start no one.
pub fn set_warning_callback(function: Option<WarningFunction>) -> Result<()> {
    let raw = function.map(|function| sys::td_warning_function {
        fn_: Some(warned),
        userdata: function as *mut c_void,
        ..Default::default()
    });
    done!(td_set_warning_callback(raw.as_ref().map_or(std::ptr::null(), |raw| raw)))
}

/// Makes the library usable in a forked child.
///
/// # Safety
/// Called first in the child of a fork, while no other thread is in it.
pub unsafe fn after_fork() {
    unsafe { sys::td_after_fork() }
}
