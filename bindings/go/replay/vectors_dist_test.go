package replay

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	td "tensordict"
)

// typeOf is "td.lkj_cholesky" of "LKJCholesky"; tensordict's own types have names that torch.distributions uses for others.
func typeOf(name string) string {
	if name == "OneHotCategorical(tensordict)" {
		return "td.int_one_hot_categorical"
	}
	plain, _, _ := strings.Cut(name, "(")
	letters := []rune(plain)
	out := "td."
	for i, letter := range letters {
		lower := func(j int) bool { return j < len(letters) && unicode.IsLower(letters[j]) }
		if i > 0 && unicode.IsUpper(letter) && (lower(i-1) || lower(i+1)) {
			out += "_"
		}
		out += strings.ToLower(string(letter))
	}
	return out
}

func (v *vector) params(given *object, dtype td.DType) *td.Dict {
	d := v.dict(td.New())
	for _, name := range given.keys {
		must(d.Set(v.made(given.values[name], dtype), name))
	}
	return d
}

var schemas *object // of the types of distributions: what their configs may have

// configMembers are what Python gives by name and the type does not take as tensors.
func configMembers(kind string) []string {
	if schemas == nil {
		all, err := parse([]byte(ok(td.Plugins())))
		must(err)
		schemas = obj()
		for _, one := range all.([]any) {
			o := one.(*object)
			if schema, is := o.values["schema"].(*object); is {
				if properties, is := schema.values["properties"].(*object); is {
					schemas.set(o.values["id"].(string), properties)
				}
			}
		}
	}
	if properties, is := schemas.values[kind].(*object); is {
		return properties.keys
	}
	return nil
}

func without(o *object, names ...string) *object {
	out := obj()
	for _, key := range o.keys {
		drop := false
		for _, name := range names {
			drop = drop || key == name
		}
		if !drop {
			out.set(key, o.values[key])
		}
	}
	return out
}

// distribution makes one of its name in Python and its parameters by name; an error is the library's.
func (v *vector) distribution(name string, given *object, dtype td.DType) (*td.Dist, error) {
	switch {
	case strings.HasPrefix(name, "Independent("):
		inner, count, several := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "Independent("), ")"), ",")
		dims := int64(1)
		if several {
			dims = ok(strconv.ParseInt(strings.TrimSpace(count), 10, 64))
		}
		if n, is := given.values["reinterpreted_batch_ndims"].(int64); is {
			dims, given = n, without(given, "reinterpreted_batch_ndims")
		}
		base := v.dist(v.distribution(inner, given, dtype))
		return base.Independent(dims)
	case name == "MixtureSameFamily":
		return td.Mixture(v.named(given.values["mixture"].(*object), dtype), v.named(given.values["components"].(*object), dtype))
	}
	kind, config := typeOf(name), obj()
	for _, member := range configMembers(kind) {
		if given.has(member) {
			config.set(member, given.values[member])
			given = without(given, member)
		}
	}
	text := ""
	if len(config.keys) > 0 {
		text = written(config)
	}
	return td.NewDist(kind, v.params(given, dtype), text)
}

// named is one of {"dist": its name, and its parameters}.
func (v *vector) named(o *object, dtype td.DType) *td.Dist {
	return v.dist(v.distribution(o.values["dist"].(string), without(o, "dist"), dtype))
}

var stats = map[string]td.Stat{"mean": td.StatMean, "variance": td.StatVariance, "mode": td.StatMode,
	"entropy": td.StatEntropy, "median": td.StatMedian, "stddev": td.StatStdDev}

// A text stands for a value that is the same everywhere: "nan", "inf", "-inf".
func checkStat(t *td.Tensor, expected any, tolerance float64, what string) {
	if _, is := expected.(string); !is {
		checkValues(t, expected, tolerance, what)
		return
	}
	wanted := toReal(expected)
	for _, x := range valuesOf(t) {
		check(x == wanted || math.IsNaN(x) && math.IsNaN(wanted), "%s is %v somewhere", what, x)
	}
}

func ask(d *td.Dist, what string, value *td.Tensor) (*td.Tensor, error) {
	switch what {
	case "log_prob":
		return d.LogProb(value)
	case "cdf":
		return d.CDF(value)
	case "icdf":
		return d.ICDF(value)
	case "enumerate":
		return d.EnumerateSupport(true)
	}
	stat, known := stats[what]
	check(known, "what is %s?", what)
	return d.Get(stat)
}

