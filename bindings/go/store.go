package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// A Store holds rows of dicts by index.
type Store struct {
	handle[raw.Store]
}

func newStore(p *raw.Store) *Store {
	s := new(Store)
	s.hold(p, raw.StoreRelease)
	return s
}

// StoreOptions may be nil.
type StoreOptions struct {
	Capacity    int64  // at most as many rows; 0: no limit
	Preallocate bool   // allocate memory for all rows at the first write
	Path        string // store the rows in this directory; needs a capacity
}

// NewStore makes an empty store, or opens one with the rows in a directory.
func NewStore(options *StoreOptions) (*Store, error) {
	return give(newStore, func(c *call, out **raw.Store) raw.Status {
		o := one[raw.StoreOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Capacity, o.Preallocate = options.Capacity, flag(options.Preallocate)
			o.Path = c.optional(options.Path)
		}
		return raw.StoreNew(o, out, c.err)
	})
}

// Set copies each row to its index; among equal indices the last row wins. The first write determines keys, dtypes and
// shapes.
func (s *Store) Set(index *Tensor, rows *Dict) error {
	return do(func(c *call) raw.Status { return raw.StoreSet(s.p, index.raw0(), rows.raw0(), c.err) })
}

// Get makes a dict with the rows at index.
func (s *Store) Get(index *Tensor) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.StoreGet(s.p, index.raw0(), out, c.err) })
}

// Contains tells for each index whether it holds a row.
func (s *Store) Contains(index *Tensor) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.StoreContains(s.p, index.raw0(), out, c.err)
	})
}

// Sample draws rows, each with the same probability, and returns them with their indices. If different is set, no row
// comes twice. A nil generator is LibTorch's own.
func (s *Store) Sample(n int64, different bool, generator *Generator) (rows *Dict, index *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		o := one[raw.SampleOptions](c)
		o.StructSize, o.WithoutReplacement = structSize(o), flag(different)
		out, at := one[*raw.Dict](c), one[*raw.Tensor](c)
		status := raw.StoreSample(s.p, n, o, generator.raw0(), out, at, c.err)
		rows, index = newDict(*out), newTensor(*at)
		return status
	})
	return
}

// Clear removes all rows, and with them the keys, dtypes and shapes; a store in a directory keeps these.
func (s *Store) Clear() error {
	return do(func(c *call) raw.Status { return raw.StoreClear(s.p, c.err) })
}

// Options are those of the store.
func (s *Store) Options() (StoreOptions, error) {
	return give(func(o raw.StoreOptions) StoreOptions {
		return StoreOptions{o.Capacity, truth(o.Preallocate), text(o.Path)}
	}, func(c *call, out *raw.StoreOptions) raw.Status {
		out.StructSize = structSize(out)
		return raw.StoreGetOptions(s.p, out, c.err)
	})
}

// Len is the number of rows.
func (s *Store) Len() int64 {
	defer runtime.KeepAlive(s)
	return raw.StoreSize(s.p)
}

// Share makes one more reference to the same store.
func (s *Store) Share() *Store {
	raw.StoreRetain(s.p)
	return newStore(s.p)
}

// A RowMap maps rows to rows: its query gives rows their indices, and its store holds rows under them.
type RowMap struct {
	handle[raw.RowMap]
}

func newRowMap(p *raw.RowMap) *RowMap {
	m := new(RowMap)
	m.hold(p, raw.RowMapRelease)
	return m
}

// NewRowMap makes a map of a query and a store, which it shares.
func NewRowMap(q *Query, s *Store) (*RowMap, error) {
	return give(newRowMap, func(c *call, out **raw.RowMap) raw.Status { return raw.RowMapNew(q.p, s.p, out, c.err) })
}

// Set stores each row of rows under that of keys; among equal keys the last row wins.
func (m *RowMap) Set(keys, rows *Dict) error {
	return do(func(c *call) raw.Status { return raw.RowMapSet(m.p, keys.raw0(), rows.raw0(), c.err) })
}

// Get returns the rows under those of keys; ErrIndex if one is missing.
func (m *RowMap) Get(keys *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.RowMapGet(m.p, keys.raw0(), out, c.err) })
}

// Contains tells for each row of keys whether it is in the map.
func (m *RowMap) Contains(keys *Dict) (*Tensor, error) {
	return makeTensor(func(c *call, out **raw.Tensor) raw.Status {
		return raw.RowMapContains(m.p, keys.raw0(), out, c.err)
	})
}

// Clear removes all rows, also from the query and the store.
func (m *RowMap) Clear() error {
	return do(func(c *call) raw.Status { return raw.RowMapClear(m.p, c.err) })
}

// Len is the number of rows.
func (m *RowMap) Len() int64 {
	defer runtime.KeepAlive(m)
	return raw.RowMapSize(m.p)
}

// Share makes one more reference to the same map.
func (m *RowMap) Share() *RowMap {
	raw.RowMapRetain(m.p)
	return newRowMap(m.p)
}
