package tensordict

import "tensordict/raw"

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
