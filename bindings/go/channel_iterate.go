package tensordict

import (
	"context"
	"errors"
	"iter"
)

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
