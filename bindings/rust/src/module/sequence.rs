//! Sequences, chains and lists of modules, which move into them.
use super::{module_array as array, Inplace, Module};
use crate::dict::Lent;
use crate::key::KeyArray;
use crate::string::borrow_all;
use crate::{sys, Error, ErrorKind, KeyBuf, Result};

/// How a sequence runs.
#[derive(Clone, Debug)]
pub struct SequenceOptions {
    /// Where outputs go.
    pub inplace: Inplace,
    /// Members whose inputs are missing do not run.
    pub partial_tolerant: bool,
    /// Only these out-keys; None: all.
    pub selected_out_keys: Option<Vec<KeyBuf>>,
    /// Names of the members; None: numbers.
    pub names: Option<Vec<String>>,
}

impl Default for SequenceOptions {
    fn default() -> Self {
        SequenceOptions { inplace: Inplace::None, partial_tolerant: false, selected_out_keys: None, names: None }
    }
}

impl SequenceOptions {
    pub(crate) fn with<R>(&self, n: usize, f: impl FnOnce(&sys::td_sequential_options) -> Result<R>) -> Result<R> {
        check_names(self.names.as_deref(), n)?;
        let selected = self.selected_out_keys.as_ref().map(KeyArray::new);
        let names = self.names.as_ref().map(|names| borrow_all(names.iter().map(|name| Some(&**name))));
        f(&sys::td_sequential_options {
            inplace: self.inplace.raw(),
            partial_tolerant: self.partial_tolerant.into(),
            selected_out_keys: selected.as_ref().map_or(std::ptr::null(), KeyArray::as_ptr),
            n_selected: selected.as_ref().map_or(0, KeyArray::len),
            names: names.as_ref().map_or(std::ptr::null(), Vec::as_ptr),
            ..Default::default()
        })
    }
}

fn check_names(names: Option<&[String]>, n: usize) -> Result<()> {
    match names {
        Some(names) if names.len() != n => {
            Err(Error::new(ErrorKind::Argument, &format!("{} names for {n} modules", names.len())))
        }
        _ => Ok(()),
    }
}

impl Module {
    /// Chains modules that have keys. Errors: Argument naming the member without keys.
    pub fn sequential(modules: Vec<Module>) -> Result<Self> {
        made!(td_module_sequential(array(&modules), modules.len(), std::ptr::null()))
    }

    /// The same with options. Errors: Argument; Key.
    pub fn sequential_with(modules: Vec<Module>, options: &SequenceOptions) -> Result<Self> {
        options.with(modules.len(), |options| made!(td_module_sequential(array(&modules), modules.len(), options)))
    }

    /// Chains modules of tensors, each of which gets what the one before it gave. Errors: Argument; Key; Exists.
    pub fn chain(modules: Vec<Module>, names: Option<&[String]>) -> Result<Self> {
        check_names(names, modules.len())?;
        let names = names.map(|names| borrow_all(names.iter().map(|name| Some(&**name))));
        let names = names.as_ref().map_or(std::ptr::null(), Vec::as_ptr);
        made!(td_module_chain(array(&modules), modules.len(), names))
    }

    /// Holds modules for others to call; it does nothing itself. Errors: as [`chain`](Module::chain).
    pub fn list(modules: Vec<Module>, names: Option<&[String]>) -> Result<Self> {
        check_names(names, modules.len())?;
        let names = names.map(|names| borrow_all(names.iter().map(|name| Some(&**name))));
        let names = names.as_ref().map_or(std::ptr::null(), Vec::as_ptr);
        made!(td_module_list(array(&modules), modules.len(), names))
    }

    /// Number of members of a sequence, a chain or a list.
    pub fn len(&self) -> usize {
        unsafe { sys::td_module_size(self.as_raw()) }
    }

    /// True without members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A member, lent; negative ones count from the end. Errors: Index.
    pub fn member(&self, index: i64) -> Result<Lent<'_, Module>> {
        made!(td_module_member(self.as_raw(), index)).map(Lent::new)
    }

    /// A sequence of the members that can run given `in_keys`, and that `out_keys` depend on; None stands for its own
    /// keys. It shares them, so that it is lent. Errors: Argument if it is no sequence, or nothing is left.
    pub fn select_subsequence(
        &self,
        in_keys: Option<&[KeyBuf]>,
        out_keys: Option<&[KeyBuf]>,
    ) -> Result<Lent<'_, Module>> {
        let (ins, outs) = (in_keys.map(KeyArray::new), out_keys.map(KeyArray::new));
        let at = |keys: &Option<KeyArray<'_>>| keys.as_ref().map_or(std::ptr::null(), KeyArray::as_ptr);
        let n = |keys: &Option<KeyArray<'_>>| keys.as_ref().map_or(0, KeyArray::len);
        made!(td_module_select_subsequence(self.as_raw(), at(&ins), n(&ins), at(&outs), n(&outs))).map(Lent::new)
    }

    /// A sequence over the members start, start + step, ... before `stop`, which it shares, so that it is lent.
    /// Errors: Argument.
    pub fn slice(&self, start: i64, stop: i64, step: i64) -> Result<Lent<'_, Module>> {
        made!(td_module_slice(self.as_raw(), start, stop, step)).map(Lent::new)
    }

    /// Puts another module in the place of a member. Errors: Index; Argument.
    pub fn set_member(&mut self, index: i64, member: Module) -> Result<()> {
        done!(td_module_set_member(self.as_raw(), index, member.as_raw()))
    }

    /// Removes a member. Errors: Index; Argument.
    pub fn remove_member(&mut self, index: i64) -> Result<()> {
        done!(td_module_remove_member(self.as_raw(), index))
    }

    /// Copies of a module that has keys, with parameters of their own, as one module: its results have a new batch dim
    /// 0. `expand_input`: each copy gets all of the data. Errors: Argument.
    pub fn ensemble(self, copies: i64, expand_input: bool, generator: Option<&mut crate::Generator>) -> Result<Module> {
        let generator = crate::Generator::optional(generator);
        made!(td_module_ensemble(self.as_raw(), copies, expand_input.into(), generator))
    }
}
