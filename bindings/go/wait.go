package tensordict

import (
	"context"
	"time"

	"tensordict/raw"
)

// For what has no descriptor, a wait inside of the library holds a thread. So only a few goroutines wait there; the
// others ask again and again, with pauses in which they hold nothing.
const (
	maxBlocked = 4
	minPause   = 50 * time.Microsecond
	maxPause   = 4 * time.Millisecond
)

var blocked = make(chan struct{}, maxBlocked)

// awaited runs try until it has a result, or ctx ends. try gets a timeout in milliseconds.
func awaited[T any](ctx context.Context, try func(c *call, timeout int64, stop *raw.Cancel, out *T) raw.Status) (made T, err error) {
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		if ctx.Err() != nil {
			return made, context.Cause(ctx)
		}
		made, err, again := attempt(func(c *call, out *T) raw.Status { return try(c, 0, nil, out) })
		if !again {
			return made, err
		}
		select {
		case blocked <- struct{}{}:
			made, err := block(ctx, try)
			<-blocked
			return made, err
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// attempt does not wait; again is true if there was nothing yet.
func attempt[T any](try func(c *call, out *T) raw.Status) (made T, err error, again bool) {
	err = do(func(c *call) raw.Status {
		out := one[T](c)
		status := try(c, out)
		made = *out
		// Without a producer, or a name, the library says NOT_FOUND instead of TIMEOUT; one may still come.
		if status == raw.ERR_TIMEOUT || status == raw.ERR_NOT_FOUND {
			again = true
			raw.ErrorRelease(*c.err)
			*c.err = nil
			return raw.OK
		}
		return status
	})
	return
}

// block waits in the library until ctx ends.
func block[T any](ctx context.Context, try func(c *call, timeout int64, stop *raw.Cancel, out *T) raw.Status) (made T, err error) {
	stop, err := give(same, func(c *call, out **raw.Cancel) raw.Status { return raw.CancelNew(out, c.err) })
	if err != nil {
		return made, err
	}
	defer raw.CancelRelease(stop)
	requested := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		raw.CancelRequest(stop)
		close(requested)
	})
	made, err = give(same, func(c *call, out *T) raw.Status { return try(c, -1, stop, out) })
	if !forget() {
		<-requested // it still uses stop
	}
	if e, ok := err.(*Error); ok && e.Status == ErrCancelled {
		return made, context.Cause(ctx)
	}
	return made, err
}
