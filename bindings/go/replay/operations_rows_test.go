package replay

import (
	td "tensordict"
)

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

// layout is the one of packing a dict.
func (p *program) layout(d *td.Dict) *td.PackLayout {
	packed, layout, err := d.Pack(p.integerOr("dim", -1), nil)
	must(err)
	packed.Close()
	return layout
}

func (p *program) pack() {
	var like *td.PackLayout
	if p.has("like") {
		like = p.layout(p.dictAt("like"))
		defer like.Close()
	}
	packed, layout, err := p.dict().Pack(p.integerOr("dim", -1), like)
	must(err)
	defer layout.Close()
	p.putAt(".flat", packed)
	p.putAt(".layout", obj("value", layout.String()))
	p.putAt(".made", ok(layout.Unpack(packed)))
}

func (p *program) unpack() {
	layout := p.layout(p.dict())
	defer layout.Close()
	p.put(ok(layout.Unpack(p.tensor())))
}

func (p *program) fromSchema() {
	var entries []td.SchemaEntry
	for _, one := range p.at("schema").([]any) {
		e := one.([]any)
		entries = append(entries, td.SchemaEntry{Key: keyOf(e[0]), DType: ok(td.ParseDType(e[1].(string))), Dims: intsOf(e[2])})
	}
	var options td.SchemaOptions
	if p.has("storage") {
		options.Storage = td.InSharedMemory
	}
	p.put(ok(td.FromSchema(&options, p.ints("batch"), entries...)))
}

func init() {
	add(map[string]func(*program){
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
		"pack":        (*program).pack,
		"unpack":      (*program).unpack,
		"from_schema": (*program).fromSchema,
	})
}
