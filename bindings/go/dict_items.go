package tensordict

import (
	"iter"
	"unsafe"

	"tensordict/raw"
)

// KeysFlags choose what Keys and Entries list.
type KeysFlags uint64

// What to list: without flags, the entries at the root in the order of insertion.
const (
	Nested        = KeysFlags(raw.KEYS_NESTED)         // the entries of nodes too
	LeavesOnly    = KeysFlags(raw.KEYS_LEAVES)         // tensors only
	Sorted        = KeysFlags(raw.KEYS_SORTED)         // by the joined parts
	ChildrenFirst = KeysFlags(raw.KEYS_CHILDREN_FIRST) // the entries of a node before it
	WithData      = KeysFlags(raw.KEYS_DATA)           // with LeavesOnly: data too
	DataOnly      = KeysFlags(raw.KEYS_DATA_ONLY)      // data only
)

func joined(flags []KeysFlags) uint64 {
	var all KeysFlags
	for _, flag := range flags {
		all |= flag
	}
	return uint64(all)
}

// Keys lists the keys.
func (d *Dict) Keys(flags ...KeysFlags) ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status {
		return raw.DictKeys(d.p, raw.KeysFlags(joined(flags)), out, c.err)
	})
}

// An Item is a key with its entry.
type Item struct {
	Key   Key
	Entry Entry
}

// Items lists the keys with their entries, in one call of the library.
func (d *Dict) Items(flags ...KeysFlags) ([]Item, error) {
	return give(takeEntries, func(c *call, out **raw.Entries) raw.Status {
		return raw.DictEntries(d.p, joined(flags), out, c.err)
	})
}

func takeEntries(list *raw.Entries) []Item {
	defer raw.EntriesRelease(list)
	c := begin()
	defer c.end()
	keys, entries, n := one[*raw.Key](c), one[*raw.Entry](c), one[uint](c)
	if raw.EntriesView(list, keys, entries, n, nil) != raw.OK {
		return nil
	}
	out := make([]Item, *n)
	for i, e := range unsafe.Slice(*entries, *n) {
		switch e.Kind {
		case raw.ENTRY_TENSOR:
			raw.TensorRetain(e.Tensor)
		case raw.ENTRY_DICT:
			raw.DictRetain(e.Dict)
		case raw.ENTRY_DATA:
			raw.DataListRetain(e.Data)
		}
		out[i] = Item{keyOf(&unsafe.Slice(*keys, *n)[i]), takeEntry(e)}
	}
	return out
}

// All iterates over the entries at the root and their keys: a snapshot, so that the loop may change the dict. If they
// cannot be read (members of a lazy stack that do not stack), there is one entry, a Failed.
func (d *Dict) All() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		items, err := d.Items()
		if err != nil {
			yield("", Failed{err})
			return
		}
		for _, item := range items {
			if !yield(item.Key[0], item.Entry) {
				return
			}
		}
	}
}

// Leaves iterates over all tensors, below too, as All does.
func (d *Dict) Leaves() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		items, err := d.Items(Nested, LeavesOnly)
		if err != nil {
			yield("", Failed{err})
			return
		}
		for _, item := range items {
			if !yield(item.Key.String(), item.Entry) {
				return
			}
		}
	}
}
