package tensordict

import (
	"math"
	"unsafe"

	"tensordict/raw"
)

// Default stands for the default of an operator's argument.
var Default defaultValue

type defaultValue struct{}

// Named is an argument by name, after those by position.
type Named struct {
	Name  string
	Value any
}

// values splits arguments into those by position and those by name. A value is nil, Default, a bool, an integer, a
// float, a complex number, a string, a DType, a *Tensor, a *Dict, a *Generator, a *Data, or a slice of bools, integers,
// floats, strings or tensors.
func (c *call) values(args []any) (positional *raw.Value, n uint, named *raw.NamedValue, nNamed uint, err error) {
	var keyword []Named
	for len(args) > 0 {
		last, ok := args[len(args)-1].(Named)
		if !ok {
			break
		}
		keyword = append([]Named{last}, keyword...)
		args = args[:len(args)-1]
	}
	byPlace, byName := many[raw.Value](c, len(args)), many[raw.NamedValue](c, len(keyword))
	for i, arg := range args {
		if err = c.fillValue(&byPlace[i], arg); err != nil {
			return
		}
	}
	for i, arg := range keyword {
		byName[i].Name = c.str(arg.Name)
		if err = c.fillValue(&byName[i].Value, arg.Value); err != nil {
			return
		}
	}
	return first(byPlace), uint(len(args)), first(byName), uint(len(keyword)), nil
}

func (c *call) value(v any) (*raw.Value, error) {
	out := one[raw.Value](c)
	return out, c.fillValue(out, v)
}

func (c *call) number(v float64) *raw.Value {
	out := one[raw.Value](c)
	setInt(out, raw.VALUE_DOUBLE, int64(math.Float64bits(v)))
	return out
}

func setPointer[T any](out *raw.Value, kind raw.ValueKind, p *T, n int) {
	out.Kind, out.Size = kind, uint(n)
	*(**T)(unsafe.Pointer(&out.As)) = p
}

func setInt(out *raw.Value, kind raw.ValueKind, i int64) {
	out.Kind, out.As[0] = kind, uint64(i)
}

func copied[To, From any](c *call, in []From, convert func(From) To) *To {
	out := many[To](c, len(in))
	for i, v := range in {
		out[i] = convert(v)
	}
	return first(out)
}

func (c *call) fillValue(out *raw.Value, value any) error {
	switch v := value.(type) {
	case nil:
		out.Kind = raw.VALUE_NONE
	case defaultValue:
		out.Kind = raw.VALUE_DEFAULT
	case bool:
		setInt(out, raw.VALUE_BOOL, int64(flag(v)))
	case int:
		setInt(out, raw.VALUE_INT, int64(v))
	case int8:
		setInt(out, raw.VALUE_INT, int64(v))
	case int16:
		setInt(out, raw.VALUE_INT, int64(v))
	case int32:
		setInt(out, raw.VALUE_INT, int64(v))
	case int64:
		setInt(out, raw.VALUE_INT, v)
	case uint8:
		setInt(out, raw.VALUE_INT, int64(v))
	case uint16:
		setInt(out, raw.VALUE_INT, int64(v))
	case uint32:
		setInt(out, raw.VALUE_INT, int64(v))
	case uint:
		setInt(out, raw.VALUE_UINT, int64(v))
	case uint64:
		setInt(out, raw.VALUE_UINT, int64(v))
	case float32:
		setInt(out, raw.VALUE_DOUBLE, int64(math.Float64bits(float64(v))))
	case float64:
		setInt(out, raw.VALUE_DOUBLE, int64(math.Float64bits(v)))
	case complex64:
		return c.fillValue(out, complex128(v))
	case complex128:
		out.Kind, out.As = raw.VALUE_COMPLEX, [2]uint64{math.Float64bits(real(v)), math.Float64bits(imag(v))}
	case DType:
		setInt(out, raw.VALUE_DTYPE, int64(v))
	case string:
		out.Kind = raw.VALUE_STR
		*(*raw.Str)(unsafe.Pointer(&out.As)) = c.str(v)
	default:
		return c.fillReference(out, value)
	}
	return nil
}

func (c *call) fillReference(out *raw.Value, value any) error {
	switch v := value.(type) {
	case *Tensor:
		setPointer(out, raw.VALUE_TENSOR, v.raw0(), 0)
	case *Dict:
		setPointer(out, raw.VALUE_DICT, v.raw0(), 0)
	case *Generator:
		setPointer(out, raw.VALUE_GENERATOR, v.raw0(), 0)
	case []int64:
		setPointer(out, raw.VALUE_INTS, copied(c, v, same), len(v))
	case []int:
		setPointer(out, raw.VALUE_INTS, copied(c, v, func(i int) int64 { return int64(i) }), len(v))
	case []float64:
		setPointer(out, raw.VALUE_DOUBLES, copied(c, v, same), len(v))
	case []float32:
		setPointer(out, raw.VALUE_DOUBLES, copied(c, v, func(f float32) float64 { return float64(f) }), len(v))
	case []bool:
		setPointer(out, raw.VALUE_BOOLS, copied(c, v, flag), len(v))
	case []string:
		setPointer(out, raw.VALUE_STRS, c.strs(v), len(v))
	case []*Tensor:
		setPointer(out, raw.VALUE_TENSORS, copied(c, v, (*Tensor).raw0), len(v))
	case *Data:
		list := one[*raw.DataList](c)
		if err := c.check(v.list(c, list)); err != nil {
			return err
		}
		c.later(func() { raw.DataListRelease(*list) })
		setPointer(out, raw.VALUE_DATA, *list, 0)
	default:
		return argument("%T is no value for an argument", value)
	}
	return nil
}

// takeValue makes a Go value of a result, whose object it takes over.
func takeValue(v raw.Value) any {
	switch v.Kind {
	case raw.VALUE_INT:
		return int64(v.As[0])
	case raw.VALUE_UINT:
		return v.As[0]
	case raw.VALUE_DOUBLE:
		return math.Float64frombits(v.As[0])
	case raw.VALUE_BOOL:
		return v.As[0] != 0
	case raw.VALUE_COMPLEX:
		return complex(math.Float64frombits(v.As[0]), math.Float64frombits(v.As[1]))
	case raw.VALUE_DTYPE:
		return DType(v.As[0])
	case raw.VALUE_TENSOR:
		return newTensor(*(**raw.Tensor)(unsafe.Pointer(&v.As)))
	case raw.VALUE_DICT:
		return newDict(*(**raw.Dict)(unsafe.Pointer(&v.As)))
	case raw.VALUE_TENSOR_LIST:
		return takeTensors(*(**raw.TensorList)(unsafe.Pointer(&v.As)))
	case raw.VALUE_DATA:
		return takeData(*(**raw.DataList)(unsafe.Pointer(&v.As)))
	}
	return nil
}
