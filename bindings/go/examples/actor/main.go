// Actor plays with a policy that a learner in Python trains, and gives it what it has seen: no file is written twice and
// nothing is copied from process to process.
//
//	actor WEIGHTS SEGMENT
//
// WEIGHTS is a memmap directory of the learner with the "weight" and the "bias" of a linear layer, which the learner
// changes in place. The actor creates SEGMENT and prints its path, which Python opens with TensorDict.from_consolidated;
// for each line on stdin it plays once more and prints the version of the segment. learner.py is the other side.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"

	td "tensordict"
)

const (
	batch    = 256
	features = 4
)

// The action that is right is the sum of the observations; the reward is the negative square of what is wrong.
type world struct {
	generator *td.Generator
	policy    *td.Module // writes "loc", "action" and its "action_log_prob"
	layer     *td.Module
	weights   *td.Dict
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func newWorld(weights string) *world {
	w := &world{generator: must(td.NewGenerator(0)), weights: must(td.Open(weights, nil))}
	w.layer = must(td.NewModule("td.linear", fmt.Sprintf(`{"in_features": %d, "out_features": 1}`, features), w.generator))
	loc := must(td.TensorDictModule(w.layer, []td.Key{td.K("obs")}, []td.Key{td.K("loc")}))
	defer loc.Close()
	action := must(td.Probabilistic("td.normal", "", []td.Key{td.K("loc"), td.K("scale")}, []td.Key{td.K("action")},
		&td.ProbabilisticOptions{Interaction: td.TakeRandom, ReturnLogProb: true, Generator: w.generator}))
	defer action.Close()
	w.policy = must(td.ProbabilisticSequential(td.CompositeIfSeveral, nil, loc, action))
	return w
}

// play makes a batch with the weights as they are now.
func (w *world) play() *td.Dict {
	if _, _, err := w.layer.LoadStateDict(w.weights, nil); err != nil {
		log.Fatal(err)
	}
	seen := must(td.New(batch))
	set := func(key string, t *td.Tensor, err error) *td.Tensor {
		check(err)
		check(seen.Set(t, key))
		return t
	}
	random, err := td.Randn(w.generator, td.Float32, batch, features)
	obs := set("obs", random, err)
	defer obs.Close()
	noise, err := td.Full(0.3, td.Float32, batch, 1)
	set("scale", noise, err).Close()
	check(td.NoGrad(func() error { return w.policy.Run(seen) }))
	action := must(seen.Get("action"))
	defer action.Close()
	right := must(obs.Op("sum.dim_IntList", []int64{1}, true))
	defer right.Close()
	wrong := must(action.Op("sub", right))
	defer wrong.Close()
	square := must(wrong.Op("square"))
	defer square.Close()
	reward, err := square.Op("neg")
	set("reward", reward, err).Close()
	return seen
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: actor WEIGHTS SEGMENT")
	}
	w := newWorld(os.Args[1])
	first := w.play()
	segment := must(td.CreateSegment(os.Args[2], first, nil))
	first.Close()
	defer segment.Close()
	fmt.Println(segment.Path())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		next := w.play()
		check(segment.Update(next))
		next.Close()
		fmt.Println(segment.Version())
	}
}
