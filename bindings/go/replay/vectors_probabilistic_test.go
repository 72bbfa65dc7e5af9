package replay

import (
	"strconv"
	"strings"

	td "tensordict"
)

var locScale = []td.Key{td.K("loc"), td.K("scale")}

func (v *vector) normalModule(in, out []td.Key, options *td.ProbabilisticOptions) *td.Module {
	return v.module(td.Probabilistic("td.normal", "", in, out, options))
}

func orKeys(v *vector, name string, otherwise ...td.Key) []td.Key {
	if v.has(name) {
		return keysOf(v.at(name))
	}
	return otherwise
}

// typicals are the parameters of types in deterministic values; order is that of arguments as in "LogNormal(0,1)".
var typicals = []struct {
	name, order string
	params      *object
}{
	{"Bernoulli", "probs", obj("probs", 0.3)},
	{"Categorical", "", obj("probs", []any{0.2, 0.5, 0.3})},
	{"OneHotCategorical", "", obj("probs", []any{0.2, 0.5, 0.3})},
	{"LogNormal", "loc scale", obj("loc", 0.0, "scale", 1.0)},
	{"Normal", "loc scale", obj("loc", 0.0, "scale", 1.0)},
	{"Uniform", "low high", obj("low", 0.0, "high", 1.0)},
	{"Beta", "concentration1 concentration0", obj("concentration1", 2.0, "concentration0", 3.0)},
	{"Gamma", "concentration rate", obj("concentration", 2.0, "rate", 3.0)},
	{"Exponential", "rate", obj("rate", 1.5)},
	{"Geometric", "probs", obj("probs", 0.3)},
	{"Poisson", "rate", obj("rate", 2.5)},
	{"RelaxedBernoulli", "probs", obj("probs", 0.3, "temperature", 0.5)},
	{"Cauchy", "loc scale", obj("loc", 0.0, "scale", 1.0)},
	{"Independent(Categorical)", "", obj("probs", []any{[]any{0.1, 0.7, 0.2}, []any{0.6, 0.3, 0.1}})},
}

func (v *vector) typical(id string) *td.Dist {
	for _, one := range typicals {
		rest, is := strings.CutPrefix(id, one.name)
		if !is || rest != "" && rest[0] != '(' {
			continue
		}
		params := without(one.params)
		if rest != "" {
			order := strings.Fields(one.order)
			for i, argument := range strings.Split(strings.Trim(rest, "()"), ",") {
				params.set(order[i], ok(strconv.ParseFloat(argument, 64)))
			}
		}
		return v.dist(v.distribution(one.name, params, td.Float64))
	}
	panic(badProgram("an unknown distribution"))
}

// The dims before those of the data are the samples; the last dim is that of the features.
func (v *vector) probabilisticShapes() {
	shapes := v.inside("shapes")
	all := intsOf(shapes.values["loc"])
	m := v.normalModule(locScale, []td.Key{td.K("a")}, &td.ProbabilisticOptions{Interaction: td.TakeRandom,
		ReturnLogProb: shapes.has("a_log_prob"), NumSamples: all[:1]})
	data := v.dict(td.New(all[1]))
	for _, key := range locScale {
		must(data.Set(v.tensor(td.Ones(td.Float32, all[1], all[2])), key...))
	}
	result := v.dict(m.Apply(data))
	check(!result.Same(data) && len(leafKeys(data)) == 2, "the input changed")
	checkShape(result.BatchSize(), v.at("out_batch"), "the batch")
	for _, name := range shapes.keys {
		checkShape(v.tensor(result.Get(name)).Shape(), shapes.values[name], name)
	}
}

