package replay

import (
	"fmt"

	td "tensordict"
)

func (v *vector) typed(kind, config string, seed uint64) *td.Module {
	return v.module(td.NewModule(kind, config, v.generator(td.NewGenerator(seed))))
}

// Sequential(Linear(2, 3), ReLU, Sequential(BatchNorm1d(3), Linear(3, 1, bias=False)))
func (v *vector) network(seed uint64) *td.Module {
	inner := v.module(td.Chain(v.typed("td.batch_norm1d", `{"num_features": 3}`, 0),
		v.typed("td.linear", `{"in_features": 3, "out_features": 1, "bias": false}`, seed)))
	return v.module(td.Chain(v.typed("td.linear", `{"in_features": 2, "out_features": 3}`, seed),
		v.typed("td.relu", "", 0), inner))
}

func (v *vector) linear(out int, bias bool) *td.Module {
	return v.typed("td.linear", fmt.Sprintf(`{"in_features": 1, "out_features": %d, "bias": %v}`, out, bias), 0)
}

func checkLeaves(d *td.Dict, leaves *object) {
	keys := leafKeys(d)
	check(len(keys) == len(leaves.keys), "the leaves are %v", keys)
	for _, key := range keys {
		leaf, there := leaves.values[key.String()].(*object)
		check(there, "%v is too many", key)
		t := ok(d.Get(key...))
		checkShape(t.Shape(), leaf.values["shape"], key.String())
		check(t.DType().String() == leaf.values["dtype"], "the dtype of %v is %v", key, t.DType())
		check(t.RequiresGrad() == leaf.values["requires_grad"], "%v requires grad: %v", key, t.RequiresGrad())
		if leaf.has("stride0") {
			check(t.Strides()[0] == leaf.values["stride0"], "the strides of %v are %v", key, t.Strides())
		}
		t.Close()
	}
}

func fromModulesOptions(kwargs *object) *td.FromModulesOptions {
	is := func(name string) bool { given, _ := kwargs.values[name].(bool); return given }
	return &td.FromModulesOptions{ExpandIdentical: is("expand_identical"), LazyStack: is("lazy_stack"),
		AsModule: is("as_module"), UseStateDict: is("use_state_dict")}
}

func (v *vector) fromModules() {
	leaves := v.inside("leaves")
	n := int(intsOf(leaves.values[leaves.keys[0]].(*object).values["shape"])[0])
	var modules []*td.Module
	for i := range n {
		if i > 0 && v.flag("shared") {
			modules = append(modules, modules[0])
		} else {
			modules = append(modules, v.network(uint64(i)))
		}
	}
	options := new(td.FromModulesOptions)
	if v.has("kwargs") {
		options = fromModulesOptions(v.inside("kwargs"))
	}
	options.UseStateDict = options.UseStateDict || v.text("id") == "from_modules.use_state_dict"
	state := v.dict(td.FromModules(options, modules...))
	checkLeaves(state, leaves)
	checkShape(state.BatchSize(), []any{int64(n)}, "the batch")
	if v.has("locked") {
		check(state.IsLocked() == v.flag("locked"), "locked: %v", state.IsLocked())
	}
	if v.has("kwargs") {
		kind := td.PlainDict
		if options.AsModule {
			kind = td.ParamsDict
		} else if options.LazyStack {
			kind = td.LazyStackDict
		}
		check(state.DictKind() == kind, "the kind of the dict is %v", state.DictKind())
	}
}

func checkStacked(d *td.Dict, leaves *object) {
	check(len(leafKeys(d)) == len(leaves.keys), "the leaves are %v", leafKeys(d))
	for _, name := range leaves.keys {
		leaf := leaves.values[name].([]any)
		t := ok(d.Get(name))
		checkShape(t.Shape(), leaf[0], name)
		check(t.RequiresGrad() == leaf[1], "%s requires grad: %v", name, t.RequiresGrad())
		t.Close()
	}
}

