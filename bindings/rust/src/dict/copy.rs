//! Copies, and dicts like another.
use super::{apart, Dict, Node};
use crate::{sys, Dtype, Result, Scalar, Value};

/// What the tensors that [`Node::new_tensor`] makes are.
#[derive(Clone, Debug, Default)]
pub struct NewTensor {
    /// Of every tensor; None: that of each tensor of the dict.
    pub dtype: Option<Dtype>,
    /// They are leaves that require grad.
    pub requires_grad: bool,
    /// None: that of the data.
    pub device: Option<String>,
}

impl Node {
    /// A second dict with the same tensors, unlocked; nested dicts are new too.
    pub fn copy(&self) -> Result<Dict> {
        made!(td_dict_copy(self.as_raw()))
    }

    /// A second dict with copies of the tensors, with their history.
    pub fn deep_copy(&self) -> Result<Dict> {
        made!(td_dict_clone(self.as_raw()))
    }

    /// A deep copy of plain dicts, whatever kind the nodes are. Errors: Shape if members of a lazy stack differ.
    pub fn to_tensordict(&self) -> Result<Dict> {
        made!(td_dict_to_tensordict(self.as_raw()))
    }

    /// Row-major leaves: those that are so already are shared, the others copied. Errors: Shape.
    pub fn contiguous(&self) -> Result<Dict> {
        apart!(td_dict_contiguous(self.as_raw()))
    }

    /// A locked copy of all tensors in one allocation. Errors: Device; Unsupported for tensors that are not dense.
    pub fn consolidate(&self) -> Result<Dict> {
        made!(td_dict_consolidate(self.as_raw()))
    }

    /// A dict of the same batch size, device and names without entries; `recurse` keeps the nodes, without theirs.
    pub fn empty(&self, recurse: bool) -> Result<Dict> {
        made!(td_dict_empty(self.as_raw(), recurse.into()))
    }

    /// A dict with these keys, nodes and feature dims for another batch size, of undefined contents; None keeps the
    /// dtypes.
    /// Errors: Shape; Dtype.
    pub fn new_empty(&self, batch_size: &[i64], dtype: Option<Dtype>) -> Result<Dict> {
        let dtype = dtype.map_or(sys::TD_DTYPE_NONE, Dtype::raw);
        made!(td_dict_new_empty(self.as_raw(), batch_size.as_ptr(), batch_size.len(), dtype))
    }

    /// The same with one value in every tensor. Errors: Argument if a dtype cannot hold it; as
    /// [`new_empty`](Node::new_empty).
    pub fn new_full(&self, batch_size: &[i64], value: impl Into<Scalar>, dtype: Option<Dtype>) -> Result<Dict> {
        let dtype = dtype.map_or(sys::TD_DTYPE_NONE, Dtype::raw);
        made!(td_dict_new_full(self.as_raw(), batch_size.as_ptr(), batch_size.len(), &value.into().raw(), dtype))
    }

    /// Copies of `data` (a tensor, numbers, or a dict with a tensor for each) in the place of each tensor.
    /// Errors: Argument for numbers that a dtype cannot hold; Key; Dtype; Device.
    pub fn new_tensor<'v>(&self, data: impl Into<Value<'v>>, options: &NewTensor) -> Result<Dict> {
        let value = data.into().raw();
        let options = sys::td_new_tensor_options {
            dtype: options.dtype.map_or(sys::TD_DTYPE_NONE, Dtype::raw),
            requires_grad: options.requires_grad.into(),
            device: crate::string::optional(options.device.as_deref()),
            ..Default::default()
        };
        made!(td_dict_new_tensor(self.as_raw(), &value, &options))
    }

    /// Another dtype for every tensor; tensors that have it already are shared. Errors: Dtype.
    pub fn to_dtype(&self, dtype: Dtype) -> Result<Dict> {
        apart!(td_dict_to(self.as_raw(), dtype.raw(), crate::string::optional(None)))
    }

    /// Another device for every node and tensor; tensors that are there already are shared. Errors: Device.
    pub fn to_device(&self, device: &str) -> Result<Dict> {
        apart!(td_dict_to(self.as_raw(), sys::TD_DTYPE_NONE, crate::string::borrow(device)))
    }

    /// Tensors in page-locked memory, from where copies to a GPU need not block. Errors: Unsupported without CUDA.
    pub fn pin_memory(&self) -> Result<Dict> {
        apart!(td_dict_pin_memory(self.as_raw()))
    }

    /// Forgets the device that entries are moved to, here and below; nothing moves.
    pub fn clear_device(&mut self) -> Result<()> {
        done!(td_dict_clear_device_(self.as_raw()))
    }

    /// Takes the device that all tensors are on, here and below; none if they differ.
    pub fn auto_device(&mut self) -> Result<()> {
        done!(td_dict_auto_device_(self.as_raw()))
    }
}
