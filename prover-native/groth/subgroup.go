package groth

import (
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// Membership in the two subgroups of order r, for points that are on their curves. For E(Fp) see package g1.
//
// A point Q of E'(Fp2) is in the subgroup exactly when psi(Q) = x Q, x being the curve's seed and psi the map that the
// Frobenius map of E becomes on its twist E'. On the subgroup, psi is the multiplication by p, and p = x modulo r. Conversely,
// psi^2 - (x + 1) psi + p = 0, as x + 1 is the trace of E. So the map psi - x has degree
//
//	x^2 - (x + 1) x + p = p - x = h1 r,   h1 = (x - 1)^2 / 3,
//
// and the order of its kernel divides that. The points of E'(Fp2) in the kernel are a group whose order also divides h2 r, the
// order of E'(Fp2). As h1 and h2 are coprime, it has r points: the subgroup and no others. This is the library's test, and the end
// of the loop of millerAll.

// psiX and psiY are such that psi(X, Y) = (psiX conjugate(X), psiY conjugate(Y)).
var psiX, psiY = psiFactors()

// psiFactors computes (1 + i)^((1-p)/3) and (1 + i)^((1-p)/2): E' is y^2 = x^3 + 4 (1 + i), and (X, Y) on it is the point
// (X / w^2, Y / w^3) of E, with w^6 = 1 + i.
func psiFactors() (x, y bls.E2) {
	power := func(divisor int64) *big.Int {
		n := new(big.Int).Sub(big.NewInt(1), fp.Modulus())
		return n.Div(n, big.NewInt(divisor))
	}
	var twist bls.E2
	twist.A0.SetOne()
	twist.A1.SetOne()
	x.Exp(twist, power(3))
	y.Exp(twist, power(2))
	return x, y
}

// psi is the map of the subgroup test.
func psi(q *bls.G2Affine) (image bls.G2Affine) {
	image.X.Conjugate(&q.X).Mul(&image.X, &psiX)
	image.Y.Conjugate(&q.Y).Mul(&image.Y, &psiY)
	return image
}

// g2InSubgroup tests points of E'(Fp2).
func g2InSubgroup(points []*bls.G2Affine) bool {
	for _, q := range points {
		if !q.IsInSubGroup() {
			return false
		}
	}
	return true
}
