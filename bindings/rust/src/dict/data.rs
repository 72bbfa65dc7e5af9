//! Non-tensor data: text, numbers, bytes or JSON under a key.
use super::Node;
use crate::handle::sizes;
use crate::{string, sys, Error, ErrorKind, Key, Result};
use std::fmt;

/// One value: for the whole batch, or for one element of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Data<'a> {
    /// No value.
    None,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Double(f64),
    /// Text.
    Str(&'a str),
    /// Bytes, which only memmap directories and archives hold.
    Bytes(&'a [u8]),
    /// A list, an object, or a large integer, as JSON.
    Json(&'a str),
    /// What Python pickled, which is never run, and the place of the value in the list that was pickled.
    Pickle(&'a [u8], i64),
}

impl<'a> Data<'a> {
    fn raw(&self) -> sys::td_data {
        let text = |bytes: &[u8]| sys::td_str { data: bytes.as_ptr().cast(), size: bytes.len() };
        let (kind, i, f, text) = match self {
            Data::None => (sys::TD_DATA_NONE, 0, 0.0, text(b"")),
            Data::Bool(truth) => (sys::TD_DATA_BOOL, (*truth).into(), 0.0, text(b"")),
            Data::Int(i) => (sys::TD_DATA_INT, *i, 0.0, text(b"")),
            Data::Double(f) => (sys::TD_DATA_DOUBLE, 0, *f, text(b"")),
            Data::Str(string) => (sys::TD_DATA_STR, 0, 0.0, text(string.as_bytes())),
            Data::Bytes(bytes) => (sys::TD_DATA_BYTES, 0, 0.0, text(bytes)),
            Data::Json(json) => (sys::TD_DATA_JSON, 0, 0.0, text(json.as_bytes())),
            Data::Pickle(bytes, place) => (sys::TD_DATA_PICKLE, *place, 0.0, text(bytes)),
        };
        sys::td_data { kind, reserved: 0, i, f, text }
    }

    /// # Safety
    /// The list that `raw` comes from lives for 'a.
    unsafe fn view(raw: &sys::td_data) -> Self {
        // SAFETY: as this function.
        let (text, bytes) = unsafe { (string::view(raw.text), string::bytes(raw.text)) };
        match raw.kind {
            sys::TD_DATA_BOOL => Data::Bool(raw.i != 0),
            sys::TD_DATA_INT => Data::Int(raw.i),
            sys::TD_DATA_DOUBLE => Data::Double(raw.f),
            sys::TD_DATA_STR => Data::Str(text),
            sys::TD_DATA_BYTES => Data::Bytes(bytes),
            sys::TD_DATA_JSON => Data::Json(text),
            sys::TD_DATA_PICKLE => Data::Pickle(bytes, raw.i),
            _ => Data::None,
        }
    }
}

macro_rules! data {
    ($($type:ty: |$value:ident| $make:expr;)*) => {$(
        impl<'a> From<$type> for Data<'a> {
            fn from($value: $type) -> Self {
                $make
            }
        }
    )*};
}

data! {
    bool: |value| Data::Bool(value);
    i64: |value| Data::Int(value);
    i32: |value| Data::Int(value.into());
    f64: |value| Data::Double(value);
    &'a str: |value| Data::Str(value);
    &'a String: |value| Data::Str(value);
    &'a [u8]: |value| Data::Bytes(value);
}

handle! {
    /// The values of one entry, immutable: one for the whole batch, or one for each element.
    pub DataList: td_data_list, td_data_list_release, td_data_list_retain
}

impl DataList {
    /// One value for a whole batch. Errors: Argument for text that is not JSON where it must be.
    pub fn one<'d>(value: impl Into<Data<'d>>) -> Result<DataList> {
        made!(td_data_list_new(&value.into().raw(), std::ptr::null(), 0))
    }

    /// One value for each element of a batch of that shape, row-major. Errors: Shape for another number of values.
    pub fn stack(values: &[Data<'_>], shape: &[i64]) -> Result<DataList> {
        let n = shape.iter().try_fold(1i64, |product, size| product.checked_mul(*size));
        if n != i64::try_from(values.len()).ok() {
            let message = format!("{} values for a batch of {shape:?}", values.len());
            return Err(Error::new(ErrorKind::Shape, &message));
        }
        let mut raws: Vec<_> = values.iter().map(Data::raw).collect();
        raws.push(Data::None.raw()); // no values are no NULL
        made!(td_data_list_new(raws.as_ptr(), shape.as_ptr(), shape.len()))
    }

    /// True if each batch element has a value of its own.
    pub fn is_stack(&self) -> bool {
        unsafe { sys::td_data_list_is_stack(self.as_raw()) != 0 }
    }

    /// The sizes of its dims: those of the batch, and more for a stack that is deeper.
    pub fn shape(&self) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_data_list_shape(self.as_raw(), out, capacity) })
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        unsafe { sys::td_data_list_size(self.as_raw()) }
    }

    /// True without values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at `index`, row-major. Errors: Index.
    pub fn get(&self, index: usize) -> Result<Data<'_>> {
        let mut out = Data::None.raw();
        done!(td_data_list_get(self.as_raw(), index as i64, &mut out))?;
        // SAFETY: the list lives as long as the borrow.
        Ok(unsafe { Data::view(&out) })
    }

    /// The values, row-major.
    pub fn iter(&self) -> impl Iterator<Item = Data<'_>> + '_ {
        (0..self.len()).filter_map(move |index| self.get(index).ok())
    }
}

impl fmt::Debug for DataList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Node {
    /// The data under `key`. Errors: Key if it is missing, or a tensor or a dict.
    pub fn get_data<'k>(&self, key: impl Into<Key<'k>>) -> Result<DataList> {
        key.into().with(|key| made!(td_dict_get_data(self.as_raw(), key)))
    }

    /// Puts one value for the whole batch under `key`: `td.set_data("task", "digits")`.
    /// Errors: Argument for text that is not JSON where it must be; Locked; Key.
    pub fn set_data<'k, 'd>(&mut self, key: impl Into<Key<'k>>, value: impl Into<Data<'d>>) -> Result<()> {
        let value = value.into();
        key.into().with(|key| done!(td_dict_set_data(self.as_raw(), key, &value.raw())))
    }

    /// Puts another value in the place of data that are there; allowed on a locked dict. Errors: Key; Argument.
    pub fn write_data<'k, 'd>(&mut self, key: impl Into<Key<'k>>, value: impl Into<Data<'d>>) -> Result<()> {
        let value = value.into();
        key.into().with(|key| done!(td_dict_set_data_(self.as_raw(), key, &value.raw())))
    }

    /// Puts one value for each batch element under `key`, row-major. Errors: Shape for another number of values; as
    /// [`set_data`](Node::set_data).
    pub fn set_data_stack<'k>(&mut self, key: impl Into<Key<'k>>, values: &[Data<'_>]) -> Result<()> {
        let raws: Vec<_> = values.iter().map(Data::raw).collect();
        key.into().with(|key| done!(td_dict_set_data_stack(self.as_raw(), key, raws.as_ptr(), raws.len())))
    }

    /// A copy without the data.
    pub fn filter_non_tensor_data(&self) -> Result<super::Dict> {
        made!(td_dict_filter_non_tensor_data(self.as_raw()))
    }
}
