package gadgets

import (
	"math/big"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"
)

var (
	// groupOrder is r, the order of G1.
	groupOrder = blsfr.Modulus()
	// fieldOrder is p, the order of F.
	fieldOrder = fr.Modulus()
	// lambda is the eigenvalue of phi on G1.
	lambda = hexInt("452217cc900000010a11800000000000")
	// omega is the cube root of unity of phi, omegaSquared the other one.
	omega = hexInt("09b3af05dd14f6ec619aaf7d34594aab" +
		"c5ed1347970dec00452217cc900000008508c00000000001")
	omegaSquared = new(big.Int).Mod(new(big.Int).Mul(omega, omega), fieldOrder)
)

func hexInt(s string) *big.Int {
	v, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic("gadgets: malformed constant")
	}
	return v
}

// offset is T = (0, 1), of order 3. The package documentation explains its use.
func offset() sw.G1Affine { return sw.G1Affine{X: 0, Y: 1} }

func negate(api frontend.API, p sw.G1Affine) sw.G1Affine {
	return sw.G1Affine{X: p.X, Y: api.Neg(p.Y)}
}

// add returns p + q for finite p != +-q: 3 constraints.
func add(api frontend.API, p, q sw.G1Affine) sw.G1Affine {
	slope := api.DivUnchecked(api.Sub(q.Y, p.Y), api.Sub(q.X, p.X))
	x := api.Sub(api.Mul(slope, slope), api.Add(p.X, q.X))
	return sw.G1Affine{X: x, Y: api.Sub(api.Mul(slope, api.Sub(p.X, x)), p.Y)}
}

// doubleAndAdd returns 2p + q as (p + q) + p, without the y of p + q: 5 constraints. It needs p != +-q, p + q != +-p.
func doubleAndAdd(api frontend.API, p, q sw.G1Affine) sw.G1Affine {
	s1 := api.DivUnchecked(api.Sub(q.Y, p.Y), api.Sub(q.X, p.X))
	x1 := api.Sub(api.Mul(s1, s1), api.Add(p.X, q.X))
	// slope of the line through p and p + q: (y1 - py) / (x1 - px) = -s1 - 2 py / (x1 - px)
	s2 := api.Neg(api.Add(s1, api.DivUnchecked(api.Add(p.Y, p.Y), api.Sub(x1, p.X))))
	x := api.Sub(api.Mul(s2, s2), api.Add(p.X, x1))
	return sw.G1Affine{X: x, Y: api.Sub(api.Mul(s2, api.Sub(p.X, x)), p.Y)}
}

// choose returns p if bit is 1, q if it is 0.
func choose(api frontend.API, bit frontend.Variable, p, q sw.G1Affine) sw.G1Affine {
	return sw.G1Affine{X: api.Select(bit, p.X, q.X), Y: api.Select(bit, p.Y, q.Y)}
}

// AssertPointsEqual asserts that two finite points have the same coordinates.
func AssertPointsEqual(api frontend.API, p, q sw.G1Affine) {
	api.AssertIsEqual(p.X, q.X)
	api.AssertIsEqual(p.Y, q.Y)
}
