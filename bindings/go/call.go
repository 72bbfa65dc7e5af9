package tensordict

import (
	"runtime"
	"sync"
	"unsafe"

	"tensordict/raw"
)

// A call is the memory of C in which the arguments and the results of one call stand, so that no pointer of Go is ever
// inside of what C reads.
type call struct {
	err     **raw.Error
	base    unsafe.Pointer
	used    uintptr
	further []unsafe.Pointer
	failed  error    // what is wrong with an argument, found before the call
	after   []func() // runs at the end
}

const callSize = 8 << 10

var calls = sync.Pool{New: func() any {
	c := &call{base: raw.Malloc(callSize)}
	if c.base == nil {
		panic("tensordict: out of memory")
	}
	runtime.AddCleanup(c, raw.Free, c.base)
	return c
}}

func begin() *call {
	c := calls.Get().(*call)
	c.used = 0
	c.err = one[*raw.Error](c)
	return c
}

func (c *call) end() {
	for _, fn := range c.after {
		fn()
	}
	c.after, c.failed = c.after[:0], nil
	for _, p := range c.further {
		raw.Free(p)
	}
	c.further = c.further[:0]
	calls.Put(c)
}

// fail takes the place of a call whose arguments are wrong.
func (c *call) fail(err error) raw.Status {
	c.failed = err
	return raw.ERR_ARGUMENT
}

func (c *call) later(fn func()) {
	c.after = append(c.after, fn)
}

// many returns n zeroed elements that live until the end of the call; nil if n is 0.
func many[T any](c *call, n int) []T {
	if n == 0 {
		return nil
	}
	var element T
	size := unsafe.Sizeof(element) * uintptr(n)
	size = (size + 15) &^ 15
	var p unsafe.Pointer
	if c.used+size <= callSize {
		p = unsafe.Add(c.base, c.used)
		c.used += size
	} else {
		if p = raw.Malloc(size); p == nil {
			panic("tensordict: out of memory")
		}
		c.further = append(c.further, p)
	}
	clear(unsafe.Slice((*byte)(p), size)) // as bytes: what was there is no pointer
	return unsafe.Slice((*T)(p), n)
}

func one[T any](c *call) *T {
	return &many[T](c, 1)[0]
}

// first is a pointer to the first element, or nil.
func first[T any](s []T) *T {
	return unsafe.SliceData(s)
}

func (c *call) str(text string) raw.Str {
	if text == "" {
		return raw.Str{Data: one[byte](c)}
	}
	bytes := many[byte](c, len(text))
	copy(bytes, text)
	return raw.Str{Data: &bytes[0], Size: uint(len(text))}
}

// optional is absent for empty text.
func (c *call) optional(text string) raw.Str {
	if text == "" {
		return raw.Str{}
	}
	return c.str(text)
}

func (c *call) strs(texts []string) *raw.Str {
	out := many[raw.Str](c, len(texts))
	for i, text := range texts {
		out[i] = c.str(text)
	}
	return first(out)
}

// key fills *k, which is in memory of C.
func (c *call) fill(k *raw.Key, parts []string) *raw.Key {
	k.Parts, k.N = c.strs(parts), uint(len(parts))
	return k
}

func (c *call) key(parts []string) *raw.Key {
	return c.fill(one[raw.Key](c), parts)
}

// some is nil for an empty key.
func (c *call) some(parts []string) *raw.Key {
	if len(parts) == 0 {
		return nil
	}
	return c.key(parts)
}

func (c *call) keys(keys []Key) (*raw.Key, uint) {
	out := many[raw.Key](c, len(keys))
	for i, key := range keys {
		c.fill(&out[i], key)
	}
	return first(out), uint(len(keys))
}

func (c *call) ints(values []int64) (*int64, uint) {
	out := many[int64](c, len(values))
	copy(out, values)
	return first(out), uint(len(values))
}

// given is not nil even for no ints: where nil would mean something else.
func (c *call) given(values []int64) (*int64, uint) {
	out := many[int64](c, len(values)+1)
	copy(out, values)
	return first(out), uint(len(values))
}

func flag(b bool) raw.Bool {
	if b {
		return 1
	}
	return 0
}

// do runs one call of the library. What fn uses lives until it returns.
//
//go:noinline
func do(fn func(c *call) raw.Status) error {
	c := begin()
	defer c.end()
	err := c.check(fn(c))
	runtime.KeepAlive(fn)
	return err
}

// give runs a call with one result, and makes an object of it.
//
//go:noinline
func give[T, O any](wrap func(T) O, fn func(c *call, out *T) raw.Status) (O, error) {
	c := begin()
	defer c.end()
	out := one[T](c)
	err := c.check(fn(c, out))
	runtime.KeepAlive(fn)
	if err != nil {
		var none O
		return none, err
	}
	return wrap(*out), nil
}

// same wraps values that are results as they are.
func same[T any](v T) T {
	return v
}

func truth(b raw.Bool) bool {
	return b != 0
}

// sizes asks a function that fills an array and returns the number of its elements.
func sizes(fn func(out *int64, capacity uint) uint) []int64 {
	c := begin()
	defer c.end()
	n := 8
	for {
		out := many[int64](c, n)
		got := int(fn(first(out), uint(n)))
		if got <= n {
			return append(make([]int64, 0, got), out[:got]...)
		}
		n = got
	}
}

func text(s raw.Str) string {
	if s.Size == 0 {
		return ""
	}
	return string(unsafe.Slice(s.Data, s.Size))
}

// takeString is the text of a string that the library made.
func takeString(s *raw.String) string {
	if s == nil {
		return ""
	}
	defer raw.StringRelease(s)
	return text(raw.StringView(s))
}

// structSize is for the first member of options.
func structSize[T any](options *T) uint {
	return uint(unsafe.Sizeof(*options))
}
