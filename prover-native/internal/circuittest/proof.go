package circuittest

import (
	"bytes"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/backend/groth16"
	native "github.com/consensys/gnark/backend/groth16/bls12-381"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/frontend"
)

// proofBytes is the length of a proof without commitments in gnark's raw form.
const proofBytes = 484

// RoundTrip runs a setup, proves the assignment and verifies the proof. It then checks what only keys can show: no public
// input's point is the identity (such an input would accept any value), there are no commitment keys, and the proof is
// refused for every altered public input.
func (s System) RoundTrip(t *testing.T, a frontend.Circuit) {
	t.Helper()
	pk, vk, err := groth16.Setup(s.R1CS)
	if err != nil {
		t.Fatal(err)
	}
	checkVerifyingKey(t, vk.(*native.VerifyingKey), s.GetNbPublicVariables())

	full := Witness(t, a)
	proof, err := groth16.Prove(s.R1CS, pk, full)
	if err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := proof.WriteRawTo(&raw); err != nil {
		t.Fatal(err)
	}
	if raw.Len() != proofBytes {
		t.Errorf("proof of %d bytes, want %d", raw.Len(), proofBytes)
	}
	public, err := full.Public()
	if err != nil {
		t.Fatal(err)
	}
	if err := groth16.Verify(proof, vk, public); err != nil {
		t.Fatalf("proof does not verify: %v", err)
	}
	values := public.Vector().(fr.Vector)
	for i := range values {
		if groth16.Verify(proof, vk, altered(t, values, i)) == nil {
			t.Errorf("proof accepted with public input %d altered", i)
		}
	}
}

func checkVerifyingKey(t *testing.T, vk *native.VerifyingKey, points int) {
	t.Helper()
	if len(vk.G1.K) != points {
		t.Errorf("%d points for public inputs, want %d", len(vk.G1.K), points)
	}
	for i := range vk.G1.K {
		if vk.G1.K[i].IsInfinity() {
			t.Errorf("public input %d is not constrained: its point is the identity", i-1)
		}
	}
	if len(vk.CommitmentKeys) != 0 {
		t.Error("verifying key has commitment keys")
	}
	if vk.G2.Gamma.Equal(&vk.G2.Delta) {
		t.Error("gamma equals delta")
	}
}

// altered returns a public witness with one value increased by one.
func altered(t *testing.T, values fr.Vector, i int) witness.Witness {
	t.Helper()
	changed := append(fr.Vector(nil), values...)
	one := fr.One()
	changed[i].Add(&changed[i], &one)
	w, err := witness.New(ecc.BLS12_381.ScalarField())
	if err != nil {
		t.Fatal(err)
	}
	feed := make(chan any, len(changed))
	for _, v := range changed {
		feed <- v
	}
	close(feed)
	if err := w.Fill(len(changed), 0, feed); err != nil {
		t.Fatal(err)
	}
	return w
}
