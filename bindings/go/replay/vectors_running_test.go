package replay

import td "tensordict"

func (v *vector) runModule() {
	m := v.keyed(v.inside("module"))
	if v.has("select") {
		must(m.SelectOutKeys(keysOf(v.at("select"))...))
	}
	data := v.counted(keysOf(v.at("input_keys")))
	result := v.dict(m.Apply(data))
	checkSameSet(leafKeys(result), v.at("output_keys"), "the keys of the output")
	if v.has("same_object") {
		check(result.Same(data) == v.flag("same_object"), "the same object")
	}
	if v.has("dispatch_value") {
		outs := ok(m.Dispatch("", 0.0, 1.0))
		check(len(outs) == 1, "%d values are dispatched", len(outs))
		checkValues(v.tensor(outs[0].(*td.Tensor), nil), v.at("dispatch_value"), 1e-6, "the dispatched value")
	}
}

// [a->b, b->c] with inplace=False.
func (v *vector) runToNewDict() {
	spec := []any{obj("in", []any{"a"}, "out", []any{"b"}), obj("in", []any{"b"}, "out", []any{"c"})}
	s := v.sequence(spec, &td.SequentialOptions{InPlace: td.WriteToNew})
	data := v.dict(td.New(3))
	must(data.Set(v.tensor(td.FromSlice([]float32{0, 1, 2})), "a"))
	result := v.dict(s.Apply(data))
	check(!result.Same(data), "the result is the input")
	checkSameSet(leafKeys(result), v.at("output_keys"), "the keys of the output")
	checkSameSet(leafKeys(data), v.at("input_keys_after"), "the keys of the input")
	check(len(result.BatchSize()) == len(v.at("output_batch_size").([]any)), "the batch size is %v", result.BatchSize())
}

func (v *vector) inPlace() td.InPlace {
	switch given := v.values["inplace"].(type) {
	case string:
		return td.WriteToEmpty
	case bool:
		if given {
			return td.WriteToData
		}
		return td.WriteToNew
	}
	return td.WriteToLast
}

// lazy is a lazy stack of members with these keys.
func (v *vector) lazy(members any) *td.Dict {
	var dicts []*td.Dict
	for _, keys := range members.([]any) {
		dicts = append(dicts, v.counted(keysOf(keys)))
	}
	return v.dict(td.LazyStack(dicts, 0))
}

func (v *vector) runSequence() {
	options := &td.SequentialOptions{InPlace: v.inPlace(), PartialTolerant: v.flag("partial_tolerant")}
	if v.has("select") {
		options.SelectedOutKeys = keysOf(v.at("select"))
	}
	s := v.sequence(v.at("spec"), options)
	if v.has("part") {
		s = v.module(s.SelectSubsequence(keysOr(v.inside("part"), "in_keys"), keysOr(v.inside("part"), "out_keys")))
	}
	var data *td.Dict
	if v.has("lazy") {
		data = v.lazy(v.at("lazy"))
	} else {
		data = v.counted(keysOf(v.at("input_keys")))
	}
	result := v.dict(s.Apply(data))
	check(result.Same(data) == v.flag("same_object"), "the same object")
	if v.has("members") {
		for i, keys := range v.at("members").([]any) {
			checkSameSet(leafKeys(v.dict(result.Index(td.At(int64(i))))), keys, "the keys of a member")
		}
		return
	}
	checkSameSet(leafKeys(result), v.at("output_keys"), "the keys of the output")
	checkSameSet(leafKeys(data), v.at("input_keys_after"), "the keys of the input")
	if v.has("values") {
		checkLeafValues(result, v.at("values"), 1e-6)
	}
}

func keysOr(o *object, name string) []td.Key {
	if o.has(name) {
		return keysOf(o.values[name])
	}
	return nil
}

func init() {
	kinds["run"] = func(v *vector) {
		switch {
		case v.has("module"):
			v.runModule()
		case v.has("spec"):
			v.runSequence()
		default:
			check(v.text("id") == "run.seq_inplace_false", "an unknown vector")
			v.runToNewDict()
		}
	}
	kinds["mapping"] = func(v *vector) {
		if v.text("name") == "inv_softplus" {
			outs := ok(v.module(td.NewModule("td.inv_softplus", "", nil)).Call(1, v.made(v.at("x"), v.dtype())))
			checkValues(v.tensor(outs[0], nil), v.at("y"), 1e-6, "y")
			return
		}
		// A mapping is what the extractor does to the second half of its input, if its bound is out of the way.
		m := v.module(td.NewModule("td.normal_param_extractor", `{"scale_mapping": "`+v.text("name")+`", "scale_lb": -1e30}`, nil))
		x := v.at("x").([]any)
		both := append(make([]any, 0, 2*len(x)), x...)
		for i := range both {
			both[i] = 0.0
		}
		for _, y := range v.call(m, 2, v.made(append(both, x...), v.dtype()))[1:] {
			checkValues(y, v.at("y"), 1e-6, "y")
		}
	}
	kinds["npe"] = func(v *vector) {
		m := v.module(td.NewModule("td.normal_param_extractor", written(obj("scale_mapping", v.at("scale_mapping"),
			"scale_lb", v.at("scale_lb"))), nil))
		x := v.made(v.at("x"), td.Float32)
		if v.has("error") {
			_, err := m.Call(2, x)
			refused(err, "the extractor")
			return
		}
		outs := v.call(m, 2, x)
		checkValues(outs[0], v.at("loc"), 1e-6, "loc")
		checkValues(outs[1], v.at("scale"), 1e-6, "scale")
	}
}

func (v *vector) call(m *td.Module, outputs int, inputs ...*td.Tensor) []*td.Tensor {
	outs := ok(m.Call(outputs, inputs...))
	for _, out := range outs {
		v.tensor(out, nil)
	}
	return outs
}
