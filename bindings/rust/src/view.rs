use crate::{Element, Tensor};
use std::fmt;

/// The elements of a row-major tensor where they lie, to be read one by one. It keeps the tensor's memory.
///
/// Like a slice, but others may write the memory meanwhile, also other processes: each [`get`](View::get) reads it
/// anew. To see several elements of one update, compare [`Segment::version`](crate::Segment::version) before and after.
#[derive(Clone)]
pub struct View<T> {
    data: *const T,
    shape: Vec<i64>,
    len: usize,
    // An alias of its own, so that the memory stays even if the tensor it was made of is given other memory.
    _tensor: Tensor,
}

impl<T: Element> View<T> {
    /// # Safety
    /// `data` is aligned and stays mapped, with the elements of `tensor`, as long as `tensor` lives.
    pub(crate) unsafe fn new(data: *const T, tensor: Tensor) -> Self {
        View { data, shape: tensor.shape(), len: tensor.numel(), _tensor: tensor }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size of each dim.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The element at `index` in row-major order, as it is now. Panics if `index` is out of range, as slices do.
    pub fn get(&self, index: usize) -> T {
        assert!(index < self.len, "index {index} of {} elements", self.len);
        // SAFETY: in range, and aligned and mapped by the contract of `new`.
        unsafe { T::load(self.data.add(index)) }
    }

    /// The element at a place: `view.at([row, column])`. Panics if the place is out of range, as slices do.
    pub fn at(&self, place: impl AsRef<[usize]>) -> T {
        let place = place.as_ref();
        assert_eq!(place.len(), self.shape.len(), "a place of {place:?} in a tensor of shape {:?}", self.shape);
        let index = place.iter().zip(&self.shape).fold(0, |index, (at, size)| {
            assert!((*at as u64) < *size as u64, "{place:?} in a tensor of shape {:?}", self.shape);
            index * *size as usize + at
        });
        self.get(index)
    }

    /// The elements in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len).map(move |index| self.get(index))
    }

    /// A copy of the elements.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }

    /// Where the elements lie.
    pub fn as_ptr(&self) -> *const T {
        self.data
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for View<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
