package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// RequiresGrad tells whether operations on the tensor are recorded.
func (t *Tensor) RequiresGrad() bool {
	defer runtime.KeepAlive(t)
	return truth(raw.TensorRequiresGrad(t.p))
}

// SetRequiresGrad makes it so, or not.
func (t *Tensor) SetRequiresGrad(on bool) error {
	return do(func(c *call) raw.Status { return raw.TensorRequiresGrad_(t.p, flag(on), c.err) })
}

// Backward adds up the gradients of a tensor without dims.
func (t *Tensor) Backward() error {
	return do(func(c *call) raw.Status { return raw.TensorBackward(t.p, nil, 0, c.err) })
}

// Grad is the gradient, nil if there is none.
func (t *Tensor) Grad() (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status { return raw.TensorGrad(t.p, out, c.err) })
}

// Detach shares the values without their history.
func (t *Tensor) Detach() (*Tensor, error) {
	return t.make(func(c *call, out **raw.Tensor) raw.Status { return raw.TensorDetach(t.p, out, c.err) })
}
