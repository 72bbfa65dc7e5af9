package replay

import (
	td "tensordict"
)

func isData(spec any) (*object, bool) {
	o, is := spec.(*object)
	return o, is && (o.has("one") || o.has("stack"))
}

func flatten(v any, depth int, out []any) []any {
	if depth == 0 {
		return append(out, dataOf(v))
	}
	for _, one := range v.([]any) {
		out = flatten(one, depth-1, out)
	}
	return out
}

func (p *program) set(d *td.Dict, key td.Key, spec any) {
	if o, is := isData(spec); is && o.has("one") {
		must(d.Set(dataOf(o.values["one"]), key...))
	} else if is {
		must(d.Set(&td.Data{Values: flatten(o.values["stack"], len(d.BatchSize()), nil), Stack: true}, key...))
	} else if name, of := spec.(string); of {
		if inner, is := p.register(name).(*td.Dict); is {
			must(d.Set(inner, key...))
			return
		}
		must(d.Set(p.tensorOf(spec), key...))
	} else {
		must(d.Set(p.tensorOf(spec), key...))
	}
}

func (p *program) build() {
	var pairs []td.Pair
	for _, item := range p.at("items").([]any) {
		key, spec := keyOf(item.([]any)[0]), item.([]any)[1]
		if _, is := isData(spec); is {
			d := ok(td.New(p.ints("batch")...))
			for _, item := range p.at("items").([]any) {
				p.set(d, keyOf(item.([]any)[0]), item.([]any)[1])
			}
			p.put(d)
			return
		}
		pairs = append(pairs, td.Pair{Key: key, Value: p.value(spec)})
	}
	p.put(ok(td.Build(p.ints("batch"), pairs...)))
}

func (p *program) get() {
	switch e := ok(p.dict().Find(p.key()...)).(type) {
	case *td.Data:
		p.put(seenData(e))
	case nil:
		p.put(ok(p.dict().Get(p.key()...)))
	default:
		p.put(e)
	}
}

func (p *program) pop() {
	d, key := p.dict(), p.key()
	switch ok(d.Kind(key...)) {
	case td.DictEntry:
		p.put(ok(d.PopDict(key...)))
	case td.DataEntry:
		list := ok(d.GetData(key...))
		must(d.Delete(key...))
		p.put(seenData(list))
	default:
		p.put(ok(d.Pop(key...)))
	}
}

var keyFlags = map[string]td.KeysFlags{"nested": td.Nested, "leaves": td.LeavesOnly, "sorted": td.Sorted,
	"children_first": td.ChildrenFirst, "data": td.WithData}

func (p *program) listKeys() {
	var flags []td.KeysFlags
	if p.has("flags") {
		for _, flag := range p.at("flags").([]any) {
			flags = append(flags, keyFlags[flag.(string)])
		}
	}
	seen := []any{}
	for _, key := range ok(p.dict().Keys(flags...)) {
		one := []any{}
		for _, part := range key {
			one = append(one, part)
		}
		seen = append(seen, one)
	}
	p.putValue(seen)
}

func (p *program) write() {
	var targets []*td.Tensor
	switch r := p.register(p.at("td")).(type) {
	case *td.Dict:
		for _, key := range ok(r.Keys(td.Nested, td.LeavesOnly)) {
			targets = append(targets, p.keep(ok(r.Get(key...))))
		}
	case *td.Tensor:
		targets = append(targets, r)
	}
	for _, t := range targets {
		p.keep(ok(t.Op("fill_.Scalar", p.value(p.at("value")))))
	}
}

func (p *program) same() {
	switch a := p.register(p.at("a")).(type) {
	case *td.Dict:
		b, is := p.register(p.at("b")).(*td.Dict)
		p.putValue(is && a.Same(b))
	case *td.Tensor:
		b, is := p.register(p.at("b")).(*td.Tensor)
		p.putValue(is && a.Same(b))
	default:
		p.putValue(false)
	}
}

func (p *program) splitKeys() {
	var sets [][]td.Key
	for _, one := range p.at("sets").([]any) {
		sets = append(sets, keysOf(one))
	}
	p.put(ok(p.dict().SplitKeys(!p.flagOr("strict", true), sets...)))
}

func (p *program) renameNames() {
	var from, to []string
	o := p.at("map").(*object)
	for _, key := range o.keys {
		name, _ := o.values[key].(string)
		from, to = append(from, key), append(to, name)
	}
	must(p.dict().RenameNames(from, to))
}

func (p *program) separates() {
	options := td.SeparateOptions{Lenient: !p.flagOr("strict", true), KeepEmpty: p.flag("keep_empty")}
	if p.has("fill") {
		options.Fill = p.tensorAt("fill")
	}
	p.put(ok(p.dict().Separate(p.keys(), &options)))
}

func (p *program) separator() string {
	if p.has("separator") {
		return p.word("separator")
	}
	return "."
}

