package r1cs

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
)

type power struct {
	Exponent int `gnark:"-"`
	Factor   int `gnark:"-"`
	X        frontend.Variable
	Y        frontend.Variable `gnark:",public"`
}

func (c *power) Define(api frontend.API) error {
	y := c.X
	for range c.Exponent - 1 {
		y = api.Mul(y, c.X)
	}
	api.AssertIsEqual(c.Y, api.Mul(y, c.Factor))
	return nil
}

func digest(t *testing.T, curve ecc.ID, c *power) [32]byte {
	t.Helper()
	ccs, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, c)
	if err != nil {
		t.Fatal(err)
	}
	return Digest(ccs.(System))
}

func TestDigestSeesEveryChange(t *testing.T) {
	for _, curve := range []ecc.ID{ecc.BLS12_381, ecc.BW6_761} {
		base := digest(t, curve, &power{Exponent: 5, Factor: 1})
		if digest(t, curve, &power{Exponent: 5, Factor: 1}) != base {
			t.Error("the same circuit has two digests")
		}
		if digest(t, curve, &power{Exponent: 6, Factor: 1}) == base {
			t.Error("another constraint, same digest")
		}
		if digest(t, curve, &power{Exponent: 5, Factor: 2}) == base {
			t.Error("another coefficient, same digest")
		}
	}
	if digest(t, ecc.BLS12_381, &power{Exponent: 5, Factor: 1}) == digest(t, ecc.BW6_761, &power{Exponent: 5, Factor: 1}) {
		t.Error("another curve, same digest")
	}
}
