//! Modules: pure functions of their state, which the library owns, and their inputs.
mod function;
mod hooks;
mod keys;
mod optimizer;
mod run;
mod schedule;
mod sequence;
mod state;
mod state_dict;
mod tree;
mod vmap;

pub(crate) use function::give as give_tensors;
pub use hooks::{BackwardCall, HookCall, HookFlags, HookId, StateHook};
pub use keys::{Inplace, KeyedOptions};
pub use optimizer::{Adam, AdamW, Optimizer, RmsProp, Sgd};
pub use run::RunOptions;
pub(crate) use run::{apart_from, made_apart};
pub use schedule::{OneCycle, Rates, Schedule};
pub use sequence::SequenceOptions;
pub use state::FromModules;
pub use state_dict::Loaded;
pub use tree::{ListOptions, Visit};
pub use vmap::{vmap, Randomness, VmapOptions};

use crate::string::Text;
use crate::{string, sys, Generator, Result};

handle! {
    /// A module: with keys it reads and writes a dict, without them it takes and gives tensors.
    ///
    /// A module owns the modules in it: they are moved in, and lent when they are asked for.
    pub Module: td_module, td_module_release
}

printed!(Module, td_module_repr);

impl Module {
    /// The tensors of a dict as members of a module, under their keys, in the same memory: floating-point and complex
    /// ones as parameters, others as buffers. It cannot be called. Errors: Argument; Unsupported for lazy stacks.
    pub fn from_params(params: &crate::Node) -> Result<Self> {
        made!(td_module_from_params(params.as_raw()))
    }

    /// Makes a module of a plugin's type, "td.mlp" for instance; `config` is a JSON object. Parameters are drawn from
    /// `generator`, or LibTorch's default one. Errors: NotFound, with the types that there are; Argument; Plugin.
    pub fn create(kind: &str, config: &str, generator: Option<&mut Generator>) -> Result<Self> {
        let generator = Generator::optional(generator);
        made!(td_module_new(string::borrow(kind), string::borrow(config), generator))
    }

    /// Training mode, here and in all children.
    pub fn train(&mut self, training: bool) -> Result<()> {
        done!(td_module_train(self.as_raw(), training.into()))
    }

    /// The id of its plugin type, "td.mlp" for instance, or the name that it is printed with.
    pub fn type_name(&self) -> Result<String> {
        made!(td_module_type_name(self.as_raw())).map(Text::take)
    }

    /// The config that it was made with, as JSON; empty if it is of no plugin type.
    pub fn config(&self) -> Result<String> {
        made!(td_module_config(self.as_raw())).map(Text::take)
    }

    /// True in training mode.
    pub fn is_training(&self) -> bool {
        unsafe { sys::td_module_is_training(self.as_raw()) != 0 }
    }

    /// True if it reads and writes keys.
    pub fn has_keys(&self) -> bool {
        unsafe { sys::td_module_has_keys(self.as_raw()) != 0 }
    }
}

/// Modules that move into another one, as the array of handles that a function takes.
pub(crate) fn module_array(modules: &[Module]) -> *const *mut sys::td_module {
    // A Module is a transparent handle.
    modules.as_ptr().cast()
}