func init() {
	kinds["from_module"] = func(v *vector) { checkLeaves(v.dict(v.network(0).Params()), v.inside("leaves")) }
	kinds["from_modules"] = (*vector).fromModules
	kinds["from_modules_error"] = func(v *vector) {
		var modules []*td.Module
		if !v.says("none") {
			modules = append(modules, v.linear(1, true))
			if v.says("shape") {
				modules = append(modules, v.linear(2, true))
			} else {
				modules = append(modules, v.linear(1, !v.says("missing")))
			}
		}
		_, err := td.FromModules(fromModulesOptions(v.inside("kwargs")), modules...)
		refused(err, "from_modules")
	}
	kinds["stack_module_state"] = func(v *vector) {
		params, buffers, err := td.StackModuleState(v.network(0), v.network(1))
		checkStacked(v.dict(params, err), v.inside("params"))
		checkStacked(v.dict(buffers, err), v.inside("buffers"))
	}
	kinds["stack_module_state_error"] = func(v *vector) {
		var modules []*td.Module
		if !v.says("empty") {
			modules = append(modules, v.linear(1, true))
			switch {
			case v.says("class") || v.says("type"):
				modules = append(modules, v.typed("td.relu", "", 0))
			case v.says("shape"):
				modules = append(modules, v.linear(2, true))
			default:
				modules = append(modules, v.linear(1, true))
			}
		}
		if v.says("train") {
			must(modules[1].Train(false))
		}
		if v.says("requires_grad") {
			must(v.tensor(modules[1].Parameter("weight")).SetRequiresGrad(false))
		}
		_, _, err := td.StackModuleState(modules...)
		refused(err, "stack_module_state")
	}
	kinds["vmap"] = func(v *vector) {
		if v.has("out_batch") {
			v.vmapBatchSizes()
		} else {
			v.vmapEnsemble()
		}
	}
}

const oneLinear = `{"in_features": 2, "out_features": 1}`

func (v *vector) policy() *td.Module {
	return v.module(td.TensorDictModule(v.typed("td.linear", oneLinear, 0), []td.Key{td.K("x")}, []td.Key{td.K("y")}))
}

// Three linear layers over data of a batch size: what batch size and shapes come out.
func (v *vector) vmapBatchSizes() {
	modules := []*td.Module{v.policy(), v.policy(), v.policy()}
	states := v.dict(td.FromModules(nil, modules...))
	batch := intsOf(v.at("batch"))
	data := v.dict(td.New(batch...))
	must(data.Set(v.tensor(td.Ones(td.Float32, append(append([]int64{}, batch...), 2)...)), "x"))
	must(data.Set(v.tensor(td.Ones(td.Float32, append(append([]int64{}, batch...), 4)...)), "n", "z"))
	options := new(td.ModuleVmapOptions)
	if dim, given := v.at("data_dim").(int64); given {
		options.MapData, options.DataDim = true, int32(dim)
	}
	result := v.dict(modules[0].Vmap(states, data, options))
	checkShape(result.BatchSize(), v.at("out_batch"), "the batch")
	check(len(leafKeys(result)) == len(v.at("shapes").([]any)), "the leaves are %v", leafKeys(result))
	for _, leaf := range v.at("shapes").([]any) {
		key := keyOf(leaf.([]any)[0])
		checkShape(v.tensor(result.Get(key...)).Shape(), leaf.([]any)[1], key.String())
	}
}

// An ensemble of linear layers, forwards and backwards.
func (v *vector) vmapEnsemble() {
	n := len(v.at("weights").([]any))
	var modules []*td.Module
	biases := []any{}
	for range n {
		modules = append(modules, v.typed("td.linear", oneLinear, 0))
		biases = append(biases, []any{v.at("bias")})
	}
	states := v.dict(td.FromModules(nil, modules...))
	must(td.NoGrad(func() error {
		if err := states.CopyInto(v.made(v.at("weights"), td.Float32), "weight"); err != nil {
			return err
		}
		return states.CopyInto(v.made(biases, td.Float32), "bias")
	}))
	data := v.dict(td.New())
	must(data.Set(v.made(v.at("x"), td.Float32), "x"))
	under := v.dict(td.New(int64(n))) // the states as the module with keys has them
	must(under.Set(states, "module"))
	y := v.tensor(v.dict(v.policy().Vmap(under, data, nil)).Get("y"))
	checkValues(y, v.at("y"), 1e-6, "y")
	must(v.tensor(y.Op("sum")).Backward())
	for key, expected := range map[string]string{"weight": "grad_weight", "bias": "grad_bias"} {
		checkValues(v.tensor(v.tensor(states.Get(key)).Grad()), v.at(expected), 1e-6, "the gradient of "+key)
	}
}
