package tensordict

import (
	"context"

	"tensordict/raw"
)

// A Channel passes dicts from process to process, in memory that they share.
type Channel struct {
	sharedHandle[raw.Channel]
	takes, acquires turns
}

func newChannel(p *raw.Channel) *Channel {
	ch := new(Channel)
	ch.hold(p, raw.ChannelRelease)
	return ch
}

// A Role is what a member does in a channel.
type Role int32

// The roles, which may be joined with |; an Observer has no other one.
const (
	Producer = Role(raw.CHANNEL_ROLE_PRODUCES)
	Consumer = Role(raw.CHANNEL_ROLE_CONSUMES)
	Observer = Role(raw.CHANNEL_ROLE_OBSERVES)
)

// An Overflow says what Acquire does if all slots are in use.
type Overflow int32

// The overflows.
const (
	Block      = Overflow(raw.CHANNEL_OVERFLOW_BLOCK)
	FailFull   = Overflow(raw.CHANNEL_OVERFLOW_FAIL)
	DropOldest = Overflow(raw.CHANNEL_OVERFLOW_DROP_OLDEST)
)

// ChannelOptions may be nil: a queue of 8 slots.
type ChannelOptions struct {
	Broadcast  bool // each message goes to all consumers
	Overflow   Overflow
	Roles      Role // of the creator; Producer if 0
	Slots      int  // at most as many messages, 1 to 64
	Members    int  // at most as many producers and consumers
	Deliveries int  // how often a message is delivered if consumers die with it
	MaxHeld    int  // at most as many messages held through one handle
	Keep       bool // the name stays when the creator closes the channel
	Replace    bool // replace a channel of this name without a living process
}

// CreateChannel makes a channel for messages like schema, and joins it.
func CreateChannel(name string, schema *Dict, options *ChannelOptions) (*Channel, error) {
	return give(newChannel, func(c *call, out **raw.Channel) raw.Status {
		o := one[raw.ChannelOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			if options.Broadcast {
				o.Mode = raw.CHANNEL_MODE_BROADCAST
			}
			o.Overflow, o.Roles = raw.ChannelOverflow(options.Overflow), raw.ChannelRole(options.Roles)
			o.Slots, o.Members, o.Deliveries = int32(options.Slots), int32(options.Members), int32(options.Deliveries)
			o.MaxHeld, o.Keep, o.ReplaceDead = int32(options.MaxHeld), flag(options.Keep), flag(options.Replace)
		}
		return raw.ChannelCreate(c.str(name), schema.raw0(), o, out, c.err)
	})
}

// OpenChannel joins a channel. WaitForChannel waits until there is one of this name.
func OpenChannel(name string, roles Role) (*Channel, error) {
	return give(newChannel, func(c *call, out **raw.Channel) raw.Status {
		return raw.ChannelOpen(c.str(name), raw.ChannelRole(roles), nil, out, c.err)
	})
}

// Publish acquires a slot, copies the values of d into it and publishes it.
func (ch *Channel) Publish(ctx context.Context, d *Dict) error {
	m, err := ch.Acquire(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	slot, err := m.Dict()
	if err != nil {
		return err
	}
	err = slot.UpdateInPlace(d)
	slot.Close()
	if err != nil {
		return err
	}
	return m.Publish()
}

// Options are those that the channel was created with; Roles are those of this handle.
func (ch *Channel) Options() (ChannelOptions, error) {
	return give(func(o raw.ChannelOptions) ChannelOptions {
		return ChannelOptions{o.Mode == raw.CHANNEL_MODE_BROADCAST, Overflow(o.Overflow), Role(o.Roles), int(o.Slots),
			int(o.Members), int(o.Deliveries), int(o.MaxHeld), truth(o.Keep), truth(o.ReplaceDead)}
	}, func(c *call, out *raw.ChannelOptions) raw.Status {
		out.StructSize = structSize(out)
		return raw.ChannelGetOptions(ch.inUse(c), out, c.err)
	})
}

// Bytes is the size of the memory of the channel.
func (ch *Channel) Bytes() int64 {
	return look(&ch.sharedHandle, raw.ChannelNbytes)
}

// End ends the channel for all members: producers get ErrClosed, consumers after they have taken what is left. Close only
// leaves it.
func (ch *Channel) End() error {
	return do(func(c *call) raw.Status { return raw.ChannelClose(ch.inUse(c), c.err) })
}

// Sweep cleans up after dead members now, and returns how many there were.
func (ch *Channel) Sweep() (int, error) {
	return give(func(n int32) int { return int(n) }, func(c *call, out *int32) raw.Status {
		return raw.ChannelSweep(ch.inUse(c), out, c.err)
	})
}

// ChannelStats counts what happened in a channel.
type ChannelStats = raw.ChannelStatistics

// Stats counts what happened.
func (ch *Channel) Stats() (ChannelStats, error) {
	return give(same, func(c *call, out *ChannelStats) raw.Status {
		out.StructSize = structSize(out)
		return raw.ChannelStats(ch.inUse(c), out, c.err)
	})
}

// Dump describes the state for people.
func (ch *Channel) Dump() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.ChannelDump(ch.inUse(c), out, c.err) })
}

// Schema is a dict of zeros like the messages.
func (ch *Channel) Schema() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.ChannelSchema(ch.inUse(c), out, c.err) })
}

// Path is the file of the channel.
func (ch *Channel) Path() string {
	return look(&ch.sharedHandle, func(p *raw.Channel) string { return text(raw.ChannelPath(p)) })
}

// UnlinkChannel removes a name; members can still use the channel.
func UnlinkChannel(name string) error {
	return do(func(c *call) raw.Status { return raw.ChannelUnlink(c.str(name), c.err) })
}
