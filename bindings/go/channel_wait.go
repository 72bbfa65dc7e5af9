package tensordict

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"tensordict/raw"
)

// turns are the goroutines that wait at a channel for one thing. The first of them waits for the channel's descriptor in
// Go's own poller, the others for their turn, so that none of them holds a thread.
type turns struct {
	once  sync.Once
	first chan struct{} // holds one element while a goroutine waits for the descriptor
	file  *os.File
	err   error
}

func (w *turns) open(ch *Channel, role raw.ChannelRole) {
	w.once.Do(func() {
		w.first = make(chan struct{}, 1)
		var fd int32
		fd, w.err = give(same, func(c *call, out *int32) raw.Status { return raw.ChannelDescriptor(ch.inUse(c), role, out, c.err) })
		if w.err != nil {
			return
		}
		// A copy, because Go's poller forgets a descriptor only when it closes it, and this one belongs to the channel.
		syscall.ForkLock.RLock()
		own, err := syscall.Dup(int(fd))
		if err == nil {
			syscall.CloseOnExec(own)
		}
		syscall.ForkLock.RUnlock()
		if err != nil {
			w.err = &Error{Status: ErrIO, Message: "the descriptor of a channel could not be copied", Cause: err}
			return
		}
		w.file = os.NewFile(uintptr(own), "channel")
	})
}

func (w *turns) close() {
	w.once.Do(func() { w.err = closedWhileWaiting(nil) }) // or waits for open
	if w.file != nil {
		w.file.Close()
	}
}

// Close leaves the channel; again is harmless. Waits and calls of other goroutines end with an error. It returns nil.
func (ch *Channel) Close() error {
	if ch != nil {
		ch.takes.close()
		ch.acquires.close()
	}
	return ch.sharedHandle.Close()
}

type trying = func(c *call, timeout int64, stop *raw.Cancel, out **raw.Message) raw.Status

// wait runs try until it has a message, or ctx ends.
func (ch *Channel) wait(ctx context.Context, w *turns, role raw.ChannelRole, try trying) (*Message, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p, err, again := attempt(func(c *call, out **raw.Message) raw.Status { return try(c, 0, nil, out) })
	if !again {
		return newMessage(p), err
	}
	if w.open(ch, role); w.err != nil { // no descriptors on this system, or no more of them, or closed meanwhile
		ctx, forget := ch.untilClosed(ctx)
		defer forget()
		p, err = awaited(ctx, try)
		return newMessage(p), err
	}
	select {
	case w.first <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-w.first }()
	p, err = w.poll(ctx, try)
	return newMessage(p), err
}

func (w *turns) poll(ctx context.Context, try trying) (p *raw.Message, err error) {
	conn, err := w.file.SyscallConn()
	if err == nil {
		err = w.file.SetReadDeadline(time.Time{})
	}
	if err != nil {
		return nil, closedWhileWaiting(err)
	}
	ended := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		w.file.SetReadDeadline(time.Unix(1, 0))
		close(ended)
	})
	var failed error
	err = conn.Read(func(uintptr) bool {
		var again bool
		p, failed, again = attempt(func(c *call, out **raw.Message) raw.Status { return try(c, 0, nil, out) })
		return !again
	})
	if !forget() {
		<-ended // the deadline is for this wait, not for the next one
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, closedWhileWaiting(err)
	}
	return p, failed
}

// Acquire waits for a free slot and returns it as a message to write and to publish. It fails with the cause of ctx when
// that ends.
func (ch *Channel) Acquire(ctx context.Context) (*Message, error) {
	return ch.wait(ctx, &ch.acquires, raw.CHANNEL_ROLE_PRODUCES,
		func(c *call, timeout int64, stop *raw.Cancel, out **raw.Message) raw.Status {
			return raw.ChannelAcquire(ch.inUse(c), timeout, stop, out, c.err)
		})
}

// Take waits for the oldest message. When the channel has ended and is empty, it fails with ErrClosed; when ctx ends,
// with its cause.
func (ch *Channel) Take(ctx context.Context) (*Message, error) {
	return ch.wait(ctx, &ch.takes, raw.CHANNEL_ROLE_CONSUMES,
		func(c *call, timeout int64, stop *raw.Cancel, out **raw.Message) raw.Status {
			return raw.ChannelTake(ch.inUse(c), timeout, stop, out, c.err)
		})
}
