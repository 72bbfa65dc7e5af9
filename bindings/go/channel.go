package tensordict

import (
	"context"
	"errors"
	"iter"
	"runtime"

	"tensordict/raw"
)

// A Channel passes dicts from process to process, in memory that they share.
type Channel struct {
	handle[raw.Channel]
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
			o.MaxHeld, o.Keep = int32(options.MaxHeld), flag(options.Keep)
		}
		return raw.ChannelCreate(c.str(name), schema.raw0(), o, out, c.err)
	})
}

// OpenChannel joins a channel.
func OpenChannel(name string, roles Role) (*Channel, error) {
	return give(newChannel, func(c *call, out **raw.Channel) raw.Status {
		return raw.ChannelOpen(c.str(name), raw.ChannelRole(roles), nil, out, c.err)
	})
}

// Acquire waits for a free slot and returns it as a message to write and to publish.
func (ch *Channel) Acquire(ctx context.Context) (*Message, error) {
	p, err := awaited(ctx, func(c *call, timeout int64, stop *raw.Cancel, out **raw.Message) raw.Status {
		return raw.ChannelAcquire(ch.p, timeout, stop, out, c.err)
	})
	return newMessage(p), err
}

// Take waits for the oldest message. When the channel has ended and is empty, it fails with ErrClosed; when ctx ends,
// with its cause.
func (ch *Channel) Take(ctx context.Context) (*Message, error) {
	p, err := awaited(ctx, func(c *call, timeout int64, stop *raw.Cancel, out **raw.Message) raw.Status {
		return raw.ChannelTake(ch.p, timeout, stop, out, c.err)
	})
	return newMessage(p), err
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

// Messages takes messages until the channel has ended. Any other end, also that of ctx, comes as the error of the last
// pair. Close each message.
func (ch *Channel) Messages(ctx context.Context) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for {
			m, err := ch.Take(ctx)
			if errors.Is(err, ErrClosed) {
				return
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// Chan takes messages in a goroutine and sends them to a channel of Go, which is closed at the end; wait then tells why
// it ended: nil if the channel has ended. Cancel ctx to stop before.
func (ch *Channel) Chan(ctx context.Context) (messages <-chan *Message, wait func() error) {
	out, done := make(chan *Message), make(chan struct{})
	var failure error
	go func() {
		defer close(done)
		defer close(out)
		for m, err := range ch.Messages(ctx) {
			if err != nil {
				failure = err
				return
			}
			select {
			case out <- m:
			case <-ctx.Done():
				m.Close()
				failure = context.Cause(ctx)
				return
			}
		}
	}()
	return out, func() error {
		<-done
		return failure
	}
}

// End ends the channel for all members: producers get ErrClosed, consumers after they have taken what is left. Close only
// leaves it.
func (ch *Channel) End() error {
	return do(func(c *call) raw.Status { return raw.ChannelClose(ch.p, c.err) })
}

// Sweep cleans up after dead members now, and returns how many there were.
func (ch *Channel) Sweep() (int, error) {
	return give(func(n int32) int { return int(n) }, func(c *call, out *int32) raw.Status {
		return raw.ChannelSweep(ch.p, out, c.err)
	})
}

// ChannelStats counts what happened in a channel.
type ChannelStats = raw.ChannelStatistics

// Stats counts what happened.
func (ch *Channel) Stats() (ChannelStats, error) {
	return give(same, func(c *call, out *ChannelStats) raw.Status {
		out.StructSize = structSize(out)
		return raw.ChannelStats(ch.p, out, c.err)
	})
}

// Dump describes the state for people.
func (ch *Channel) Dump() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.ChannelDump(ch.p, out, c.err) })
}

// Schema is a dict of zeros like the messages.
func (ch *Channel) Schema() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.ChannelSchema(ch.p, out, c.err) })
}

// Path is the file of the channel.
func (ch *Channel) Path() string {
	return text(raw.ChannelPath(ch.p))
}

// UnlinkChannel removes a name; members can still use the channel.
func UnlinkChannel(name string) error {
	return do(func(c *call) raw.Status { return raw.ChannelUnlink(c.str(name), c.err) })
}

// A Message is a slot of a channel. It is free again when the message, its dicts and all their tensors are closed: close
// them, or the garbage collector makes the channel wait.
type Message struct {
	handle[raw.Message]
}

func newMessage(p *raw.Message) *Message {
	if p == nil {
		return nil
	}
	m := new(Message)
	m.hold(p, raw.MessageRelease)
	return m
}

// Dict is the message as a locked dict; one that was taken is read-only. Clone what must outlive the message.
func (m *Message) Dict() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.MessageDict(m.p, out, c.err) })
}

// Publish gives an acquired message to the consumers.
func (m *Message) Publish() error {
	return do(func(c *call) raw.Status { return raw.MessagePublish(m.p, c.err) })
}

// Number is the place of the message in the order of publishing; -1 before.
func (m *Message) Number() int64 {
	defer runtime.KeepAlive(m)
	return raw.MessageNumber(m.p)
}

// Delivery is how often the message was delivered, this time included.
func (m *Message) Delivery() int {
	defer runtime.KeepAlive(m)
	return int(raw.MessageDelivery(m.p))
}

// Lag is how many messages were dropped since the last one.
func (m *Message) Lag() int64 {
	defer runtime.KeepAlive(m)
	return raw.MessageLag(m.p)
}
