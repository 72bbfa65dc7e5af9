package tensordict

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func oneNumber(t *testing.T, value int64) *Dict {
	t.Helper()
	td := must[*Dict](t)(New())
	x := must[*Tensor](t)(Scalar(value))
	defer x.Close()
	check(t, td.Set(x, "n"))
	return td
}

func number(t *testing.T, d *Dict, err error) int64 {
	t.Helper()
	check(t, err)
	defer d.Close()
	x := must[*Tensor](t)(d.Get("n"))
	defer x.Close()
	return must[any](t)(x.Item()).(int64)
}

func uniqueName(t *testing.T) string {
	return fmt.Sprintf("go.%s.%d", t.Name(), os.Getpid())
}

func TestSegment(t *testing.T) {
	noLeak(t)
	first, second := oneNumber(t, 1), oneNumber(t, 2)
	defer first.Close()
	defer second.Close()
	mine := must[*Segment](t)(CreateSegment(uniqueName(t), first, nil))
	defer mine.Close()
	theirs := must[*Segment](t)(OpenSegment(uniqueName(t)))
	defer theirs.Close()
	check(t, mine.Update(second))
	d, err := theirs.Dict()
	if got := number(t, d, err); got != 2 {
		t.Error(got)
	}
	if err := theirs.Update(first); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}

func TestChannel(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	out := must[*Channel](t)(CreateChannel(uniqueName(t), schema, &ChannelOptions{Slots: 2}))
	defer out.Close()
	in := must[*Channel](t)(OpenChannel(uniqueName(t), Consumer))
	defer in.Close()
	go func() {
		for i := int64(0); i < 20; i++ {
			d := oneNumber(t, i)
			if err := out.Publish(t.Context(), d); err != nil {
				t.Error(err)
			}
			d.Close()
		}
		out.End()
	}()
	var got []int64
	for m, err := range in.Messages(t.Context()) {
		check(t, err)
		d, err := m.Dict()
		got = append(got, number(t, d, err))
		m.Close()
	}
	if len(got) != 20 || got[0] != 0 || got[19] != 19 {
		t.Error(got)
	}
}

func TestClosedWhileInUse(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	for range 200 {
		ch := must[*Channel](t)(CreateChannel(uniqueName(t), schema, &ChannelOptions{Roles: Producer | Consumer}))
		var users sync.WaitGroup
		for range 4 {
			users.Add(1)
			go func() {
				defer users.Done()
				for {
					if _, err := ch.Stats(); err != nil {
						if !errors.Is(err, ErrArgument) {
							t.Error(err)
						}
						return
					}
				}
			}()
		}
		users.Add(1)
		go func() {
			defer users.Done()
			if _, err := ch.Take(t.Context()); err == nil {
				t.Error("a closed channel gave a message")
			}
		}()
		ch.Close()
		users.Wait()
	}
}

func TestChan(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	ch := must[*Channel](t)(CreateChannel(uniqueName(t), schema, &ChannelOptions{Roles: Producer | Consumer}))
	defer ch.Close()
	ctx, cancel := context.WithCancel(t.Context())
	messages, wait := ch.Chan(ctx)
	check(t, ch.Publish(ctx, schema))
	m := <-messages
	m.Close()
	cancel()
	if err := wait(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func threads(t *testing.T) int {
	t.Helper()
	status := must[[]byte](t)(os.ReadFile("/proc/self/status"))
	for _, line := range strings.Split(string(status), "\n") {
		var n int
		if _, err := fmt.Sscanf(line, "Threads: %d", &n); err == nil {
			return n
		}
	}
	t.Fatal("no number of threads")
	return 0
}

// heldThreads fails if the number of threads has grown by more than half of the goroutines that wait. Go makes some
// threads more on a busy machine and keeps them, so the number alone says little; one each would be all of them.
func heldThreads(t *testing.T, before, waiting int) {
	t.Helper()
	if now := threads(t); now > before+waiting/2 {
		t.Errorf("%d goroutines wait: %d threads, %d before", waiting, now, before)
	}
}

// Goroutines that wait do not hold a thread each, and leave none behind.
func TestManyWaiters(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	ch := must[*Channel](t)(CreateChannel(uniqueName(t), schema, &ChannelOptions{Roles: Producer | Consumer}))
	defer ch.Close()
	ctx, cancel := context.WithCancel(t.Context())
	before := threads(t)
	var group sync.WaitGroup
	taken := make(chan int64, 100)
	for range 100 {
		group.Add(1)
		go func() {
			defer group.Done()
			m, err := ch.Take(ctx)
			if err == nil {
				taken <- m.Number()
				m.Close()
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}()
	}
	time.Sleep(200 * time.Millisecond)
	heldThreads(t, before, 100)
	check(t, ch.Publish(ctx, schema))
	if n := <-taken; n != 0 {
		t.Error(n)
	}
	start := time.Now()
	cancel()
	group.Wait()
	if took := time.Since(start); took > time.Second {
		t.Error(took)
	}
	if len(taken) != 0 {
		t.Error("a message came twice")
	}
}

func TestDeadline(t *testing.T) {
	noLeak(t)
	schema := oneNumber(t, 0)
	defer schema.Close()
	ch := must[*Channel](t)(CreateChannel(uniqueName(t), schema, &ChannelOptions{Roles: Producer | Consumer}))
	defer ch.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := ch.Take(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
