package replay

func init() {
	add(map[string]func(*program){
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
	})
}
