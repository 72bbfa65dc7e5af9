package tensordict

import "tensordict/raw"

// scoped runs fn on the temporary form of a dict, and writes what it changed back if it succeeds.
func scoped(begin func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status, fn func(*Dict) error) (err error) {
	var inside *Dict
	var scope *raw.Scope
	err = do(func(c *call) raw.Status {
		out, opened := one[*raw.Dict](c), one[*raw.Scope](c)
		status := begin(c, out, opened)
		inside, scope = newDict(*out), *opened
		return status
	})
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended { // an error, or a panic of fn
			do(func(c *call) raw.Status { return raw.ScopeCancel(scope, c.err) })
		}
		raw.ScopeRelease(scope)
		if inside != nil {
			inside.Close()
		}
	}()
	if err := fn(inside); err != nil {
		return err
	}
	err = do(func(c *call) raw.Status { return raw.ScopeEnd(scope, c.err) })
	ended = err == nil
	return err
}

// WithUnlocked runs fn while the dict is unlocked.
func (d *Dict) WithUnlocked(fn func() error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeUnlock(d.p, scope, c.err)
	}, func(*Dict) error { return fn() })
}

// WithFlatKeys runs fn on FlattenKeys of the dict, and writes the entries back; so do the others of their names. If fn
// fails, nothing is written back.
func (d *Dict) WithFlatKeys(separator string, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeFlattenKeys(d.p, c.str(separator), out, scope, c.err)
	}, fn)
}

// WithNestedKeys is WithFlatKeys for UnflattenKeys.
func (d *Dict) WithNestedKeys(separator string, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeUnflattenKeys(d.p, c.str(separator), out, scope, c.err)
	}, fn)
}

// WithTo is WithFlatKeys for To.
func (d *Dict) WithTo(dtype DType, device string, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeTo(d.p, raw.Dtype(dtype), c.optional(device), out, scope, c.err)
	}, fn)
}

// WithView runs fn on View of the dict.
func (d *Dict) WithView(sizes []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(sizes)
		return raw.ScopeView(d.p, p, n, out, scope, c.err)
	}, fn)
}

// WithFlatten runs fn on Flatten of the dict.
func (d *Dict) WithFlatten(start, end int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeFlatten(d.p, start, end, out, scope, c.err)
	}, fn)
}

// WithUnflatten runs fn on Unflatten of the dict.
func (d *Dict) WithUnflatten(dim int64, sizes []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(sizes)
		return raw.ScopeUnflatten(d.p, dim, p, n, out, scope, c.err)
	}, fn)
}

// WithSqueeze runs fn on Squeeze of the dict.
func (d *Dict) WithSqueeze(dims []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(dims)
		return raw.ScopeSqueeze(d.p, p, n, out, scope, c.err)
	}, fn)
}

// WithUnsqueeze runs fn on Unsqueeze of the dict.
func (d *Dict) WithUnsqueeze(dim int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeUnsqueeze(d.p, dim, out, scope, c.err)
	}, fn)
}

// WithPermute runs fn on Permute of the dict.
func (d *Dict) WithPermute(dims []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(dims)
		return raw.ScopePermute(d.p, p, n, out, scope, c.err)
	}, fn)
}

// WithTranspose runs fn on Transpose of the dict.
func (d *Dict) WithTranspose(dim0, dim1 int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		return raw.ScopeTranspose(d.p, dim0, dim1, out, scope, c.err)
	}, fn)
}

// WithFlip runs fn on Flip of the dict.
func (d *Dict) WithFlip(dims []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(dims)
		return raw.ScopeFlip(d.p, p, n, out, scope, c.err)
	}, fn)
}

// WithMoveDim runs fn on MoveDim of the dict.
func (d *Dict) WithMoveDim(from, to []int64, fn func(*Dict) error) error {
	if len(from) != len(to) {
		return argument("%d dims cannot move to %d places", len(from), len(to))
	}
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(from)
		q, _ := c.ints(to)
		return raw.ScopeMovedim(d.p, p, q, n, out, scope, c.err)
	}, fn)
}

// WithRoll runs fn on Roll of the dict.
func (d *Dict) WithRoll(shifts, dims []int64, fn func(*Dict) error) error {
	return scoped(func(c *call, out **raw.Dict, scope **raw.Scope) raw.Status {
		p, n := c.ints(shifts)
		q, k := c.ints(dims)
		return raw.ScopeRoll(d.p, p, n, q, k, out, scope, c.err)
	}, fn)
}
