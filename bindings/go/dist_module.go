package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// ProbabilisticOptions may be nil.
type ProbabilisticOptions struct {
	Interaction   Interaction // TakeDeterministic if not given
	ReturnLogProb bool        // write the log-probability of the value too
	Aggregate     bool        // one log-probability for all values, under "sample_log_prob"
	LogProbKeys   []Key       // other names
	Empirical     int64       // draws for a mean that the distribution lacks; 0: 1000
	NumSamples    []int64     // dims before those of the data: the result is a new dict
	Generator     *Generator  // for all draws, or
	GeneratorKey  Key         // the key of a seed in the data, which each draw replaces by the next one
	ParamNames    []string    // of the parameter of each in-key; nil: the last parts of the keys
	Params        *Dict       // parameters that are not in the data
}

func (c *call) probabilistic(options *ProbabilisticOptions) *raw.ProbabilisticOptions {
	o := one[raw.ProbabilisticOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o
	}
	o.DefaultInteraction, o.ReturnLogProb = raw.Interaction(options.Interaction), flag(options.ReturnLogProb)
	o.Aggregate, o.NEmpiricalEstimate = flag(options.Aggregate), options.Empirical
	o.LogProbKeys, o.NLogProbKeys = c.keys(options.LogProbKeys)
	o.NumSamples, o.NNumSamples = c.ints(options.NumSamples)
	o.Generator, o.GeneratorKey = options.Generator.raw0(), c.some(options.GeneratorKey)
	o.ParamNames, o.Params = c.strs(options.ParamNames), options.Params.raw0()
	return o
}

func (options *ProbabilisticOptions) check(in []Key) error {
	if options != nil && options.ParamNames != nil && len(options.ParamNames) != len(in) {
		return argument("%d names of parameters for %d keys", len(options.ParamNames), len(in))
	}
	return nil
}

// Probabilistic makes a module of a type of distributions. The parameters are read from the keys in, and the value is
// written to that of out (none: "_").
func Probabilistic(kind, config string, in, out []Key, options *ProbabilisticOptions) (*Module, error) {
	if err := options.check(in); err != nil {
		return nil, err
	}
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		inKeys, nIn := c.keys(in)
		outKeys, nOut := c.keys(out)
		return raw.ModuleProbabilistic(c.optional(kind), c.optional(config), inKeys, nIn, outKeys, nOut,
			c.probabilistic(options), made, c.err)
	})
}

// ProbabilisticComposite makes a module of a composite distribution, whose parameters are in the dict under params.
func ProbabilisticComposite(params Key, parts []DistPart, options *ProbabilisticOptions) (*Module, error) {
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		p, n := c.distParts(parts)
		return raw.ModuleProbabilisticComposite(c.key(params), p, n, c.probabilistic(options), made, c.err)
	})
}

// A DistFunc makes a distribution of the parameters that are in the data. What it returns is given away.
type DistFunc func(params *Dict) (*Dist, error)

// ProbabilisticFunc makes a module of any distribution.
func ProbabilisticFunc(fn DistFunc, in, out []Key, options *ProbabilisticOptions) (*Module, error) {
	if err := options.check(in); err != nil {
		return nil, err
	}
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		f := one[raw.DistFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), distFunction, destroyFunction, userdata(fn)
		inKeys, nIn := c.keys(in)
		outKeys, nOut := c.keys(out)
		return raw.ModuleProbabilisticFunction(f, inKeys, nIn, outKeys, nOut, c.probabilistic(options), made, c.err)
	})
}

// A ReturnComposite says what Module.Dist returns for a sequence.
type ReturnComposite int32

// A composite distribution if there are several probabilistic modules; that of the last member; a composite one always.
const (
	CompositeIfSeveral = ReturnComposite(raw.RETURN_COMPOSITE_DEFAULT)
	NeverComposite     = ReturnComposite(raw.RETURN_COMPOSITE_FALSE)
	AlwaysComposite    = ReturnComposite(raw.RETURN_COMPOSITE_TRUE)
)

// ProbabilisticSequential makes a sequence with probabilistic members; options may be nil.
func ProbabilisticSequential(composite ReturnComposite, options *SequentialOptions, modules ...*Module) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		o, bad := c.sequential(options, len(modules))
		if bad != nil {
			return c.fail(bad)
		}
		return raw.ModuleProbabilisticSequential(p, n, raw.ReturnComposite(composite), o, out, c.err)
	})
}

// Dist returns the distribution that a probabilistic module or sequence makes from the data. The members of a sequence
// run and write into the data, or into into if that is not nil.
func (m *Module) Dist(data, into *Dict) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		return raw.ModuleGetDist(m.p, data.raw0(), into.raw0(), out, c.err)
	})
}

// DistParams runs all members of a probabilistic sequence but the last, and returns the dict with their outputs.
func (m *Module) DistParams(data, into *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.ModuleGetDistParams(m.p, data.raw0(), into.raw0(), out, c.err)
	})
}

// DistFrom makes the distribution of the last probabilistic module from parameters; no module runs.
func (m *Module) DistFrom(params *Dict) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		return raw.ModuleDistFromParams(m.p, params.raw0(), out, c.err)
	})
}

// LogProbOptions may be nil.
type LogProbOptions struct {
	Dist         *Dist // instead of the one that Module.Dist makes
	Sum          bool  // LogProbDict adds the sum of all under "sample_log_prob"
	GivenSamples bool  // members read samples that are in the data instead of drawing new ones
}

func (c *call) logProb(options *LogProbOptions) *raw.LogProbOptions {
	o := one[raw.LogProbOptions](c)
	o.StructSize = structSize(o)
	if options != nil {
		o.Dist, o.IncludeSum, o.GivenSamples = options.Dist.raw0(), flag(options.Sum), flag(options.GivenSamples)
	}
	return o
}

// LogProb returns the log-probability of the samples in the data.
func (m *Module) LogProb(data *Dict, options *LogProbOptions) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.ModuleLogProb(m.p, data.raw0(), c.logProb(options), out, c.err)
	})
}

// LogProbDict returns all log-probabilities under their keys.
func (m *Module) LogProbDict(data *Dict, options *LogProbOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.ModuleLogProbDict(m.p, data.raw0(), c.logProb(options), out, c.err)
	})
}

// DistParamsKeys are the keys of the parameters.
func (m *Module) DistParamsKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleDistParamsKeys(m.p, out, c.err) })
}

// DistSampleKeys are the keys of the samples.
func (m *Module) DistSampleKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleDistSampleKeys(m.p, out, c.err) })
}

// LogProbKeys are the keys of the log-probabilities, even if they are not written.
func (m *Module) LogProbKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleLogProbKeys(m.p, out, c.err) })
}

// NumSamples are the dims that draws add before the batch.
func (m *Module) NumSamples() []int64 {
	defer runtime.KeepAlive(m)
	return sizes(func(out *int64, n uint) uint { return raw.ModuleNumSamples(m.p, out, n) })
}

// DefaultInteraction is the module's own interaction; that of the last member that has one for a sequence.
func (m *Module) DefaultInteraction() Interaction {
	defer runtime.KeepAlive(m)
	return Interaction(raw.ModuleDefaultInteraction(m.p))
}
