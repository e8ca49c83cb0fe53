// Package jubjubtest makes the points of Jubjub outside the subgroup of order l. Only tests import it.
package jubjubtest

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"

	"solidus.io/prover/jubjub"
)

// OrderEight is a point of order 8: l times the first point of the curve, by its y, for which that is one. A point with this y
// has x^2 = (y^2 - 1) / (d y^2 + 1).
func OrderEight() jubjub.Point {
	d, one := twistededwards.GetEdwardsCurve().D, fr.One()
	for y := uint64(2); ; y++ {
		var p jubjub.Point
		var square, denominator fr.Element
		p.Y.SetUint64(y)
		square.Square(&p.Y)
		denominator.Mul(&square, &d).Add(&denominator, &one)
		square.Sub(&square, &one).Div(&square, &denominator)
		if p.X.Sqrt(&square) == nil {
			continue
		}
		p.ScalarMultiplication(&p, jubjub.Order())
		two := jubjub.Add(p, p)
		if four := jubjub.Add(two, two); !four.IsZero() {
			return p
		}
	}
}
