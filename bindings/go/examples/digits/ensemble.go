package main

import td "tensordict"

const (
	members = 8
	epochs  = 60
	rows    = 64 // in one step
	network = `{"in_features": 64, "hidden": [64], "out_features": 10}`
)

// An ensemble is small networks trained as one: their parameters lie stacked in one dict, and vmap runs all of them in the
// operators of one.
type ensemble struct {
	net    *td.Module
	states *td.Dict
}

func newNet(seed uint64) *td.Module {
	generator := must(td.NewGenerator(seed))
	defer generator.Close()
	layers := must(td.NewModule("td.mlp", network, generator))
	defer layers.Close()
	return must(td.TensorDictModule(layers, []td.Key{td.K("pixels")}, []td.Key{td.K("logits")}))
}

func newEnsemble() *ensemble {
	nets := make([]*td.Module, members)
	for i := range nets {
		nets[i] = newNet(uint64(i))
	}
	states := must(td.FromModules(nil, nets...))
	for _, net := range nets[1:] {
		net.Close()
	}
	return &ensemble{nets[0], states}
}

func (e *ensemble) close() {
	e.states.Close()
	e.net.Close()
}

func (e *ensemble) train(data *td.Dict, generator *td.Generator) {
	adam := must(td.Adam(e.states, &td.AdamOptions{LR: 2e-3}))
	defer adam.Close()
	for range epochs {
		order := shuffled(data, generator)
		batches := must(order.Split(rows, 0))
		order.Close()
		for _, batch := range batches {
			e.learn(batch, adam)
			batch.Close()
		}
	}
}

// learn lowers the mean of the members' losses: each depends on the parameters of one member only, so no gradients mix.
func (e *ensemble) learn(batch *td.Dict, adam *td.Optimizer) {
	seen := must(e.net.Vmap(e.states, batch, nil))
	defer seen.Close()
	logits := taken(must(seen.Get("logits")), "flatten", 0, 1)
	defer logits.Close()
	targets := taken(must(seen.Get("label")), "flatten", 0, 1)
	defer targets.Close()
	loss := must(logits.Op("cross_entropy_loss", targets))
	defer loss.Close()
	check(adam.ZeroGrad())
	check(loss.Backward())
	check(adam.Step())
}

// probability has the dims members, rows and classes.
func (e *ensemble) probability(data *td.Dict) (out *td.Tensor) {
	check(td.NoGrad(func() error {
		seen, err := e.net.Vmap(e.states, data, nil)
		if err != nil {
			return err
		}
		defer seen.Close()
		out = taken(must(seen.Get("logits")), "softmax.int", -1)
		return nil
	}))
	return out
}
