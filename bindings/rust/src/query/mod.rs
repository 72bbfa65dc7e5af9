//! Queries: maps from rows to dense indices, where the first occurrence of a row gets the next free index.
mod file;
mod map;
mod store;

pub use file::{MapMode, QuerySave, QueryShare};
pub use map::IndexMap;
pub use store::{RowMap, Store, StoreOptions};

use crate::handle::count;
use crate::key::{self, KeyArray};
use crate::{string, sys, Dict, Hash, Key, KeyBuf, Module, Node, Result, Tensor};
use std::fmt;
use std::ptr::{null, null_mut};

constants! {
    /// What a row that is not in the map gets when the map is not extended.
    Miss {
        /// The number of indices handed out so far.
        Size = TD_QUERY_MISS_SIZE,
        /// -1.
        MinusOne = TD_QUERY_MISS_MINUS_ONE,
        /// The call fails with Key.
        Error = TD_QUERY_MISS_ERROR,
    }
}

/// How a query is made. Hashes move into it.
#[derive(Debug)]
pub struct QueryOptions {
    /// Where indices are written; None: "_index".
    pub index_key: Option<KeyBuf>,
    /// Where hashes are written; None: "_hash".
    pub hash_key: Option<KeyBuf>,
    /// The type of the hash; None: "td.siphash".
    pub hash_type: Option<String>,
    /// Its config, a JSON object.
    pub hash_config: Option<String>,
    /// Instead of a type: one hash for all keys, or one for each.
    pub hashes: Vec<Hash>,
    /// Hashes the row of hashes of several keys.
    pub aggregator: Option<Hash>,
    /// At most so many entries; 0: no limit.
    pub capacity: i64,
    /// What unknown rows get.
    pub miss: Miss,
    /// Threads that hash and look up; 0: one; -1: LibTorch's.
    pub threads: i32,
    /// Compare the rows themselves.
    pub exact: bool,
    /// 0.0 is -0.0 and every NaN the same.
    pub canonical: bool,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions {
            index_key: None,
            hash_key: None,
            hash_type: None,
            hash_config: None,
            hashes: Vec::new(),
            aggregator: None,
            capacity: 0,
            miss: Miss::Size,
            threads: 0,
            exact: false,
            canonical: false,
        }
    }
}

impl QueryOptions {
    /// Hands them to a function of the library.
    fn with_raw<R>(&self, call: impl FnOnce(&sys::td_query_options) -> R) -> R {
        let (index, hash) = (KeyArray::new(&self.index_key), KeyArray::new(&self.hash_key));
        let at = |key: &KeyArray<'_>| if key.len() == 0 { null() } else { key.as_ptr() };
        // A Hash is a transparent handle.
        let hashes = self.hashes.as_ptr().cast::<*mut sys::td_hash>();
        let several = self.hashes.len() > 1;
        call(&sys::td_query_options {
            index_key: at(&index),
            hash_key: at(&hash),
            hash_type: string::optional(self.hash_type.as_deref()),
            hash_config: string::optional(self.hash_config.as_deref()),
            hash: if several { null_mut() } else { self.hashes.first().map_or(null_mut(), Hash::as_raw) },
            hashes: if several { hashes } else { null() },
            n_hashes: if several { self.hashes.len() } else { 0 },
            aggregator: self.aggregator.as_ref().map_or(null_mut(), Hash::as_raw),
            capacity: self.capacity,
            miss: self.miss.raw(),
            threads: self.threads,
            exact: self.exact.into(),
            canonical: self.canonical.into(),
            ..Default::default()
        })
    }
}

/// Numbers of a map, as `td_query_statistics` explains them.
pub type QueryStatistics = sys::td_query_statistics;

handle! {
    /// A map from rows to dense indices.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Query, Tensor};
    /// let mut query = Query::new(["word"])?;
    /// let mut td = Dict::new(&[3])?;
    /// td.set("word", &Tensor::from_slice(&[7i64, 8, 7], &[3])?)?;
    /// query.forward(&mut td)?;
    /// assert_eq!(td.get("_index")?.to_vec::<i64>()?, [0, 1, 0]);
    /// # Ok(())
    /// # }
    /// ```
    pub Query: td_query, td_query_release
}

impl Query {
    /// An empty map over these keys. Errors: Argument for none.
    pub fn new<'k, K: Into<Key<'k>>>(in_keys: impl IntoIterator<Item = K>) -> Result<Self> {
        Query::new_with(in_keys, QueryOptions::default())
    }

    /// The same with options. Errors: Argument; NotFound; Unsupported if one hash for several keys cannot be copied.
    pub fn new_with<'k, K: Into<Key<'k>>>(in_keys: impl IntoIterator<Item = K>, options: QueryOptions) -> Result<Self> {
        let keys = KeyArray::new(in_keys);
        options.with_raw(|raw| made!(td_query_new(keys.as_ptr(), keys.len(), raw)))
    }

    /// Looks up every row of `data` along the leading dim and writes indices and hashes; new rows get new indices.
    /// Errors: Key; Shape; Dtype; Locked; NoSpace. Neither map nor data has changed then.
    pub fn forward(&mut self, data: &mut Node) -> Result<()> {
        done!(td_query_forward(self.as_raw(), data.as_raw(), sys::TD_QUERY_DEFAULT))
    }

