package tensordict

import "tensordict/raw"

// MemmapZeros makes a file with the elements of one tensor of zeros, and maps it for reading and writing. All processes
// that have it open see each other's writes. NoDType is Float32; options may be nil.
func MemmapZeros(path string, dtype DType, options *SaveOptions, dims ...int64) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		p, n := c.ints(dims)
		return raw.TensorMemmapZeros(c.str(path), p, n, raw.Dtype(dtype), c.saveOptions(options), out, c.err)
	})
}

// MemmapFull is MemmapZeros with one number everywhere.
func MemmapFull(path string, value any, dtype DType, options *SaveOptions, dims ...int64) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		p, n := c.ints(dims)
		return raw.TensorMemmapFull(c.str(path), p, n, v, raw.Dtype(dtype), c.saveOptions(options), out, c.err)
	})
}

// Memmap makes such a file with a copy of the tensor, and returns the tensor in the file.
func (t *Tensor) Memmap(path string, options *SaveOptions) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.TensorMemmapFrom(t.p, c.str(path), c.saveOptions(options), out, c.err)
	})
}

// OpenMemmap maps the beginning of such a file as a tensor.
func OpenMemmap(path string, dtype DType, mode Mode, dims ...int64) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		p, n := c.ints(dims)
		return raw.TensorMemmapOpen(c.str(path), p, n, raw.Dtype(dtype), raw.OpenMode(mode), out, c.err)
	})
}

// SavedPath is the file that the tensor is mapped from, also a leaf of a memmap directory; empty if there is none.
func (t *Tensor) SavedPath() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.TensorSavedPath(t.p, out, c.err) })
}
