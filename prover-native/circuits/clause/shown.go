package clause

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/gadgets"
)

// Shown is the part (h', M') of a shown signature that a statement speaks about.
type Shown struct{ H, M bls.G1Affine }

// ShownVars is Shown in a circuit.
type ShownVars struct{ H, M sw.G1Affine }

// Show re-randomised the base before; this blinds the message: M' = m h' + o g1.
func Show(base *bls.G1Affine, hm *fr.Element, o *blsfr.Element) (Shown, error) {
	m, err := gadgets.Exponent(hm)
	if err != nil {
		return Shown{}, err
	}
	return Shown{H: *base, M: combine(base, &m, o)}, nil
}

// Hides tells whether the shown signature is one on the message (S-09, E-10).
func (s *Shown) Hides(hm *fr.Element, o *blsfr.Element) bool {
	want, err := Show(&s.H, hm, o)
	return err == nil && want.M.Equal(&s.M)
}

// Assign gives the circuit's view.
func (s *Shown) Assign() ShownVars {
	return ShownVars{H: sw.NewG1Affine(s.H), M: sw.NewG1Affine(s.M)}
}
