package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Query maps rows to dense indices: the first occurrence of a row gets the next free index.
type Query struct {
	handle[raw.Query]
}

func newQuery(p *raw.Query) *Query {
	q := new(Query)
	q.hold(p, raw.QueryRelease)
	return q
}

// QueryOptions may be nil.
type QueryOptions struct {
	IndexKey, HashKey    Key    // of the results: "_index" and "_hash" if nil
	HashType, HashConfig string // "td.siphash" if empty; JSON
	Hash                 *Hash  // instead of HashType
	Capacity             int64  // at most as many rows; 0: no limit
	Threads              int    // 0: one; -1: as LibTorch
	Exact                bool   // compare the rows themselves, not their hashes only
	Canonical            bool   // 0.0 equals -0.0, and all NaNs are equal
}

// NewQuery makes a query with an empty map over the entries under keys.
func NewQuery(options *QueryOptions, keys ...Key) (*Query, error) {
	return give(newQuery, func(c *call, out **raw.Query) raw.Status {
		o := one[raw.QueryOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.IndexKey, o.HashKey = c.some(options.IndexKey), c.some(options.HashKey)
			o.HashType, o.HashConfig = c.optional(options.HashType), c.optional(options.HashConfig)
			if options.Hash != nil {
				o.Hash = options.Hash.p
			}
			o.Capacity, o.Threads = options.Capacity, int32(options.Threads)
			o.Exact, o.Canonical = flag(options.Exact), flag(options.Canonical)
		}
		in, n := c.keys(keys)
		return raw.QueryNew(in, n, o, out, c.err)
	})
}

// Run writes the index and the hash of each row of data; new rows get new indices.
func (q *Query) Run(data *Dict) error {
	return do(func(c *call) raw.Status { return raw.QueryForward(q.p, data.raw0(), raw.QUERY_DEFAULT, c.err) })
}

// Contains tells for each row whether it is in the map, LookUp gives its index or -1. The map does not change.
func (q *Query) Contains(data *Dict) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.QueryContains(q.p, data.raw0(), out, c.err)
	})
}

// LookUp gives the index of each row, or -1.
func (q *Query) LookUp(data *Dict) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.QueryLookUp(q.p, data.raw0(), out, c.err)
	})
}

// Len is the number of rows in the map.
func (q *Query) Len() int64 {
	defer runtime.KeepAlive(q)
	return raw.QuerySize(q.p)
}

// Clear removes all rows.
func (q *Query) Clear() error {
	return do(func(c *call) raw.Status { return raw.QueryClear(q.p, c.err) })
}

// State is the map as a dict that can be saved, LoadState replaces the map by it.
func (q *Query) State() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.QueryState(q.p, out, c.err) })
}

// LoadState loads what State made.
func (q *Query) LoadState(state *Dict) error {
	return do(func(c *call) raw.Status { return raw.QueryLoadState(q.p, state.raw0(), 0, c.err) })
}
