package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// SetRequiresGrad makes all tensors leaves that require grad, or not.
func (d *Dict) SetRequiresGrad(on bool) error {
	return do(func(c *call) raw.Status {
		return raw.DictRequiresGrad_(d.p, flag(on), c.err)
	})
}

// Detach shares the values without their history.
func (d *Dict) Detach() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictDetach(d.p, out, c.err)
	})
}

// DetachInPlace forgets the history.
func (d *Dict) DetachInPlace() error {
	return do(func(c *call) raw.Status {
		return raw.DictDetach_(d.p, c.err)
	})
}

// Grad collects the gradients; nil if there are none.
func (d *Dict) Grad() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictGrad(d.p, out, c.err)
	})
}

// ZeroGrad clears the gradients.
func (d *Dict) ZeroGrad(toNone bool) error {
	return do(func(c *call) raw.Status {
		return raw.DictZeroGrad(d.p, flag(toNone), c.err)
	})
}

// To converts all tensors; NoDType and an empty device change nothing.
func (d *Dict) To(dtype DType, device string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictTo(d.p, raw.Dtype(dtype), c.optional(device), out, c.err)
	})
}

// PinMemory copies into memory that a GPU reads fast.
func (d *Dict) PinMemory() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictPinMemory(d.p, out, c.err)
	})
}

// StateDict is the state as torch.save would see it.
func (d *Dict) StateDict() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictStateDict(d.p, out, c.err)
	})
}

// RequiresGrad tells whether a tensor requires grad.
func (d *Dict) RequiresGrad() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictRequiresGrad(d.p))
}

// Backward adds up the gradients of all tensors; gradient may be nil.
func (d *Dict) Backward(gradient *Dict) error {
	return do(func(c *call) raw.Status { return raw.DictBackward(d.p, gradient.raw0(), nil, nil, c.err) })
}

// ClipGradNorm scales the gradients of all leaves so that their total norm of an order (math.Inf(1) for the maximum) is at
// most max, and returns the norm before. strict refuses a norm that is not finite.
func (d *Dict) ClipGradNorm(max, order float64, strict bool) (norm float64, err error) {
	return give(same, func(c *call, out *float64) raw.Status {
		return raw.DictClipGradNorm_(d.p, max, order, flag(strict), out, c.err)
	})
}

// ClipGradValue limits each element of the gradients to [-max, max].
func (d *Dict) ClipGradValue(max float64) error {
	return do(func(c *call) raw.Status { return raw.DictClipGradValue_(d.p, max, c.err) })
}

// BackwardOptions may be nil.
type BackwardOptions struct {
	RetainGraph bool // gradients can be computed once more
	CreateGraph bool // gradients can be derived
	AllowUnused bool // an input that nothing depends on has no gradient
}

func (c *call) backward(options *BackwardOptions) *raw.BackwardOptions {
	o := one[raw.BackwardOptions](c)
	o.StructSize = structSize(o)
	if options != nil {
		o.RetainGraph, o.CreateGraph = flag(options.RetainGraph), flag(options.CreateGraph)
		o.AllowUnused = flag(options.AllowUnused)
	}
	return o
}

// Gradients returns the gradients of all tensors with respect to inputs; gradient and options may be nil.
func (d *Dict) Gradients(inputs, gradient *Dict, options *BackwardOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictAutogradGrad(d.p, inputs.raw0(), gradient.raw0(), c.backward(options), out, c.err)
	})
}
