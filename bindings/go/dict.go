package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Dict is a batched, nested, ordered map from keys to tensors, dicts and data.
type Dict struct {
	handle[raw.Dict]
}

func newDict(p *raw.Dict) *Dict {
	if p == nil {
		return nil
	}
	d := new(Dict)
	d.hold(p, raw.DictRelease)
	return d
}

func makeDict(fn func(c *call, out **raw.Dict) raw.Status) (*Dict, error) {
	return give(newDict, fn)
}

// New makes an empty dict with a batch size.
func New(batch ...int64) (*Dict, error) {
	return NewOn("", batch...)
}

// NewOn makes an empty dict that moves every tensor to a device.
func NewOn(device string, batch ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		sizes, n := c.ints(batch)
		return raw.DictNew(sizes, n, c.dictOptions(device), out, c.err)
	})
}

func (c *call) dictOptions(device string) *raw.DictOptions {
	options := one[raw.DictOptions](c)
	options.StructSize = structSize(options)
	options.Device = c.optional(device)
	return options
}

// Share makes one more reference to the same dict.
func (d *Dict) Share() *Dict {
	raw.DictRetain(d.p)
	return newDict(d.p)
}

// Same tells whether both are one dict.
func (d *Dict) Same(other *Dict) bool {
	return d.p == other.p
}

// BatchSize is the size of each batch dim; -1 where the members of a lazy stack differ.
func (d *Dict) BatchSize() []int64 {
	defer runtime.KeepAlive(d)
	return sizes(func(out *int64, n uint) uint { return raw.DictBatchSize(d.p, out, n) })
}

// SetBatchSize changes the batch size.
func (d *Dict) SetBatchSize(batch ...int64) error {
	return do(func(c *call) raw.Status {
		sizes, n := c.ints(batch)
		return raw.DictSetBatchSize(d.p, sizes, n, c.err)
	})
}

// AutoBatchSize sets the batch size to the leading dims that all tensors share, at most limit; -1 is no limit.
func (d *Dict) AutoBatchSize(limit int64) error {
	return do(func(c *call) raw.Status { return raw.DictAutoBatchSize_(d.p, limit, c.err) })
}

// Device is where entries are moved to; empty if they stay where they are.
func (d *Dict) Device() string {
	defer runtime.KeepAlive(d)
	return text(raw.DictDevice(d.p))
}

// ClearDevice removes the device, here and below; nothing is moved.
func (d *Dict) ClearDevice() error {
	return do(func(c *call) raw.Status { return raw.DictClearDevice_(d.p, c.err) })
}

// AutoDevice sets the device that all tensors are on, if they are on one.
func (d *Dict) AutoDevice() error {
	return do(func(c *call) raw.Status { return raw.DictAutoDevice_(d.p, c.err) })
}

// Len is the size of the first batch dim, or 0 without batch dims.
func (d *Dict) Len() int64 {
	defer runtime.KeepAlive(d)
	return raw.DictLen(d.p)
}

// Count is the number of entries at the root.
func (d *Dict) Count() int {
	defer runtime.KeepAlive(d)
	return int(raw.DictCount(d.p))
}

// NumEl is the product of the batch size.
func (d *Dict) NumEl() int64 {
	defer runtime.KeepAlive(d)
	return raw.DictNumel(d.p)
}

// Bytes is the size of all tensors, below too.
func (d *Dict) Bytes() int64 {
	defer runtime.KeepAlive(d)
	return raw.DictNbytes(d.p)
}

// Depth is the number of levels of nodes above the deepest tensor.
func (d *Dict) Depth() int {
	defer runtime.KeepAlive(d)
	return int(raw.DictDepth(d.p))
}

// DType is that of all tensors, or NoDType if they differ.
func (d *Dict) DType() DType {
	defer runtime.KeepAlive(d)
	return DType(raw.DictDtype(d.p))
}

// IsFloatingPoint tells whether all tensors are.
func (d *Dict) IsFloatingPoint() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsFloatingPoint(d.p))
}

// ParamCount is the number of elements of all tensors; a tensor under several keys counts once unless duplicates is set.
func (d *Dict) ParamCount(duplicates bool) int64 {
	defer runtime.KeepAlive(d)
	return raw.DictParamCount(d.p, flag(duplicates))
}

// ParamBytes is the size of all tensors and their gradients.
func (d *Dict) ParamBytes(duplicates bool) int64 {
	defer runtime.KeepAlive(d)
	return raw.DictParamBytes(d.p, flag(duplicates))
}

// IsEmpty tells whether there are no entries but empty nodes.
func (d *Dict) IsEmpty() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsEmpty(d.p))
}

// IsContiguous tells whether all tensors are.
func (d *Dict) IsContiguous() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsContiguous(d.p))
}

// Copy makes a dict with new nodes that shares the tensors.
func (d *Dict) Copy() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictCopy(d.p, out, c.err) })
}

// Clone makes a deep copy.
func (d *Dict) Clone() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictClone(d.p, out, c.err) })
}

// ToTensorDict makes a deep, unlocked copy in which all nodes are plain dicts.
func (d *Dict) ToTensorDict() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictToTensordict(d.p, out, c.err) })
}

// String is what Python prints.
func (d *Dict) String() string {
	if d == nil || d.p == nil {
		return "TensorDict(closed)"
	}
	shown, err := give(takeString, func(c *call, out **raw.String) raw.Status { return raw.DictRepr(d.p, 0, out, c.err) })
	if err != nil {
		return "TensorDict(" + err.Error() + ")"
	}
	return shown
}
