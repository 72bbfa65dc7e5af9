package tensordict

import "tensordict/raw"

// Rename moves an entry to another key; safe refuses to replace one.
func (d *Dict) Rename(old, replacement Key, safe bool) error {
	return do(func(c *call) raw.Status {
		return raw.DictRenameKey_(d.p, c.key(old), c.key(replacement), flag(safe), c.err)
	})
}

// Select makes a dict of these entries; strict refuses keys that are missing.
func (d *Dict) Select(strict bool, keys ...Key) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.keys(keys)
		return raw.DictSelect(d.p, p, n, flag(strict), out, c.err)
	})
}

// SelectInPlace removes every other entry.
func (d *Dict) SelectInPlace(strict bool, keys ...Key) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.DictSelect_(d.p, p, n, flag(strict), c.err)
	})
}

// Exclude makes a dict without these entries.
func (d *Dict) Exclude(keys ...Key) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.keys(keys)
		return raw.DictExclude(d.p, p, n, out, c.err)
	})
}

// ExcludeInPlace removes these entries.
func (d *Dict) ExcludeInPlace(keys ...Key) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.DictExclude_(d.p, p, n, c.err)
	})
}

// FilterNonTensorData makes a dict without data.
func (d *Dict) FilterNonTensorData() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictFilterNonTensorData(d.p, out, c.err)
	})
}

// Empty makes a dict like d without entries, or with its nodes.
func (d *Dict) Empty(recurse bool) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictEmpty(d.p, flag(recurse), out, c.err)
	})
}

// FilterEmpty removes nodes without entries.
func (d *Dict) FilterEmpty() error {
	return do(func(c *call) raw.Status {
		return raw.DictFilterEmpty_(d.p, c.err)
	})
}

// FlattenKeys makes one level of all, with joined keys.
func (d *Dict) FlattenKeys(separator string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictFlattenKeys(d.p, c.str(separator), out, c.err)
	})
}

// UnflattenKeys makes nodes of joined keys.
func (d *Dict) UnflattenKeys(separator string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictUnflattenKeys(d.p, c.str(separator), out, c.err)
	})
}

// CreateNested makes an empty node.
func (d *Dict) CreateNested(key ...string) error {
	return do(func(c *call) raw.Status {
		return raw.DictCreateNested(d.p, c.key(key), c.err)
	})
}

// Pop removes a tensor and returns it.
func (d *Dict) Pop(key ...string) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.DictPop(d.p, c.key(key), out, c.err)
	})
}

// PopDict removes a dict and returns it.
func (d *Dict) PopDict(key ...string) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictPopDict(d.p, c.key(key), out, c.err)
	})
}

// Clear removes every entry.
func (d *Dict) Clear() error {
	return do(func(c *call) raw.Status {
		return raw.DictClear(d.p, c.err)
	})
}

// PopItem removes the last inserted entry and returns it.
func (d *Dict) PopItem() (key string, entry Entry, err error) {
	err = do(func(c *call) raw.Status {
		name, t := one[*raw.String](c), one[*raw.Tensor](c)
		inner, data := one[*raw.Dict](c), one[*raw.DataList](c)
		status := raw.DictPopitem(d.p, name, t, inner, data, c.err)
		key = takeString(*name)
		switch {
		case *t != nil:
			entry = newTensor(*t)
		case *inner != nil:
			entry = newDict(*inner)
		case *data != nil:
			entry = takeData(*data)
		}
		return status
	})
	return
}
