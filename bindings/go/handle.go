package tensordict

import "runtime"

// A handle is one reference to an object of the library.
type handle[T any] struct {
	p       *T
	release func(*T)
	cleanup runtime.Cleanup
}

func (h *handle[T]) hold(p *T, release func(*T)) {
	h.p, h.release = p, release
	h.cleanup = runtime.AddCleanup(h, release, p)
}

// Close gives the object back; again is harmless. It returns nil.
func (h *handle[T]) Close() error {
	if h != nil && h.p != nil {
		p := h.p
		h.p = nil
		h.cleanup.Stop()
		h.release(p)
	}
	return nil
}

// pointers copies the handles of objects into memory of C.
func pointers[O any, T any](c *call, objects []O, pointer func(O) *T) (**T, uint) {
	out := many[*T](c, len(objects))
	for i, object := range objects {
		out[i] = pointer(object)
	}
	return first(out), uint(len(objects))
}

func (t *Tensor) raw0() *rawTensor {
	if t == nil {
		return nil
	}
	return t.p
}

func (d *Dict) raw0() *rawDict {
	if d == nil {
		return nil
	}
	return d.p
}

// closeAll closes what is not nil.
func closeAll(tensors []*Tensor) {
	for _, t := range tensors {
		t.closeIfAny()
	}
}
