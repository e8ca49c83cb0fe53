package clause

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Shown is the part (h', M') of a shown signature that a statement links to a message.
type Shown struct{ H, M bls.G1Affine }

// Show blinds the message over a base that is already re-randomised: M' = m h' + o g1.
func Show(base *bls.G1Affine, hm, o *fr.Element) Shown {
	return Shown{H: *base, M: combine(base, hm, o)}
}

// Hides tells whether the shown signature is one on the message (S-09).
func (s *Shown) Hides(hm, o *fr.Element) bool {
	want := Show(&s.H, hm, o)
	return want.M.Equal(&s.M)
}
