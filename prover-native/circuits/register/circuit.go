package register

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/hash"
)

// Circuit is the statement; the network is a constant of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`

	Apk  frontend.Variable `gnark:",public"`
	D    frontend.Variable `gnark:",public"`
	Coin clause.CoinVars   `gnark:",public"`
	Rk   sw.G1Affine       `gnark:",public"`

	Owner    clause.OwnerVars
	Seed     frontend.Variable
	Blinding clause.BlindingVars
}

// Compile compiles the circuit of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, &Circuit{Network: network})
}

// Define builds the constraints.
//
//spec:id R-02 R-04
func (c *Circuit) Define(api frontend.API) error {
	h, err := hash.NewCircuit(api, c.Network)
	if err != nil {
		return err
	}
	apk, _ := c.Owner.Address(api, h, c.Rk)  // C-01
	api.AssertIsEqual(c.Apk, apk)
	rho, _ := h.Rhos(c.Seed, c.D)            // O-11
	hm := h.Compliance(&hash.ComplianceVars{
		Apk: c.Apk, Rho: rho, Period: 0, Sent: 0, Count: 0, Held: 0, Com: 0,
	})
	c.Coin.AssertHides(api, h, hm, &c.Blinding) // C-02, C-03
	return nil
}
