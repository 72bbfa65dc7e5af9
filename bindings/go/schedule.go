package tensordict

import (
	"math"
	"runtime"

	"tensordict/raw"
)

// Zero stands for 0 in options of optimizers and schedules, where 0 means the default.
const Zero = math.SmallestNonzeroFloat64

// A Schedule changes the learning rates of an optimizer from step to step.
type Schedule struct {
	handle[raw.Schedule]
}

func newSchedule(p *raw.Schedule) *Schedule {
	s := new(Schedule)
	s.hold(p, raw.ScheduleRelease)
	return s
}

func makeSchedule(fn func(c *call, out **raw.Schedule) raw.Status) (*Schedule, error) {
	return give(newSchedule, fn)
}

// StepLR multiplies the learning rates by gamma after every size steps.
func (o *Optimizer) StepLR(size int64, gamma float64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		return raw.ScheduleNewStep(o.p, size, gamma, out, c.err)
	})
}

// MultiStepLR multiplies the learning rates by gamma at each of the milestones, which need no order.
func (o *Optimizer) MultiStepLR(gamma float64, milestones ...int64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		p, n := c.ints(milestones)
		return raw.ScheduleNewMultiStep(o.p, p, n, gamma, out, c.err)
	})
}

// ExponentialLR multiplies the learning rates by gamma in every step.
func (o *Optimizer) ExponentialLR(gamma float64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		return raw.ScheduleNewExponential(o.p, gamma, out, c.err)
	})
}

// CosineLR lowers the learning rates to minimum in steps, along half a cosine wave, and raises them again after that.
func (o *Optimizer) CosineLR(steps int64, minimum float64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		return raw.ScheduleNewCosine(o.p, steps, minimum, out, c.err)
	})
}

// LinearLR multiplies the learning rates by factors from start to end in the first steps.
func (o *Optimizer) LinearLR(start, end float64, steps int64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		return raw.ScheduleNewLinear(o.p, start, end, steps, out, c.err)
	})
}

// ConstantLR multiplies the learning rates by a factor in the first steps.
func (o *Optimizer) ConstantLR(factor float64, steps int64) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		return raw.ScheduleNewConstant(o.p, factor, steps, out, c.err)
	})
}

// OneCycleOptions may be nil; 0 is the default of PyTorch.
type OneCycleOptions struct {
	PctStart, DivFactor, FinalDivFactor, BaseMomentum, MaxMomentum float64
	Linear                                                         bool // straight lines instead of cosine waves
	ThreePhases                                                    bool
	KeepMomentum                                                   bool // only the learning rate changes
}

// OneCycleLR raises the learning rates to max and then lowers them further than they were at first.
func (o *Optimizer) OneCycleLR(max float64, steps int64, options *OneCycleOptions) (*Schedule, error) {
	return makeSchedule(func(c *call, out **raw.Schedule) raw.Status {
		p := one[raw.OneCycleOptions](c)
		p.StructSize = structSize(p)
		if options != nil {
			p.PctStart, p.DivFactor, p.FinalDivFactor = options.PctStart, options.DivFactor, options.FinalDivFactor
			p.BaseMomentum, p.MaxMomentum = options.BaseMomentum, options.MaxMomentum
			p.Linear, p.ThreePhases, p.KeepMomentum = flag(options.Linear), flag(options.ThreePhases), flag(options.KeepMomentum)
		}
		return raw.ScheduleNewOneCycle(o.p, max, steps, p, out, c.err)
	})
}

// Step sets the learning rates of the next step.
func (s *Schedule) Step() error {
	return do(func(c *call) raw.Status { return raw.ScheduleStep(s.p, c.err) })
}

// Steps is the number of steps so far.
func (s *Schedule) Steps() int64 {
	defer runtime.KeepAlive(s)
	return raw.ScheduleSteps(s.p)
}

// State is the state as a dict of copies, without the learning rates, which Optimizer.State has.
func (s *Schedule) State() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.ScheduleState(s.p, out, c.err) })
}

// LoadState loads what State made.
func (s *Schedule) LoadState(state *Dict) error {
	return do(func(c *call) raw.Status { return raw.ScheduleLoadState(s.p, state.raw0(), c.err) })
}
