//! Dicts as text, and back.
use super::list::DictList;
use super::{Dict, Node};
use crate::string::Text;
use crate::{string, sys, Result};

/// What [`Node::repr_with`] shows: `sys::TD_REPR_...`, joined with `|`; 0 means `sys::TD_REPR_DEFAULT`.
pub type ReprFlags = u64;

impl Node {
    /// The text that Python's repr gives under other print options. Errors: Argument for unknown flags; Torch.
    pub fn repr_with(&self, flags: ReprFlags) -> Result<String> {
        made!(td_dict_repr(self.as_raw(), flags)).map(Text::take)
    }
}

impl Dict {
    /// A dict without batch dims from a JSON object: objects are dicts, all else is data. What the library describes as
    /// JSON can be read with it. Errors: Argument.
    pub fn from_json(json: &str) -> Result<Dict> {
        made!(td_dict_from_json(string::borrow(json)))
    }

    /// The same for a JSON array of objects. Errors: Argument with the index of another element.
    pub fn list_from_json(json: &str) -> Result<Vec<Dict>> {
        let list: DictList = made!(td_dict_list_from_json(string::borrow(json)))?;
        list.take()
    }

    /// A dict of zeros from what a dict was printed as; `device` takes the place of every device in the text.
    /// Errors: Argument with line and column; Unsupported; Dtype; Device; Shape.
    pub fn parse(text: &str, device: Option<&str>) -> Result<Dict> {
        let options = sys::td_parse_options { device: string::optional(device), ..Default::default() };
        made!(td_dict_parse(string::borrow(text), &options))
    }
}

impl std::fmt::Display for Node {
    /// What Python's `repr(td)` prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.repr_with(0).map_err(|_| std::fmt::Error)?)
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Dict {
    /// What Python's `repr(td)` prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl std::fmt::Debug for Dict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
