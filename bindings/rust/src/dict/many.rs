//! Many entries in one call.
use super::{array, Dict, Node};
use crate::key::{KeyArray, List};
use crate::tensor::TensorList;
use crate::{handle, string, sys, Error, ErrorKind, Key, KeyBuf, Result, Tensor, Value};

/// The value of a key for [`Dict::build`].
#[derive(Debug)]
pub enum Item {
    /// A tensor, shared.
    Tensor(Tensor),
    /// A dict, moved in.
    Dict(Dict),
    /// A tensor of int64 without dims.
    Int(i64),
    /// A tensor of float32 without dims.
    Double(f64),
    /// A tensor of bool without dims.
    Bool(bool),
    /// Non-tensor data.
    Str(String),
}

macro_rules! items {
    ($($type:ty: |$value:ident| $make:expr;)*) => {$(
        impl From<$type> for Item {
            fn from($value: $type) -> Self {
                $make
            }
        }
    )*};
}

items! {
    Tensor: |value| Item::Tensor(value);
    &Tensor: |value| Item::Tensor(value.clone());
    Dict: |value| Item::Dict(value);
    i64: |value| Item::Int(value);
    f64: |value| Item::Double(value);
    bool: |value| Item::Bool(value);
    &str: |value| Item::Str(value.to_owned());
}

impl Item {
    fn value(&self) -> Value<'_> {
        match self {
            Item::Tensor(tensor) => Value::Tensor(tensor),
            Item::Dict(dict) => Value::Dict(dict),
            Item::Int(i) => Value::Int(*i),
            Item::Double(f) => Value::Double(*f),
            Item::Bool(truth) => Value::Bool(*truth),
            Item::Str(text) => Value::Str(text),
        }
    }
}

impl Dict {
    /// A dict of these entries, in their order; of a key that comes twice the last counts.
    /// Errors: as [`Dict::new`], [`Node::set`] and [`Node::set_dict`].
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Item, KeyBuf, Tensor};
    /// let obs = Tensor::from_slice(&[0.5f32, 1.0], &[2])?;
    /// let td = Dict::build(&[2], vec![(KeyBuf::from("obs"), Item::from(&obs)), ("task".into(), "digits".into())])?;
    /// assert_eq!(td.find("task")?.unwrap().text().as_deref(), Some("digits"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn build(batch_size: &[i64], items: Vec<(KeyBuf, Item)>) -> Result<Self> {
        let keys = KeyArray::new(items.iter().map(|(key, _)| key));
        // A moved dict may stand under one key only, which it does as it is one value here.
        let raws: Vec<_> = (0..items.len())
            // SAFETY: in range of the array of keys.
            .map(|i| sys::td_item { key: unsafe { keys.as_ptr().add(i) }, value: items[i].1.value().raw() })
            .collect();
        made!(td_dict_from_items(batch_size.as_ptr(), batch_size.len(), raws.as_ptr(), raws.len(), std::ptr::null()))
    }

    /// A dict without batch dims that has `value` itself under every key. Errors: Key if one key runs through another.
    pub fn from_keys<'k, K: Into<Key<'k>>>(keys: impl IntoIterator<Item = K>, value: &Tensor) -> Result<Self> {
        let keys = KeyArray::new(keys);
        made!(td_dict_from_keys(keys.as_ptr(), keys.len(), value.as_raw()))
    }

    /// The entries of all dicts, with the batch size of the first; of several tensors under one key the first wins.
    /// Errors: Argument for none; Key if an entry is a dict in one and a tensor in another; Shape.
    pub fn merge<D: AsRef<Node>>(dicts: impl IntoIterator<Item = D>) -> Result<Self> {
        let dicts: Vec<D> = dicts.into_iter().collect();
        let raws = array(dicts.iter().map(AsRef::as_ref));
        made!(td_dict_merge(raws.as_ptr(), raws.len()))
    }
}

impl Node {
    /// All tensors, nested ones too, with their keys. Errors: Shape if members of a lazy stack differ.
    pub fn leaves(&self) -> Result<Vec<(KeyBuf, Tensor)>> {
        named(|keys, tensors, err| unsafe { sys::td_dict_leaves(self.as_raw(), keys, tensors, err) })
    }

    /// Joins the tensors under `keys` along `dim`, and puts the result under `out_key`; unless they are kept the
    /// entries are removed. Errors: Argument for none; Key; Shape; Index; Locked.
    pub fn cat_tensors<'k, K: Into<Key<'k>>>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        out_key: impl Into<Key<'k>>,
        dim: i64,
        keep: bool,
    ) -> Result<()> {
        let (keys, node) = (KeyArray::new(keys), self.as_raw());
        out_key.into().with(|out| done!(td_dict_cat_tensors(node, keys.as_ptr(), keys.len(), out, dim, keep.into())))
    }

    /// The same along a new dim.
    pub fn stack_tensors<'k, K: Into<Key<'k>>>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        out_key: impl Into<Key<'k>>,
        dim: i64,
        keep: bool,
    ) -> Result<()> {
        let (keys, node) = (KeyArray::new(keys), self.as_raw());
        out_key.into().with(|out| done!(td_dict_stack_tensors(node, keys.as_ptr(), keys.len(), out, dim, keep.into())))
    }

    /// All tensors, nested ones too, as one: joined along a dim of theirs, in insertion order or in that of their keys.
    /// Errors: Argument without tensors; Shape; Index.
    pub fn cat_leaves(&self, dim: i64, sorted: bool) -> Result<Tensor> {
        made!(td_dict_cat_leaves(self.as_raw(), dim, sorted.into()))
    }

    /// The same along a new dim.
    pub fn stack_leaves(&self, dim: i64, sorted: bool) -> Result<Tensor> {
        made!(td_dict_stack_leaves(self.as_raw(), dim, sorted.into()))
    }

    /// A dict of one level: parts are joined with `separator`. Errors: Exists if two entries would get one key.
    pub fn flatten_keys(&self, separator: &str) -> Result<Dict> {
        super::apart!(td_dict_flatten_keys(self.as_raw(), string::borrow(separator)))
    }

    /// Splits the keys of this dict at every `separator`. Errors: Argument for an empty one; Exists; Key.
    pub fn unflatten_keys(&self, separator: &str) -> Result<Dict> {
        super::apart!(td_dict_unflatten_keys(self.as_raw(), string::borrow(separator)))
    }
}

/// Tensors with their keys, as several functions list them.
pub(crate) fn named(
    f: impl FnOnce(*mut *mut sys::td_keys, *mut *mut sys::td_tensor_list, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Vec<(KeyBuf, Tensor)>> {
    let mut keys = std::ptr::null_mut();
    let tensors: TensorList = handle::make(|tensors, err| f(&mut keys, tensors, err))?;
    let keys: List = match std::ptr::NonNull::new(keys) {
        Some(keys) => handle::Handle::from_raw(keys),
        None => return Err(Error::new(ErrorKind::Internal, "success without a result")),
    };
    Ok(keys.take()?.into_iter().zip(tensors.take()?).collect())
}