func init() {
	kinds["distribution"] = func(v *vector) {
		tolerance := 1e-9
		if v.dtype() == td.Float32 {
			tolerance = 1e-6
		}
		d := v.dist(v.distribution(v.text("dist"), v.inside("params"), v.dtype()))
		if v.has("batch_shape") {
			checkShape(d.BatchShape(), v.at("batch_shape"), "the batch")
		}
		if v.has("event_shape") {
			checkShape(d.EventShape(), v.at("event_shape"), "an event")
		}
		if v.has("has_rsample") {
			check(d.HasRSample() == v.flag("has_rsample"), "has_rsample is %v", d.HasRSample())
		}
		points := v.made(v.at("points"), v.dtype())
		checkValues(v.tensor(d.LogProb(points)), v.at("log_prob"), tolerance, "log_prob")
		for _, name := range []string{"mean", "variance", "mode", "entropy"} {
			if v.has(name) {
				checkStat(v.tensor(ask(d, name, nil)), v.at(name), tolerance, name)
			}
		}
		if v.has("cdf") {
			checkValues(v.tensor(d.CDF(points)), v.at("cdf"), tolerance, "cdf")
		}
		if v.has("icdf") {
			checkValues(v.tensor(d.ICDF(v.made(v.at("icdf_q"), v.dtype()))), v.at("icdf"), tolerance, "icdf")
		}
		if v.has("not_implemented") {
			for _, name := range v.at("not_implemented").([]any) {
				_, err := ask(d, name.(string), points)
				check(errors.Is(err, td.ErrUnsupported), "%v: %v", name, err)
			}
		}
	}
	kinds["kl"] = func(v *vector) {
		p, q := v.named(v.inside("p"), td.Float64), v.named(v.inside("q"), td.Float64)
		checkValues(v.tensor(td.KLDivergence(p, q)), v.at("value"), 1e-9, "the divergence")
	}
	kinds["dist_error"] = func(v *vector) {
		if v.has("dist") {
			v.checkRefused(v.text("dist"), v.inside("params"), v.values["value"], v.has("value"))
			return
		}
		_, id, _ := strings.Cut(v.text("id"), ".")
		r, known := refusals[id]
		check(known, "an unknown case")
		params, err := parse([]byte(r.params))
		must(err)
		var value any
		if r.value != "" {
			value, err = parse([]byte(r.value))
			must(err)
		}
		v.checkRefused(r.name, params.(*object), value, r.value != "")
	}
}

// The distribution is refused, or the value that it is asked about.
func (v *vector) checkRefused(name string, params *object, value any, asked bool) {
	d, err := v.distribution(name, params, td.Float32)
	if asked {
		v.dist(d, err)
		_, err = d.LogProb(v.made(value, td.Float32))
	} else if err == nil {
		d.Close()
	}
	refused(err, name)
	says, given := v.values["says"].(string)
	if !given {
		says = v.at("error").([]any)[1].(string)
	}
	check(strings.Contains(err.Error(), says), "%q is not %q", err.Error(), says)
}

// The vectors name these cases; here are their arguments. value is that of log_prob.
var refusals = map[string]struct{ name, params, value string }{
	"Normal_nan_loc":      {"Normal", `{"loc": "nan", "scale": 1}`, ""},
	"Normal_scale_0":      {"Normal", `{"loc": 0, "scale": 0}`, ""},
	"Uniform_low_eq_high": {"Uniform", `{"low": 1, "high": 1}`, ""},
	"Bernoulli_p_1.5":     {"Bernoulli", `{"probs": 1.5}`, ""},
	"Bernoulli_both":      {"Bernoulli", `{"probs": 0.5, "logits": 0}`, ""},
	"Categorical_0d":      {"Categorical", `{"probs": 0.5}`, ""},
	"MVN_two": {"MultivariateNormal",
		`{"loc": [0, 0], "covariance_matrix": [[1, 0], [0, 1]], "scale_tril": [[1, 0], [0, 1]]}`, ""},
	"Geometric_0":             {"Geometric", `{"probs": 0}`, ""},
	"Exponential_logprob_neg": {"Exponential", `{"rate": 1}`, "-1"},
	"Normal_shape":            {"Normal", `{"loc": [0, 0, 0], "scale": [1, 1, 1]}`, "[0, 0, 0, 0]"},
	"Poisson_negative":        {"Poisson", `{"rate": -1}`, ""},
	"Dirichlet_0d":            {"Dirichlet", `{"concentration": 1}`, ""},
	"Independent_ndims":       {"Independent(Normal,2)", `{"loc": [0, 0], "scale": [1, 1]}`, ""},
}
