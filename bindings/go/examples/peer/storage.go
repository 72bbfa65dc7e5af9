package main

import (
	"fmt"
	"math"
	"strings"

	td "tensordict"
)

func put[T td.Element](d *td.Dict, values []T, shape []int64, key ...string) {
	t := must(td.FromSlice(values, shape...))
	defer t.Close()
	check(d.Set(t, key...))
}

// example is what storage_peer saves, with offset added to "a".
func example(offset float32) *td.Dict {
	d := must(td.New(2))
	put(d, []float32{offset, 1 + offset, 2 + offset, 3 + offset, 4 + offset, 5 + offset}, []int64{2, 3}, "a")
	put(d, []int64{-1, math.MaxInt64}, []int64{2}, "n", "b/c")
	put(d, []bool{true, false}, []int64{2, 1}, "n", "ж")
	put(d, []complex128{1 + 2i, 3 + 4i}, []int64{2}, "n", "deep", "z")
	one := must(td.FromSlice([]float32{1, 2}))
	defer one.Close()
	half := must(one.To(td.BFloat16, ""))
	defer half.Close()
	check(d.Set(half, "half"))
	put(d, []float64{}, []int64{2, 0}, "none")
	return d
}

func print(d *td.Dict) {
	for _, item := range must(d.Items(td.Nested, td.LeavesOnly)) {
		t := item.Entry.(*td.Tensor)
		shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Shape()), " ", ","), "[]")
		fmt.Printf("%s\t%v\t%s\t%x\n", strings.Join(item.Key, "|"), t.DType(), shape, content(t))
		t.Close()
	}
}

// content is the bytes of the elements, row-major, whatever the dtype.
func content(t *td.Tensor) []byte {
	if t.Len() == 0 {
		return nil
	}
	dense := must(t.Contiguous())
	defer dense.Close()
	flat := must(dense.Op("flatten"))
	defer flat.Close()
	bytes := must(flat.Op("view.dtype", td.Uint8))
	defer bytes.Close()
	return must(td.ToSlice[uint8](bytes))
}

func save(args []string) {
	d := example(0)
	defer d.Close()
	check(d.Save(args[0], nil))
}

func copySave(args []string) {
	d := must(td.Open(args[0], nil))
	defer d.Close()
	check(d.Save(args[1], nil))
}

func show(args []string) {
	d := must(td.Open(args[0], nil))
	defer d.Close()
	print(d)
}

// again prints what get returns, now and for each line on stdin.
func again(get func() *td.Dict) {
	once := func(string) {
		d := get()
		defer d.Close()
		print(d)
		fmt.Println(".")
	}
	once("")
	lines(once)
}

func watch(args []string) {
	d := must(td.Open(args[0], nil))
	defer d.Close()
	again(d.Share)
}

// live obeys "fill KEY VALUE", "first KEY", "make KEY" and "refresh".
func live(args []string) {
	d := must(td.Open(args[0], &td.OpenOptions{Mode: td.ReadWrite}))
	defer d.Close()
	fmt.Println("ready")
	lines(func(line string) {
		var verb, key string
		var value float32
		fmt.Sscan(line, &verb, &key, &value)
		switch verb {
		case "refresh":
			check(d.MemmapRefresh())
		case "make":
			t := must(d.MakeMemmap(td.Float32, []int64{2}, key))
			t.Close()
		default:
			t := must(d.Get(key))
			defer t.Close()
			elements := must(td.MutableView[float32](t))
			defer elements.Close()
			for i := range elements.Data {
				if verb == "fill" {
					elements.Data[i] = value
				}
			}
			value = elements.Data[0]
		}
		fmt.Printf("%g\n", value)
	})
}

func own(snapshots int) func(args []string) {
	return func(args []string) {
		s, update := segment(args[0], snapshots)
		defer s.Close()
		lines(func(string) {
			update()
			fmt.Println(s.Version())
		})
	}
}

func spin(args []string) {
	_, update := segment(args[0], 3)
	for {
		update()
	}
}

// segment creates a segment, prints its path, and returns it with a function that adds 1 to "a".
func segment(name string, snapshots int) (s *td.Segment, update func()) {
	first := example(0)
	defer first.Close()
	s = must(td.CreateSegment(name, first, &td.SegmentOptions{Snapshots: snapshots}))
	fmt.Println(s.Path())
	offset := float32(0)
	return s, func() {
		offset++
		next := example(offset)
		defer next.Close()
		check(s.Update(next))
	}
}

func mapSegment(snapshots bool) func(args []string) {
	return func(args []string) {
		s := must(td.OpenSegment(args[0]))
		defer s.Close()
		again(func() *td.Dict {
			if snapshots {
				return must(s.Snapshot())
			}
			return must(s.Dict())
		})
	}
}

func prune(args []string) {
	fmt.Println(must(td.PruneSegments(args[0])))
}
