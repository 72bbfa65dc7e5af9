package tensordict

import (
	"context"
	"sync"
)

// A sharedHandle may be closed while other goroutines use it: the last of their calls gives the object back.
type sharedHandle[T any] struct {
	handle[T]
	mu     sync.Mutex
	calls  int // that run now
	closed bool
	open   context.Context // made by the first wait that has no descriptor, and ended by Close
	end    context.CancelFunc
}

// inUse is the object, for one call; nil once it is closed, which the library refuses.
func (h *sharedHandle[T]) inUse(c *call) *T {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.calls++
	c.later(h.leave)
	return h.p
}

func (h *sharedHandle[T]) leave() {
	h.mu.Lock()
	h.calls--
	last := h.closed && h.calls == 0
	h.mu.Unlock()
	if last {
		h.handle.Close()
	}
}

// untilClosed is ctx, but ends with ErrClosed when the object is closed.
func (h *sharedHandle[T]) untilClosed(ctx context.Context) (context.Context, context.CancelFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open, h.end = context.WithCancel(context.Background())
	}
	if h.closed {
		h.end()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(h.open, func() { cancel(closedWhileWaiting(nil)) })
	return ctx, func() {
		forget()
		cancel(nil)
	}
}

func closedWhileWaiting(cause error) error {
	return &Error{Status: ErrClosed, Message: "the object was closed while a goroutine waited", Cause: cause}
}

// Close gives the object back when no other goroutine is in a call of it; later calls fail, and waits end with
// ErrClosed. Again is harmless. It returns nil.
func (h *sharedHandle[T]) Close() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	last := !h.closed && h.calls == 0
	h.closed = true
	if h.end != nil {
		h.end()
	}
	h.mu.Unlock()
	if last {
		return h.handle.Close()
	}
	return nil
}

// look runs a getter, which has no status.
func look[T, O any](h *sharedHandle[T], fn func(p *T) O) O {
	c := begin()
	defer c.end()
	return fn(h.inUse(c))
}
