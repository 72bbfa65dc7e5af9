package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// ToLazyStack makes a lazy stack of the parts along a dim.
func (d *Dict) ToLazyStack(dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictToLazyStack(d.p, dim, out, c.err)
	})
}

// Members lists the members of a lazy stack.
func (d *Dict) Members() ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictMembers(d.p, out, c.err)
	})
}

// Append appends a member.
func (d *Dict) Append(member *Dict) error {
	return do(func(c *call) raw.Status {
		return raw.DictAppend(d.p, member.raw0(), c.err)
	})
}

// Insert inserts members before a position.
func (d *Dict) Insert(at int64, members ...*Dict) error {
	return do(func(c *call) raw.Status {
		p, n := pointers(c, members, (*Dict).raw0)
		return raw.DictInsert(d.p, at, p, n, c.err)
	})
}

// RaggedKeys lists the entries whose members differ in shape.
func (d *Dict) RaggedKeys() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status {
		return raw.DictRaggedKeys(d.p, out, c.err)
	})
}

// ExclusiveKeys lists the keys that only some members have, of one member.
func (d *Dict) ExclusiveKeys(member int64) ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status {
		return raw.DictExclusiveKeys(d.p, member, out, c.err)
	})
}

// GetList returns the tensors of all members under a key.
func (d *Dict) GetList(key ...string) ([]*Tensor, error) {
	return give(takeTensors, func(c *call, out **raw.TensorList) raw.Status {
		return raw.DictGetList(d.p, c.key(key), out, c.err)
	})
}

// SetList sets one tensor in each member.
func (d *Dict) SetList(values []*Tensor, key ...string) error {
	return do(func(c *call) raw.Status {
		p, n := pointers(c, values, (*Tensor).raw0)
		return raw.DictSetList(d.p, c.key(key), p, n, c.err)
	})
}

// StackDim is the dim along which a lazy stack is stacked.
func (d *Dict) StackDim() int64 {
	defer runtime.KeepAlive(d)
	return raw.DictStackDim(d.p)
}
