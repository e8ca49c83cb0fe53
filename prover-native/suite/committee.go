package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/fault"
)

// MaxAuthorities bounds N, so that a decoder never allocates memory by a number that an attacker chose.
const MaxAuthorities = 100

// Member holds one authority's public keys: X = g2^{x_i}, Y = g2^{y_i}, Gamma = g1^{y_i}, and the Ed25519 key that signs its
// notes.
type Member struct {
	Index   int
	X, Y    G2
	Gamma   G1
	NoteKey [32]byte
}

// Committee is the public half of a shared key.
type Committee struct {
	Epoch   uint32
	F       int
	X, Y    G2
	Y1      G1
	Members []Member
}

// N is the number of authorities, 3f+1.
func (c *Committee) N() int { return 3*c.F + 1 }

// Quorum is the number of partial signatures that make one signature, 2f+1.
func (c *Committee) Quorum() int { return 2*c.F + 1 }

// Member returns the authority with this index, counted from 1.
func (c *Committee) Member(index int) (*Member, error) {
	if index < 1 || index > len(c.Members) {
		return nil, fault.Newf(fault.IndexOutOfRange, "authority %d of %d", index, len(c.Members))
	}
	return &c.Members[index-1], nil
}

// Check verifies that all public keys belong together: every point is in its group, Y1 and Y share one
// exponent, so do Gamma_i and Y_i, and the members' keys lie on polynomials of degree 2f through (X, Y). The
// last point means that every quorum of 2f+1 combines to the same key.
//
//spec:id S-11
func (c *Committee) Check() error {
	if err := c.checkShape(); err != nil {
		return err
	}
	if err := c.checkPoints(); err != nil {
		return err
	}
	if !sameExponent(&c.Y1, &c.Y) {
		return fault.New(fault.CommitteeInvalid, "Y1 and Y differ")
	}
	for i := range c.Members {
		if !sameExponent(&c.Members[i].Gamma, &c.Members[i].Y) {
			return fault.Newf(fault.CommitteeInvalid, "gamma and Y of authority %d differ", i+1)
		}
	}
	return c.checkPolynomial()
}

func (c *Committee) checkShape() error {
	if c.F < 1 || c.N() > MaxAuthorities || len(c.Members) != c.N() {
		return fault.Newf(fault.CommitteeInvalid, "f = %d with %d members", c.F, len(c.Members))
	}
	seen := make(map[[32]byte]bool, len(c.Members))
	for i := range c.Members {
		if c.Members[i].Index != i+1 {
			return fault.Newf(fault.CommitteeInvalid, "member %d has index %d", i+1, c.Members[i].Index)
		}
		if seen[c.Members[i].NoteKey] {
			return fault.Newf(fault.CommitteeInvalid, "authority %d repeats a note key", i+1)
		}
		seen[c.Members[i].NoteKey] = true
	}
	return nil
}

func (c *Committee) checkPoints() error {
	for _, p := range []*G2{&c.X, &c.Y} {
		if err := CheckG2(p); err != nil {
			return err
		}
	}
	if err := CheckG1(&c.Y1); err != nil {
		return err
	}
	for i := range c.Members {
		m := &c.Members[i]
		if err := CheckG2(&m.X); err != nil {
			return err
		}
		if err := CheckG2(&m.Y); err != nil {
			return err
		}
		if err := CheckG1(&m.Gamma); err != nil {
			return err
		}
	}
	return nil
}

// checkPolynomial interpolates the committee key and each further member's key from the first 2f+1 members. Only one
// polynomial of degree 2f runs through those, so the check covers all quorums at once.
func (c *Committee) checkPolynomial() error {
	quorum := c.Quorum()
	indices := make([]int, quorum)
	xs, ys := make([]G2, quorum), make([]G2, quorum)
	for i := range indices {
		indices[i], xs[i], ys[i] = i+1, c.Members[i].X, c.Members[i].Y
	}
	expect := func(at int, x, y *G2) error {
		weights, err := lagrange(indices, at)
		if err != nil {
			return err
		}
		if gotX, gotY := combineG2(xs, weights), combineG2(ys, weights); !gotX.Equal(x) || !gotY.Equal(y) {
			return fault.Newf(fault.CommitteeInvalid, "the keys do not lie on one polynomial (at %d)", at)
		}
		return nil
	}
	if err := expect(0, &c.X, &c.Y); err != nil {
		return err
	}
	for i := quorum; i < len(c.Members); i++ {
		if err := expect(i+1, &c.Members[i].X, &c.Members[i].Y); err != nil {
			return err
		}
	}
	return nil
}

// sameExponent reports whether p = g1^a and q = g2^a for one a.
func sameExponent(p *G1, q *G2) bool {
	_, _, g1, g2 := bls.Generators()
	var minus G1
	minus.Neg(&g1)
	ok, err := bls.PairingCheck([]G1{*p, minus}, []G2{g2, *q})
	return err == nil && ok
}
