package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// An Optimizer changes parameters by their gradients.
type Optimizer struct {
	handle[raw.Optimizer]
}

func newOptimizer(p *raw.Optimizer) *Optimizer {
	o := new(Optimizer)
	o.hold(p, raw.OptimizerRelease)
	return o
}

// SGDOptions may be nil; 0 is the default of PyTorch.
type SGDOptions struct {
	LR, Momentum, Dampening, WeightDecay float64
	Nesterov                             bool
}

// SGD makes an optimizer of the parameters of a dict.
func SGD(params *Dict, options *SGDOptions) (*Optimizer, error) {
	return give(newOptimizer, func(c *call, out **raw.Optimizer) raw.Status {
		o := one[raw.SgdOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lr, o.Momentum, o.Dampening = options.LR, options.Momentum, options.Dampening
			o.WeightDecay, o.Nesterov = options.WeightDecay, flag(options.Nesterov)
		}
		return raw.OptimizerSgd(params.raw0(), o, out, c.err)
	})
}

// AdamOptions may be nil; 0 is the default of PyTorch.
type AdamOptions struct {
	LR, Beta1, Beta2, Eps, WeightDecay float64
	AMSGrad                            bool
}

// Adam makes an optimizer of the parameters of a dict.
func Adam(params *Dict, options *AdamOptions) (*Optimizer, error) {
	return give(newOptimizer, func(c *call, out **raw.Optimizer) raw.Status {
		o := one[raw.AdamOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lr, o.Beta1, o.Beta2, o.Eps = options.LR, options.Beta1, options.Beta2, options.Eps
			o.WeightDecay, o.Amsgrad = options.WeightDecay, flag(options.AMSGrad)
		}
		return raw.OptimizerAdam(params.raw0(), o, out, c.err)
	})
}

// AdamW is Adam with decoupled weight decay.
func AdamW(params *Dict, options *AdamOptions) (*Optimizer, error) {
	return give(newOptimizer, func(c *call, out **raw.Optimizer) raw.Status {
		o := one[raw.AdamwOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lr, o.Beta1, o.Beta2, o.Eps = options.LR, options.Beta1, options.Beta2, options.Eps
			o.WeightDecay, o.Amsgrad = options.WeightDecay, flag(options.AMSGrad)
		}
		return raw.OptimizerAdamw(params.raw0(), o, out, c.err)
	})
}

// RMSpropOptions may be nil; 0 is the default of PyTorch.
type RMSpropOptions struct {
	LR, Alpha, Eps, WeightDecay, Momentum float64
	Centered                              bool
}

// RMSprop makes an optimizer of the parameters of a dict.
func RMSprop(params *Dict, options *RMSpropOptions) (*Optimizer, error) {
	return give(newOptimizer, func(c *call, out **raw.Optimizer) raw.Status {
		o := one[raw.RmspropOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lr, o.Alpha, o.Eps, o.WeightDecay = options.LR, options.Alpha, options.Eps, options.WeightDecay
			o.Momentum, o.Centered = options.Momentum, flag(options.Centered)
		}
		return raw.OptimizerRmsprop(params.raw0(), o, out, c.err)
	})
}

// AddGroup adds a group of the parameters of a dict, with the options of the first group.
func (o *Optimizer) AddGroup(params *Dict) error {
	return do(func(c *call) raw.Status { return raw.OptimizerAddGroup(o.p, params.raw0(), c.err) })
}

// Groups is the number of groups.
func (o *Optimizer) Groups() int {
	defer runtime.KeepAlive(o)
	return int(raw.OptimizerGroupCount(o.p))
}

// TypeName is the name in torch.optim: "SGD", "Adam", "AdamW" or "RMSprop".
func (o *Optimizer) TypeName() string {
	defer runtime.KeepAlive(o)
	return text(raw.OptimizerTypeName(o.p))
}

// Step changes the parameters.
func (o *Optimizer) Step() error {
	return do(func(c *call) raw.Status { return raw.OptimizerStep(o.p, c.err) })
}

// ZeroGrad clears the gradients.
func (o *Optimizer) ZeroGrad() error {
	return do(func(c *call) raw.Status { return raw.OptimizerZeroGrad(o.p, c.err) })
}

// State is the state as a dict, LoadState loads it.
func (o *Optimizer) State() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.OptimizerState(o.p, out, c.err) })
}

// LoadState loads what State made.
func (o *Optimizer) LoadState(state *Dict) error {
	return do(func(c *call) raw.Status { return raw.OptimizerLoadState(o.p, state.raw0(), c.err) })
}

// Get is a setting of a group of parameters: "lr", "weight_decay" ...
func (o *Optimizer) Get(group int64, name string) (float64, error) {
	return give(same, func(c *call, out *float64) raw.Status {
		return raw.OptimizerGet(o.p, group, c.str(name), out, c.err)
	})
}

// Set changes such a setting.
func (o *Optimizer) Set(group int64, name string, value float64) error {
	return do(func(c *call) raw.Status { return raw.OptimizerSet(o.p, group, c.str(name), value, c.err) })
}
