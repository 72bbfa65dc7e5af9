package tensordict

import (
	"math"

	"tensordict/raw"
)

// A VmapFunc computes tensors or dicts from arguments of which one dim is hidden. What it gets is closed afterwards, and
// what it returns is given away.
type VmapFunc func(args []any) ([]any, error)

// Shared in VmapOptions.InDims: every member gets all of this argument.
const Shared = math.MinInt32

// VmapOptions may be nil.
type VmapOptions struct {
	Randomness Randomness
	InDims     []int32 // of each argument: the mapped dim, or Shared; nil: 0 for all
	OutDims    []int64 // of each result: where the members are; nil: 0 for all
	ChunkSize  int64   // at most as many members in one call of the function; 0: all
}

// Vmap runs fn for all members of the first dim of its arguments at once, which returns as many values as outs says.
// The members are the first dim of the results.
func Vmap(fn VmapFunc, outs int, args ...any) ([]any, error) {
	return VmapWith(nil, fn, outs, args...)
}

// VmapWith is Vmap with options.
func VmapWith(options *VmapOptions, fn VmapFunc, outs int, args ...any) ([]any, error) {
	word := userdata(fn)
	defer drop(word)
	var made []any
	err := do(func(c *call) raw.Status {
		in, n, _, named, bad := c.values(args)
		if bad == nil && named != 0 {
			bad = argument("vmap takes no arguments by name")
		}
		o := one[raw.VmapFunctionOptions](c)
		o.StructSize = structSize(o)
		if options != nil && bad == nil {
			bad = c.vmapOptions(o, options, len(args), outs)
		}
		if bad != nil {
			return c.fail(bad)
		}
		out := many[raw.Value](c, outs)
		status := raw.Vmap(vmapFunction, word, in, n, o, first(out), uint(outs), c.err)
		if status == raw.OK {
			for _, v := range out {
				made = append(made, takeValue(v))
			}
		}
		return status
	})
	return made, err
}

func (c *call) vmapOptions(o *raw.VmapFunctionOptions, options *VmapOptions, args, outs int) error {
	o.Randomness, o.ChunkSize = raw.Randomness(options.Randomness), options.ChunkSize
	if options.InDims != nil {
		if len(options.InDims) != args {
			return argument("%d InDims for %d arguments", len(options.InDims), args)
		}
		o.InDims = copied(c, options.InDims, same)
	}
	if options.OutDims != nil {
		if len(options.OutDims) != outs {
			return argument("%d OutDims for %d results", len(options.OutDims), outs)
		}
		o.OutDims = copied(c, options.OutDims, same)
	}
	return nil
}
