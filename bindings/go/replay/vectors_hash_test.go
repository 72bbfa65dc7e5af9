package replay

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"testing"

	td "tensordict"
)

func hashOf(t *testing.T, kind, config string, message []byte) uint64 {
	t.Helper()
	h, err := td.NewHash(kind, config)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if len(message) == 0 { // one row without bytes
		rows := ok(td.Zeros(td.Uint8, 1, 0))
		defer rows.Close()
		hashed := ok(h.Of(rows))
		defer hashed.Close()
		return uint64(ok(td.ToSlice[int64](hashed))[0])
	}
	return ok(h.Rows(message, len(message)))[0]
}

func unsigned(t *testing.T, v any) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(v.(string), 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func counting(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i)
	}
	return out
}

// Vectors without their bytes say how these are made.
func messageOf(o *object) []byte {
	if text, given := o.values["hex"].(string); given {
		return ok(hex.DecodeString(text))
	}
	n := int(o.values["len"].(int64))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i*7 + n)
	}
	return out
}

func TestHashVectors(t *testing.T) {
	before := td.LiveObjects()
	all := parsed(t, "hash.json")
	run := 0
	expect := func(what, kind, config string, message []byte, wanted uint64) {
		t.Helper()
		run++
		if got := hashOf(t, kind, config, message); got != wanted {
			t.Errorf("%s of %d bytes is %#x, not %#x", what, len(message), got, wanted)
		}
	}
	for _, one := range all.values["cpython_hash_bytes"].(*object).values["vectors"].([]any) {
		o := one.(*object)
		for _, seed := range []int{0, 42} {
			for rounds, spelled := range map[string]string{"13": "[1, 3]", "24": "[2, 4]"} {
				name := fmt.Sprintf("siphash%s_seed%d", rounds, seed)
				expect(name, "td.siphash", fmt.Sprintf(`{"seed": %d, "rounds": %s}`, seed, spelled), messageOf(o),
					uint64(o.values[name].(int64)))
			}
		}
	}
	for name, rounds := range map[string]string{"siphash24_official": "[2, 4]", "siphash13_reference": "[1, 3]"} {
		for n, wanted := range all.values[name].(*object).values["values"].([]any) {
			config := `{"cpython": false, "key": "000102030405060708090a0b0c0d0e0f", "rounds": ` + rounds + `}`
			expect(name, "td.siphash", config, counting(n), unsigned(t, wanted))
		}
	}
	xxh3(t, all.values["xxh3_64"].(*object), expect)
	t.Logf("%d hashes compared", run)
	settled(t, before)
}

func xxh3(t *testing.T, o *object, expect func(what, kind, config string, message []byte, wanted uint64)) {
	t.Helper()
	if h, err := td.NewHash("td.xxh3", ""); err != nil {
		t.Log("without td.xxh3: this library was built without it")
		return
	} else {
		h.Close()
	}
	var buffer []byte
	for _, one := range o.values["vectors"].([]any) {
		v := one.(*object)
		n := int(v.values["len"].(int64))
		for g := uint64(2654435761); len(buffer) < n; {
			buffer = nil
			for range n {
				buffer = append(buffer, byte(g>>56))
				g *= 11400714785074694797
			}
		}
		seeds := map[string]string{"seed0": "0x0", "seedP32": o.values["P32"].(string), "seedP64": o.values["P64"].(string)}
		for name, seed := range seeds {
			config := fmt.Sprintf(`{"seed": %d}`, unsigned(t, seed))
			expect("xxh3 "+name, "td.xxh3", config, buffer[:n], unsigned(t, v.values[name]))
		}
	}
}

// tensorOfBytes has the elements that bytes spell in row-major order.
func (v *vector) tensorOfBytes(o *object) *td.Tensor {
	dtype, shape := ok(td.ParseDType(o.values["dtype"].(string))), intsOf(o.values["shape"])
	content := ok(hex.DecodeString(o.values["bytes_hex"].(string)))
	if len(content) == 0 {
		return v.tensor(td.Zeros(dtype, shape...))
	}
	bytes := v.tensor(td.FromSlice(content))
	flat := v.tensor(bytes.Op("view.dtype", dtype))
	return v.tensor(flat.Op("reshape", shape))
}

func TestQueryVectors(t *testing.T) {
	before := td.LiveObjects()
	for _, one := range parsed(t, "hash.json").values["query_module"].(*object).values["cases"].([]any) {
		v := &vector{object: one.(*object)}
		if !v.has("steps") { // a remark
			continue
		}
		t.Run(v.text("name"), func(t *testing.T) {
			if err := caught(func() { replayQuery(v) }); err != nil {
				t.Error(err)
			}
			v.close()
		})
	}
	settled(t, before)
}

func replayQuery(v *vector) {
	q := ok(td.NewQuery(nil, keysOf(v.at("in_keys"))...))
	defer q.Close()
	for i, one := range v.at("steps").([]any) {
		step := one.(*object)
		data := v.dict(td.New(intsOf(step.values["batch_size"])...))
		inputs := step.values["inputs"].(*object)
		for _, key := range inputs.keys {
			must(data.Set(v.tensorOfBytes(inputs.values[key].(*object)), key))
		}
		extend, given := step.values["call"].(*object).values["extend"].(bool)
		v.dict(q.Call(data, &td.QueryCall{NoExtend: given && !extend}))
		for key, wanted := range map[string]string{"_index": "index", "_hash": "hash"} {
			got := ok(td.ToSlice[int64](v.tensor(data.Get(key))))
			check(slices.Equal(got, intsOf(step.values[wanted])), "step %d: %s is %v, not %v", i, key, got, step.values[wanted])
		}
		check(q.Len() == step.values["map_size_after"], "step %d: the map has %d rows", i, q.Len())
	}
}
