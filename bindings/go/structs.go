package tensordict

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"tensordict/raw"
)

// A field of a struct as the library describes it.
type structField struct {
	key    Key
	dtype  DType
	dims   []int64
	offset uintptr
}

var dtypeOfKind = map[reflect.Kind]DType{reflect.Bool: Bool, reflect.Uint8: Uint8, reflect.Int8: Int8,
	reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64, reflect.Uint16: Uint16, reflect.Uint32: Uint32,
	reflect.Uint64: Uint64, reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64,
	reflect.Complex128: Complex128}

// fieldsOf lists the exported fields of a struct: numbers and arrays of numbers are tensors, structs are dicts.
func fieldsOf(t reflect.Type, above Key, offset uintptr) ([]structField, error) {
	if t.Kind() != reflect.Struct {
		return nil, argument("%v is not a struct", t)
	}
	var out []structField
	for i := range t.NumField() {
		field := t.Field(i)
		name, tagged := field.Tag.Lookup("td")
		if name == "-" || !field.IsExported() {
			continue
		}
		if !tagged {
			name = strings.ToLower(field.Name)
		}
		key := append(append(Key{}, above...), name)
		element, dims := field.Type, []int64(nil)
		for element.Kind() == reflect.Array {
			dims = append(dims, int64(element.Len()))
			element = element.Elem()
		}
		if element.Kind() == reflect.Struct && dims == nil {
			inner, err := fieldsOf(element, key, offset+field.Offset)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
			continue
		}
		dtype, is := dtypeOfKind[element.Kind()]
		if !is {
			return nil, argument("the field %s of %v has the type %v, which no dtype has; leave it out by the tag td:\"-\"",
				field.Name, t, field.Type)
		}
		out = append(out, structField{key, dtype, dims, offset + field.Offset})
	}
	return out, nil
}

// pointerIn names a part of a type that holds a pointer, which memory of Go that C reads must not have.
func pointerIn(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer, reflect.String, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface,
		reflect.UnsafePointer:
		return t.String()
	case reflect.Array:
		return pointerIn(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if found := pointerIn(t.Field(i).Type); found != "" {
				return t.Field(i).Name + " " + found
			}
		}
	}
	return ""
}

func fieldsFor[T any]() ([]structField, error) {
	t := reflect.TypeFor[T]()
	if found := pointerIn(t); found != "" {
		return nil, argument("%v holds a pointer (%s); use structs of numbers and arrays only", t, found)
	}
	return fieldsOf(t, nil, 0)
}

func (c *call) fields(fields []structField) (*raw.Field, uint) {
	out := many[raw.Field](c, len(fields))
	for i, field := range fields {
		out[i].Key, out[i].Dtype, out[i].Offset = c.key(field.key), raw.Dtype(field.dtype), uint(field.offset)
		out[i].Dims, out[i].Ndim = c.ints(field.dims)
	}
	return first(out), uint(len(fields))
}

// FromStructs makes a dict over the memory of a slice of structs, without a copy: each exported field is a tensor under
// its name in small letters, or the one of its tag `td:"name"`; fields of arrays have more dims, and structs are dicts.
// The tag `td:"-"` leaves a field out. No field may hold a pointer, also as part of a string or a slice. Without batch dims there is one, of the length of the slice. The memory stays
// where it is until the last view is closed.
func FromStructs[T any](records []T, batch ...int64) (*Dict, error) {
	if batch == nil {
		batch = []int64{int64(len(records))}
	}
	fields, err := fieldsFor[T]()
	if err != nil {
		return nil, err
	}
	if n, ok := product(batch); !ok || n != int64(len(records)) {
		return nil, &Error{Status: ErrShape, Message: fmt.Sprintf("%d records do not make a batch of %v", len(records), batch)}
	}
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		var release, owner, data unsafe.Pointer
		if len(records) > 0 {
			pin := new(runtime.Pinner)
			pin.Pin(&records[0])
			data, release, owner = unsafe.Pointer(&records[0]), destroyFunction, userdata(pin.Unpin)
		}
		sizes, ndim := c.ints(batch)
		p, n := c.fields(fields)
		return raw.DictFromStructArray(data, uint(unsafe.Sizeof(*new(T))), sizes, ndim, p, n, release, owner, out, c.err)
	})
}

// ToStructs copies the entries that the fields of T name into a slice of structs, with a cast; other fields stay.
func ToStructs[T any](d *Dict, records []T) error {
	fields, err := fieldsFor[T]()
	if err != nil {
		return err
	}
	size := unsafe.Sizeof(*new(T))
	pin := new(runtime.Pinner)
	defer pin.Unpin()
	return do(func(c *call) raw.Status {
		var data unsafe.Pointer
		if len(records) > 0 {
			pin.Pin(&records[0])
			data = unsafe.Pointer(&records[0])
		}
		p, n := c.fields(fields)
		return raw.DictToStructArray(d.p, p, n, uint(size), data, uint(size)*uint(len(records)), c.err)
	})
}
