package tensordict

import (
	"unsafe"

	"tensordict/raw"
)

// DLPack exports the tensor without a copy, as a DLManagedTensorVersioned of dlpack.h for other libraries of C. Who
// receives it calls its deleter once.
func (t *Tensor) DLPack() (unsafe.Pointer, error) {
	return give(opaque[raw.DLManagedTensorVersioned], func(c *call, out **raw.DLManagedTensorVersioned) raw.Status {
		return raw.TensorToDlpack(t.p, out, c.err)
	})
}

// DLPackUnversioned is DLPack as the older DLManagedTensor, which cannot say that a tensor is read-only.
func (t *Tensor) DLPackUnversioned() (unsafe.Pointer, error) {
	return give(opaque[raw.DLManagedTensor], func(c *call, out **raw.DLManagedTensor) raw.Status {
		return raw.TensorToDlpackUnversioned(t.p, out, c.err)
	})
}

func opaque[T any](p *T) unsafe.Pointer {
	return unsafe.Pointer(p)
}

// FromDLPack makes a tensor of a DLManagedTensorVersioned without a copy, and takes it over: its deleter runs when the
// last view is closed, or before this returns an error.
func FromDLPack(managed unsafe.Pointer) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TensorFromDlpack((*raw.DLManagedTensorVersioned)(managed), out, c.err)
	})
}

// FromDLPackUnversioned is FromDLPack of a DLManagedTensor.
func FromDLPackUnversioned(managed unsafe.Pointer) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TensorFromDlpackUnversioned((*raw.DLManagedTensor)(managed), out, c.err)
	})
}
