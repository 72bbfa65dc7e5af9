package replay

import (
	"strconv"

	td "tensordict"
)

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
