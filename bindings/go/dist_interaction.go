package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// An Interaction says how a value is taken from a distribution.
type Interaction int32

// The interactions. DefaultInteraction is the default of what is called; TakeDeterministic is the deterministic sample
// that the type defines, else its mode or mean.
const (
	DefaultInteraction = Interaction(raw.INTERACTION_DEFAULT)
	TakeMode           = Interaction(raw.INTERACTION_MODE)
	TakeMedian         = Interaction(raw.INTERACTION_MEDIAN)
	TakeMean           = Interaction(raw.INTERACTION_MEAN)
	TakeRandom         = Interaction(raw.INTERACTION_RANDOM)
	TakeDeterministic  = Interaction(raw.INTERACTION_DETERMINISTIC)
)

// ParseInteraction finds an interaction by its name in Python, ignoring case.
func ParseInteraction(name string) (Interaction, error) {
	return give(func(i raw.Interaction) Interaction { return Interaction(i) }, func(c *call, out *raw.Interaction) raw.Status {
		return raw.InteractionFromName(c.str(name), out, c.err)
	})
}

// WithInteraction runs fn with an interaction that overrides the default of every module, on this goroutine and its
// thread.
func WithInteraction(interaction Interaction, fn func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	word := userdata(fn)
	defer drop(word)
	return ownError(do(func(c *call) raw.Status {
		return raw.InteractionRun(raw.Interaction(interaction), runFunction, word, c.err)
	}))
}

// CurrentInteraction is that of WithInteraction, inside of it.
func CurrentInteraction() Interaction {
	return Interaction(raw.InteractionGet())
}

// InteractOptions may be nil.
type InteractOptions struct {
	Shape     []int64 // before the batch: as many values are drawn, or repeated
	Empirical int64   // how many draws stand for a mean that the distribution lacks; 0: 1000
	Generator *Generator
}

func (c *call) interact(options *InteractOptions) (shape *int64, n uint, empirical int64, generator *raw.Generator) {
	if options == nil {
		return nil, 0, 0, nil
	}
	shape, n = c.ints(options.Shape)
	return shape, n, options.Empirical, options.Generator.raw0()
}

// Interact returns a value as the interaction says.
func (d *Dist) Interact(interaction Interaction, options *InteractOptions) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		shape, n, empirical, generator := c.interact(options)
		return raw.DistInteract(d.p, raw.Interaction(interaction), shape, n, empirical, generator, out, c.err)
	})
}

// InteractDict is Interact of a composite distribution.
func (d *Dist) InteractDict(interaction Interaction, options *InteractOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		shape, n, empirical, generator := c.interact(options)
		return raw.DistInteractDict(d.p, raw.Interaction(interaction), shape, n, empirical, generator, out, c.err)
	})
}
