package tensordict

import (
	"encoding/json"
	"math"
	"reflect"

	"tensordict/raw"
)

// Data are the values of a non-tensor entry: nil, bool, int64, float64, string, []byte, json.RawMessage or Pickle. There
// is one for the whole batch, or with Stack one for each batch element, row-major.
type Data struct {
	Values []any
	Shape  []int64
	Stack  bool
}

// A Pickle is what Python wrote and only Python can read. Index is -1, or that of the value in the pickled list.
type Pickle struct {
	Bytes []byte
	Index int64
}

// Value is the first value: the one for the whole batch.
func (d *Data) Value() any {
	return d.Values[0]
}

func (c *call) data(value any) (*raw.Data, error) {
	out := one[raw.Data](c)
	return out, c.fillData(out, value)
}

func (c *call) fillData(out *raw.Data, value any) error {
	switch v := value.(type) {
	case nil:
		out.Kind = raw.DATA_NONE
	case string:
		out.Kind, out.Text = raw.DATA_STR, c.str(v)
	case json.RawMessage:
		out.Kind, out.Text = raw.DATA_JSON, c.str(string(v))
	case []byte:
		out.Kind, out.Text = raw.DATA_BYTES, c.str(string(v))
	case Pickle:
		out.Kind, out.Text, out.I = raw.DATA_PICKLE, c.str(string(v.Bytes)), v.Index
	default:
		return c.fillNumber(out, value)
	}
	return nil
}

// What is neither a number nor text is stored as JSON.
func (c *call) fillNumber(out *raw.Data, value any) error {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Bool:
		out.Kind, out.I = raw.DATA_BOOL, int64(flag(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.Kind, out.I = raw.DATA_INT, v.Int()
	case reflect.Float32, reflect.Float64:
		out.Kind, out.F = raw.DATA_DOUBLE, v.Float()
	default:
		if u := v; u.CanUint() && u.Uint() <= math.MaxInt64 {
			out.Kind, out.I = raw.DATA_INT, int64(u.Uint())
			return nil
		}
		written, err := json.Marshal(value)
		if err != nil {
			return argument("%T cannot be stored as data: %v", value, err)
		}
		out.Kind, out.Text = raw.DATA_JSON, c.str(string(written))
	}
	return nil
}

func dataValue(d *raw.Data) any {
	switch d.Kind {
	case raw.DATA_BOOL:
		return d.I != 0
	case raw.DATA_INT:
		return d.I
	case raw.DATA_DOUBLE:
		return d.F
	case raw.DATA_STR:
		return text(d.Text)
	case raw.DATA_BYTES:
		return []byte(text(d.Text))
	case raw.DATA_JSON:
		return json.RawMessage(text(d.Text))
	case raw.DATA_PICKLE:
		return Pickle{[]byte(text(d.Text)), d.I}
	}
	return nil
}

func readData(list *raw.DataList) *Data {
	out := &Data{Stack: truth(raw.DataListIsStack(list)), Values: make([]any, raw.DataListSize(list))}
	out.Shape = sizes(func(sizes *int64, n uint) uint { return raw.DataListShape(list, sizes, n) })
	c := begin()
	defer c.end()
	value := one[raw.Data](c)
	for i := range out.Values {
		if raw.DataListGet(list, int64(i), value, nil) == raw.OK {
			out.Values[i] = dataValue(value)
		}
	}
	return out
}

func takeData(list *raw.DataList) *Data {
	defer raw.DataListRelease(list)
	return readData(list)
}

// list makes a list of the library of it, which the caller releases.
func (d *Data) list(c *call, out **raw.DataList) raw.Status {
	values := many[raw.Data](c, len(d.Values))
	for i, value := range d.Values {
		if err := c.fillData(&values[i], value); err != nil {
			return c.fail(err)
		}
	}
	var shape *int64
	n := uint(0)
	if d.Stack {
		shape, n = c.given(d.Shape)
	}
	return raw.DataListNew(first(values), shape, n, out, c.err)
}
