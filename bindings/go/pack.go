package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A PackLayout says where each tensor of a dict is in one tensor of all. It fits every dict with these keys and features,
// whatever its batch size.
type PackLayout struct {
	handle[raw.PackLayout]
}

func newPackLayout(p *raw.PackLayout) *PackLayout {
	if p == nil {
		return nil
	}
	l := new(PackLayout)
	l.hold(p, raw.PackLayoutRelease)
	return l
}

func (l *PackLayout) raw0() *raw.PackLayout {
	if l == nil {
		return nil
	}
	return l.p
}

// Pack joins the features of all tensors along a new dim, in the order of their sorted keys or, if layout is not nil, of
// its columns. It returns the layout too.
func (d *Dict) Pack(dim int64, layout *PackLayout) (packed *Tensor, made *PackLayout, err error) {
	err = do(func(c *call) raw.Status {
		out, outLayout := one[*raw.Tensor](c), one[*raw.PackLayout](c)
		status := raw.DictPack(d.p, dim, layout.raw0(), out, outLayout, c.err)
		packed, made = newTensor(*out), newPackLayout(*outLayout)
		return status
	})
	return
}

// A PackEntry is a tensor with its feature dims, or a node with its batch dims beyond the root's.
type PackEntry struct {
	Key  Key
	Dims []int64
}

func (c *call) packEntries(entries []PackEntry) (*raw.PackEntry, uint) {
	out := many[raw.PackEntry](c, len(entries))
	for i, entry := range entries {
		out[i].Key = c.key(entry.Key)
		out[i].Dims, out[i].Ndim = c.ints(entry.Dims)
	}
	return first(out), uint(len(entries))
}

// NewPackLayout makes a layout of columns, in this order. nested lists the nodes that have further batch dims or no
// tensors. device is that of the packed dict, or empty.
func NewPackLayout(columns, nested []PackEntry, dim int64, device string) (*PackLayout, error) {
	return give(newPackLayout, func(c *call, out **raw.PackLayout) raw.Status {
		p, n := c.packEntries(columns)
		q, k := c.packEntries(nested)
		return raw.PackLayoutNew(p, n, q, k, dim, c.optional(device), out, c.err)
	})
}

// Unpack makes a dict whose tensors are views of packed.
func (l *PackLayout) Unpack(packed *Tensor) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.PackLayoutUnpack(l.p, packed.raw0(), out, c.err)
	})
}

// Columns lists the tensors with their feature dims, in their order.
func (l *PackLayout) Columns() ([]PackEntry, error) {
	keys, err := give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.PackLayoutKeys(l.p, out, c.err) })
	return l.entries(keys, raw.PackLayoutShape), err
}

// Nested lists the nodes with their further batch dims, sorted.
func (l *PackLayout) Nested() ([]PackEntry, error) {
	keys, err := give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.PackLayoutNested(l.p, out, c.err) })
	return l.entries(keys, raw.PackLayoutNestedShape), err
}

func (l *PackLayout) entries(keys []Key, shape func(*raw.PackLayout, int64, *int64, uint) uint) []PackEntry {
	defer runtime.KeepAlive(l)
	out := make([]PackEntry, len(keys))
	for i, key := range keys {
		out[i] = PackEntry{key, sizes(func(dims *int64, n uint) uint { return shape(l.p, int64(i), dims, n) })}
	}
	return out
}

// Offset is where a column begins along the packed dim; -1 beyond the last.
func (l *PackLayout) Offset(column int64) int64 {
	defer runtime.KeepAlive(l)
	return raw.PackLayoutOffset(l.p, column)
}

// Len is the size of the packed dim.
func (l *PackLayout) Len() int64 {
	defer runtime.KeepAlive(l)
	return raw.PackLayoutNumel(l.p)
}

// Dim is the packed dim, which a layout of Pack counts from the end.
func (l *PackLayout) Dim() int64 {
	defer runtime.KeepAlive(l)
	return raw.PackLayoutDim(l.p)
}

// Device is that of the packed dict; empty if it had none.
func (l *PackLayout) Device() string {
	defer runtime.KeepAlive(l)
	return text(raw.PackLayoutDevice(l.p))
}

// Equal tells whether both have the same columns, nodes, dim, device and classes.
func (l *PackLayout) Equal(other *PackLayout) bool {
	defer runtime.KeepAlive(l)
	defer runtime.KeepAlive(other)
	return truth(raw.PackLayoutEqual(l.p, other.raw0()))
}

// Share makes one more reference to the same layout.
func (l *PackLayout) Share() *PackLayout {
	raw.PackLayoutRetain(l.p)
	return newPackLayout(l.p)
}

// String is what Python prints.
func (l *PackLayout) String() string {
	shown, err := give(takeString, func(c *call, out **raw.String) raw.Status { return raw.PackLayoutRepr(l.p, out, c.err) })
	if err != nil {
		return "PackLayout(" + err.Error() + ")"
	}
	return shown
}
