package tensordict

/*
#include <stddef.h>
#include <stdint.h>

extern int32_t tdGoWrite(void *userdata, void *bytes, size_t size, void *err);
extern int32_t tdGoRead(void *userdata, void *bytes, size_t size, void *got, void *err);
extern void tdGoWarn(void *userdata, char *text, size_t size, char *where, size_t where_size);

typedef struct td_go_line {
  char *data;
  size_t size;
} td_go_line;
static inline void td_go_warn(void *userdata, td_go_line text, td_go_line where) {
  tdGoWarn(userdata, text.data, text.size, where.data, where.size);
}
static inline void *td_go_warn_function(void) { return (void *)td_go_warn; }
*/
import "C"

import (
	"io"
	"unsafe"
)

var (
	writeFunction = unsafe.Pointer(C.tdGoWrite)
	readFunction  = unsafe.Pointer(C.tdGoRead)
	warnFunction  = C.td_go_warn_function()
)

//export tdGoWrite
func tdGoWrite(userdata, bytes unsafe.Pointer, size C.size_t, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		_, err := behind[io.Writer](userdata).Write(unsafe.Slice((*byte)(bytes), size))
		return err
	})
}

//export tdGoRead
func tdGoRead(userdata, bytes unsafe.Pointer, size C.size_t, got, err unsafe.Pointer) C.int32_t {
	return failedBy(err, func() error {
		n, err := io.ReadFull(behind[io.Reader](userdata), unsafe.Slice((*byte)(bytes), size))
		*(*C.size_t)(got) = C.size_t(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil // the library sees by the number
		}
		return err
	})
}

//export tdGoWarn
func tdGoWarn(userdata unsafe.Pointer, text *C.char, size C.size_t, where *C.char, whereSize C.size_t) {
	defer func() { _ = recover() }() // no frame of the library may be unwound
	behind[WarningFunc](userdata)(C.GoStringN(text, C.int(size)), C.GoStringN(where, C.int(whereSize)))
}
