package fuzztest

import (
	"bytes"
	"testing"
)

func TestMutationsDifferAndRepeat(t *testing.T) {
	seed := bytes.Repeat([]byte{1, 2, 3, 4}, 50)
	first, second := Random(t), Random(t)
	same := 0
	for range 500 {
		a, b := Mutate(first, seed), Mutate(second, seed)
		if !bytes.Equal(a, b) {
			t.Fatal("one seed, two runs")
		}
		if bytes.Equal(a, seed) {
			same++
		}
	}
	if same > 150 {
		t.Errorf("%d of 500 mutations change nothing", same)
	}
	if !bytes.Equal(seed, bytes.Repeat([]byte{1, 2, 3, 4}, 50)) {
		t.Error("the seed itself was changed")
	}
}

var sink [][]byte

func TestMeasuresSeeMemory(t *testing.T) {
	if n := Allocated(func() { sink = append(sink[:0], make([]byte, 8<<20)) }); n < 8<<20 || n > 16<<20 {
		t.Errorf("8 MiB are measured as %d bytes", n)
	}
	Flat(t, 50, 1<<20, func(int) { sink = append(sink[:0], make([]byte, 1<<20)) })
	failed := t.Run("a leak", func(t *testing.T) {
		fake := &recorder{TB: t}
		Flat(fake, 50, 1<<20, func(int) { sink = append(sink, make([]byte, 1<<20)) })
		if !fake.failed {
			t.Error("50 MiB kept are not noticed")
		}
		fake = &recorder{TB: t}
		Bounded(fake, 1<<20, func() { sink = append(sink[:0], make([]byte, 64<<20)) })
		if !fake.failed {
			t.Error("64 MiB in one call are not noticed")
		}
	})
	sink = nil
	if !failed {
		t.Fail()
	}
}

// recorder notes a failure instead of failing.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.failed = true }
