//! Maps of the caller's: the indices of a query come from a table that is not the library's.
use super::{Query, QueryOptions};
use crate::callback::{self, destroy, keep};
use crate::key::{Key, KeyArray};
use crate::{sys, BoxError, Error, ErrorKind, Node, Result};
use std::os::raw::c_void;

type Outcome<T> = std::result::Result<T, BoxError>;

/// A map from hashes to indices from 0 up. What fails has changed nothing. A function cannot use the query that the map
/// belongs to; it may be called by several threads at once where the query is.
pub trait IndexMap: Send + Sync + 'static {
    /// Writes the index of each hash, or -1 for one that is not there.
    fn look_up(&self, hashes: &[i64], indices: &mut [i64]) -> Outcome<()>;
    /// Adds hashes, all different and none of them there, and writes their indices.
    fn insert(&self, hashes: &[i64], indices: &mut [i64]) -> Outcome<()>;
    /// Forgets those of the hashes that are there; takes back what was inserted by a call that fails.
    fn erase(&self, hashes: &[i64]) -> Outcome<()>;
    /// How many hashes there are, and one more than the largest index so far.
    fn size(&self) -> Outcome<(i64, i64)>;
    /// Forgets everything. Fails unless it is written.
    fn clear(&self) -> Outcome<()> {
        Err(Error::new(ErrorKind::Unsupported, "the map cannot be cleared").into())
    }
    /// Writes all to an empty dict. Fails unless it is written.
    fn state(&self, _state: &mut Node) -> Outcome<()> {
        Err(Error::new(ErrorKind::Unsupported, "the map writes no state").into())
    }
    /// Takes over what [`state`](IndexMap::state) wrote. Fails unless it is written.
    fn load(&self, _state: &Node) -> Outcome<()> {
        Err(Error::new(ErrorKind::Unsupported, "the map loads no state").into())
    }
}

type Err = *mut *mut sys::td_error;

/// The two arrays of a batch.
///
/// # Safety
/// Both hold `n` numbers, and nobody else uses the second.
unsafe fn batch<'a>(hashes: *const i64, n: usize, indices: *mut i64) -> (&'a [i64], &'a mut [i64]) {
    if n == 0 {
        return (&[], &mut []);
    }
    // SAFETY: as promised.
    unsafe { (std::slice::from_raw_parts(hashes, n), std::slice::from_raw_parts_mut(indices, n)) }
}

// SAFETY of all: `userdata` is the map that was kept, and the library lends the rest for this call.
unsafe extern "C" fn look_up<M: IndexMap>(u: *mut c_void, h: *const i64, n: usize, out: *mut i64, e: Err) -> i32 {
    callback::run(e, || unsafe {
        let (hashes, indices) = batch(h, n, out);
        indices.fill(-1);
        (*u.cast::<M>()).look_up(hashes, indices)
    })
}

unsafe extern "C" fn insert<M: IndexMap>(u: *mut c_void, h: *const i64, n: usize, out: *mut i64, e: Err) -> i32 {
    callback::run(e, || unsafe {
        let (hashes, indices) = batch(h, n, out);
        indices.fill(-1);
        (*u.cast::<M>()).insert(hashes, indices)
    })
}

unsafe extern "C" fn erase<M: IndexMap>(u: *mut c_void, h: *const i64, n: usize, e: Err) -> i32 {
    callback::run(e, || unsafe { (*u.cast::<M>()).erase(if n == 0 { &[] } else { std::slice::from_raw_parts(h, n) }) })
}

unsafe extern "C" fn size<M: IndexMap>(u: *mut c_void, size: *mut i64, next: *mut i64, e: Err) -> i32 {
    callback::run(e, || unsafe {
        (*size, *next) = (*u.cast::<M>()).size()?;
        Ok(())
    })
}

unsafe extern "C" fn clear<M: IndexMap>(u: *mut c_void, e: Err) -> i32 {
    callback::run(e, || unsafe { (*u.cast::<M>()).clear() })
}

unsafe extern "C" fn state<M: IndexMap>(u: *mut c_void, state: *mut sys::td_dict, e: Err) -> i32 {
    callback::run(e, || unsafe { (*u.cast::<M>()).state(Node::lend_mut(state)) })
}

unsafe extern "C" fn load<M: IndexMap>(u: *mut c_void, state: *const sys::td_dict, e: Err) -> i32 {
    callback::run(e, || unsafe { (*u.cast::<M>()).load(Node::lend(state)) })
}

impl Query {
    /// A query over a map of the caller's, which need not be empty.
    /// Errors: as [`new_with`](Query::new_with); Argument for options that are a map's.
    pub fn new_with_map<'k, K: Into<Key<'k>>, M: IndexMap>(
        in_keys: impl IntoIterator<Item = K>,
        options: QueryOptions,
        map: M,
    ) -> Result<Self> {
        let keys = KeyArray::new(in_keys);
        let raw_map = sys::td_index_map {
            look_up: Some(look_up::<M>),
            insert: Some(insert::<M>),
            erase: Some(erase::<M>),
            size: Some(size::<M>),
            clear: Some(clear::<M>),
            state: Some(state::<M>),
            load: Some(load::<M>),
            userdata: keep(map),
            destroy: Some(destroy::<M>),
            ..Default::default()
        };
        options.with_raw(|raw| made!(td_query_new_with_map(keys.as_ptr(), keys.len(), raw, &raw_map)))
    }
}
