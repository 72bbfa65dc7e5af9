package tensordict

import (
	"runtime"

	"tensordict/raw"
)

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

// Clone is a copy of the message with memory of its own, which does not keep the slot.
func (m *Message) Clone() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.MessageClone(m.p, out, c.err) })
}

// OpenViews is the number of dicts and tensors of the message that are in use; with 0, Close frees the slot.
func (m *Message) OpenViews() int64 {
	defer runtime.KeepAlive(m)
	return raw.MessageOpenViews(m.p)
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
