package groth

import (
	"bytes"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/fuzztest"
)

// FuzzProof changes a proof: a changed proof that still decodes is refused, unless it is another valid proof of the same
// inputs. No single change of bytes yields such a proof, except the exchange of signs tested below.
func FuzzProof(f *testing.F) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(f, err)
	for _, offset := range []uint16{0, 47, 48, 95, 96, 191, 192, 287, 288, 383} {
		f.Add(offset, []byte{1})
		f.Add(offset, []byte{0x40})
	}
	f.Fuzz(func(t *testing.T, offset uint16, patch []byte) {
		b := bytes.Clone(x.bytes)
		for i, v := range patch {
			b[(int(offset)+i)%len(b)] ^= v
		}
		var p *Proof
		fuzztest.Bounded(t, 8<<20, func() { p, err = Decode(b) })
		if err != nil {
			if fault.CodeOf(err) == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		if vk.Verify(p, x.public) == nil && !bytes.Equal(b, x.bytes) {
			t.Fatalf("accepted with other bytes at %d", offset)
		}
	})
}

func TestNegatedPairIsAProof(t *testing.T) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(t, err)
	p, err := Decode(x.bytes)
	must(t, err)
	p.A.Neg(&p.A)
	p.B.Neg(&p.B)
	must(t, vk.Verify(p, x.public))
	p.B.Neg(&p.B)
	refused(t, vk.Verify(p, x.public), fault.ProofInvalid)
}
