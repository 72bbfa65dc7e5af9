package tensordict

import (
	"runtime"

	"tensordict/raw"
)

// UpdateOptions may be nil.
type UpdateOptions struct {
	InPlace         bool // copy into tensors that exist
	Clone           bool // store copies
	UpdateBatchSize bool // take the batch size of the source where it differs
	Keys            []Key
}

// Update sets every entry of src in d; nodes that both have are updated.
func (d *Dict) Update(src *Dict, options *UpdateOptions) error {
	return do(func(c *call) raw.Status {
		o := one[raw.DictUpdateOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Inplace, o.Clone = flag(options.InPlace), flag(options.Clone)
			o.UpdateBatchSize = flag(options.UpdateBatchSize)
			o.Keys, o.NKeys = c.keys(options.Keys)
		}
		return raw.DictUpdate(d.p, src.raw0(), o, c.err)
	})
}

// SplitKeys makes a dict for each set of keys, and one of the rest; lenient leaves missing keys out.
func (d *Dict) SplitKeys(lenient bool, sets ...[]Key) ([]*Dict, error) {
	var made []*Dict
	err := do(func(c *call) raw.Status {
		o := one[raw.SplitOptions](c)
		o.StructSize, o.Lenient = structSize(o), flag(lenient)
		in, out := many[raw.KeySet](c, len(sets)), many[*raw.Dict](c, len(sets)+1)
		for i, set := range sets {
			in[i].Keys, in[i].N = c.keys(set)
		}
		status := raw.DictSplitKeys(d.p, first(in), uint(len(in)), o, first(out), c.err)
		if status == raw.OK {
			for _, p := range out {
				made = append(made, newDict(p))
			}
		}
		return status
	})
	return made, err
}

// SeparateOptions may be nil.
type SeparateOptions struct {
	Lenient   bool // leave missing keys out
	KeepEmpty bool // nodes that become empty stay
	Fill      *Tensor
}

// Separate moves entries to a new dict.
func (d *Dict) Separate(keys []Key, options *SeparateOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.SeparateOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.Lenient, o.KeepEmpty, o.Fill = flag(options.Lenient), flag(options.KeepEmpty), options.Fill.raw0()
		}
		p, n := c.keys(keys)
		return raw.DictSeparate(d.p, p, n, o, out, c.err)
	})
}

func (c *call) names(names []string) (*raw.Str, uint) {
	out := many[raw.Str](c, len(names))
	for i, name := range names {
		out[i] = c.optional(name)
	}
	return first(out), uint(len(names))
}

// Names are those of the batch dims; empty for none.
func (d *Dict) Names() ([]string, error) {
	names := make([]string, len(d.BatchSize()))
	for i := range names {
		name, err := give(takeString, func(c *call, out **raw.String) raw.Status {
			return raw.DictName(d.p, int64(i), out, c.err)
		})
		if err != nil {
			return nil, err
		}
		names[i] = name
	}
	return names, nil
}

// SetNames names the batch dims; no names remove them.
func (d *Dict) SetNames(names ...string) error {
	return do(func(c *call) raw.Status {
		p, n := c.names(names)
		return raw.DictSetNames(d.p, p, n, c.err)
	})
}

// RefineNames names dims that have none; "..." stands for the dims between.
func (d *Dict) RefineNames(names ...string) error {
	return do(func(c *call) raw.Status {
		p, n := c.names(names)
		return raw.DictRefineNames(d.p, p, n, c.err)
	})
}

// RenameNames gives dims other names, all together.
func (d *Dict) RenameNames(from, to []string) error {
	if len(from) != len(to) {
		return argument("%d names for %d names", len(to), len(from))
	}
	return do(func(c *call) raw.Status {
		p, n := c.names(from)
		q, _ := c.names(to)
		return raw.DictRenameNames(d.p, p, q, n, c.err)
	})
}

// DictKind is the kind of a dict.
type DictKind int32

