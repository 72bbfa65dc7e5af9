package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Module computes entries of dicts from other entries, or tensors from tensors.
type Module struct {
	handle[raw.Module]
}

func newModule(p *raw.Module) *Module {
	m := new(Module)
	m.hold(p, raw.ModuleRelease)
	return m
}

func (m *Module) raw0() *raw.Module {
	if m == nil {
		return nil
	}
	return m.p
}

func makeModule(fn func(c *call, out **raw.Module) raw.Status) (*Module, error) {
	return give(newModule, fn)
}

// NewModule makes a module of a type, "Linear" or "MLP", from a JSON object. A nil generator is LibTorch's own.
func NewModule(kind, config string, generator *Generator) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		return raw.ModuleNew(c.str(kind), c.optional(config), generator.raw0(), out, c.err)
	})
}

// A Func computes tensors from tensors. What it gets is closed afterwards, and what it returns is given away: Share what
// you keep. It may run on several goroutines at once.
type Func func(inputs []*Tensor) ([]*Tensor, error)

// ModuleFromFunc makes a module of tensors of a function.
func ModuleFromFunc(fn Func) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		f := one[raw.ModuleFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), moduleFunction, destroyFunction, userdata(fn)
		return raw.ModuleFromFunction(f, out, c.err)
	})
}

// A DictFunc works on a dict, and returns another one, or nil for the same one.
type DictFunc func(data *Dict) (*Dict, error)

// Wrap makes a module with keys of a function over dicts.
func Wrap(fn DictFunc, inPlace bool, in, out []Key) (*Module, error) {
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		f := one[raw.DictFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), dictFunction, destroyFunction, userdata(fn)
		inKeys, nIn := c.keys(in)
		outKeys, nOut := c.keys(out)
		return raw.ModuleWrap(f, flag(inPlace), inKeys, nIn, outKeys, nOut, made, c.err)
	})
}

// TensorDictModule makes a module that reads the entries in, and writes those of out, with another module of tensors.
func TensorDictModule(inner *Module, in, out []Key) (*Module, error) {
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		inKeys, nIn := c.keys(in)
		outKeys, nOut := c.keys(out)
		return raw.ModuleTensordict(inner.raw0(), inKeys, nIn, outKeys, nOut, nil, made, c.err)
	})
}

// FuncModule makes a module with keys of a function over tensors.
func FuncModule(fn Func, in, out []Key) (*Module, error) {
	inner, err := ModuleFromFunc(fn)
	if err != nil {
		return nil, err
	}
	defer inner.Close()
	return TensorDictModule(inner, in, out)
}

// Sequential runs modules with keys one after the other.
func Sequential(modules ...*Module) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		return raw.ModuleSequential(p, n, nil, out, c.err)
	})
}

// Chain runs modules of tensors one after the other.
func Chain(modules ...*Module) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		return raw.ModuleChain(p, n, nil, out, c.err)
	})
}

// Ensemble makes copies of a module that run as one. With expandInput each copy gets the same input.
func Ensemble(module *Module, copies int64, expandInput bool, generator *Generator) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		return raw.ModuleEnsemble(module.raw0(), copies, flag(expandInput), generator.raw0(), out, c.err)
	})
}

// Run reads and writes entries of data.
func (m *Module) Run(data *Dict) error {
	return do(func(c *call) raw.Status { return raw.ModuleForward(m.p, data.raw0(), c.err) })
}

// Apply runs a module with keys and returns the dict with the outputs: data itself, or, of an ensemble, a new one.
func (m *Module) Apply(data *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.ModuleRun(m.p, data.raw0(), nil, out, c.err) })
}

// RunWithState is Run with other parameters.
func (m *Module) RunWithState(state, data *Dict) error {
	return do(func(c *call) raw.Status { return raw.ModuleForwardWithState(m.p, state.raw0(), data.raw0(), c.err) })
}

// Call runs a module of tensors, which returns as many as outputs says.
func (m *Module) Call(outputs int, inputs ...*Tensor) ([]*Tensor, error) {
	c := begin()
	defer c.end()
	in, n := pointers(c, inputs, (*Tensor).raw0)
	out := many[*raw.Tensor](c, outputs)
	err := c.check(raw.ModuleCall(m.p, in, n, first(out), uint(outputs), c.err))
	runtime.KeepAlive(m)
	runtime.KeepAlive(inputs)
	if err != nil {
		return nil, err
	}
	made := make([]*Tensor, outputs)
	for i, p := range out {
		made[i] = newTensor(p)
	}
	return made, nil
}

// Train sets the mode of training, or of evaluation.
func (m *Module) Train(training bool) error {
	return do(func(c *call) raw.Status { return raw.ModuleTrain(m.p, flag(training), c.err) })
}

// IsTraining tells the mode.
func (m *Module) IsTraining() bool {
	defer runtime.KeepAlive(m)
	return truth(raw.ModuleIsTraining(m.p))
}

// InKeys are the entries that the module reads.
func (m *Module) InKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleInKeys(m.p, out, c.err) })
}

// OutKeys are the entries that the module writes.
func (m *Module) OutKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleOutKeys(m.p, out, c.err) })
}

// Params are the parameters and buffers as a dict that shares them.
func (m *Module) Params() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictFromModule(m.p, out, c.err) })
}

// ZeroGrad clears the gradients.
func (m *Module) ZeroGrad(toNone bool) error {
	return do(func(c *call) raw.Status { return raw.ModuleZeroGrad(m.p, flag(toNone), c.err) })
}

// Share makes one more reference to the same module.
func (m *Module) Share() *Module {
	raw.ModuleRetain(m.p)
	return newModule(m.p)
}

// String is what Python prints.
func (m *Module) String() string {
	shown, err := give(takeString, func(c *call, out **raw.String) raw.Status { return raw.ModuleRepr(m.p, out, c.err) })
	if err != nil {
		return "Module(" + err.Error() + ")"
	}
	return shown
}

// NoGrad runs fn without recording operations for autograd, on this goroutine and its thread.
func NoGrad(fn func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	word := userdata(fn)
	defer drop(word)
	err := do(func(c *call) raw.Status { return raw.NoGradRun(runFunction, word, c.err) })
	return ownError(err)
}

// ownError is what a function of the caller returned, without what the library says about it.
func ownError(err error) error {
	if e, ok := err.(*Error); ok && e.Status == ErrCallback && e.Cause != nil {
		return e.Cause
	}
	return err
}
