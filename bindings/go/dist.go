package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Dist is a probability distribution of torch.distributions or of a plugin. Its functions are operators, so gradients
// flow through them.
type Dist struct {
	handle[raw.Dist]
}

func newDist(p *raw.Dist) *Dist {
	d := new(Dist)
	d.hold(p, raw.DistRelease)
	return d
}

func (d *Dist) raw0() *raw.Dist {
	if d == nil {
		return nil
	}
	return d.p
}

func makeDist(fn func(c *call, out **raw.Dist) raw.Status) (*Dist, error) {
	return give(newDist, fn)
}

func makeTensor(fn func(c *call, out **raw.Tensor) raw.Status) (*Tensor, error) {
	return give(newTensor, fn)
}

// NewDist makes a distribution of a type, "td.normal" or one of a plugin, from its parameters, which are shared and
// broadcast. config is a JSON object, or empty; {"validate_args": false} turns the checks off.
func NewDist(kind string, params *Dict, config string) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		return raw.DistNew(c.str(kind), params.raw0(), c.optional(config), out, c.err)
	})
}

// Sample draws values of a shape before that of the batch. A nil generator is LibTorch's own.
func (d *Dist) Sample(generator *Generator, shape ...int64) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		p, n := c.ints(shape)
		return raw.DistSample(d.p, p, n, generator.raw0(), out, c.err)
	})
}

// RSample is Sample that keeps the gradients of the parameters.
func (d *Dist) RSample(generator *Generator, shape ...int64) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		p, n := c.ints(shape)
		return raw.DistRsample(d.p, p, n, generator.raw0(), out, c.err)
	})
}

// LogProb returns the log of the density or mass at value.
func (d *Dist) LogProb(value *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistLogProb(d.p, value.raw0(), out, c.err)
	})
}

// A Stat is a statistic of a distribution.
type Stat int32

// The statistics. StatEntropy and StatPerplexity have the batch shape, the others also the event shape; StatDeterministic is
// the deterministic sample that the type defines.
const (
	StatMean          = Stat(raw.DIST_STAT_MEAN)
	StatMode          = Stat(raw.DIST_STAT_MODE)
	StatVariance      = Stat(raw.DIST_STAT_VARIANCE)
	StatEntropy       = Stat(raw.DIST_STAT_ENTROPY)
	StatMedian        = Stat(raw.DIST_STAT_MEDIAN)
	StatStdDev        = Stat(raw.DIST_STAT_STDDEV)
	StatDeterministic = Stat(raw.DIST_STAT_DETERMINISTIC)
	StatPerplexity    = Stat(raw.DIST_STAT_PERPLEXITY)
)

// Get returns a statistic; ErrUnsupported if the type does not define it.
func (d *Dist) Get(stat Stat) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistGet(d.p, raw.DistStat(stat), out, c.err)
	})
}

// CDF returns the cumulative distribution function at value.
func (d *Dist) CDF(value *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistCdf(d.p, value.raw0(), out, c.err)
	})
}

// ICDF returns the inverse of CDF at value, which is not checked.
func (d *Dist) ICDF(value *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistIcdf(d.p, value.raw0(), out, c.err)
	})
}

// EnumerateSupport returns all values of a discrete distribution; without expand, the batch dims have size 1.
func (d *Dist) EnumerateSupport(expand bool) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.DistEnumerateSupport(d.p, flag(expand), out, c.err)
	})
}

// Expand makes the same distribution with a larger batch; parameters are not copied.
func (d *Dist) Expand(batch ...int64) (*Dist, error) {
	return makeDist(func(c *call, out **raw.Dist) raw.Status {
		p, n := c.ints(batch)
		return raw.DistExpand(d.p, p, n, out, c.err)
	})
}

// BatchShape is the shape of the parameters that are not part of one event.
func (d *Dist) BatchShape() []int64 {
	defer runtime.KeepAlive(d)
	return sizes(func(out *int64, n uint) uint { return raw.DistBatchShape(d.p, out, n) })
}

// EventShape is the shape of one value.
func (d *Dist) EventShape() []int64 {
	defer runtime.KeepAlive(d)
	return sizes(func(out *int64, n uint) uint { return raw.DistEventShape(d.p, out, n) })
}

// HasRSample tells whether RSample is supported.
func (d *Dist) HasRSample() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DistHasRsample(d.p))
}

// HasEnumerateSupport tells whether EnumerateSupport is supported.
func (d *Dist) HasEnumerateSupport() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DistHasEnumerateSupport(d.p))
}

// Share makes one more reference to the same distribution.
func (d *Dist) Share() *Dist {
	raw.DistRetain(d.p)
	return newDist(d.p)
}

// String is what Python prints.
func (d *Dist) String() string {
	if d == nil || d.p == nil {
		return "Dist(closed)"
	}
	shown, err := give(takeString, func(c *call, out **raw.String) raw.Status { return raw.DistRepr(d.p, out, c.err) })
	if err != nil {
		return "Dist(" + err.Error() + ")"
	}
	return shown
}

// SetDefaultValidateArgs sets whether distributions made from now on check their parameters and values.
func SetDefaultValidateArgs(validate bool) {
	raw.DistSetDefaultValidateArgs(flag(validate))
}

// DefaultValidateArgs returns that default: true until it is set.
func DefaultValidateArgs() bool {
	return truth(raw.DistDefaultValidateArgs())
}
