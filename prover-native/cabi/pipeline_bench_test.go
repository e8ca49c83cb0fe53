package cabi

import (
	"bytes"
	"fmt"
	"testing"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/measure"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// BenchmarkPipeline is the work of a validator's processor for a transfer apart from storage: decode, verify, sign both
// outputs. For comparison it also measures the library's verification of the same proof, one by one. Use -cpu 1: one batch
// has one processor.
func BenchmarkPipeline(b *testing.B) {
	p := newPipeline(b)
	all := p.transfers(b, maxBatch)
	b.Run("gnark", func(b *testing.B) {
		proof, err := groth.Decode(all[0].Evidence.Proof[:groth.ProofBytes])
		must(b, err)
		raw := &groth16.Proof{Ar: proof.A, Bs: proof.B, Krs: proof.C}
		key, public := p.LibraryKey(b, statement.FamilyTransfer), p.Public(b, all[0])
		measure.Loop(b, 1, func() { must(b, groth16.Verify(raw, key, public)) })
	})
	for _, n := range []int{1, 4, 16, 64, 256} {
		verify, sign := p.verifyFrame(all[:n]), p.signFrame(all[:n])
		b.Run(fmt.Sprintf("batch=%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() { p.run(b, n, verify, sign) })
		})
	}
	for _, n := range []int{1, 64} {
		verify, sign := p.verifyFrame(all[:n]), p.signFrame(all[:n])
		b.Run(fmt.Sprintf("verify=%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() { p.run(b, n, verify, nil) })
		})
		b.Run(fmt.Sprintf("sign=%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() { p.run(b, n, nil, sign) })
		})
	}
}

func (p *pipeline) run(b *testing.B, n int, verify, sign []byte) {
	b.Helper()
	suite.Forget() // every request of a validator is a new one
	if verify != nil {
		code, verdicts := split(b, Invoke(number(b, "VERIFY_TRANSFERS"), bytes.Clone(verify)))
		if code != fault.OK || !bytes.Equal(verdicts, make([]byte, 4*n)) {
			b.Fatalf("%v %v", code, verdicts)
		}
	}
	if sign != nil {
		code, signatures := split(b, Invoke(number(b, "SHARE_SIGN_ALL"), bytes.Clone(sign)))
		if code != fault.OK || len(signatures) != n*(4+2*suite.G1Bytes) {
			b.Fatalf("%v", code)
		}
	}
}
