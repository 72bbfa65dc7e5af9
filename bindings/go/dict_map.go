package tensordict

import "tensordict/raw"

// Emptied says what becomes of nodes that lose all entries.
type Emptied int32

// Such nodes are removed, unless they were empty before; or are removed in any case; or stay.
const (
	DropEmptied = Emptied(raw.EMPTIED_DROP)
	DropEmpty   = Emptied(raw.EMPTIED_DROP_ALL)
	KeepEmpty   = Emptied(raw.EMPTIED_KEEP)
)

// MapOptions may be nil.
type MapOptions struct {
	Others    []*Dict // whose leaves follow that of the dict
	BatchSize []int64 // of the result; nil: unchanged
	Emptied   Emptied
	InPlace   bool // copy the results into the leaves
	AllowNil  bool // nil for leaves that another dict lacks
	Data      MapDataFunc
}

func (c *call) mapFunction(fn MapFunc) *raw.MapFunction {
	f := one[raw.MapFunction](c)
	f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), mapFunction, destroyFunction, userdata(fn)
	return f
}

// Map calls fn for each tensor and makes a dict of the results.
func (d *Dict) Map(fn MapFunc, options *MapOptions) (*Dict, error) {
	if options == nil {
		options = new(MapOptions)
	}
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.MapOptions](c)
		o.StructSize = structSize(o)
		if options.BatchSize != nil {
			o.BatchSize, o.Ndim = c.given(options.BatchSize)
		}
		o.Emptied, o.InPlace = raw.Emptied(options.Emptied), flag(options.InPlace)
		o.MissingAsNull = flag(options.AllowNil)
		if options.Data != nil {
			f := one[raw.MapDataFunction](c)
			f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), mapDataFunction, destroyFunction, userdata(options.Data)
			o.Data = f
		}
		others, n := c.dicts(options.Others)
		return raw.DictMap(d.p, c.mapFunction(fn), others, n, o, out, c.err)
	})
}
