use crate::Element;
use std::fmt;
use std::marker::PhantomData;

/// The elements of a tensor where they lie, in row-major order, to be read one by one.
///
/// Like a slice, but others may write the memory meanwhile, also other processes: each [`get`](View::get) reads it anew.
/// To see several elements of one update, compare [`Segment::version`](crate::Segment::version) before and after.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    data: *const T,
    len: usize,
    tensor: PhantomData<&'a T>,
}

// SAFETY: a view is a shared reference to memory that is only read, by atomic loads.
unsafe impl<T: Element> Send for View<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for View<'_, T> {}

impl<'a, T: Element> View<'a, T> {
    /// # Safety
    /// `data` is aligned and stays mapped, with `len` elements, for 'a.
    pub(crate) unsafe fn new(data: *const T, len: usize) -> Self {
        View { data, len, tensor: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element at `index`, as it is now. Panics if `index` is out of range, as slices do.
    pub fn get(&self, index: usize) -> T {
        assert!(index < self.len, "index {index} of {} elements", self.len);
        // SAFETY: in range, and aligned and mapped by the contract of `new`.
        unsafe { T::load(self.data.add(index)) }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + 'a {
        let view = *self;
        (0..view.len).map(move |index| view.get(index))
    }

    /// Where the elements lie.
    pub fn as_ptr(&self) -> *const T {
        self.data
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
