package gadgets

import (
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"
)

// halfBits is the width of the two halves of an exponent.
const halfBits = 127

// Ladder is s1 q + s2 phi(q) + scalar * g1 for q in G1 \ {O}. It range-checks s1 and s2.
//
// The accumulator starts at q + phi(q) and step i adds (2u_i - 1) q + (2v_i - 1) phi(q), u and v being the bits of s1 and s2. After
// the steps 126..1 the coefficients are 1 + sum_{i>0} u_i 2^i, so where bit 0 is 0 one q (one phi(q)) is taken off.
//
//spec:id G-05
func Ladder(api frontend.API, q sw.G1Affine, s1, s2 frontend.Variable, w *Windows) sw.G1Affine {
	u, v := api.ToBinary(s1, halfBits), api.ToBinary(s2, halfBits)
	negQ := negate(api, q)
	negPhi := sw.G1Affine{X: api.Mul(q.X, omega), Y: negQ.Y}
	// q + phi(q) = -phi^2(q), because 1 + phi + phi^2 = 0 on G1
	sum := sw.G1Affine{X: api.Mul(q.X, omegaSquared), Y: negQ.Y}
	diff := add(api, q, negPhi) // q.X != omega q.X, because q.X = 0 only for +-T

	// 126 doublings multiply T by 2^126 = 1 mod 3, so the offset is +T again at the end
	acc := add(api, sum, offset())
	for i := halfBits - 1; i > 0; i-- {
		acc = doubleAndAdd(api, acc, stepAddend(api, sum, diff, u[i], v[i]))
	}
	acc = choose(api, u[0], acc, add(api, acc, negQ))
	acc = choose(api, v[0], acc, add(api, acc, negPhi))
	acc = addWindows(api, acc, w)
	return add(api, acc, negate(api, offset()))
}

// stepAddend selects sum for (1,1), -sum for (0,0), diff for (1,0) and -diff for (0,1). The y is affine in u and v:
// y = -sum.Y + u (sum.Y + diff.Y) + v (sum.Y - diff.Y). 4 constraints.
func stepAddend(api frontend.API, sum, diff sw.G1Affine, u, v frontend.Variable) sw.G1Affine {
	differ := api.Sub(api.Add(u, v), api.Mul(2, api.Mul(u, v)))
	y := api.Add(
		api.Mul(u, api.Add(sum.Y, diff.Y)),
		api.Mul(v, api.Sub(sum.Y, diff.Y)))
	return sw.G1Affine{
		X: api.Add(sum.X, api.Mul(differ, api.Sub(diff.X, sum.X))),
		Y: api.Sub(y, sum.Y),
	}
}
