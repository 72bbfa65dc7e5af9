package tensordict

import "tensordict/raw"

// NewEmpty makes a dict of the same features with undefined contents.
func (d *Dict) NewEmpty(dtype DType, batch ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(batch)
		return raw.DictNewEmpty(d.p, p, n, raw.Dtype(dtype), out, c.err)
	})
}

// NewFull makes a dict of the same features with one number everywhere.
func (d *Dict) NewFull(value any, dtype DType, batch ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(batch)
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictNewFull(d.p, p, n, v, raw.Dtype(dtype), out, c.err)
	})
}

// NewTensor makes a dict with the keys of d whose tensors are copies of value: a number, numbers, a tensor, or those of a
// dict.
func (d *Dict) NewTensor(value any, dtype DType, requiresGrad bool) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		o := one[raw.NewTensorOptions](c)
		o.StructSize, o.Dtype, o.RequiresGrad = structSize(o), raw.Dtype(dtype), flag(requiresGrad)
		return raw.DictNewTensor(d.p, v, o, out, c.err)
	})
}
