package tensordict

import (
	"cmp"
	"time"

	"tensordict/raw"
)

// RemoteOptions may be nil. Only OpenRemote reads Mode, and only CreateRemote reads BatchSize.
type RemoteOptions struct {
	Mode      Mode          // ReadOnly or ReadWrite
	BatchSize []int64       // of a new dict; nil: none
	Timeout   time.Duration // of each wait for the server; less than a millisecond is one; 0: 10 seconds
}

func (c *call) remote(options *RemoteOptions) *raw.RemoteOptions {
	o := one[raw.RemoteOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o
	}
	o.Mode = raw.OpenMode(options.Mode)
	o.BatchSize, o.Ndim = c.ints(options.BatchSize)
	if o.TimeoutMs = options.Timeout.Milliseconds(); o.TimeoutMs == 0 {
		o.TimeoutMs = int64(cmp.Compare(options.Timeout, 0))
	}
	return o
}

// OpenRemote opens a dict or a lazy stack whose entries stay on a Redis or Valkey server, for many processes on many
// machines, as Python's TensorDictStore.from_store and LazyStackedTensorDictStore.from_store do; it does not write to
// it. Each get reads the tensor, an index reads only the rows that it selects, and each change is one transaction. A
// URL is redis://HOST:PORT/DB?id=ID or unix:///PATH?id=ID; USER:PASSWORD@ may precede the host or the path. Nothing is
// encrypted: use servers only in networks that you trust. HDF5File, IsHDF5Writable and CloseHDF5 are for these dicts,
// too. This and the other functions of dicts on servers are a preview.
//
// ErrArgument for a bad URL or option; ErrNotFound; ErrCorrupt if the id is not that of a dict; ErrClosed if the server
// cannot be reached; ErrTimeout if it does not answer; ErrIO, also for a wrong password; ErrUnsupported for a lazy
// stack of too many members, and in a build without the feature "redis". Later calls on the dict can fail with
// ErrClosed and ErrTimeout, too, and connect again; a change that failed so may have arrived. They fail with ErrBusy,
// and change nothing, if other processes change the same entries faster than they can be read or written.
func OpenRemote(url string, options *RemoteOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.RemoteOpen(c.str(url), c.remote(options), out, c.err)
	})
}

// CreateRemote makes a dict without entries on a server and opens it for writing. Python's TensorDictStore(td_id=,
// batch_size=) takes over what exists; this is ErrExists. ErrShape for a negative size; others as OpenRemote.
func CreateRemote(url string, options *RemoteOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.RemoteCreate(c.str(url), c.remote(options), out, c.err)
	})
}

// ListRemote lists the ids of the dicts and lazy stacks on a server, in alphabetical order; the URL has no id. Errors
// as OpenRemote.
func ListRemote(url string, options *RemoteOptions) ([]string, error) {
	return give(takeNames, func(c *call, out **raw.Keys) raw.Status {
		return raw.RemoteList(c.str(url), c.remote(options), out, c.err)
	})
}

// takeNames takes keys that have one part each.
func takeNames(list *raw.Keys) []string {
	keys := takeKeys(list)
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key[0]
	}
	return names
}

// RemoveRemote removes a dict or a lazy stack with all its entries from a server, as Python's
// TensorDictStore.clear_redis does. ErrNotFound; ErrBusy; others as OpenRemote.
func RemoveRemote(url string, options *RemoteOptions) error {
	return do(func(c *call) raw.Status { return raw.RemoteRemove(c.str(url), c.remote(options), c.err) })
}

// RemoteVersion is how often this library, in any process, has changed the dict on the server; changes by Python do not
// count, and nodes have the version of the root. ErrUnsupported if the dict is not on a server; ErrClosed; ErrTimeout;
// ErrCorrupt.
func (d *Dict) RemoteVersion() (int64, error) {
	return give(same, func(c *call, out *int64) raw.Status { return raw.RemoteVersion(d.p, out, c.err) })
}

// RemoteUpdateIf updates like Update, in one transaction, if the dict on the server still has this version: so several
// processes read, compute and write without losing each other's changes. ErrBusy if it has another version, or other
// processes change it meanwhile, and nothing is written then; ErrUnsupported if the dict is not on a server; ErrLocked;
// ErrClosed; ErrTimeout; others as Update.
func (d *Dict) RemoteUpdateIf(src *Dict, version int64) error {
	return do(func(c *call) raw.Status { return raw.RemoteUpdateIf(d.p, src.raw0(), version, c.err) })
}
