package tensordict

/*
#include <stddef.h>
#include <stdint.h>

// Functions of Go that the library calls. Structs of pointers are void pointers here: their types stand in raw.
extern void tdGoDestroy(void *userdata);
extern int32_t tdGoRun(void *userdata, void *err);
extern int32_t tdGoMap(void *userdata, void *key, void *tensors, size_t n, void *out, void *err);
extern int32_t tdGoMapData(void *userdata, void *key, void *lists, size_t n, void *data, void *tensor, void *err);
extern int32_t tdGoProgress(void *userdata, int64_t done, int64_t total, void *err);
extern int32_t tdGoModule(void *userdata, void *inputs, size_t n_in, void *outputs, size_t n_out, void *err);
extern int32_t tdGoDict(void *userdata, void *data, void *out, void *err);
extern int32_t tdGoVmap(void *userdata, void *args, size_t n_args, void *outs, size_t n_outs, void *err);
extern int32_t tdGoHash(void *userdata, void *rows, void *out, void *err);
extern int32_t tdGoRows(void *userdata, char *config, size_t config_size, void *rows, size_t n, size_t row_bytes,
                        size_t stride, void *out, void *err);

typedef struct td_go_str {
  char *data;
  size_t size;
} td_go_str;
static inline int32_t td_go_rows(void *userdata, td_go_str config, void *rows, size_t n, size_t row_bytes,
                                 size_t stride, void *out, void *err) {
  return tdGoRows(userdata, config.data, config.size, rows, n, row_bytes, stride, out, err);
}
static inline void *td_go_rows_function(void) { return (void *)td_go_rows; }
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"

	"tensordict/raw"
)

// The functions as pointers for the structs of callbacks.
var (
	destroyFunction  = unsafe.Pointer(C.tdGoDestroy)
	runFunction      = unsafe.Pointer(C.tdGoRun)
	mapFunction      = unsafe.Pointer(C.tdGoMap)
	mapDataFunction  = unsafe.Pointer(C.tdGoMapData)
	progressFunction = unsafe.Pointer(C.tdGoProgress)
	moduleFunction   = unsafe.Pointer(C.tdGoModule)
	dictFunction     = unsafe.Pointer(C.tdGoDict)
	vmapFunction     = unsafe.Pointer(C.tdGoVmap)
	hashFunction     = unsafe.Pointer(C.tdGoHash)
	rowsFunction     = C.td_go_rows_function()
)

// userdata keeps a value of Go for callbacks, in a word of C, until tdGoDestroy is called with it.
func userdata(value any) unsafe.Pointer {
	word := raw.Malloc(unsafe.Sizeof(cgo.Handle(0)))
	if word == nil {
		panic("tensordict: out of memory")
	}
	*(*cgo.Handle)(word) = cgo.NewHandle(value)
	return word
}

func behind[T any](userdata unsafe.Pointer) T {
	return (*(*cgo.Handle)(userdata)).Value().(T)
}

func drop(userdata unsafe.Pointer) {
	(*(*cgo.Handle)(userdata)).Delete()
	raw.Free(userdata)
}

// failedBy runs a function of Go for the library, and hands on its error, or its panic.
func failedBy(out unsafe.Pointer, fn func() error) (status C.int32_t) {
	defer func() {
		if value := recover(); value != nil {
			status = hand(out, &panicked{value})
		}
	}()
	if err := fn(); err != nil {
		return hand(out, err)
	}
	return C.int32_t(raw.OK)
}

func hand(out unsafe.Pointer, err error) C.int32_t {
	c := begin()
	defer c.end()
	status := statusOf(err)
	if out != nil {
		*(**raw.Error)(out) = raw.ErrorNewWith(status, c.str(err.Error()), userdata(err), destroyFunction)
	}
	return C.int32_t(status)
}

// goError is the error of Go that the library's error carries, or nil.
func goError(err *raw.Error) error {
	word := raw.ErrorUserdata(err, destroyFunction)
	if word == nil {
		return nil
	}
	return behind[error](word)
}

//export tdGoDestroy
func tdGoDestroy(userdata unsafe.Pointer) {
	if unpin, ok := behind[any](userdata).(func()); ok {
		unpin()
	}
	drop(userdata)
}

//export tdGoRun
func tdGoRun(userdata, err unsafe.Pointer) C.int32_t {
	return failedBy(err, behind[func() error](userdata))
}

//export tdGoProgress
func tdGoProgress(userdata unsafe.Pointer, done, total C.int64_t, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error { return behind[Progress](userdata)(int64(done), int64(total)) })
}

// lend makes objects for the time of a callback from handles that are borrowed.
func lend(tensors unsafe.Pointer, n C.size_t) []*Tensor {
	out := make([]*Tensor, n)
	for i, p := range unsafe.Slice((**raw.Tensor)(tensors), n) {
		raw.TensorRetain(p)
		out[i] = newTensor(p)
	}
	return out
}

func lendDict(p unsafe.Pointer) *Dict {
	d := (*raw.Dict)(p)
	raw.DictRetain(d)
	return newDict(d)
}

// handOver gives the library its own reference to a result, and closes that of Go.
func handOver(out unsafe.Pointer, t *Tensor) {
	p := t.raw0()
	raw.TensorRetain(p)
	*(**raw.Tensor)(out) = p
}

//export tdGoMap
func tdGoMap(userdata, key, tensors unsafe.Pointer, n C.size_t, out, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := lend(tensors, n)
		defer closeAll(in)
		made, err := behind[MapFunc](userdata)(keyOf((*raw.Key)(key)), in)
		defer made.closeIfAny()
		if err == nil {
			handOver(out, made)
		}
		return err
	})
}

func (t *Tensor) closeIfAny() {
	if t != nil {
		t.Close()
	}
}

//export tdGoMapData
func tdGoMapData(userdata, key, lists unsafe.Pointer, n C.size_t, data, tensor, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		in := make([]*Data, n)
		for i, p := range unsafe.Slice((**raw.DataList)(lists), n) {
			if p != nil {
				in[i] = readData(p)
			}
		}
		made, err := behind[MapDataFunc](userdata)(keyOf((*raw.Key)(key)), in)
		if err != nil || made == nil {
			return err
		}
		switch made := made.(type) {
		case *Tensor:
			defer made.closeIfAny()
			handOver(tensor, made)
		case *Data:
			c := begin()
			defer c.end()
			return c.check(made.list(c, (**raw.DataList)(data)))
		default:
			return argument("a function over data returned %T", made)
		}
		return nil
	})
}
