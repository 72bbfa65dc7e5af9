//! Rows under keys: a store holds rows of dicts by index; with a query it becomes a map from rows to rows.
use super::Query;
use crate::handle::count;
use crate::{string, sys, Dict, Error, ErrorKind, Generator, Node, Result, Tensor};
use std::fmt;

/// How a store is made.
#[derive(Clone, Debug, Default)]
pub struct StoreOptions {
    /// Rows at most; 0: no limit.
    pub capacity: i64,
    /// Take the memory of all rows at the first write.
    pub preallocate: bool,
    /// Keep the rows in this directory, which needs a capacity.
    pub path: Option<String>,
}

handle! {
    /// Rows of dicts by index.
    pub Store: td_store, td_store_release
}

handle! {
    /// A map from rows to rows, which owns its query and its store.
    pub RowMap: td_row_map, td_row_map_release
}

impl Store {
    /// An empty store, or one of the rows that are in its directory. Errors: Argument; Corrupt; Shape; Io.
    pub fn new(options: &StoreOptions) -> Result<Self> {
        let options = sys::td_store_options {
            capacity: options.capacity,
            preallocate: options.preallocate.into(),
            path: string::optional(options.path.as_deref()),
            ..Default::default()
        };
        made!(td_store_new(&options))
    }

    /// Copies row i of `rows` to index[i]. Errors: Index; NoSpace; Shape; Dtype; Key; Unsupported.
    pub fn set(&mut self, index: &Tensor, rows: &Node) -> Result<()> {
        done!(td_store_set(self.as_raw(), index.as_raw(), rows.as_raw()))
    }

    /// The rows at `index`. Errors: Index naming the first that holds nothing.
    pub fn get(&self, index: &Tensor) -> Result<Dict> {
        made!(td_store_get(self.as_raw(), index.as_raw()))
    }

    /// A bool for each index: whether it holds a row. Errors: Shape; Dtype.
    pub fn contains(&self, index: &Tensor) -> Result<Tensor> {
        made!(td_store_contains(self.as_raw(), index.as_raw()))
    }

    /// `batch_size` rows drawn at random, and their indices; without replacement all are different. `generator` draws;
    /// None is the default one. Errors: Argument for more different rows than there are; Index for an empty store.
    pub fn sample(
        &self,
        batch_size: i64,
        replacement: bool,
        generator: Option<&mut Generator>,
    ) -> Result<(Dict, Tensor)> {
        let options = sys::td_sample_options { without_replacement: (!replacement).into(), ..Default::default() };
        let generator = Generator::optional(generator);
        let mut rows = std::ptr::null_mut();
        let index = made!(td_store_sample(self.as_raw(), batch_size, &options, generator, &mut rows))?;
        let rows = std::ptr::NonNull::new(rows).map(crate::handle::Handle::from_raw);
        Ok((rows.ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?, index))
    }

    /// Drops all rows.
    pub fn clear(&mut self) -> Result<()> {
        done!(td_store_clear(self.as_raw()))
    }

    /// What it was made with.
    pub fn options(&self) -> Result<StoreOptions> {
        let mut raw = sys::td_store_options::default();
        done!(td_store_get_options(self.as_raw(), &mut raw))?;
        // SAFETY: the text lives as long as the store.
        let path = (!raw.path.data.is_null()).then(|| unsafe { string::view(raw.path) }.into());
        Ok(StoreOptions { capacity: raw.capacity, preallocate: raw.preallocate != 0, path })
    }

    /// Rows that hold something.
    pub fn len(&self) -> usize {
        count(unsafe { sys::td_store_size(self.as_raw()) })
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl RowMap {
    /// A map of a query and a store, which move into it.
    pub fn new(query: Query, store: Store) -> Result<Self> {
        made!(td_row_map_new(query.as_raw(), store.as_raw()))
    }

    /// Stores each row of `rows` under that of `keys`. Errors: as [`Query::forward`] and [`Store::set`].
    pub fn set(&mut self, keys: &Node, rows: &Node) -> Result<()> {
        done!(td_row_map_set(self.as_raw(), keys.as_raw(), rows.as_raw()))
    }

    /// The rows under those of `keys`. Errors: Index naming the first that is not there.
    pub fn get(&self, keys: &Node) -> Result<Dict> {
        made!(td_row_map_get(self.as_raw(), keys.as_raw()))
    }

    /// A bool for each row of `keys`.
    pub fn contains(&self, keys: &Node) -> Result<Tensor> {
        made!(td_row_map_contains(self.as_raw(), keys.as_raw()))
    }

    /// Drops everything.
    pub fn clear(&mut self) -> Result<()> {
        done!(td_row_map_clear(self.as_raw()))
    }

    /// Rows in the store.
    pub fn len(&self) -> usize {
        count(unsafe { sys::td_row_map_size(self.as_raw()) })
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({} rows)", self.len())
    }
}

impl fmt::Debug for RowMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowMap({} rows)", self.len())
    }
}
