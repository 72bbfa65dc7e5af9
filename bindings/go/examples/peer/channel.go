package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	td "tensordict"
)

const payload = 4096 // enough that a message is not written at once

var background = context.Background()

func message() *td.Dict {
	d := must(td.New())
	put(d, []int64{0}, []int64{}, "id")
	put(d, make([]float32, payload), []int64{payload}, "x")
	return d
}

func create(name, mode string, roles td.Role) *td.Channel {
	schema := message()
	defer schema.Close()
	return must(td.CreateChannel(name, schema, &td.ChannelOptions{Broadcast: mode == "broadcast", Roles: roles, Slots: 4}))
}

// write fills the first elements of an acquired message.
func write(m *td.Message, id int64, elements int) {
	d := must(m.Dict())
	defer d.Close()
	number, x := must(d.Get("id")), must(d.Get("x"))
	defer number.Close()
	defer x.Close()
	ids, values := must(td.MutableView[int64](number)), must(td.MutableView[float32](x))
	defer ids.Close()
	defer values.Close()
	ids.Data[0] = id
	for i := range values.Data[:elements] {
		values.Data[i] = float32(id)
	}
}

func publish(ch *td.Channel, id int64) {
	m := must(ch.Acquire(background))
	defer m.Close()
	write(m, id, payload)
	check(m.Publish())
}

func produce(args []string) {
	ch := create(args[0], args[1], td.Producer)
	defer ch.Close()
	fmt.Println(ch.Path())
	for consumers := int32(number(args[3])); must(ch.Stats()).Consumers < consumers; {
		time.Sleep(time.Millisecond)
	}
	for id := range number(args[2]) {
		publish(ch, id)
	}
	check(ch.End())
	lines(func(string) {})
}

func join(args []string) {
	ch := must(td.OpenChannel(args[0], td.Producer))
	defer ch.Close()
	for id := range number(args[2]) {
		publish(ch, number(args[1])+id)
	}
	check(ch.End())
}

func flood(args []string) {
	ch := must(td.OpenChannel(args[0], td.Producer))
	for id := int64(0); ; id++ {
		publish(ch, id)
	}
}

func half(args []string) {
	ch := must(td.OpenChannel(args[0], td.Producer))
	n := number(args[1])
	for id := range n {
		publish(ch, id)
	}
	m := must(ch.Acquire(background))
	write(m, n, payload/2)
	fmt.Println("half")
	lines(func(string) {})
	os.Exit(1) // the test kills it before
}

func hold(args []string) {
	ch := must(td.OpenChannel(args[0], td.Consumer))
	m := must(ch.Take(background))
	fmt.Println(must(read(m)))
	lines(func(string) {})
	os.Exit(1) // as above
}

func host(args []string) {
	ch := create(args[0], args[1], td.Consumer)
	defer ch.Close()
	take(ch)
}

func consume(args []string) {
	ch := must(td.OpenChannel(args[0], td.Consumer))
	defer ch.Close()
	take(ch)
}

func take(ch *td.Channel) {
	fmt.Println("ready")
	for m, err := range ch.Messages(background) {
		check(err)
		fmt.Println(must(read(m)))
		check(m.Close())
	}
}

// read returns the number of a message, all elements of which must have come from the same producer's same write.
func read(m *td.Message) (int64, error) {
	d := must(m.Dict())
	defer d.Close()
	number, x := must(d.Get("id")), must(d.Get("x"))
	defer number.Close()
	defer x.Close()
	id := must(number.Item()).(int64)
	values := must(td.View[float32](x))
	defer values.Close()
	for _, v := range values.Data {
		if v != float32(id) {
			return id, errors.New("a torn message")
		}
	}
	return id, nil
}
