//! Closures that the library calls: their errors and panics travel past it, and come out of the call as themselves.
//!
//! A C function can hand back a status and a text only. So what a closure failed with is kept on the thread that ran
//! it,
//! which is the thread that made the call, and taken from there when the call fails with that text.
use crate::{string, sys, BoxError, Error, ErrorKind};
use std::any::Any;
use std::cell::RefCell;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

thread_local! {
    static FAILED: RefCell<Option<(String, Failure)>> = RefCell::new(None);
}

/// Runs a closure for the library, to which nothing may unwind.
pub(crate) fn run(err: *mut *mut sys::td_error, f: impl FnOnce() -> Result<(), BoxError>) -> sys::td_status {
    let failure = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(())) => return sys::TD_OK,
        Ok(Err(error)) => Failure::Error(Error::of_closure(error)),
        Err(panic) => Failure::Panic(panic),
    };
    let (kind, text) = match &failure {
        Failure::Error(error) => (error.kind(), error.message().to_owned()),
        Failure::Panic(panic) => (ErrorKind::Callback, format!("a closure panicked: {}", panic_text(&**panic))),
    };
    // SAFETY: `err` is NULL or takes a reference over, as the header says of callbacks; the text is borrowed for the
    // call.
    unsafe {
        if !err.is_null() {
            *err = sys::td_error_new(kind.status(), string::borrow(&text));
        }
    }
    // A thread that ends has no place left to keep anything in; the text is enough then.
    let _ = FAILED.try_with(|failed| *failed.borrow_mut() = Some((text, failure)));
    kind.status()
}

/// The error of a call that failed: what a closure failed with, if that is the reason. Goes on with its panic.
pub(crate) fn own(status: sys::td_status, error: Error) -> Error {
    let mine = FAILED.try_with(|failed| {
        let mut failed = failed.borrow_mut();
        match &*failed {
            Some((text, _)) if error.message().contains(text.as_str()) => failed.take(),
            _ => None,
        }
    });
    match mine {
        Ok(Some((_, Failure::Panic(panic)))) => resume_unwind(panic),
        Ok(Some((_, Failure::Error(own)))) if status == sys::TD_ERR_CALLBACK || own.kind().status() == status => own,
        _ => error,
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no text)")
}

/// A closure as the `userdata` of a callback that the library keeps.
pub(crate) fn keep<F>(f: F) -> *mut c_void {
    Box::into_raw(Box::new(f)).cast()
}

/// The `destroy` for what [`keep`] gave, of the same type.
///
/// # Safety
/// Called once, by the library.
pub(crate) unsafe extern "C" fn destroy<F>(userdata: *mut c_void) {
    // SAFETY: `userdata` is the box of `keep`, and nothing uses it any more. A panic of a drop must not unwind into C.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(userdata.cast::<F>()) })));
}

/// A handle that a callback borrows, which is not given back.
///
/// # Safety
/// `raw` is alive for 'a, and T is a transparent handle of the same kind.
pub(crate) unsafe fn lend<T: crate::handle::Handle>(raw: &*mut T::Raw) -> &T {
    // SAFETY: a handle is `repr(transparent)` around the pointer, and what is seen by reference is not dropped.
    unsafe { &*(raw as *const *mut T::Raw as *const T) }
}

/// The same to be changed, where NULL is None.
///
/// # Safety
/// As [`lend`], and nobody else uses the object.
pub(crate) unsafe fn lend_mut<T: crate::handle::Handle>(raw: &mut *mut T::Raw) -> Option<&mut T> {
    // SAFETY: as above.
    (!raw.is_null()).then(|| unsafe { &mut *(raw as *mut *mut T::Raw as *mut T) })
}

/// Handles of an array that a callback borrows.
///
/// # Safety
/// `raws` holds `n` handles that are alive for 'a, and T is a transparent handle of the same kind.
pub(crate) unsafe fn borrowed<'a, T: crate::handle::Handle>(raws: *const *mut T::Raw, n: usize) -> &'a [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: a handle is `repr(transparent)` around the pointer, and a shared slice drops nothing.
    unsafe { std::slice::from_raw_parts(raws.cast::<T>(), n) }
}
