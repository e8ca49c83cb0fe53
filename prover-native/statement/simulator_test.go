package statement

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// simulator is a verifying key with known trapdoors: it makes an accepting proof for any public inputs, which is what
// these tests need of a proof. It exists in test code only.
type simulator struct {
	key                 *groth.VerifyingKey
	ab, gamma, deltaInv fr.Element
	k                   []fr.Element
}

func random(t testing.TB) (e fr.Element) {
	t.Helper()
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func exponent(e *fr.Element) *big.Int { return e.BigInt(new(big.Int)) }

func newSimulator(t testing.TB, inputs int) *simulator {
	t.Helper()
	s := &simulator{gamma: random(t)}
	alpha, beta, delta := random(t), random(t), random(t)
	s.ab.Mul(&alpha, &beta)
	s.deltaInv.Inverse(&delta)
	var vk groth16.VerifyingKey
	vk.G1.Alpha.ScalarMultiplicationBase(exponent(&alpha))
	vk.G2.Beta.ScalarMultiplicationBase(exponent(&beta))
	vk.G2.Gamma.ScalarMultiplicationBase(exponent(&s.gamma))
	vk.G2.Delta.ScalarMultiplicationBase(exponent(&delta))
	for i := range inputs + 1 {
		s.k = append(s.k, random(t))
		vk.G1.K = append(vk.G1.K, vk.G1.Alpha)
		vk.G1.K[i].ScalarMultiplicationBase(exponent(&s.k[i]))
	}
	var err error
	s.key, err = groth.NewVerifyingKey(&vk, inputs)
	must(t, err)
	return s
}

func (s *simulator) prove(t testing.TB, public []suite.Field) []byte {
	t.Helper()
	a, b := random(t), random(t)
	sum := s.k[0]
	for i := range public {
		var term fr.Element
		term.Mul(&public[i], &s.k[i+1])
		sum.Add(&sum, &term)
	}
	sum.Mul(&sum, &s.gamma)
	var c fr.Element
	c.Mul(&a, &b).Sub(&c, &s.ab).Sub(&c, &sum).Mul(&c, &s.deltaInv)
	var p groth16.Proof
	p.Ar.ScalarMultiplicationBase(exponent(&a))
	p.Bs.ScalarMultiplicationBase(exponent(&b))
	p.Krs.ScalarMultiplicationBase(exponent(&c))
	encoded, err := groth.Encode(&p)
	must(t, err)
	return encoded
}
