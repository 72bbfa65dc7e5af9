//! What stands under a key, of whatever kind.
use super::{Data, DataList, Dict, Keys, Lent, Node};
use crate::handle::Handle;
use crate::string::Text;
use crate::{sys, Error, ErrorKind, Key, KeyBuf, Result, Tensor};
use std::ptr::{null_mut, NonNull};

/// What stands under a key; a dict is lent.
#[derive(Debug)]
pub enum Entry<'a> {
    /// A tensor, shared.
    Tensor(Tensor),
    /// A dict.
    Dict(Lent<'a, Dict>),
    /// Non-tensor data.
    Data(DataList),
}

/// What was taken out of a dict.
#[derive(Debug)]
pub enum Taken {
    /// A tensor.
    Tensor(Tensor),
    /// A dict, which nothing else holds any more.
    Dict(Dict),
    /// Non-tensor data.
    Data(DataList),
}

impl Entry<'_> {
    /// The tensor, if it is one.
    pub fn tensor(self) -> Option<Tensor> {
        match self {
            Entry::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The text, if it is data of one text for all.
    pub fn text(&self) -> Option<String> {
        match self {
            Entry::Data(list) if !list.is_stack() => match list.get(0) {
                Ok(Data::Str(text)) => Some(text.to_owned()),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Node {
    /// What stands under `key`, or None.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// # use tensordict::{Dict, Dtype, Entry, Tensor};
    /// # let mut td = Dict::new(&[2])?;
    /// # td.set(("next", "obs"), &Tensor::zeros(&[2, 3], Dtype::Float32)?)?;
    /// match td.find("next")? {
    ///     Some(Entry::Dict(next)) => println!("{next}"),
    ///     Some(Entry::Tensor(tensor)) => println!("{tensor:?}"),
    ///     Some(Entry::Data(data)) => println!("{data:?}"),
    ///     None => println!("nothing"),
    /// }
    /// assert!(td.find(("next", "missing"))?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn find<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<Entry<'_>>> {
        let key = key.into();
        let mut kind = sys::TD_ENTRY_NONE;
        key.with(|key| done!(td_dict_has(self.as_raw(), key, &mut kind)))?;
        key.with(|key| {
            Ok(match kind {
                sys::TD_ENTRY_TENSOR => Some(Entry::Tensor(made!(td_dict_get(self.as_raw(), key))?)),
                sys::TD_ENTRY_DICT => Some(Entry::Dict(Lent::new(made!(td_dict_get_dict(self.as_raw(), key))?))),
                sys::TD_ENTRY_DATA => Some(Entry::Data(made!(td_dict_get_data(self.as_raw(), key))?)),
                _ => None,
            })
        })
    }

    /// The entries of this dict, in their order.
    pub fn entries(&self) -> Result<Entries<'_>> {
        Ok(Entries { node: self, keys: self.keys(Keys::Here)?.into_iter() })
    }

    /// Removes the entry and hands it out. Errors: Key if it is missing; Locked.
    pub fn pop<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<Taken> {
        let key = key.into();
        let mut kind = sys::TD_ENTRY_NONE;
        key.with(|key| done!(td_dict_has(self.as_raw(), key, &mut kind)))?;
        key.with(|key| match kind {
            sys::TD_ENTRY_DICT => made!(td_dict_pop_dict(self.as_raw(), key)).map(Taken::Dict),
            sys::TD_ENTRY_DATA => {
                let data = made!(td_dict_get_data(self.as_raw(), key))?;
                done!(td_dict_delete(self.as_raw(), key))?;
                Ok(Taken::Data(data))
            }
            _ => made!(td_dict_pop(self.as_raw(), key)).map(Taken::Tensor),
        })
    }

    /// Removes the entry that was inserted last and hands it out with its name. Errors: Key if there is none; Locked.
    pub fn pop_last(&mut self) -> Result<(String, Taken)> {
        let (mut tensor, mut dict, mut data) = (null_mut(), null_mut(), null_mut());
        let name: Text = crate::handle::make(|name, err| unsafe {
            sys::td_dict_popitem(self.as_raw(), name, &mut tensor, &mut dict, &mut data, err)
        })?;
        let tensor = NonNull::new(tensor).map(|raw| Taken::Tensor(Tensor::from_raw(raw)));
        let dict = NonNull::new(dict).map(|raw| Taken::Dict(Dict::from_raw(raw)));
        let data = NonNull::new(data).map(|raw| Taken::Data(DataList::from_raw(raw)));
        let taken = tensor.or(dict).or(data);
        Ok((name.take(), taken.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?))
    }
}

/// The entries of a dict with their names, as [`Node::entries`] gives them.
#[derive(Debug)]
pub struct Entries<'a> {
    node: &'a Node,
    keys: std::vec::IntoIter<KeyBuf>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(String, Entry<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.keys.next()?;
        Some(match self.node.find(&key) {
            Ok(Some(entry)) => Ok((key.name().to_owned(), entry)),
            Ok(None) => Err(Error::new(ErrorKind::Key, &format!("{key} is gone"))),
            Err(error) => Err(error),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}
