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

func (q *Query) raw0() *raw.Query {
	if q == nil {
		return nil
	}
	return q.p
}

// A Miss says what a row that is not in the map gets if the map is not extended.
type Miss int32

// The number of indices so far, as in torchrl; -1; or the call fails with ErrKey.
const (
	MissSize     = Miss(raw.QUERY_MISS_SIZE)
	MissMinusOne = Miss(raw.QUERY_MISS_MINUS_ONE)
	MissError    = Miss(raw.QUERY_MISS_ERROR)
)

// QueryOptions may be nil.
type QueryOptions struct {
	IndexKey, HashKey    Key     // of the results: "_index" and "_hash" if nil
	HashType, HashConfig string  // "td.siphash" if empty; JSON
	Hash                 *Hash   // instead of HashType, for all keys
	Hashes               []*Hash // instead of it, one for each key
	Aggregator           *Hash   // of the hashes of several keys; nil: Hash
	MapOf                *Query  // share the map of this query
	Capacity             int64   // at most as many rows; beyond, the least recently used one is replaced; 0: no limit
	Miss                 Miss
	Threads              int  // 0: one; -1: as LibTorch
	Clone                bool // Call returns a copy
	Exact                bool // compare the rows themselves, not their hashes only
	Canonical            bool // 0.0 equals -0.0, and all NaNs are equal
}

func (c *call) queryOptions(options *QueryOptions) *raw.QueryOptions {
	o := one[raw.QueryOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o
	}
	o.IndexKey, o.HashKey = c.some(options.IndexKey), c.some(options.HashKey)
	o.HashType, o.HashConfig = c.optional(options.HashType), c.optional(options.HashConfig)
	o.Hash, o.Aggregator, o.MapOf = options.Hash.raw0(), options.Aggregator.raw0(), options.MapOf.raw0()
	o.Hashes, o.NHashes = pointers(c, options.Hashes, (*Hash).raw0)
	o.Capacity, o.Threads, o.Miss = options.Capacity, int32(options.Threads), raw.QueryMiss(options.Miss)
	o.Clone, o.Exact, o.Canonical = flag(options.Clone), flag(options.Exact), flag(options.Canonical)
	return o
}

// NewQuery makes a query with an empty map over the entries under keys.
func NewQuery(options *QueryOptions, keys ...Key) (*Query, error) {
	return give(newQuery, func(c *call, out **raw.Query) raw.Status {
		in, n := c.keys(keys)
		return raw.QueryNew(in, n, c.queryOptions(options), out, c.err)
	})
}

// Run writes the index and the hash of each row of data; new rows get new indices.
func (q *Query) Run(data *Dict) error {
	return do(func(c *call) raw.Status { return raw.QueryForward(q.p, data.raw0(), raw.QUERY_DEFAULT, c.err) })
}

// QueryTarget says where Call writes.
type QueryTarget int32

// As the option Clone says; to the data; to a copy of it.
const (
	DefaultTarget = QueryTarget(raw.QUERY_TARGET_DEFAULT)
	TargetData    = QueryTarget(raw.QUERY_TARGET_DATA)
	TargetCopy    = QueryTarget(raw.QUERY_TARGET_COPY)
)

// QueryCall may be nil.
type QueryCall struct {
	NoExtend bool // rows that are not in the map get what Miss says
	NoHash   bool // the hash is not written
	Target   QueryTarget
	FoundKey Key // for a bool per row: whether it was in the map before; nil: none
}

// Call is Run with options. It returns the dict with the results.
func (q *Query) Call(data *Dict, options *QueryCall) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.QueryCallOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			if options.NoExtend {
				o.Flags |= raw.QUERY_NO_EXTEND
			}
			if options.NoHash {
				o.Flags |= raw.QUERY_NO_HASH
			}
			o.Target, o.FoundKey = raw.QueryTarget(options.Target), c.some(options.FoundKey)
		}
		return raw.QueryCall(q.p, data.raw0(), o, out, c.err)
	})
}

// Module makes a module that runs the query and shares its map.
func (q *Query) Module() (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status { return raw.ModuleQuery(q.p, out, c.err) })
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

// Hash gives the int64 hash of each row.
func (q *Query) Hash(data *Dict) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status { return raw.QueryHash(q.p, data.raw0(), out, c.err) })
}

// Remove removes the rows of data from the map, and returns how many. New rows get their indices, the smallest first.
func (q *Query) Remove(data *Dict) (int64, error) {
	return give(same, func(c *call, out *int64) raw.Status { return raw.QueryRemove(q.p, data.raw0(), out, c.err) })
}

// SelectOutKeys restricts the results that stay in the dict.
func (q *Query) SelectOutKeys(keys ...Key) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.QuerySelectOutKeys(q.p, p, n, c.err)
	})
}

// ResetOutKeys lets all results stay again.
func (q *Query) ResetOutKeys() error {
	return do(func(c *call) raw.Status { return raw.QueryResetOutKeys(q.p, c.err) })
}

// InKeys are the entries that the query reads.
func (q *Query) InKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.QueryInKeys(q.p, out, c.err) })
}

// OutKeys are the index key and the hash key.
func (q *Query) OutKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.QueryOutKeys(q.p, out, c.err) })
}

// Share makes one more reference to the same query.
func (q *Query) Share() *Query {
	raw.QueryRetain(q.p)
	return newQuery(q.p)
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
