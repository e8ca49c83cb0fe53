package recovery

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// CoreVars is the opening of the compliance coin that a core would create, its history's last entry included.
type CoreVars struct {
	Seed, S                     frontend.Variable
	Period, Sent, Count, Held   frontend.Variable
	Com, Counterparty           frontend.Variable    // of a recover: the histories below it
	Values                      [3]frontend.Variable // paid and the claimed coins; of a recover: returned, outflow, budget
	Withdrawn                   frontend.Variable
	Origin1, Origin2, Escrow, R frontend.Variable
}

// Circuit is the statement and its witness. The network is a constant of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`

	// the statement, in the order of Public.Vector; of the two cores first the one whose lead it has
	Next     [2]frontend.Variable    `gnark:",public"`
	Returned [2]frontend.Variable    `gnark:",public"`
	CoreCm   [2]frontend.Variable    `gnark:",public"`
	CoreD    [2]frontend.Variable    `gnark:",public"`
	Kind     [2]frontend.Variable    `gnark:",public"` // 1: a recover
	Credit   [2][2]frontend.Variable `gnark:",public"`
	Chain    frontend.Variable       `gnark:",public"`
	Covered  frontend.Variable       `gnark:",public"`
	Rk       gadgets.Point           `gnark:",public"`
	D        frontend.Variable       `gnark:",public"`
	Cm       [2]frontend.Variable    `gnark:",public"`
	Link     gadgets.Link            `gnark:",public"`

	Owner clause.OwnerVars
	Core  [2]CoreVars
	Held  frontend.Variable // of the new compliance coin; the rest returns as a coin
	Seed  frontend.Variable
	R     frontend.Variable // of the new history entry
	S     [2]frontend.Variable

	// 1 where the first of two values is the larger, or where there is something to issue
	LargerOutflow, LargerPeriod, LargerSent, LargerCount, Issues frontend.Variable

	LinkSecrets gadgets.LinkSecrets
}

// public are the public inputs in the order of Public.Vector.
func (c *Circuit) public() []frontend.Variable {
	return append([]frontend.Variable{
		c.Next[0], c.Next[1], c.Returned[0], c.Returned[1], c.CoreCm[0], c.CoreCm[1], c.CoreD[0], c.CoreD[1], c.Kind[0], c.Kind[1],
		c.Credit[0][0], c.Credit[0][1], c.Credit[1][0], c.Credit[1][1], c.Chain, c.Covered, c.Rk.X, c.Rk.Y, c.D, c.Cm[0], c.Cm[1],
	}, c.Link.Public()...)
}

// Define builds the constraints part by part.
func (c *Circuit) Define(api frontend.API) error {
	s := &statement{api: api, h: hash.NewCircuit(api, c.Network), c: c}
	s.apk, s.serialKey = c.Owner.Address(api, s.h, c.Rk) // C-01
	for j := range c.Core {
		s.rho(j)
		s.ranges(j)
		s.opening(j)
	}
	s.amounts()
	s.periods()
	s.outputs()
	gadgets.AssertSeparate(api, c.public()...) // C-06
	return nil
}

// Compile returns the constraint system of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	c := &Circuit{Network: network}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
}
