package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Slot shows one tensor after the other, for loops that get many: the object, its cleanup and the call that releases the
// tensor before cost more than the look-up itself.
//
//	slot := tensordict.NewSlot()
//	defer slot.Close()
//	for ... {
//		obs, err := slot.Get(td, path) // valid until the next Get
//	}
type Slot struct {
	held    *held
	tensor  Tensor
	cleanup runtime.Cleanup
}

// held is apart from the slot, so that the cleanup can have it.
type held struct {
	p *raw.Tensor
}

func (h *held) release() {
	raw.TensorRelease(h.p)
	h.p = nil
}

// NewSlot makes an empty slot.
func NewSlot() *Slot {
	s := &Slot{held: new(held)}
	h := s.held
	s.tensor.release = func(*raw.Tensor) { h.release() } // whoever closes the tensor empties the slot
	s.cleanup = runtime.AddCleanup(s, (*held).release, h)
	return s
}

// Get returns the tensor under a prepared key. It is valid until the next Get or the Close of the slot: Share it to keep
// it. If there is none, the slot keeps what it has. A slot is for one goroutine at a time.
func (s *Slot) Get(d *Dict, path *Path) (*Tensor, error) {
	found := raw.DictGetPathInstead(d.p, path.p, s.held.p)
	runtime.KeepAlive(d)
	runtime.KeepAlive(path)
	if found == nil {
		return d.GetPath(path) // once more, for the error
	}
	s.held.p, s.tensor.p = found, found
	return &s.tensor, nil
}

// Close empties the slot; again is harmless. It returns nil.
func (s *Slot) Close() error {
	return s.tensor.Close()
}
