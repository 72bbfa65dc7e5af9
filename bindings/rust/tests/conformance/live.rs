//! The objects of each kind that this process holds.
use tensordict::{live_objects, sys};

pub fn live() -> Vec<i64> {
    (sys::TD_OBJECT_ERROR..=sys::TD_OBJECT_ROW_MAP).map(live_objects).collect()
}
