package tensordict

import "tensordict/raw"

// A SchemaEntry describes a tensor; Dims are its feature dims.
type SchemaEntry struct {
	Key   Key
	DType DType
	Dims  []int64
}

// A Storage says where the tensors of FromSchema are.
type Storage int32

// In an ordinary dict; in shared memory; in a memmap directory; in an HDF5 file.
const (
	InMemory       = Storage(raw.STORAGE_MEMORY)
	InSharedMemory = Storage(raw.STORAGE_SHARED)
	InMemmap       = Storage(raw.STORAGE_MEMMAP)
	InHDF5         = Storage(raw.STORAGE_HDF5)
)

// SchemaOptions may be nil: an ordinary dict.
type SchemaOptions struct {
	Storage Storage
	Path    string // of the directory or the file
	Device  string // of tensors in memory
	Save    *SaveOptions
}

// FromSchema makes a dict of zeros, whose tensors have the batch size followed by the dims of their entry.
func FromSchema(options *SchemaOptions, batch []int64, entries ...SchemaEntry) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.SchemaOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Storage, o.Path = raw.Storage(options.Storage), c.optional(options.Path)
			o.Device = c.optional(options.Device)
			if options.Save != nil {
				o.Save = c.saveOptions(options.Save)
			}
		}
		in := many[raw.SchemaEntry](c, len(entries))
		for i, entry := range entries {
			in[i].Key, in[i].Dtype = c.key(entry.Key), raw.Dtype(entry.DType)
			in[i].Dims, in[i].Ndim = c.ints(entry.Dims)
		}
		sizes, n := c.ints(batch)
		return raw.DictFromSchema(first(in), uint(len(in)), sizes, n, o, out, c.err)
	})
}
