package tensordict

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// double makes a module that doubles the entry in.
func double(t *testing.T, in, out string) *Module {
	t.Helper()
	return must[*Module](t)(FuncModule(func(x []*Tensor) ([]*Tensor, error) {
		y, err := x[0].Op("mul", 2)
		return []*Tensor{y}, err
	}, []Key{K(in)}, []Key{K(out)}))
}

func withX(t *testing.T, values ...float64) *Dict {
	t.Helper()
	td := must[*Dict](t)(New(int64(len(values))))
	x := must[*Tensor](t)(FromSlice(values))
	defer x.Close()
	check(t, td.Set(x, "x"))
	return td
}

func expect(t *testing.T, td *Dict, key string, want ...float64) {
	t.Helper()
	x := must[*Tensor](t)(td.Get(key))
	defer x.Close()
	if got := must[[]float64](t)(ToSlice[float64](x)); !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %v, not %v", key, got, want)
	}
}

func TestSequential(t *testing.T) {
	noLeak(t)
	first, second := double(t, "x", "y"), double(t, "y", "z")
	defer first.Close()
	defer second.Close()
	both := must[*Module](t)(Sequential(first, second))
	defer both.Close()
	if keys := must[[]Key](t)(both.InKeys()); !reflect.DeepEqual(keys, []Key{K("x")}) {
		t.Error(keys)
	}
	td := withX(t, 1, -3)
	defer td.Close()
	check(t, both.Run(td))
	expect(t, td, "z", 4, -12)
	empty := must[*Dict](t)(New(2))
	defer empty.Close()
	if err := both.Run(empty); !errors.Is(err, ErrKey) || empty.Count() != 0 {
		t.Error(err, empty)
	}
}

func TestWrap(t *testing.T) {
	noLeak(t)
	own := errors.New("own")
	fail := false
	module := must[*Module](t)(Wrap(func(d *Dict) (*Dict, error) {
		if fail {
			return nil, own
		}
		x, err := d.Get("x")
		if err != nil {
			return nil, err
		}
		defer x.Close()
		y, err := x.Op("add", 1)
		if err != nil {
			return nil, err
		}
		defer y.Close()
		return nil, d.Set(y, "y")
	}, true, []Key{K("x")}, []Key{K("y")}))
	defer module.Close()
	td := withX(t, 1, 2)
	defer td.Close()
	check(t, module.Run(td))
	expect(t, td, "y", 2, 3)
	fail = true
	if err := module.Run(td); !errors.Is(err, own) || !errors.Is(err, ErrCallback) {
		t.Error(err)
	}
}

// Each copy of an ensemble has parameters of its own.
func TestEnsemble(t *testing.T) {
	noLeak(t)
	generator := must[*Generator](t)(NewGenerator(0))
	defer generator.Close()
	inner := must[*Module](t)(NewModule("td.linear", `{"in_features": 3, "out_features": 2}`, generator))
	defer inner.Close()
	net := must[*Module](t)(TensorDictModule(inner, []Key{K("x")}, []Key{K("y")}))
	defer net.Close()
	all := must[*Module](t)(Ensemble(net, 4, true, generator))
	defer all.Close()
	x := must[*Tensor](t)(Randn(generator, Float32, 5, 3))
	defer x.Close()
	td := must[*Dict](t)(New(5))
	defer td.Close()
	check(t, td.Set(x, "x"))
	out := must[*Dict](t)(all.Apply(td))
	defer out.Close()
	y := must[*Tensor](t)(out.Get("y"))
	defer y.Close()
	if got := y.Shape(); !reflect.DeepEqual(got, []int64{4, 5, 2}) {
		t.Fatal(got)
	}
	values := must[[]float32](t)(ToSlice[float32](y))
	if reflect.DeepEqual(values[:10], values[10:20]) {
		t.Error("two members are the same")
	}
}

