package tensordict

import "tensordict/raw"

// ShareQueryOptions may be nil.
type ShareQueryOptions struct {
	Capacity   int64 // at most as many rows, which reserves addresses only; 0: many
	Keep       bool  // the name stays after its writers
	LargePages bool
}

// ShareMap moves the map to shared memory under a name, and writes to it from now on. Others attach it.
func (q *Query) ShareMap(name string, options *ShareQueryOptions) error {
	return do(func(c *call) raw.Status {
		o := one[raw.QueryShareOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Capacity, o.Keep, o.LargePages = options.Capacity, flag(options.Keep), flag(options.LargePages)
		}
		return raw.QueryShare(q.p, c.str(name), o, c.err)
	})
}

// SaveMap writes the map to a file for Attach. capacity is that for later writers; 0: the current number of rows.
func (q *Query) SaveMap(path string, capacity int64, overwrite bool) error {
	return do(func(c *call) raw.Status {
		o := one[raw.QuerySaveOptions](c)
		o.StructSize, o.Capacity, o.Overwrite = structSize(o), capacity, flag(overwrite)
		return raw.QuerySave(q.p, c.str(path), o, c.err)
	})
}

// A MapMode says what a query does with a map that it attaches.
type MapMode int32

// Rows cannot be added; new rows stay in the memory of this process; the only process that adds rows to the file.
const (
	MapRead  = MapMode(raw.QUERY_MAP_READ)
	MapCopy  = MapMode(raw.QUERY_MAP_COPY)
	MapWrite = MapMode(raw.QUERY_MAP_WRITE)
)

// Attach replaces the map by the one in shared memory under a name, or in the file if name begins with '/'.
func (q *Query) Attach(name string, mode MapMode) error {
	return do(func(c *call) raw.Status { return raw.QueryAttach(q.p, c.str(name), raw.QueryMapMode(mode), c.err) })
}

// UnlinkMap removes the name of a map in shared memory; who has it open can still use it.
func UnlinkMap(name string) error {
	return do(func(c *call) raw.Status { return raw.QueryUnlink(c.str(name), c.err) })
}

// QueryStats are the statistics of a map.
type QueryStats = raw.QueryStatistics

// Stats counts what is in the map, and what happened.
func (q *Query) Stats() (QueryStats, error) {
	return give(same, func(c *call, out *QueryStats) raw.Status {
		out.StructSize = structSize(out)
		return raw.QueryStats(q.p, out, c.err)
	})
}

// Options are those of the query that are no objects.
func (q *Query) Options() (QueryOptions, error) {
	return give(func(o raw.QueryOptions) QueryOptions {
		return QueryOptions{HashType: text(o.HashType), HashConfig: text(o.HashConfig), Capacity: o.Capacity,
			Miss: Miss(o.Miss), Threads: int(o.Threads), Clone: truth(o.Clone), Exact: truth(o.Exact),
			Canonical: truth(o.Canonical)}
	}, func(c *call, out *raw.QueryOptions) raw.Status {
		out.StructSize = structSize(out)
		return raw.QueryGetOptions(q.p, out, c.err)
	})
}