func init() {
	add(map[string]func(*program){
		"new": func(p *program) {
			device := ""
			if p.given("device") {
				device = p.word("device")
			}
			d := ok(td.NewOn(device, p.ints("batch")...))
			if p.has("names") {
				must(d.SetNames(namesOf(p.at("names"))...))
			}
			p.put(d)
		},
		"build":         (*program).build,
		"fromkeys":      func(p *program) { p.put(ok(td.FromKeys(p.tensor(), p.keys()...))) },
		"merge":         func(p *program) { p.put(ok(td.Merge(p.dicts("tds")...))) },
		"tensor":        func(p *program) { p.put(p.tensor().Share()) },
		"release":       func(p *program) { p.release(p.word("what")) },
		"get":           (*program).get,
		"get_at":        func(p *program) { p.put(ok(p.dict().GetAt(p.key(), p.index()...))) },
		"has":           func(p *program) { p.putValue(ok(p.dict().Kind(p.key()...)) != td.NoEntry) },
		"keys":          (*program).listKeys,
		"len":           func(p *program) { p.putValue(p.dict().Len()) },
		"count":         func(p *program) { p.putValue(int64(p.dict().Count())) },
		"numel":         func(p *program) { p.putValue(p.dict().NumEl()) },
		"nbytes":        func(p *program) { p.putValue(p.dict().Bytes()) },
		"is_empty":      func(p *program) { p.putValue(p.dict().IsEmpty()) },
		"is_contiguous": func(p *program) { p.putValue(p.dict().IsContiguous()) },
		"is_locked":     func(p *program) { p.putValue(p.dict().IsLocked()) },
		"repr":          func(p *program) { p.putValue(p.dict().String()) },
		"same":          (*program).same,
		"set":           func(p *program) { p.set(p.dict(), p.key(), p.at("value")) },
		"set_unbatched": func(p *program) { must(p.dict().SetUnbatched(p.tensor(), p.key()...)) },
		"set_":          func(p *program) { must(p.dict().CopyInto(p.tensor(), p.key()...)) },
		"set_at_":       func(p *program) { must(p.dict().CopyIntoAt(p.tensor(), p.key(), p.index()...)) },
		"set_data":      func(p *program) { must(p.dict().Set(dataOf(p.at("value")), p.key()...)) },
		"set_data_":     func(p *program) { must(p.dict().SetDataInPlace(dataOf(p.at("value")), p.key()...)) },
		"delete":        func(p *program) { must(p.dict().Delete(p.key()...)) },
		"pop":           (*program).pop,
		"clear":         func(p *program) { must(p.dict().Clear()) },
		"create_nested": func(p *program) { must(p.dict().CreateNested(p.key()...)) },
		"update": func(p *program) {
			must(p.dict().Update(p.dictAt("src"), &td.UpdateOptions{InPlace: p.flag("inplace"), Clone: p.flag("clone")}))
		},
		"update_":        func(p *program) { must(p.dict().UpdateInPlace(p.dictAt("src"))) },
		"fill_":          func(p *program) { must(p.dict().Fill(toReal(p.at("value")), p.key()...)) },
		"zero_":          func(p *program) { must(p.dict().Zero()) },
		"write":          (*program).write,
		"lock":           func(p *program) { must(p.dict().Lock()) },
		"unlock":         func(p *program) { must(p.dict().Unlock()) },
		"rename_key":     func(p *program) { must(p.dict().Rename(keyOf(p.at("old")), keyOf(p.at("new")), p.flag("safe"))) },
		"select":         func(p *program) { p.put(ok(p.dict().Select(p.flagOr("strict", true), p.keys()...))) },
		"select_":        func(p *program) { must(p.dict().SelectInPlace(p.flagOr("strict", true), p.keys()...)) },
		"exclude":        func(p *program) { p.put(ok(p.dict().Exclude(p.keys()...))) },
		"exclude_":       func(p *program) { must(p.dict().ExcludeInPlace(p.keys()...)) },
		"split_keys":     (*program).splitKeys,
		"separates":      (*program).separates,
		"empty":          func(p *program) { p.put(ok(p.dict().Empty(p.flag("recurse")))) },
		"filter_empty_":  func(p *program) { must(p.dict().FilterEmpty()) },
		"flatten_keys":   func(p *program) { p.put(ok(p.dict().FlattenKeys(p.separator()))) },
		"unflatten_keys": func(p *program) { p.put(ok(p.dict().UnflattenKeys(p.separator()))) },
		"set_batch_size": func(p *program) { must(p.dict().SetBatchSize(p.ints("batch")...)) },
		"auto_batch_size": func(p *program) {
			limit := int64(-1)
			if p.given("limit") {
				limit = p.integer("limit")
			}
			must(p.dict().AutoBatchSize(limit))
		},
		"set_names":    func(p *program) { must(p.dict().SetNames(namesOf(p.at("names"))...)) },
		"refine_names": func(p *program) { must(p.dict().RefineNames(namesOf(p.at("names"))...)) },
		"rename_names": (*program).renameNames,
	})
}
