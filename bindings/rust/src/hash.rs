//! Hashes: rows in, 64 bits a row out.
use crate::callback::{self, destroy, keep, lend};
use crate::string::Text;
use crate::{op, string, sys, BoxError, Error, ErrorKind, Result, Tensor};
use std::fmt;
use std::io::{Read, Write};
use std::os::raw::c_void;

handle! {
    /// A hash of rows.
    pub Hash: td_hash, td_hash_release
}

unsafe extern "C" fn call<F>(
    userdata: *mut c_void,
    rows: *const sys::td_tensor,
    out: *mut *mut sys::td_tensor,
    err: *mut *mut sys::td_error,
) -> sys::td_status
where
    F: Fn(&Tensor) -> std::result::Result<Tensor, BoxError> + Send + Sync + 'static,
{
    let rows = rows as *mut sys::td_tensor;
    callback::run(err, || {
        // SAFETY: `userdata` is the closure that was kept, and the library lends the rows for this call.
        unsafe { *out = op::give_tensor((*userdata.cast::<F>())(lend(&rows))?) };
        Ok(())
    })
}

unsafe extern "C" fn write<W: Write>(
    target: *mut c_void,
    bytes: *const c_void,
    size: usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    // SAFETY: `target` is the writer of the call under way, and there are so many bytes.
    callback::run(err, || unsafe {
        Ok((*target.cast::<W>()).write_all(string::bytes(sys::td_str { data: bytes.cast(), size }))?)
    })
}

unsafe extern "C" fn read<R: Read>(
    source: *mut c_void,
    bytes: *mut c_void,
    size: usize,
    got: *mut usize,
    err: *mut *mut sys::td_error,
) -> sys::td_status {
    callback::run(err, || {
        let mut buffer = vec![0; size];
        let mut filled = 0;
        while filled < size {
            // SAFETY: `source` is the reader of the call under way.
            match unsafe { (*source.cast::<R>()).read(&mut buffer[filled..])? } {
                0 => break,
                n => filled += n,
            }
        }
        // SAFETY: there is room for `size` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(buffer.as_ptr(), bytes.cast(), filled);
            *got = filled;
        }
        Ok(())
    })
}

impl Hash {
    /// An instance of a type, "td.siphash" for instance; `config` is a JSON object. Errors: NotFound; Argument; Plugin.
    pub fn create(kind: &str, config: &str) -> Result<Self> {
        made!(td_hash_new(string::borrow(kind), string::borrow(config)))
    }

    /// A closure that gives an integer tensor with one element for each row.
    pub fn from_fn<F>(f: F) -> Result<Self>
    where
        F: Fn(&Tensor) -> std::result::Result<Tensor, BoxError> + Send + Sync + 'static,
    {
        made!(td_hash_from_function(&sys::td_hash_function {
            fn_: Some(call::<F>),
            userdata: keep(f),
            destroy: Some(destroy::<F>),
            ..Default::default()
        }))
    }

    /// An independent hash that gives the same values. Errors: Unsupported for a closure; Plugin.
    pub fn copy(&self) -> Result<Self> {
        made!(td_hash_clone(self.as_raw()))
    }

    /// The hashes of rows of `row_bytes` bytes each. Errors: Argument unless they fill `rows`; Unsupported if it hashes
    /// tensors; Plugin.
    pub fn rows(&self, rows: &[u8], row_bytes: usize) -> Result<Vec<u64>> {
        if row_bytes == 0 || rows.len() % row_bytes != 0 {
            let message = format!("{} bytes are not rows of {row_bytes}", rows.len());
            return Err(Error::new(ErrorKind::Argument, &message));
        }
        let n = rows.len() / row_bytes;
        let mut out = vec![0; n];
        let data = rows.as_ptr().cast();
        done!(td_hash_rows(self.as_raw(), data, n, row_bytes, row_bytes, out.as_mut_ptr()))?;
        Ok(out)
    }

    /// An int64 for each row of the leading dim. Errors: Shape; Dtype; Plugin; those of a closure, as themselves.
    pub fn call(&self, rows: &Tensor) -> Result<Tensor> {
        made!(td_hash_call(self.as_raw(), rows.as_raw()))
    }

    /// What it is, as JSON.
    pub fn describe(&self) -> Result<String> {
        made!(td_hash_describe(self.as_raw())).map(Text::take)
    }

    /// Writes what it has beyond its config. Errors: Unsupported for a closure; those of the writer, as themselves.
    pub fn save<W: Write>(&self, to: &mut W) -> Result<()> {
        let target = to as *mut W as *mut c_void;
        done!(td_hash_save(
            self.as_raw(),
            &sys::td_writer { userdata: target, write: Some(write::<W>), ..Default::default() }
        ))
    }

    /// Takes up what [`save`](Hash::save) wrote. Errors: Unsupported; Corrupt; Version; those of the reader, as
    /// themselves.
    pub fn load<R: Read>(&mut self, from: &mut R) -> Result<()> {
        let source = from as *mut R as *mut c_void;
        done!(td_hash_load(
            self.as_raw(),
            &sys::td_reader { userdata: source, read: Some(read::<R>), ..Default::default() }
        ))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({})", self.describe().unwrap_or_default())
    }
}
