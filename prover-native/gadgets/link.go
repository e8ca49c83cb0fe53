package gadgets

import (
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/hash"
)

// Link are the public values of a statement's link: the commitment a, the challenge c and a response for each linked point.
type Link struct {
	A, C      frontend.Variable
	Responses []frontend.Variable
}

// LinkSecrets are the salt and a nonce for each linked point.
type LinkSecrets struct {
	Salt   frontend.Variable
	Nonces []frontend.Variable
}

// NewLink returns the variables of a link of n points, for a circuit that is compiled.
func NewLink(n int) (Link, LinkSecrets) {
	return Link{Responses: make([]frontend.Variable, n)}, LinkSecrets{Nonces: make([]frontend.Variable, n)}
}

// Public are the variables of a link, which are all public.
func (l *Link) Public() []frontend.Variable {
	return append([]frontend.Variable{l.A, l.C}, l.Responses...)
}

// Assert asserts that a commits to the nonces and the messages (L-01), and that the responses are z_i = kappa_i + c^i m_i
// (L-03). It costs 2 n - 1 constraints beside the hash and the assertions.
//
//spec:id G-09
func (l *Link) Assert(api frontend.API, h *hash.Circuit, s *LinkSecrets, messages ...frontend.Variable) {
	api.AssertIsEqual(l.A, h.Link(s.Salt, s.Nonces, messages))
	power := l.C
	for i, m := range messages {
		if i > 0 {
			power = api.Mul(power, l.C)
		}
		api.AssertIsEqual(l.Responses[i], api.Add(s.Nonces[i], api.Mul(power, m)))
	}
}
