package replay

import (
	"encoding/json"
	"sort"

	td "tensordict"
)

func plainData(v any) any {
	switch v := v.(type) {
	case float64:
		return number(v)
	case []byte:
		return string(v)
	case td.Pickle:
		return string(v.Bytes)
	case json.RawMessage:
		parsed, err := parse(v)
		if err != nil {
			panic(err)
		}
		return parsed
	}
	return v
}

func nested(list *td.Data, shape []int64, at *int) any {
	if len(shape) == 0 {
		*at++
		return plainData(list.Values[*at-1])
	}
	out := []any{}
	for range shape[0] {
		out = append(out, nested(list, shape[1:], at))
	}
	return out
}

func seenData(list *td.Data) *object {
	at := 0
	if list.Stack {
		return obj("stack", nested(list, list.Shape, &at))
	}
	return obj("one", nested(list, nil, &at))
}

func all[T td.Element](t *td.Tensor, dtype td.DType, convert func(T) any) []any {
	same := ok(t.To(dtype, ""))
	defer same.Close()
	out := []any{}
	for _, v := range ok(td.ToSlice[T](same)) {
		out = append(out, convert(v))
	}
	return out
}

func elements(t *td.Tensor) []any {
	values := ok(t.Detach())
	defer values.Close()
	switch t.DType() {
	case td.Complex32, td.Complex64, td.Complex128:
		return all(values, td.Complex128, func(z complex128) any {
			re, im := parts(z)
			return []any{number(re), number(im)}
		})
	case td.Float16, td.BFloat16, td.Float32, td.Float64:
		return all(values, td.Float64, number)
	case td.Bool:
		return all(values, td.Bool, func(b bool) any { return b })
	}
	return all(values, td.Int64, func(i int64) any { return i })
}

// An observer gives objects numbers in the order in which they are met, so that equal pictures mean equal sharing.
type observer struct {
	dicts   []*td.Dict
	tensors []*td.Tensor
	memory  [][]any
}

func (o *observer) tensor(t *td.Tensor) *object {
	shape := []any{}
	for _, size := range t.Shape() {
		shape = append(shape, size)
	}
	out := obj("dtype", t.DType().String(), "shape", shape, "data", elements(t))
	if t.RequiresGrad() {
		out.set("requires_grad", true)
	}
	out.set("tensor", len(o.tensors)) // until fill replaces it
	o.tensors = append(o.tensors, t.Share())
	return out
}

func (o *observer) entry(e td.Entry) *object {
	switch e := e.(type) {
	case *td.Dict:
		defer e.Close()
		return o.dict(e)
	case *td.Tensor:
		defer e.Close()
		return o.tensor(e)
	}
	return seenData(e.(*td.Data))
}

func (o *observer) dict(d *td.Dict) *object {
	for i, known := range o.dicts {
		if known.Same(d) {
			return obj("same", int64(i))
		}
	}
	batch := []any{}
	for _, size := range d.BatchSize() {
		batch = append(batch, size)
	}
	out := obj("dict", int64(len(o.dicts)), "batch", batch)
	o.dicts = append(o.dicts, d.Share())
	names, any_ := []any{}, false
	for _, name := range ok(d.Names()) {
		if name == "" {
			names = append(names, nil)
		} else {
			names, any_ = append(names, name), true
		}
	}
	if any_ {
		out.set("names", names)
	}
	if d.IsLocked() {
		out.set("locked", true)
	}
	if device := d.Device(); device != "" {
		out.set("device", device)
	}
	switch d.DictKind() {
	case td.LazyStackDict:
		return o.members(d, out)
	case td.ParamsDict:
		out.set("kind", "params")
	}
	entries := obj()
	entries.values = map[string]any{}
	for _, item := range ok(d.Items()) {
		seen := o.entry(item.Entry)
		if _, is := item.Entry.(*td.Tensor); is && ok(d.IsUnbatched(item.Key...)) {
			seen.set("unbatched", true)
		}
		entries.set(item.Key[0], seen)
	}
	out.set("entries", entries)
	return out
}

func (o *observer) members(d *td.Dict, out *object) *object {
	out.set("stack_dim", d.StackDim())
	names, members := []any{}, []any{}
	for _, key := range ok(d.Keys()) {
		names = append(names, key[0])
	}
	for _, member := range ok(d.Members()) {
		members = append(members, o.dict(member))
		member.Close()
	}
	out.set("keys", names)
	out.set("members", members)
	return out
}

func (o *observer) fill(v any) {
	seen, is := v.(*object)
	if !is {
		return
	}
	if place, of := seen.values["tensor"].(int); of && seen.has("dtype") {
		delete(seen.values, "tensor")
		for i, key := range seen.keys {
			if key == "tensor" {
				seen.keys = append(seen.keys[:i:i], seen.keys[i+1:]...)
				break
			}
		}
		if o.memory[place] != nil {
			seen.set("memory", o.memory[place])
		}
	} else if entries, of := seen.values["entries"].(*object); of && seen.has("dict") {
		for _, entry := range entries.values {
			o.fill(entry)
		}
	} else if members, of := seen.values["members"].([]any); of && seen.has("dict") {
		for _, member := range members {
			o.fill(member)
		}
	}
}

type span struct {
	start, stop uintptr
	place       int
}

type group struct {
	base, stop uintptr
	members    []span
	first      int
}

// addMemory tells [class, bytes from its start] of tensors of which another one has some of the same bytes.
func (o *observer) addMemory(seen *object) {
	var spans []span
	for i, t := range o.tensors {
		if start, stop := extent(t); start != stop {
			spans = append(spans, span{start, stop, i})
		}
	}
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	var groups []*group
	for _, s := range spans {
		if len(groups) == 0 || s.start >= groups[len(groups)-1].stop {
			groups = append(groups, &group{s.start, s.stop, nil, s.place})
		}
		g := groups[len(groups)-1]
		g.members = append(g.members, s)
		g.stop, g.first = max(g.stop, s.stop), min(g.first, s.place)
	}
	var shared []*group
	for _, g := range groups {
		if len(g.members) > 1 {
			shared = append(shared, g)
		}
	}
	sort.SliceStable(shared, func(i, j int) bool { return shared[i].first < shared[j].first })
	o.memory = make([][]any, len(o.tensors))
	for n, g := range shared {
		for _, s := range g.members {
			o.memory[s.place] = []any{int64(n), int64(s.start - g.base)}
		}
	}
	for _, r := range seen.values {
		o.fill(r)
	}
}

func (p *program) observe() *object {
	o := new(observer)
	defer func() {
		for _, d := range o.dicts {
			d.Close()
		}
		for _, t := range o.tensors {
			t.Close()
		}
	}()
	seen := obj()
	seen.values = map[string]any{}
	for _, name := range p.order {
		switch r := p.registers[name].(type) {
		case *td.Dict:
			seen.set(name, o.dict(r))
		case *td.Tensor:
			seen.set(name, o.tensor(r))
		default:
			seen.set(name, r)
		}
	}
	o.addMemory(seen)
	return seen
}

func extent(t *td.Tensor) (start, stop uintptr) {
	start, stop, err := t.Memory()
	must(err)
	return start, stop
}
