package replay

import (
	"encoding/json"
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

func keyOf(spec any) td.Key {
	if s, one := spec.(string); one {
		return td.K(s)
	}
	var key td.Key
	for _, part := range spec.([]any) {
		key = append(key, part.(string))
	}
	return key
}

func keysOf(spec any) []td.Key {
	var keys []td.Key
	for _, one := range spec.([]any) {
		keys = append(keys, keyOf(one))
	}
	return keys
}

func (p *program) key() td.Key    { return keyOf(p.at("key")) }
func (p *program) keys() []td.Key { return keysOf(p.at("keys")) }

func namesOf(spec any) []string {
	var names []string
	if spec == nil {
		return nil
	}
	for _, one := range spec.([]any) {
		name, _ := one.(string)
		names = append(names, name)
	}
	return names
}

func (p *program) index() []td.Index {
	var out []td.Index
	for _, part := range p.at("index").([]any) {
		switch v := part.(type) {
		case int64:
			out = append(out, td.At(v))
		case nil:
			out = append(out, td.NewDim)
		case []any:
			at := func(i int, otherwise int64) int64 {
				if i < len(v) && v[i] != nil {
					return v[i].(int64)
				}
				return otherwise
			}
			out = append(out, td.Step(at(0, 0), at(1, td.End), at(2, 1)))
		default:
			if v == "..." {
				out = append(out, td.Ellipsis)
			} else {
				out = append(out, td.Take(p.tensorOf(part)))
			}
		}
	}
	return out
}

// value is a register, a number or a tensor.
func (p *program) value(spec any) any {
	switch v := spec.(type) {
	case string:
		if number, err := strconv.ParseFloat(v, 64); err == nil && p.registers[v] == nil {
			return number
		}
		if d, is := p.register(v).(*td.Dict); is {
			return d
		}
		return p.tensorOf(v)
	case *object:
		return p.tensorOf(v)
	case []any:
		return intsOf(v)
	}
	return spec
}

func plain(v any) any {
	switch v := v.(type) {
	case *object:
		out := map[string]any{}
		for key, value := range v.values {
			out[key] = plain(value)
		}
		return out
	case []any:
		out := []any{}
		for _, value := range v {
			out = append(out, plain(value))
		}
		return out
	}
	return v
}

// written is JSON with the members in their order.
func written(v any) string {
	switch v := v.(type) {
	case *object:
		text := "{"
		for i, key := range v.keys {
			if i > 0 {
				text += ","
			}
			name, _ := json.Marshal(key)
			text += string(name) + ":" + written(v.values[key])
		}
		return text + "}"
	case []any:
		text := "["
		for i, value := range v {
			if i > 0 {
				text += ","
			}
			text += written(value)
		}
		return text + "]"
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func dataOf(spec any) any {
	switch spec.(type) {
	case *object, []any:
		return json.RawMessage(written(spec))
	}
	return spec
}

func (p *program) arguments(name, named string) []any {
	var out []any
	if p.has(name) {
		for _, one := range p.at(name).([]any) {
			out = append(out, p.value(one))
		}
	}
	if named != "" && p.has(named) {
		o := p.at(named).(*object)
		for _, key := range o.keys {
			value := o.values[key]
			if key == "dtype" {
				out = append(out, td.Named{Name: key, Value: ok(td.ParseDType(value.(string)))})
			} else if list, is := value.([]any); is {
				var reals []float64
				for _, one := range list {
					reals = append(reals, toReal(one))
				}
				out = append(out, td.Named{Name: key, Value: reals})
			} else {
				out = append(out, td.Named{Name: key, Value: p.value(value)})
			}
		}
	}
	return out
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

func literal(spec *object) *td.Tensor {
	shape := intsOf(spec.values["shape"])
	dtype := td.Float32
	if name, given := spec.values["dtype"].(string); given {
		dtype = ok(td.ParseDType(name))
	}
	n := int64(1)
	for _, size := range shape {
		n *= size
	}
	var values []any
	if data, given := spec.values["data"]; given {
		values = data.([]any)
	} else if full, given := spec.values["full"]; given {
		for range n {
			values = append(values, full)
		}
	} else {
		start := spec.values["arange"].(int64)
		for i := range n {
			if dtype == td.Bool {
				values = append(values, ((start+i)%2+2)%2)
			} else {
				values = append(values, start+i)
			}
		}
	}
	// As torch.tensor(numbers).to(dtype): whole numbers through int64, others through float64.
	var whole []int64
	var reals []float64
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			whole = append(whole, v)
		case bool:
			whole = append(whole, int64(toReal(v)))
		}
		reals = append(reals, toReal(v))
	}
	var t *td.Tensor
	if len(whole) == len(values) {
		t = ok(td.FromSlice(whole, shape...))
	} else {
		t = ok(td.FromSlice(reals, shape...))
	}
	defer t.Close()
	return ok(t.To(dtype, ""))
}
