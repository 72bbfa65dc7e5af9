package tensordict

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

func linear(t *testing.T, in, out string) *Module {
	t.Helper()
	return must[*Module](t)(NewModule("td.linear", `{"in_features": `+in+`, "out_features": `+out+`}`, nil))
}

func TestModuleTree(t *testing.T) {
	noLeak(t)
	first, second := linear(t, "2", "3"), linear(t, "3", "1")
	defer first.Close()
	defer second.Close()
	net := must[*Module](t)(ChainNamed([]string{"in", "out"}, first, second))
	defer net.Close()
	names, tensors, err := net.Parameters(nil)
	check(t, err)
	defer closeAll(tensors)
	if !reflect.DeepEqual(names, []Key{K("in", "weight"), K("in", "bias"), K("out", "weight"), K("out", "bias")}) {
		t.Error(names)
	}
	weight := must[*Tensor](t)(net.Parameter("out", "weight"))
	defer weight.Close()
	if !weight.Same(tensors[2]) || net.Size() != 2 {
		t.Error("another parameter")
	}
	var visited []string
	check(t, net.Visit(VisitModules, nil, func(name Key, m *Module) error {
		visited = append(visited, name.String()+":"+must[string](t)(m.TypeName()))
		return nil
	}))
	if len(visited) != 3 || visited[1] != "in:td.linear" {
		t.Error(visited)
	}
	own := errors.New("enough")
	if err := net.Visit(VisitChildren, nil, func(Key, *Module) error { return own }); err != own {
		t.Error(err)
	}
	if _, err := net.Parameter("in", "nothing"); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	check(t, second.SetRequiresGrad(false))
	if weight.RequiresGrad() {
		t.Error("requires grad")
	}
	extra := must[*Tensor](t)(Ones(Float32, 2))
	defer extra.Close()
	check(t, net.RegisterBuffer("extra", extra, true))
	if err := net.RegisterBuffer("extra", extra, true); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	state := must[*Dict](t)(net.StateDict("net.", false))
	defer state.Close()
	if keys := must[[]Key](t)(state.Keys()); len(keys) != 5 || !slices.Contains(flat(keys), "net.extra") {
		t.Error(keys)
	}
}

func flat(keys []Key) (out []string) {
	for _, key := range keys {
		out = append(out, key.String())
	}
	return
}

func TestStateDicts(t *testing.T) {
	noLeak(t)
	from, to := linear(t, "2", "1"), linear(t, "2", "1")
	defer from.Close()
	defer to.Close()
	state := must[*Dict](t)(from.StateDict("", false))
	defer state.Close()
	if missing, unexpected, err := to.LoadStateDict(state, nil); err != nil || len(missing)+len(unexpected) != 0 {
		t.Error(missing, unexpected, err)
	}
	if equal, difference, err := must[*Tensor](t)(from.Parameter("weight")).closing(t).Equal(
		must[*Tensor](t)(to.Parameter("weight")).closing(t), nil); err != nil || !equal {
		t.Error(difference, err)
	}
	check(t, state.Delete("bias"))
	if _, _, err := to.LoadStateDict(state, nil); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	missing, _, err := to.LoadStateDict(state, &LoadOptions{Lenient: true})
	if err != nil || !reflect.DeepEqual(missing, []Key{K("bias")}) {
		t.Error(missing, err)
	}
	both := must[*Dict](t)(FromModules(nil, from, to))
	defer both.Close()
	if !reflect.DeepEqual(both.BatchSize(), []int64{2}) || !both.IsLocked() {
		t.Error(both)
	}
}

// closing closes a tensor at the end of the test.
func (x *Tensor) closing(t *testing.T) *Tensor {
	t.Cleanup(func() { x.Close() })
	return x
}

func TestExtraState(t *testing.T) {
	noLeak(t)
	net := linear(t, "1", "1")
	defer net.Close()
	var loaded any
	own := errors.New("not this")
	var refuse error
	check(t, net.SetExtraState(ExtraState{
		Get: func(_ *Module, state *Dict) error { return state.Set("first", "_extra_state") },
		Set: func(_ *Module, state *Dict) error {
			data, err := state.GetData("_extra_state")
			if err == nil {
				loaded = data.Value()
			}
			return errors.Join(err, refuse)
		},
	}))
	state := must[*Dict](t)(net.StateDict("", false))
	defer state.Close()
	if _, _, err := net.LoadStateDict(state, nil); err != nil || loaded != "first" {
		t.Error(loaded, err)
	}
	refuse = own
	if _, _, err := net.LoadStateDict(state, nil); !errors.Is(err, own) {
		t.Error(err)
	}
	check(t, net.SetExtraState(ExtraState{}))
}

func TestWithParams(t *testing.T) {
	noLeak(t)
	net := linear(t, "2", "1")
	defer net.Close()
	params := must[*Dict](t)(net.Params())
	defer params.Close()
	zeros := must[*Dict](t)(params.Clone())
	defer zeros.Close()
	check(t, NoGrad(func() error { return zeros.Zero() }))
	x := must[*Tensor](t)(Ones(Float32, 1, 2))
	defer x.Close()
	check(t, net.WithParams(zeros, false, func() error {
		out, err := net.Call(1, x)
		if err != nil {
			return err
		}
		defer closeAll(out)
		plain := must[*Tensor](t)(out[0].Detach())
		defer plain.Close()
		if got := must[[]float32](t)(ToSlice[float32](plain)); got[0] != 0 {
			t.Error(got)
		}
		return nil
	}))
}
