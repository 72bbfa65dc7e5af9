//! Equality of dicts and of tensors, within a tolerance.
use crate::handle::Handle;
use crate::string::Text;
use crate::{error, sys, Node, Result, Tensor};
use std::ptr::{null_mut, NonNull};

/// Numbers are equal if `|a - b| <= absolute + relative * |b|`; the default is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// A part of the second number.
    pub relative: f64,
    /// A number.
    pub absolute: f64,
    /// NaN is equal to NaN.
    pub equal_nan: bool,
}

fn difference(
    tolerance: Tolerance,
    f: impl FnOnce(
        *const sys::td_equal_options,
        *mut sys::td_bool,
        *mut *mut sys::td_string,
        *mut *mut sys::td_error,
    ) -> sys::td_status,
) -> Result<Option<String>> {
    let options = sys::td_equal_options {
        relative: tolerance.relative,
        absolute: tolerance.absolute,
        equal_nan: tolerance.equal_nan.into(),
        ..Default::default()
    };
    let (mut equal, mut text) = (0, null_mut());
    error::call(|err| f(&options, &mut equal, &mut text, err))?;
    Ok(NonNull::new(text).map(|raw| Text::from_raw(raw).take()))
}

impl Node {
    /// The first key under which they differ, with what differs; None if they are equal: in batch size, keys in any
    /// order, tensors and data. Errors: Argument for a tolerance that is negative or NaN.
    pub fn difference(&self, other: &Node, tolerance: Tolerance) -> Result<Option<String>> {
        difference(tolerance, |options, equal, text, err| unsafe {
            sys::td_dict_equal(self.as_raw(), other.as_raw(), options, equal, text, err)
        })
    }
}

impl Tensor {
    /// What differs; None if they are equal: in shape, dtype and elements. Errors: Argument for a tolerance that is
    /// negative or NaN.
    pub fn difference(&self, other: &Tensor, tolerance: Tolerance) -> Result<Option<String>> {
        difference(tolerance, |options, equal, text, err| unsafe {
            sys::td_tensor_equal(self.as_raw(), other.as_raw(), options, equal, text, err)
        })
    }
}
