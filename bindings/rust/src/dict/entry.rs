//! What stands under a key, of whatever kind.
use super::{Data, DataList, Dict, Lent, Node};
use crate::handle::Handle;
use crate::string::Text;
use crate::{sys, Error, ErrorKind, Key, KeyBuf, Result, Tensor};
use std::marker::PhantomData;
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

/// An entry for the library to fill.
fn nothing() -> sys::td_entry {
    sys::td_entry { kind: sys::TD_ENTRY_NONE, reserved: 0, tensor: null_mut(), dict: null_mut(), data: null_mut() }
}

impl Entry<'_> {
    /// Takes over the reference.
    fn from_raw(raw: sys::td_entry) -> Option<Self> {
        let tensor = NonNull::new(raw.tensor).map(|raw| Entry::Tensor(Tensor::from_raw(raw)));
        let dict = NonNull::new(raw.dict).map(|raw| Entry::Dict(Lent::new(Dict::from_raw(raw))));
        let data = NonNull::new(raw.data).map(|raw| Entry::Data(DataList::from_raw(raw)));
        tensor.or(dict).or(data)
    }

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
        let mut raw = nothing();
        key.into().with(|key| done!(td_dict_lookup(self.as_raw(), key, &mut raw)))?;
        Ok(Entry::from_raw(raw))
    }

    /// The entries of this dict at this moment, in their order.
    pub fn entries(&self) -> Result<Entries<'_>> {
        let list: EntryList = made!(td_dict_entries(self.as_raw(), 0))?;
        let (mut keys, mut entries, mut n) = (std::ptr::null(), std::ptr::null(), 0);
        done!(td_entries_view(list.as_raw(), &mut keys, &mut entries, &mut n))?;
        Ok(Entries { list, keys, entries, next: 0, n, node: PhantomData })
    }

    /// Removes the entry and hands it out. Errors: Key if it is missing; Locked.
    pub fn pop<'k>(&mut self, key: impl Into<Key<'k>>) -> Result<Taken> {
        let key = key.into();
        let mut kind = sys::TD_ENTRY_NONE;
        key.with(|key| done!(td_dict_entry_kind(self.as_raw(), key, &mut kind)))?;
        key.with(|key| match kind {
            sys::TD_ENTRY_DICT => made!(td_dict_pop_dict(self.as_raw(), key)).map(Taken::Dict),
            sys::TD_ENTRY_DATA => {
                let data = made!(td_dict_get_data(self.as_raw(), key))?;
                done!(td_dict_remove(self.as_raw(), key))?;
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

handle! {
    /// The entries of the library, while they are iterated.
    EntryList: td_entries, td_entries_release
}

/// The entries of a dict with their names, as [`Node::entries`] gives them.
pub struct Entries<'a> {
    list: EntryList,
    keys: *const sys::td_key,
    entries: *const sys::td_entry,
    next: usize,
    n: usize,
    node: PhantomData<&'a Node>,
}

impl std::fmt::Debug for Entries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entries").field("list", &self.list.as_raw()).field("left", &(self.n - self.next)).finish()
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(String, Entry<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.n {
            return None;
        }
        // SAFETY: both arrays have `n` elements and live as long as `list`; each entry gets a reference of its own.
        let (key, raw) = unsafe {
            let raw = *self.entries.add(self.next);
            sys::td_tensor_retain(raw.tensor);
            sys::td_dict_retain(raw.dict);
            sys::td_data_list_retain(raw.data);
            (KeyBuf::copy(&*self.keys.add(self.next)), raw)
        };
        self.next += 1;
        Entry::from_raw(raw).map(|entry| Ok((key.name().to_owned(), entry)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n - self.next, Some(self.n - self.next))
    }
}

impl ExactSizeIterator for Entries<'_> {}
