package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	td "tensordict"
)

// keyed is a module of {"in": [...], "out": [...]}: output i is input i (of the n there are) plus n.
func (v *vector) keyed(spec *object) *td.Module {
	out := keysOf(spec.values["out"])
	return v.module(td.FuncModule(func(in []*td.Tensor) (made []*td.Tensor, err error) {
		for i := range out {
			t, err := in[i%len(in)].Op("add", len(in))
			if err != nil {
				return made, err
			}
			made = append(made, t)
		}
		return made, nil
	}, keysOf(spec.values["in"]), out))
}

// sequence is a list of those and of {"seq": [...]}.
func (v *vector) sequence(spec any, options *td.SequentialOptions) *td.Module {
	var members []*td.Module
	for _, one := range spec.([]any) {
		if o := one.(*object); o.has("seq") {
			members = append(members, v.sequence(o.values["seq"], nil))
		} else {
			members = append(members, v.keyed(o))
		}
	}
	return v.module(td.SequentialWith(options, members...))
}

// counted has 0, 1, ... under keys.
func (v *vector) counted(keys []td.Key) *td.Dict {
	d := v.dict(td.New())
	for i, key := range keys {
		must(d.Set(v.tensor(td.Scalar(float32(i))), key...))
	}
	return d
}

func leafKeys(d *td.Dict) []td.Key {
	return ok(d.Keys(td.Nested, td.LeavesOnly))
}

func checkLeafValues(d *td.Dict, expected any, tolerance float64) {
	check(len(leafKeys(d)) == len(expected.([]any)), "the leaves are %v", leafKeys(d))
	for _, leaf := range expected.([]any) {
		key := keyOf(leaf.([]any)[0])
		t := ok(d.Get(key...))
		checkValues(t, leaf.([]any)[1], tolerance, key.String())
		t.Close()
	}
}

func sorted(keys []td.Key) []string {
	out := []string{}
	for _, key := range keys {
		out = append(out, key.String())
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}

func checkSameSet(got []td.Key, expected any, what string) {
	check(slices.Equal(sorted(got), sorted(keysOf(expected))), "%s are %v, not %v", what, sorted(got), expected)
}

func checkModuleKeys(m *td.Module, in, out any, what string) {
	keys, err := m.InKeys()
	checkKeys(keys, err, in, "the in-keys of "+what)
	keys, err = m.OutKeys()
	checkKeys(keys, err, out, "the out-keys of "+what)
}

// The members have the keys of the spec, at every depth.
func checkMembers(m *td.Module, spec []any) {
	check(m.Size() == len(spec), "there are %d members", m.Size())
	for i := range spec {
		member := ok(m.Member(int64(i)))
		if o := spec[i].(*object); o.has("seq") {
			checkMembers(member, o.values["seq"].([]any))
		} else {
			checkModuleKeys(member, o.values["in"], o.values["out"], fmt.Sprint("member ", i))
		}
		member.Close()
	}
}

// given is nil for null, and not nil for no keys.
func given(spec any) []td.Key {
	if spec == nil {
		return nil
	}
	return append([]td.Key{}, keysOf(spec)...)
}

func init() {
	kinds["seq_keys"] = func(v *vector) {
		checkModuleKeys(v.sequence(v.at("spec"), nil), v.at("in_keys"), v.at("out_keys"), "the sequence")
	}
	kinds["select_subsequence"] = func(v *vector) {
		part, err := v.sequence(v.at("spec"), nil).SelectSubsequence(given(v.at("in_keys")), given(v.at("out_keys")))
		if v.has("error") {
			refused(err, "the selection")
			return
		}
		v.module(part, err)
		checkMembers(part, v.at("result").([]any))
		checkModuleKeys(part, v.at("result_in_keys"), v.at("result_out_keys"), "the result")
	}
	kinds["dispatch"] = func(v *vector) {
		var args []any
		if v.has("args") {
			for _, one := range v.at("args").([]any) {
				args = append(args, toReal(one))
			}
		}
		if v.has("kwargs") {
			for _, name := range v.inside("kwargs").keys {
				args = append(args, td.Named{Name: name, Value: toReal(v.inside("kwargs").values[name])})
			}
		}
		outs, err := v.keyed(v.inside("module")).Dispatch("", args...)
		if v.has("error") {
			refused(err, "dispatch")
			check(!v.has("message") || strings.Contains(err.Error(), v.text("message")), "%v", err)
			return
		}
		must(err)
		expected, several := v.at("out").([]any)
		if !several {
			expected = []any{v.at("out")}
		}
		check(len(outs) == len(expected), "there are %d outputs", len(outs))
		for i, out := range outs {
			checkValues(v.tensor(out.(*td.Tensor), nil), expected[i], 1e-6, "an output")
		}
	}
}