// The kinds of dicts.
const (
	PlainDict      = DictKind(raw.DICT_KIND_TENSORDICT)
	LazyStackDict  = DictKind(raw.DICT_KIND_LAZY_STACK)
	ParamsDict     = DictKind(raw.DICT_KIND_PARAMS)
	PersistentDict = DictKind(raw.DICT_KIND_PERSISTENT)
	WindowDict     = DictKind(raw.DICT_KIND_WINDOW)
)

// DictKind is the kind of the dict.
func (d *Dict) DictKind() DictKind {
	defer runtime.KeepAlive(d)
	return DictKind(raw.DictKindOf(d.p))
}

// StackDim is the dim along which a lazy stack is stacked.
func (d *Dict) StackDim() int64 {
	defer runtime.KeepAlive(d)
	return raw.DictStackDim(d.p)
}

// EntryShape is the shape of an entry; -1 where the members of a lazy stack differ.
func (d *Dict) EntryShape(key ...string) ([]int64, error) {
	var shape []int64
	err := do(func(c *call) raw.Status {
		out, n := many[int64](c, 64), one[uint](c)
		status := raw.DictEntryShape(d.p, c.key(key), first(out), 64, n, c.err)
		if status == raw.OK {
			shape = append([]int64{}, out[:*n]...)
		}
		return status
	})
	return shape, err
}

// Padding is what fills the places that the members of a lazy stack lack, and may be nil.
type Padding struct {
	Value   float64
	Left    bool
	MaskKey Key // for Densify
}

func (c *call) padding(p *Padding) *raw.PaddingOptions {
	o := one[raw.PaddingOptions](c)
	o.StructSize = structSize(o)
	if p != nil {
		o.Value, o.Left, o.MaskKey = c.number(p.Value), flag(p.Left), c.some(p.MaskKey)
	}
	return o
}

// GetPadded returns the padded tensors of all members, and a mask that is true for values.
func (d *Dict) GetPadded(padding *Padding, key ...string) (values, mask *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, masked := one[*raw.Tensor](c), one[*raw.Tensor](c)
		status := raw.DictGetPadded(d.p, c.key(key), c.padding(padding), out, masked, c.err)
		values, mask = newTensor(*out), newTensor(*masked)
		return status
	})
	return
}

// GetJagged returns the tensors of all members one after the other, and where each begins.
func (d *Dict) GetJagged(key ...string) (values, offsets *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, at := one[*raw.Tensor](c), one[*raw.Tensor](c)
		status := raw.DictGetJagged(d.p, c.key(key), out, at, c.err)
		values, offsets = newTensor(*out), newTensor(*at)
		return status
	})
	return
}

// Densify makes a dense dict of a lazy stack.
func (d *Dict) Densify(padding *Padding) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status { return raw.DictDensify(d.p, c.padding(padding), out, c.err) })
}

// ParamsOptions may be nil.
type ParamsOptions struct {
	NoConvert bool // tensors stay what they are
	Lock      bool // the dict is locked
}

// Params makes parameters of all floating-point tensors.
func (d *Dict) Params(options *ParamsOptions) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		o := one[raw.ParamsOptions](c)
		o.StructSize = structSize(o)
		if options != nil {
			o.NoConvert, o.Lock = flag(options.NoConvert), flag(options.Lock)
		}
		return raw.DictParams(d.p, o, out, c.err)
	})
}

type listing func(*raw.Dict, **raw.Keys, **raw.TensorList, **raw.Error) raw.Status

func (d *Dict) list(fn listing) (keys []Key, tensors []*Tensor, err error) {
	err = do(func(c *call) raw.Status {
		k, t := one[*raw.Keys](c), one[*raw.TensorList](c)
		status := fn(d.p, k, t, c.err)
		if status == raw.OK {
			keys, tensors = takeKeys(*k), takeTensors(*t)
		}
		return status
	})
	return
}

// Parameters lists the parameters of a dict of parameters.
func (d *Dict) Parameters() ([]Key, []*Tensor, error) { return d.list(raw.DictParameters) }

// Buffers lists the buffers of a dict of parameters.
func (d *Dict) Buffers() ([]Key, []*Tensor, error) { return d.list(raw.DictBuffers) }

