package tensordict

import "tensordict/raw"

// Gather takes positions along a dim, for each element of index.
func (d *Dict) Gather(dim int64, index *Tensor) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictGather(d.p, dim, index.raw0(), out, c.err)
	})
}

// MaskedSelect takes the rows for which mask is true.
func (d *Dict) MaskedSelect(mask *Tensor) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictMaskedSelect(d.p, mask.raw0(), out, c.err)
	})
}

// MaskedFill makes a dict with value where mask is true.
func (d *Dict) MaskedFill(mask *Tensor, value any) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictMaskedFill(d.p, mask.raw0(), v, out, c.err)
	})
}

// MaskedFillInPlace writes value where mask is true.
func (d *Dict) MaskedFillInPlace(mask *Tensor, value any) error {
	return do(func(c *call) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictMaskedFill_(d.p, mask.raw0(), v, c.err)
	})
}

// IsIn tells for each position whether reference has that slice of key.
func (d *Dict) IsIn(reference *Dict, key Key, dim int64) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictIsin(d.p, reference.raw0(), c.key(key), dim, out, c.err)
	})
}
