package tensordict

import "tensordict/raw"

// Index selects a part of the batch: views, or copies if there are tensors in the index.
func (d *Dict) Index(index ...Index) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.indices(index)
		return raw.DictIndex(d.p, p, n, out, c.err)
	})
}

// Window shows a part of the batch that stays connected: writes into entries go to d, and it is always locked.
func (d *Dict) Window(index ...Index) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.indices(index)
		return raw.DictWindow(d.p, p, n, out, c.err)
	})
}

// SetAt writes the entries of value into a part of the batch.
func (d *Dict) SetAt(value *Dict, index ...Index) error {
	return do(func(c *call) raw.Status {
		p, n := c.indices(index)
		return raw.DictSetAt(d.p, p, n, value.raw0(), c.err)
	})
}

// SetNumberAt writes one number into a part of every tensor.
func (d *Dict) SetNumberAt(value any, index ...Index) error {
	return do(func(c *call) raw.Status {
		p, n := c.indices(index)
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictSetAtValue(d.p, p, n, v, c.err)
	})
}

// CopyIntoAt copies value into a part of the tensor under a key, with broadcasting.
func (d *Dict) CopyIntoAt(value *Tensor, key Key, index ...Index) error {
	return do(func(c *call) raw.Status {
		p, n := c.indices(index)
		return raw.DictCopyIntoAt(d.p, c.key(key), p, n, value.raw0(), c.err)
	})
}

// GetAt returns a part of the tensor under a key.
func (d *Dict) GetAt(key Key, index ...Index) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		p, n := c.indices(index)
		return raw.DictGetAt(d.p, c.key(key), p, n, out, c.err)
	})
}
