//! Selecting rows by position, by mask and by value.
use super::{apart, DataList, Dict, DictList, Node};
use crate::{handle::Handle, sys, Error, ErrorKind, Key, Result, Scalar, Tensor, Value};
use std::ptr::{null_mut, NonNull};

/// The values of [`Node::group_by`], one a group.
#[derive(Debug)]
pub enum GroupValues {
    /// Of a tensor: one row a group.
    Tensor(Tensor),
    /// Of data.
    Data(DataList),
}

impl Node {
    /// For each element of `index`, that position along a batch dim. Errors: Index; Shape; Dtype.
    pub fn gather(&self, dim: i64, index: &Tensor) -> Result<Dict> {
        made!(td_dict_gather(self.as_raw(), dim, index.as_raw()))
    }

    /// The rows where `mask` is true; its dims become one. Errors: Index; Dtype.
    pub fn masked_select(&self, mask: &Tensor) -> Result<Dict> {
        apart!(td_dict_masked_select(self.as_raw(), mask.as_raw()))
    }

    /// Entries of this dict where `condition` holds, else of `other`. An entry that only one of them has is `pad` in
    /// the other; without `pad` that is an error. Errors: Key; Shape; Dtype; Argument.
    pub fn choose(&self, condition: &Tensor, other: &Node, pad: Option<f64>) -> Result<Dict> {
        let number = pad.map(|pad| Value::Double(pad).raw());
        let pad = number.as_ref().map_or(std::ptr::null(), |number| number as *const sys::td_value);
        made!(td_dict_where(self.as_raw(), condition.as_raw(), other.as_raw(), pad))
    }

    /// New tensors with `value` where `mask` is true. Errors: Shape; Dtype; Argument.
    pub fn masked_fill(&self, mask: &Tensor, value: impl Into<Scalar>) -> Result<Dict> {
        made!(td_dict_masked_fill(self.as_raw(), mask.as_raw(), &value.into().raw()))
    }

    /// Writes `value` where `mask` is true, or nothing at all. Errors: as [`masked_fill`](Node::masked_fill); Locked;
    /// Torch.
    pub fn fill_where(&mut self, mask: &Tensor, value: impl Into<Scalar>) -> Result<()> {
        done!(td_dict_masked_fill_(self.as_raw(), mask.as_raw(), &value.into().raw()))
    }

    /// A bool for each position along a batch dim: is that slice of `key` among those of `reference`?
    /// Errors: Key; Shape; Index.
    pub fn is_in<'k>(&self, reference: &Node, key: impl Into<Key<'k>>, dim: i64) -> Result<Tensor> {
        key.into().with(|key| made!(td_dict_isin(self.as_raw(), reference.as_raw(), key, dim)))
    }

    /// One dict for each value of `key`, sorted. Errors: Key; Shape; Argument for data without an order.
    pub fn group_by<'k>(&self, key: impl Into<Key<'k>>) -> Result<(GroupValues, Vec<Dict>)> {
        let (mut values, mut data) = (null_mut(), null_mut());
        let node = self.as_raw();
        let groups: DictList = key.into().with(|key| {
            crate::handle::make(|out, err| unsafe {
                sys::td_dict_group_by(node, key, &mut values, &mut data, out, err)
            })
        })?;
        let values = NonNull::new(values).map(|raw| GroupValues::Tensor(Tensor::from_raw(raw)));
        let data = NonNull::new(data).map(|raw| GroupValues::Data(DataList::from_raw(raw)));
        let values = values.or(data).ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?;
        Ok((values, groups.take_apart()?))
    }

    /// The first occurrence of each different slice of `key` along a batch dim, in the order of those values, and for
    /// each position the place of its value in them. Errors: Key; Index.
    pub fn remove_duplicates<'k>(&self, key: impl Into<Key<'k>>, dim: i64) -> Result<(Dict, Tensor)> {
        let mut inverse = null_mut();
        let node = self.as_raw();
        let rows = key.into().with(|key| {
            crate::handle::make(|out, err| unsafe {
                sys::td_dict_remove_duplicates(node, key, dim, out, &mut inverse, err)
            })
        })?;
        let inverse = NonNull::new(inverse).map(Tensor::from_raw);
        Ok((rows, inverse.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?))
    }
}
