// Bench prints the rows of tests/bench/languages/bench.c in Go: process time, which has the garbage collector's too.
package main

import (
	"fmt"
	"log"
	"slices"
	"syscall"
	"time"

	td "tensordict"
	"tensordict/raw"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func now() time.Duration {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func row(name string, call func()) {
	run := func(calls int) time.Duration {
		start := now()
		for range calls {
			call()
		}
		return now() - start
	}
	calls := 1
	for run(calls) < 20*time.Millisecond {
		calls *= 2
	}
	times := make([]float64, 9)
	for i := range times {
		times[i] = float64(run(calls)) / float64(calls)
	}
	slices.Sort(times)
	fmt.Printf("%s\t%.1f\n", name, times[len(times)/2])
}

func main() {
	obs, small := must(td.Zeros(td.Float32, 128, 4)), must(td.Zeros(td.Float32, 4))
	d, wide := must(td.New(128)), must(td.New())
	check(d.Set(obs, "next", "obs"))
	for i := range 100 {
		check(wide.Set(small, fmt.Sprint("leaf_", i)))
	}
	path := must(td.NewPath("next", "obs"))
	identity := must(td.ModuleFromFunc(func(x []*td.Tensor) ([]*td.Tensor, error) {
		return []*td.Tensor{x[0].Share()}, nil
	}))

	row("an empty call", func() { raw.AbiVersion() })
	slot := td.NewSlot()
	row("get, prepared key", func() { must(slot.Get(d, path)) })
	row("get, prepared key, an object for each", func() { must(d.GetPath(path)).Close() })
	row("get, two strings", func() { must(d.Get("next", "obs")).Close() })
	row("look-up of a missing key", func() {
		if _, ok, err := d.Lookup("next", "none"); ok || err != nil {
			log.Fatal("there is one: ", err)
		}
	})
	row("iterate 100 entries", func() {
		elements := int64(0)
		for _, entry := range wide.All() {
			t := entry.(*td.Tensor)
			elements += t.Len()
			t.Close()
		}
		if elements != 400 {
			log.Fatal(elements)
		}
	})
	row("view of a tensor", func() {
		view := must(td.View[float32](obs))
		if view.Data[511] != 0 {
			log.Fatal("not zero")
		}
		view.Close()
	})
	row("a callback", func() { must(identity.Call(1, obs))[0].Close() })
}
