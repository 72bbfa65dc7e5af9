package tensordict

import "tensordict/raw"

// Version is that of the loaded library, for instance "0.2.0".
func Version() string {
	return text(raw.Version())
}

// HasFeature tells whether the library has "segment", "cuda", "uint16", "archive", "bzip2", "lzma", "hdf5", "group" or
// "redis".
func HasFeature(name string) bool {
	c := begin()
	defer c.end()
	return truth(raw.HasFeature(c.str(name)))
}

// BuildInfo tells how the library was built, as JSON.
func BuildInfo() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.BuildInfo(out, c.err) })
}

// LiveObjects counts the references to objects of the library that this process holds, by kind: for leak tests.
func LiveObjects() map[string]int64 {
	out := map[string]int64{}
	for name, kind := range map[string]raw.ObjectKind{
		"error": raw.OBJECT_ERROR, "string": raw.OBJECT_STRING, "keys": raw.OBJECT_KEYS, "path": raw.OBJECT_PATH,
		"tensor": raw.OBJECT_TENSOR, "tensor_list": raw.OBJECT_TENSOR_LIST, "generator": raw.OBJECT_GENERATOR,
		"dict": raw.OBJECT_DICT, "segment": raw.OBJECT_SEGMENT, "module": raw.OBJECT_MODULE,
		"optimizer": raw.OBJECT_OPTIMIZER, "dist": raw.OBJECT_DIST, "query": raw.OBJECT_QUERY,
		"no_grad": raw.OBJECT_NO_GRAD, "dict_list": raw.OBJECT_DICT_LIST, "data_list": raw.OBJECT_DATA_LIST,
		"scope": raw.OBJECT_SCOPE, "channel": raw.OBJECT_CHANNEL, "message": raw.OBJECT_MESSAGE,
		"hash": raw.OBJECT_HASH, "store": raw.OBJECT_STORE, "row_map": raw.OBJECT_ROW_MAP,
		"pack_layout": raw.OBJECT_PACK_LAYOUT, "cancel": raw.OBJECT_CANCEL, "entries": raw.OBJECT_ENTRIES,
	} {
		out[name] = raw.LiveObjects(kind)
	}
	return out
}

// SetNumThreads sets how many threads LibTorch uses inside one operator, for the whole process.
func SetNumThreads(n int) error {
	return do(func(c *call) raw.Status { return raw.SetNumThreads(int32(n), c.err) })
}

// NumThreads is that number.
func NumThreads() int {
	return int(raw.GetNumThreads())
}

// LiveBytes counts the bytes of files and segments that are mapped now.
func LiveBytes() int64 {
	return raw.LiveBytes()
}

// A FastLevel says how much the library may use its own code instead of LibTorch's operators. Results are the same.
type FastLevel int32

// Operators of LibTorch only; also own views of tensors; also one allocation for the results of many tensors.
const (
	FastNone  = FastLevel(raw.FAST_NONE)
	FastViews = FastLevel(raw.FAST_VIEWS)
	FastArena = FastLevel(raw.FAST_ARENA)
)

// SetFastLevel sets the level for the process, to find out whether the library's own code causes a bug.
func SetFastLevel(level FastLevel) error {
	return do(func(c *call) raw.Status { return raw.SetFastLevel(raw.FastLevel(level), c.err) })
}

// CurrentFastLevel is that level.
func CurrentFastLevel() FastLevel {
	return FastLevel(raw.GetFastLevel())
}

// IsGradEnabled tells whether operations are recorded on this thread: not inside of NoGrad.
func IsGradEnabled() bool {
	return truth(raw.IsGradEnabled())
}
