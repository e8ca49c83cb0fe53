package register

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Circuit is the statement. The network is a constant of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`

	Apk  frontend.Variable `gnark:",public"`
	D    frontend.Variable `gnark:",public"`
	Cm   frontend.Variable `gnark:",public"`
	Rk   gadgets.Point     `gnark:",public"`
	Link gadgets.Link      `gnark:",public"`

	Owner       clause.OwnerVars
	Seed        frontend.Variable
	S           frontend.Variable
	LinkSecrets gadgets.LinkSecrets
}

// Compile compiles the circuit of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	c := &Circuit{Network: network}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
}

// Define builds the constraints.
//
//spec:id R-02 R-04 C-02 C-03 C-06
func (c *Circuit) Define(api frontend.API) error {
	h := hash.NewCircuit(api, c.Network)
	apk, _ := c.Owner.Address(api, h, c.Rk)  // C-01
	api.AssertIsEqual(c.Apk, apk)
	rho, _ := h.Rhos(c.Seed, c.D)            // O-11
	hm := h.Compliance(&hash.ComplianceVars{
		Apk: c.Apk, Rho: rho, Period: 0, Sent: 0, Count: 0, Held: 0, Com: 0,
	})
	api.AssertIsEqual(c.Cm, h.Commit(c.S, hm)) // C-02
	c.Link.Assert(api, h, &c.LinkSecrets, hm)  // C-03
	public := append([]frontend.Variable{c.Apk, c.D, c.Cm, c.Rk.X, c.Rk.Y}, c.Link.Public()...)
	gadgets.AssertSeparate(api, public...) // C-06
	return nil
}
