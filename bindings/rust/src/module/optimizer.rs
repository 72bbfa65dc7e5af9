//! Optimizers: LibTorch's own, over the leaves of a dict that require grad.
use crate::{string, sys, Dict, Node, Result};
use std::fmt;

/// A member as the library reads it, where 0 means the default: our defaults are here, and 0 is a number.
trait Given {
    type Raw;
    fn given(self) -> Self::Raw;
}
impl Given for f64 {
    type Raw = f64;
    fn given(self) -> f64 {
        if self == 0.0 {
            sys::TD_ZERO
        } else {
            self
        }
    }
}
impl Given for bool {
    type Raw = sys::td_bool;
    fn given(self) -> sys::td_bool {
        self.into()
    }
}

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident: $raw:ident { $($field:ident: $type:ty = $default:expr,)* })*) => {$(
        $(#[$doc])*
        #[allow(missing_docs)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $(pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            fn raw(&self) -> sys::$raw {
                sys::$raw { $($field: self.$field.given(),)* ..Default::default() }
            }
        }
    )*};
}

options! {
    /// The options of SGD, as `torch.optim` names them.
    Sgd: td_sgd_options {
        lr: f64 = 1e-3,
        momentum: f64 = 0.0,
        dampening: f64 = 0.0,
        weight_decay: f64 = 0.0,
        nesterov: bool = false,
    }
    /// The options of Adam, as `torch.optim` names them.
    Adam: td_adam_options {
        lr: f64 = 1e-3,
        beta1: f64 = 0.9,
        beta2: f64 = 0.999,
        eps: f64 = 1e-8,
        weight_decay: f64 = 0.0,
        amsgrad: bool = false,
    }
    /// The options of AdamW, as `torch.optim` names them.
    AdamW: td_adamw_options {
        lr: f64 = 1e-3,
        beta1: f64 = 0.9,
        beta2: f64 = 0.999,
        eps: f64 = 1e-8,
        weight_decay: f64 = 1e-2,
        amsgrad: bool = false,
    }
    /// The options of RMSprop, as `torch.optim` names them.
    RmsProp: td_rmsprop_options {
        lr: f64 = 1e-2,
        alpha: f64 = 0.99,
        eps: f64 = 1e-8,
        weight_decay: f64 = 0.0,
        momentum: f64 = 0.0,
        centered: bool = false,
    }
}

handle! {
    /// Changes parameters by their gradients.
    pub Optimizer: td_optimizer, td_optimizer_release
}

impl Optimizer {
    /// SGD over the leaves of `params` that require grad. Errors: Argument if none does, or an option is out of range;
    /// Locked for a leaf in read-only memory.
    pub fn sgd(params: &Node, options: &Sgd) -> Result<Self> {
        made!(td_optimizer_sgd(params.as_raw(), &options.raw()))
    }

    /// Adam. Errors: as [`sgd`](Optimizer::sgd).
    pub fn adam(params: &Node, options: &Adam) -> Result<Self> {
        made!(td_optimizer_adam(params.as_raw(), &options.raw()))
    }

    /// AdamW. Errors: as [`sgd`](Optimizer::sgd).
    pub fn adamw(params: &Node, options: &AdamW) -> Result<Self> {
        made!(td_optimizer_adamw(params.as_raw(), &options.raw()))
    }

    /// RMSprop. Errors: as [`sgd`](Optimizer::sgd).
    pub fn rmsprop(params: &Node, options: &RmsProp) -> Result<Self> {
        made!(td_optimizer_rmsprop(params.as_raw(), &options.raw()))
    }

    /// Forgets the collected gradients.
    pub fn zero_grad(&mut self) -> Result<()> {
        done!(td_optimizer_zero_grad(self.as_raw()))
    }

    /// Changes the parameters in place by one step.
    pub fn step(&mut self) -> Result<()> {
        done!(td_optimizer_step(self.as_raw()))
    }

    /// Adds a group, with the options of the first until they are set. Errors: as [`sgd`](Optimizer::sgd); Exists for a
    /// tensor that has a group.
    pub fn add_group(&mut self, params: &Node) -> Result<()> {
        done!(td_optimizer_add_group(self.as_raw(), params.as_raw()))
    }

    /// "SGD", "Adam", "AdamW" or "RMSprop".
    pub fn type_name(&self) -> String {
        // SAFETY: the text is static.
        unsafe { string::view(sys::td_optimizer_type_name(self.as_raw())) }.into()
    }

    /// Number of groups.
    pub fn group_count(&self) -> usize {
        unsafe { sys::td_optimizer_group_count(self.as_raw()) }
    }

    /// An option of a group by the name that `torch.optim` gives it. Errors: Index; Key.
    pub fn get(&self, group: usize, name: &str) -> Result<f64> {
        let mut out = 0.0;
        done!(td_optimizer_get(self.as_raw(), group as i64, string::borrow(name), &mut out))?;
        Ok(out)
    }

    /// Sets it: a scheduler sets "lr". Errors: Index; Key; Argument.
    pub fn set(&mut self, group: usize, name: &str, value: f64) -> Result<()> {
        done!(td_optimizer_set(self.as_raw(), group as i64, string::borrow(name), value))
    }

    /// What it has collected and its options, as a dict of copies.
    pub fn state(&self) -> Result<Dict> {
        made!(td_optimizer_state(self.as_raw()))
    }

    /// Goes on from a state of an optimizer of the same kind. Errors: Key; Shape; Argument.
    pub fn load_state(&mut self, state: &Node) -> Result<()> {
        done!(td_optimizer_load_state(self.as_raw(), state.as_raw()))
    }
}

impl fmt::Debug for Optimizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Optimizer")
    }
}

impl Node {
    /// Scales the gradients so that their joint norm is at most `max_norm`, and says what it was. Errors: Argument,
    /// also for a norm that is not finite with `error_if_nonfinite`.
    pub fn clip_grad_norm(&mut self, max_norm: f64, norm_type: f64, error_if_nonfinite: bool) -> Result<f64> {
        let mut norm = 0.0;
        let strict = error_if_nonfinite.into();
        done!(td_dict_clip_grad_norm_(self.as_raw(), max_norm, norm_type, strict, &mut norm))?;
        Ok(norm)
    }

    /// Limits each element of the gradients to `-value..=value`. Errors: Argument.
    pub fn clip_grad_value(&mut self, value: f64) -> Result<()> {
        done!(td_dict_clip_grad_value_(self.as_raw(), value))
    }
}
