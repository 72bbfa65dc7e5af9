package tensordict

import (
	"math"

	"tensordict/raw"
)

// An Index is one component of an index: At, Slice, From, Step, NewDim, Ellipsis, Mask, Take or Ints.
type Index struct {
	kind              raw.IndexKind
	start, stop, step int64
	tensor            *Tensor
	ints              []int64
}

// End is a stop beyond every element.
const End = math.MaxInt64

// NewDim adds a dim of size 1. Ellipsis stands for full slices of all remaining dims.
var (
	NewDim   = Index{kind: raw.INDEX_KIND_NONE}
	Ellipsis = Index{kind: raw.INDEX_KIND_ELLIPSIS}
)

// At takes one position and removes the dim; negative positions count from the end.
func At(i int64) Index {
	return Index{kind: raw.INDEX_KIND_INT, start: i}
}

// Slice takes start:stop; negative numbers count from the end.
func Slice(start, stop int64) Index {
	return Step(start, stop, 1)
}

// From takes start:.
func From(start int64) Index {
	return Step(start, End, 1)
}

// Step takes start:stop:step; step must be positive.
func Step(start, stop, step int64) Index {
	return Index{kind: raw.INDEX_KIND_SLICE, start: start, stop: stop, step: step}
}

// Mask takes what a bool tensor selects; Take is the same for a tensor of positions.
func Mask(mask *Tensor) Index {
	return Take(mask)
}

// Take takes the positions in a tensor of integers.
func Take(positions *Tensor) Index {
	return Index{kind: raw.INDEX_KIND_TENSOR, tensor: positions}
}

// Ints takes these positions.
func Ints(positions ...int64) Index {
	return Index{kind: raw.INDEX_KIND_INTS, ints: positions}
}

func (c *call) indices(index []Index) (*raw.Index, uint) {
	out := many[raw.Index](c, len(index))
	for i, part := range index {
		out[i] = raw.Index{Kind: part.kind, Start: part.start, Stop: part.stop, Step: part.step, Tensor: part.tensor.raw0()}
		out[i].Ints, out[i].N = c.ints(part.ints)
	}
	return first(out), uint(len(index))
}
