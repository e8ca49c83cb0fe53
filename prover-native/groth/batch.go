package groth

import (
	"crypto/rand"
	"encoding/binary"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
)

// Claim is a proof with its public inputs.
type Claim struct {
	Proof  *Proof
	Public []Field
}

// VerifyBatch accepts when every claim holds and refuses otherwise, except with probability 2^-128. It checks
//
//	prod e(r_i A_i, B_i) = e(alpha, beta)^(sum r_i) e(sum r_i L_i, gamma) e(sum r_i C_i, delta)
//
// with r_i = u_i + lambda v_i for fresh 64-bit u_i, v_i, lambda being the eigenvalue of the curve's endomorphism: 2^128
// distinct weights at half the price. With fixed weights, two wrong proofs could cancel each other out. Subgroups are
// checked point by point: at the sizes of a batch the probabilistic check is not cheaper.
func (vk *VerifyingKey) VerifyBatch(claims []Claim) error {
	if len(claims) == 1 {
		return vk.Verify(claims[0].Proof, claims[0].Public)
	}
	for i := range claims {
		if len(claims[i].Public) != vk.PublicInputs() {
			return fault.Newf(fault.KeysPublicInputs, "%d given, %d needed", len(claims[i].Public), vk.PublicInputs())
		}
		if p := claims[i].Proof; !p.A.IsInSubGroup() || !p.B.IsInSubGroup() || !p.C.IsInSubGroup() {
			return fault.New(fault.ProofInvalid, "")
		}
	}
	weights, err := drawWeights(len(claims))
	if err != nil {
		return err
	}
	holds, err := vk.batchHolds(claims, weights)
	if err != nil {
		return err
	}
	if !holds {
		return fault.New(fault.ProofInvalid, "")
	}
	return nil
}

func (vk *VerifyingKey) batchHolds(claims []Claim, weights []weight) (bool, error) {
	left := make([]bw6.G1Jac, len(claims))
	right := make([]bw6.G2Affine, len(claims))
	var sumC bw6.G1Jac
	for i := range claims {
		left[i] = weights[i].times(&claims[i].Proof.A)
		right[i] = claims[i].Proof.B
		term := weights[i].times(&claims[i].Proof.C)
		sumC.AddAssign(&term)
	}
	sumL, total, err := vk.combineInputs(claims, weights)
	if err != nil {
		return false, err
	}
	var c, l, a bw6.G1Affine
	c.FromJacobian(&sumC)
	l.FromJacobian(&sumL)
	a.ScalarMultiplication(&vk.alphaNeg, total.BigInt(new(big.Int)))
	single, err := bw6.MillerLoop(bw6.BatchJacobianToAffineG1(left), right)
	if err != nil {
		return false, fault.New(fault.Internal, "Miller loop")
	}
	lines := append([]lineTable(nil), vk.lines...) // written to by the library's loop
	fixed, err := bw6.MillerLoopFixedQ([]bw6.G1Affine{l, c, a}, append(lines, vk.betaLines))
	if err != nil {
		return false, fault.New(fault.Internal, "Miller loop")
	}
	result := bw6.FinalExponentiation(&single, &fixed)
	return result.IsOne(), nil
}

// combineInputs is sum r_i L_i, one multi-exponentiation for the whole batch, and sum r_i.
func (vk *VerifyingKey) combineInputs(claims []Claim, weights []weight) (sum bw6.G1Jac, total Field, err error) {
	scalars := make([]Field, len(vk.inputs))
	var term Field
	for i := range claims {
		scalars[0].Add(&scalars[0], &weights[i].value)
		for j := range claims[i].Public {
			term.Mul(&weights[i].value, &claims[i].Public[j])
			scalars[j+1].Add(&scalars[j+1], &term)
		}
	}
	if _, err := sum.MultiExp(vk.inputs, scalars, ecc.MultiExpConfig{NbTasks: 1}); err != nil {
		return sum, total, fault.New(fault.Internal, "multi-exponentiation")
	}
	return sum, scalars[0], nil
}

// weight is u + lambda v.
type weight struct {
	u, v  big.Int
	value Field
}

func drawWeights(n int) ([]weight, error) {
	weights := make([]weight, n)
	for i := range weights {
		w := &weights[i]
		for w.value.IsZero() {
			var b [16]byte
			if _, err := rand.Read(b[:]); err != nil {
				return nil, err
			}
			w.set(binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]))
		}
	}
	return weights, nil
}

func (w *weight) set(u, v uint64) {
	w.u.SetUint64(u)
	w.v.SetUint64(v)
	var e Field
	e.SetUint64(u)
	w.value.SetUint64(v)
	w.value.Mul(&w.value, &endomorphism.lambda).Add(&w.value, &e)
}

// times is the weight's multiple of a point of the subgroup.
func (w *weight) times(p *bw6.G1Affine) bw6.G1Jac {
	image := bw6.G1Affine{Y: p.Y}
	image.X.Mul(&p.X, &endomorphism.omega)
	var r bw6.G1Jac
	r.JointScalarMultiplication(p, &image, &w.u, &w.v)
	return r
}

// endomorphism is (x, y) -> (omega x, y), which multiplies points of the subgroup by lambda.
var endomorphism = findEndomorphism()

type endomorphismOf struct {
	omega  fp.Element
	lambda Field
}

// findEndomorphism pairs a cube root of unity of the base field with the one of the scalar field that belongs to it.
func findEndomorphism() endomorphismOf {
	e := endomorphismOf{}
	third := func(p *big.Int) *big.Int {
		n := new(big.Int).Sub(p, big.NewInt(1))
		return n.Div(n, big.NewInt(3))
	}
	for i := uint64(2); e.omega.IsZero() || e.omega.IsOne(); i++ {
		e.omega.SetUint64(i)
		e.omega.Exp(e.omega, third(fp.Modulus()))
	}
	for i := uint64(2); e.lambda.IsZero() || e.lambda.IsOne(); i++ {
		e.lambda.SetUint64(i)
		e.lambda.Exp(e.lambda, third(fr.Modulus()))
	}
	_, _, g, _ := bw6.Generators()
	image := bw6.G1Affine{Y: g.Y}
	image.X.Mul(&g.X, &e.omega)
	var multiple bw6.G1Affine
	multiple.ScalarMultiplication(&g, e.lambda.BigInt(new(big.Int)))
	if !multiple.Equal(&image) {
		e.lambda.Square(&e.lambda) // the other root
	}
	return e
}
