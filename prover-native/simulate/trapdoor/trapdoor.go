// Package trapdoor makes Groth16 verifying keys whose secrets are known, and accepting proofs for any public inputs without a
// witness (Appendix C.3 of the paper). It also makes links of points to messages that no circuit computed. It is for load tests
// and tests. No shipped program contains it.
package trapdoor

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/simulate/fixedbase"
)

// Secrets determine a verifying key. K belongs to the constant one and to each public input.
type Secrets struct {
	Alpha, Beta, Gamma, Delta fr.Element
	K                         []fr.Element
}

// Trapdoor makes proofs of any statement under the key of its secrets. It is safe for concurrent use.
type Trapdoor struct {
	secrets Secrets

	alphaBeta, deltaInverse fr.Element
}

// Draw draws the secrets of a key for this number of public inputs.
func Draw(publicInputs int, draw func() fr.Element) Secrets {
	s := Secrets{Gamma: draw(), Alpha: draw(), Beta: draw(), Delta: draw()}
	for range publicInputs + 1 {
		s.K = append(s.K, draw())
	}
	return s
}

// New checks secrets: none is zero, and gamma is not delta.
func New(s Secrets) (*Trapdoor, error) {
	for _, e := range append([]fr.Element{s.Alpha, s.Beta, s.Gamma, s.Delta}, s.K...) {
		if e.IsZero() {
			return nil, fault.New(fault.KeysInfinitePoint, "a trapdoor is zero")
		}
	}
	if s.Gamma.Equal(&s.Delta) {
		return nil, fault.New(fault.KeysDegenerate, "")
	}
	t := &Trapdoor{secrets: s}
	t.alphaBeta.Mul(&s.Alpha, &s.Beta)
	t.deltaInverse.Inverse(&s.Delta)
	return t, nil
}

// VerifyingKey returns the public half in the library's form, ready for the library's verification.
func (t *Trapdoor) VerifyingKey() (*groth16.VerifyingKey, error) {
	s := &t.secrets
	first := fixedbase.G1(s.Alpha, s.Beta, s.Delta)
	var vk groth16.VerifyingKey
	vk.G1.Alpha, vk.G1.Beta, vk.G1.Delta = first[0], first[1], first[2]
	vk.G1.K = fixedbase.G1(s.K...)
	vk.G2.Beta, vk.G2.Gamma, vk.G2.Delta = fixedbase.G2(&s.Beta), fixedbase.G2(&s.Gamma), fixedbase.G2(&s.Delta)
	if err := vk.Precompute(); err != nil {
		return nil, fault.New(fault.Internal, "pairing")
	}
	return &vk, nil
}

// Checked returns the public half in the form that validators use.
func (t *Trapdoor) Checked() (*groth.VerifyingKey, error) {
	vk, err := t.VerifyingKey()
	if err != nil {
		return nil, err
	}
	return groth.NewVerifyingKey(vk, len(t.secrets.K)-1)
}

// Encoded is Prove with a canonically encoded result, the part of a proof before its link.
func (t *Trapdoor) Encoded(public []fr.Element, draw func() fr.Element) ([]byte, error) {
	proof, err := t.Prove(public, draw)
	if err != nil {
		return nil, err
	}
	return groth.Encode(proof)
}

// Prove makes a proof that verifies for these public inputs, whatever they say. It chooses A = aG1 and B = bG2 at random and
// solves the verification equation ab = alpha beta + gamma sum + delta c for C.
func (t *Trapdoor) Prove(public []fr.Element, draw func() fr.Element) (*groth16.Proof, error) {
	s := &t.secrets
	if len(public) != len(s.K)-1 {
		return nil, fault.Newf(fault.KeysPublicInputs, "%d given, %d needed", len(public), len(s.K)-1)
	}
	sum := s.K[0]
	for i := range public {
		var term fr.Element
		term.Mul(&public[i], &s.K[i+1])
		sum.Add(&sum, &term)
	}
	sum.Mul(&sum, &s.Gamma)
	a, b := draw(), draw()
	var c fr.Element
	c.Mul(&a, &b).Sub(&c, &t.alphaBeta).Sub(&c, &sum).Mul(&c, &t.deltaInverse)
	first := fixedbase.G1(a, c)
	return &groth16.Proof{Ar: first[0], Krs: first[1], Bs: fixedbase.G2(&b)}, nil
}
