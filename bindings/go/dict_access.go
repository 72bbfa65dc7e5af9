package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// An Entry is a *Tensor, a *Dict or a *Data; in an iteration also a Failed.
type Entry interface {
	isEntry()
}

// Failed takes the place of entries that could not be read.
type Failed struct {
	Err error
}

func (*Tensor) isEntry() {}
func (*Dict) isEntry()   {}
func (*Data) isEntry()   {}
func (Failed) isEntry()  {}

// EntryKind is the kind of an entry.
type EntryKind int32

// The kinds of entries.
const (
	NoEntry     = EntryKind(raw.ENTRY_NONE)
	TensorEntry = EntryKind(raw.ENTRY_TENSOR)
	DictEntry   = EntryKind(raw.ENTRY_DICT)
	DataEntry   = EntryKind(raw.ENTRY_DATA)
)

// Set stores a value under a key and makes the missing nodes: a *Tensor, a *Dict or a *Data; or anything that FromSlice
// takes or that is data: a string, a number, bytes, or what encoding/json can write.
func (d *Dict) Set(value any, key ...string) error {
	switch v := value.(type) {
	case *Tensor:
		return d.setTensor(v, key)
	case *Dict:
		return do(func(c *call) raw.Status { return raw.DictSetDict(d.p, c.key(key), v.raw0(), c.err) })
	case *Data:
		return d.setDataList(v, key)
	}
	return do(func(c *call) raw.Status {
		data, bad := c.data(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictSetData(d.p, c.key(key), data, c.err)
	})
}

func (d *Dict) setTensor(t *Tensor, key []string) error {
	c := begin()
	defer c.end()
	err := c.check(raw.DictSet(d.p, c.key(key), t.raw0(), c.err))
	runtime.KeepAlive(d)
	runtime.KeepAlive(t)
	return err
}

func (d *Dict) setDataList(data *Data, key []string) error {
	return do(func(c *call) raw.Status {
		values := many[raw.Data](c, len(data.Values))
		for i, value := range data.Values {
			if bad := c.fillData(&values[i], value); bad != nil {
				return c.fail(bad)
			}
		}
		if !data.Stack && len(values) == 1 {
			return raw.DictSetData(d.p, c.key(key), &values[0], c.err)
		}
		return raw.DictSetDataStack(d.p, c.key(key), first(values), uint(len(values)), c.err)
	})
}

// SetPath is Set of a tensor under a prepared key.
func (d *Dict) SetPath(value *Tensor, path *Path) error {
	c := begin()
	defer c.end()
	err := c.check(raw.DictSetPath(d.p, path.p, value.raw0(), c.err))
	runtime.KeepAlive(d)
	runtime.KeepAlive(value)
	runtime.KeepAlive(path)
	return err
}

// SetUnbatched stores a tensor of any shape that belongs to the whole batch.
func (d *Dict) SetUnbatched(value *Tensor, key ...string) error {
	return do(func(c *call) raw.Status { return raw.DictSetUnbatched(d.p, c.key(key), value.raw0(), c.err) })
}

// IsUnbatched tells whether a tensor was stored by SetUnbatched.
func (d *Dict) IsUnbatched(key ...string) (bool, error) {
	return give(truth, func(c *call, out *raw.Bool) raw.Status { return raw.DictIsUnbatched(d.p, c.key(key), out, c.err) })
}

// CopyInto copies a value into the memory of the tensor under a key; a locked dict allows it.
func (d *Dict) CopyInto(value *Tensor, key ...string) error {
	return do(func(c *call) raw.Status { return raw.DictCopyInto(d.p, c.key(key), value.raw0(), c.err) })
}

// SetDefault returns the tensor under a key; first it sets value there if there is no entry.
func (d *Dict) SetDefault(value *Tensor, key ...string) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictSetDefault(d.p, c.key(key), value.raw0(), out, c.err)
	})
}

