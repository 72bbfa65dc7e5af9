package tensordict

import (
	"strings"
	"unsafe"

	"tensordict/raw"
)

// A Key is a list of strings that leads through the nodes of a dict. Dots and slashes in it are ordinary characters.
type Key []string

// K makes a key, where a function takes several.
func K(parts ...string) Key {
	return parts
}

// String joins the parts with dots, for people.
func (k Key) String() string {
	return strings.Join(k, ".")
}

func keyOf(k *raw.Key) Key {
	parts := unsafe.Slice(k.Parts, k.N)
	out := make(Key, len(parts))
	for i, part := range parts {
		out[i] = text(part)
	}
	return out
}

func takeKeys(list *raw.Keys) []Key {
	defer raw.KeysRelease(list)
	c := begin()
	defer c.end()
	view, n := one[*raw.Key](c), one[uint](c)
	if raw.KeysView(list, view, n, nil) != raw.OK {
		return nil
	}
	keys := unsafe.Slice(*view, *n)
	out := make([]Key, len(keys))
	for i := range keys {
		out[i] = keyOf(&keys[i])
	}
	return out
}

// A Path is a key that is prepared once for many look-ups.
type Path struct {
	handle[raw.Path]
}

// NewPath prepares a key.
func NewPath(key ...string) (*Path, error) {
	return give(newPath, func(c *call, out **raw.Path) raw.Status { return raw.PathNew(c.key(key), out, c.err) })
}

func newPath(p *raw.Path) *Path {
	path := new(Path)
	path.hold(p, raw.PathRelease)
	return path
}
