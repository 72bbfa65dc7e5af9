package tensordict

import (
	"fmt"
	"runtime"
	"unsafe"

	"tensordict/raw"
)

type (
	rawTensor = raw.Tensor
	rawDict   = raw.Dict
)

// A Tensor is a reference to a tensor of LibTorch, with shared storage, any strides, and autograd.
type Tensor struct {
	handle[raw.Tensor]
}

func newTensor(p *raw.Tensor) *Tensor {
	if p == nil {
		return nil
	}
	t := new(Tensor)
	t.hold(p, raw.TensorRelease)
	return t
}

func (t *Tensor) make(fn func(c *call, out **raw.Tensor) raw.Status) (*Tensor, error) {
	made, err := give(newTensor, fn)
	runtime.KeepAlive(t)
	return made, err
}

// FromSlice makes a tensor with a copy of data, row-major. Without dims it has one, of the length of data.
func FromSlice[T Element](data []T, dims ...int64) (*Tensor, error) {
	if dims == nil {
		dims = []int64{int64(len(data))}
	}
	if n, ok := product(dims); !ok || n != int64(len(data)) {
		return nil, &Error{Status: ErrShape, Message: fmt.Sprintf("%d elements do not make a tensor of shape %v", len(data), dims)}
	}
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorCopyFrom(unsafe.Pointer(unsafe.SliceData(data)), raw.Dtype(DTypeOf[T]()), shape, n, out, c.err)
	})
}

// Scalar makes a tensor without dims.
func Scalar[T Element](value T) (*Tensor, error) {
	return FromSlice([]T{value}, []int64{}...)
}

// Over makes a tensor over the memory of data, without a copy. The memory stays where it is until the last view of the
// tensor is closed.
func Over[T Element](data []T, dims ...int64) (*Tensor, error) {
	if dims == nil {
		dims = []int64{int64(len(data))}
	}
	if n, ok := product(dims); !ok || n != int64(len(data)) || n == 0 {
		return FromSlice(data, dims...)
	}
	pin := new(runtime.Pinner)
	pin.Pin(&data[0])
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorFromMemory(unsafe.Pointer(&data[0]), raw.Dtype(DTypeOf[T]()), shape, n, nil,
			destroyFunction, userdata(pin.Unpin), out, c.err)
	})
}

func product(dims []int64) (int64, bool) {
	n := int64(1)
	for _, size := range dims {
		if size < 0 || size != 0 && n > 1<<62/size {
			return 0, false
		}
		n *= size
	}
	return n, true
}

// Empty makes a tensor with undefined contents on the CPU.
func Empty(dtype DType, dims ...int64) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorEmpty(shape, n, raw.Dtype(dtype), raw.Str{}, out, c.err)
	})
}

// Zeros makes a tensor of zeros on the CPU. NoDType is Float32.
func Zeros(dtype DType, dims ...int64) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorZeros(shape, n, raw.Dtype(dtype), raw.Str{}, out, c.err)
	})
}

// Ones makes a tensor of ones on the CPU.
func Ones(dtype DType, dims ...int64) (*Tensor, error) {
	return Full(1, dtype, dims...)
}

// Full makes a tensor with one number everywhere on the CPU.
func Full(value any, dtype DType, dims ...int64) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		shape, n := c.ints(dims)
		return raw.TensorFull(shape, n, v, raw.Dtype(dtype), raw.Str{}, out, c.err)
	})
}

// Randn makes a tensor of standard normal numbers on the CPU; a nil generator is LibTorch's own.
func Randn(generator *Generator, dtype DType, dims ...int64) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorRandn(shape, n, raw.Dtype(dtype), raw.Str{}, generator.raw0(), out, c.err)
	})
}

// Share makes one more reference to the same tensor.
func (t *Tensor) Share() *Tensor {
	raw.TensorRetain(t.p)
	return newTensor(t.p)
}

// Same tells whether both are one tensor.
func (t *Tensor) Same(other *Tensor) bool {
	return t.p == other.p
}

// Shape is the size of each dim.
func (t *Tensor) Shape() []int64 {
	defer runtime.KeepAlive(t)
	return sizes(func(out *int64, n uint) uint { return raw.TensorShape(t.p, out, n) })
}

// Strides counts elements.
func (t *Tensor) Strides() []int64 {
	defer runtime.KeepAlive(t)
	return sizes(func(out *int64, n uint) uint { return raw.TensorStrides(t.p, out, n) })
}

// Dims is the number of dims.
func (t *Tensor) Dims() int {
	defer runtime.KeepAlive(t)
	return int(raw.TensorNdim(t.p))
}

// Len is the number of elements.
func (t *Tensor) Len() int64 {
	defer runtime.KeepAlive(t)
	return raw.TensorNumel(t.p)
}

