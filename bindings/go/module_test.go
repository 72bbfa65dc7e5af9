package tensordict

import (
	"errors"
	"io"
	"reflect"
	"testing"
)

func TestFuncModule(t *testing.T) {
	noLeak(t)
	net := must[*Module](t)(FuncModule(func(x []*Tensor) ([]*Tensor, error) {
		y, err := x[0].Op("mul", 2)
		return []*Tensor{y}, err
	}, []Key{K("obs")}, []Key{K("next", "obs")}))
	defer net.Close()
	td := must[*Dict](t)(New(2))
	defer td.Close()
	x := must[*Tensor](t)(FromSlice([]float64{1, 2}))
	defer x.Close()
	check(t, td.Set(x, "obs"))
	check(t, net.Run(td))
	y := must[*Tensor](t)(td.Get("next", "obs"))
	defer y.Close()
	if got := must[[]float64](t)(ToSlice[float64](y)); !reflect.DeepEqual(got, []float64{2, 4}) {
		t.Error(got)
	}
}

// The error of a function comes back as itself, and so does its panic.
func TestErrorOfCallback(t *testing.T) {
	noLeak(t)
	own := &ownFailure{7}
	net := must[*Module](t)(FuncModule(func(x []*Tensor) ([]*Tensor, error) { return nil, own }, []Key{K("a")}, []Key{K("b")}))
	defer net.Close()
	td := must[*Dict](t)(New())
	defer td.Close()
	x := must[*Tensor](t)(Zeros(Float32))
	defer x.Close()
	check(t, td.Set(x, "a"))
	err := net.Run(td)
	var found *ownFailure
	if !errors.Is(err, ErrCallback) || !errors.As(err, &found) || found != own {
		t.Error(err)
	}
	if err := NoGrad(func() error { return io.EOF }); err != io.EOF {
		t.Error(err)
	}
	func() {
		defer func() {
			if value := recover(); value != "away" {
				t.Error(value)
			}
		}()
		NoGrad(func() error { panic("away") })
	}()
}

type ownFailure struct{ number int }

func (o *ownFailure) Error() string { return "own" }

func TestVmap(t *testing.T) {
	noLeak(t)
	x := must[*Tensor](t)(FromSlice([]float32{1, 2, 3, 4}, 2, 2))
	defer x.Close()
	made := must[[]any](t)(Vmap(func(args []any) ([]any, error) {
		sum, err := args[0].(*Tensor).Op("sum")
		return []any{sum}, err
	}, 1, x))
	defer closeValues(made)
	if got := must[[]float32](t)(ToSlice[float32](made[0].(*Tensor))); !reflect.DeepEqual(got, []float32{3, 7}) {
		t.Error(got)
	}
}

// A hash that is written in Go is a type like every other.
func TestRegisterHash(t *testing.T) {
	check(t, RegisterHash("example.first_byte", "1", true, func(config string, row []byte) (uint64, error) {
		return uint64(row[0]) + 1, nil
	}))
	hash := must[*Hash](t)(NewHash("example.first_byte", ""))
	x := must[*Tensor](t)(FromSlice([]uint8{5, 0, 9, 0}, 2, 2))
	defer x.Close()
	made := must[*Tensor](t)(hash.Of(x))
	defer made.Close()
	if got := must[[]int64](t)(ToSlice[int64](made)); !reflect.DeepEqual(got, []int64{6, 10}) {
		t.Error(got)
	}
	hash.Close()
	check(t, UnregisterHash("example.first_byte"))
	if _, err := NewHash("example.first_byte", ""); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
