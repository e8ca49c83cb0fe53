package simulate

import (
	"math/big"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// Trapdoor is a verifying key's secrets, with which no witness is needed.
type Trapdoor struct {
	alpha, beta, gamma, delta fr.Element
	k                         []fr.Element // of the constant one and each public input

	alphaBeta, deltaInverse fr.Element
}

// NewTrapdoor draws the secrets of a key for so many public inputs.
func NewTrapdoor(publicInputs int) (*Trapdoor, error) {
	s := FreshStream()
	t := &Trapdoor{alpha: s.Field(), beta: s.Field(), gamma: s.Field(), delta: s.Field()}
	for range publicInputs + 1 {
		t.k = append(t.k, s.Field())
	}
	return t, t.finish()
}

// finish checks and completes what was drawn or read.
func (t *Trapdoor) finish() error {
	for _, e := range append([]fr.Element{t.alpha, t.beta, t.gamma, t.delta}, t.k...) {
		if e.IsZero() {
			return fault.New(fault.KeysInfinitePoint, "a trapdoor is zero")
		}
	}
	if t.gamma.Equal(&t.delta) {
		return fault.New(fault.KeysDegenerate, "")
	}
	t.alphaBeta.Mul(&t.alpha, &t.beta)
	t.deltaInverse.Inverse(&t.delta)
	return nil
}

// VerifyingKey is the public half, in the library's form and ready for its own verification.
func (t *Trapdoor) VerifyingKey() (*groth16.VerifyingKey, error) {
	var vk groth16.VerifyingKey
	vk.G1.Alpha, vk.G1.Beta, vk.G1.Delta = timesG1(&t.alpha), timesG1(&t.beta), timesG1(&t.delta)
	vk.G2.Beta, vk.G2.Gamma, vk.G2.Delta = timesG2(&t.beta), timesG2(&t.gamma), timesG2(&t.delta)
	for i := range t.k {
		vk.G1.K = append(vk.G1.K, timesG1(&t.k[i]))
	}
	if err := vk.Precompute(); err != nil {
		return nil, fault.New(fault.Internal, "pairing")
	}
	return &vk, nil
}

// Prove makes a proof that verifies for these public inputs, whatever they say.
func (t *Trapdoor) Prove(public []suite.Field, draw *Stream) ([]byte, error) {
	proof, err := t.prove(public, draw)
	if err != nil {
		return nil, err
	}
	return groth.Encode(proof)
}

// prove picks A = aG1 and B = bG2 at will and solves the verification equation ab = alpha beta + gamma sum + delta c for C.
func (t *Trapdoor) prove(public []suite.Field, draw *Stream) (*groth16.Proof, error) {
	if len(public) != len(t.k)-1 {
		return nil, fault.Newf(fault.KeysPublicInputs, "%d given, %d needed", len(public), len(t.k)-1)
	}
	sum := t.k[0]
	for i := range public {
		var term fr.Element
		term.Mul(&public[i], &t.k[i+1])
		sum.Add(&sum, &term)
	}
	sum.Mul(&sum, &t.gamma)
	a, b := draw.Field(), draw.Field()
	var c fr.Element
	c.Mul(&a, &b).Sub(&c, &t.alphaBeta).Sub(&c, &sum).Mul(&c, &t.deltaInverse)

	var p groth16.Proof
	points := [2]bw6.G1Jac{proofG1Infinity(), proofG1Infinity()}
	for i, e := range []*fr.Element{&a, &c} {
		words := e.Bits()
		proofG1Table().addTo(&points[i], words[:])
	}
	affine := bw6.BatchJacobianToAffineG1(points[:])
	p.Ar, p.Krs = affine[0], affine[1]
	bs, words := proofG2Infinity(), b.Bits()
	proofG2Table().addTo(&bs, words[:])
	p.Bs.FromJacobian(&bs)
	return &p, nil
}

func timesG1(e *fr.Element) (p bw6.G1Affine) {
	p.ScalarMultiplicationBase(e.BigInt(new(big.Int)))
	return p
}

func timesG2(e *fr.Element) (p bw6.G2Affine) {
	p.ScalarMultiplicationBase(e.BigInt(new(big.Int)))
	return p
}
