package replay

import (
	"strings"

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

func (p *program) setItem() {
	if _, is := p.at("value").(string); is && p.registers[p.word("value")] != nil {
		must(p.dict().SetAt(p.dictAt("value"), p.index()...))
	} else {
		must(p.dict().SetNumberAt(toReal(p.at("value")), p.index()...))
	}
}

func (p *program) padSequence() {
	o := td.PadOptions{Dim: p.integerOr("pad_dim", 0), Value: p.realOr("value", 0)}
	if p.has("mask_key") {
		o.MaskKey = keyOf(p.at("mask_key"))
	}
	p.put(ok(td.PadSequence(p.dicts("tds"), &o)))
}

func (p *program) unpadSequence() {
	o := td.UnpadOptions{Dim: p.integerOr("pad_dim", 0)}
	if p.has("mask") {
		o.Mask = p.tensorAt("mask")
	}
	if p.has("masks") {
		o.Masks = p.dictAt("masks")
	}
	p.put(ok(p.dict().UnpadSequence(&o)))
}

func (p *program) groupBy() {
	groups := ok(p.dict().GroupBy(p.key()...))
	if groups.Values != nil {
		p.putAt(".values", groups.Values)
	}
	if groups.Data != nil {
		p.putAt(".values", obj("value", seenData(groups.Data).values["stack"]))
	}
	p.put(groups.Dicts)
}

func (p *program) newTensor() {
	value := p.at("data")
	if list, is := value.([]any); is {
		var reals []float64
		for _, one := range list {
			reals = append(reals, toReal(one))
		}
		value = reals
	} else {
		value = p.value(value)
	}
	p.put(ok(p.dict().NewTensor(value, p.dtype("dtype"), p.flag("requires_grad"))))
}

func (p *program) where() {
	var pad *float64
	if p.has("pad") {
		fill := p.realOr("pad", 0)
		pad = &fill
	}
	p.put(ok(p.dict().Where(p.tensorAt("condition"), p.dictAt("other"), pad)))
}

func (p *program) pointwise() {
	var missing *td.Missing
	if p.has("default") {
		if missing = td.SkipMissing; p.at("default") != "intersection" {
			missing = td.FillMissing(p.value(p.at("default")))
		}
	}
	made := ok(td.Pointwise(p.word("call"), missing, p.arguments("operands", "kwargs")...))
	if strings.HasSuffix(p.word("call"), "_") {
		made.Close() // in place: the original gives its operand back
	} else {
		p.put(made)
	}
}

func (p *program) reduction() *td.Reduction {
	r := &td.Reduction{KeepDim: p.flag("keepdim"), Feature: p.flag("feature")}
	if p.has("dims") {
		r.Dims = p.ints("dims")
	}
	return r
}

func (p *program) reduce() {
	made := ok(p.dict().Reduce(p.word("call"), p.reduction(), p.arguments("", "kwargs")...))
	if len(made) == 1 {
		p.put(made[0])
	} else {
		p.put(made)
	}
}

func mapped(fn string) td.MapFunc {
	return func(key td.Key, ts []*td.Tensor) (*td.Tensor, error) {
		switch {
		case fn == "add_one":
			return ts[0].Op("add", 1)
		case fn == "first_row":
			return ts[0].Index(td.At(0))
		case fn == "drop_a" && key[len(key)-1] == "a":
			return nil, nil
		case fn == "drop_a":
			return ts[0].Op("mul", 2)
		case fn != "total":
			return ts[0].Share(), nil
		}
		sum, err := ts[0].Op("add", 0)
		for _, t := range ts[1:] {
			if t != nil && err == nil {
				before := sum
				sum, err = before.Op("add", t)
				before.Close()
			}
		}
		return sum, err
	}
}

func mappedData(fn string) td.MapDataFunc {
	return func(key td.Key, lists []*td.Data) (td.Entry, error) {
		switch fn {
		case "itself":
			return lists[0], nil
		case "text":
			return &td.Data{Values: []any{"z"}}, nil
		case "ones":
			return td.Ones(td.Float32, lists[0].Shape...)
		}
		return nil, nil
	}
}

func (p *program) mapLeaves() {
	o := td.MapOptions{InPlace: p.flag("inplace"), AllowNil: p.flag("missing_as_null")}
	if p.has("data") {
		o.Data = mappedData(p.word("data"))
	}
	if p.has("batch") {
		o.BatchSize = p.ints("batch")
	}
	if p.has("emptied") {
		o.Emptied = map[string]td.Emptied{"drop": td.DropEmptied, "drop_all": td.DropEmpty, "keep": td.KeepEmpty}[p.word("emptied")]
	}
	if p.has("others") {
		o.Others = p.dicts("others")
	}
	p.put(ok(p.dict().Map(mapped(p.word("fn")), &o)))
}

func (p *program) names(keys []td.Key, tensors []*td.Tensor, err error) {
	must(err)
	seen := []any{}
	for i, key := range keys {
		seen = append(seen, key.String())
		tensors[i].Close()
	}
	p.putValue(seen)
}

func (p *program) aten() {
	op := p.word("call")
	if p.given("overload") {
		op += "." + p.word("overload")
	}
	p.put(ok(td.Call(op, p.arguments("args", "")...)))
}

var operations = map[string]func(*program){
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

	"index":           func(p *program) { p.put(ok(p.dict().Index(p.index()...))) },
	"set_item":        (*program).setItem,
	"stack":           func(p *program) { p.put(ok(td.Stack(p.dicts("tds"), p.integerOr("dim", 0)))) },
	"cat":             func(p *program) { p.put(ok(td.Cat(p.dicts("tds"), p.integerOr("dim", 0)))) },
	"stack_into":      func(p *program) { must(td.StackInto(p.dicts("tds"), p.integerOr("dim", 0), p.dictAt("target"))) },
	"cat_into":        func(p *program) { must(td.CatInto(p.dicts("tds"), p.integerOr("dim", 0), p.dictAt("target"))) },
	"pad":             func(p *program) { p.put(ok(p.dict().Pad(p.ints("pairs"), p.realOr("value", 0)))) },
	"pad_sequence":    (*program).padSequence,
	"unpad_sequence":  (*program).unpadSequence,
	"group_by":        (*program).groupBy,
	"new_tensor":      (*program).newTensor,
	"expand_as":       func(p *program) { p.put(ok(p.dict().ExpandAs(p.dictAt("other")))) },
	"gather":          func(p *program) { p.put(ok(p.dict().Gather(p.integer("dim"), p.tensorAt("index")))) },
	"masked_select":   func(p *program) { p.put(ok(p.dict().MaskedSelect(p.tensorAt("mask")))) },
	"masked_fill":     func(p *program) { p.put(ok(p.dict().MaskedFill(p.tensorAt("mask"), toReal(p.at("value"))))) },
	"masked_fill_":    func(p *program) { must(p.dict().MaskedFillInPlace(p.tensorAt("mask"), toReal(p.at("value")))) },
	"where":           (*program).where,
	"is_in":           func(p *program) { p.put(ok(p.dict().IsIn(p.dictAt("reference"), p.key(), p.integerOr("dim", 0)))) },
	"expand_right":    func(p *program) { p.put(ok(p.tensor().ExpandRight(p.ints("shape")...))) },
	"expand_as_right": func(p *program) { p.put(ok(p.tensor().ExpandAsRight(p.tensorAt("other")))) },
	"unique": func(p *program) {
		unique, inverse, err := p.dict().RemoveDuplicates(p.integerOr("dim", 0), p.key()...)
		must(err)
		p.putAt(".0", unique)
		p.putAt(".1", inverse)
	},

	"view":      func(p *program) { p.put(ok(p.dict().View(p.ints("sizes")...))) },
	"reshape":   func(p *program) { p.put(ok(p.dict().Reshape(p.ints("sizes")...))) },
	"expand":    func(p *program) { p.put(ok(p.dict().Expand(p.ints("sizes")...))) },
	"permute":   func(p *program) { p.put(ok(p.dict().Permute(p.ints("dims")...))) },
	"repeat":    func(p *program) { p.put(ok(p.dict().Repeat(p.ints("repeats")...))) },
	"tile":      func(p *program) { p.put(ok(p.dict().Tile(p.ints("repeats")...))) },
	"flip":      func(p *program) { p.put(ok(p.dict().Flip(p.ints("dims")...))) },
	"squeeze":   func(p *program) { p.put(ok(p.dict().Squeeze(p.intsOrNone("dim")...))) },
	"flatten":   func(p *program) { p.put(ok(p.dict().Flatten(p.integer("start"), p.integer("end")))) },
	"unflatten": func(p *program) { p.put(ok(p.dict().Unflatten(p.integer("dim"), p.ints("sizes")...))) },
	"unsqueeze": func(p *program) { p.put(ok(p.dict().Unsqueeze(p.integer("dim")))) },
	"transpose": func(p *program) { p.put(ok(p.dict().Transpose(p.integer("dim0"), p.integer("dim1")))) },
	"movedim":   func(p *program) { p.put(ok(p.dict().MoveDim(p.ints("source"), p.ints("destination")))) },
	"narrow": func(p *program) {
		p.put(ok(p.dict().Narrow(p.integer("dim"), p.integer("start"), p.integer("length"))))
	},
	"split": func(p *program) {
		if _, is := p.at("size").([]any); is {
			p.put(ok(p.dict().SplitSizes(p.ints("size"), p.integer("dim"))))
		} else {
			p.put(ok(p.dict().Split(p.integer("size"), p.integer("dim"))))
		}
	},
	"chunk": func(p *program) { p.put(ok(p.dict().Chunk(p.integer("chunks"), p.integer("dim")))) },
	"tensor_split": func(p *program) {
		if _, is := p.at("sections").([]any); is {
			p.put(ok(p.dict().TensorSplitAt(p.ints("sections"), p.integer("dim"))))
		} else {
			p.put(ok(p.dict().TensorSplit(p.integer("sections"), p.integer("dim"))))
		}
	},
	"unbind":            func(p *program) { p.put(ok(p.dict().Unbind(p.integer("dim")))) },
	"contiguous":        func(p *program) { p.put(ok(p.dict().Contiguous())) },
	"repeat_interleave": func(p *program) { p.put(ok(p.dict().RepeatInterleave(p.ints("repeats"), p.integer("dim")))) },
	"roll":              func(p *program) { p.put(ok(p.dict().Roll(p.ints("shifts"), p.intsOrNone("dims")))) },
	"rot90": func(p *program) {
		p.put(ok(p.dict().Rot90(p.integer("times"), p.integer("dim0"), p.integer("dim1"))))
	},

	"lazy_stack":        func(p *program) { p.put(ok(td.LazyStack(p.dicts("tds"), p.integerOr("dim", 0)))) },
	"maybe_dense_stack": func(p *program) { p.put(ok(td.MaybeDenseStack(p.dicts("tds"), p.integerOr("dim", 0)))) },
	"lazy_new":          func(p *program) { p.put(ok(td.NewLazyStack(p.ints("element"), p.integerOr("dim", 0)))) },
	"to_lazy_stack":     func(p *program) { p.put(ok(p.dict().ToLazyStack(p.integerOr("dim", 0)))) },
	"member": func(p *program) {
		for i, member := range ok(p.dict().Members()) {
			if int64(i) == p.integer("at") {
				p.put(member)
			} else {
				member.Close()
			}
		}
	},
	"append":   func(p *program) { must(p.dict().Append(p.dictAt("value"))) },
	"insert":   func(p *program) { must(p.dict().Insert(p.integer("at"), p.dicts("tds")...)) },
	"get_list": func(p *program) { p.put(ok(p.dict().GetList(p.key()...))) },
	"set_list": func(p *program) {
		var values []*td.Tensor
		for _, one := range p.at("values").([]any) {
			values = append(values, p.tensorOf(one))
		}
		must(p.dict().SetList(values, p.key()...))
	},
	"get_jagged": func(p *program) {
		values, offsets, err := p.dict().GetJagged(p.key()...)
		must(err)
		p.putAt(".0", values)
		p.putAt(".1", offsets)
	},
	"get_padded": func(p *program) {
		values, mask, err := p.dict().GetPadded(&td.Padding{Value: p.realOr("padding", 0), Left: p.flag("left")}, p.key()...)
		must(err)
		mask.Close()
		p.put(values)
	},
	"entry_shape": func(p *program) {
		seen := []any{}
		for _, size := range ok(p.dict().EntryShape(p.key()...)) {
			seen = append(seen, size)
		}
		p.putValue(seen)
	},
	"params": func(p *program) {
		p.put(ok(p.dict().Params(&td.ParamsOptions{NoConvert: p.flag("no_convert"), Lock: p.flag("lock")})))
	},
	"parameter_names": func(p *program) { p.names(p.dict().Parameters()) },
	"buffer_names":    func(p *program) { p.names(p.dict().Buffers()) },

	"new_empty": func(p *program) {
		d := ok(p.dict().NewEmpty(p.dtype("dtype"), p.ints("sizes")...))
		must(d.Zero())
		p.put(d)
	},
	"new_full": func(p *program) {
		p.put(ok(p.dict().NewFull(toReal(p.at("value")), p.dtype("dtype"), p.ints("sizes")...)))
	},
	"to_tensordict":  func(p *program) { p.put(ok(p.dict().ToTensorDict())) },
	"become":         func(p *program) { must(p.dict().Become(p.dictAt("other"))) },
	"detach_":        func(p *program) { must(p.dict().DetachInPlace()) },
	"copy":           func(p *program) { p.put(ok(p.dict().Copy())) },
	"clone":          func(p *program) { p.put(ok(p.dict().Clone())) },
	"requires_grad":  func(p *program) { p.putValue(p.dict().RequiresGrad()) },
	"requires_grad_": func(p *program) { must(p.dict().SetRequiresGrad(p.flagOr("value", true))) },
	"detach":         func(p *program) { p.put(ok(p.dict().Detach())) },
	"grad": func(p *program) {
		if found := ok(p.dict().Grad()); found != nil {
			p.put(found)
		} else {
			p.putValue(obj("none", true))
		}
	},
	"zero_grad": func(p *program) { must(p.dict().ZeroGrad(p.flagOr("set_to_none", true))) },
	"backward": func(p *program) {
		if p.has("gradient") {
			must(p.dict().Backward(p.dictAt("gradient")))
		} else {
			must(p.dict().Backward(nil))
		}
	},
	"to": func(p *program) {
		device := ""
		if p.given("device") {
			device = p.word("device")
		}
		p.put(ok(p.dict().To(p.dtype("dtype"), device)))
	},
	"state_dict": func(p *program) { p.put(ok(p.dict().StateDict())) },
	"load_state_dict": func(p *program) {
		must(p.dict().LoadStateDict(p.dictAt("state"), !p.flagOr("strict", true), p.flag("assign")))
	},

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

	"pointwise": (*program).pointwise,
	"reduce":    (*program).reduce,
	"reduce_all": func(p *program) {
		p.put(ok(p.dict().ReduceAll(p.word("call"), p.reduction(), p.arguments("", "kwargs")...)))
	},
	"all":        func(p *program) { p.putValue(ok(p.dict().AllTrue())) },
	"any":        func(p *program) { p.putValue(ok(p.dict().AnyTrue())) },
	"map":        (*program).mapLeaves,
	"merge_with": func(p *program) { p.put(ok(td.MergeWith(mapped(p.word("fn")), p.dicts("tds")...))) },
	"torch":      (*program).aten,
}
