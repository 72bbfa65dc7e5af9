package raw

import "testing"

func TestLoads(t *testing.T) {
	if err := LoadError(); err != nil {
		t.Fatal(err)
	}
	if got := AbiVersion(); got != ABI_MAJOR {
		t.Fatalf("ABI %d", got)
	}
}

// Every function of the header is in the library.
func TestTableIsFull(t *testing.T) {
	if missing := MissingFunctions(); len(missing) != 0 {
		t.Fatalf("the library lacks %v", missing)
	}
}

func BenchmarkEmptyCall(b *testing.B) {
	for b.Loop() {
		AbiVersion()
	}
}
