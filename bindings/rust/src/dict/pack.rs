//! All tensors of a dict as one, and where each of them is in it.
use super::{Dict, Node};
use crate::handle::sizes;
use crate::key::{self, KeyArray};
use crate::{string, sys, Error, ErrorKind, KeyBuf, Result, Tensor};
use std::ptr::{null, null_mut, NonNull};

handle! {
    /// Where each tensor of a dict is in the one that all were packed into, immutable. It fits every dict of these keys
    /// and features.
    pub PackLayout: td_pack_layout, td_pack_layout_release, td_pack_layout_retain
}

printed! { PackLayout, td_pack_layout_repr }

impl PartialEq for PackLayout {
    fn eq(&self, other: &Self) -> bool {
        unsafe { sys::td_pack_layout_equal(self.as_raw(), other.as_raw()) != 0 }
    }
}

impl Eq for PackLayout {}

fn entries(keys: &KeyArray<'_>, shapes: &[(KeyBuf, Vec<i64>)]) -> Vec<sys::td_pack_entry> {
    let raw = |(index, (_, shape)): (usize, &(KeyBuf, Vec<i64>))| sys::td_pack_entry {
        // SAFETY: in range of the array of keys.
        key: unsafe { keys.as_ptr().add(index) },
        dims: shape.as_ptr(),
        ndim: shape.len(),
    };
    shapes.iter().enumerate().map(raw).collect()
}

impl PackLayout {
    /// Of columns in this order, each with the shape of its features, and of nodes with the batch dims that they have
    /// beyond the root's. Errors: Exists for a key that comes twice; Key; Shape; Index; Device.
    pub fn new(
        columns: &[(KeyBuf, Vec<i64>)],
        nested: &[(KeyBuf, Vec<i64>)],
        dim: i64,
        device: Option<&str>,
    ) -> Result<Self> {
        let (column_keys, node_keys) =
            (KeyArray::new(columns.iter().map(|(key, _)| key)), KeyArray::new(nested.iter().map(|(key, _)| key)));
        let (columns, nested) = (entries(&column_keys, columns), entries(&node_keys, nested));
        let device = string::optional(device);
        made!(td_pack_layout_new(columns.as_ptr(), columns.len(), nested.as_ptr(), nested.len(), dim, device))
    }

    /// A dict whose tensors are views of `packed`, of as many rows as it has. Errors: Index; Shape.
    pub fn unpack(&self, packed: &Tensor) -> Result<Dict> {
        made!(td_pack_layout_unpack(self.as_raw(), packed.as_raw()))
    }

    /// The keys of the columns, in their order.
    pub fn keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_pack_layout_keys(self.as_raw(), out, err) })
    }

    /// The keys of the nodes.
    pub fn nested(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_pack_layout_nested(self.as_raw(), out, err) })
    }

    /// The features of a column; empty beyond the last.
    pub fn shape(&self, index: usize) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_pack_layout_shape(self.as_raw(), index as i64, out, capacity) })
    }

    /// The batch dims of a node beyond the root's; empty beyond the last.
    pub fn nested_shape(&self, index: usize) -> Vec<i64> {
        sizes(|out, capacity| unsafe { sys::td_pack_layout_nested_shape(self.as_raw(), index as i64, out, capacity) })
    }

    /// Where a column begins along the packed dim; None beyond the last.
    pub fn offset(&self, index: usize) -> Option<usize> {
        usize::try_from(unsafe { sys::td_pack_layout_offset(self.as_raw(), index as i64) }).ok()
    }

    /// The size of the packed dim.
    pub fn numel(&self) -> usize {
        crate::handle::count(unsafe { sys::td_pack_layout_numel(self.as_raw()) })
    }

    /// The position of the packed dim, negative if it counts from the end.
    pub fn dim(&self) -> i64 {
        unsafe { sys::td_pack_layout_dim(self.as_raw()) }
    }

    /// The device of the dict that was packed.
    pub fn device(&self) -> Option<&'static str> {
        // SAFETY: static text.
        unsafe { string::present(sys::td_pack_layout_device(self.as_raw())) }
    }
}

impl Node {
    /// The features of all tensors side by side along a new dim, by sorted keys, and where each of them is.
    /// Errors: Index; Unsupported for data; Dtype and Device for tensors that differ; Key; Shape.
    pub fn pack(&self, dim: i64) -> Result<(Tensor, PackLayout)> {
        self.packed(dim, null())
    }

    /// The same by the columns of a layout, which has the same tensors. Errors: as [`pack`](Node::pack); Argument for
    /// another dim.
    pub fn pack_like(&self, layout: &PackLayout, dim: i64) -> Result<(Tensor, PackLayout)> {
        self.packed(dim, layout.as_raw())
    }

    fn packed(&self, dim: i64, like: *const sys::td_pack_layout) -> Result<(Tensor, PackLayout)> {
        let mut layout = null_mut();
        let node = self.as_raw();
        let packed =
            crate::handle::make(|out, err| unsafe { sys::td_dict_pack(node, dim, like, out, &mut layout, err) })?;
        let layout = NonNull::new(layout).map(crate::handle::Handle::from_raw);
        Ok((packed, layout.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?))
    }
}
