package tensordict

/*
#include <stddef.h>
#include <stdint.h>

extern int32_t tdGoMapLookUp(void *userdata, void *hashes, size_t n, void *indices, void *err);
extern int32_t tdGoMapInsert(void *userdata, void *hashes, size_t n, void *indices, void *err);
extern int32_t tdGoMapErase(void *userdata, void *hashes, size_t n, void *err);
extern int32_t tdGoMapSize(void *userdata, void *size, void *next, void *err);
extern int32_t tdGoMapClear(void *userdata, void *err);
extern int32_t tdGoMapState(void *userdata, void *state, void *err);
extern int32_t tdGoMapLoad(void *userdata, void *state, void *err);
*/
import "C"

import "unsafe"

var (
	mapLookUpFunction = unsafe.Pointer(C.tdGoMapLookUp)
	mapInsertFunction = unsafe.Pointer(C.tdGoMapInsert)
	mapEraseFunction  = unsafe.Pointer(C.tdGoMapErase)
	mapSizeFunction   = unsafe.Pointer(C.tdGoMapSize)
	mapClearFunction  = unsafe.Pointer(C.tdGoMapClear)
	mapStateFunction  = unsafe.Pointer(C.tdGoMapState)
	mapLoadFunction   = unsafe.Pointer(C.tdGoMapLoad)
)

func int64s(p unsafe.Pointer, n C.size_t) []int64 {
	return unsafe.Slice((*int64)(p), n)
}

//export tdGoMapLookUp
func tdGoMapLookUp(userdata, hashes unsafe.Pointer, n C.size_t, indices, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error { return behind[IndexMap](userdata).LookUp(int64s(hashes, n), int64s(indices, n)) })
}

//export tdGoMapInsert
func tdGoMapInsert(userdata, hashes unsafe.Pointer, n C.size_t, indices, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error { return behind[IndexMap](userdata).Insert(int64s(hashes, n), int64s(indices, n)) })
}

//export tdGoMapErase
func tdGoMapErase(userdata, hashes unsafe.Pointer, n C.size_t, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error { return behind[IndexEraser](userdata).Erase(int64s(hashes, n)) })
}

//export tdGoMapSize
func tdGoMapSize(userdata, size, next, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() (err error) {
		*(*int64)(size), *(*int64)(next), err = behind[IndexMap](userdata).Size()
		return err
	})
}

//export tdGoMapClear
func tdGoMapClear(userdata, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error { return behind[IndexClearer](userdata).Clear() })
}

//export tdGoMapState
func tdGoMapState(userdata, state, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		d := lendDict(state)
		defer d.Close()
		return behind[IndexSaver](userdata).State(d)
	})
}

//export tdGoMapLoad
func tdGoMapLoad(userdata, state, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		d := lendDict(state)
		defer d.Close()
		return behind[IndexSaver](userdata).Load(d)
	})
}
