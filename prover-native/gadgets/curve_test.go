package gadgets

import (
	"math/big"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"
)

// The constants are what the package documentation says: lambda = x^2 - 1, r = lambda^2 + lambda + 1, phi(g) = lambda g.
func TestCurveConstants(t *testing.T) {
	one := big.NewInt(1)
	seed := new(big.Int).SetUint64(0x8508c00000000001)
	if want := new(big.Int).Sub(new(big.Int).Mul(seed, seed), one); lambda.Cmp(want) != 0 {
		t.Error("lambda is not x^2 - 1")
	}
	order := new(big.Int).Mul(lambda, lambda)
	if order.Add(order, lambda).Add(order, one).Cmp(groupOrder) != 0 {
		t.Error("r is not lambda^2 + lambda + 1")
	}
	cube := new(big.Int).Exp(omega, big.NewInt(3), fieldOrder)
	if cube.Cmp(one) != 0 || omega.Cmp(one) == 0 {
		t.Error("omega is no primitive cube root of unity")
	}
	_, _, g1, _ := bls12377.Generators()
	var scaled bls12377.G1Affine
	scaled.ScalarMultiplication(&g1, lambda)
	var w fp.Element
	w.SetBigInt(omega)
	phi := g1
	phi.X.Mul(&phi.X, &w)
	if !phi.Equal(&scaled) {
		t.Error("phi(g1) is not lambda g1")
	}
}

// T = (0, 1) is on the curve, of order 3 and outside G1.
func TestOffsetPoint(t *testing.T) {
	var p, double bls12377.G1Affine
	p.Y.SetOne()
	double.Double(&p)
	var neg bls12377.G1Affine
	neg.Neg(&p)
	if !p.IsOnCurve() || p.IsInSubGroup() || !double.Equal(&neg) {
		t.Error("T is not a point of order 3 outside G1")
	}
}

// Bounds of the exponent link: no equation in F with q < 2^124 and halves below 2^127 wraps around p.
//
//spec:id E-10
func TestExponentLinkDoesNotWrap(t *testing.T) {
	most := new(big.Int).Lsh(groupOrder, quotientBits)
	half := new(big.Int).Lsh(big.NewInt(1), halfBits)
	exponent := new(big.Int).Add(half, new(big.Int).Mul(half, lambda))
	if most.Add(most, exponent).Cmp(fieldOrder) >= 0 {
		t.Error("q r + m can reach p")
	}
	// m is below 2r, so m and m + r are the only representations
	if exponent.Cmp(new(big.Int).Lsh(groupOrder, 1)) >= 0 {
		t.Error("m can reach 2 r")
	}
	// hash + p has a quotient out of range, and so has every hash whose own quotient is out of range
	if q := new(big.Int).Div(fieldOrder, groupOrder); q.BitLen() <= quotientBits {
		t.Error("p / r is in range")
	}
	// every honest scalar fits: floor((r-1) / lambda) and lambda - 1 have at most 127 bits
	if new(big.Int).Div(groupOrder, lambda).BitLen() > halfBits || lambda.BitLen() > halfBits {
		t.Error("an honest scalar does not fit")
	}
}
