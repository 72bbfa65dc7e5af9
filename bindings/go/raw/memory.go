package raw

// #include <stdlib.h>
import "C"

import "unsafe"

// Malloc returns memory of C, which may hold pointers of C and must be given to Free.
func Malloc(size uintptr) unsafe.Pointer {
	return C.malloc(C.size_t(size))
}

// Free gives back what Malloc returned.
func Free(memory unsafe.Pointer) {
	C.free(memory)
}
