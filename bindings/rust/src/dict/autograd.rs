//! Gradients of dicts, and their states.
use super::{Dict, Node};
use crate::handle::make_optional;
use crate::tensor::RECORDING;
use crate::{sys, Result};

/// How gradients are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backward {
    /// Keeps the graph for another call.
    pub retain_graph: bool,
    /// Records the gradients too, for those of higher order; keeps the graph.
    pub create_graph: bool,
    /// [`Node::autograd_grad`] leaves out what was not used, instead of an error.
    pub allow_unused: bool,
}

impl Backward {
    fn raw(self) -> sys::td_backward_options {
        sys::td_backward_options {
            retain_graph: self.retain_graph.into(),
            create_graph: self.create_graph.into(),
            allow_unused: self.allow_unused.into(),
            ..Default::default()
        }
    }
}

impl Node {
    /// True if operations on some tensor are recorded.
    pub fn requires_grad(&self) -> bool {
        unsafe { sys::td_dict_requires_grad(self.as_raw()) != 0 }
    }

    /// Starts or stops recording on every tensor, or on none if one refuses. Errors: as
    /// [`Tensor::set_requires_grad`](crate::Tensor::set_requires_grad); Unsupported for tensors in a file.
    pub fn set_requires_grad(&mut self, requires_grad: bool) -> Result<()> {
        let _one_at_a_time = RECORDING.lock();
        done!(td_dict_requires_grad_(self.as_raw(), requires_grad.into()))
    }

    /// The same data without its history, locked if this dict is.
    pub fn detach(&self) -> Result<Dict> {
        made!(td_dict_detach(self.as_raw()))
    }

    /// Forgets the history of the tensors themselves. Errors: Torch naming a view that requires grad.
    pub fn forget_history(&mut self) -> Result<()> {
        let _one_at_a_time = RECORDING.lock();
        done!(td_dict_detach_(self.as_raw()))
    }

    /// The collected gradients of the leaves that have one, if any has.
    pub fn grad(&self) -> Result<Option<Dict>> {
        make_optional(|out, err| unsafe { sys::td_dict_grad(self.as_raw(), out, err) })
    }

    /// Forgets the collected gradients, or writes zeros into them. Errors: Locked.
    pub fn zero_grad(&mut self, set_to_none: bool) -> Result<()> {
        done!(td_dict_zero_grad(self.as_raw(), set_to_none.into()))
    }

    /// Runs backward once from all leaves that require grad, which have one element each, or a gradient.
    /// Errors: Argument; Key; Shape; Torch.
    pub fn backward(&self, gradient: Option<&Node>, retain_graph: bool) -> Result<()> {
        let options = Backward { retain_graph, ..Default::default() };
        self.backward_with(gradient, None, options)
    }

    /// The same; with `inputs`, gradients are added to its tensors only.
    pub fn backward_with(&self, gradient: Option<&Node>, inputs: Option<&Node>, options: Backward) -> Result<()> {
        let (gradient, inputs) = (Node::optional(gradient), Node::optional(inputs));
        done!(td_dict_backward(self.as_raw(), gradient, inputs, &options.raw()))
    }

    /// The gradients for the tensors of `inputs`, in its structure, and added to none. Errors: Argument naming an input
    /// that was not used; as [`backward`](Node::backward).
    pub fn autograd_grad(&self, inputs: &Node, gradient: Option<&Node>, options: Backward) -> Result<Dict> {
        let gradient = Node::optional(gradient);
        made!(td_dict_autograd_grad(self.as_raw(), inputs.as_raw(), gradient, &options.raw()))
    }

    /// Detached tensors on the same memory, for [`load_state_dict`](Node::load_state_dict) or to save.
    pub fn state_dict(&self) -> Result<Dict> {
        made!(td_dict_state_dict(self.as_raw()))
    }

    /// Takes over the batch sizes and the values of `state`; with `strict` both have the same entries, with `assign`
    /// the tensors themselves are taken. Errors: Key; Shape; Locked.
    pub fn load_state_dict(&mut self, state: &Node, strict: bool, assign: bool) -> Result<()> {
        let options =
            sys::td_load_state_options { lenient: (!strict).into(), assign: assign.into(), ..Default::default() };
        let state = state.copy()?;
        done!(td_dict_load_state_dict(self.as_raw(), state.as_raw(), &options))
    }
}
