package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// An object keeps the order of its members, which counts.
type object struct {
	keys   []string
	values map[string]any
}

func (o *object) set(key string, value any) {
	if o.values == nil {
		o.values = map[string]any{}
	}
	if _, there := o.values[key]; !there {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

func (o *object) has(key string) bool {
	_, there := o.values[key]
	return there
}

func obj(pairs ...any) *object {
	o := new(object)
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// parse reads JSON: *object, []any, string, bool, nil, int64 or float64.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return next(d)
}

func next(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			out := []any{}
			for d.More() {
				v, err := next(d)
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			_, err = d.Token()
			return out, err
		}
		o := new(object)
		o.values = map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := next(d)
			if err != nil {
				return nil, err
			}
			o.set(key.(string), v)
		}
		_, err = d.Token()
		return o, err
	case json.Number:
		if i, err := t.Int64(); err == nil {
			return i, nil
		}
		return t.Float64()
	}
	return token, nil
}

func number(x float64) any {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return x
}

func toReal(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	case string:
		switch v {
		case "nan":
			return math.NaN()
		case "inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		}
	}
	panic(badProgram(fmt.Sprintf("not a number: %v", v)))
}

type comparison struct {
	found []string
}

func (c *comparison) differ(at string, a, b any) {
	c.found = append(c.found, fmt.Sprintf("%s: expected %.160v, got %.160v", at, show(a), show(b)))
}

func show(v any) string {
	if o, ok := v.(*object); ok {
		var parts []string
		for _, key := range o.keys {
			parts = append(parts, key+": "+show(o.values[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%v", v)
}

func tolerance(o *object) float64 {
	switch o.values["dtype"] {
	case "float16":
		return 2e-3
	case "bfloat16":
		return 2e-2
	case "float32", "complex64":
		return 2e-5
	}
	return 1e-9
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

func (c *comparison) compare(a, b any, at string, within float64) {
	switch x := a.(type) {
	case *object:
		if y, ok := b.(*object); ok {
			c.objects(x, y, at)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			if len(x) != len(y) {
				c.differ(at, a, b)
				return
			}
			for i := range x {
				c.compare(x[i], y[i], fmt.Sprintf("%s[%d]", at, i), within)
			}
			return
		}
	default:
		if isNumber(a) && isNumber(b) {
			i, whole := a.(int64)
			j, also := b.(int64)
			if whole && also {
				if i == j {
					return
				}
			} else if x, y := toReal(a), toReal(b); math.Abs(x-y) <= within*max(1, math.Abs(x), math.Abs(y)) {
				return
			}
		} else if _, ok := b.(*object); !ok {
			if _, ok := b.([]any); !ok && a == b {
				return
			}
		}
	}
	c.differ(at, a, b)
}

func (c *comparison) objects(a, b *object, at string) {
	within := tolerance(a)
	alike := true
	for _, key := range a.keys {
		if b.has(key) {
			c.compare(a.values[key], b.values[key], at+"/"+key, within)
		} else {
			c.found = append(c.found, at+"/"+key+" is missing")
			alike = false
		}
	}
	for _, key := range b.keys {
		if !a.has(key) {
			c.found = append(c.found, fmt.Sprintf("%s/%s was not expected: %.160s", at, key, show(b.values[key])))
			alike = false
		}
	}
	if alike && strings.HasSuffix(at, "/entries") && strings.Join(a.keys, "\x00") != strings.Join(b.keys, "\x00") {
		c.differ(at+" in order", a.keys, b.keys)
	}
}

func parts(z complex128) (re, im float64) {
	return real(z), imag(z)
}
