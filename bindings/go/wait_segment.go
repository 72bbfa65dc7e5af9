package tensordict

import (
	"context"

	"tensordict/raw"
)

// WaitForChannel joins a channel, and waits until there is one of this name.
func WaitForChannel(ctx context.Context, name string, roles Role) (*Channel, error) {
	p, err := awaited(ctx, func(c *call, timeout int64, stop *raw.Cancel, out **raw.Channel) raw.Status {
		o := one[raw.ChannelOpenOptions](c)
		o.StructSize, o.TimeoutMs, o.Cancel = structSize(o), timeout, stop
		return raw.ChannelOpen(c.str(name), raw.ChannelRole(roles), o, out, c.err)
	})
	if err != nil {
		return nil, err
	}
	return newChannel(p), nil
}

// WaitForSegment opens a segment to be read, and waits until there is one of this name.
func WaitForSegment(ctx context.Context, name string) (*Segment, error) {
	p, err := awaited(ctx, func(c *call, timeout int64, stop *raw.Cancel, out **raw.Segment) raw.Status {
		o := one[raw.SegmentOpenOptions](c)
		o.StructSize, o.TimeoutMs, o.Cancel = structSize(o), timeout, stop
		return raw.SegmentOpen(c.str(name), o, out, c.err)
	})
	if err != nil {
		return nil, err
	}
	return newSegment(p), nil
}

// Wait waits until an update has ended that Version did not count yet when it returned seen, and returns the version
// then. When the process that made the segment has ended, or s is closed, it fails with ErrClosed; when ctx ends, with
// its cause. A goroutine that waits needs a Segment of its own if another one updates.
func (s *Segment) Wait(ctx context.Context, seen uint64) (uint64, error) {
	ctx, forget := s.untilClosed(ctx)
	defer forget()
	return awaited(ctx, func(c *call, timeout int64, stop *raw.Cancel, out *uint64) raw.Status {
		return raw.SegmentWait(s.inUse(c), seen, timeout, stop, out, c.err)
	})
}
