package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// HDF5Options may be nil.
type HDF5Options struct {
	Mode         Mode    // of OpenHDF5: ReadOnly or ReadWrite
	Compression  int32   // of new tensors: 1 to 9 for gzip, 0 for none
	BatchSize    []int64 // nil: as the file says; none for a new file
	MaxBatchDims int64   // at most so many of the dims that all entries share; 0: all
	Chunks       []int64 // sizes of chunks of the first dims of new tensors; nil: chosen if needed
	Shuffle      bool    // group bytes of equal significance before compression
}

func (c *call) hdf5(options *HDF5Options) *raw.PersistentOptions {
	o := one[raw.PersistentOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o
	}
	o.Mode, o.Compression = raw.OpenMode(options.Mode), options.Compression
	if options.BatchSize != nil {
		o.BatchSize, o.Ndim = c.given(options.BatchSize)
	}
	o.MaxBatchDims, o.Shuffle = options.MaxBatchDims, flag(options.Shuffle)
	o.Chunks, o.NChunks = c.ints(options.Chunks)
	return o
}

// OpenHDF5 opens an HDF5 file as a dict that stays in the file: each get reads a tensor, an index reads only the rows
// that it selects, and sets go to the file. Open only files that you trust.
func OpenHDF5(path string, options *HDF5Options) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.PersistentOpen(c.str(path), c.hdf5(options), out, c.err)
	})
}

// CreateHDF5 makes an HDF5 file without entries and opens it for writing.
func CreateHDF5(path string, options *HDF5Options) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.PersistentCreate(c.str(path), c.hdf5(options), out, c.err)
	})
}

// HDF5File is the path with which the file of a dict was opened, or the URL of a dict on a server, without the
// password; ErrUnsupported if it is neither.
func (d *Dict) HDF5File() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.PersistentFile(d.p, out, c.err) })
}

// IsHDF5Writable tells whether the dict is in a file, or on a server, and open for writing.
func (d *Dict) IsHDF5Writable() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.PersistentIsWritable(d.p))
}

// CloseHDF5 closes the file, or the connection to a server, for this dict and all others in it, which then fail with
// ErrClosed. Without it, the file is closed with the last of these dicts.
func (d *Dict) CloseHDF5() error {
	return do(func(c *call) raw.Status { return raw.PersistentClose(d.p, c.err) })
}
