//! TensorDict for Rust: batched, nested, ordered dicts of tensors, stored and shared without copies.
//!
//! ```no_run
//! use tensordict::{Dict, Segment, Tensor};
//!
//! fn main() -> Result<(), tensordict::Error> {
//!     // What Python's `td.save("data")` wrote; nothing is read but the description.
//!     let data = Dict::open("data")?;
//!     let label = data.get("label")?;
//!     println!("{data}\nthe first label is {}", label.view::<i64>()?.get(0));
//!
//!     // A nested dict of our own, in shared memory under a name: any process may open it.
//!     let mut result = Dict::new(&[3])?;
//!     result.set(("next", "reward"), &Tensor::from_slice(&[0.5f32, 1.0, 2.0], &[3])?)?;
//!     let shared = Segment::create("result", &result)?;
//!     println!("stock Python opens {}", shared.path());
//!     Ok(())
//! }
//! ```
//!
//! What the types promise:
//! - [`Tensor`] is a shared, counted reference, like `Arc`: `Clone` is another reference to the same memory. Its
//!   elements may be changed by others, also by other processes, so the safe way to read them is a [`View`]. Borrowing
//!   them as a slice, or writing, is `unsafe`: the caller knows who else is there.
//! - [`Dict`] owns its node: `&mut` changes it, `&` may be used by many threads at once.
//! - [`Segment`] is a dict in named shared memory. [`Error`] says what was wrong, where, and what to do.
//! - `Drop` gives the reference back. Nothing here panics because of data.
//!
//! [`sys`] is the whole C API, for what the safe layer does not cover yet.
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]
// Every unsafe block calls the C functions that it names, by the contract of their doc in tensordict.h: see handle.rs.
#![allow(clippy::undocumented_unsafe_blocks)]

#[macro_use]
mod handle;

mod callback;
mod channel;
mod dict;
mod dist;
mod element;
mod equal;
mod error;
mod group;
mod hash;
mod key;
mod module;
mod op;
pub mod plugins;
mod process;
mod query;
mod random;
mod scope;
mod segment;
mod storage;
mod string;
#[allow(missing_docs)]
#[rustfmt::skip]
pub mod sys;
mod tensor;
pub mod threads;
mod view;

pub use channel::{
    Cancel, Channel, ChannelMode, ChannelOptions, ChannelStatistics, Draft, Message, Messages, Overflow, Role,
};
pub use dict::{
    Backward, Data, DataList, Dict, DictKind, Emptied, Entries, Entry, Field, GroupValues, Index, Indices, Item, Keys,
    Lent, LentMut, MapOptions, MappedData, Masks, Missing, NewTensor, Node, PackLayout, PadSequence, Padding, Reduce,
    ReprFlags, SeparateOptions, SplitOptions, Taken, UpdateOptions,
};
pub use dist::{
    with_interaction, Dist, DistPart, Interaction, LogProb, Probabilistic, ReturnComposite, Stat, Transform,
};
pub use element::{Dtype, Element};
pub use equal::Tolerance;
pub use error::{BoxError, Error, ErrorKind};
pub use group::{Group, GroupOptions, GroupReduceOptions, GroupReduction, Receive, TransferOptions, Work};
pub use hash::Hash;
pub use key::{Key, KeyBuf, Path};
pub use module::{
    vmap, Adam, AdamW, BackwardCall, FromModules, HookCall, HookFlags, HookId, Inplace, KeyedOptions, ListOptions,
    Loaded, Module, OneCycle, Optimizer, Randomness, Rates, RmsProp, RunOptions, Schedule, SequenceOptions, Sgd,
    StateHook, Visit, VmapOptions,
};
pub use op::{Op, Output, Scalar, Value};
pub use process::{
    abi_version, after_fork, build_info, fast_level, has_feature, live_bytes, live_objects, num_threads,
    set_fast_level, set_num_threads, set_warning_callback, version, FastLevel, WarningFunction,
};
pub use query::{
    IndexMap, MapMode, Miss, Query, QueryOptions, QuerySave, QueryShare, QueryStatistics, RowMap, Store, StoreOptions,
};
pub use random::{manual_seed, Generator};
pub use segment::{Segment, SegmentOpenOptions, SegmentOptions};
pub use storage::{
    refresh_archive_checksums, verify_archive, Compression, Format, Mode, OpenOptions, PersistentOptions, Progress,
    RemoteOptions, SaveOptions, SchemaEntry, Storage,
};
pub use tensor::{is_grad_enabled, no_grad, Dlpack, Tensor};
pub use view::View;

// The program in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What every call that can fail returns.
pub type Result<T> = std::result::Result<T, Error>;
