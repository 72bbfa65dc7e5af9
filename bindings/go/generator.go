package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Generator makes random numbers, the same ones as torch.Generator with its seed.
type Generator struct {
	handle[raw.Generator]
}

// NewGenerator makes a generator of the CPU.
func NewGenerator(seed uint64) (*Generator, error) {
	return give(newGenerator, func(c *call, out **raw.Generator) raw.Status { return raw.GeneratorNew(seed, out, c.err) })
}

func newGenerator(p *raw.Generator) *Generator {
	g := new(Generator)
	g.hold(p, raw.GeneratorRelease)
	return g
}

func (g *Generator) raw0() *raw.Generator {
	if g == nil {
		return nil
	}
	return g.p
}

// Seed restarts the generator.
func (g *Generator) Seed(seed uint64) error {
	return do(func(c *call) raw.Status { return raw.GeneratorSeed(g.p, seed, c.err) })
}

// ManualSeed seeds LibTorch's default generators, for the whole process.
func ManualSeed(seed uint64) error {
	return do(func(c *call) raw.Status { return raw.ManualSeed(seed, c.err) })
}

// InitialSeed is the seed that the generator began with, or was last restarted with.
func (g *Generator) InitialSeed() uint64 {
	defer runtime.KeepAlive(g)
	return raw.GeneratorInitialSeed(g.p)
}

// State is the state as a tensor of bytes, the same as torch.Generator's.
func (g *Generator) State() (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status { return raw.GeneratorState(g.p, out, c.err) })
}

// LoadState continues from such a state.
func (g *Generator) LoadState(state *Tensor) error {
	return do(func(c *call) raw.Status { return raw.GeneratorLoadState(g.p, state.raw0(), c.err) })
}
