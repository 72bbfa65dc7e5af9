package tensordict

import "tensordict/raw"

// A VmapFunc computes tensors or dicts from arguments of which one dim is hidden. What it gets is closed afterwards, and
// what it returns is given away.
type VmapFunc func(args []any) ([]any, error)

// Vmap runs fn for all members of the first dim of its arguments at once, which returns as many values as outs says.
// The members are the first dim of the results.
func Vmap(fn VmapFunc, outs int, args ...any) ([]any, error) {
	word := userdata(fn)
	defer drop(word)
	var made []any
	err := do(func(c *call) raw.Status {
		in, n, _, named, bad := c.values(args)
		if bad == nil && named != 0 {
			bad = argument("vmap takes no arguments by name")
		}
		if bad != nil {
			return c.fail(bad)
		}
		out := many[raw.Value](c, outs)
		status := raw.Vmap(vmapFunction, word, in, n, nil, first(out), uint(outs), c.err)
		if status == raw.OK {
			for _, v := range out {
				made = append(made, takeValue(v))
			}
		}
		return status
	})
	return made, err
}
