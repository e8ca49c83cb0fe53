package transfer

import (
	"runtime"
	"testing"

	"github.com/consensys/gnark/backend/groth16"

	"solidus.io/prover/internal/circuittest"
)

// One real setup, proof and verification. RoundTrip also alters every public input alone, and checks that no public
// input's point in the verifying key is the identity and that there are no commitments.
func TestProof(t *testing.T) {
	_, d := honest().build(t)
	c, err := d.witness.Assign(d.bound(t))
	if err != nil {
		t.Fatal(err)
	}
	system().RoundTrip(t, c)
}

// BenchmarkProof measures proving and verifying; run it with GOMAXPROCS=1 for one core.
func BenchmarkProof(b *testing.B) {
	pk, vk, err := groth16.Setup(system().R1CS)
	if err != nil {
		b.Fatal(err)
	}
	c, _ := honest().build(b)
	full := circuittest.Witness(b, c)
	public, err := full.Public()
	if err != nil {
		b.Fatal(err)
	}
	proof, err := groth16.Prove(system().R1CS, pk, full)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	b.Run("prove", func(b *testing.B) {
		for b.Loop() {
			if _, err := groth16.Prove(system().R1CS, pk, full); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if err := groth16.Verify(proof, vk, public); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bind, assign and check", func(b *testing.B) {
		_, d := honest().build(b)
		for b.Loop() {
			c, err := d.witness.Assign(d.bound(b))
			if err != nil {
				b.Fatal(err)
			}
			if err := Check(c); err != nil {
				b.Fatal(err)
			}
		}
	})
}
