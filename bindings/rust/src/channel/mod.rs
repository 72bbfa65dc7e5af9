//! Channels: dicts of one structure, handed from process to process without a copy.
use crate::handle::count;
use crate::segment::milliseconds;
use crate::string::Text;
use crate::{string, sys, Dict, ErrorKind, Node, Result};
use std::fmt;
use std::os::unix::io::BorrowedFd;
use std::time::Duration;

mod cancel;
mod message;

pub use cancel::Cancel;
pub use message::{Draft, Message};

/// What the handle does in the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It only looks on.
    Observes,
    /// It publishes messages.
    Produces,
    /// It takes messages.
    Consumes,
    /// It does both.
    ProducesAndConsumes,
}

impl Role {
    fn from_raw(raw: sys::td_channel_role) -> Self {
        match raw {
            sys::TD_CHANNEL_ROLE_PRODUCES => Role::Produces,
            sys::TD_CHANNEL_ROLE_CONSUMES => Role::Consumes,
            sys::TD_CHANNEL_ROLE_OBSERVES => Role::Observes,
            _ => Role::ProducesAndConsumes,
        }
    }

    fn raw(self) -> sys::td_channel_role {
        match self {
            Role::Observes => sys::TD_CHANNEL_ROLE_OBSERVES,
            Role::Produces => sys::TD_CHANNEL_ROLE_PRODUCES,
            Role::Consumes => sys::TD_CHANNEL_ROLE_CONSUMES,
            Role::ProducesAndConsumes => sys::TD_CHANNEL_ROLE_PRODUCES | sys::TD_CHANNEL_ROLE_CONSUMES,
        }
    }
}

constants! {
    /// Who gets a message.
    ChannelMode {
        /// One consumer.
        Queue = TD_CHANNEL_MODE_QUEUE,
        /// All consumers that are there when it is published.
        Broadcast = TD_CHANNEL_MODE_BROADCAST,
    }
}

constants! {
    /// What [`Channel::acquire`] does when all slots are in use.
    Overflow {
        /// It waits.
        Block = TD_CHANNEL_OVERFLOW_BLOCK,
        /// It fails with NoSpace.
        Fail = TD_CHANNEL_OVERFLOW_FAIL,
        /// It takes the oldest message away that nobody is reading.
        DropOldest = TD_CHANNEL_OVERFLOW_DROP_OLDEST,
    }
}

/// How a channel is made.
#[derive(Clone, Copy, Debug)]
pub struct ChannelOptions {
    /// Who gets a message.
    pub mode: ChannelMode,
    /// What happens when all slots are in use.
    pub overflow: Overflow,
    /// What the creator does.
    pub role: Role,
    /// Messages under way at once, 1 to 64.
    pub slots: i32,
    /// Producers and consumers at once, 1 to 62, in a broadcast to 32.
    pub members: i32,
    /// How often a queue hands a message out if consumers die with it.
    pub deliveries: i32,
    /// Messages that one handle may hold at once; 0 is any number.
    pub max_held: i32,
    /// The name outlives the creator.
    pub keep: bool,
    /// Take the name of a channel without a living process.
    pub replace_dead: bool,
}

impl Default for ChannelOptions {
    fn default() -> Self {
        let raw = sys::td_channel_options::default();
        ChannelOptions {
            mode: ChannelMode::Queue,
            overflow: Overflow::Block,
            role: Role::Produces,
            slots: raw.slots,
            members: raw.members,
            deliveries: raw.deliveries,
            max_held: raw.max_held,
            keep: false,
            replace_dead: false,
        }
    }
}

/// Numbers of a channel, as `td_channel_statistics` explains them.
pub type ChannelStatistics = sys::td_channel_statistics;

handle! {
    /// One member of a channel, which many threads may use.
    ///
    /// A slot stays held until the message and all tensors of it are dropped, so that no tensor ever shows another
    /// message.
    pub Channel: td_channel, td_channel_release
}

impl Channel {
    /// Makes a channel whose messages have the structure and the data of `schema`, and joins it as a producer.
    /// Errors: Exists if the name is taken; Argument; NoSpace; Unsupported; Io.
    pub fn create(name: &str, schema: &Node) -> Result<Self> {
        Channel::create_with(name, schema, ChannelOptions::default())
    }

    /// The same with options.
    pub fn create_with(name: &str, schema: &Node, options: ChannelOptions) -> Result<Self> {
        let options = sys::td_channel_options {
            mode: options.mode.raw(),
            overflow: options.overflow.raw(),
            roles: options.role.raw(),
            slots: options.slots,
            members: options.members,
            deliveries: options.deliveries,
            max_held: options.max_held,
            keep: options.keep.into(),
            replace_dead: options.replace_dead.into(),
            ..Default::default()
        };
        made!(td_channel_create(string::borrow(name), schema.as_raw(), &options))
    }

    /// Opens a channel and joins it. Errors: NotFound; Argument; NoSpace if all places are taken; Corrupt; Version; Io.
    pub fn open(name: &str, role: Role) -> Result<Self> {
        made!(td_channel_open(string::borrow(name), role.raw(), std::ptr::null()))
    }

