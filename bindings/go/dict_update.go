package tensordict

import "tensordict/raw"

// UpdateInPlace copies the values of src into the tensors under the same keys; a locked dict allows it.
func (d *Dict) UpdateInPlace(src *Dict) error {
	return do(func(c *call) raw.Status {
		return raw.DictUpdate_(d.p, src.raw0(), c.err)
	})
}

// Fill writes a number into the tensor under a key, or all below it.
func (d *Dict) Fill(value any, key ...string) error {
	return do(func(c *call) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictFill_(d.p, c.key(key), v, c.err)
	})
}

// Zero writes 0 into all tensors.
func (d *Dict) Zero() error {
	return do(func(c *call) raw.Status {
		return raw.DictZero_(d.p, c.err)
	})
}

// Replace makes a copy that is updated with src.
func (d *Dict) Replace(src *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictReplace(d.p, src.raw0(), out, c.err)
	})
}

// CatTensors joins tensors along a dim, under another key.
func (d *Dict) CatTensors(keys []Key, outKey Key, dim int64, keep bool) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.DictCatTensors(d.p, p, n, c.key(outKey), dim, flag(keep), c.err)
	})
}

// StackTensors stacks tensors along a new dim, under another key.
func (d *Dict) StackTensors(keys []Key, outKey Key, dim int64, keep bool) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.DictStackTensors(d.p, p, n, c.key(outKey), dim, flag(keep), c.err)
	})
}

// CatLeaves joins all tensors to one.
func (d *Dict) CatLeaves(dim int64, sorted bool) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictCatLeaves(d.p, dim, flag(sorted), out, c.err)
	})
}

// StackLeaves stacks all tensors to one.
func (d *Dict) StackLeaves(dim int64, sorted bool) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictStackLeaves(d.p, dim, flag(sorted), out, c.err)
	})
}

// Become takes over all of another dict: the in-place form of every operation.
func (d *Dict) Become(other *Dict) error {
	return do(func(c *call) raw.Status {
		return raw.DictBecome(d.p, other.raw0(), c.err)
	})
}

// UpdateOptions may be nil.
type UpdateOptions struct {
	InPlace         bool // copy into tensors that exist
	Clone           bool // store copies
	UpdateBatchSize bool // take the batch size of the source where it differs
	Keys            []Key
}

// Update sets every entry of src in d; nodes that both have are updated.
func (d *Dict) Update(src *Dict, options *UpdateOptions) error {
	return do(func(c *call) raw.Status {
		o := one[raw.DictUpdateOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Inplace, o.Clone = flag(options.InPlace), flag(options.Clone)
			o.UpdateBatchSize = flag(options.UpdateBatchSize)
			o.Keys, o.NKeys = c.keys(options.Keys)
		}
		return raw.DictUpdate(d.p, src.raw0(), o, c.err)
	})
}

// SetMany sets values under prepared keys: all of them, or none and an error.
func (d *Dict) SetMany(paths []*Path, values []*Tensor) error {
	if len(paths) != len(values) {
		return argument("%d values for %d keys", len(values), len(paths))
	}
	return do(func(c *call) raw.Status {
		p, n := pointers(c, paths, func(p *Path) *raw.Path { return p.p })
		t, _ := pointers(c, values, (*Tensor).raw0)
		return raw.DictSetMany(d.p, p, t, n, c.err)
	})
}
