//! Scopes: another form of a dict to work on for a while. When the closure is done the form is turned back and its
//! entries are set in the original; when it fails or panics the original stays as it was, but for what was written
//! through shared memory.
use crate::dict::Dict;
use crate::handle::Handle;
use crate::{sys, Dtype, Error, ErrorKind, Node};
use std::ptr::{null_mut, NonNull};

handle! {
    pub(crate) Scope: td_scope, td_scope_release
}

/// An open scope; dropped without an end it is cancelled.
pub(crate) struct Open(Option<Scope>);

impl Open {
    pub(crate) fn new(scope: Scope) -> Self {
        Open(Some(scope))
    }

    pub(crate) fn end(mut self) -> crate::Result<()> {
        if let Some(scope) = &self.0 {
            done!(td_scope_end(scope.as_raw()))?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(scope) = &self.0 {
            // SAFETY: nobody else has the scope. It fails only if it has ended, as a scope does that fails to.
            unsafe { sys::td_scope_cancel(scope.as_raw(), null_mut()) };
        }
    }
}

fn scoped<R, E: From<Error>>(
    begin: impl FnOnce(*mut *mut sys::td_dict, *mut *mut sys::td_scope, *mut *mut sys::td_error) -> sys::td_status,
    f: impl FnOnce(&mut Node) -> Result<R, E>,
) -> Result<R, E> {
    let (mut inside, mut scope) = (null_mut(), null_mut());
    crate::error::call(|err| begin(&mut inside, &mut scope, err))?;
    let inside = NonNull::new(inside).map(Dict::from_raw);
    let scope = NonNull::new(scope).map(Scope::from_raw).map(Open::new);
    let (mut inside, scope) =
        inside.zip(scope).ok_or_else(|| Error::new(ErrorKind::Internal, "success without a result"))?;
    let result = f(&mut inside)?;
    scope.end()?;
    Ok(result)
}

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident: $function:ident($($argument:ident: $type:ty),*) => ($($raw:expr),*);)*) => {
        impl Node {
            $($(#[$doc])*
            pub fn $name<R, E: From<Error>>(
                &mut self,
                $($argument: $type,)*
                f: impl FnOnce(&mut Node) -> Result<R, E>,
            ) -> Result<R, E> {
                let node = self.as_raw();
                scoped(|inside, scope, err| unsafe { sys::$function(node, $($raw,)* inside, scope, err) }, f)
            })*
        }
    };
}

scopes! {
    /// With keys of one level, joined by `separator`. Errors: Exists; those of the closure.
    ///
    /// ```
    /// # fn main() -> tensordict::Result<()> {
    /// use tensordict::{Dict, Dtype, Tensor};
    /// let mut td = Dict::new(&[2])?;
    /// td.scope_flatten_keys(".", |flat| flat.set("next.done", &Tensor::zeros(&[2], Dtype::Bool)?))?;
    /// assert!(td.contains(("next", "done")));
    /// # Ok(())
    /// # }
    /// ```
    scope_flatten_keys: td_scope_flatten_keys(separator: &str) => (crate::string::borrow(separator));
    /// With keys taken apart at `separator`. Errors: Argument; Exists; Key; those of the closure.
    scope_unflatten_keys: td_scope_unflatten_keys(separator: &str) => (crate::string::borrow(separator));
    /// As [`view`](Node::view) gives it. Errors: as that; those of the closure.
    scope_view: td_scope_view(sizes: &[i64]) => (sizes.as_ptr(), sizes.len());
    /// As [`flatten`](Node::flatten) gives it. Errors: as that; those of the closure.
    scope_flatten: td_scope_flatten(start: i64, end: i64) => (start, end);
    /// As [`unflatten`](Node::unflatten) gives it. Errors: as that; those of the closure.
    scope_unflatten: td_scope_unflatten(dim: i64, sizes: &[i64]) => (dim, sizes.as_ptr(), sizes.len());
    /// As [`squeeze`](Node::squeeze) gives it. Errors: as that; those of the closure.
    scope_squeeze: td_scope_squeeze(dims: &[i64]) => (dims.as_ptr(), dims.len());
    /// As [`unsqueeze`](Node::unsqueeze) gives it. Errors: as that; those of the closure.
    scope_unsqueeze: td_scope_unsqueeze(dim: i64) => (dim);
    /// As [`permute`](Node::permute) gives it. Errors: as that; those of the closure.
    scope_permute: td_scope_permute(dims: &[i64]) => (dims.as_ptr(), dims.len());
    /// As [`transpose`](Node::transpose) gives it. Errors: as that; those of the closure.
    scope_transpose: td_scope_transpose(dim0: i64, dim1: i64) => (dim0, dim1);
    /// As [`flip`](Node::flip) gives it. Errors: as that; those of the closure.
    scope_flip: td_scope_flip(dims: &[i64]) => (dims.as_ptr(), dims.len());
    /// As [`roll`](Node::roll) gives it. Errors: as that; those of the closure.
    scope_roll: td_scope_roll(shifts: &[i64], dims: &[i64])
        => (shifts.as_ptr(), shifts.len(), dims.as_ptr(), dims.len());
    /// On another device; at the end tensors go back to that of the entry that they replace. Errors: Device; those of
    /// the closure.
    scope_to_device: td_scope_to(device: &str) => (sys::TD_DTYPE_NONE, crate::string::borrow(device));
    /// Of another dtype; at the end tensors get that of the entry that they replace. Errors: Dtype; those of the
    /// closure.
    scope_to_dtype: td_scope_to(dtype: Dtype) => (dtype.raw(), crate::string::optional(None));
}

impl Node {
    /// As [`movedim`](Node::movedim) gives it. Errors: as that; those of the closure.
    pub fn scope_movedim<R, E: From<Error>>(
        &mut self,
        source: &[i64],
        destination: &[i64],
        f: impl FnOnce(&mut Node) -> Result<R, E>,
    ) -> Result<R, E> {
        crate::dict::check_pairs(source, destination)?;
        let (node, n) = (self.as_raw(), source.len());
        let (source, destination) = (source.as_ptr(), destination.as_ptr());
        scoped(|out, scope, err| unsafe { sys::td_scope_movedim(node, source, destination, n, out, scope, err) }, f)
    }

    /// Unlocked while the closure runs; what was locked before is locked again, on every way out. Errors: Locked while
    /// a locked dict contains this one; those of the closure.
    pub fn scope_unlock<R, E: From<Error>>(&mut self, f: impl FnOnce(&mut Node) -> Result<R, E>) -> Result<R, E> {
        let scope = Open::new(made!(td_scope_unlock(self.as_raw()))?);
        let result = f(self)?;
        scope.end()?;
        Ok(result)
    }
}
