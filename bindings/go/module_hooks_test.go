package tensordict

import (
	"errors"
	"testing"
)

func TestForwardHooks(t *testing.T) {
	noLeak(t)
	module := must[*Module](t)(ModuleFromFunc(func(x []*Tensor) ([]*Tensor, error) {
		y, err := x[0].Op("mul", 2)
		return []*Tensor{y}, err
	}))
	defer module.Close()
	x := must[*Tensor](t)(Scalar(3.0))
	defer x.Close()
	call := func() (float64, error) {
		out, err := module.Call(1, x)
		if err != nil {
			return 0, err
		}
		defer closeAll(out)
		return must[any](t)(out[0].Item()).(float64), nil
	}
	before := must[HookID](t)(module.AddForwardPreHook(func(_ *Module, h *HookCall) error {
		y, err := h.Inputs[0].Op("add", 1)
		if err != nil {
			return err
		}
		defer y.Close()
		return h.SetInput(0, y)
	}))
	after := must[HookID](t)(module.AddForwardHook(func(_ *Module, h *HookCall) error {
		y, err := h.Outputs[0].Op("neg")
		if err != nil {
			return err
		}
		defer y.Close()
		return h.SetOutput(0, y)
	}))
	if got, err := call(); err != nil || got != -8 {
		t.Error(got, err)
	}
	check(t, module.RemoveHook(before))
	if got, err := call(); err != nil || got != -6 {
		t.Error(got, err)
	}
	check(t, module.RemoveHook(after))
	own := errors.New("own")
	failing := must[HookID](t)(module.AddForwardHook(func(*Module, *HookCall) error { return own }))
	if _, err := call(); !errors.Is(err, own) {
		t.Error(err)
	}
	check(t, module.RemoveHook(failing))
	if err := module.RemoveHook(failing); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestStateHook(t *testing.T) {
	noLeak(t)
	net := linear(t, "2", "1")
	defer net.Close()
	must[HookID](t)(net.AddStateHook(AfterStateDict, func(_ *Module, state *Dict, prefix string) error {
		return state.Delete(prefix + "bias")
	}))
	state := must[*Dict](t)(net.StateDict("p.", false))
	defer state.Close()
	if state.Count() != 1 || !state.Has("p.weight") {
		t.Error(state)
	}
}

func TestBackwardHook(t *testing.T) {
	noLeak(t)
	net := linear(t, "2", "1")
	defer net.Close()
	seen := 0
	must[HookID](t)(net.AddBackwardHook(func(_ *Module, b *BackwardCall) error {
		seen++
		grad, err := b.GradInputs[0].Op("zeros_like")
		if err != nil {
			return err
		}
		defer grad.Close()
		return b.SetGradInput(0, grad)
	}))
	x := must[*Tensor](t)(Ones(Float32, 1, 2))
	defer x.Close()
	check(t, x.SetRequiresGrad(true))
	out := must[[]*Tensor](t)(net.Call(1, x))
	defer closeAll(out)
	sum := must[*Tensor](t)(out[0].Op("sum"))
	defer sum.Close()
	check(t, sum.Backward())
	grad := must[*Tensor](t)(x.Grad())
	defer grad.Close()
	if got := must[[]float32](t)(ToSlice[float32](grad)); seen != 1 || got[0] != 0 || got[1] != 0 {
		t.Error(seen, got)
	}
}

// Arguments by name and data as arguments and results.
func TestModuleFromValues(t *testing.T) {
	noLeak(t)
	inner := must[*Module](t)(ModuleFromValues(func(args []any, named map[string]any) ([]any, error) {
		if named["absent"] != nil {
			return nil, errors.New("there is one")
		}
		y, err := named["x"].(*Tensor).Op("add", 1)
		return []any{y, "as " + named["text"].(*Data).Value().(string), 3.5}, err
	}))
	defer inner.Close()
	module := must[*Module](t)(TensorDictModuleWith(&TensorDictOptions{ArgumentNames: []string{"x", "text", "absent"}}, inner,
		[]Key{K("x"), K("t"), K("z")}, []Key{K("y"), K("u"), K("n")}))
	defer module.Close()
	data := withX(t, 1, 2)
	defer data.Close()
	check(t, data.SetBatchSize())
	check(t, data.Set("told", "t"))
	check(t, module.Run(data))
	expect(t, data, "y", 2, 3)
	if got := must[*Data](t)(data.GetData("u")).Value(); got != "as told" {
		t.Error(got)
	}
	n := must[*Tensor](t)(data.Get("n"))
	defer n.Close()
	if got := must[any](t)(n.Item()); got != 3.5 {
		t.Error(got)
	}
}
