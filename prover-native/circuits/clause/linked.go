package clause

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Linked are the linked points of a statement with what they hide, in their order: shown signatures, then outputs.
type Linked struct {
	bases, points      []suite.G1
	messages, openings []fr.Element
}

// Shown adds a shown signature with its message and its o.
func (l *Linked) Shown(s *Shown, hm, o *fr.Element) { l.add(&s.H, &s.M, hm, o) }

// Output adds a blinded coin with its message and its b.
func (l *Linked) Output(c *Coin, hm, b *fr.Element) { l.add(&c.H, &c.K, hm, b) }

func (l *Linked) add(base, point *suite.G1, hm, opening *fr.Element) {
	l.bases, l.points = append(l.bases, *base), append(l.points, *point)
	l.messages, l.openings = append(l.messages, *hm), append(l.openings, *opening)
}

// Link is the link of a statement as its prover knows it.
type Link struct {
	// Shown is what validators see.
	Shown suite.Link
	// C is the challenge, which they recompute.
	C fr.Element
	// Secrets are the nonces and the salt.
	Secrets *suite.LinkSecrets
}

// Wipe clears the secrets.
func (l *Link) Wipe() { l.Secrets.Wipe() }

// Bind draws fresh nonces and links the points to their messages (L-01 to L-03). rk is nil in a mint.
func (l *Linked) Bind(h *hash.Hasher, core [32]byte, d *fr.Element, rk *jubjub.Point) (*Link, error) {
	s := &suite.LinkStatement{Core: core, D: *d, RK: rk, H: l.bases, M: l.points}
	secrets, err := s.DrawLink(l.messages, l.openings)
	if err != nil {
		return nil, err
	}
	link := &Link{Secrets: secrets}
	link.Shown.T = secrets.Commitment(l.bases)
	link.Shown.A = h.Link(secrets.Salt, secrets.Kappa, l.messages)
	if link.C, err = s.Challenge(&link.Shown.T, &link.Shown.A); err != nil {
		return nil, err
	}
	link.Shown.Z, link.Shown.Blind = secrets.Respond(&link.C, l.messages, l.openings)
	return link, nil
}

// Append adds the public inputs of a link, in the order of gadgets.Link.
func (l *Link) Append(v []fr.Element) []fr.Element {
	return append(append(v, l.Shown.A, l.C), l.Shown.Z...)
}

// Assign returns the link as an assignment of circuit variables.
func (l *Link) Assign() (gadgets.Link, gadgets.LinkSecrets) {
	public, secret := gadgets.NewLink(len(l.Shown.Z))
	public.A, public.C = l.Shown.A, l.C
	copy(public.Responses, variables(l.Shown.Z))
	secret.Salt = l.Secrets.Salt
	copy(secret.Nonces, variables(l.Secrets.Kappa))
	return public, secret
}

// Holds evaluates the link on plain values: a commits to the nonces and these messages, and the responses fit (G-09).
func (l *Link) Holds(h *hash.Hasher, messages ...fr.Element) bool {
	if len(l.Shown.Z) != len(messages) || len(l.Secrets.Kappa) != len(messages) {
		return false
	}
	power := l.C
	for i := range messages {
		var z fr.Element
		z.Mul(&power, &messages[i]).Add(&z, &l.Secrets.Kappa[i])
		if !z.Equal(&l.Shown.Z[i]) {
			return false
		}
		power.Mul(&power, &l.C)
	}
	a := h.Link(l.Secrets.Salt, l.Secrets.Kappa, messages)
	return a.Equal(&l.Shown.A)
}

func variables(elements []fr.Element) []frontend.Variable {
	v := make([]frontend.Variable, len(elements))
	for i := range elements {
		v[i] = elements[i]
	}
	return v
}
