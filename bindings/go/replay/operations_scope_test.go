package replay

import (
	td "tensordict"
)

// A scope runs its closure in a goroutine of its own, because the steps inside are not one function here.
type scope struct {
	end  chan error
	done chan error
}

type cancelled struct{}

func (cancelled) Error() string { return "the program ended inside of the scope" }

func (p *program) begin(with func(fn func(*td.Dict) error) error) {
	s := &scope{make(chan error), make(chan error, 1)}
	opened := make(chan *td.Dict, 1)
	go func() {
		s.done <- with(func(inside *td.Dict) error {
			opened <- inside.Share()
			return <-s.end
		})
	}()
	select {
	case inside := <-opened:
		p.put(inside)
		p.scopes[p.word("to")] = s
	case err := <-s.done:
		must(err)
	}
}

func (s *scope) finish(with error) error {
	s.end <- with
	return <-s.done
}

func (p *program) endScope() {
	name := p.word("scope")
	s := p.scopes[name]
	delete(p.scopes, name)
	must(s.finish(nil))
}

// unlocked has no dict inside: the scope shows the dict itself.
func (p *program) unlocked() {
	d := p.dict()
	p.begin(func(fn func(*td.Dict) error) error { return d.WithUnlocked(func() error { return fn(d) }) })
}

func init() {
	add(map[string]func(*program){
		"scope_unlock": (*program).unlocked,
		"scope_flatten_keys": func(p *program) {
			d, s := p.dict(), p.word("separator")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithFlatKeys(s, fn) })
		},
		"scope_unflatten_keys": func(p *program) {
			d, s := p.dict(), p.word("separator")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithNestedKeys(s, fn) })
		},
		"scope_view": func(p *program) {
			d, sizes := p.dict(), p.ints("sizes")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithView(sizes, fn) })
		},
		"scope_flatten": func(p *program) {
			d, start, end := p.dict(), p.integer("start"), p.integer("end")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithFlatten(start, end, fn) })
		},
		"scope_unflatten": func(p *program) {
			d, dim, sizes := p.dict(), p.integer("dim"), p.ints("sizes")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithUnflatten(dim, sizes, fn) })
		},
		"scope_squeeze": func(p *program) {
			d, dims := p.dict(), p.ints("dim")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithSqueeze(dims, fn) })
		},
		"scope_unsqueeze": func(p *program) {
			d, dim := p.dict(), p.integer("dim")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithUnsqueeze(dim, fn) })
		},
		"scope_permute": func(p *program) {
			d, dims := p.dict(), p.ints("dims")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithPermute(dims, fn) })
		},
		"scope_transpose": func(p *program) {
			d, a, b := p.dict(), p.integer("dim0"), p.integer("dim1")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithTranspose(a, b, fn) })
		},
		"scope_movedim": func(p *program) {
			d, from, to := p.dict(), p.ints("source"), p.ints("destination")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithMoveDim(from, to, fn) })
		},
		"scope_flip": func(p *program) {
			d, dims := p.dict(), p.ints("dims")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithFlip(dims, fn) })
		},
		"scope_roll": func(p *program) {
			d, shifts, dims := p.dict(), p.ints("shifts"), p.ints("dims")
			p.begin(func(fn func(*td.Dict) error) error { return d.WithRoll(shifts, dims, fn) })
		},
		"scope_end": (*program).endScope,
	})
}
