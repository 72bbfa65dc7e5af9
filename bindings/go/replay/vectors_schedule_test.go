package replay

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	td "tensordict"
)

func (v *vector) optimizer(name string, lr float64) *td.Optimizer {
	w := v.tensor(td.FromSlice([]float32{1, -2}))
	must(w.SetRequiresGrad(true))
	params := v.dict(td.New())
	must(params.Set(w, "w"))
	var o *td.Optimizer
	if name == "adam" {
		o = ok(td.Adam(params, &td.AdamOptions{LR: lr}))
	} else {
		o = ok(td.SGD(params, &td.SGDOptions{LR: lr, Momentum: 0.7}))
	}
	v.owned = append(v.owned, o)
	return o
}

// schedule is made of "cosine,0x1.4p+2,0x0p+0".
func (v *vector) schedule(o *td.Optimizer, spelled string) *td.Schedule {
	name, rest, _ := strings.Cut(spelled, ",")
	x := make([]float64, 8)
	n := 0
	for _, word := range strings.Split(rest, ",") {
		x[n] = ok(strconv.ParseFloat(word, 64))
		n++
	}
	make := func(s *td.Schedule, err error) *td.Schedule {
		must(err)
		v.owned = append(v.owned, s)
		return s
	}
	steps := int64(x[1])
	switch name {
	case "step":
		return make(o.StepLR(int64(x[0]), x[1]))
	case "multi_step":
		var milestones []int64
		for _, at := range x[1:n] {
			milestones = append(milestones, int64(at))
		}
		return make(o.MultiStepLR(x[0], milestones...))
	case "exponential":
		return make(o.ExponentialLR(x[0]))
	case "cosine":
		return make(o.CosineLR(int64(x[0]), x[1]))
	case "linear":
		return make(o.LinearLR(x[0], x[1], int64(x[2])))
	case "constant":
		return make(o.ConstantLR(x[0], steps))
	case "one_cycle":
		return make(o.OneCycleLR(x[0], steps, nil))
	case "one_cycle_other":
		return make(o.OneCycleLR(x[0], steps, &td.OneCycleOptions{PctStart: 0.4, Linear: true, BaseMomentum: 0.5,
			MaxMomentum: 0.9, DivFactor: 10, FinalDivFactor: 100, ThreePhases: true}))
	case "one_cycle_kept":
		return make(o.OneCycleLR(x[0], steps, &td.OneCycleOptions{KeepMomentum: true}))
	}
	panic(badProgram("no such schedule: " + name))
}

// The last bits of a cosine are those of the C library.
func sameRate(got, wanted float64) bool {
	return math.Abs(got-wanted) <= 1e-14*math.Abs(wanted)+1e-18
}

func TestScheduleVectors(t *testing.T) {
	text, err := os.ReadFile("../../../tests/data/vectors/schedule.txt")
	if err != nil {
		t.Skip("the vectors are not here: only the repository has them")
	}
	before, cases := td.LiveObjects(), 0
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for ; 2*cases+1 < len(lines); cases++ {
		v := &vector{object: obj("id", lines[2*cases])}
		if err := caught(func() { v.rates(strings.Fields(lines[2*cases])[1:], strings.Fields(lines[2*cases+1])) }); err != nil {
			t.Errorf("%s: %v", lines[2*cases], err)
		}
		v.close()
	}
	if cases < 20 {
		t.Errorf("only %d cases", cases)
	}
	settled(t, before)
}

// rates compares pairs of a learning rate and a momentum, step by step.
func (v *vector) rates(words, numbers []string) {
	o := v.optimizer(words[0], ok(strconv.ParseFloat(words[1], 64)))
	momentum := "momentum"
	if words[0] == "adam" {
		momentum = "beta1"
	}
	var schedules []*td.Schedule
	for _, spelled := range words[2:] {
		schedules = append(schedules, v.schedule(o, spelled))
	}
	for step := 0; 2*step+1 < len(numbers); step++ {
		for _, s := range schedules {
			if step > 0 {
				must(s.Step())
			}
		}
		lr := ok(o.Get(0, "lr"))
		check(sameRate(lr, ok(strconv.ParseFloat(numbers[2*step], 64))), "step %d: %v, not %s", step, lr, numbers[2*step])
		other := ok(o.Get(0, momentum))
		check(sameRate(other, ok(strconv.ParseFloat(numbers[2*step+1], 64))), "step %d: the momentum is %v", step, other)
		check(schedules[0].Steps() == int64(step), "%d steps", schedules[0].Steps())
		if words[0] == "by_hand" && step == 3 {
			must(o.Set(0, "lr", 2*lr))
		}
	}
}
