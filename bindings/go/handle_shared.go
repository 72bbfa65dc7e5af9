package tensordict

import "sync"

// A sharedHandle may be closed while other goroutines use it: the last of their calls gives the object back.
type sharedHandle[T any] struct {
	handle[T]
	mu     sync.Mutex
	calls  int // that run now
	closed bool
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

// Close gives the object back when no other goroutine is in a call of it; later calls fail. Again is harmless. It
// returns nil.
func (h *sharedHandle[T]) Close() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	last := !h.closed && h.calls == 0
	h.closed = true
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
