package tensordict

import "tensordict/raw"

// AllTrue tells whether every element of every tensor is true.
func (d *Dict) AllTrue() (bool, error) {
	return give(truth, func(c *call, out *raw.Bool) raw.Status { return raw.DictAll(d.p, out, c.err) })
}

// AnyTrue tells whether one element is.
func (d *Dict) AnyTrue() (bool, error) {
	return give(truth, func(c *call, out *raw.Bool) raw.Status { return raw.DictAny(d.p, out, c.err) })
}

// Missing says how Pointwise treats leaves that some dicts lack.
type Missing struct {
	mode raw.Missing
	fill any
}

// SkipMissing leaves them out. FillMissing puts a number in their place.
var SkipMissing = &Missing{mode: raw.MISSING_SKIP}

// FillMissing puts a number, or a tensor without dims, in the place of leaves that some dicts lack.
func FillMissing(value any) *Missing {
	return &Missing{raw.MISSING_FILL, value}
}

// Pointwise calls a pointwise operator for each leaf. Operands are dicts, tensors with an element for each batch element,
// and numbers, then Named arguments. With nil for missing, all dicts must have the same leaves.
func Pointwise(op string, missing *Missing, operands ...any) (*Dict, error) {
	o, err := FindOp(op)
	if err != nil {
		return nil, err
	}
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		in, n, named, nNamed, bad := c.values(operands)
		options := one[raw.PointwiseOptions](c)
		options.StructSize = structSize(options)
		if missing != nil && bad == nil {
			options.Missing = missing.mode
			if missing.mode == raw.MISSING_FILL {
				options.Fill, bad = c.value(missing.fill)
			}
		}
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictPointwise(o.p, in, n, named, nNamed, options, out, c.err)
	})
}

// Op calls a pointwise operator with the dict as its first operand: td.Op("lerp", other, 0.5).
func (d *Dict) Op(op string, operands ...any) (*Dict, error) {
	return Pointwise(op, nil, append([]any{d}, operands...)...)
}

// Add is d + other; other is a dict, a tensor or a number.
func (d *Dict) Add(other any) (*Dict, error) { return d.Op("add", other) }

// Sub is d - other.
func (d *Dict) Sub(other any) (*Dict, error) { return d.Op("sub", other) }

// Mul is d * other.
func (d *Dict) Mul(other any) (*Dict, error) { return d.Op("mul", other) }

// Div is d / other.
func (d *Dict) Div(other any) (*Dict, error) { return d.Op("div", other) }

// Eq compares: bool leaves.
func (d *Dict) Eq(other any) (*Dict, error) { return d.Op("eq", other) }

// A Reduction says over what Reduce reduces; nil is everything of each leaf.
type Reduction struct {
	Dims    []int64 // batch dims
	KeepDim bool
	Feature bool // all feature dims of a leaf, instead of batch dims
}

func (c *call) reduction(r *Reduction) *raw.ReduceOptions {
	o := one[raw.ReduceOptions](c)
	o.StructSize = structSize(o)
	if r != nil {
		o.Dims, o.NDims = c.ints(r.Dims)
		o.Keepdim, o.Feature = flag(r.KeepDim), flag(r.Feature)
	}
	return o
}

// Reduce reduces each leaf: "sum", "mean", "max" ..., with Named arguments. max along a dim returns values and indices,
// most operators one dict.
func (d *Dict) Reduce(op string, over *Reduction, named ...any) ([]*Dict, error) {
	o, err := FindOp(op)
	if err != nil {
		return nil, err
	}
	return give(func(out [2]*raw.Dict) []*Dict {
		if out[1] == nil {
			return []*Dict{newDict(out[0])}
		}
		return []*Dict{newDict(out[0]), newDict(out[1])}
	}, func(c *call, out *[2]*raw.Dict) raw.Status {
		_, n, kwargs, nNamed, bad := c.values(named)
		if bad == nil && n != 0 {
			bad = argument("a reduction takes its further arguments by name")
		}
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictReduce(d.p, o.p, kwargs, nNamed, c.reduction(over), &out[0], 2, c.err)
	})
}

// ReduceAll reduces all leaves together to one tensor.
func (d *Dict) ReduceAll(op string, over *Reduction, named ...any) (*Tensor, error) {
	o, err := FindOp(op)
	if err != nil {
		return nil, err
	}
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		_, n, kwargs, nNamed, bad := c.values(named)
		if bad == nil && n != 0 {
			bad = argument("a reduction takes its further arguments by name")
		}
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictReduceAll(d.p, o.p, kwargs, nNamed, c.reduction(over), out, c.err)
	})
}

// Sum adds up batch dims, or everything of each leaf.
func (d *Dict) Sum(dims ...int64) (*Dict, error) { return d.reduceOne("sum", dims) }

// Mean averages batch dims, or everything of each leaf.
func (d *Dict) Mean(dims ...int64) (*Dict, error) { return d.reduceOne("mean", dims) }

func (d *Dict) reduceOne(op string, dims []int64) (*Dict, error) {
	made, err := d.Reduce(op, &Reduction{Dims: dims})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// ApplyOp calls any operator once for each leaf: in each call a dict among the arguments is replaced by its leaf, and
// others are passed unchanged. It returns one dict for each tensor that the operator returns.
func ApplyOp(op string, args ...any) ([]*Dict, error) {
	o, err := FindOp(op)
	if err != nil {
		return nil, err
	}
	var made []*Dict
	err = do(func(c *call) raw.Status {
		in, n, named, nNamed, bad := c.values(args)
		if bad != nil {
			return c.fail(bad)
		}
		out := many[*raw.Dict](c, maxResults)
		status := raw.DictApplyOp(o.p, in, n, named, nNamed, first(out), maxResults, c.err)
		for _, p := range out {
			if p != nil {
				made = append(made, newDict(p))
			}
		}
		return status
	})
	return made, err
}
