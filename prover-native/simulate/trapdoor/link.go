package trapdoor

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/suite"
)

// Opening is what a linked point hides: the point is H^Message g1^Blind. A point that is g1^x for a known x opens to the message
// zero over every base.
type Opening struct{ Message, Blind fr.Element }

// Link links points to their openings without a circuit: its commitment is a random element, which only the salt tells from a
// commitment. With simulated proofs it makes the simulator of page 3 of the specification.
func Link(s *suite.LinkStatement, openings []Opening, draw func() fr.Element) (*suite.Link, error) {
	nonces := DrawNonces(len(openings), draw)
	return Respond(s, nonces, nonces.Commitment(s.H), openings, draw)
}

// DrawNonces draws the nonces of a link of n points.
func DrawNonces(n int, draw func() fr.Element) *suite.LinkSecrets {
	nonces := &suite.LinkSecrets{Kappa: make([]fr.Element, n), Blind: draw()}
	for i := range nonces.Kappa {
		nonces.Kappa[i] = draw()
	}
	return nonces
}

// Respond is Link with given nonces and their point t, for callers that compute it faster.
func Respond(
	s *suite.LinkStatement, nonces *suite.LinkSecrets, t suite.G1, openings []Opening, draw func() fr.Element,
) (*suite.Link, error) {
	link := &suite.Link{A: draw(), T: t}
	c, err := s.Challenge(&link.T, &link.A)
	if err != nil {
		return nil, err
	}
	messages, blinds := make([]fr.Element, len(openings)), make([]fr.Element, len(openings))
	for i := range openings {
		messages[i], blinds[i] = openings[i].Message, openings[i].Blind
	}
	link.Z, link.Blind = nonces.Respond(&c, messages, blinds)
	return link, nil
}
