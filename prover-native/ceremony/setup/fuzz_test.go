package setup

import (
	"testing"

	"solidus.io/prover/ceremony"
)

// Any input is either the only encoding of a state of phase 1, or refused with a code.
func FuzzReadPowers(f *testing.F) {
	p, err := newPowers(2)
	must(f, err)
	raw, err := p.contribute()
	must(f, err)
	f.Add(raw)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > len(raw)+1 {
			b = b[:len(raw)+1]
		}
		if _, err := readPowers(b, 2); err != nil && ceremony.CodeOf(err) == "" {
			t.Fatal(err)
		}
	})
}

func FuzzReadPhase2(f *testing.F) {
	s := shape{private: 2, vanishing: 3}
	f.Add(make([]byte, s.size()), false)
	f.Add(make([]byte, s.initialSize()), true)
	f.Add(fileOf(f, copyOf(f, contributed2), "phase2/001-short.bin"), false)
	f.Fuzz(func(t *testing.T, b []byte, initial bool) {
		if _, err := readPhase2(b, s, initial); err != nil && ceremony.CodeOf(err) == "" {
			t.Fatal(err)
		}
	})
}
