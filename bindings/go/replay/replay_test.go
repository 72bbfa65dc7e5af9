// Package replay runs the committed conformance programs through the safe layer, and compares with what they expect.
package replay

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	td "tensordict"
)

// leftOut are operations that this package does not offer yet; a program with one of them is not run.
var leftOut = map[string]string{}

var operations = map[string]func(*program){}

func add(some map[string]func(*program)) {
	maps.Copy(operations, some)
}

func (p *program) run(steps []any) (failed *object, err error) {
	at := 0
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case failure:
			var e *td.Error
			if !errors.As(caught.err, &e) {
				err = caught.err
				return
			}
			name := strings.TrimPrefix(e.Status.String(), "TD_ERR_")
			failed = obj("step", int64(at), "status", name, "text", e.Message)
		case badProgram:
			err = fmt.Errorf("step %d: %s", at, string(caught))
		default:
			panic(caught)
		}
	}()
	for i, step := range steps {
		at = i
		p.step = step.(*object)
		operation := operations[p.word("op")]
		if operation == nil {
			return nil, fmt.Errorf("no such operation: %s", p.word("op"))
		}
		operation(p)
		p.endStep()
	}
	return nil, nil
}

func (p *program) close() {
	p.endStep()
	for _, s := range p.scopes {
		s.finish(cancelled{})
	}
	for _, r := range p.registers {
		closeRegister(r)
	}
}

func checkError(expected any, got *object) error {
	wanted, _ := expected.(*object)
	switch {
	case wanted == nil && got == nil:
		return nil
	case wanted == nil:
		return fmt.Errorf("failed: %s", show(got))
	case got == nil:
		return fmt.Errorf("did not fail: expected %s", show(wanted))
	case wanted.values["step"] != got.values["step"]:
		return fmt.Errorf("another step failed: %s", show(got))
	}
	for _, status := range wanted.values["statuses"].([]any) {
		if status == got.values["status"] {
			return nil
		}
	}
	return fmt.Errorf("failed otherwise: expected %s, got %s", show(wanted), show(got))
}

func replay(t *testing.T, vector *object) {
	before := td.LiveObjects()
	p := &program{registers: map[string]any{}, scopes: map[string]*scope{}}
	failed, err := p.run(vector.values["steps"].([]any))
	if err != nil {
		p.close()
		t.Fatal(err)
	}
	p.endStep()
	expected, own := vector.values["ours"].(*object)
	if !own {
		expected = vector.values["expected"].(*object)
	}
	if err := checkError(expected.values["error"], failed); err != nil {
		t.Error(err)
	} else {
		c := new(comparison)
		c.compare(expected.values["registers"], p.observe(), "", 1e-9)
		for _, line := range c.found {
			t.Error(line)
		}
	}
	p.close()
	// A result that an operation made before it failed is left to the garbage collector.
	for i := 0; i < 100 && !maps.Equal(before, td.LiveObjects()); i++ {
		runtime.GC()
		runtime.Gosched()
	}
	if after := td.LiveObjects(); !maps.Equal(before, after) {
		t.Errorf("live objects: %v, before %v", after, before)
	}
}

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("../../../tests/conformance/vectors/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("the conformance programs are not here: only the repository has them")
	}
	run, skipped := 0, map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range parsed.(*object).values["programs"].([]any) {
			vector := one.(*object)
			missing := ""
			for _, step := range vector.values["steps"].([]any) {
				op := step.(*object).values["op"].(string)
				if leftOut[op] != "" {
					missing = op
				}
			}
			if missing != "" {
				skipped[missing]++
				continue
			}
			run++
			t.Run(filepath.Base(file)+"/"+vector.values["name"].(string), func(t *testing.T) { replay(t, vector) })
		}
	}
	t.Logf("%d programs run", run)
	for op, n := range skipped {
		t.Logf("%d left out for %s: %s", n, op, leftOut[op])
	}
}
