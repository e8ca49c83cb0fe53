package statementtest

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// LinkTo is an honest link to any messages. The challenge is random: a circuit takes any one.
func LinkTo(t testing.TB, h *hash.Hasher, messages ...fr.Element) (gadgets.Link, gadgets.LinkSecrets) {
	t.Helper()
	public, secret := gadgets.NewLink(len(messages))
	c, salt, nonces := Field(t), Field(t), make([]fr.Element, len(messages))
	public.C, secret.Salt = c, salt
	power := c
	for i := range messages {
		nonces[i] = Field(t)
		var z fr.Element
		z.Mul(&power, &messages[i]).Add(&z, &nonces[i])
		secret.Nonces[i], public.Responses[i] = nonces[i], z
		power.Mul(&power, &c)
	}
	public.A = h.Link(salt, nonces, messages)
	return public, secret
}
