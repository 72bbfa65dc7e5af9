package tensordict

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

func TestSegmentWait(t *testing.T) {
	noLeak(t)
	first := oneNumber(t, 1)
	defer first.Close()
	mine := must[*Segment](t)(CreateSegment(uniqueName(t), first, nil))
	defer mine.Close()
	theirs := must[*Segment](t)(WaitForSegment(t.Context(), uniqueName(t)))
	defer theirs.Close()
	seen := theirs.Version()
	done := make(chan error, 1)
	go func() {
		version, err := theirs.Wait(t.Context(), seen)
		if err == nil && version <= seen {
			err = fmt.Errorf("version %d after %d", version, seen)
		}
		done <- err
	}()
	check(t, mine.Update(first))
	check(t, <-done)
	own := errors.New("own reason")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(own) })
	if _, err := theirs.Wait(ctx, mine.Version()); err != own {
		t.Error(err)
	}
}

// The channel has no descriptor any more when Take asks for it, and is not closed yet.
func TestWaitsEndWhenTheirObjectIsClosed(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	segment := must[*Segment](t)(CreateSegment(uniqueName(t), schema, nil))
	ch := must[*Channel](t)(CreateChannel(uniqueName(t)+"c", schema, &ChannelOptions{Roles: Producer | Consumer}))
	ch.takes.close()
	ended := make(chan error, 2)
	go func() {
		_, err := segment.Wait(t.Context(), segment.Version())
		ended <- err
	}()
	go func() {
		_, err := ch.Take(t.Context())
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond)
	segment.Close()
	ch.Close()
	for range 2 {
		if err := <-ended; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}

func TestWaitForChannel(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	found := make(chan error, 1)
	go func() {
		ch, err := WaitForChannel(t.Context(), uniqueName(t), Consumer)
		if err == nil {
			ch.Close()
		}
		found <- err
	}()
	time.Sleep(5 * time.Millisecond)
	ch := must[*Channel](t)(CreateChannel(uniqueName(t), schema, nil))
	check(t, <-found)
	ch.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := WaitForChannel(ctx, uniqueName(t), Consumer); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// A goroutine for each of many channels: none of them holds a thread, and each gets what comes for it.
func TestWaitersOfManyChannels(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 7)
	defer schema.Close()
	const n = 100
	channels := make([]*Channel, n)
	for i := range channels {
		channels[i] = must[*Channel](t)(CreateChannel(fmt.Sprint(uniqueName(t), i), schema,
			&ChannelOptions{Roles: Producer | Consumer, Slots: 2}))
		defer channels[i].Close()
	}
	before := threads(t)
	var group sync.WaitGroup
	for _, ch := range channels {
		group.Add(1)
		go func() {
			defer group.Done()
			m, err := ch.Take(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			m.Close()
		}()
	}
	time.Sleep(50 * time.Millisecond)
	heldThreads(t, before, n)
	for _, ch := range channels {
		check(t, ch.Publish(t.Context(), schema))
	}
	group.Wait()
}

func TestWaitersOfASegment(t *testing.T) {
	noLeak(t)
	first := oneNumber(t, 1)
	defer first.Close()
	mine := must[*Segment](t)(CreateSegment(uniqueName(t), first, nil))
	defer mine.Close()
	theirs := must[*Segment](t)(OpenSegment(uniqueName(t)))
	defer theirs.Close()
	seen, before := theirs.Version(), threads(t)
	var group sync.WaitGroup
	for range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := theirs.Wait(t.Context(), seen); err != nil {
				t.Error(err)
			}
		}()
	}
	time.Sleep(20 * time.Millisecond)
	heldThreads(t, before, 100)
	check(t, mine.Update(first))
	group.Wait()
}

// What NoGrad sets belongs to a thread: another goroutine is not under it, and the own one stays there.
func TestNoGradKeepsItsThread(t *testing.T) {
	inside, outside := make(chan bool), make(chan bool)
	go func() {
		<-inside
		outside <- IsGradEnabled()
	}()
	check(t, NoGrad(func() error {
		inside <- true
		if !<-outside {
			t.Error("another goroutine is under NoGrad")
		}
		for range 100 {
			runtime.Gosched()
			if IsGradEnabled() {
				return errors.New("NoGrad lost its thread")
			}
		}
		return nil
	}))
	if !IsGradEnabled() {
		t.Error("NoGrad has not ended")
	}
}

func TestWithInteraction(t *testing.T) {
	check(t, WithInteraction(TakeMean, func() error {
		if got := CurrentInteraction(); got != TakeMean {
			t.Error(got)
		}
		return nil
	}))
	if got := CurrentInteraction(); got != DefaultInteraction {
		t.Error(got)
	}
}
