package clause

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

// Append adds the public inputs of a blinded coin, in the order of CoinVars.
func (c *Coin) Append(v []fr.Element) []fr.Element {
	return AppendPoints(append(v, c.Cm), &c.H, &c.K)
}

// Append adds the public inputs of a shown signature, in the order of ShownVars.
func (s *Shown) Append(v []fr.Element) []fr.Element { return AppendPoints(v, &s.H, &s.M) }

// AppendPoints adds the coordinates of points. The base field of BLS12-377 is F, and so is its representation.
func AppendPoints(v []fr.Element, points ...*bls.G1Affine) []fr.Element {
	for _, p := range points {
		v = append(v, fr.Element(p.X), fr.Element(p.Y))
	}
	return v
}
