package tensordict

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"unsafe"

	"tensordict/raw"
)

//export tdGoModule
func tdGoModule(userdata, inputs unsafe.Pointer, nIn C.size_t, outputs unsafe.Pointer, nOut C.size_t, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := lend(inputs, nIn)
		defer closeAll(in)
		made, err := behind[Func](userdata)(in)
		defer func() { closeAll(made) }()
		if err != nil {
			return err
		}
		if len(made) != int(nOut) {
			return argument("the function of a module returned %d tensors instead of %d", len(made), int(nOut))
		}
		for i, t := range made {
			if t.raw0() == nil {
				return argument("the function of a module returned nil for output %d", i)
			}
		}
		for i, t := range made {
			handOver(unsafe.Add(outputs, uintptr(i)*unsafe.Sizeof(outputs)), t)
		}
		return nil
	})
}

//export tdGoDict
func tdGoDict(userdata, data, out, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := lendDict(data)
		defer in.Close()
		made, err := behind[DictFunc](userdata)(in)
		if err != nil {
			return err
		}
		if made == nil {
			made = in
		}
		raw.DictRetain(made.p)
		*(**raw.Dict)(out) = made.p
		return made.Close()
	})
}

//export tdGoVmap
func tdGoVmap(userdata, args unsafe.Pointer, nArgs C.size_t, outs unsafe.Pointer, nOuts C.size_t, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := make([]any, nArgs)
		for i, v := range unsafe.Slice((*raw.Value)(args), nArgs) {
			switch v.Kind {
			case raw.VALUE_TENSOR:
				raw.TensorRetain(*(**raw.Tensor)(unsafe.Pointer(&v.As)))
			case raw.VALUE_DICT:
				raw.DictRetain(*(**raw.Dict)(unsafe.Pointer(&v.As)))
			}
			in[i] = takeValue(v)
		}
		defer closeValues(in)
		made, err := behind[VmapFunc](userdata)(in)
		defer closeValues(made)
		if err != nil {
			return err
		}
		if len(made) != int(nOuts) {
			return argument("the function returned %d values instead of %d", len(made), int(nOuts))
		}
		c := begin()
		defer c.end()
		for i := range made {
			if err := c.fillValue(&unsafe.Slice((*raw.Value)(outs), nOuts)[i], made[i]); err != nil {
				return err
			}
			switch v := made[i].(type) {
			case *Tensor:
				raw.TensorRetain(v.p)
			case *Dict:
				raw.DictRetain(v.p)
			default:
				return argument("the function returned %T instead of a tensor or a dict", v)
			}
		}
		return nil
	})
}

func closeValues(values []any) {
	for _, value := range values {
		if object, ok := value.(interface{ Close() error }); ok {
			object.Close()
		}
	}
}

//export tdGoHash
func tdGoHash(userdata, rows, out, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := lend(unsafe.Pointer(&rows), 1)
		defer closeAll(in)
		made, err := behind[HashFunc](userdata)(in[0])
		defer made.closeIfAny()
		if err == nil {
			handOver(out, made)
		}
		return err
	})
}

//export tdGoRows
func tdGoRows(userdata unsafe.Pointer, config *C.char, size C.size_t, rows unsafe.Pointer, n, bytes, stride C.size_t, out, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		hash := behind[RowHash](userdata)
		settings := text(raw.Str{Data: (*byte)(unsafe.Pointer(config)), Size: uint(size)})
		hashes := unsafe.Slice((*uint64)(out), n)
		for i := range hashes {
			row := unsafe.Slice((*byte)(unsafe.Add(rows, uintptr(i)*uintptr(stride))), bytes)
			made, err := hash(settings, row)
			if err != nil {
				return err
			}
			hashes[i] = made
		}
		return nil
	})
}
