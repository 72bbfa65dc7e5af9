package tensordict

import "tensordict/raw"

// An IndexMap is a map of the caller's from hashes to indices from 0 up. Its methods must change nothing if they fail.
// LookUp, Size and State may run on several goroutines at once; the others run alone.
type IndexMap interface {
	// LookUp writes the index of each hash, or -1 if there is none. The slices are valid during the call only.
	LookUp(hashes, indices []int64) error
	// Insert adds hashes, which are distinct and not in the map, and writes their indices.
	Insert(hashes, indices []int64) error
	// Size is the number of hashes, and one more than the largest index so far.
	Size() (size, next int64, err error)
}

// An IndexEraser is an IndexMap from which rows can be removed; calls that fail undo with it what they added.
type IndexEraser interface {
	Erase(hashes []int64) error
}

// An IndexClearer is an IndexMap that Query.Clear empties.
type IndexClearer interface {
	Clear() error
}

// An IndexSaver is an IndexMap for Query.State and Query.LoadState: State writes to an empty dict what Load reads.
type IndexSaver interface {
	State(state *Dict) error
	Load(state *Dict) error
}

// NewQueryWithMap makes a query over a map of the caller's, which need not be empty.
func NewQueryWithMap(own IndexMap, options *QueryOptions, keys ...Key) (*Query, error) {
	return give(newQuery, func(c *call, out **raw.Query) raw.Status {
		m := one[raw.IndexMap](c)
		m.StructSize, m.Userdata, m.Destroy = structSize(m), userdata(own), destroyFunction
		m.LookUp, m.Insert, m.Size = mapLookUpFunction, mapInsertFunction, mapSizeFunction
		if _, is := own.(IndexEraser); is {
			m.Erase = mapEraseFunction
		}
		if _, is := own.(IndexClearer); is {
			m.Clear = mapClearFunction
		}
		if _, is := own.(IndexSaver); is {
			m.State, m.Load = mapStateFunction, mapLoadFunction
		}
		in, n := c.keys(keys)
		return raw.QueryNewWithMap(in, n, c.queryOptions(options), m, out, c.err)
	})
}
