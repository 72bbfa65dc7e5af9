package tensordict

import "tensordict/raw"

// RunOptions may be nil.
type RunOptions struct {
	Into         *Dict       // receives the outputs; nil: as chosen when the module was made
	Interaction  Interaction // how modules take values from distributions
	SkipExisting bool        // modules do not run if all their outputs exist
	NoGrad       bool        // nothing is recorded
}

// ApplyWith is Apply with options.
func (m *Module) ApplyWith(options *RunOptions, data *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.RunOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.TensordictOut, o.Interaction = options.Into.raw0(), raw.Interaction(options.Interaction)
			o.SkipExisting, o.NoGrad = flag(options.SkipExisting), flag(options.NoGrad)
		}
		return raw.ModuleRun(m.p, data.raw0(), o, out, c.err)
	})
}

// Dispatch calls a module that has keys with values: by position in the order of the in-keys, or Named by the name of
// the key, whose parts are joined by separator ("_" if empty). If the first value is a dict, it is the data. It returns
// the values of the out-keys: tensors, dicts and data.
func (m *Module) Dispatch(separator string, args ...any) ([]any, error) {
	const capacity = 64
	var made []any
	err := do(func(c *call) raw.Status {
		in, n, named, nNamed, bad := c.values(args)
		if bad != nil {
			return c.fail(bad)
		}
		out, count := many[raw.Value](c, capacity), one[uint](c)
		status := raw.ModuleDispatch(m.p, in, n, named, nNamed, c.optional(separator), first(out), capacity, count, c.err)
		if status == raw.OK {
			for _, v := range out[:*count] {
				made = append(made, takeValue(v))
			}
		}
		return status
	})
	return made, err
}

// A ValuesFunc takes and returns anything that a dict can hold: tensors, dicts, *Data, and nil for a key that the dict
// lacks. What it gets is closed afterwards, and what it returns is given away; a number becomes a tensor without dims.
type ValuesFunc func(args []any, named map[string]any) ([]any, error)

// ModuleFromValues makes a module of such a function.
func ModuleFromValues(fn ValuesFunc) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		f := one[raw.ValuesFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), valuesFunction, destroyFunction, userdata(fn)
		return raw.ModuleFromValues(f, out, c.err)
	})
}

// ModuleFromParams makes a module whose members are the tensors of a dict, for modules that read keys, ensembles and
// optimizers; it cannot be called.
func ModuleFromParams(params *Dict) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		return raw.ModuleFromParams(params.raw0(), out, c.err)
	})
}

// A Randomness says what random operators do inside of a vmap.
type Randomness int32

// They fail; each member draws its own numbers; all get the same.
const (
	NoRandomness        = Randomness(raw.RANDOMNESS_ERROR)
	DifferentRandomness = Randomness(raw.RANDOMNESS_DIFFERENT)
	SameRandomness      = Randomness(raw.RANDOMNESS_SAME)
)

// ModuleVmapOptions may be nil.
type ModuleVmapOptions struct {
	Randomness Randomness
	MapData    bool // every member gets its part of the data, along DataDim
	DataDim    int32
}

// Vmap runs the module once for each of the states that StackModules made. The result is a new dict with a batch dim for
// the states before those of the data.
func (m *Module) Vmap(states, data *Dict, options *ModuleVmapOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.VmapOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Randomness, o.MapData, o.DataDim = raw.Randomness(options.Randomness), flag(options.MapData), options.DataDim
		}
		return raw.ModuleVmap(m.p, states.raw0(), data.raw0(), o, out, c.err)
	})
}
