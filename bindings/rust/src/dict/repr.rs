//! Dicts as text, and back.
use super::{Dict, Node};
use crate::string::Text;
use crate::{string, sys, Result};

printed!(Node, td_dict_repr);

/// What [`Node::repr_with`] shows: `sys::TD_REPR_...`, joined with `|`.
pub type ReprFlags = u64;

impl Node {
    /// The text that Python's repr gives under other print options. Errors: Argument for unknown flags; Torch.
    pub fn repr_with(&self, flags: ReprFlags) -> Result<String> {
        made!(td_dict_repr_with(self.as_raw(), flags)).map(Text::take)
    }
}

impl Dict {
    /// A dict of zeros from what a dict was printed as; `device` takes the place of every device in the text.
    /// Errors: Argument with line and column; Unsupported; Dtype; Device; Shape.
    pub fn parse(text: &str, device: Option<&str>) -> Result<Dict> {
        let options = sys::td_parse_options { device: string::optional(device), ..Default::default() };
        made!(td_dict_parse(string::borrow(text), &options))
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
