package replay

import (
	td "tensordict"
)

func (p *program) names(keys []td.Key, tensors []*td.Tensor, err error) {
	must(err)
	seen := []any{}
	for i, key := range keys {
		seen = append(seen, key.String())
		tensors[i].Close()
	}
	p.putValue(seen)
}

func init() {
	add(map[string]func(*program){
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
	})
}
