package replay

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	td "tensordict"
)

// words reads a line of dist.txt.
type words struct{ rest []string }

func (w *words) next() string {
	word := w.rest[0]
	w.rest = w.rest[1:]
	return word
}

func (w *words) ints() []int64 {
	out := make([]int64, ok(strconv.Atoi(w.next())))
	for i := range out {
		out[i] = ok(strconv.ParseInt(w.next(), 10, 64))
	}
	return out
}

var dtypesOfText = map[string]td.DType{"f32": td.Float32, "f64": td.Float64, "i64": td.Int64, "bool": td.Bool}

func (v *vector) textTensor(w *words) *td.Tensor {
	dtype, dims := dtypesOfText[w.next()], w.ints()
	values := []float64{}
	for _, word := range w.rest {
		values = append(values, ok(strconv.ParseFloat(word, 64)))
	}
	if dims == nil {
		dims = []int64{}
	}
	wide := v.tensor(td.FromSlice(values, dims...))
	return v.tensor(wide.To(dtype, ""))
}

func sameTensors(got, wanted *td.Tensor, tolerance float64, what string) {
	check(slices.Equal(got.Shape(), wanted.Shape()), "%s has the shape %v, not %v", what, got.Shape(), wanted.Shape())
	a, b := valuesOf(got), valuesOf(wanted)
	for i := range a {
		check(close(a[i], b[i], tolerance*2), "%s[%d] = %v, not %v", what, i, a[i], b[i])
	}
}

// A distCase is a distribution with what stock Python says of it.
type distCase struct {
	*vector
	kind, config, transforms string
	independent              int64
	params                   *td.Dict
	value                    *td.Tensor
	grads                    map[string]*td.Tensor
	made                     *td.Dist
}

func (c *distCase) dist() *td.Dist {
	if c.made == nil {
		c.made = c.vector.dist(td.NewDist(c.kind, c.params, c.config))
		if c.transforms != "" {
			c.made = c.vector.dist(c.made.Transformed(c.transforms, nil))
		}
		if c.independent != 0 {
			c.made = c.vector.dist(c.made.Independent(c.independent))
		}
	}
	return c.made
}

func (c *distCase) line(text string) {
	what, rest, _ := strings.Cut(text, " ")
	w := &words{strings.Fields(rest)}
	switch what {
	case "type":
		c.kind = rest
	case "config":
		c.config = rest
	case "transforms":
		c.transforms = rest
	case "independent":
		c.independent = ok(strconv.ParseInt(rest, 10, 64))
	case "param":
		name := w.next()
		t := c.textTensor(w)
		if t.DType() != td.Int64 && t.DType() != td.Bool {
			must(t.SetRequiresGrad(true))
		}
		must(c.params.Set(t, name))
	case "value":
		c.value = c.textTensor(w)
	case "batch":
		check(slices.Equal(c.dist().BatchShape(), w.ints()), "the batch shape is %v", c.dist().BatchShape())
	case "event":
		check(slices.Equal(c.dist().EventShape(), w.ints()), "the event shape is %v", c.dist().EventShape())
	case "without":
		_, err := c.ask(rest)
		check(errors.Is(err, td.ErrUnsupported), "%s: %v", rest, err)
	case "draw":
		c.draw(c.textTensor(w))
	case "grad":
		name := w.next()
		sameTensors(c.tensor(c.tensor(c.params.Get(name)).Grad()), c.textTensor(w), 1e-5, "the gradient of "+name)
	default:
		wanted := c.textTensor(w)
		tolerance := 1e-9
		if wanted.DType() == td.Float32 {
			tolerance = 1e-6
		}
		got, err := c.ask(what)
		sameTensors(c.tensor(got, err), wanted, tolerance, what)
	}
}

func (c *distCase) ask(what string) (*td.Tensor, error) {
	if what != "icdf" {
		return ask(c.dist(), what, c.value)
	}
	dims := []int64{3}
	for range c.dist().BatchShape() {
		dims = append(dims, 1)
	}
	return c.dist().ICDF(c.tensor(td.FromSlice([]float64{0.1, 0.5, 0.9}, dims...)))
}

// draw compares three values of seed 0, and computes the gradients that follow.
func (c *distCase) draw(wanted *td.Tensor) {
	generator := c.generator(td.NewGenerator(0))
	d := c.dist()
	if !d.HasRSample() {
		sameTensors(c.tensor(d.Sample(generator, 3)), wanted, 1e-6, "a draw")
		return
	}
	got := c.tensor(d.RSample(generator, 3))
	if got.RequiresGrad() {
		must(c.tensor(got.Op("sum")).Backward())
	}
	sameTensors(got, wanted, 1e-6, "a draw")
}

// TestDistributionVectors replays what torch.distributions gives: values, statistics, draws, gradients and divergences.
func TestDistributionVectors(t *testing.T) {
	text, err := os.ReadFile("../../../tests/data/vectors/dist.txt")
	if err != nil {
		t.Skip("the vectors are not here: only the repository has them")
	}
	before, cases, pairs := td.LiveObjects(), 0, 0
	for _, block := range strings.Split(strings.TrimSuffix(strings.TrimSpace(string(text)), "end"), "\nend\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		name, isCase := strings.CutPrefix(lines[0], "case ")
		v := &vector{object: obj("id", lines[0])}
		failed := caught(func() {
			if !isCase {
				pairs++
				name = v.divergence(lines)
				return
			}
			cases++
			c := &distCase{vector: v, params: v.dict(td.New())}
			for _, line := range lines[1:] {
				c.line(line)
			}
		})
		if failed != nil {
			t.Errorf("%s: %v", name, failed)
		}
		v.close()
	}
	t.Logf("%d distributions and %d divergences", cases, pairs)
	if cases < 90 || pairs < 400 {
		t.Error("the file has fewer of them than it should")
	}
	settled(t, before)
}

// divergence compares the divergence of a pair, or that the library offers none.
func (v *vector) divergence(lines []string) string {
	kinds := map[string]string{}
	params := map[string]*td.Dict{"p": v.dict(td.New()), "q": v.dict(td.New())}
	var wanted *td.Tensor
	for _, line := range lines {
		w := &words{strings.Fields(line)}
		switch w.next() {
		case "type":
			side := w.next()
			kinds[side] = w.next()
		case "param":
			side, name := w.next(), w.next()
			must(params[side].Set(v.textTensor(w), name))
		case "result":
			wanted = v.textTensor(w)
		}
	}
	name := "KL(" + kinds["p"] + " || " + kinds["q"] + ")"
	got, err := td.KLDivergence(v.dist(td.NewDist(kinds["p"], params["p"], "")), v.dist(td.NewDist(kinds["q"], params["q"], "")))
	if wanted == nil {
		check(errors.Is(err, td.ErrUnsupported), "%s: %v", name, err)
	} else {
		sameTensors(v.tensor(got, err), wanted, 1e-8, name)
	}
	return name
}
