package replay

func init() {
	add(map[string]func(*program){
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
	})
}
