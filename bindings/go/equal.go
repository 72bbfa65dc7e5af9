package tensordict

import "tensordict/raw"

// A Tolerance is what Equal allows, and may be nil.
type Tolerance struct {
	Relative, Absolute float64
	EqualNaN           bool
}

func (c *call) tolerance(within *Tolerance) *raw.EqualOptions {
	o := one[raw.EqualOptions](c)
	o.StructSize = structSize(o)
	if within != nil {
		o.Relative, o.Absolute, o.EqualNan = within.Relative, within.Absolute, flag(within.EqualNaN)
	}
	return o
}

// Equal compares structure, dtypes and values, and tells the first difference.
func (d *Dict) Equal(other *Dict, within *Tolerance) (equal bool, difference string, err error) {
	err = do(func(c *call) raw.Status {
		out, why := one[raw.Bool](c), one[*raw.String](c)
		status := raw.DictEqual(d.p, other.raw0(), c.tolerance(within), out, why, c.err)
		equal, difference = truth(*out), takeString(*why)
		return status
	})
	return
}

// Equal compares dtypes, shapes and values, and tells the first difference.
func (t *Tensor) Equal(other *Tensor, within *Tolerance) (equal bool, difference string, err error) {
	err = do(func(c *call) raw.Status {
		out, why := one[raw.Bool](c), one[*raw.String](c)
		status := raw.TensorEqual(t.p, other.raw0(), c.tolerance(within), out, why, c.err)
		equal, difference = truth(*out), takeString(*why)
		return status
	})
	return
}