// Where takes elements of d where condition is true, and of other elsewhere. pad, if not nil, stands for tensors that
// only one dict has.
func (d *Dict) Where(condition *Tensor, other *Dict, pad *float64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		var fill *raw.Value
		if pad != nil {
			fill = c.number(*pad)
		}
		return raw.DictWhere(d.p, condition.raw0(), other.raw0(), fill, out, c.err)
	})
}

// RemoveDuplicates keeps the first of each distinct slice of key along a dim; inverse tells where each one went.
func (d *Dict) RemoveDuplicates(dim int64, key ...string) (unique *Dict, inverse *Tensor, err error) {
	err = do(func(c *call) raw.Status {
		out, back := one[*raw.Dict](c), one[*raw.Tensor](c)
		status := raw.DictRemoveDuplicates(d.p, c.key(key), dim, out, back, c.err)
		unique, inverse = newDict(*out), newTensor(*back)
		return status
	})
	return
}

// Groups are what GroupBy makes: one dict for each value of a key. Values or Data has the values.
type Groups struct {
	Dicts  []*Dict
	Values *Tensor
	Data   *Data
}

// GroupBy splits a dict by the values of a key.
func (d *Dict) GroupBy(key ...string) (*Groups, error) {
	var made *Groups
	err := do(func(c *call) raw.Status {
		values, data, dicts := one[*raw.Tensor](c), one[*raw.DataList](c), one[*raw.DictList](c)
		status := raw.DictGroupBy(d.p, c.key(key), values, data, dicts, c.err)
		if status == raw.OK {
			made = &Groups{Dicts: takeDicts(*dicts), Values: newTensor(*values)}
			if *data != nil {
				made.Data = takeData(*data)
			}
		}
		return status
	})
	return made, err
}

// RequiresGrad tells whether a tensor requires grad.
func (d *Dict) RequiresGrad() bool {
	defer runtime.KeepAlive(d)
	return truth(raw.DictRequiresGrad(d.p))
}

// Backward adds up the gradients of all tensors; gradient may be nil.
func (d *Dict) Backward(gradient *Dict) error {
	return do(func(c *call) raw.Status { return raw.DictBackward(d.p, gradient.raw0(), nil, nil, c.err) })
}

// LoadStateDict loads a state; lenient ignores keys that do not fit, assign takes the tensors themselves.
func (d *Dict) LoadStateDict(state *Dict, lenient, assign bool) error {
	return do(func(c *call) raw.Status {
		o := one[raw.LoadStateOptions](c)
		o.StructSize, o.Lenient, o.Assign = structSize(o), flag(lenient), flag(assign)
		return raw.DictLoadStateDict(d.p, state.raw0(), o, c.err)
	})
}

// NewTensor makes a dict with the keys of d whose tensors are copies of value: a number, numbers, a tensor, or those of a
// dict.
func (d *Dict) NewTensor(value any, dtype DType, requiresGrad bool) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		v, bad := c.value(value)
		if bad != nil {
			return c.fail(bad)
		}
		o := one[raw.NewTensorOptions](c)
		o.StructSize, o.Dtype, o.RequiresGrad = structSize(o), raw.Dtype(dtype), flag(requiresGrad)
		return raw.DictNewTensor(d.p, v, o, out, c.err)
	})
}

// A Tolerance is what Equal allows, and may be nil.
type Tolerance struct {
	Relative, Absolute float64
	EqualNaN           bool
}

// Equal compares structure, dtypes and values, and tells the first difference.
func (d *Dict) Equal(other *Dict, within *Tolerance) (equal bool, difference string, err error) {
	err = do(func(c *call) raw.Status {
		o := one[raw.EqualOptions](c)
		o.StructSize = structSize(o)
		if within != nil {
			o.Relative, o.Absolute, o.EqualNan = within.Relative, within.Absolute, flag(within.EqualNaN)
		}
		out, why := one[raw.Bool](c), one[*raw.String](c)
		status := raw.DictEqual(d.p, other.raw0(), o, out, why, c.err)
		equal, difference = truth(*out), takeString(*why)
		return status
	})
	return
}
