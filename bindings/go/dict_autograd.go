package tensordict

import "tensordict/raw"

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
