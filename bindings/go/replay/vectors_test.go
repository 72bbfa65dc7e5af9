package replay

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	td "tensordict"
)

// A vector is an object with a "kind"; what a kind makes of it is in the other files here.
type vector struct {
	*object
	owned []io.Closer
}

var kinds = map[string]func(v *vector){}

func (v *vector) dict(d *td.Dict, err error) *td.Dict {
	must(err)
	v.owned = append(v.owned, d)
	return d
}

func (v *vector) tensor(t *td.Tensor, err error) *td.Tensor {
	must(err)
	v.owned = append(v.owned, t)
	return t
}

func (v *vector) module(m *td.Module, err error) *td.Module {
	must(err)
	v.owned = append(v.owned, m)
	return m
}

func (v *vector) dist(d *td.Dist, err error) *td.Dist {
	must(err)
	v.owned = append(v.owned, d)
	return d
}

func (v *vector) generator(g *td.Generator, err error) *td.Generator {
	must(err)
	v.owned = append(v.owned, g)
	return g
}

func (v *vector) at(name string) any {
	if !v.has(name) {
		panic(badProgram("the vector has no " + name))
	}
	return v.values[name]
}

func (v *vector) text(name string) string    { return v.at(name).(string) }
func (v *vector) inside(name string) *object { return v.at(name).(*object) }
func (v *vector) flag(name string) bool      { is, _ := v.values[name].(bool); return is }

// says is for what only the name of a vector tells.
func (v *vector) says(part string) bool { return strings.Contains(v.text("id"), part) }

func check(holds bool, format string, args ...any) {
	if !holds {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// refused checks that an error is typed and says something.
func refused(err error, what string) {
	check(err != nil, "%s succeeded", what)
	var e *td.Error
	check(errors.As(err, &e) && e.Message != "" && e.Status != td.ErrInternal, "%s: %v", what, err)
}

// numbers flattens nested lists.
func numbers(v any) []float64 {
	list, is := v.([]any)
	if !is {
		return []float64{toReal(v)}
	}
	out := []float64{}
	for _, one := range list {
		out = append(out, numbers(one)...)
	}
	return out
}

// made is a tensor of nested lists.
func (v *vector) made(list any, dtype td.DType) *td.Tensor {
	dims := []int64{}
	for at, is := list.([]any); is; at, is = at[0].([]any) {
		dims = append(dims, int64(len(at)))
		if len(at) == 0 {
			break
		}
	}
	wide := ok(td.FromSlice(numbers(list), dims...))
	defer wide.Close()
	return v.tensor(wide.To(dtype, ""))
}

func valuesOf(t *td.Tensor) []float64 {
	plain := ok(t.Detach())
	defer plain.Close()
	wide := ok(plain.To(td.Float64, ""))
	defer wide.Close()
	return ok(td.ToSlice[float64](wide))
}

func close(a, b, tolerance float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance*max(1, math.Abs(b))
}

func checkValues(t *td.Tensor, expected any, tolerance float64, what string) {
	got, wanted := valuesOf(t), numbers(expected)
	check(len(got) == len(wanted), "%s has %d elements, not %d", what, len(got), len(wanted))
	for i := range got {
		check(close(got[i], wanted[i], tolerance), "%s[%d] = %v, not %v", what, i, got[i], wanted[i])
	}
}

func checkShape(got []int64, expected any, what string) {
	check(slices.Equal(got, intsOf(expected)), "the shape of %s is %v, not %v", what, got, expected)
}

func checkKeys(got []td.Key, err error, expected any, what string) {
	must(err)
	check(len(got) == 0 && len(keysOf(expected)) == 0 || reflect.DeepEqual(got, keysOf(expected)), "%s are %v, not %v",
		what, got, expected)
}

func (v *vector) dtype() td.DType {
	if v.has("dtype") && v.text("dtype") == "float32" {
		return td.Float32
	}
	return td.Float64
}

// caught runs fn and returns why it gave up.
func caught(fn func()) (err error) {
	defer func() {
		switch gone := recover().(type) {
		case nil:
		case failure:
			err = gone.err
		case badProgram:
			err = errors.New(string(gone))
		default:
			panic(gone)
		}
	}()
	fn()
	return nil
}

func (v *vector) close() {
	for _, one := range slices.Backward(v.owned) {
		one.Close()
	}
}

func parsed(t *testing.T, file string) *object {
	t.Helper()
	text, err := os.ReadFile("../../../tests/data/vectors/" + file)
	if err != nil {
		t.Skip("the vectors are not here: only the repository has them")
	}
	all, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return all.(*object)
}

// settled waits until objects that only the garbage collector can close are closed.
func settled(t *testing.T, before map[string]int64) {
	t.Helper()
	for i := 0; i < 100 && !maps.Equal(before, td.LiveObjects()); i++ {
		runtime.GC()
		runtime.Gosched()
	}
	if after := td.LiveObjects(); !maps.Equal(before, after) {
		t.Errorf("live objects: %v, before %v", after, before)
	}
}

func TestModuleVectors(t *testing.T) {
	before, run := td.LiveObjects(), 0
	for _, file := range []string{"nn.json", "nn_made.json"} {
		for _, one := range parsed(t, file).values["vectors"].([]any) {
			v := &vector{object: one.(*object)}
			run++
			t.Run(v.text("id"), func(t *testing.T) {
				replay := kinds[v.text("kind")]
				if replay == nil {
					t.Fatalf("nobody replays the kind %s", v.text("kind"))
				}
				if err := caught(func() { replay(v) }); err != nil {
					t.Error(err)
				}
				v.close()
			})
		}
	}
	t.Logf("%d vectors run", run)
	settled(t, before)
}
