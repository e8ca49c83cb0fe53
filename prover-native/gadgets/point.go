package gadgets

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/jubjub"
)

// Point is a point of Jubjub in a circuit.
type Point struct{ X, Y frontend.Variable }

// NewPoint assigns a point.
func NewPoint(p *jubjub.Point) Point { return Point{X: p.X, Y: p.Y} }

// edwardsD is d in -x^2 + y^2 = 1 + d x^2 y^2.
var edwardsD = func() *big.Int {
	d := twistededwards.GetEdwardsCurve().D
	return d.BigInt(new(big.Int))
}()

// add returns p + q for points of the curve: 6 constraints. The package documentation tells why no denominator is zero.
func add(api frontend.API, p, q Point) Point {
	u := api.Mul(api.Add(p.X, p.Y), api.Add(q.X, q.Y))
	v0, v1 := api.Mul(p.X, q.Y), api.Mul(q.X, p.Y)
	t := api.Mul(edwardsD, api.Mul(v0, v1))
	return Point{
		X: api.DivUnchecked(api.Add(v0, v1), api.Add(1, t)),
		Y: api.DivUnchecked(api.Sub(u, v0, v1), api.Sub(1, t)),
	}
}
