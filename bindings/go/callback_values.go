package tensordict

/*
#include <stddef.h>
#include <stdint.h>

extern int32_t tdGoDist(void *userdata, void *params, void *out, void *err);
extern int32_t tdGoValues(void *userdata, void *args, size_t n_args, void *kwargs, size_t n_kwargs, void *outs,
                          size_t capacity, void *n_outs, void *err);
*/
import "C"

import (
	"unsafe"

	"tensordict/raw"
)

var (
	distFunction   = unsafe.Pointer(C.tdGoDist)
	valuesFunction = unsafe.Pointer(C.tdGoValues)
)

//export tdGoDist
func tdGoDist(userdata, params, out, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := lendDict(params)
		defer in.Close()
		made, err := behind[DistFunc](userdata)(in)
		if err != nil {
			return err
		}
		if made.raw0() == nil {
			return argument("the function of a probabilistic module returned no distribution")
		}
		raw.DistRetain(made.p)
		*(**raw.Dist)(out) = made.p
		return made.Close()
	})
}

// lendValue makes an object of an argument, which is closed after the callback.
func lendValue(v raw.Value) any {
	switch v.Kind {
	case raw.VALUE_TENSOR:
		raw.TensorRetain(*(**raw.Tensor)(unsafe.Pointer(&v.As)))
	case raw.VALUE_DICT:
		raw.DictRetain(*(**raw.Dict)(unsafe.Pointer(&v.As)))
	case raw.VALUE_DATA:
		raw.DataListRetain(*(**raw.DataList)(unsafe.Pointer(&v.As)))
	}
	return takeValue(v)
}

// giveValue fills *out with a result of a callback, for which the library gets a reference of its own.
func (c *call) giveValue(out *raw.Value, value any) error {
	switch v := value.(type) {
	case *Tensor:
		raw.TensorRetain(v.raw0())
		return c.fillValue(out, v)
	case *Dict:
		raw.DictRetain(v.raw0())
		return c.fillValue(out, v)
	case string:
		return c.giveValue(out, &Data{Values: []any{v}})
	case *Data:
		list := one[*raw.DataList](c)
		if err := c.check(v.list(c, list)); err != nil {
			return err
		}
		setPointer(out, raw.VALUE_DATA, *list, 0)
		return nil
	case bool, int, int8, int16, int32, int64, uint8, uint16, uint32, float32, float64, complex64, complex128:
		return c.fillValue(out, v)
	}
	return argument("the function of a module returned %T", value)
}

//export tdGoValues
func tdGoValues(userdata, args unsafe.Pointer, nArgs C.size_t, kwargs unsafe.Pointer, nKwargs C.size_t,
	outs unsafe.Pointer, capacity C.size_t, nOuts, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in, named := make([]any, nArgs), map[string]any{}
		for i, v := range unsafe.Slice((*raw.Value)(args), nArgs) {
			in[i] = lendValue(v)
		}
		defer closeValues(in)
		for _, v := range unsafe.Slice((*raw.NamedValue)(kwargs), nKwargs) {
			value := lendValue(v.Value)
			named[text(v.Name)] = value
			defer closeValues([]any{value})
		}
		made, err := behind[ValuesFunc](userdata)(in, named)
		defer closeValues(made)
		if err != nil {
			return err
		}
		if len(made) > int(capacity) {
			return argument("the function returned %d values, but there are %d out-keys", len(made), int(capacity))
		}
		c := begin()
		defer c.end()
		results := unsafe.Slice((*raw.Value)(outs), capacity)
		for i := range made {
			if err := c.giveValue(&results[i], made[i]); err != nil {
				for j := range i {
					raw.ValueClear(&results[j])
				}
				return err
			}
		}
		*(*C.size_t)(nOuts) = C.size_t(len(made))
		return nil
	})
}
