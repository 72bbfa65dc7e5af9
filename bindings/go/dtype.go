package tensordict

import (
	"fmt"

	"tensordict/raw"
)

// A DType is the type of the elements of a tensor.
type DType int32

// The dtypes. NoDType means the default of a function. Uint16, Uint32 and Uint64 need LibTorch 2.3 or later.
const (
	NoDType    = DType(raw.DTYPE_NONE)
	Bool       = DType(raw.DTYPE_BOOL)
	Uint8      = DType(raw.DTYPE_UINT8)
	Int8       = DType(raw.DTYPE_INT8)
	Int16      = DType(raw.DTYPE_INT16)
	Int32      = DType(raw.DTYPE_INT32)
	Int64      = DType(raw.DTYPE_INT64)
	Uint16     = DType(raw.DTYPE_UINT16)
	Uint32     = DType(raw.DTYPE_UINT32)
	Uint64     = DType(raw.DTYPE_UINT64)
	Float16    = DType(raw.DTYPE_FLOAT16)
	BFloat16   = DType(raw.DTYPE_BFLOAT16)
	Float32    = DType(raw.DTYPE_FLOAT32)
	Float64    = DType(raw.DTYPE_FLOAT64)
	Complex32  = DType(raw.DTYPE_COMPLEX32)
	Complex64  = DType(raw.DTYPE_COMPLEX64)
	Complex128 = DType(raw.DTYPE_COMPLEX128)
)

// The floats of 8 and 4 bits need LibTorch 2.1 to 2.8; Tensor.StoredDType tells them with older ones, too.
const (
	Float8E4M3FN   = DType(raw.DTYPE_FLOAT8_E4M3FN)
	Float8E5M2     = DType(raw.DTYPE_FLOAT8_E5M2)
	Float8E4M3FNUZ = DType(raw.DTYPE_FLOAT8_E4M3FNUZ)
	Float8E5M2FNUZ = DType(raw.DTYPE_FLOAT8_E5M2FNUZ)
	Float8E8M0FNU  = DType(raw.DTYPE_FLOAT8_E8M0FNU)
	Float4E2M1FNX2 = DType(raw.DTYPE_FLOAT4_E2M1FN_X2)
)

// An Element is a type of Go that has a dtype.
type Element interface {
	bool | uint8 | int8 | int16 | int32 | int64 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128
}

// DTypeOf is the dtype of T.
func DTypeOf[T Element]() DType {
	var element T
	switch any(element).(type) {
	case bool:
		return Bool
	case uint8:
		return Uint8
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	}
	return Complex128
}

// ParseDType finds a dtype by its name in Python, with or without "torch." before it.
func ParseDType(name string) (DType, error) {
	return give(func(d raw.Dtype) DType { return DType(d) }, func(c *call, out *raw.Dtype) raw.Status {
		return raw.DtypeFromName(c.str(name), out, c.err)
	})
}

// String is the name in Python, for instance float32.
func (d DType) String() string {
	if name := text(raw.DtypeName(raw.Dtype(d))); name != "" {
		return name
	}
	return fmt.Sprintf("DType(%d)", int32(d))
}

// Size is that of one element in bytes.
func (d DType) Size() int {
	return int(raw.DtypeSize(raw.Dtype(d)))
}
