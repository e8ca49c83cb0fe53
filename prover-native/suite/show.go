package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
)

// Show presents a signature outside a circuit. With t and o uniform, (h', M') is uniform and s” follows from it, so a
// presentation reveals nothing about the issuance. The circuit proves that M' opens to a message with the right properties.
//
//spec:id S-09
func (s *PointchevalSanders) Show(c *Committee, sig *Signature, hm *Field, t, o *Scalar) (Shown, error) {
	r, err := s.Randomise(sig, t)
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{
		H: r.S1,
		M: add(mul(&r.S1, hm), mulBase(o)),
		S: add(r.S2, mul(&c.Y1, o)),
	}
	if shown.M.IsInfinity() || shown.S.IsInfinity() {
		return Shown{}, fault.New(fault.IdentityPoint, "draw t and o again")
	}
	return shown, nil
}

// VerifyShown checks e(h', X) e(M', Y) = e(s”, g2) for all presentations in one product, weighted by fresh 128-bit numbers.
// Without weights two wrong presentations could cancel each other out. The identity as h' would satisfy the equation with M'
// = g1^o, s” = Y1^o and no signature at all.
//
//spec:id S-10
func (s *PointchevalSanders) VerifyShown(c *Committee, shown ...Shown) error {
	for i := range shown {
		for _, p := range shown[i].Points() {
			if err := CheckG1(p); err != nil {
				return err
			}
		}
	}
	return s.ShownHold(c, shown)
}

// Points are h', M' and s”.
func (s *Shown) Points() []*G1 { return []*G1{&s.H, &s.M, &s.S} }

// CheckOnCurve is the check of a presentation without the subgroup check.
func (s *Shown) CheckOnCurve() error {
	for _, p := range s.Points() {
		if err := CheckOnCurve(p); err != nil {
			return err
		}
	}
	return nil
}

// ShownHold is VerifyShown for presentations whose points are already checked.
func (s *PointchevalSanders) ShownHold(c *Committee, shown []Shown) error {
	if len(shown) == 0 {
		return fault.New(fault.ShownSignatureInvalid, "none given")
	}
	weights, err := multiexp.DrawWeights(len(shown), &lambda)
	if err != nil {
		return err
	}
	if !shownHold(c, shown, weights) {
		return fault.New(fault.ShownSignatureInvalid, "")
	}
	return nil
}

func shownHold(c *Committee, shown []Shown, weights []weight) bool {
	rows := make([][]G1, 3)
	for r := range rows {
		rows[r] = make([]G1, 0, 2*len(shown))
	}
	scalars := make([]multiexp.Half, 0, 2*len(shown))
	for i := range shown {
		for r, p := range shown[i].Points() {
			rows[r] = append(rows[r], *p, g1.Image(p))
		}
		scalars = weights[i].AppendHalves(scalars)
	}
	sums := g1.Normalise(multiexp.Sums[bls.G1Jac](new(g1.Adder), rows, scalars))
	return pairingHolds(&sums[0], &c.X, &sums[1], &c.Y, &sums[2])
}
