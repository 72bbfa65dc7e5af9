package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// FromModulesOptions may be nil.
type FromModulesOptions struct {
	AsModule        bool // the result has parameters and buffers, as Params makes
	NoLock          bool // the result is not locked
	UseStateDict    bool // the contents of a state dict: nothing requires grad, only persistent buffers
	LazyStack       bool // a lazy stack of the modules' own tensors; they may differ in structure
	ExpandIdentical bool // a tensor that all modules share is expanded, not copied
}

// FromModules makes a dict of the states of modules, stacked along a new batch dim 0, for Module.Vmap.
func FromModules(options *FromModulesOptions, modules ...*Module) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.FromModulesOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.AsModule, o.NoLock, o.UseStateDict = flag(options.AsModule), flag(options.NoLock), flag(options.UseStateDict)
			o.LazyStack, o.ExpandIdentical = flag(options.LazyStack), flag(options.ExpandIdentical)
		}
		p, n := pointers(c, modules, (*Module).raw0)
		return raw.DictFromModules(p, n, o, out, c.err)
	})
}

// StackModuleState stacks the parameters and the buffers of modules of the same structure, as two flat dicts with dotted
// names.
func StackModuleState(modules ...*Module) (params, buffers *Dict, err error) {
	err = do(func(c *call) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		outParams, outBuffers := one[*raw.Dict](c), one[*raw.Dict](c)
		status := raw.ModuleStackState(p, n, outParams, outBuffers, c.err)
		params, buffers = newDict(*outParams), newDict(*outBuffers)
		return status
	})
	return
}

// FunctionalOptions may be nil.
type FunctionalOptions struct {
	UntieWeights bool // a tensor with several names is replaced only under those that are given
	Strict       bool // the states must have exactly the names of the module
}

// CallWithStates is Call with the tensors of dicts, nested or with dotted names, instead of the module's own.
func (m *Module) CallWithStates(states []*Dict, options *FunctionalOptions, outputs int, inputs ...*Tensor) ([]*Tensor, error) {
	var made []*Tensor
	err := do(func(c *call) raw.Status {
		o := one[raw.FunctionalOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.UntieWeights, o.Strict = flag(options.UntieWeights), flag(options.Strict)
		}
		s, nStates := c.dicts(states)
		in, n := pointers(c, inputs, (*Tensor).raw0)
		out := many[*raw.Tensor](c, outputs)
		status := raw.ModuleFunctionalCall(m.p, s, nStates, o, in, n, first(out), uint(outputs), c.err)
		if status == raw.OK {
			for _, p := range out {
				made = append(made, newTensor(p))
			}
		}
		return status
	})
	return made, err
}

// StateDict is a flat dict of the parameters, persistent buffers and extra states with dotted names, each after prefix.
// The tensors share memory with the module's, and are detached unless keepVars is set.
func (m *Module) StateDict(prefix string, keepVars bool) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.ModuleStateDict(m.p, c.optional(prefix), flag(keepVars), out, c.err)
	})
}

// LoadOptions may be nil.
type LoadOptions struct {
	Lenient bool // names that are missing or unexpected are no error
	Assign  bool // the given tensors replace the module's own instead of being copied
}

// LoadStateDict loads a dict with nested or dotted names into the module, and returns the missing and the unexpected names.
func (m *Module) LoadStateDict(state *Dict, options *LoadOptions) (missing, unexpected []Key, err error) {
	err = do(func(c *call) raw.Status {
		o := one[raw.LoadOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lenient, o.Assign = flag(options.Lenient), flag(options.Assign)
		}
		lacks, extra := one[*raw.Keys](c), one[*raw.Keys](c)
		status := raw.ModuleLoadStateDict(m.p, state.raw0(), o, lacks, extra, c.err)
		if *lacks != nil {
			missing = takeKeys(*lacks)
		}
		if *extra != nil {
			unexpected = takeKeys(*extra)
		}
		return status
	})
	return
}

// ExtraState is state of a module beside its tensors. Get sets one tensor or data under "_extra_state" of an empty dict,
// Set reads it from there and must change nothing if it fails; either may be nil.
type ExtraState struct {
	Get func(module *Module, state *Dict) error
	Set func(module *Module, state *Dict) error
}

// SetExtraState replaces the extra state of this module, not of those below; without functions it has none.
func (m *Module) SetExtraState(extra ExtraState) error {
	return do(func(c *call) raw.Status {
		e := one[raw.ExtraState](c)
		e.StructSize = structSize(e)
		if extra.Get != nil {
			e.Get = extraGetFunction
		}
		if extra.Set != nil {
			e.Set = extraSetFunction
		}
		if extra.Get != nil || extra.Set != nil {
			e.Userdata, e.Destroy = userdata(extra), destroyFunction
		}
		return raw.ModuleSetExtraState(m.p, e, c.err)
	})
}

// WithParams runs fn while the module has the tensors of params instead of its own; gradients reach them. Then the
// tensors that the module has are written into params, unless fn fails. With preserve, what replaces a parameter is made
// one until then.
func (m *Module) WithParams(params *Dict, preserve bool, fn func() error) error {
	err := scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ModuleSwap(m.p, params.raw0(), flag(preserve), scope, c.err)
	}, func(*Dict) error { return fn() })
	runtime.KeepAlive(params)
	return err
}