    /// The same; without `extend` unknown rows get what [`QueryOptions::miss`] says, with `found_key` it writes a bool
    /// for each row, and it gives the indices in a copy of the data.
    pub fn call(&mut self, data: &Node, extend: bool, found_key: Option<&KeyBuf>) -> Result<Dict> {
        let found = KeyArray::new(found_key);
        let mut copy = data.copy()?;
        let options = sys::td_query_call_options {
            flags: if extend { sys::TD_QUERY_DEFAULT } else { sys::TD_QUERY_NO_EXTEND },
            target: sys::TD_QUERY_TARGET_DATA,
            found_key: if found.len() == 0 { null() } else { found.as_ptr() },
            ..Default::default()
        };
        let written: Dict = made!(td_query_call(self.as_raw(), copy.as_raw(), &options))?;
        if let Some(other) = crate::module::apart_from(written, &[copy.as_raw()])? {
            copy = other;
        }
        Ok(copy)
    }

    /// A module that runs the query, which moves into it.
    pub fn into_module(self) -> Result<Module> {
        made!(td_module_query(self.as_raw()))
    }

    /// For each row, whether it is in the map. Errors: Key; Shape; Dtype.
    pub fn contains(&self, data: &Node) -> Result<Tensor> {
        made!(td_query_contains(self.as_raw(), data.as_raw()))
    }

    /// For each row its index, or -1. Errors: as [`contains`](Query::contains).
    pub fn look_up(&self, data: &Node) -> Result<Tensor> {
        made!(td_query_look_up(self.as_raw(), data.as_raw()))
    }

    /// For each row its hash. Errors: as [`contains`](Query::contains).
    pub fn hash(&self, data: &Node) -> Result<Tensor> {
        made!(td_query_hash(self.as_raw(), data.as_raw()))
    }

    /// Forgets the rows of `data` and says how many there were. Errors: as [`contains`](Query::contains).
    pub fn erase(&mut self, data: &Node) -> Result<usize> {
        let mut erased = 0;
        done!(td_query_remove(self.as_raw(), data.as_raw(), &mut erased))?;
        Ok(count(erased))
    }

    /// Forgets everything; the next index is 0.
    pub fn clear(&mut self) -> Result<()> {
        done!(td_query_clear(self.as_raw()))
    }

    /// Restricts what [`forward`](Query::forward) leaves in the dict to the in-keys and these. Errors: Key.
    pub fn select_out_keys<'k, K: Into<Key<'k>>>(&mut self, keys: impl IntoIterator<Item = K>) -> Result<()> {
        let keys = KeyArray::new(keys);
        done!(td_query_select_out_keys(self.as_raw(), keys.as_ptr(), keys.len()))
    }

    /// Brings all out-keys back.
    pub fn reset_out_keys(&mut self) -> Result<()> {
        done!(td_query_reset_out_keys(self.as_raw()))
    }

    /// What it reads.
    pub fn in_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_query_in_keys(self.as_raw(), out, err) })
    }

    /// What it writes: the index key, then the hash key.
    pub fn out_keys(&self) -> Result<Vec<KeyBuf>> {
        key::list(|out, err| unsafe { sys::td_query_out_keys(self.as_raw(), out, err) })
    }

    /// The map as a dict without batch dims, to be saved.
    pub fn state(&self) -> Result<Dict> {
        made!(td_query_state(self.as_raw()))
    }

    /// Replaces the map by what [`state`](Query::state) gave; `any_hash` takes hashes of other types for its own.
    /// Errors: Key; Argument; Corrupt; Version. A state that does not load changes nothing.
    pub fn load_state(&mut self, state: &Node, any_hash: bool) -> Result<()> {
        let flags = if any_hash { sys::TD_QUERY_LOAD_ANY_HASH } else { 0 };
        done!(td_query_load_state(self.as_raw(), state.as_raw(), flags))
    }

    /// What it was made with, without its keys and its hashes.
    pub fn options(&self) -> Result<QueryOptions> {
        let mut raw = sys::td_query_options::default();
        done!(td_query_get_options(self.as_raw(), &mut raw))?;
        // SAFETY: the text lives as long as the query.
        let text = |view: sys::td_str| (!view.data.is_null()).then(|| unsafe { string::view(view) }.into());
        Ok(QueryOptions {
            hash_type: text(raw.hash_type),
            hash_config: text(raw.hash_config),
            capacity: raw.capacity,
            miss: Miss::from_raw(raw.miss).unwrap_or(Miss::Size),
            threads: raw.threads,
            exact: raw.exact != 0,
            canonical: raw.canonical != 0,
            ..Default::default()
        })
    }

    /// Its numbers now.
    pub fn statistics(&self) -> Result<QueryStatistics> {
        let mut out = QueryStatistics::default();
        done!(td_query_stats(self.as_raw(), &mut out))?;
        Ok(out)
    }

    /// Rows in the map.
    pub fn len(&self) -> usize {
        count(unsafe { sys::td_query_size(self.as_raw()) })
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Query({} rows)", self.len())
    }
}
