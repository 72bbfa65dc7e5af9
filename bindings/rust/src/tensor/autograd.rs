//! Gradients, as in PyTorch: leaves that require grad collect it when backward runs.
use crate::handle::make_optional;
use crate::{sys, Result, Tensor};
use std::sync::Mutex;

/// Held while it changes whether tensors are recorded, which clones elsewhere share.
pub(crate) static RECORDING: Mutex<()> = Mutex::new(());

impl Tensor {
    /// True if operations on the tensor are recorded.
    pub fn requires_grad(&self) -> bool {
        unsafe { sys::td_tensor_requires_grad(self.as_raw()) != 0 }
    }

    /// Starts or stops recording on a leaf. Errors: Dtype unless it is floating or complex; Argument to stop on a
    /// non-leaf, which [`detach`](Tensor::detach) is for.
    pub fn set_requires_grad(&mut self, requires_grad: bool) -> Result<()> {
        let _one_at_a_time = RECORDING.lock();
        done!(td_tensor_requires_grad_(self.as_raw(), requires_grad.into()))
    }

    /// Adds the gradient of this tensor of one element to the `grad` of every leaf it was computed from.
    /// Errors: Shape for more elements; Argument if nothing requires grad; Torch.
    pub fn backward(&self) -> Result<()> {
        self.backward_with(None, false)
    }

    /// The same for any tensor, given its own gradient; `retain_graph` keeps the graph for another call.
    pub fn backward_with(&self, gradient: Option<&Tensor>, retain_graph: bool) -> Result<()> {
        let gradient = gradient.map_or(std::ptr::null_mut(), Tensor::as_raw);
        done!(td_tensor_backward(self.as_raw(), gradient, retain_graph.into()))
    }

    /// The collected gradient, if there is one yet.
    pub fn grad(&self) -> Result<Option<Tensor>> {
        make_optional(|out, err| unsafe { sys::td_tensor_grad(self.as_raw(), out, err) })
    }

    /// The same data without its history.
    pub fn detach(&self) -> Result<Tensor> {
        made!(td_tensor_detach(self.as_raw()))
    }
}

/// Runs `f` without recording on this thread.
///
/// ```
/// # fn main() -> tensordict::Result<()> {
/// use tensordict::{no_grad, Tensor};
/// let mut x = Tensor::from_slice(&[1.0f32, 2.0], &[2])?;
/// x.set_requires_grad(true)?;
/// assert!((&x * 2.0)?.requires_grad());
/// assert!(!no_grad(|| &x * 2.0)?.requires_grad());
/// # Ok(())
/// # }
/// ```
pub fn no_grad<R>(f: impl FnOnce() -> R) -> R {
    struct Scope(*mut sys::td_no_grad);

    impl Drop for Scope {
        fn drop(&mut self) {
            // Closures nest, so that scopes of this thread end in the reverse order of their begin.
            let ended = done!(td_no_grad_end(self.0));
            // SAFETY: the reference is ours, and this is its end.
            unsafe { sys::td_no_grad_release(self.0) };
            debug_assert!(ended.is_ok(), "{ended:?}");
        }
    }

    let mut raw = std::ptr::null_mut();
    let begun = done!(td_no_grad_begin(&mut raw));
    let _scope = begun.map(|()| Scope(raw)).expect("a scope without memory cannot begin");
    f()
}

/// True if operations on this thread are recorded.
pub fn is_grad_enabled() -> bool {
    unsafe { sys::td_is_grad_enabled() != 0 }
}
