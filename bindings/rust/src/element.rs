use crate::sys;
use std::fmt;

macro_rules! dtypes {
    ($($name:ident = $constant:ident, $text:literal;)*) => {
        /// The type of a tensor's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Dtype {
            $(#[doc = $text] $name,)*
            /// One that this version of the binding has no name for.
            Other(i32),
        }

        impl Dtype {
            pub(crate) fn from_raw(raw: sys::td_dtype) -> Self {
                match raw {
                    $(sys::$constant => Dtype::$name,)*
                    other => Dtype::Other(other),
                }
            }

            pub(crate) fn raw(self) -> sys::td_dtype {
                match self {
                    $(Dtype::$name => sys::$constant,)*
                    Dtype::Other(other) => other,
                }
            }
        }

        impl fmt::Display for Dtype {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Dtype::$name => f.write_str($text),)*
                    Dtype::Other(other) => write!(f, "dtype {other}"),
                }
            }
        }
    };
}

dtypes! {
    Bool = TD_DTYPE_BOOL, "bool";
    Uint8 = TD_DTYPE_UINT8, "uint8";
    Int8 = TD_DTYPE_INT8, "int8";
    Int16 = TD_DTYPE_INT16, "int16";
    Int32 = TD_DTYPE_INT32, "int32";
    Int64 = TD_DTYPE_INT64, "int64";
    Uint16 = TD_DTYPE_UINT16, "uint16";
    Uint32 = TD_DTYPE_UINT32, "uint32";
    Uint64 = TD_DTYPE_UINT64, "uint64";
    Float16 = TD_DTYPE_FLOAT16, "float16";
    Bfloat16 = TD_DTYPE_BFLOAT16, "bfloat16";
    Float32 = TD_DTYPE_FLOAT32, "float32";
    Float64 = TD_DTYPE_FLOAT64, "float64";
    Complex32 = TD_DTYPE_COMPLEX32, "complex32";
    Complex64 = TD_DTYPE_COMPLEX64, "complex64";
    Complex128 = TD_DTYPE_COMPLEX128, "complex128";
    Float8E4m3fn = TD_DTYPE_FLOAT8_E4M3FN, "float8_e4m3fn";
    Float8E5m2 = TD_DTYPE_FLOAT8_E5M2, "float8_e5m2";
    Float8E4m3fnuz = TD_DTYPE_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz";
    Float8E5m2fnuz = TD_DTYPE_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz";
    Float8E8m0fnu = TD_DTYPE_FLOAT8_E8M0FNU, "float8_e8m0fnu";
    Float4E2m1fnX2 = TD_DTYPE_FLOAT4_E2M1FN_X2, "float4_e2m1fn_x2";
}

/// Types that tensor memory may be read as: every bit pattern is a value.
///
/// `bool` is not one of them, because memory that somebody else writes may hold a byte of 2: a bool tensor reads as
/// `u8`.
pub trait Element: Copy + sealed::Load + 'static {
    /// The dtype of a tensor made from a slice of these.
    const DTYPE: Dtype;
}

pub(crate) mod sealed {
    pub trait Load {
        /// Reads one element that another thread or process may be writing.
        ///
        /// # Safety
        /// `from` is aligned and points to mapped memory of this type.
        unsafe fn load(from: *const Self) -> Self;
    }
}

macro_rules! elements {
    ($($type:ty = $dtype:ident by $atomic:ident $convert:expr;)*) => {$(
        impl Element for $type {
            const DTYPE: Dtype = Dtype::$dtype;
        }

        impl sealed::Load for $type {
            unsafe fn load(from: *const Self) -> Self {
                use std::sync::atomic::{$atomic, Ordering};
                // SAFETY: same size and alignment; a relaxed load is an ordinary one to the machine.
                $convert(unsafe { &*from.cast::<$atomic>() }.load(Ordering::Relaxed))
            }
        }
    )*};
}

elements! {
    u8 = Uint8 by AtomicU8 std::convert::identity;
    i8 = Int8 by AtomicI8 std::convert::identity;
    i16 = Int16 by AtomicI16 std::convert::identity;
    i32 = Int32 by AtomicI32 std::convert::identity;
    i64 = Int64 by AtomicI64 std::convert::identity;
    u16 = Uint16 by AtomicU16 std::convert::identity;
    u32 = Uint32 by AtomicU32 std::convert::identity;
    u64 = Uint64 by AtomicU64 std::convert::identity;
    f32 = Float32 by AtomicU32 f32::from_bits;
    f64 = Float64 by AtomicU64 f64::from_bits;
}

pub(crate) fn matches<T: Element>(dtype: Dtype) -> bool {
    dtype == T::DTYPE || (dtype == Dtype::Bool && T::DTYPE == Dtype::Uint8)
}

impl Dtype {
    /// Bytes of one element; 0 for types that are not known.
    pub fn size(self) -> usize {
        crate::handle::count(unsafe { sys::td_dtype_size(self.raw()) })
    }
}

/// `"float32".parse()`, also with "torch." before it. Errors: Dtype.
impl std::str::FromStr for Dtype {
    type Err = crate::Error;

    fn from_str(name: &str) -> crate::Result<Self> {
        let mut raw = sys::TD_DTYPE_NONE;
        done!(td_dtype_from_name(crate::string::borrow(name), &mut raw))?;
        Ok(Dtype::from_raw(raw))
    }
}
