//! Text goes in as a borrowed td_str and comes out as an owned td_string.
use crate::sys;
use std::ptr::NonNull;

/// `text` for the time of a call.
pub(crate) fn borrow(text: &str) -> sys::td_str {
    sys::td_str { data: text.as_ptr().cast(), size: text.len() }
}

/// What a getter returned.
///
/// # Safety
/// The owner that the getter's doc names lives for 'a.
pub(crate) unsafe fn view<'a>(text: sys::td_str) -> &'a str {
    if text.data.is_null() || text.size == 0 {
        return "";
    }
    // SAFETY: the library gives `size` bytes; sizes of views are never TD_STRLEN.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) };
    std::str::from_utf8(bytes).unwrap_or("(not UTF-8)")
}

/// An owned string, given back.
pub(crate) fn take(raw: NonNull<sys::td_string>) -> String {
    // SAFETY: `raw` is a reference of ours; the view ends before it is released.
    unsafe {
        let text = view(sys::td_string_view(raw.as_ptr())).to_owned();
        sys::td_string_release(raw.as_ptr());
        text
    }
}
