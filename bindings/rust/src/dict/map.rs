//! Closures over leaves.
use super::{array, DataList, Dict, Node};
use crate::{callback, handle, key::KeyBuf, sys, BoxError, Result, Tensor};
use std::os::raw::c_void;

constants! {
    /// What becomes of nodes in which nothing is left.
    #[derive(Default)]
    Emptied {
        /// Dropped, unless they were empty before.
        #[default]
        Drop = TD_EMPTIED_DROP,
        /// Dropped.
        DropAll = TD_EMPTIED_DROP_ALL,
        /// Kept.
        Keep = TD_EMPTIED_KEEP,
    }
}

/// How [`Node::map_with`] makes its result.
#[derive(Clone, Debug, Default)]
pub struct MapOptions {
    /// Of every node of the result; None: as before.
    pub batch_size: Option<Vec<i64>>,
    /// What becomes of nodes in which nothing is left.
    pub emptied: Emptied,
    /// The closure gets None for leaves that one of the others lacks.
    pub missing_as_none: bool,
}

/// What a closure makes of data.
#[derive(Debug)]
pub enum MappedData {
    /// Nothing: the entry is dropped.
    None,
    /// Other data, or the same.
    Data(DataList),
    /// A tensor in its place.
    Tensor(Tensor),
}

