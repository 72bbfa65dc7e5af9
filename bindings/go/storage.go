package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Format is that of a file.
type Format int32

// The formats. AutoFormat finds it by the ending of the path, or by what the file contains.
const (
	AutoFormat   = Format(raw.FORMAT_AUTO)
	Memmap       = Format(raw.FORMAT_MEMMAP)
	Consolidated = Format(raw.FORMAT_CONSOLIDATED)
	Archive      = Format(raw.FORMAT_ARCHIVE)
	HDF5         = Format(raw.FORMAT_HDF5)
	Safetensors  = Format(raw.FORMAT_SAFETENSORS)
	TorchSave    = Format(raw.FORMAT_TORCH_SAVE) // opened and not saved
)

// String is the name of the format.
func (f Format) String() string {
	return text(raw.FormatName(raw.Format(f)))
}

// A Mode says what may be done with the memory of an opened file.
type Mode int32

// The modes: to read; to write into memory only; to write into the file.
const (
	ReadOnly    = Mode(raw.OPEN_READ)
	CopyOnWrite = Mode(raw.OPEN_COW)
	ReadWrite   = Mode(raw.OPEN_READ_WRITE)
)

// A Compression is that of an archive.
type Compression int32

// The compressions.
const (
	Stored  = Compression(raw.COMPRESSION_NONE)
	Deflate = Compression(raw.COMPRESSION_DEFLATE)
	LZMA    = Compression(raw.COMPRESSION_LZMA)
)

// OpenOptions may be nil.
type OpenOptions struct {
	Mode    Mode
	Format  Format
	Lenient bool // ignore what is not understood
	Trusted bool // do not check an archive's checksums
	Part    Key  // only this node
}

// Open opens what Save or Python wrote: a memmap directory, a .td, .tdz, .h5 or .safetensors file. Nothing is copied
// where the format allows it.
func Open(path string, options *OpenOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.OpenOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Mode, o.Format = raw.OpenMode(options.Mode), raw.Format(options.Format)
			o.Lenient, o.Trusted = flag(options.Lenient), flag(options.Trusted)
			o.Part = c.some(options.Part)
		}
		return raw.Open(c.str(path), o, out, c.err)
	})
}

// SaveOptions may be nil.
type SaveOptions struct {
	Overwrite   bool // replace what is there
	Sync        bool // wait for the disk
	Threads     int  // 0: as many as there are cores
	Progress    Progress
	Format      Format
	Compression Compression
}

func (c *call) saveOptions(options *SaveOptions) *raw.SaveOptions {
	o := one[raw.SaveOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o
	}
	o.Overwrite, o.Sync, o.Threads = flag(options.Overwrite), flag(options.Sync), uint(options.Threads)
	o.Format, o.Compression = raw.Format(options.Format), raw.Compression(options.Compression)
	if options.Progress != nil {
		progress := one[raw.Progress](c)
		progress.StructSize = structSize(progress)
		progress.Fn, progress.Destroy = progressFunction, destroyFunction
		progress.Userdata = userdata(options.Progress)
		o.Progress = progress
	}
	return o
}

// Save writes the dict to a path, in the format of its ending; a path without one is a memmap directory.
func (d *Dict) Save(path string, options *SaveOptions) error {
	return do(func(c *call) raw.Status { return raw.Save(d.p, c.str(path), c.saveOptions(options), c.err) })
}

// DetectFormat finds the format of a file by what it contains, FormatOfEnding by its name.
func DetectFormat(path string) (Format, error) {
	return give(toFormat, func(c *call, out *raw.Format) raw.Status { return raw.FormatDetect(c.str(path), out, c.err) })
}

// FormatOfEnding is the format that Save uses for a path.
func FormatOfEnding(path string) (Format, error) {
	return give(toFormat, func(c *call, out *raw.Format) raw.Status { return raw.FormatOfEnding(c.str(path), out, c.err) })
}

func toFormat(f raw.Format) Format {
	return Format(f)
}

// VerifyArchive checks the checksums of an archive.
func VerifyArchive(path string) error {
	return do(func(c *call) raw.Status { return raw.ArchiveVerify(c.str(path), c.err) })
}

// RefreshChecksums writes the checksums of an archive whose values were changed in place.
func RefreshChecksums(path string) error {
	return do(func(c *call) raw.Status { return raw.ArchiveRefreshChecksums(c.str(path), c.err) })
}

// Consolidate makes a copy whose tensors lie in one block of memory.
func (d *Dict) Consolidate() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictConsolidate(d.p, out, c.err) })
}

// MemmapLike makes a directory for a dict like d, without its values.
func (d *Dict) MemmapLike(path string, options *SaveOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictMemmapLike(d.p, c.str(path), c.saveOptions(options), out, c.err)
	})
}

// MakeMemmap adds a tensor of zeros to a directory that is open as a dict.
func (d *Dict) MakeMemmap(dtype DType, shape []int64, key ...string) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		sizes, n := c.ints(shape)
		return raw.DictMakeMemmap(d.p, c.key(key), sizes, n, raw.Dtype(dtype), out, c.err)
	})
}

// MakeMemmapFrom adds a copy of a tensor to a directory that is open as a dict.
func (d *Dict) MakeMemmapFrom(value *Tensor, key ...string) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictMakeMemmapFrom(d.p, c.key(key), value.raw0(), out, c.err)
	})
}

// MemmapRefresh reads the entries of the directory again.
func (d *Dict) MemmapRefresh() error {
	return do(func(c *call) raw.Status { return raw.DictMemmapRefresh_(d.p, c.err) })
}

// IsMemmap tells whether the dict shows a directory or a file.
func (d *Dict) IsMemmap() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictIsMemmap(d.p))
}

// SavedPath is the directory that the dict was opened from; empty if there is none.
func (d *Dict) SavedPath() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.DictSavedPath(d.p, out, c.err) })
}

// AppendMemmap appends rows to a memmap directory.
func AppendMemmap(path string, rows *Dict, sync bool) error {
	return do(func(c *call) raw.Status { return raw.AppendMemmap(c.str(path), rows.raw0(), flag(sync), c.err) })
}
