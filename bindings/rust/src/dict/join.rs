//! Joining dicts.
use super::{array, Dict, Node};
use crate::key::KeyArray;
use crate::{sys, KeyBuf, Result, Scalar, Tensor, Value};

/// How [`Dict::pad_sequence`] pads.
#[derive(Clone, Debug, Default)]
pub struct PadSequence {
    /// The dim of each entry; negative counts from its last dim.
    pub pad_dim: i64,
    /// The padding.
    pub value: f64,
    /// Where a dict of bool masks goes, true for values.
    pub mask_key: Option<KeyBuf>,
    /// Numbers for some tensors, instead of `value`.
    pub values: Vec<(KeyBuf, f64)>,
    /// Padding comes before the values.
    pub left: bool,
}

/// Where [`Node::unpad_sequence`] finds the masks.
#[derive(Clone, Copy, Debug)]
pub enum Masks<'a> {
    /// Under a key of the dict; the samples lack it then.
    Key(&'a KeyBuf),
    /// In another dict, a mask for each tensor.
    Dict(&'a Node),
    /// One mask for all tensors: [samples, longest].
    Tensor(&'a Tensor),
}

fn raws<D: AsRef<Node>>(dicts: &[D]) -> Vec<*const sys::td_dict> {
    array(dicts.iter().map(AsRef::as_ref))
}

impl Dict {
    /// Stacks dicts of equal keys, batch sizes and leaf shapes along a new batch dim. Errors: Argument for none; Key;
    /// Shape; Index.
    pub fn stack<D: AsRef<Node>>(dicts: &[D], dim: i64) -> Result<Self> {
        let raws = raws(dicts);
        made!(td_dict_stack(raws.as_ptr(), raws.len(), dim))
    }

    /// Joins dicts of equal keys along a batch dim. Errors: Argument for none; Key; Shape; Index.
    pub fn cat<D: AsRef<Node>>(dicts: &[D], dim: i64) -> Result<Self> {
        let raws = raws(dicts);
        // Of one lazy stack it is made of the members themselves.
        super::apart!(td_dict_cat(raws.as_ptr(), raws.len(), dim))
    }

    /// Stacks dicts along a new dim 0 after padding each entry at one end of one dim to the longest.
    /// Errors: Argument; Exists for a taken mask key; Key; Shape; Index.
    pub fn pad_sequence<D: AsRef<Node>>(dicts: &[D], options: &PadSequence) -> Result<Self> {
        let raws = raws(dicts);
        let keys = KeyArray::new(options.values.iter().map(|(key, _)| key));
        let values: Vec<_> = (0..keys.len())
            .map(|i| sys::td_item {
                // SAFETY: in range of the array of keys.
                key: unsafe { keys.as_ptr().add(i) },
                value: Value::Double(options.values[i].1).raw(),
            })
            .collect();
        let mask = KeyArray::new(&options.mask_key);
        let number = Value::Double(options.value).raw();
        let options = sys::td_pad_sequence_options {
            pad_dim: options.pad_dim,
            value: &number,
            mask_key: if mask.len() == 0 { std::ptr::null() } else { mask.as_ptr() },
            values: values.as_ptr(),
            n_values: values.len(),
            left: options.left.into(),
            ..Default::default()
        };
        made!(td_dict_pad_sequence(raws.as_ptr(), raws.len(), &options))
    }
}

impl Node {
    /// Writes what [`Dict::cat`] gives into the entries of this dict, which may be locked. Errors: as that; Locked.
    pub fn fill_with_cat<D: AsRef<Node>>(&mut self, dicts: &[D], dim: i64) -> Result<()> {
        let raws = raws(dicts);
        done!(td_dict_cat_into(raws.as_ptr(), raws.len(), dim, self.as_raw()))
    }

    /// Writes what [`Dict::stack`] gives into the entries of this dict, which may be locked. Errors: as that; Locked.
    pub fn fill_with_stack<D: AsRef<Node>>(&mut self, dicts: &[D], dim: i64) -> Result<()> {
        let raws = raws(dicts);
        done!(td_dict_stack_into(raws.as_ptr(), raws.len(), dim, self.as_raw()))
    }

    /// Grows batch dims with `value`: `pairs` says what is added before and after each, from the first dim on; negative
    /// numbers crop. Errors: Argument; Shape.
    pub fn pad(&self, pairs: &[i64], value: impl Into<Scalar>) -> Result<Dict> {
        made!(td_dict_pad(self.as_raw(), pairs.as_ptr(), pairs.len(), &value.into().raw()))
    }

    /// The samples that [`Dict::pad_sequence`] stacked, as a lazy stack; None: their masks are under "masks".
    /// Errors: Key without masks; Shape; Index; Argument for masks with holes.
    pub fn unpad_sequence(&self, pad_dim: i64, masks: Option<Masks<'_>>) -> Result<Dict> {
        let key = match masks {
            Some(Masks::Key(key)) => Some(key.clone()),
            _ => None,
        };
        let key = KeyArray::new(&key);
        let mut options = sys::td_unpad_sequence_options { pad_dim, ..Default::default() };
        match masks {
            Some(Masks::Key(_)) => options.mask_key = key.as_ptr(),
            Some(Masks::Dict(dict)) => options.masks = dict.as_raw(),
            Some(Masks::Tensor(tensor)) => options.mask = tensor.as_raw(),
            None => {}
        }
        super::apart!(td_dict_unpad_sequence(self.as_raw(), &options))
    }
}
