use crate::{callback, string, sys};
use std::fmt;
use std::ptr::NonNull;

/// What went wrong, where, and what to do about it.
///
/// `Display` is the whole message; the parts are there for programs.
pub struct Error {
    raw: NonNull<sys::td_error>,
    cause: Option<BoxError>,
}

/// Any error that may cross threads: what closures that the library calls return, so that `?` takes all errors.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

macro_rules! kinds {
    ($($kind:ident = $status:ident, $doc:literal;)*) => {
        /// The status of the call that failed, `TD_ERR_*` in C.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(#[doc = $doc] $kind,)*
            /// A status that this version of the binding does not know.
            Other(i32),
        }

        impl ErrorKind {
            fn from_status(status: sys::td_status) -> Self {
                match status {
                    $(sys::$status => ErrorKind::$kind,)*
                    other => ErrorKind::Other(other),
                }
            }

            pub(crate) fn status(self) -> sys::td_status {
                match self {
                    $(ErrorKind::$kind => sys::$status,)*
                    ErrorKind::Other(other) => other,
                }
            }
        }
    };
}

kinds! {
    Argument = TD_ERR_ARGUMENT, "An unknown constant or a value that makes no sense.";
    Key = TD_ERR_KEY, "No such key, or the path runs through a tensor.";
    Shape = TD_ERR_SHAPE, "Leading dims differ from the batch size, or shapes do not fit each other.";
    Dtype = TD_ERR_DTYPE, "A dtype that this operation does not take.";
    Device = TD_ERR_DEVICE, "No such device, or data that is not where it must be.";
    Index = TD_ERR_INDEX, "An index or a dim out of range.";
    Locked = TD_ERR_LOCKED, "A structural change of a locked dict, or a write to read-only memory.";
    Unsupported = TD_ERR_UNSUPPORTED, "Valid, but not offered by this object, platform or build.";
    Version = TD_ERR_VERSION, "Made by, or for, another version.";
    Io = TD_ERR_IO, "The operating system refused.";
    NoSpace = TD_ERR_NOSPACE, "No space on the device or in shared memory.";
    Corrupt = TD_ERR_CORRUPT, "A file, a directory or a segment contradicts itself.";
    Plugin = TD_ERR_PLUGIN, "A plugin failed or broke its contract.";
    Callback = TD_ERR_CALLBACK, "A callback failed.";
    Timeout = TD_ERR_TIMEOUT, "Time ran out.";
    Closed = TD_ERR_CLOSED, "The other side has closed.";
    Torch = TD_ERR_TORCH, "LibTorch refused; the message is its own.";
    OutOfMemory = TD_ERR_OOM, "Out of memory.";
    Internal = TD_ERR_INTERNAL, "A bug in the library.";
    NotFound = TD_ERR_NOT_FOUND, "No such file, directory, segment, operator, plugin or type.";
    Exists = TD_ERR_EXISTS, "The name is taken.";
    Cancelled = TD_ERR_CANCELLED, "The wait was cancelled.";
    Busy = TD_ERR_BUSY, "Another thread is using the same dict.";
}

impl Error {
    /// An error of one's own, for closures to return.
    pub fn new(kind: ErrorKind, message: &str) -> Self {
        // SAFETY: the text is borrowed for the call, which never fails.
        Error::from_raw(unsafe { sys::td_error_new(kind.status(), string::borrow(message)) })
    }

    fn from_raw(raw: *mut sys::td_error) -> Self {
        let raw = NonNull::new(raw).expect("td_error_new never returns NULL");
        // SAFETY: the cause lives as long as the error; a reference of our own makes it an Error of its own.
        let cause = unsafe {
            let cause = sys::td_error_cause(raw.as_ptr());
            sys::td_error_retain(cause);
            cause as *mut sys::td_error
        };
        Error { raw, cause: (!cause.is_null()).then(|| Error::from_raw(cause).into()) }
    }

    pub(crate) fn as_raw(&self) -> *const sys::td_error {
        self.raw.as_ptr()
    }

    /// What a closure's error becomes at the caller: an `Error` itself, anything else the cause of one of kind
    /// Callback.
    pub(crate) fn of_closure(error: BoxError) -> Self {
        match error.downcast::<Error>() {
            Ok(own) => *own,
            Err(other) => {
                let mut told = Error::new(ErrorKind::Callback, &other.to_string());
                told.cause = Some(other);
                told
            }
        }
    }

    /// The error that a closure returned, if it is one of these: `error.own::<std::io::Error>()`.
    pub fn own<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.cause.as_deref().and_then(|cause| cause.downcast_ref())
    }

    /// Which kind of failure it was.
    pub fn kind(&self) -> ErrorKind {
        // SAFETY: `raw` is alive, here and below.
        ErrorKind::from_status(unsafe { sys::td_error_code(self.raw.as_ptr()) })
    }

    /// The whole message, one line: what was wrong, where, and what to do.
    pub fn message(&self) -> &str {
        unsafe { string::view(sys::td_error_message(self.raw.as_ptr())) }
    }

    /// The key that was meant, as `("next", "obs")`; empty when no key was concerned.
    pub fn key(&self) -> &str {
        unsafe { string::view(sys::td_error_key(self.raw.as_ptr())) }
    }

    /// The file, segment, operator or plugin that was meant; empty when none was.
    pub fn place(&self) -> &str {
        unsafe { string::view(sys::td_error_where(self.raw.as_ptr())) }
    }

    /// What the caller can do about it; empty when there is nothing to add.
    pub fn hint(&self) -> &str {
        unsafe { string::view(sys::td_error_hint(self.raw.as_ptr())) }
    }

    /// The same with braces around names of the C header, which stand there without td_ or TD_.
    pub fn hint_format(&self) -> &str {
        unsafe { string::view(sys::td_error_hint_format(self.raw.as_ptr())) }
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        unsafe { sys::td_error_release(self.raw.as_ptr()) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind(), self.message())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn std::error::Error + 'static))
    }
}

/// The one place where a status becomes a Result.
pub(crate) fn call(f: impl FnOnce(*mut *mut sys::td_error) -> sys::td_status) -> crate::Result<()> {
    let mut raw = std::ptr::null_mut();
    match f(&mut raw) {
        sys::TD_OK => Ok(()),
        status if !raw.is_null() => Err(callback::own(status, Error::from_raw(raw))),
        status => Err(Error::new(ErrorKind::from_status(status), "no reason given")),
    }
}

/// The same for calls with one new reference as their output.
pub(crate) fn create<T>(
    f: impl FnOnce(*mut *mut T, *mut *mut sys::td_error) -> sys::td_status,
) -> crate::Result<NonNull<T>> {
    let mut out = std::ptr::null_mut();
    call(|err| f(&mut out, err))?;
    NonNull::new(out).ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))
}
