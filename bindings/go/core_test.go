package tensordict

import (
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// must unwraps a result that the test needs.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// noLeak compares the live objects after a test with those before it. An object that is closed while a goroutine calls it
// ends with that call, so the comparison waits a little for goroutines that are returning.
func noLeak(t *testing.T) {
	t.Helper()
	runtime.GC()
	before := LiveObjects()
	t.Cleanup(func() {
		after := LiveObjects()
		for end := time.Now().Add(5 * time.Second); !reflect.DeepEqual(before, after); after = LiveObjects() {
			if time.Now().After(end) {
				t.Errorf("live objects: %v, before %v", after, before)
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRoundTrip(t *testing.T) {
	noLeak(t)
	x := must[*Tensor](t)(FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	defer x.Close()
	td := must[*Dict](t)(New(2))
	defer td.Close()
	check(t, td.Set(x, "next", "obs"))
	check(t, td.Set("digits", "task"))
	same := must[*Tensor](t)(td.Get("next", "obs"))
	defer same.Close()
	if !same.Same(x) {
		t.Error("another tensor")
	}
	v := must[*Array[float32]](t)(View[float32](same))
	defer v.Close()
	if v.At(1, 2) != 6 || len(v.Data) != 6 {
		t.Errorf("%v", v.Data)
	}
	var seen []string
	for key, entry := range td.All() {
		switch e := entry.(type) {
		case *Dict:
			seen = append(seen, key+" dict")
			e.Close()
		case *Data:
			seen = append(seen, key+" "+e.Value().(string))
		}
	}
	if !reflect.DeepEqual(seen, []string{"next dict", "task digits"}) {
		t.Error(seen)
	}
	part := must[*Dict](t)(td.Index(At(-1)))
	defer part.Close()
	row := must[*Tensor](t)(part.Get("next", "obs"))
	defer row.Close()
	if got := must[[]float32](t)(ToSlice[float32](row)); !reflect.DeepEqual(got, []float32{4, 5, 6}) {
		t.Error(got)
	}
	if !strings.Contains(td.String(), "obs: Tensor(shape=torch.Size([2, 3])") {
		t.Error(td)
	}
}

func TestErrors(t *testing.T) {
	noLeak(t)
	td := must[*Dict](t)(New(2))
	_, err := td.Get("next", "obs")
	var e *Error
	if !errors.Is(err, ErrKey) || errors.Is(err, ErrShape) || !errors.As(err, &e) || e.Key != `("next", "obs")` {
		t.Errorf("%v %+v", err, e)
	}
	if found, ok, err := td.Lookup("next"); found != nil || ok || err != nil {
		t.Error(found, ok, err)
	}
	td.Close()
	td.Close()
	if _, err = td.Get("a"); !errors.Is(err, ErrArgument) {
		t.Error(err)
	}
	if _, err = FromSlice([]int64{1, 2, 3}, 2); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// Memory of Go under a tensor stays until the last view is gone.
func TestOver(t *testing.T) {
	noLeak(t)
	data := []int64{1, 2, 3, 4}
	x := must[*Tensor](t)(Over(data, 2, 2))
	row := must[*Tensor](t)(x.Index(At(1)))
	x.Close()
	data[3] = 9
	runtime.GC()
	if got := must[[]int64](t)(ToSlice[int64](row)); !reflect.DeepEqual(got, []int64{3, 9}) {
		t.Error(got)
	}
	row.Close()
}

func TestFiles(t *testing.T) {
	noLeak(t)
	td := must[*Dict](t)(New(2))
	defer td.Close()
	x := must[*Tensor](t)(FromSlice([]int64{1, 2}))
	defer x.Close()
	check(t, td.Set(x, "a"))
	for _, name := range []string{"directory", "file.td", "file.safetensors"} {
		path := filepath.Join(t.TempDir(), name)
		told := int64(0)
		check(t, td.Save(path, &SaveOptions{Progress: func(done, total int64) error { told = done; return nil }}))
		again := must[*Dict](t)(Open(path, nil))
		a := must[*Tensor](t)(again.Get("a"))
		if got := must[[]int64](t)(ToSlice[int64](a)); !reflect.DeepEqual(got, []int64{1, 2}) {
			t.Error(name, got)
		}
		a.Close()
		again.Close()
		if told == 0 && name == "directory" {
			t.Error("no progress")
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// What nobody closes, the garbage collector does.
func TestForgotten(t *testing.T) {
	before := LiveObjects()["tensor"]
	for i := 0; i < 200; i++ {
		must[*Tensor](t)(Zeros(Float32, 2))
	}
	for i := 0; i < 200 && LiveObjects()["tensor"] > before; i++ {
		runtime.GC()
		runtime.Gosched()
	}
	if after := LiveObjects()["tensor"]; after > before {
		t.Errorf("%d tensors are left of %d", after, before)
	}
}

// Two goroutines that change one dict are refused or served, never worse.
func TestBusy(t *testing.T) {
	noLeak(t)
	td := must[*Dict](t)(New())
	defer td.Close()
	x := must[*Tensor](t)(Zeros(Float32))
	defer x.Close()
	var group sync.WaitGroup
	for _, key := range []string{"a", "b", "c", "d"} {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := 0; i < 500; i++ {
				if err := td.Set(x, key); err != nil && !errors.Is(err, ErrBusy) {
					t.Error(err)
				}
				if found, ok, err := td.Lookup(key); err == nil && ok {
					found.Close()
				} else if err != nil && !errors.Is(err, ErrBusy) {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
}

func BenchmarkGetPath(b *testing.B) {
	td := must[*Dict](b)(New())
	x := must[*Tensor](b)(Zeros(Float32))
	check := td.Set(x, "next", "obs")
	path := must[*Path](b)(NewPath("next", "obs"))
	for b.Loop() {
		t, err := td.GetPath(path)
		if err != nil || check != nil {
			b.Fatal(err)
		}
		t.Close()
	}
}

func BenchmarkGet(b *testing.B) {
	td := must[*Dict](b)(New())
	x := must[*Tensor](b)(Zeros(Float32))
	check := td.Set(x, "next", "obs")
	for b.Loop() {
		t, err := td.Get("next", "obs")
		if err != nil || check != nil {
			b.Fatal(err)
		}
		t.Close()
	}
}

func BenchmarkMissing(b *testing.B) {
	td := must[*Dict](b)(New())
	for b.Loop() {
		if _, ok, _ := td.Lookup("next", "obs"); ok {
			b.Fatal()
		}
	}
}
