package tensordict

import (
	"io"
	"unsafe"

	"tensordict/raw"
)

// A Hash turns rows into 64-bit numbers.
type Hash struct {
	handle[raw.Hash]
}

func newHash(p *raw.Hash) *Hash {
	h := new(Hash)
	h.hold(p, raw.HashRelease)
	return h
}

func (h *Hash) raw0() *raw.Hash {
	if h == nil {
		return nil
	}
	return h.p
}

// NewHash makes a hash of a type, "xxh3" or one of a plugin or of RegisterHash, from a JSON object.
func NewHash(kind, config string) (*Hash, error) {
	return give(newHash, func(c *call, out **raw.Hash) raw.Status {
		return raw.HashNew(c.str(kind), c.optional(config), out, c.err)
	})
}

// A HashFunc returns an int64 for each row of a tensor.
type HashFunc func(rows *Tensor) (*Tensor, error)

// HashFromFunc makes a hash of a function.
func HashFromFunc(fn HashFunc) (*Hash, error) {
	return give(newHash, func(c *call, out **raw.Hash) raw.Status {
		f := one[raw.HashFunction](c)
		f.StructSize, f.Fn, f.Destroy, f.Userdata = structSize(f), hashFunction, destroyFunction, userdata(fn)
		return raw.HashFromFunction(f, out, c.err)
	})
}

// Of hashes the rows of a tensor.
func (h *Hash) Of(rows *Tensor) (*Tensor, error) {
	return give(newTensor, func(c *call, out **raw.Tensor) raw.Status {
		return raw.HashCall(h.p, rows.raw0(), out, c.err)
	})
}

// Describe tells the type and its config as JSON.
func (h *Hash) Describe() (string, error) {
	return give(takeString, func(c *call, out **raw.String) raw.Status { return raw.HashDescribe(h.p, out, c.err) })
}

// Rows hashes the bytes of rows of the same size, which lie one after the other.
func (h *Hash) Rows(rows []byte, rowBytes int) ([]uint64, error) {
	if rowBytes <= 0 || len(rows)%rowBytes != 0 {
		return nil, argument("%d bytes are no rows of %d bytes", len(rows), rowBytes)
	}
	out := make([]uint64, len(rows)/rowBytes)
	err := do(func(c *call) raw.Status {
		hashes := many[uint64](c, len(out))
		status := raw.HashRows(h.p, unsafe.Pointer(unsafe.SliceData(rows)), uint(len(out)), uint(rowBytes), uint(rowBytes),
			first(hashes), c.err)
		copy(out, hashes)
		return status
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Clone makes an independent hash with the same state.
func (h *Hash) Clone() (*Hash, error) {
	return give(newHash, func(c *call, out **raw.Hash) raw.Status { return raw.HashClone(h.p, out, c.err) })
}

// Save writes the state of the hash beyond its config, Load reads it into a hash of the same type and config.
func (h *Hash) Save(to io.Writer) error {
	word := userdata(to)
	defer drop(word)
	return ownError(do(func(c *call) raw.Status {
		w := one[raw.Writer](c)
		w.StructSize, w.Write, w.Userdata = structSize(w), writeFunction, word
		return raw.HashSave(h.p, w, c.err)
	}))
}

// Load reads what Save wrote.
func (h *Hash) Load(from io.Reader) error {
	word := userdata(from)
	defer drop(word)
	return ownError(do(func(c *call) raw.Status {
		r := one[raw.Reader](c)
		r.StructSize, r.Read, r.Userdata = structSize(r), readFunction, word
		return raw.HashLoad(h.p, r, c.err)
	}))
}

// Share makes one more reference to the same hash.
func (h *Hash) Share() *Hash {
	raw.HashRetain(h.p)
	return newHash(h.p)
}
