package tensordict

import (
	"errors"
	"testing"
)

func TestSlot(t *testing.T) {
	noLeak(t)
	d := withX(t, 1, 2)
	defer d.Close()
	other := withX(t, 3)
	defer other.Close()
	path := must[*Path](t)(NewPath("x"))
	defer path.Close()
	missing := must[*Path](t)(NewPath("y"))
	defer missing.Close()
	slot := NewSlot()
	defer slot.Close()
	for range 3 {
		for _, one := range []*Dict{d, other} {
			x := must[*Tensor](t)(slot.Get(one, path))
			whole := must[*Tensor](t)(one.Get("x"))
			if !x.Same(whole) {
				t.Error("another tensor")
			}
			whole.Close()
		}
	}
	if _, err := slot.Get(d, missing); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	kept := must[*Tensor](t)(slot.Get(d, path)).Share()
	defer kept.Close()
	shown := must[*Tensor](t)(slot.Get(other, path))
	shown.Close() // empties the slot
	if kept.Len() != 2 {
		t.Error(kept)
	}
	must[*Tensor](t)(slot.Get(d, path))
}
