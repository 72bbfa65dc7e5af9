package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// ListOptions may be nil.
type ListOptions struct {
	Prefix         Key  // comes before every name
	Shallow        bool // without the modules below
	KeepDuplicates bool // what has several names is listed under each
}

func (c *call) listOptions(options *ListOptions) *raw.ListOptions {
	o := one[raw.ListOptions](c)
	o.StructSize = structSize(o)
	if options != nil {
		o.Prefix, o.Shallow = c.some(options.Prefix), flag(options.Shallow)
		o.KeepDuplicates = flag(options.KeepDuplicates)
	}
	return o
}

type moduleListing func(*raw.Module, *raw.ListOptions, **raw.Keys, **raw.TensorList, **raw.Error) raw.Status

func (m *Module) list(options *ListOptions, fn moduleListing) (names []Key, tensors []*Tensor, err error) {
	err = do(func(c *call) raw.Status {
		k, t := one[*raw.Keys](c), one[*raw.TensorList](c)
		status := fn(m.p, c.listOptions(options), k, t, c.err)
		if status == raw.OK {
			names, tensors = takeKeys(*k), takeTensors(*t)
		}
		return status
	})
	return
}

// Parameters lists the parameters with their names.
func (m *Module) Parameters(options *ListOptions) ([]Key, []*Tensor, error) {
	return m.list(options, raw.ModuleParameters)
}

// Buffers lists the buffers with their names.
func (m *Module) Buffers(options *ListOptions) ([]Key, []*Tensor, error) {
	return m.list(options, raw.ModuleBuffers)
}

// A VisitOrder says which modules Visit visits.
type VisitOrder int32

// All modules, each before those below it; the children; all modules, each after those below it and without names.
const (
	VisitModules  = VisitOrder(raw.VISIT_MODULES)
	VisitChildren = VisitOrder(raw.VISIT_CHILDREN)
	VisitApply    = VisitOrder(raw.VISIT_APPLY)
)

// A Visitor gets a module, which is closed afterwards, and its name: empty for the module itself.
type Visitor func(name Key, module *Module) error

// Visit calls fn for each module of the tree until it fails, and returns its error.
func (m *Module) Visit(order VisitOrder, options *ListOptions, fn Visitor) error {
	word := userdata(fn)
	defer drop(word)
	return ownError(do(func(c *call) raw.Status {
		return raw.ModuleVisit(m.p, raw.VisitOrder(order), c.listOptions(options), visitFunction, word, c.err)
	}))
}

// Parameter is the one with this name.
func (m *Module) Parameter(name ...string) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.ModuleGetParameter(m.p, c.key(name), out, c.err)
	})
}

// Buffer is the one with this name.
func (m *Module) Buffer(name ...string) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.ModuleGetBuffer(m.p, c.key(name), out, c.err)
	})
}

// Submodule is the one with this name; the module itself without a name.
func (m *Module) Submodule(name ...string) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		return raw.ModuleGetSubmodule(m.p, c.some(name), out, c.err)
	})
}

// SetParameter replaces a parameter; nil removes its value.
func (m *Module) SetParameter(value *Tensor, name ...string) error {
	return do(func(c *call) raw.Status { return raw.ModuleSetParameter(m.p, c.key(name), value.raw0(), c.err) })
}

// SetBuffer replaces a buffer; nil removes its value.
func (m *Module) SetBuffer(value *Tensor, name ...string) error {
	return do(func(c *call) raw.Status { return raw.ModuleSetBuffer(m.p, c.key(name), value.raw0(), c.err) })
}

// SetSubmodule adds or replaces a module.
func (m *Module) SetSubmodule(module *Module, name ...string) error {
	return do(func(c *call) raw.Status { return raw.ModuleSetSubmodule(m.p, c.key(name), module.raw0(), c.err) })
}

// RegisterParameter adds a parameter; nil is a name without a value yet.
func (m *Module) RegisterParameter(name string, value *Tensor) error {
	return do(func(c *call) raw.Status { return raw.ModuleRegisterParameter(m.p, c.str(name), value.raw0(), c.err) })
}

// RegisterBuffer adds a buffer; one that is not persistent is not part of a state dict.
func (m *Module) RegisterBuffer(name string, value *Tensor, persistent bool) error {
	return do(func(c *call) raw.Status {
		return raw.ModuleRegisterBuffer(m.p, c.str(name), value.raw0(), flag(persistent), c.err)
	})
}

// RegisterModule adds a module; nil is a name without a module yet.
func (m *Module) RegisterModule(name string, module *Module) error {
	return do(func(c *call) raw.Status { return raw.ModuleRegisterModule(m.p, c.str(name), module.raw0(), c.err) })
}

// HasKeys tells whether the module reads and writes keys.
func (m *Module) HasKeys() bool {
	defer runtime.KeepAlive(m)
	return truth(raw.ModuleHasKeys(m.p))
}

// TypeName is the type of the module: "td.mlp", or the name that String begins with.
func (m *Module) TypeName() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.ModuleTypeName(m.p, out, c.err) })
}

// Config is the JSON that NewModule makes a like module of; empty if no type made it.
func (m *Module) Config() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.ModuleConfig(m.p, out, c.err) })
}

// SetRequiresGrad sets whether all parameters require grad.
func (m *Module) SetRequiresGrad(on bool) error {
	return do(func(c *call) raw.Status { return raw.ModuleRequiresGrad_(m.p, flag(on), c.err) })
}

// To casts floating-point tensors and moves all; NoDType and an empty device keep what is there.
func (m *Module) To(dtype DType, device string) error {
	return do(func(c *call) raw.Status { return raw.ModuleTo(m.p, raw.Dtype(dtype), c.optional(device), c.err) })
}

// ToType casts all tensors, integers too.
func (m *Module) ToType(dtype DType) error {
	return do(func(c *call) raw.Status { return raw.ModuleToType(m.p, raw.Dtype(dtype), c.err) })
}

// ToEmpty replaces all tensors by uninitialised ones of the same shapes on a device: for a module on "meta".
func (m *Module) ToEmpty(device string) error {
	return do(func(c *call) raw.Status { return raw.ModuleToEmpty(m.p, c.str(device), c.err) })
}

// ShareMemory moves all tensors to memory that processes forked from now on share.
func (m *Module) ShareMemory() error {
	return do(func(c *call) raw.Status { return raw.ModuleShareMemory(m.p, c.err) })
}

// ResetParameters draws all parameters again, and returns how many modules had some. A nil generator is LibTorch's own.
func (m *Module) ResetParameters(generator *Generator) (int, error) {
	return give(func(n uint) int { return int(n) }, func(c *call, out *uint) raw.Status {
		return raw.ModuleResetParameters(m.p, nil, generator.raw0(), nil, out, c.err)
	})
}

// DrawParameters is ResetParameters into a dict of tensors, which are returned as leaves that require grad.
func (m *Module) DrawParameters(params *Dict, generator *Generator) (*Dict, error) {
	if params == nil {
		return nil, argument("no dict of parameters")
	}
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.ModuleResetParameters(m.p, params.raw0(), generator.raw0(), out, nil, c.err)
	})
}
