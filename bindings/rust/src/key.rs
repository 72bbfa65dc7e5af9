use crate::handle::make;
use crate::{string, sys, Result};
use std::fmt;
use std::marker::PhantomData;

/// A key for the time of a call: `"obs"`, `["next", "obs"]` or `("next", "obs")`.
///
/// Nothing is parsed: dots and slashes are ordinary characters.
pub struct Key<'a> {
    parts: Parts,
    text: PhantomData<&'a str>,
}

// One part, the common case, needs no allocation.
enum Parts {
    One(sys::td_str),
    Many(Vec<sys::td_str>),
    Prepared(*const sys::td_path),
}

impl<'a> Key<'a> {
    fn of<S: AsRef<str> + ?Sized + 'a>(parts: impl Iterator<Item = &'a S>) -> Self {
        Key { parts: Parts::Many(parts.map(|part| string::borrow(part.as_ref())).collect()), text: PhantomData }
    }

    /// Calls `f` with the key as C sees it.
    pub(crate) fn with<R>(&self, f: impl FnOnce(*const sys::td_key) -> R) -> R {
        f(&self.raw())
    }

    fn raw(&self) -> sys::td_key {
        match &self.parts {
            Parts::One(part) => sys::td_key { parts: part, n: 1 },
            Parts::Many(parts) => sys::td_key { parts: parts.as_ptr(), n: parts.len() },
            Parts::Prepared(path) => sys::td_key { parts: path.cast(), n: sys::TD_PREPARED },
        }
    }
}

/// Several keys for the time of a call.
pub(crate) struct KeyArray<'a> {
    raw: Vec<sys::td_key>,
    keys: Vec<Key<'a>>,
}

impl<'a> KeyArray<'a> {
    pub(crate) fn new<K: Into<Key<'a>>>(keys: impl IntoIterator<Item = K>) -> Self {
        let keys: Vec<Key<'a>> = keys.into_iter().map(Into::into).collect();
        // The vector of keys is not touched any more, so that what `raw` points to stays where it is.
        KeyArray { raw: keys.iter().map(Key::raw).collect(), keys }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::td_key {
        self.raw.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }
}

handle! {
    /// A key made ready for repeated look-ups: its text is copied and hashed once.
    pub Path: td_path, td_path_release, td_path_retain
}

impl Path {
    /// Errors: Argument for a key without parts.
    pub fn new<'k>(key: impl Into<Key<'k>>) -> Result<Self> {
        key.into().with(|key| made!(td_path_new(key)))
    }

    /// The key that it was made of.
    pub fn key(&self) -> Result<KeyBuf> {
        let mut key = sys::td_key { parts: std::ptr::null(), n: 0 };
        done!(td_path_view(self.as_raw(), &mut key))?;
        // SAFETY: the strings live as long as the path.
        Ok(unsafe { KeyBuf::copy(&key) })
    }
}

/// The keys of a list that a function made, copied out of it.
pub(crate) fn list(
    f: impl FnOnce(*mut *mut sys::td_keys, *mut *mut sys::td_error) -> sys::td_status,
) -> Result<Vec<KeyBuf>> {
    let list: List = make(f)?;
    let (mut keys, mut n) = (std::ptr::null(), 0);
    done!(td_keys_view(list.as_raw(), &mut keys, &mut n))?;
    // SAFETY: the array lives as long as the list, which is alive while its keys are copied.
    Ok((0..n).map(|index| unsafe { KeyBuf::copy(&*keys.add(index)) }).collect())
}

handle! {
    /// A list of keys of the library, on its way to a Vec.
    pub(crate) List: td_keys, td_keys_release
}

impl List {
    pub(crate) fn take(self) -> Result<Vec<KeyBuf>> {
        list(|out, _| {
            // SAFETY: the reference goes over to `out`.
            unsafe { *out = std::mem::ManuallyDrop::new(self).as_raw() };
            sys::TD_OK
        })
    }
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(part: &'a str) -> Self {
        Key { parts: Parts::One(string::borrow(part)), text: PhantomData }
    }
}

/// Neither copied nor hashed.
impl<'a> From<&'a Path> for Key<'a> {
    fn from(path: &'a Path) -> Self {
        Key { parts: Parts::Prepared(path.as_raw()), text: PhantomData }
    }
}

impl<'a> From<&'a String> for Key<'a> {
    fn from(part: &'a String) -> Self {
        Key::from(part.as_str())
    }
}

impl<'a, const N: usize> From<[&'a str; N]> for Key<'a> {
    fn from(parts: [&'a str; N]) -> Self {
        Key::of(parts.into_iter())
    }
}

impl<'a> From<&'a [&'a str]> for Key<'a> {
    fn from(parts: &'a [&'a str]) -> Self {
        Key::of(parts.iter().copied())
    }
}

impl<'a> From<(&'a str, &'a str)> for Key<'a> {
    fn from((a, b): (&'a str, &'a str)) -> Self {
        Key::from([a, b])
    }
}

impl<'a> From<(&'a str, &'a str, &'a str)> for Key<'a> {
    fn from((a, b, c): (&'a str, &'a str, &'a str)) -> Self {
        Key::from([a, b, c])
    }
}

impl<'a> From<&'a [String]> for Key<'a> {
    fn from(parts: &'a [String]) -> Self {
        Key::of(parts.iter())
    }
}

impl<'a> From<&'a KeyBuf> for Key<'a> {
    fn from(key: &'a KeyBuf) -> Self {
        Key::of(key.parts.iter())
    }
}

/// A key with its own text, as [`Dict::keys`](crate::Dict::keys) returns it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyBuf {
    parts: Vec<String>,
}

impl KeyBuf {
    /// The parts, from the root; at least one.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The last part: the name in the dict that holds the entry.
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// # Safety
    /// The list that `key` comes from is alive.
    pub(crate) unsafe fn copy(key: &sys::td_key) -> Self {
        // SAFETY: a key of the library has `n` >= 1 parts.
        let parts = if key.n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(key.parts, key.n) } };
        KeyBuf { parts: parts.iter().map(|part| unsafe { string::view(*part) }.to_owned()).collect() }
    }
}

impl From<&str> for KeyBuf {
    fn from(part: &str) -> Self {
        KeyBuf { parts: vec![part.to_owned()] }
    }
}

impl FromIterator<String> for KeyBuf {
    fn from_iter<I: IntoIterator<Item = String>>(parts: I) -> Self {
        KeyBuf { parts: parts.into_iter().collect() }
    }
}

/// Equal to the key written as one part.
impl PartialEq<&str> for KeyBuf {
    fn eq(&self, other: &&str) -> bool {
        self.parts.len() == 1 && self.parts[0] == *other
    }
}

/// Equal to the key written as a tuple.
impl PartialEq<(&str, &str)> for KeyBuf {
    fn eq(&self, other: &(&str, &str)) -> bool {
        self.parts.len() == 2 && self.parts[0] == other.0 && self.parts[1] == other.1
    }
}

/// As Python writes it: `'obs'` or `('next', 'obs')`.
impl fmt::Display for KeyBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts.as_slice() {
            [part] => write!(f, "'{part}'"),
            parts => write!(f, "('{}')", parts.join("', '")),
        }
    }
}
