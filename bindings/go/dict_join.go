package tensordict

import "tensordict/raw"

func (c *call) dicts(dicts []*Dict) (**raw.Dict, uint) {
	return pointers(c, dicts, (*Dict).raw0)
}

// Stack joins dicts along a new batch dim.
func Stack(dicts []*Dict, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictStack(p, n, dim, out, c.err)
	})
}

// Cat joins dicts along a batch dim.
func Cat(dicts []*Dict, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictCat(p, n, dim, out, c.err)
	})
}

// StackInto writes a stack into the tensors of target.
func StackInto(dicts []*Dict, dim int64, target *Dict) error {
	return do(func(c *call) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictStackInto(p, n, dim, target.raw0(), c.err)
	})
}

// CatInto writes joined dicts into the tensors of target.
func CatInto(dicts []*Dict, dim int64, target *Dict) error {
	return do(func(c *call) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictCatInto(p, n, dim, target.raw0(), c.err)
	})
}

// LazyStack shows dicts as stacked along a new dim, without a copy; they may differ in keys and shapes.
func LazyStack(dicts []*Dict, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictLazyStack(p, n, dim, out, c.err)
	})
}

// MaybeDenseStack is Stack where that is possible, else LazyStack.
func MaybeDenseStack(dicts []*Dict, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictMaybeDenseStack(p, n, dim, out, c.err)
	})
}

// NewLazyStack makes a lazy stack without members, for members of a batch size.
func NewLazyStack(element []int64, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(element)
		return raw.DictLazyNew(p, n, dim, out, c.err)
	})
}

// Merge makes a dict with the entries of all.
func Merge(dicts ...*Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictMerge(p, n, out, c.err)
	})
}

// MergeWith is Merge in which fn computes the tensors that all have.
func MergeWith(fn MapFunc, dicts ...*Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.dicts(dicts)
		return raw.DictMergeWith(p, n, c.mapFunction(fn), out, c.err)
	})
}

// FromKeys makes a dict without batch dims that has one tensor under every key.
func FromKeys(value *Tensor, keys ...Key) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.keys(keys)
		return raw.DictFromKeys(p, n, value.raw0(), out, c.err)
	})
}

// A Pair is a key with a value for Build: a tensor, a dict, data, a number, a string or a slice of numbers.
type Pair struct {
	Key   Key
	Value any
}

// Build makes a dict of its entries.
func Build(batch []int64, pairs ...Pair) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		items := many[raw.Item](c, len(pairs))
		for i, pair := range pairs {
			items[i].Key = c.key(pair.Key)
			if bad := c.fillValue(&items[i].Value, pair.Value); bad != nil {
				return c.fail(bad)
			}
		}
		sizes, n := c.ints(batch)
		return raw.DictFromItems(sizes, n, first(items), uint(len(items)), nil, out, c.err)
	})
}

// Pad adds value before and after each batch dim: pairs are (before, after), first dim first.
func (d *Dict) Pad(pairs []int64, value any) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		p, n := c.ints(pairs)
		return raw.DictPad(d.p, p, n, v, out, c.err)
	})
}

// PadOptions are those of PadSequence, and may be nil.
type PadOptions struct {
	Dim     int64 // of each entry
	Value   float64
	MaskKey Key // for masks that are true for values
	Left    bool
}

// PadSequence stacks dicts of different lengths, and pads them to the longest.
func PadSequence(dicts []*Dict, options *PadOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.PadSequenceOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.PadDim, o.Value, o.MaskKey, o.Left = options.Dim, c.number(options.Value), c.some(options.MaskKey), flag(options.Left)
		}
		p, n := c.dicts(dicts)
		return raw.DictPadSequence(p, n, o, out, c.err)
	})
}

// UnpadOptions are those of UnpadSequence, and may be nil.
type UnpadOptions struct {
	Dim     int64
	MaskKey Key     // of the masks in the dict; "masks" if empty
	Masks   *Dict   // masks that are not in the dict
	Mask    *Tensor // one mask for all entries
}

// UnpadSequence takes the padding away again; the result is a lazy stack.
func (d *Dict) UnpadSequence(options *UnpadOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.UnpadSequenceOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.PadDim, o.MaskKey = options.Dim, c.some(options.MaskKey)
			o.Masks, o.Mask = options.Masks.raw0(), options.Mask.raw0()
		}
		return raw.DictUnpadSequence(d.p, o, out, c.err)
	})
}
