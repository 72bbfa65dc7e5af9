package tensordict

import (
	"fmt"
	"runtime"
	"unsafe"

	"tensordict/raw"
)

// An Array shows the elements of a tensor in the memory of this process, without a copy, and keeps the tensor alive. Of
// a contiguous tensor, Data has the elements in row-major order; of another, At and Offset find them.
type Array[T Element] struct {
	Data    []T
	Shape   []int64
	Strides []int64 // in elements
	tensor  *Tensor
}

// View shows the elements of a tensor, to be read. Keep the Array, or the tensor, as long as its Data are in use.
func View[T Element](t *Tensor) (*Array[T], error) {
	return view[T](t, raw.TensorData)
}

// MutableView shows the elements of a tensor, to be written too: ErrLocked if its memory is read-only.
func MutableView[T Element](t *Tensor) (*Array[T], error) {
	return view[T](t, raw.TensorMutableData)
}

func view[T Element](t *Tensor, data func(*raw.Tensor, *unsafe.Pointer, **raw.Error) raw.Status) (*Array[T], error) {
	if dtype := t.DType(); t.p != nil && dtype != DTypeOf[T]() {
		return nil, &Error{Status: ErrDType, Message: fmt.Sprintf("the tensor has the dtype %v, not %v", dtype, DTypeOf[T]())}
	}
	start, err := give(same, func(c *call, out *unsafe.Pointer) raw.Status { return data(t.p, out, c.err) })
	if err != nil {
		return nil, err
	}
	shape, strides := t.layout()
	a := &Array[T]{Shape: shape, Strides: strides, tensor: t.Share()}
	length := int64(1)
	for i, size := range a.Shape {
		if size == 0 {
			length = 0
			break
		}
		length += (size - 1) * a.Strides[i]
	}
	a.Data = unsafe.Slice((*T)(start), length)
	return a, nil
}

// layout is Shape and Strides, in one call of the library.
func (t *Tensor) layout() (shape, strides []int64) {
	defer runtime.KeepAlive(t)
	c := begin()
	defer c.end()
	facts := one[raw.TensorFacts](c)
	facts.StructSize = structSize(facts)
	if raw.TensorInfo(t.p, facts, c.err) != raw.OK {
		raw.ErrorRelease(*c.err)
		*c.err = nil
		return t.Shape(), t.Strides()
	}
	n := int(facts.Ndim)
	both := make([]int64, 2*n)
	copy(both, unsafe.Slice(facts.Sizes, n))
	copy(both[n:], unsafe.Slice(facts.Strides, n))
	return both[:n:n], both[n:]
}

// Offset is the place of an element in Data. It panics if the index is out of range, as an index of a slice does.
func (a *Array[T]) Offset(index ...int64) int64 {
	if len(index) != len(a.Shape) {
		panic(fmt.Sprintf("tensordict: %d indices for %d dims", len(index), len(a.Shape)))
	}
	offset := int64(0)
	for i, at := range index {
		if at < 0 || at >= a.Shape[i] {
			panic(fmt.Sprintf("tensordict: index %d out of range for dim %d of size %d", at, i, a.Shape[i]))
		}
		offset += at * a.Strides[i]
	}
	return offset
}

// At is the element at an index.
func (a *Array[T]) At(index ...int64) T {
	return a.Data[a.Offset(index...)]
}

// Close ends the use of the memory: Data must not be used afterwards.
func (a *Array[T]) Close() error {
	a.Data = nil
	return a.tensor.Close()
}

// ToSlice copies the elements, row-major; the dtype must be that of T.
func ToSlice[T Element](t *Tensor) ([]T, error) {
	dense, err := t.Contiguous()
	if err != nil {
		return nil, err
	}
	defer dense.Close()
	a, err := View[T](dense)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return append([]T{}, a.Data...), nil
}

// Memory is where the elements are: the address of the first byte and the one after the last, which are equal without
// elements. It tells which tensors share memory, and is not to be read or written through.
func (t *Tensor) Memory() (start, end uintptr, err error) {
	p, err := give(same, func(c *call, out *unsafe.Pointer) raw.Status { return raw.TensorData(t.p, out, c.err) })
	if err != nil {
		return 0, 0, err
	}
	start = uintptr(p)
	if t.Len() == 0 {
		return start, start, nil
	}
	last := int64(0)
	strides := t.Strides()
	for i, size := range t.Shape() {
		last += (size - 1) * strides[i]
	}
	return start, start + uintptr((last+1)*int64(t.DType().Size())), nil
}
