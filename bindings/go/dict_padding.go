package tensordict

import "tensordict/raw"

// EntryShape is the shape of an entry; -1 where the members of a lazy stack differ.
func (d *Dict) EntryShape(key ...string) ([]int64, error) {
	var shape []int64
	err := do(func(c *call) raw.Status {
		out, n := many[int64](c, 64), one[uint](c)
		status := raw.DictEntryShape(d.p, c.key(key), first(out), 64, n, c.err)
		if status == raw.OK {
			shape = append([]int64{}, out[:*n]...)
		}
		return status
	})
	return shape, err
}

// Padding is what fills the places that the members of a lazy stack lack, and may be nil.
type Padding struct {
	Value   float64
	Left    bool
	MaskKey Key // for Densify
}

func (c *call) padding(p *Padding) *raw.PaddingOptions {
	o := one[raw.PaddingOptions](c)
	o.StructSize = structSize(o)
	if p != nil {
		o.Value, o.Left, o.MaskKey = c.number(p.Value), flag(p.Left), c.some(p.MaskKey)
	}
	return o
}

// GetPadded returns the padded tensors of all members, and a mask that is true for values.
func (d *Dict) GetPadded(padding *Padding, key ...string) (values, mask *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, masked := one[*raw.Tensor](c), one[*raw.Tensor](c)
		status := raw.DictGetPadded(d.p, c.key(key), c.padding(padding), out, masked, c.err)
		values, mask = newTensor(*out), newTensor(*masked)
		return status
	})
	return
}

// GetJagged returns the tensors of all members one after the other, and where each begins.
func (d *Dict) GetJagged(key ...string) (values, offsets *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, at := one[*raw.Tensor](c), one[*raw.Tensor](c)
		status := raw.DictGetJagged(d.p, c.key(key), out, at, c.err)
		values, offsets = newTensor(*out), newTensor(*at)
		return status
	})
	return
}

// Densify makes a dense dict of a lazy stack.
func (d *Dict) Densify(padding *Padding) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictDensify(d.p, c.padding(padding), out, c.err) })
}
