package tensordict

import "tensordict/raw"

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
