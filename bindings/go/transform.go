package tensordict

import "tensordict/raw"

// A Transform is an invertible map of tensors, usable without a distribution.
type Transform struct {
	handle[raw.Transform]
}

func newTransform(p *raw.Transform) *Transform {
	t := new(Transform)
	t.hold(p, raw.TransformRelease)
	return t
}

func (t *Transform) raw0() *raw.Transform {
	if t == nil {
		return nil
	}
	return t.p
}

// NewTransform makes a transform from JSON, as Transformed; those of a list are applied in order. params may be nil.
func NewTransform(transform string, params *Dict) (*Transform, error) {
	return give(newTransform, func(c *call, out **raw.Transform) raw.Status {
		return raw.TransformNew(c.str(transform), params.raw0(), out, c.err)
	})
}

// CDFTransform makes a transform of the cumulative distribution function of a distribution.
func CDFTransform(d *Dist) (*Transform, error) {
	return give(newTransform, func(c *call, out **raw.Transform) raw.Status {
		return raw.TransformCdfOf(d.raw0(), out, c.err)
	})
}

// ComposeTransforms applies transforms in order; without any, it is the identity.
func ComposeTransforms(parts ...*Transform) (*Transform, error) {
	return give(newTransform, func(c *call, out **raw.Transform) raw.Status {
		p, n := pointers(c, parts, (*Transform).raw0)
		return raw.TransformCompose(p, n, out, c.err)
	})
}

// Inv is the inverse transform.
func (t *Transform) Inv() (*Transform, error) {
	return give(newTransform, func(c *call, out **raw.Transform) raw.Status {
		return raw.TransformInverseOf(t.p, out, c.err)
	})
}

// Forward computes y from x.
func (t *Transform) Forward(x *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TransformForward(t.p, x.raw0(), out, c.err)
	})
}

// Inverse computes x from y.
func (t *Transform) Inverse(y *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TransformInverse(t.p, y.raw0(), out, c.err)
	})
}

// LogAbsDetJacobian computes the log of the absolute determinant of dy/dx; y is Forward of x.
func (t *Transform) LogAbsDetJacobian(x, y *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TransformLogAbsDetJacobian(t.p, x.raw0(), y.raw0(), out, c.err)
	})
}

// Share makes one more reference to the same transform.
func (t *Transform) Share() *Transform {
	raw.TransformRetain(t.p)
	return newTransform(t.p)
}

// String is what Python prints.
func (t *Transform) String() string {
	shown, err := give(takeString, func(c *call, out **raw.String) raw.Status { return raw.TransformRepr(t.p, out, c.err) })
	if err != nil {
		return "Transform(" + err.Error() + ")"
	}
	return shown
}
