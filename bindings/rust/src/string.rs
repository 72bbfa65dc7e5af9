//! Text goes in as a borrowed td_str and comes out as an owned td_string.
use crate::sys;

/// `text` for the time of a call.
pub(crate) fn borrow(text: &str) -> sys::td_str {
    sys::td_str { data: text.as_ptr().cast(), size: text.len() }
}

/// The same, where None is what the header calls NULL data.
pub(crate) fn optional(text: Option<&str>) -> sys::td_str {
    text.map_or(sys::td_str { data: std::ptr::null(), size: 0 }, borrow)
}

/// Several, for the time of a call.
pub(crate) fn borrow_all<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Vec<sys::td_str> {
    texts.into_iter().map(optional).collect()
}

/// What a getter returned.
///
/// # Safety
/// The owner that the getter's doc names lives for 'a.
pub(crate) unsafe fn view<'a>(text: sys::td_str) -> &'a str {
    // SAFETY: as this function.
    std::str::from_utf8(unsafe { bytes(text) }).unwrap_or("(not UTF-8)")
}

/// The same, for text that may be any bytes.
///
/// # Safety
/// As [`view`].
pub(crate) unsafe fn bytes<'a>(text: sys::td_str) -> &'a [u8] {
    if text.data.is_null() || text.size == 0 {
        return &[];
    }
    // SAFETY: the library gives `size` bytes; sizes of views are never TD_STRLEN.
    unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) }
}

/// The same, or None for what the header calls NULL data.
///
/// # Safety
/// As [`view`].
pub(crate) unsafe fn present<'a>(text: sys::td_str) -> Option<&'a str> {
    // SAFETY: as this function.
    (!text.data.is_null()).then(|| unsafe { view(text) })
}

handle! {
    /// Owned text of the library, on its way to a String.
    pub(crate) Text: td_string, td_string_release
}

impl Text {
    pub(crate) fn take(self) -> String {
        // SAFETY: the view ends before the string is released.
        unsafe { view(sys::td_string_view(self.as_raw())) }.to_owned()
    }
}
