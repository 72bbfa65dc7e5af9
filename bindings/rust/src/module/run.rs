//! Running modules.
use super::Module;
use crate::op::{outputs, Named};
use crate::{dict, handle, sys, tensor, Dict, Error, ErrorKind, Interaction, Node, Output, Result, Tensor, Value};

/// How a module runs: `RunOptions { no_grad: true, ..Default::default() }`.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Modules whose outputs are all there do not run.
    pub skip_existing: bool,
    /// Nothing is recorded.
    pub no_grad: bool,
    /// How modules take values from distributions.
    pub interaction: Option<Interaction>,
}

impl Module {
    /// Runs a module that has keys on `data`, in place. On failure `data` keeps what members that succeeded have
    /// written.
    /// Errors: Argument if it has no keys, or gives another dict; Key; Shape; Locked; those of the module itself, a
    /// closure's own as itself.
    pub fn forward(&self, data: &mut Node) -> Result<()> {
        done!(td_module_forward(self.as_raw(), data.as_raw()))
    }

    /// The same with the tensors of `state` in place of its own, as far as it has them. Errors: Key; as
    /// [`forward`](Module::forward).
    pub fn forward_with(&self, state: &Node, data: &mut Node) -> Result<()> {
        done!(td_module_forward_with_state(self.as_raw(), state.as_raw(), data.as_raw()))
    }

    /// Runs a module that has keys and gives the dict with the outputs, if that is not `data` itself. Errors: as
    /// [`forward`](Module::forward).
    pub fn run(&self, data: &mut Node) -> Result<Option<Dict>> {
        self.run_with(data, None, RunOptions::default())
    }

    /// The same; outputs go to `out`. None if the outputs are in `out` or `data`.
    pub fn run_with(&self, data: &mut Node, out: Option<&mut Node>, how: RunOptions) -> Result<Option<Dict>> {
        let out = Node::optional(out.as_deref());
        let options = sys::td_run_options {
            tensordict_out: out,
            interaction: how.interaction.unwrap_or(Interaction::Default).raw(),
            skip_existing: how.skip_existing.into(),
            no_grad: how.no_grad.into(),
            ..Default::default()
        };
        let result: Dict = made!(td_module_run(self.as_raw(), data.as_raw(), &options))?;
        apart_from(result, &[data.as_raw(), out])
    }

    /// Runs a module on tensors, which gives `n` of them. Errors: Argument if it gives another number; its own.
    pub fn call(&self, inputs: &[Tensor], n: usize) -> Result<Vec<Tensor>> {
        let raws = tensor::array(inputs);
        tensor::make_several(n, |outs, err| unsafe {
            sys::td_module_call(self.as_raw(), raws, inputs.len(), outs, n, err)
        })
    }

    /// The same with the tensors of `states`, nested or with dotted names, in place of its own. `strict` wants them
    /// all, and nothing else; `tie_weights` replaces a tensor under all of its names. Errors: Argument; Key; its own.
    pub fn functional_call<D: AsRef<Node>>(
        &self,
        states: &[D],
        tie_weights: bool,
        strict: bool,
        inputs: &[Tensor],
        n: usize,
    ) -> Result<Vec<Tensor>> {
        let states = dict::array(states.iter().map(AsRef::as_ref));
        let options = sys::td_functional_options {
            untie_weights: (!tie_weights).into(),
            strict: strict.into(),
            ..Default::default()
        };
        let (raws, module) = (tensor::array(inputs), self.as_raw());
        let (states, n_states) = (states.as_ptr(), states.len());
        tensor::make_several(n, |outs, err| unsafe {
            sys::td_module_functional_call(module, states, n_states, &options, raws, inputs.len(), outs, n, err)
        })
    }

    /// Calls a module that has keys with values instead of a dict: in the order of its in-keys, or by the name of the
    /// key, whose parts are joined with `separator`. Gives the values of its out-keys. Errors: Argument for a value
    /// given twice, unknown names, and a dict as the first value, which [`run`](Module::run) is for; Key.
    pub fn dispatch(&self, args: &[Value<'_>], kwargs: &[(&str, Value<'_>)], separator: &str) -> Result<Vec<Output>> {
        if let Some(Value::Dict(_)) = args.first() {
            return Err(Error::new(ErrorKind::Argument, "a dict is no value to dispatch: call run"));
        }
        let raws: Vec<_> = args.iter().map(Value::raw).collect();
        let (named, separator) = (Named::new(kwargs), crate::string::borrow(separator));
        let mut outs = vec![Value::None.raw(); self.out_keys()?.len()];
        let mut n = 0;
        let (args, n_args, kwargs, n_kwargs) = (raws.as_ptr(), raws.len(), named.as_ptr(), named.len());
        let (module, capacity) = (self.as_raw(), outs.len());
        let room = outs.as_mut_ptr();
        done!(td_module_dispatch(module, args, n_args, kwargs, n_kwargs, separator, room, capacity, &mut n))?;
        outs.truncate(n);
        outputs(outs)
    }

    /// Runs `f` while the tensors of `params` are in the places of the module's own. Then the tensors that the module
    /// has are written into `params`, and its own come back, also if `f` fails. With `preserve_module_state` what takes
    /// the place of a parameter becomes one, cut off from where it came. Errors: Key; those of the closure.
    pub fn with_params<R, E: From<Error>>(
        &mut self,
        params: &mut Node,
        preserve_module_state: bool,
        f: impl FnOnce(&Module) -> std::result::Result<R, E>,
    ) -> std::result::Result<R, E> {
        let preserve = preserve_module_state.into();
        let scope = crate::scope::Open::new(made!(td_module_swap(self.as_raw(), params.as_raw(), preserve))?);
        let result = f(self)?;
        scope.end()?;
        Ok(result)
    }
}

/// A result with nodes of its own; None if it is one of these dicts themselves.
pub(crate) fn apart_from(result: Dict, those: &[*mut sys::td_dict]) -> Result<Option<Dict>> {
    if those.contains(&result.as_raw()) {
        return Ok(None);
    }
    result.own_nodes().map(Some)
}

/// What a function gives that may be dicts of its arguments.
pub(crate) fn made_apart(
    those: &[*mut sys::td_dict],
    f: impl FnOnce(*mut *mut sys::td_dict, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Option<Dict>> {
    apart_from(handle::make(f)?, those)
}
