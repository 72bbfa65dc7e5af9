package tensordict

import "tensordict/raw"

// Independent takes the last batch dims as event dims.
func (d *Dist) Independent(dims int64) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status { return raw.DistIndependent(d.p, dims, out, c.err) })
}

// Transformed makes a transformed distribution. transforms is JSON, one or a list of "exp", "tanh", {"type": "affine",
// "loc": 0, "scale": "key"} and so on; a text instead of a number is a key of params, which may be nil.
func (d *Dist) Transformed(transforms string, params *Dict) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		return raw.DistTransformed(d.p, c.str(transforms), params.raw0(), out, c.err)
	})
}

// TransformedBy is Transformed by existing transforms.
func (d *Dist) TransformedBy(transforms ...*Transform) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		p, n := pointers(c, transforms, (*Transform).raw0)
		return raw.DistTransformedBy(d.p, p, n, out, c.err)
	})
}

// Mixture mixes the elements along the last batch dim of components; mixture, a td.categorical, selects one.
func Mixture(mixture, components *Dist) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		return raw.DistMixture(mixture.raw0(), components.raw0(), out, c.err)
	})
}

// KLDivergence returns the Kullback-Leibler divergence of p from q; ErrUnsupported for a pair of types without one.
func KLDivergence(p, q *Dist) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistKlDivergence(p.raw0(), q.raw0(), out, c.err)
	})
}

// A DistPart is one distribution of a composite one.
type DistPart struct {
	Params Key    // of the dict of its parameters
	Type   string // as NewDist
	Config string // JSON, or empty
	Name   Key    // of its samples; nil: the same as Params
}

func (c *call) distParts(parts []DistPart) (*raw.DistPart, uint) {
	out := many[raw.DistPart](c, len(parts))
	for i, part := range parts {
		c.fill(&out[i].Params, part.Params)
		out[i].Type, out[i].Config, out[i].Name = c.str(part.Type), c.optional(part.Config), c.some(part.Name)
	}
	return first(out), uint(len(parts))
}

// Composite makes a distribution of several ones under keys, each from the dict of its parameters; its values are dicts.
func Composite(params *Dict, parts ...DistPart) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		p, n := c.distParts(parts)
		return raw.DistComposite(params.raw0(), p, n, out, c.err)
	})
}

// CompositeOf is Composite of existing distributions.
func CompositeOf(batch []int64, names []Key, dists []*Dist) (*Dist, error) {
	if len(names) != len(dists) {
		return nil, argument("%d names for %d distributions", len(names), len(dists))
	}
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		sizes, ndim := c.ints(batch)
		keys, n := c.keys(names)
		p, _ := pointers(c, dists, (*Dist).raw0)
		return raw.DistCompositeOf(sizes, ndim, keys, p, n, out, c.err)
	})
}

// SampleDict is Sample of a composite distribution.
func (d *Dist) SampleDict(generator *Generator, shape ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(shape)
		return raw.DistSampleDict(d.p, p, n, generator.raw0(), out, c.err)
	})
}

// RSampleDict is RSample of a composite distribution.
func (d *Dist) RSampleDict(generator *Generator, shape ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(shape)
		return raw.DistRsampleDict(d.p, p, n, generator.raw0(), out, c.err)
	})
}

// GetDict is Get of a composite distribution; the entropies are under "<name>_entropy".
func (d *Dist) GetDict(stat Stat) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DistGetDict(d.p, raw.DistStat(stat), out, c.err)
	})
}

// LogProbDict makes a dict with "<name>_log_prob" of each part, and with their sum under "sample_log_prob" if sum is set.
func (d *Dist) LogProbDict(sample *Dict, sum bool) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DistLogProbDict(d.p, sample.raw0(), flag(sum), out, c.err)
	})
}

// LogProbSum returns the total log-probability of a composite distribution.
func (d *Dist) LogProbSum(sample *Dict) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistLogProbSum(d.p, sample.raw0(), out, c.err)
	})
}

// CDFDict writes "<name>_cdf" into the sample.
func (d *Dist) CDFDict(sample *Dict) error {
	return do(func(c *call) raw.Status { return raw.DistCdfDict(d.p, sample.raw0(), c.err) })
}

// ICDFDict writes "<name>_icdf" into the sample, of "<name>_cdf" or else of the sample itself.
func (d *Dist) ICDFDict(sample *Dict) error {
	return do(func(c *call) raw.Status { return raw.DistIcdfDict(d.p, sample.raw0(), c.err) })
}
