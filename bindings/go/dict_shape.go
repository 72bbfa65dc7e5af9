package tensordict

import "tensordict/raw"

// View shows the batch with another shape; -1 is what is left.
func (d *Dict) View(sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictView(d.p, p, n, out, c.err)
	})
}

// Reshape is View, or a copy where that is not possible.
func (d *Dict) Reshape(sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictReshape(d.p, p, n, out, c.err)
	})
}

// Expand repeats dims of size 1 without a copy.
func (d *Dict) Expand(sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictExpand(d.p, p, n, out, c.err)
	})
}

// Permute reorders the batch dims.
func (d *Dict) Permute(dims ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(dims)
		return raw.DictPermute(d.p, p, n, out, c.err)
	})
}

// Repeat repeats each dim, with a copy.
func (d *Dict) Repeat(sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictRepeat(d.p, p, n, out, c.err)
	})
}

// Tile repeats the batch as Tensor.tile does.
func (d *Dict) Tile(sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictTile(d.p, p, n, out, c.err)
	})
}

// Flip reverses dims.
func (d *Dict) Flip(dims ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(dims)
		return raw.DictFlip(d.p, p, n, out, c.err)
	})
}

// Squeeze removes dims of size 1: these, or all.
func (d *Dict) Squeeze(dims ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(dims)
		return raw.DictSqueeze(d.p, p, n, out, c.err)
	})
}

// Flatten joins the dims from start to end.
func (d *Dict) Flatten(start, end int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictFlatten(d.p, start, end, out, c.err)
	})
}

// Unflatten splits a dim into several.
func (d *Dict) Unflatten(dim int64, sizes ...int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictUnflatten(d.p, dim, p, n, out, c.err)
	})
}

// Unsqueeze adds a dim of size 1.
func (d *Dict) Unsqueeze(dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictUnsqueeze(d.p, dim, out, c.err)
	})
}

// ExpandAs expands to the batch size of another dict.
func (d *Dict) ExpandAs(other *Dict) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictExpandAs(d.p, other.raw0(), out, c.err)
	})
}

// Transpose swaps two dims.
func (d *Dict) Transpose(dim0, dim1 int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictTranspose(d.p, dim0, dim1, out, c.err)
	})
}

// MoveDim moves dims to other places, which are as many.
func (d *Dict) MoveDim(from, to []int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(from)
		q, _ := c.ints(to)
		if len(from) != len(to) {
			return c.fail(argument("%d dims cannot move to %d places", len(from), len(to)))
		}
		return raw.DictMovedim(d.p, p, q, n, out, c.err)
	})
}

// Narrow selects a range of a dim.
func (d *Dict) Narrow(dim, start, length int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictNarrow(d.p, dim, start, length, out, c.err)
	})
}

// Split splits a dim into parts of a size.
func (d *Dict) Split(size, dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictSplit(d.p, size, dim, out, c.err)
	})
}

// SplitSizes splits a dim into parts of these sizes.
func (d *Dict) SplitSizes(sizes []int64, dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		p, n := c.ints(sizes)
		return raw.DictSplitSizes(d.p, p, n, dim, out, c.err)
	})
}

// Chunk splits a dim into at most as many parts.
func (d *Dict) Chunk(chunks, dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictChunk(d.p, chunks, dim, out, c.err)
	})
}

// TensorSplit splits a dim into exactly as many parts.
func (d *Dict) TensorSplit(sections, dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictTensorSplit(d.p, sections, dim, out, c.err)
	})
}

// TensorSplitAt splits a dim before these positions.
func (d *Dict) TensorSplitAt(indices []int64, dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		p, n := c.ints(indices)
		return raw.DictTensorSplitAt(d.p, p, n, dim, out, c.err)
	})
}

// Unbind gives one dict for each position of a dim.
func (d *Dict) Unbind(dim int64) ([]*Dict, error) {
	return give(takeDicts, func(c *call, out **raw.DictList) raw.Status {
		return raw.DictUnbind(d.p, dim, out, c.err)
	})
}

// RepeatInterleave repeats each position of a dim.
func (d *Dict) RepeatInterleave(repeats []int64, dim int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(repeats)
		return raw.DictRepeatInterleave(d.p, p, n, dim, out, c.err)
	})
}

// Roll shifts positions; what falls off the end comes in at the start.
func (d *Dict) Roll(shifts, dims []int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		p, n := c.ints(shifts)
		q, k := c.ints(dims)
		return raw.DictRoll(d.p, p, n, q, k, out, c.err)
	})
}

// Rot90 rotates the plane of two dims.
func (d *Dict) Rot90(times, dim0, dim1 int64) (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictRot90(d.p, times, dim0, dim1, out, c.err)
	})
}

// Contiguous makes all tensors row-major.
func (d *Dict) Contiguous() (*Dict, error) {
	return makeDict(func(c *call, out **raw.Dict) raw.Status {
		return raw.DictContiguous(d.p, out, c.err)
	})
}

func takeDicts(list *raw.DictList) []*Dict {
	defer raw.DictListRelease(list)
	out := make([]*Dict, raw.DictListSize(list))
	c := begin()
	defer c.end()
	one := one[*raw.Dict](c)
	for i := range out {
		if raw.DictListGet(list, int64(i), one, nil) == raw.OK {
			out[i] = newDict(*one)
		}
	}
	return out
}
