package tensordict

import (
	"strings"
	"sync"

	"tensordict/raw"
)

// An Op is an operator of ATen. It never needs to be closed.
type Op struct {
	p    *raw.Op
	Name string
}

var ops sync.Map // of every name that was asked for; operators live as long as the process

// FindOp finds an operator: "add". Each call uses the first overload that takes the arguments. "softmax.int" is the
// overload of this name, "add." the one without.
func FindOp(name string) (*Op, error) {
	if found, ok := ops.Load(name); ok {
		return found.(*Op), nil
	}
	base, overload, one := strings.Cut(name, ".")
	p, err := give(same, func(c *call, out **raw.Op) raw.Status {
		choice := raw.Str{}
		if one {
			choice = c.str(overload)
		}
		return raw.OpFind(c.str(base), choice, out, c.err)
	})
	if err != nil {
		return nil, err
	}
	kept, loaded := ops.LoadOrStore(name, &Op{p, name})
	if loaded {
		raw.OpRelease(p)
	}
	return kept.(*Op), nil
}

// Schema lists the schemas, one a line, as PyTorch prints them.
func (o *Op) Schema() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.OpSchema(o.p, out, c.err) })
}

const maxResults = 8

// Call calls the operator with arguments by position, then Named ones, and returns its results: tensors, numbers, bools,
// and lists of tensors.
func (o *Op) Call(args ...any) ([]any, error) {
	return give(takeValues, func(c *call, out *[maxResults]raw.Value) raw.Status {
		in, n, named, nNamed, bad := c.values(args)
		if bad != nil {
			return c.fail(bad)
		}
		return raw.OpCall(o.p, in, n, named, nNamed, &out[0], maxResults, c.err)
	})
}

func takeValues(out [maxResults]raw.Value) []any {
	var results []any
	for _, v := range out {
		if v.Kind == raw.VALUE_NONE || v.Kind == raw.VALUE_DEFAULT {
			results = append(results, nil)
		} else {
			results = append(results, takeValue(v))
		}
	}
	for len(results) > 0 && results[len(results)-1] == nil {
		results = results[:len(results)-1]
	}
	return results
}

// Call calls an operator that returns one tensor: Call("softmax.int", x, -1).
func Call(op string, args ...any) (*Tensor, error) {
	o, err := FindOp(op)
	if err != nil {
		return nil, err
	}
	results, err := o.Call(args...)
	if err != nil {
		return nil, err
	}
	if len(results) == 1 {
		if t, ok := results[0].(*Tensor); ok {
			return t, nil
		}
	}
	for _, result := range results {
		if t, ok := result.(*Tensor); ok {
			t.Close()
		}
	}
	return nil, argument("%s does not return one tensor; use FindOp and Op.Call", op)
}

// Op calls an operator with the tensor as its first argument: x.Op("add", y).
func (t *Tensor) Op(name string, args ...any) (*Tensor, error) {
	return Call(name, append([]any{t}, args...)...)
}
