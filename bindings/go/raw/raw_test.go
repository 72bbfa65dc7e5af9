package raw_test // of its own: the package, which is slow to compile, is not compiled again for it

import (
	"testing"

	"tensordict/raw"
)

func TestLoads(t *testing.T) {
	if err := raw.LoadError(); err != nil {
		t.Fatal(err)
	}
	if got := raw.AbiVersion(); got != raw.ABI_MAJOR {
		t.Fatalf("ABI %d", got)
	}
}

// Every function of the header is in the library.
func TestTableIsFull(t *testing.T) {
	if missing := raw.MissingFunctions(); len(missing) != 0 {
		t.Fatalf("the library lacks %v", missing)
	}
}

func BenchmarkEmptyCall(b *testing.B) {
	for b.Loop() {
		raw.AbiVersion()
	}
}