// Get returns the tensor under a key; ErrKey if there is none.
func (d *Dict) Get(key ...string) (*Tensor, error) {
	c := begin()
	defer c.end()
	out := one[*raw.Tensor](c)
	err := c.check(raw.DictGet(d.p, c.key(key), out, c.err))
	runtime.KeepAlive(d)
	return newTensor(*out), err
}

// GetPath is Get of a prepared key.
func (d *Dict) GetPath(path *Path) (*Tensor, error) {
	c := begin()
	defer c.end()
	out := one[*raw.Tensor](c)
	err := c.check(raw.DictGetPath(d.p, path.p, out, c.err))
	runtime.KeepAlive(d)
	runtime.KeepAlive(path)
	return newTensor(*out), err
}

// GetMany returns the tensors under prepared keys: all of them, or none and an error.
func (d *Dict) GetMany(paths ...*Path) ([]*Tensor, error) {
	c := begin()
	defer c.end()
	out := many[*raw.Tensor](c, len(paths))
	in, n := pointers(c, paths, func(p *Path) *raw.Path { return p.p })
	err := c.check(raw.DictGetMany(d.p, in, n, first(out), c.err))
	runtime.KeepAlive(d)
	runtime.KeepAlive(paths)
	if err != nil {
		return nil, err
	}
	made := make([]*Tensor, n)
	for i, p := range out {
		made[i] = newTensor(p)
	}
	return made, nil
}

// GetDict returns the dict under a key; changes of it show in d.
func (d *Dict) GetDict(key ...string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictGetDict(d.p, c.key(key), out, c.err) })
}

// GetData returns the data under a key.
func (d *Dict) GetData(key ...string) (*Data, error) {
	return give(takeData, func(c *call, out **raw.DataList) raw.Status { return raw.DictGetData(d.p, c.key(key), out, c.err) })
}

// SetDataInPlace replaces the data under a key by one value; a locked dict allows it.
func (d *Dict) SetDataInPlace(value any, key ...string) error {
	return do(func(c *call) raw.Status {
		data, bad := c.data(value)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.DictSetData_(d.p, c.key(key), data, c.err)
	})
}

func takeEntry(e raw.Entry) Entry {
	switch e.Kind {
	case raw.ENTRY_TENSOR:
		return newTensor(e.Tensor)
	case raw.ENTRY_DICT:
		return newDict(e.Dict)
	case raw.ENTRY_DATA:
		return takeData(e.Data)
	}
	return nil
}

// Find returns the entry under a key, whatever it is; nil if there is none, which is not an error and not slow.
func (d *Dict) Find(key ...string) (Entry, error) {
	return give(takeEntry, func(c *call, out *raw.Entry) raw.Status { return raw.DictLookup(d.p, c.key(key), out, c.err) })
}

// Lookup returns the tensor under a key; ok is false if there is no entry, or no tensor.
func (d *Dict) Lookup(key ...string) (t *Tensor, ok bool, err error) {
	c := begin()
	defer c.end()
	out := one[raw.Entry](c)
	err = c.check(raw.DictLookup(d.p, c.key(key), out, c.err))
	runtime.KeepAlive(d)
	if err != nil {
		return nil, false, err
	}
	switch out.Kind {
	case raw.ENTRY_NONE:
		return nil, false, nil
	case raw.ENTRY_TENSOR:
		return newTensor(out.Tensor), true, nil
	}
	raw.EntryClear(out)
	return nil, false, nil
}

// Kind is the kind of the entry under a key: NoEntry if there is none.
func (d *Dict) Kind(key ...string) (EntryKind, error) {
	return give(func(k raw.EntryKind) EntryKind { return EntryKind(k) }, func(c *call, out *raw.EntryKind) raw.Status {
		return raw.DictEntryKind(d.p, c.key(key), out, c.err)
	})
}

// Has tells whether there is an entry under a key.
func (d *Dict) Has(key ...string) bool {
	kind, err := d.Kind(key...)
	return err == nil && kind != NoEntry
}

// Delete removes an entry; ErrKey if there is none.
func (d *Dict) Delete(key ...string) error {
	return do(func(c *call) raw.Status { return raw.DictRemove(d.p, c.key(key), c.err) })
}
