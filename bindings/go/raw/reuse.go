package raw

/*
#include "tensordict.h"

// Addresses are numbers here, because Go looks at each argument that is a pointer, which costs as much as the call.
static inline td_tensor *td_go_get_path_instead(uintptr_t self, uintptr_t path, uintptr_t old) {
  td_tensor *found = NULL;
  if (td_dict_get_path((const td_dict *)self, (const td_path *)path, &found, NULL) != 0) return NULL;
  td_tensor_release((td_tensor *)old);
  return found;
}
*/
import "C"

import "unsafe"

// DictGetPathInstead is DictGetPath that also releases old, in one call. It returns nil and releases nothing if it fails.
func DictGetPathInstead(self *Dict, path *Path, old *Tensor) *Tensor {
	return (*Tensor)(unsafe.Pointer(C.td_go_get_path_instead(C.uintptr_t(uintptr(unsafe.Pointer(self))),
		C.uintptr_t(uintptr(unsafe.Pointer(path))), C.uintptr_t(uintptr(unsafe.Pointer(old))))))
}
