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

// Where takes elements of d where condition is true, and of other elsewhere. pad, if not nil, stands for tensors that
// only one dict has.
func (d *Dict) Where(condition *Tensor, other *Dict, pad *float64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		var fill *raw.Value
		if pad != nil {
			fill = c.number(*pad)
		}
		return raw.DictWhere(d.p, condition.raw0(), other.raw0(), fill, out, c.err)
	})
}

// RemoveDuplicates keeps the first of each distinct slice of key along a dim; inverse tells where each one went.
func (d *Dict) RemoveDuplicates(dim int64, key ...string) (unique *Dict, inverse *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, back := one[*raw.Dict](c), one[*raw.Tensor](c)
		status := raw.DictRemoveDuplicates(d.p, c.key(key), dim, out, back, c.err)
		unique, inverse = newDict(*out), newTensor(*back)
		return status
	})
	return
}

// Groups are what GroupBy makes: one dict for each value of a key. Values or Data has the values.
type Groups struct {
	Dicts  []*Dict
	Values *Tensor
	Data   *Data
}

// GroupBy splits a dict by the values of a key.
func (d *Dict) GroupBy(key ...string) (*Groups, error) {
	var made *Groups
	err := do(func(c *call) raw.Status {
		values, data, dicts := one[*raw.Tensor](c), one[*raw.DataList](c), one[*raw.DictList](c)
		status := raw.DictGroupBy(d.p, c.key(key), values, data, dicts, c.err)
		if status == raw.OK {
			made = &Groups{Dicts: takeDicts(*dicts), Values: newTensor(*values)}
			if *data != nil {
				made.Data = takeData(*data)
			}
		}
		return status
	})
	return made, err
}
