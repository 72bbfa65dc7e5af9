package replay

import (
	"strings"

	td "tensordict"
)

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

func (p *program) aten() {
	op := p.word("call")
	if p.given("overload") {
		op += "." + p.word("overload")
	}
	p.put(ok(td.Call(op, p.arguments("args", "")...)))
}

func init() {
	add(map[string]func(*program){
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
	})
}