unsafe extern "C" fn visit_data<F>(
    userdata: *mut c_void,
    key: *const sys::td_key,
    lists: *const *mut sys::td_data_list,
    n: usize,
    out_data: *mut *mut sys::td_data_list,
    out_tensor: *mut *mut sys::td_tensor,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: FnMut(&KeyBuf, &[Option<&DataList>]) -> std::result::Result<MappedData, BoxError>,
{
    callback::run(err, || {
        // SAFETY: as `visit`, with lists in place of tensors.
        unsafe {
            let handles = std::slice::from_raw_parts(lists, n);
            let lists: Vec<Option<&DataList>> = handles
                .iter()
                .map(|raw| (!raw.is_null()).then(|| &*(raw as *const *mut _ as *const DataList)))
                .collect();
            match (*userdata.cast::<F>())(&KeyBuf::copy(&*key), &lists)? {
                MappedData::None => {}
                MappedData::Data(list) => {
                    *out_data = list.as_raw();
                    std::mem::forget(list);
                }
                MappedData::Tensor(tensor) => *out_tensor = crate::op::give_tensor(tensor),
            }
        }
        Ok(())
    })
}

impl Dict {
    /// As [`Dict::merge`], but a tensor that all dicts have is what the closure makes of them; None keeps the first.
    /// Errors: as that; the closure's own; Shape.
    pub fn merge_with<D, F>(dicts: &[D], mut f: F) -> Result<Dict>
    where
        D: AsRef<Node>,
        F: FnMut(&KeyBuf, &[&Tensor]) -> std::result::Result<Option<Tensor>, BoxError>,
    {
        let function = &mut Visit(|key: &KeyBuf, tensors: &[Option<&Tensor>]| {
            let tensors: Vec<&Tensor> = tensors.iter().flatten().copied().collect();
            f(key, &tensors)
        });
        let raws = array(dicts.iter().map(AsRef::as_ref));
        made!(td_dict_merge_with(raws.as_ptr(), raws.len(), &raw_function(function)))
    }
}

// One call of the library, for which the closure is borrowed.
struct Visit<F>(F);

unsafe extern "C" fn visit<F>(
    userdata: *mut c_void,
    key: *const sys::td_key,
    tensors: *const *mut sys::td_tensor,
    n: usize,
    out: *mut *mut sys::td_tensor,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: FnMut(&KeyBuf, &[Option<&Tensor>]) -> std::result::Result<Option<Tensor>, BoxError>,
{
    callback::run(err, || {
        // SAFETY: `userdata` is the closure of the call under way, and the library lends the rest for this call. A
        // Tensor is a transparent handle that is not NULL, so that an Option of a reference to it is read from where it
        // lies.
        unsafe {
            let f = &mut (*userdata.cast::<Visit<F>>()).0;
            let handles = std::slice::from_raw_parts(tensors, n);
            let tensors: Vec<Option<&Tensor>> =
                handles.iter().map(|raw| (!raw.is_null()).then(|| &*(raw as *const *mut _ as *const Tensor))).collect();
            *out = f(&KeyBuf::copy(&*key), &tensors)?.map_or(std::ptr::null_mut(), crate::op::give_tensor);
        }
        Ok(())
    })
}

impl Node {
    /// A dict of what the closure makes of each tensor, unlocked. Data stays. Errors: the closure's own, as itself;
    /// Shape if a result lacks the batch dims.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// # use tensordict::{Dict, Tensor};
    /// # let mut td = Dict::new(&[2])?;
    /// # td.set("x", &Tensor::from_slice(&[1.0f32, 2.0], &[2])?)?;
    /// let doubled = td.map(|_key, x| Ok((x * 2.0)?))?;
    /// assert_eq!(doubled.get("x")?.to_vec::<f32>()?, [2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn map<F>(&self, mut f: F) -> Result<Dict>
    where
        F: FnMut(&KeyBuf, &Tensor) -> std::result::Result<Tensor, BoxError>,
    {
        let no_others: [&Node; 0] = [];
        self.map_with(&no_others, &MapOptions::default(), |key, tensors| match tensors {
            [Some(tensor), ..] => f(key, tensor).map(Some),
            _ => Ok(None),
        })
    }

    /// The same over the leaves of several dicts; None drops an entry. Errors: Key; as [`map`](Node::map).
    pub fn map_with<D, F>(&self, others: &[D], options: &MapOptions, f: F) -> Result<Dict>
    where
        D: AsRef<Node>,
        F: FnMut(&KeyBuf, &[Option<&Tensor>]) -> std::result::Result<Option<Tensor>, BoxError>,
    {
        let function = &mut Visit(f);
        let others = array(others.iter().map(AsRef::as_ref));
        let options = options.raw(false);
        handle::make(|out, err| unsafe {
            let function = &raw_function(function);
            sys::td_dict_map(self.as_raw(), function, others.as_ptr(), others.len(), &options, out, err)
        })
    }

    /// A dict of what the closure makes of the data of each entry; tensors stay. Errors: the closure's own; Key; Shape.
    pub fn map_data<D, F>(&self, others: &[D], f: F) -> Result<Dict>
    where
        D: AsRef<Node>,
        F: FnMut(&KeyBuf, &[Option<&DataList>]) -> std::result::Result<MappedData, BoxError>,
    {
        self.map_data_with(others, &MapOptions { missing_as_none: true, ..Default::default() }, f)
    }

    /// The same with options, which are also those of the tensors. Errors: as [`map_data`](Node::map_data).
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Emptied, MapOptions, MappedData};
    /// let mut td = Dict::new(&[2])?;
    /// td.set_data(("log", "text"), "started")?;
    /// let options = MapOptions { emptied: Emptied::Keep, ..Default::default() };
    /// let no_others: [&Dict; 0] = [];
    /// let silent = td.map_data_with(&no_others, &options, |_key, _lists| Ok(MappedData::None))?;
    /// assert_eq!(silent.get_dict("log")?.count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn map_data_with<D, F>(&self, others: &[D], options: &MapOptions, mut f: F) -> Result<Dict>
    where
        D: AsRef<Node>,
        F: FnMut(&KeyBuf, &[Option<&DataList>]) -> std::result::Result<MappedData, BoxError>,
    {
        let keep = &mut Visit(|_: &KeyBuf, tensors: &[Option<&Tensor>]| Ok(tensors[0].cloned()));
        let others = array(others.iter().map(AsRef::as_ref));
        let userdata = &mut f as *mut F as *mut c_void;
        let data = sys::td_map_data_function { fn_: Some(visit_data::<F>), userdata, ..Default::default() };
        let options = sys::td_map_options { data: &data, ..options.raw(false) };
        handle::make(|out, err| unsafe {
            let function = &raw_function(keep);
            sys::td_dict_map(self.as_raw(), function, others.as_ptr(), others.len(), &options, out, err)
        })
    }

    /// Copies what the closure makes of each tensor into it; None leaves it as it is. All are written after the last
    /// call, also of a locked dict. Errors: the closure's own; Shape; Locked for read-only memory.
    pub fn map_in_place<F>(&mut self, mut f: F) -> Result<()>
    where
        F: FnMut(&KeyBuf, &Tensor) -> std::result::Result<Option<Tensor>, BoxError>,
    {
        let function = &mut Visit(|key: &KeyBuf, tensors: &[Option<&Tensor>]| match tensors {
            [Some(tensor), ..] => f(key, tensor),
            _ => Ok(None),
        });
        let options = MapOptions::default();
        let options = options.raw(true);
        let (node, nothing) = (self.as_raw(), std::ptr::null_mut());
        done!(td_dict_map(node, &raw_function(function), std::ptr::null(), 0, &options, nothing))
    }
}

impl MapOptions {
    fn raw(&self, in_place: bool) -> sys::td_map_options {
        // A pointer that is not NULL also for no dims, which is another thing than no batch size.
        let batch = self.batch_size.as_deref();
        sys::td_map_options {
            batch_size: batch.map_or(std::ptr::null(), <[i64]>::as_ptr),
            ndim: batch.map_or(0, <[i64]>::len),
            emptied: self.emptied.raw(),
            in_place: in_place.into(),
            missing_as_null: self.missing_as_none.into(),
            ..Default::default()
        }
    }
}

fn raw_function<F>(function: &mut Visit<F>) -> sys::td_map_function
where
    F: FnMut(&KeyBuf, &[Option<&Tensor>]) -> std::result::Result<Option<Tensor>, BoxError>,
{
    let userdata = function as *mut Visit<F> as *mut c_void;
    sys::td_map_function { fn_: Some(visit::<F>), userdata, ..Default::default() }
}
