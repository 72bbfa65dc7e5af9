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
