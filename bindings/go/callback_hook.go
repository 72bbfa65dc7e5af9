package tensordict

/*
#include <stddef.h>
#include <stdint.h>

extern int32_t tdGoVisit(void *userdata, void *name, void *module, void *err);
extern int32_t tdGoForwardHook(void *userdata, void *module, void *call, void *err);
extern int32_t tdGoBackwardHook(void *userdata, void *module, void *call, void *err);
extern int32_t tdGoStateHook(void *userdata, void *module, void *state, char *prefix, size_t size, void *err);
extern int32_t tdGoExtraGet(void *userdata, void *module, void *state, void *err);
extern int32_t tdGoExtraSet(void *userdata, void *module, void *state, void *err);

typedef struct td_go_text {
  char *data;
  size_t size;
} td_go_text;
static inline int32_t td_go_state_hook(void *userdata, void *module, void *state, td_go_text prefix, void *err) {
  return tdGoStateHook(userdata, module, state, prefix.data, prefix.size, err);
}
static inline void *td_go_state_hook_function(void) { return (void *)td_go_state_hook; }
*/
import "C"

import (
	"unsafe"

	"tensordict/raw"
)

var (
	visitFunction        = unsafe.Pointer(C.tdGoVisit)
	forwardHookFunction  = unsafe.Pointer(C.tdGoForwardHook)
	backwardHookFunction = unsafe.Pointer(C.tdGoBackwardHook)
	stateHookFunction    = C.td_go_state_hook_function()
	extraGetFunction     = unsafe.Pointer(C.tdGoExtraGet)
	extraSetFunction     = unsafe.Pointer(C.tdGoExtraSet)
)

func lendModule(p unsafe.Pointer) *Module {
	m := (*raw.Module)(p)
	raw.ModuleRetain(m)
	return newModule(m)
}

// lendAny is lend for an array of which elements, or all, may be NULL.
func lendAny(tensors **raw.Tensor, n uint) []*Tensor {
	if tensors == nil {
		return nil
	}
	out := make([]*Tensor, n)
	for i, p := range unsafe.Slice(tensors, n) {
		if p != nil {
			raw.TensorRetain(p)
			out[i] = newTensor(p)
		}
	}
	return out
}

func lendAnyDict(p *raw.Dict) *Dict {
	if p == nil {
		return nil
	}
	return lendDict(unsafe.Pointer(p))
}

//export tdGoVisit
func tdGoVisit(userdata, name, module, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		m := lendModule(module)
		defer m.Close()
		return behind[Visitor](userdata)(keyOf((*raw.Key)(name)), m)
	})
}

//export tdGoForwardHook
func tdGoForwardHook(userdata, module, call, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		m := lendModule(module)
		defer m.Close()
		p := (*raw.HookCall)(call)
		seen := &HookCall{lendAnyDict(p.Data), lendAnyDict(p.Result), lendAny(p.Inputs, p.NInputs),
			lendAny(p.Outputs, p.NOutputs), p}
		defer func() {
			seen.Data.closeIfAny()
			seen.Result.closeIfAny()
			closeAll(seen.Inputs)
			closeAll(seen.Outputs)
			seen.p = nil
		}()
		return behind[ForwardHook](userdata)(m, seen)
	})
}

func (d *Dict) closeIfAny() {
	if d != nil {
		d.Close()
	}
}

//export tdGoBackwardHook
func tdGoBackwardHook(userdata, module, call, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		m := lendModule(module)
		defer m.Close()
		p := (*raw.BackwardCall)(call)
		seen := &BackwardCall{lendAny(p.GradInputs, p.NInputs), lendAny(p.GradOutputs, p.NOutputs), p}
		defer func() {
			closeAll(seen.GradInputs)
			closeAll(seen.GradOutputs)
			seen.p = nil
		}()
		return behind[BackwardHook](userdata)(m, seen)
	})
}

func onState(module, state, err unsafe.Pointer, fn func(*Module, *Dict) error) C.int32_t {
	return failedBy(err, func() error {
		m, d := lendModule(module), lendDict(state)
		defer m.Close()
		defer d.Close()
		return fn(m, d)
	})
}

//export tdGoStateHook
func tdGoStateHook(userdata, module, state unsafe.Pointer, prefix *C.char, size C.size_t, err unsafe.Pointer) C.int32_t {
	return onState(module, state, err, func(m *Module, d *Dict) error {
		return behind[StateHook](userdata)(m, d, C.GoStringN(prefix, C.int(size)))
	})
}

//export tdGoExtraGet
func tdGoExtraGet(userdata, module, state, err unsafe.Pointer) C.int32_t {
	return onState(module, state, err, func(m *Module, d *Dict) error { return behind[ExtraState](userdata).Get(m, d) })
}

//export tdGoExtraSet
func tdGoExtraSet(userdata, module, state, err unsafe.Pointer) C.int32_t {
	return onState(module, state, err, func(m *Module, d *Dict) error { return behind[ExtraState](userdata).Set(m, d) })
}
