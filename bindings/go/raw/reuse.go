package raw

/*
#include "tensordict.h"

static inline td_tensor *td_go_get_path_instead(const td_dict *self, const td_path *path, td_tensor *old) {
  td_tensor *found = NULL;
  if (td_dict_get_path(self, path, &found, NULL) != 0) return NULL;
  td_tensor_release(old);
  return found;
}
*/
import "C"

import "unsafe"

// DictGetPathInstead is DictGetPath that also releases old, in one call. It returns nil and releases nothing if it fails.
func DictGetPathInstead(self *Dict, path *Path, old *Tensor) *Tensor {
	return (*Tensor)(unsafe.Pointer(C.td_go_get_path_instead((*C.td_dict)(unsafe.Pointer(self)),
		(*C.td_path)(unsafe.Pointer(path)), (*C.td_tensor)(unsafe.Pointer(old)))))
}
