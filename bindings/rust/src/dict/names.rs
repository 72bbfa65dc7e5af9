//! Names of batch dims, which go along with the dims through every operation.
use super::Node;
use crate::handle::make_optional;
use crate::string::{borrow_all, Text};
use crate::{sys, Result};

impl Node {
    /// Names the batch dims, here and in all dicts below; no names at all take those there are away.
    /// Errors: Argument for another number of names, or one that comes twice.
    pub fn set_names(&mut self, names: &[Option<&str>]) -> Result<()> {
        let names = borrow_all(names.iter().copied());
        done!(td_dict_set_names(self.as_raw(), names.as_ptr(), names.len()))
    }

    /// The name of each batch dim.
    pub fn names(&self) -> Result<Vec<Option<String>>> {
        (0..self.batch_size().len())
            .map(|dim| {
                let name: Option<Text> =
                    make_optional(|out, err| unsafe { sys::td_dict_name(self.as_raw(), dim as i64, out, err) })?;
                Ok(name.map(Text::take))
            })
            .collect()
    }

    /// Names the dims that have no name yet. Errors: Argument if a name would change; as
    /// [`set_names`](Node::set_names).
    pub fn refine_names(&mut self, names: &[Option<&str>]) -> Result<()> {
        let names = borrow_all(names.iter().copied());
        done!(td_dict_refine_names(self.as_raw(), names.as_ptr(), names.len()))
    }

    /// Gives dims other names, all at once; None takes a name away. Errors: Argument.
    pub fn rename_names(&mut self, names: &[(&str, Option<&str>)]) -> Result<()> {
        let from = borrow_all(names.iter().map(|(from, _)| Some(*from)));
        let to = borrow_all(names.iter().map(|(_, to)| *to));
        done!(td_dict_rename_names(self.as_raw(), from.as_ptr(), to.as_ptr(), from.len()))
    }
}
