use crate::{string, sys};
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
}

impl<'a> Key<'a> {
    fn of<S: AsRef<str> + ?Sized + 'a>(parts: impl Iterator<Item = &'a S>) -> Self {
        Key { parts: Parts::Many(parts.map(|part| string::borrow(part.as_ref())).collect()), text: PhantomData }
    }

    /// Calls `f` with the key as C sees it.
    pub(crate) fn with<R>(&self, f: impl FnOnce(*const sys::td_key) -> R) -> R {
        let parts = match &self.parts {
            Parts::One(part) => std::slice::from_ref(part),
            Parts::Many(parts) => parts,
        };
        f(&sys::td_key { parts: parts.as_ptr(), n: parts.len() })
    }
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(part: &'a str) -> Self {
        Key { parts: Parts::One(string::borrow(part)), text: PhantomData }
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

    /// # Safety
    /// The list that `key` comes from is alive.
    pub(crate) unsafe fn copy(key: &sys::td_key) -> Self {
        // SAFETY: a key of the library has `n` >= 1 parts.
        let parts = unsafe { std::slice::from_raw_parts(key.parts, key.n) };
        KeyBuf { parts: parts.iter().map(|part| unsafe { string::view(*part) }.to_owned()).collect() }
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