func init() {
	kinds["prob_keys"] = func(v *vector) {
		m := v.normalModule(orKeys(v, "in_keys_arg", locScale...), orKeys(v, "out_keys_arg", td.K("a")),
			&td.ProbabilisticOptions{ReturnLogProb: v.flag("return_log_prob"), Aggregate: v.flag("aggregate")})
		checkModuleKeys(m, v.at("in_keys"), v.at("out_keys"), "the module")
		keys, err := m.LogProbKeys()
		checkKeys(keys, err, v.at("log_prob_keys"), "the log-probability keys")
	}
	kinds["prob"] = (*vector).probabilisticShapes
	kinds["rng"] = func(v *vector) {
		seed, n := uint64(v.at("seed").(int64)), int64(len(v.at("value").([]any)))
		generator := v.generator(td.NewGenerator(seed))
		params := obj("loc", 0.0, "scale", 1.0)
		d := v.dist(v.distribution("Normal", params, td.Float32))
		checkValues(v.tensor(d.RSample(generator, n)), v.at("value"), 1e-7, "the sample")
		must(generator.Seed(seed))
		m := v.normalModule(locScale, []td.Key{td.K("a")}, &td.ProbabilisticOptions{Interaction: td.TakeRandom,
			Generator: generator, NumSamples: []int64{n}})
		result := v.dict(m.Apply(v.params(params, td.Float32)))
		checkValues(v.tensor(result.Get("a")), v.at("via_module_generator_0"), 1e-7, "the module's sample")
	}
	kinds["deterministic"] = func(v *vector) {
		_, id, _ := strings.Cut(v.text("id"), ".")
		d := v.typical(id)
		checkValues(v.tensor(d.Interact(td.TakeDeterministic, nil)), v.at("value"), 1e-9, "the value")
		m := v.module(td.ProbabilisticFunc(func(*td.Dict) (*td.Dist, error) { return d.Share(), nil }, nil,
			[]td.Key{td.K("a")}, nil))
		data := v.counted(nil)
		must(m.Run(data))
		checkValues(v.tensor(data.Get("a")), v.at("value"), 1e-9, "the module's value")
	}
	kinds["composite"] = (*vector).composite
}

func (v *vector) composite() {
	batch := intsOf(v.at("batch"))
	params := v.dict(td.New(batch...))
	var parts []td.DistPart
	for _, one := range v.at("parts").([]any) {
		part := one.(*object)
		given := v.params(part.values["params"].(*object), td.Float64)
		must(given.SetBatchSize(batch...))
		name := keyOf(part.values["name"])
		must(params.Set(given, name...))
		parts = append(parts, td.DistPart{Params: name, Type: typeOf(part.values["dist"].(string))})
	}
	d := v.dist(td.Composite(params, parts...))
	sample := v.dict(td.New(batch...))
	for _, leaf := range v.at("sample").([]any) {
		must(sample.Set(v.made(leaf.([]any)[1], td.Float64), keyOf(leaf.([]any)[0])...))
	}
	const tolerance = 1e-9
	checkLeafValues(v.dict(d.LogProbDict(sample, false)), v.at("log_prob"), tolerance)
	checkValues(v.tensor(d.LogProbSum(sample)), v.at("log_prob_sum"), tolerance, "the sum of the log-probabilities")
	checkLeafValues(v.dict(d.GetDict(td.StatEntropy)), v.at("entropy"), tolerance)
	checkValues(v.tensor(d.Get(td.StatEntropy)), v.at("entropy_sum"), tolerance, "the sum of the entropies")
	for name, stat := range map[string]td.Stat{"mean": td.StatMean, "mode": td.StatMode} {
		if v.has(name) {
			checkLeafValues(v.dict(d.GetDict(stat)), v.at(name), tolerance)
		}
	}
	if v.has("deterministic_sample") {
		checkLeafValues(v.dict(d.InteractDict(td.TakeDeterministic, nil)), v.at("deterministic_sample"), tolerance)
	}
	draws := v.dict(d.SampleDict(nil, 4))
	for _, leaf := range v.at("shape_of_draws").([]any) {
		key := keyOf(leaf.([]any)[0])
		checkShape(v.tensor(draws.Get(key...)).Shape(), leaf.([]any)[1], key.String())
	}
	err := d.CDFDict(sample)
	if v.at("cdf") == nil {
		refused(err, "cdf")
		return
	}
	must(err)
	checkLeafValues(sample, v.at("cdf"), tolerance)
}