// With each optimizer, the sum of squares falls; the first step of SGD is that of the formula.
func TestOptimizers(t *testing.T) {
	noLeak(t)
	makers := map[string]func(*Dict) (*Optimizer, error){
		"SGD":   func(d *Dict) (*Optimizer, error) { return SGD(d, &SGDOptions{LR: 0.1, Momentum: 0.5}) },
		"Adam":  func(d *Dict) (*Optimizer, error) { return Adam(d, &AdamOptions{LR: 0.1}) },
		"AdamW": func(d *Dict) (*Optimizer, error) { return AdamW(d, &AdamOptions{LR: 0.1, WeightDecay: 0.1}) },
	}
	for name, make := range makers {
		params := withX(t, 1, -2)
		x := must[*Tensor](t)(params.Get("x"))
		check(t, x.SetRequiresGrad(true))
		o := must[*Optimizer](t)(make(params))
		step := func() float64 {
			check(t, o.ZeroGrad())
			square := must[*Tensor](t)(x.Op("mul", x))
			defer square.Close()
			loss := must[*Tensor](t)(square.Op("sum"))
			defer loss.Close()
			check(t, loss.Backward())
			check(t, o.Step())
			return must[any](t)(loss.Item()).(float64)
		}
		first := step()
		if name == "SGD" {
			values := must[*Tensor](t)(x.Detach())
			got := must[[]float64](t)(ToSlice[float64](values))
			values.Close()
			if math.Abs(got[0]-0.8) > 1e-12 || math.Abs(got[1]+1.6) > 1e-12 {
				t.Error(got)
			}
		}
		if second := step(); first != 5 || second >= first {
			t.Errorf("%s: %v, then %v", name, first, second)
		}
		state := must[*Dict](t)(o.State())
		check(t, o.Set(0, "lr", 0.25))
		if lr := must[float64](t)(o.Get(0, "lr")); lr != 0.25 {
			t.Error(lr)
		}
		check(t, o.LoadState(state))
		if lr := must[float64](t)(o.Get(0, "lr")); lr != 0.1 {
			t.Errorf("%s: lr %v after loading", name, lr)
		}
		state.Close()
		if _, err := o.Get(0, "no such setting"); err == nil {
			t.Error("no error for an unknown setting")
		}
		o.Close()
		x.Close()
		params.Close()
	}
}

func TestHashFromFunc(t *testing.T) {
	noLeak(t)
	own := errors.New("own")
	fail := false
	hash := must[*Hash](t)(HashFromFunc(func(rows *Tensor) (*Tensor, error) {
		if fail {
			return nil, own
		}
		return rows.Op("sum", []int64{1})
	}))
	defer hash.Close()
	rows := must[*Tensor](t)(FromSlice([]int64{1, 2, 3, 4}, 2, 2))
	defer rows.Close()
	made := must[*Tensor](t)(hash.Of(rows))
	defer made.Close()
	if got := must[[]int64](t)(ToSlice[int64](made)); !reflect.DeepEqual(got, []int64{3, 7}) {
		t.Error(got)
	}
	fail = true
	if _, err := hash.Of(rows); !errors.Is(err, own) {
		t.Error(err)
	}
}

func TestLoadPluginThatIsNone(t *testing.T) {
	noLeak(t)
	file := filepath.Join(t.TempDir(), "plugin.so")
	if err := LoadPlugin(file); err == nil {
		t.Error("a missing file was loaded")
	}
	check(t, os.WriteFile(file, []byte("no library"), 0o644))
	var failure *Error
	if err := LoadPlugin(file); !errors.As(err, &failure) || !strings.Contains(failure.Message, "plugin.so") {
		t.Error(err)
	}
}

// A library of another ABI is refused, and so is a directory without one; every function says so.
func TestOtherLibraries(t *testing.T) {
	if os.Getenv("TD_GO_CHILD") != "" {
		_, err := New(2)
		if !errors.Is(err, ErrVersion) || !errors.Is(Load(), ErrVersion) {
			t.Fatal("no error: ", err)
		}
		os.Stdout.WriteString(err.Error())
		return
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	other := t.TempDir()
	source := filepath.Join(other, "other.c")
	check(t, os.WriteFile(source, []byte("int td_abi_version(void) { return 99; }\n"), 0o644))
	names := []string{"libtensordict.so.2", "libtensordict.2.dylib"}
	for _, name := range names {
		built, err := exec.Command(compiler, "-shared", "-fPIC", "-o", filepath.Join(other, name), source).CombinedOutput()
		if err != nil {
			t.Fatal(err, string(built))
		}
	}
	for directory, want := range map[string]string{other: "has ABI 99", t.TempDir(): "was not found"} {
		child := exec.Command(os.Args[0], "-test.run=^TestOtherLibraries$")
		child.Env = append(os.Environ(), "TD_GO_CHILD=1", "TENSORDICT_LIB_DIR="+directory)
		said, err := child.CombinedOutput()
		if err != nil || !strings.Contains(string(said), want) || !strings.Contains(string(said), "TENSORDICT_LIB_DIR") {
			t.Errorf("%v: %s", err, said)
		}
	}
}
