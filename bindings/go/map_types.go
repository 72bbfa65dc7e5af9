package tensordict

// Progress is told of the bytes done of all bytes; an error ends the work.
type Progress func(done, total int64) error

// A MapFunc computes a leaf from the leaves of all dicts under a key; nil leaves it out. The tensors that it gets are
// closed afterwards, and what it returns is given away: Share what you keep.
type MapFunc func(key Key, tensors []*Tensor) (*Tensor, error)

// A MapDataFunc does the same for data: it returns a *Data, a *Tensor or nil.
type MapDataFunc func(key Key, data []*Data) (Entry, error)