// Bytes is the size of all elements in bytes.
func (t *Tensor) Bytes() int64 {
	defer runtime.KeepAlive(t)
	return raw.TensorNbytes(t.p)
}

// DType is the type of the elements.
func (t *Tensor) DType() DType {
	defer runtime.KeepAlive(t)
	return DType(raw.TensorDtype(t.p))
}

// StoredDType is DType, unless this LibTorch lacks the dtype of what was opened: then the tensor shows the bytes of elements
// of this dtype, in one more dim if an element has more than one byte.
func (t *Tensor) StoredDType() DType {
	defer runtime.KeepAlive(t)
	return DType(raw.TensorStoredDtype(t.p))
}

// Device is where the elements are: "cpu", "cuda:0".
func (t *Tensor) Device() string {
	defer runtime.KeepAlive(t)
	return text(raw.TensorDevice(t.p))
}

// IsContiguous tells whether the elements are in row-major order without gaps.
func (t *Tensor) IsContiguous() bool {
	defer runtime.KeepAlive(t)
	return truth(raw.TensorIsContiguous(t.p))
}

// IsReadOnly tells whether the memory is mapped read-only.
func (t *Tensor) IsReadOnly() bool {
	defer runtime.KeepAlive(t)
	return truth(raw.TensorIsReadOnly(t.p))
}

// IsShared tells whether other processes see writes to the memory.
func (t *Tensor) IsShared() bool {
	defer runtime.KeepAlive(t)
	return truth(raw.TensorIsShared(t.p))
}

// Clone makes a copy with its own memory.
func (t *Tensor) Clone() (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status { return raw.TensorClone(t.p, out, c.err) })
}

// Contiguous returns the same tensor if it is row-major, else a row-major copy.
func (t *Tensor) Contiguous() (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status { return raw.TensorContiguous(t.p, out, c.err) })
}

// To returns the tensor with another dtype, unless it is NoDType, on another device, unless it is empty.
func (t *Tensor) To(dtype DType, device string) (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TensorTo(t.p, raw.Dtype(dtype), c.optional(device), out, c.err)
	})
}

// CopyFrom copies src into the memory of the tensor, with broadcasting and a cast.
func (t *Tensor) CopyFrom(src *Tensor) error {
	return do(func(c *call) raw.Status { return raw.TensorCopy_(t.p, src.raw0(), c.err) })
}

// Item is the value of a tensor with one element: int64, uint64, float64, bool or complex128.
func (t *Tensor) Item() (any, error) {
	return give(takeValue, func(c *call, out *raw.Value) raw.Status { return raw.TensorItem(t.p, out, c.err) })
}

// Index returns a part of the tensor: a view, or a copy if there are tensors in the index.
func (t *Tensor) Index(index ...Index) (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status {
		parts, n := c.indices(index)
		return raw.TensorIndex(t.p, parts, n, out, c.err)
	})
}

// SetAt copies value into a part of the tensor, with broadcasting and a cast.
func (t *Tensor) SetAt(value *Tensor, index ...Index) error {
	return do(func(c *call) raw.Status {
		parts, n := c.indices(index)
		return raw.TensorSetAt(t.p, parts, n, value.raw0(), c.err)
	})
}

// ExpandRight adds dims on the right to reach a shape, as broadcasting adds them on the left.
func (t *Tensor) ExpandRight(dims ...int64) (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status {
		shape, n := c.ints(dims)
		return raw.TensorExpandRight(t.p, shape, n, out, c.err)
	})
}

// ExpandAsRight is ExpandRight to the shape of another tensor.
func (t *Tensor) ExpandAsRight(other *Tensor) (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TensorExpandAsRight(t.p, other.raw0(), out, c.err)
	})
}

// String describes the tensor without its elements.
func (t *Tensor) String() string {
	if t == nil || t.p == nil {
		return "Tensor(closed)"
	}
	return fmt.Sprintf("Tensor(shape=%v, dtype=%v)", t.Shape(), t.DType())
}

// Repr is what Python prints, with elements.
func (t *Tensor) Repr() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.TensorRepr(t.p, out, c.err) })
}

func takeTensors(list *raw.TensorList) []*Tensor {
	defer raw.TensorListRelease(list)
	out := make([]*Tensor, raw.TensorListSize(list))
	c := begin()
	defer c.end()
	view, n := one[**raw.Tensor](c), one[uint](c)
	if raw.TensorListView(list, view, n, nil) != raw.OK {
		return nil
	}
	for i, p := range unsafe.Slice(*view, *n) {
		raw.TensorRetain(p)
		out[i] = newTensor(p)
	}
	return out
}
