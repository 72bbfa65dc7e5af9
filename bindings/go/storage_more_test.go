package tensordict

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"unsafe"
)

func TestStructs(t *testing.T) {
	noLeak(t)
	type inner struct {
		Reward float32
		Done   bool
	}
	type plain struct {
		Obs  [2]float64
		Next inner
		Step int32
		Skip uint8 `td:"-"`
	}
	records := []plain{{Obs: [2]float64{1, 2}, Step: 7, Skip: 9}, {Obs: [2]float64{3, 4}, Next: inner{0.5, true}}}
	d := must[*Dict](t)(FromStructs(records))
	obs := must[*Tensor](t)(d.Get("obs"))
	if got := must[[]float64](t)(ToSlice[float64](obs)); !reflect.DeepEqual(got, []float64{1, 2, 3, 4}) {
		t.Error(got)
	}
	check(t, must[*Tensor](t)(d.Get("step")).closing(t).SetAt(must[*Tensor](t)(Scalar(int64(70))).closing(t), At(0)))
	if records[0].Step != 70 {
		t.Error("a copy:", records)
	}
	copied := make([]plain, 2)
	copied[1].Skip = 5
	check(t, ToStructs(d, copied))
	if copied[1].Next != (inner{0.5, true}) || copied[0].Step != 70 || copied[1].Skip != 5 {
		t.Error(copied)
	}
	obs.Close()
	d.Close()
	type named struct {
		X    float32
		Name string `td:"-"` // left out, and yet in the memory
	}
	if _, err := FromStructs([]named{{1, "a"}}); !errors.Is(err, ErrArgument) {
		t.Error(err)
	}
}

func TestDLPack(t *testing.T) {
	noLeak(t)
	x := must[*Tensor](t)(FromSlice([]int16{1, 2, 3}))
	defer x.Close()
	for name, round := range map[string]func() (*Tensor, error){
		"versioned": func() (*Tensor, error) { return FromDLPack(must[unsafe.Pointer](t)(x.DLPack())) },
		"unversioned": func() (*Tensor, error) {
			return FromDLPackUnversioned(must[unsafe.Pointer](t)(x.DLPackUnversioned()))
		},
	} {
		y := must[*Tensor](t)(round())
		a, _, _ := x.Memory()
		if b, _, _ := y.Memory(); a != b || y.DType() != Int16 {
			t.Error(name, "is a copy")
		}
		y.Close()
	}
}

func TestTensorFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "frames")
	mine := must[*Tensor](t)(MemmapZeros(path, Uint8, nil, 2, 3)).closing(t)
	theirs := must[*Tensor](t)(OpenMemmap(path, Uint8, ReadOnly, 2, 3)).closing(t)
	view := must[*Array[uint8]](t)(MutableView[uint8](mine))
	defer view.Close()
	view.Data[4] = 7
	if got := must[[]uint8](t)(ToSlice[uint8](theirs)); got[4] != 7 {
		t.Error(got)
	}
	if saved := must[string](t)(theirs.SavedPath()); filepath.Base(saved) != "frames" {
		t.Error(saved)
	}
	if _, err := MutableView[uint8](theirs); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if _, err := MemmapFull(path, 1, Uint8, nil, 2); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	if _, err := OpenMemmap(path, Float64, ReadOnly, 100); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

func TestHDF5(t *testing.T) {
	if !HasFeature("hdf5") {
		t.Skip("this library was built without HDF5")
	}
	path := filepath.Join(t.TempDir(), "rows.h5")
	file := must[*Dict](t)(CreateHDF5(path, &HDF5Options{BatchSize: []int64{3}, Compression: 1, Shuffle: true}))
	defer file.Close()
	rows := withX(t, 1, 2, 3)
	defer rows.Close()
	check(t, file.Update(rows, nil))
	if !file.IsHDF5Writable() || must[string](t)(file.HDF5File()) != path {
		t.Error("not in the file")
	}
	check(t, file.CloseHDF5())
	if _, err := file.Get("x"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	again := must[*Dict](t)(OpenHDF5(path, nil))
	defer again.Close()
	expect(t, again, "x", 1, 2, 3)
	if err := again.Fill(0, "x"); err == nil {
		t.Error("a file that was opened for reading was written")
	}
}

func TestTextsAndJSON(t *testing.T) {
	d := must[*Dict](t)(FromJSON(`{"a": {"b": 1}, "c": "text"}`))
	defer d.Close()
	if got := must[*Data](t)(d.GetData("a", "b")).Value(); got != int64(1) {
		t.Error(got)
	}
	types := must[[]*Dict](t)(ListFromJSON(must[string](t)(Plugins())))
	if len(types) < 10 {
		t.Error(len(types))
	}
	for _, one := range types {
		one.Close()
	}
	shown := must[*Dict](t)(ParseDict(`TensorDict(
    fields={
        x: Tensor(shape=torch.Size([2, 3]), device=cpu, dtype=torch.int64, is_shared=False)},
    batch_size=torch.Size([2]),
    device=None,
    is_shared=False)`, ""))
	defer shown.Close()
	x := must[*Tensor](t)(shown.Get("x")).closing(t)
	if x.DType() != Int64 || !reflect.DeepEqual(x.Shape(), []int64{2, 3}) {
		t.Error(shown)
	}
	if text := must[string](t)(x.Repr()); text != "tensor([[0, 0, 0],\n        [0, 0, 0]])" {
		t.Error(text)
	}
}
