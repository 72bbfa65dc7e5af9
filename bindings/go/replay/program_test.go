package replay

import (
	"fmt"
	"strconv"

	td "tensordict"
)

// badProgram is wrong in itself; no library can be blamed for it.
type badProgram string

// failure carries an error of the library out of an operation.
type failure struct{ err error }

// ok unwraps a result; an error ends the program, as it does there.
func ok[T any](v T, err error) T {
	must(err)
	return v
}

func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// A program has registers: *td.Dict, *td.Tensor or a *object for plain values.
type program struct {
	step      *object
	registers map[string]any
	order     []string
	scopes    map[string]*scope
	temporary []*td.Tensor
}

func (p *program) at(name string) any {
	if !p.step.has(name) {
		panic(badProgram("the step has no " + name))
	}
	return p.step.values[name]
}

func (p *program) has(name string) bool    { return p.step.has(name) }
func (p *program) given(name string) bool  { return p.step.values[name] != nil }
func (p *program) word(name string) string { return p.at(name).(string) }
func (p *program) integer(name string) int64 {
	return int64(toReal(p.at(name)))
}

func (p *program) integerOr(name string, otherwise int64) int64 {
	if p.has(name) {
		return p.integer(name)
	}
	return otherwise
}

func (p *program) realOr(name string, otherwise float64) float64 {
	if p.has(name) {
		return toReal(p.at(name))
	}
	return otherwise
}

func (p *program) flag(name string) bool { return p.flagOr(name, false) }

func (p *program) flagOr(name string, otherwise bool) bool {
	if p.has(name) {
		return p.at(name).(bool)
	}
	return otherwise
}

func intsOf(v any) []int64 {
	if i, one := v.(int64); one {
		return []int64{i}
	}
	out := []int64{}
	for _, i := range v.([]any) {
		out = append(out, i.(int64))
	}
	return out
}

func (p *program) ints(name string) []int64 { return intsOf(p.at(name)) }

func (p *program) intsOrNone(name string) []int64 {
	if p.given(name) {
		return p.ints(name)
	}
	return nil
}

func (p *program) dtype(name string) td.DType {
	if p.given(name) {
		return ok(td.ParseDType(p.word(name)))
	}
	return td.NoDType
}

func (p *program) register(name any) any {
	r, there := p.registers[name.(string)]
	if !there {
		panic(badProgram("no such register: " + name.(string)))
	}
	return r
}

func (p *program) dict() *td.Dict { return p.dictAt("td") }

func (p *program) dictAt(name string) *td.Dict { return p.dictOf(p.at(name)) }

func (p *program) dictOf(name any) *td.Dict {
	d, is := p.register(name).(*td.Dict)
	if !is {
		panic(badProgram(fmt.Sprint("not a dict: ", name)))
	}
	return d
}

func (p *program) dicts(name string) []*td.Dict {
	var out []*td.Dict
	for _, one := range p.at(name).([]any) {
		out = append(out, p.dictOf(one))
	}
	return out
}

func (p *program) tensor() *td.Tensor { return p.tensorOf(p.at("value")) }

func (p *program) tensorAt(name string) *td.Tensor { return p.tensorOf(p.at(name)) }

func (p *program) tensorOf(spec any) *td.Tensor {
	if o, is := spec.(*object); is {
		return p.keep(literal(o))
	}
	t, is := p.register(spec).(*td.Tensor)
	if !is {
		panic(badProgram(fmt.Sprint("not a tensor: ", spec)))
	}
	return t
}

// keep closes a tensor after the step.
func (p *program) keep(t *td.Tensor) *td.Tensor {
	p.temporary = append(p.temporary, t)
	return t
}

func (p *program) put(made any) { p.putAt("", made) }

func (p *program) putAt(suffix string, made any) {
	switch list := made.(type) {
	case []*td.Dict:
		for i, d := range list {
			p.putAt(suffix+"."+strconv.Itoa(i), d)
		}
		return
	case []*td.Tensor:
		for i, t := range list {
			p.putAt(suffix+"."+strconv.Itoa(i), t)
		}
		return
	}
	to, wanted := p.step.values["to"].(string)
	if !wanted {
		closeRegister(made)
		return
	}
	name := to + suffix
	if old, there := p.registers[name]; there {
		closeRegister(old)
	} else {
		p.order = append(p.order, name)
	}
	p.registers[name] = made
}

func (p *program) putValue(v any) { p.put(obj("value", v)) }

func closeRegister(r any) {
	switch r := r.(type) {
	case *td.Dict:
		r.Close()
	case *td.Tensor:
		r.Close()
	}
}

func (p *program) release(name string) {
	closeRegister(p.register(name))
	delete(p.registers, name)
	for i, one := range p.order {
		if one == name {
			p.order = append(p.order[:i:i], p.order[i+1:]...)
			break
		}
	}
}

func (p *program) endStep() {
	for _, t := range p.temporary {
		t.Close()
	}
	p.temporary = nil
}
