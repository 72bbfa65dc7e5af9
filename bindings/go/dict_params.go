package tensordict

import "tensordict/raw"

// ParamsOptions may be nil.
type ParamsOptions struct {
	NoConvert bool // tensors stay what they are
	Lock      bool // the dict is locked
}

// Params makes parameters of all floating-point tensors.
func (d *Dict) Params(options *ParamsOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.ParamsOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.NoConvert, o.Lock = flag(options.NoConvert), flag(options.Lock)
		}
		return raw.DictParams(d.p, o, out, c.err)
	})
}

type listing func(*raw.Dict, **raw.Keys, **raw.TensorList, **raw.Error) raw.Status

func (d *Dict) list(fn listing) (keys []Key, tensors []*Tensor, err error) {
	err = do(func(c *call) raw.Status {
		k, t := one[*raw.Keys](c), one[*raw.TensorList](c)
		status := fn(d.p, k, t, c.err)
		if status == raw.OK {
			keys, tensors = takeKeys(*k), takeTensors(*t)
		}
		return status
	})
	return
}

// Parameters lists the parameters of a dict of parameters.
func (d *Dict) Parameters() ([]Key, []*Tensor, error) { return d.list(raw.DictParameters) }

// Buffers lists the buffers of a dict of parameters.
func (d *Dict) Buffers() ([]Key, []*Tensor, error) { return d.list(raw.DictBuffers) }

// LoadStateDict loads a state; lenient ignores keys that do not fit, assign takes the tensors themselves.
func (d *Dict) LoadStateDict(state *Dict, lenient, assign bool) error {
	return do(func(c *call) raw.Status {
		o := one[raw.LoadStateOptions](c)
		o.StructSize, o.Lenient, o.Assign = structSize(o), flag(lenient), flag(assign)
		return raw.DictLoadStateDict(d.p, state.raw0(), o, c.err)
	})
}
