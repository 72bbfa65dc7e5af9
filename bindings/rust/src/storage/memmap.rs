//! Dicts that live in a directory: tensors are its files.
use super::{path_text, SaveOptions};
use crate::handle::make_optional;
use crate::string::Text;
use crate::{string, sys, Dict, Dtype, Key, Node, Result, Tensor};
use std::path::Path;

impl Node {
    /// Makes a memmap directory with this structure and zeros in all tensors, and opens it to be written. Errors: as
    /// [`save`](Node::save); Unsupported for another format.
    pub fn memmap_like(&self, path: impl AsRef<Path>, options: SaveOptions<'_>) -> Result<Dict> {
        let path = path_text(path.as_ref())?;
        options.with(|options| made!(td_dict_memmap_like(self.as_raw(), string::borrow(path), options)))
    }

    /// Makes a new entry of zeros in the directory and in the dict. Errors: Unsupported unless the directory was opened
    /// to be written; Exists; Shape; Key; NoSpace; Io.
    pub fn make_memmap<'k>(&mut self, key: impl Into<Key<'k>>, shape: &[i64], dtype: Dtype) -> Result<Tensor> {
        let node = self.as_raw();
        key.into().with(|key| made!(td_dict_make_memmap(node, key, shape.as_ptr(), shape.len(), dtype.raw())))
    }

    /// The same with the elements of `value`. Errors: as [`make_memmap`](Node::make_memmap).
    pub fn make_memmap_from<'k>(&mut self, key: impl Into<Key<'k>>, value: &Tensor) -> Result<Tensor> {
        key.into().with(|key| made!(td_dict_make_memmap_from(self.as_raw(), key, value.as_raw())))
    }

    /// Adds the rows of this dict to the directory at `path`, which has the same keys: who reads it finds the old rows or
    /// all. Errors: Key; Shape; Dtype; Argument for other data; Unsupported for what cannot grow; NoSpace; Io.
    pub fn append_memmap(&self, path: impl AsRef<Path>, sync: bool) -> Result<()> {
        let path = path_text(path.as_ref())?;
        done!(td_append_memmap(string::borrow(path), self.as_raw(), sync.into()))
    }

    /// Opens the directory anew: entries that others made appear. Tensors that were taken out before stay valid.
    /// Errors: Unsupported if it was not opened from a directory; Locked unless that was for writing; Corrupt; Io.
    pub fn refresh_memmap(&mut self) -> Result<()> {
        done!(td_dict_memmap_refresh_(self.as_raw()))
    }

    /// True if the tensors of the dict itself were mapped from files when it was opened.
    pub fn is_memmap(&self) -> bool {
        unsafe { sys::td_dict_is_memmap(self.as_raw()) != 0 }
    }

    /// The directory that the dict was opened from, if there is one.
    pub fn saved_path(&self) -> Result<Option<String>> {
        let text: Option<Text> = make_optional(|out, err| unsafe { sys::td_dict_saved_path(self.as_raw(), out, err) })?;
        Ok(text.map(Text::take))
    }

    /// The class that the dict has in Python where it is an ordinary dict here: that of a tensorclass, or
    /// "torch.nested"; None for all others.
    pub fn python_class(&self) -> Result<Option<String>> {
        let text: Option<Text> =
            make_optional(|out, err| unsafe { sys::td_dict_python_class(self.as_raw(), out, err) })?;
        Ok(text.map(Text::take))
    }

    /// What a tensorclass has beside its entries, as a JSON object.
    pub fn python_fields(&self) -> Result<String> {
        made!(td_dict_python_fields(self.as_raw())).map(Text::take)
    }
}