    /// The same, which waits for the name; None waits without end. It fails as Cancelled once `cancel` is requested.
    /// Errors: Timeout instead of NotFound.
    pub fn open_until(name: &str, role: Role, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<Self> {
        let options = sys::td_channel_open_options {
            timeout_ms: milliseconds(timeout),
            cancel: Cancel::optional(cancel),
            ..Default::default()
        };
        made!(td_channel_open(string::borrow(name), role.raw(), &options))
    }

    /// Removes a name; processes that have the channel open go on with it. Errors: NotFound; Argument; Corrupt; Io.
    pub fn unlink(name: &str) -> Result<()> {
        done!(td_channel_unlink(string::borrow(name)))
    }

    /// A message to write: a slot of its own, with whatever values were in it. None waits without end.
    /// Errors: Timeout; NoSpace; Closed; Corrupt; Argument without the role.
    pub fn acquire(&self, timeout: Option<Duration>) -> Result<Draft> {
        self.acquire_until(timeout, None)
    }

    /// The same; it fails as Cancelled once `cancel` is requested.
    pub fn acquire_until(&self, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<Draft> {
        made!(td_channel_acquire(self.as_raw(), milliseconds(timeout), Cancel::optional(cancel)))
    }

    /// The oldest message that is there for this consumer. None waits without end.
    /// Errors: Timeout; NotFound instead of it if no producer is there; Closed when the channel is closed and empty;
    /// NoSpace; Corrupt; Argument without the role.
    pub fn take(&self, timeout: Option<Duration>) -> Result<Message> {
        self.take_until(timeout, None)
    }

    /// The same; it fails as Cancelled once `cancel` is requested, and has taken nothing then.
    pub fn take_until(&self, timeout: Option<Duration>, cancel: Option<&Cancel>) -> Result<Message> {
        made!(td_channel_take(self.as_raw(), milliseconds(timeout), Cancel::optional(cancel)))
    }

    /// The messages for this consumer, until the channel is closed and empty. It waits for each.
    pub fn iter(&self) -> Messages<'_> {
        Messages { channel: self }
    }

    /// Publishes a copy of the values of `dict`. Errors: as [`acquire`](Channel::acquire) without end; Key, Shape if it
    /// differs in structure.
    pub fn publish(&self, dict: &Node) -> Result<()> {
        let mut draft = self.acquire(None)?;
        draft.dict_mut()?.update_values(dict)?;
        draft.publish()
    }

    /// A descriptor for poll, readable while [`take`](Channel::take) or, for [`Role::Produces`],
    /// [`acquire`](Channel::acquire) would not wait; give them no time then, as another process may be faster.
    /// Errors: Argument for another role, or one that the handle does not have; Io.
    pub fn descriptor(&self, role: Role) -> Result<BorrowedFd<'_>> {
        let mut descriptor = -1;
        done!(td_channel_descriptor(self.as_raw(), role.raw(), &mut descriptor))?;
        // SAFETY: it lives as long as the channel.
        Ok(unsafe { BorrowedFd::borrow_raw(descriptor) })
    }

    /// Lets nothing more be published: producers get Closed from now on, consumers when they have taken what is there.
    pub fn close(&self) -> Result<()> {
        done!(td_channel_close(self.as_raw()))
    }

    /// Cleans up now after members that died, and says how many there were.
    pub fn sweep(&self) -> Result<usize> {
        let mut dead = 0;
        done!(td_channel_sweep(self.as_raw(), &mut dead))?;
        Ok(count(dead.into()))
    }

    /// What it was made with; the role is that of this handle.
    pub fn options(&self) -> Result<ChannelOptions> {
        let mut raw = sys::td_channel_options::default();
        done!(td_channel_get_options(self.as_raw(), &mut raw))?;
        Ok(ChannelOptions {
            mode: ChannelMode::from_raw(raw.mode).unwrap_or(ChannelMode::Queue),
            overflow: Overflow::from_raw(raw.overflow).unwrap_or(Overflow::Block),
            role: Role::from_raw(raw.roles),
            slots: raw.slots,
            members: raw.members,
            deliveries: raw.deliveries,
            max_held: raw.max_held,
            keep: raw.keep != 0,
            replace_dead: raw.replace_dead != 0,
        })
    }

    /// Its numbers now.
    pub fn statistics(&self) -> Result<ChannelStatistics> {
        let mut out = ChannelStatistics::default();
        done!(td_channel_stats(self.as_raw(), &mut out))?;
        Ok(out)
    }

    /// Every word of the channel as text, with who holds what, for people.
    pub fn dump(&self) -> Result<String> {
        made!(td_channel_dump(self.as_raw())).map(Text::take)
    }

    /// A dict of zeros of the structure that all messages have.
    pub fn schema(&self) -> Result<Dict> {
        made!(td_channel_schema(self.as_raw()))
    }

    /// The file behind the channel.
    pub fn path(&self) -> &str {
        // SAFETY: the text lives as long as the channel.
        unsafe { string::view(sys::td_channel_path(self.as_raw())) }
    }

    /// Bytes of the whole channel.
    pub fn nbytes(&self) -> usize {
        count(unsafe { sys::td_channel_nbytes(self.as_raw()) })
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Channel({})", self.path())
    }
}

/// The messages of a channel, as [`Channel::iter`] gives them.
#[derive(Debug)]
pub struct Messages<'a> {
    channel: &'a Channel,
}

impl Iterator for Messages<'_> {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.channel.take(None) {
            Err(error) if error.kind() == ErrorKind::Closed => None,
            result => Some(result),
        }
    }
}

impl<'a> IntoIterator for &'a Channel {
    type Item = Result<Message>;
    type IntoIter = Messages<'a>;

    fn into_iter(self) -> Messages<'a> {
        self.iter()
    }
}
