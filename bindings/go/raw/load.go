// Package raw is tensordict.h as it is: unchecked, with the ownership of C. Use package tensordict instead.
//
// The library is loaded when the program starts, so building needs only a C compiler. It is looked for in the directory
// that TENSORDICT_LIB_DIR names, else in the one that pkg-config names, else where the system looks.
package raw

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "load.h"
#include "tensordict.h"
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"
)

const install = "install libtensordict %d.x (make install, or your distribution's package) and set TENSORDICT_LIB_DIR " +
	"to the directory that has %s, or make pkg-config or the system's loader find it"

var loadError = load()

// LoadError tells why the library could not be loaded: nil if it was. Until it is, every function returns ERR_VERSION,
// zero or nil.
func LoadError() error {
	return loadError
}

func load() error {
	file := fmt.Sprintf("libtensordict.so.%d", int(C.TD_ABI_MAJOR))
	if runtime.GOOS == "darwin" {
		file = fmt.Sprintf("libtensordict.%d.dylib", int(C.TD_ABI_MAJOR))
	}
	hint := fmt.Sprintf(install, int(C.TD_ABI_MAJOR), file)
	path := C.CString(filepath.Join(directory(), file))
	defer C.free(unsafe.Pointer(path))
	var abi C.int
	if reason := C.td_go_load(path, &abi); reason != nil {
		return fmt.Errorf("libtensordict was not found: %s; %s", C.GoString(reason), hint)
	}
	if abi != C.TD_ABI_MAJOR {
		return fmt.Errorf("%s has ABI %d, but this program needs ABI %d; %s", C.GoString(path), int(abi),
			int(C.TD_ABI_MAJOR), hint)
	}
	return nil
}

// directory is where the library is, or empty where the system's loader knows.
func directory() string {
	if named := os.Getenv("TENSORDICT_LIB_DIR"); named != "" {
		return named
	}
	said, err := exec.Command("pkg-config", "--variable=libdir", "tensordict").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(said))
}

// MissingFunctions lists the functions that the loaded library lacks, because it is older than this package.
func MissingFunctions() []string {
	var missing []string
	for i := 0; i < int(C.td_go_count()); i++ {
		if name := C.td_go_missing(C.int(i)); name != nil {
			missing = append(missing, C.GoString(name))
		}
	}
	return missing
}
