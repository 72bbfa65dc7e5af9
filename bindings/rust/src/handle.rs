//! Handles: a reference that `Drop` gives back, and the two forms in which the library is called.
use crate::{error, sys, Result};
use std::ptr::NonNull;

/// A type that is one reference to an object of the library.
pub(crate) trait Handle: Sized {
    type Raw;

    /// Takes over one reference.
    fn from_raw(raw: NonNull<Self::Raw>) -> Self;
}

/// Calls what gives one new reference.
pub(crate) fn make<T: Handle>(
    f: impl FnOnce(*mut *mut T::Raw, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<T> {
    error::create(f).map(T::from_raw)
}

/// The same where NULL means that there is none.
pub(crate) fn make_optional<T: Handle>(
    f: impl FnOnce(*mut *mut T::Raw, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Option<T>> {
    let mut out = std::ptr::null_mut();
    error::call(|err| f(&mut out, err))?;
    Ok(NonNull::new(out).map(T::from_raw))
}

/// `made!(td_dict_copy(self.as_raw()))` gives what the function makes.
///
/// SAFETY, for this macro and `done!`: arguments are handles that the caller holds, and slices that live as long as the
/// call; what the function does not keep needs no more, and what it keeps it retains itself.
macro_rules! made {
    ($function:ident($($argument:expr),* $(,)?)) => {
        $crate::handle::make(|out, err| unsafe { $crate::sys::$function($($argument,)* out, err) })
    };
}

/// `done!(td_dict_lock_(self.as_raw()))` for functions that give nothing, or fill what a pointer argument points to.
macro_rules! done {
    ($function:ident($($argument:expr),* $(,)?)) => {
        $crate::error::call(|err| unsafe { $crate::sys::$function($($argument,)* err) })
    };
}

/// `handle!(pub Op: td_op, td_op_release);` is a type that gives its reference back; with `, td_op_retain` it is also
/// `Clone`.
macro_rules! handle {
    ($(#[$meta:meta])* $visible:vis $name:ident: $raw:ident, $release:ident $(, $retain:ident)?) => {
        $(#[$meta])*
        #[repr(transparent)]
        $visible struct $name {
            raw: std::ptr::NonNull<$crate::sys::$raw>,
        }

        impl $name {
            /// The C handle, borrowed: for [`sys`](crate::sys) calls that are not covered here.
            pub fn as_raw(&self) -> *mut $crate::sys::$raw {
                self.raw.as_ptr()
            }
        }

        impl $crate::handle::Handle for $name {
            type Raw = $crate::sys::$raw;

            fn from_raw(raw: std::ptr::NonNull<$crate::sys::$raw>) -> Self {
                $name { raw }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the reference is ours, and this is its end.
                unsafe { $crate::sys::$release(self.raw.as_ptr()) }
            }
        }

        $(impl Clone for $name {
            /// Another reference to the same object.
            fn clone(&self) -> Self {
                // SAFETY: the object is alive.
                unsafe { $crate::sys::$retain(self.raw.as_ptr()) };
                $name { raw: self.raw }
            }
        })?
    };
}

/// A `Display` by what the library prints.
macro_rules! printed {
    ($name:ident, $function:ident) => {
        impl std::fmt::Display for $name {
            /// What Python's `repr` prints.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let text = made!($function(self.as_raw()));
                f.write_str(&text.map($crate::string::Text::take).map_err(|_| std::fmt::Error)?)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// An enum whose variants are constants of the library.
macro_rules! constants {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $constant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            #[allow(dead_code)]
            pub(crate) fn raw(self) -> i32 {
                match self {
                    $($name::$variant => $crate::sys::$constant as i32,)*
                }
            }

            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: i32) -> Option<Self> {
                $(if raw == $crate::sys::$constant as i32 {
                    return Some($name::$variant);
                })*
                None
            }
        }
    };
}

/// Sizes that a getter fills: most shapes have at most 8 dims, so that one call is enough.
pub(crate) fn sizes(fill: impl Fn(*mut i64, usize) -> usize) -> Vec<i64> {
    let mut out = vec![0; 8];
    let ndim = fill(out.as_mut_ptr(), out.len());
    if ndim > out.len() {
        out.resize(ndim, 0);
        fill(out.as_mut_ptr(), out.len());
    }
    out.truncate(ndim);
    out
}

/// Sizes in bytes and counts, which the library gives as signed numbers that are not negative.
pub(crate) fn count(number: i64) -> usize {
    number.try_into().unwrap_or(0)
}
