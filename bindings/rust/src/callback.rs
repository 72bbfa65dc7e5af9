//! Closures that the library calls: their errors and panics travel past it, and come out of the call as themselves.
//!
//! What a closure failed with travels inside of the `td_error` that the library hands on as the cause of the call's own
//! error, on whichever thread that comes out.
use crate::{string, sys, BoxError, Error, ErrorKind};
use std::any::Any;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::Mutex;

enum Failure {
    Error(Error),
    Panic(Box<dyn Any + Send>),
}

/// The userdata of such an error, until the first call that it failed takes it.
type Carried = Mutex<Option<Failure>>;

/// # Safety
/// The `destroy` of an error whose userdata is a `Carried`. It also tells such errors from those of other languages.
unsafe extern "C" fn drop_carried(userdata: *mut c_void) {
    // SAFETY: the library calls it once, with the box of `run`. A panic of a drop must not unwind into C.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(userdata.cast::<Carried>()) })));
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
    let carried: Box<Carried> = Box::new(Mutex::new(Some(failure)));
    // SAFETY: `err` is NULL or takes a reference over, as the header says of callbacks; the text is borrowed for the
    // call, and the box is the error's from then on.
    unsafe {
        if !err.is_null() {
            let userdata = Box::into_raw(carried).cast();
            *err = sys::td_error_new_with(kind.status(), string::borrow(&text), userdata, Some(drop_carried));
        }
    }
    kind.status()
}

/// The error of a call that failed: what a closure failed with, if that is the reason. Goes on with its panic.
pub(crate) fn own(status: sys::td_status, error: Error) -> Error {
    match take(&error, status) {
        Some(Failure::Panic(panic)) => {
            drop(error);
            resume_unwind(panic)
        }
        Some(Failure::Error(own)) => own,
        None => error,
    }
}

/// What is nearest among the causes, unless the call has another reason of its own.
fn take(error: &Error, status: sys::td_status) -> Option<Failure> {
    let mut at: *const sys::td_error = error.as_raw();
    // SAFETY: causes live as long as the error, and userdata with that `destroy` is a `Carried` that lives as long.
    let carried = unsafe {
        loop {
            let found = sys::td_error_userdata(at, Some(drop_carried));
            if !found.is_null() {
                break &*found.cast::<Carried>();
            }
            at = sys::td_error_cause(at);
            if at.is_null() {
                return None;
            }
        }
    };
    let mut inside = carried.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match &*inside {
        Some(Failure::Error(own)) if status != sys::TD_ERR_CALLBACK && own.kind().status() != status => None,
        _ => inside.take(),
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
