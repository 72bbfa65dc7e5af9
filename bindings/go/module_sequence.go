package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// An InPlace says where a module with keys writes.
type InPlace int32

// The default (WriteToLast for a sequence, WriteToData for others); into the data; into a new dict without batch dims;
// into a new dict with those of the data; and, of a sequence, into the dict of its last member.
const (
	DefaultInPlace = InPlace(raw.INPLACE_DEFAULT)
	WriteToData    = InPlace(raw.INPLACE_TRUE)
	WriteToNew     = InPlace(raw.INPLACE_FALSE)
	WriteToEmpty   = InPlace(raw.INPLACE_EMPTY)
	WriteToLast    = InPlace(raw.INPLACE_NONE)
)

// TensorDictOptions may be nil.
type TensorDictOptions struct {
	InPlace       InPlace
	Strict        bool     // a missing input is an error
	ArgumentNames []string // of each in-key: values are passed by name; nil: by position
}

// TensorDictModuleWith is TensorDictModule with options.
func TensorDictModuleWith(options *TensorDictOptions, inner *Module, in, out []Key) (*Module, error) {
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		o := one[raw.TensordictOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			if options.ArgumentNames != nil && len(options.ArgumentNames) != len(in) {
				return c.fail(argument("%d names of arguments for %d keys", len(options.ArgumentNames), len(in)))
			}
			o.Inplace, o.Strict = raw.Inplace(options.InPlace), flag(options.Strict)
			if options.ArgumentNames != nil {
				o.ArgumentNames, _ = c.names(options.ArgumentNames)
			}
		}
		inKeys, nIn := c.keys(in)
		outKeys, nOut := c.keys(out)
		return raw.ModuleTensordict(inner.raw0(), inKeys, nIn, outKeys, nOut, o, made, c.err)
	})
}

// SequentialOptions may be nil.
type SequentialOptions struct {
	InPlace         InPlace
	PartialTolerant bool     // a member whose inputs are missing does not run
	SelectedOutKeys []Key    // as SelectOutKeys; nil: all
	Names           []string // of the members; nil: numbers
}

func (c *call) sequential(options *SequentialOptions, members int) (*raw.SequentialOptions, error) {
	o := one[raw.SequentialOptions](c)
	o.StructSize = structSize(o)
	if options == nil {
		return o, nil
	}
	if options.Names != nil && len(options.Names) != members {
		return o, argument("%d names for %d modules", len(options.Names), members)
	}
	o.Inplace, o.PartialTolerant = raw.Inplace(options.InPlace), flag(options.PartialTolerant)
	o.SelectedOutKeys, o.NSelected = c.keys(options.SelectedOutKeys)
	o.Names = c.strs(options.Names)
	return o, nil
}

// SequentialWith is Sequential with options.
func SequentialWith(options *SequentialOptions, modules ...*Module) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		o, bad := c.sequential(options, len(modules))
		if bad != nil {
			return c.fail(bad)
		}
		return raw.ModuleSequential(p, n, o, out, c.err)
	})
}

// ChainNamed is Chain with names of the members.
func ChainNamed(names []string, modules ...*Module) (*Module, error) {
	return named(raw.ModuleChain, names, modules)
}

// ModuleList holds modules for others to call, under numbers, or names if these are not nil.
func ModuleList(names []string, modules ...*Module) (*Module, error) {
	return named(raw.ModuleList, names, modules)
}

func named(make func(**raw.Module, uint, *raw.Str, **raw.Module, **raw.Error) raw.Status, names []string,
	modules []*Module) (*Module, error) {
	if names != nil && len(names) != len(modules) {
		return nil, argument("%d names for %d modules", len(names), len(modules))
	}
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		p, n := pointers(c, modules, (*Module).raw0)
		return make(p, n, c.strs(names), out, c.err)
	})
}

// Size is the number of members of a sequence, a chain or a list.
func (m *Module) Size() int {
	defer runtime.KeepAlive(m)
	return int(raw.ModuleSize(m.p))
}

// Member is one of them; negative indices count from the end.
func (m *Module) Member(index int64) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status { return raw.ModuleMember(m.p, index, out, c.err) })
}

// Slice makes a sequence of the members start, start + step, ... before stop; End is the end.
func (m *Module) Slice(start, stop, step int64) (*Module, error) {
	return makeModule(func(c *call, out **raw.Module) raw.Status {
		return raw.ModuleSlice(m.p, start, stop, step, out, c.err)
	})
}

// SetMember replaces a member of a sequence.
func (m *Module) SetMember(index int64, member *Module) error {
	return do(func(c *call) raw.Status { return raw.ModuleSetMember(m.p, index, member.raw0(), c.err) })
}

// RemoveMember removes a member of a sequence.
func (m *Module) RemoveMember(index int64) error {
	return do(func(c *call) raw.Status { return raw.ModuleRemoveMember(m.p, index, c.err) })
}

// SelectSubsequence makes a sequence of the members that can run with the keys in and that those of out depend on; nil
// means the sequence's own keys.
func (m *Module) SelectSubsequence(in, out []Key) (*Module, error) {
	return makeModule(func(c *call, made **raw.Module) raw.Status {
		inKeys, nIn := c.givenKeys(in)
		outKeys, nOut := c.givenKeys(out)
		return raw.ModuleSelectSubsequence(m.p, inKeys, nIn, outKeys, nOut, made, c.err)
	})
}

// givenKeys is nil for nil only, where no keys mean something else.
func (c *call) givenKeys(keys []Key) (*raw.Key, uint) {
	if keys != nil && len(keys) == 0 {
		return one[raw.Key](c), 0
	}
	return c.keys(keys)
}

// OutKeysSource are the entries that the module would write without SelectOutKeys.
func (m *Module) OutKeysSource() ([]Key, error) {
	return give(takeKeys, func(c *call, out **raw.Keys) raw.Status { return raw.ModuleOutKeysSource(m.p, out, c.err) })
}

// SelectOutKeys removes other outputs from the result; selecting again chooses among the selected ones.
func (m *Module) SelectOutKeys(keys ...Key) error {
	return do(func(c *call) raw.Status {
		p, n := c.keys(keys)
		return raw.ModuleSelectOutKeys(m.p, p, n, c.err)
	})
}

// ResetOutKeys selects all outputs again.
func (m *Module) ResetOutKeys() error {
	return do(func(c *call) raw.Status { return raw.ModuleResetOutKeys(m.p, c.err) })
}
