package tensordict

import "tensordict/raw"

// A HookCall is what a forward hook sees, for the time of the hook: Data, and Result after the run, if the module runs on
// a dict; Inputs, and Outputs after the run, if it runs on tensors.
type HookCall struct {
	Data, Result    *Dict
	Inputs, Outputs []*Tensor
	p               *raw.HookCall
}

// SetData replaces the dict that the module gets, SetResult the one that it gives. Replacements take place when the hook
// has returned no error.
func (h *HookCall) SetData(d *Dict) error {
	return do(func(c *call) raw.Status { return raw.HookCallSetData(h.p, d.raw0(), c.err) })
}

// SetResult replaces the dict that the module gives.
func (h *HookCall) SetResult(d *Dict) error {
	return do(func(c *call) raw.Status { return raw.HookCallSetResult(h.p, d.raw0(), c.err) })
}

// SetInput replaces an input.
func (h *HookCall) SetInput(index int64, t *Tensor) error {
	return do(func(c *call) raw.Status { return raw.HookCallSetInput(h.p, index, t.raw0(), c.err) })
}

// SetOutput replaces an output.
func (h *HookCall) SetOutput(index int64, t *Tensor) error {
	return do(func(c *call) raw.Status { return raw.HookCallSetOutput(h.p, index, t.raw0(), c.err) })
}

// A ForwardHook runs before or after a module. What it gets is closed afterwards.
type ForwardHook func(module *Module, call *HookCall) error

// HookFlags say where a hook is added, and may be joined with |.
type HookFlags uint64

// Before the existing hooks; for a hook after the module: also if the module fails.
const (
	Prepend    = HookFlags(raw.HOOK_PREPEND)
	AlwaysCall = HookFlags(raw.HOOK_ALWAYS_CALL)
)

// A HookID is for RemoveHook.
type HookID uint64

func toHookID(id uint64) HookID {
	return HookID(id)
}

type adding func(*raw.Module, *raw.ForwardHook, raw.HookFlags, *uint64, **raw.Error) raw.Status

func (m *Module) addForward(add adding, hook ForwardHook, flags []HookFlags) (HookID, error) {
	return give(toHookID, func(c *call, out *uint64) raw.Status {
		h := one[raw.ForwardHook](c)
		h.StructSize, h.Fn, h.Destroy, h.Userdata = structSize(h), forwardHookFunction, destroyFunction, userdata(hook)
		return add(m.p, h, hookFlags(flags), out, c.err)
	})
}

func hookFlags(flags []HookFlags) (all raw.HookFlags) {
	for _, flag := range flags {
		all |= raw.HookFlags(flag)
	}
	return
}

// AddForwardPreHook adds a hook that runs before the module.
func (m *Module) AddForwardPreHook(hook ForwardHook, flags ...HookFlags) (HookID, error) {
	return m.addForward(raw.ModuleAddForwardPreHook, hook, flags)
}

// AddForwardHook adds a hook that runs after the module.
func (m *Module) AddForwardHook(hook ForwardHook, flags ...HookFlags) (HookID, error) {
	return m.addForward(raw.ModuleAddForwardHook, hook, flags)
}

// A StateHook sees a flat state dict, and may edit it. prefix is that of the module in it.
type StateHook func(module *Module, state *Dict, prefix string) error

// A StateHookKind says when a state hook runs.
type StateHookKind int32

// Before and after StateDict; before LoadStateDict, and when all its problems are known and nothing is loaded yet.
const (
	BeforeStateDict = StateHookKind(raw.STATE_HOOK_STATE_DICT_PRE)
	AfterStateDict  = StateHookKind(raw.STATE_HOOK_STATE_DICT)
	BeforeLoad      = StateHookKind(raw.STATE_HOOK_LOAD_STATE_DICT_PRE)
	AfterLoad       = StateHookKind(raw.STATE_HOOK_LOAD_STATE_DICT)
)

// AddStateHook adds a hook that runs in StateDict or LoadStateDict for this module; the only flag is Prepend.
func (m *Module) AddStateHook(kind StateHookKind, hook StateHook, flags ...HookFlags) (HookID, error) {
	return give(toHookID, func(c *call, out *uint64) raw.Status {
		h := one[raw.StateHook](c)
		h.StructSize, h.Fn, h.Destroy, h.Userdata = structSize(h), stateHookFunction, destroyFunction, userdata(hook)
		return raw.ModuleAddStateHook(m.p, raw.StateHookKind(kind), h, hookFlags(flags), out, c.err)
	})
}

// A BackwardCall is what a backward hook sees, for the time of the hook; nil means no gradient. A pre-hook gets only the
// gradients of the outputs.
type BackwardCall struct {
	GradInputs, GradOutputs []*Tensor
	p                       *raw.BackwardCall
}

// SetGradInput replaces the gradient of an input, in a hook.
func (b *BackwardCall) SetGradInput(index int64, grad *Tensor) error {
	return do(func(c *call) raw.Status { return raw.BackwardCallSetGradInput(b.p, index, grad.raw0(), c.err) })
}

// SetGradOutput replaces the gradient of an output, in a pre-hook.
func (b *BackwardCall) SetGradOutput(index int64, grad *Tensor) error {
	return do(func(c *call) raw.Status { return raw.BackwardCallSetGradOutput(b.p, index, grad.raw0(), c.err) })
}

// A BackwardHook runs when gradients are computed through a module, on the thread that computes them.
type BackwardHook func(module *Module, call *BackwardCall) error

type addingBackward func(*raw.Module, *raw.BackwardHook, raw.HookFlags, *uint64, **raw.Error) raw.Status

func (m *Module) addBackward(add addingBackward, hook BackwardHook, flags []HookFlags) (HookID, error) {
	return give(toHookID, func(c *call, out *uint64) raw.Status {
		h := one[raw.BackwardHook](c)
		h.StructSize, h.Fn, h.Destroy, h.Userdata = structSize(h), backwardHookFunction, destroyFunction, userdata(hook)
		return add(m.p, h, hookFlags(flags), out, c.err)
	})
}

// AddBackwardPreHook adds a hook that runs when the gradients of all outputs are ready; the only flag is Prepend.
func (m *Module) AddBackwardPreHook(hook BackwardHook, flags ...HookFlags) (HookID, error) {
	return m.addBackward(raw.ModuleAddBackwardPreHook, hook, flags)
}

// AddBackwardHook adds a hook that runs when the gradients of all inputs are ready; the only flag is Prepend.
func (m *Module) AddBackwardHook(hook BackwardHook, flags ...HookFlags) (HookID, error) {
	return m.addBackward(raw.ModuleAddBackwardHook, hook, flags)
}

// RemoveHook removes a hook; calls that have begun still run it.
func (m *Module) RemoveHook(id HookID) error {
	return do(func(c *call) raw.Status { return raw.ModuleRemoveHook(m.p, uint64(id), c.err) })
}
