package statement

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/groth"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/suite"
)

// simulator is a verifying key with known trapdoors: it makes an accepting proof for any public inputs, which is what
// these tests need of a proof.
type simulator struct {
	key      *groth.VerifyingKey
	trapdoor *trapdoor.Trapdoor
}

func random(t testing.TB) (e fr.Element) {
	t.Helper()
	_, err := e.SetRandom()
	must(t, err)
	return e
}

func newSimulator(t testing.TB, inputs int) *simulator {
	t.Helper()
	made, err := trapdoor.New(trapdoor.Draw(inputs, func() fr.Element { return random(t) }))
	must(t, err)
	key, err := made.Checked()
	must(t, err)
	return &simulator{key, made}
}

func (s *simulator) prove(t testing.TB, public []suite.Field) []byte {
	t.Helper()
	encoded, err := s.trapdoor.Encoded(public, func() fr.Element { return random(t) })
	must(t, err)
	return encoded
}
