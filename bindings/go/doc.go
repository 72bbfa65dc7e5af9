// Package tensordict is PyTorch's TensorDict for Go: batched, nested dicts of tensors, their files, shared memory,
// channels between processes, modules, distributions and queries, in the memory of the process and without Python.
//
//	td, err := tensordict.New(32)
//	defer td.Close()
//	err = td.Set(obs, "next", "obs")
//	same, err := td.Get("next", "obs")
//	v, err := tensordict.View[float32](same)
//
// # Objects
//
// Everything that the library makes has a Close method. Close it as soon as it is not needed: the garbage collector
// does not see how much memory a tensor holds. It closes what was forgotten, on a goroutine of its own. Closing twice
// is harmless; a closed object is refused with ErrArgument. Two objects may be one and the same dict or tensor
// underneath, as two variables in Python; Share makes one more.
//
// # Goroutines
//
// Reading from several goroutines is safe. Of two goroutines that change one dict, the later one gets ErrBusy and
// changes nothing. Do not close what another goroutine is using, and do not write elements while others read them.
//
// # Errors
//
// Every error of the library is an *Error. errors.Is compares its status (ErrKey, ErrShape, ...) and finds an error that
// a Go function returned from inside of the library; errors.As finds both. A panic in such a function goes on in the
// caller.
package tensordict
