package suite

import (
	"bytes"
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/fuzztest"
)

// FuzzScalarsAndFields checks that every value that decodes has one encoding and lies below its modulus.
func FuzzScalarsAndFields(f *testing.F) {
	e, s := randomField(f), scalar(f)
	f.Add(EncodeField(&e))
	f.Add(EncodeScalar(&s))
	f.Add(Order().FillBytes(make([]byte, ScalarBytes)))
	f.Add(new(big.Int).Sub(Order(), big.NewInt(1)).FillBytes(make([]byte, ScalarBytes)))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := new(big.Int).SetBytes(b)
		if e, err := DecodeField(b); (err == nil) != (len(b) == FieldBytes && n.Cmp(Order()) < 0) ||
			err == nil && !bytes.Equal(EncodeField(&e), b) {
			t.Fatalf("field element: %v", err)
		}
		if s, err := DecodeScalar(b); (err == nil) != (len(b) == ScalarBytes && n.Cmp(Order()) < 0) ||
			err == nil && !bytes.Equal(EncodeScalar(&s), b) {
			t.Fatalf("scalar: %v", err)
		}
	})
}

// FuzzShare checks that an accepted share signs, and that the caller's bytes are cleared in any case.
func FuzzShare(f *testing.F) {
	s := scalar(f)
	f.Add(1, EncodeScalar(&s), EncodeScalar(&s))
	f.Add(0, EncodeScalar(&s), []byte{})
	f.Add(101, make([]byte, 32), make([]byte, 32))
	x := newFixture(f, 1)
	f.Fuzz(func(t *testing.T, index int, a, b []byte) {
		a, b = bytes.Clone(a), bytes.Clone(b)
		share, err := NewShare(index, a, b)
		if !bytes.Equal(a, make([]byte, len(a))) || !bytes.Equal(b, make([]byte, len(b))) {
			t.Fatal("secrets are left")
		}
		if err != nil {
			return
		}
		if index < 1 || index > MaxAuthorities || share.Index() != index {
			t.Fatalf("index %d", index)
		}
		if _, err := x.Sign(share, x.outputs, 0, &x.k); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzKeySignature checks that a changed signature, key or core is refused.
func FuzzKeySignature(f *testing.F) {
	core := [32]byte{1, 2, 3}
	_, _, rk, good := signed(f, core)
	for _, offset := range []uint8{0, 31, 32, 63, 64, 95} {
		f.Add(offset, []byte{1}, []byte{})
	}
	f.Add(uint8(0), []byte{}, []byte{1})
	f.Fuzz(func(t *testing.T, offset uint8, patch, corePatch []byte) {
		signature, of := bytes.Clone(good), core
		for i, v := range patch {
			signature[(int(offset)+i)%len(signature)] ^= v
		}
		for i, v := range corePatch {
			of[i%len(of)] ^= v
		}
		var err error
		fuzztest.Bounded(t, 8<<20, func() { err = VerifyCore(&rk, of, signature) })
		same := bytes.Equal(signature, good) && of == core
		if same != (err == nil) || err != nil && fault.CodeOf(err) == fault.Internal {
			t.Fatalf("unchanged: %v, answer: %v", same, err)
		}
	})
}
