package replay

import (
	"encoding/json"

	td "tensordict"
)

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
