package unregulated

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Places of the two outputs.
const (
	RecipientCoin = iota
	ChangeCoin
)

const valueBits = 64

// InputVars is a spent coin.
type InputVars struct {
	Value, Rho frontend.Variable
}

// Circuit is the statement. The network is a constant of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`

	Serials   [2]frontend.Variable `gnark:",public"`
	Cm        [2]frontend.Variable `gnark:",public"`
	Rk        gadgets.Point        `gnark:",public"`
	D         frontend.Variable    `gnark:",public"`
	Withdrawn frontend.Variable    `gnark:",public"`
	Link      gadgets.Link         `gnark:",public"`

	Owner        clause.OwnerVars
	Inputs       [2]InputVars
	Dummy        frontend.Variable // of the second input
	Shown        frontend.Variable // the message that the second input shows: its coin's, or any one where it is a dummy
	Paid, Change frontend.Variable
	Recipient    frontend.Variable
	Seed         frontend.Variable
	S            [2]frontend.Variable
	LinkSecrets  gadgets.LinkSecrets
}

// Compile compiles the circuit of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	c := &Circuit{Network: network}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
}

// Define builds the constraints: the owner (C-01), then amounts, inputs, outputs and the link (C-03).
func (c *Circuit) Define(api frontend.API) error {
	h := hash.NewCircuit(api, c.Network)
	apk, serialKey := c.Owner.Address(api, h, c.Rk) // C-01
	c.amounts(api)
	spent := c.inputs(api, h, apk, serialKey)
	created := c.outputs(api, h, apk)
	c.Link.Assert(api, h, &c.LinkSecrets, append(spent, created...)...) // C-03
	public := []frontend.Variable{c.Serials[0], c.Serials[1], c.Cm[0], c.Cm[1], c.Rk.X, c.Rk.Y, c.D, c.Withdrawn}
	gadgets.AssertSeparate(api, append(public, c.Link.Public()...)...) // C-06
	return nil
}

// amounts asserts ranges, balance and the dummy.
//
//spec:id U-03 U-04 U-05
func (c *Circuit) amounts(api frontend.API) {
	first, second := c.Inputs[0].Value, c.Inputs[1].Value
	for _, v := range []frontend.Variable{first, second, c.Paid, c.Change, c.Withdrawn} {
		gadgets.AssertRange(api, v, valueBits)
	}
	api.AssertIsEqual(api.Add(first, second), api.Add(c.Paid, c.Change, c.Withdrawn))
	api.AssertIsBoolean(c.Dummy)
	api.AssertIsEqual(api.Mul(c.Dummy, second), 0)
}

// inputs asserts the serial numbers and returns the messages of the shown coins.
//
//spec:id U-02 U-11
func (c *Circuit) inputs(api frontend.API, h *hash.Circuit, apk, serialKey frontend.Variable) []frontend.Variable {
	var messages [2]frontend.Variable
	for i := range c.Inputs {
		in := &c.Inputs[i]
		api.AssertIsEqual(c.Serials[i], h.Serial(serialKey, in.Rho))
		messages[i] = h.CoinUnregulated(in.Value, apk, in.Rho)
	}
	api.AssertIsEqual(api.Mul(api.Sub(1, c.Dummy), api.Sub(messages[1], c.Shown)), 0)
	return []frontend.Variable{messages[0], c.Shown}
}

// outputs asserts the recipient and the new coins (C-02), and returns their messages.
//
//spec:id U-06 U-08
func (c *Circuit) outputs(api frontend.API, h *hash.Circuit, apk frontend.Variable) []frontend.Variable {
	gadgets.AssertNotZero(api, c.Recipient)
	rho0, rho1 := h.Rhos(c.Seed, c.D)
	hm := []frontend.Variable{
		RecipientCoin: h.CoinUnregulated(c.Paid, c.Recipient, rho0),
		ChangeCoin:    h.CoinUnregulated(c.Change, apk, rho1),
	}
	for j := range hm {
		api.AssertIsEqual(c.Cm[j], h.Commit(c.S[j], hm[j]))
	}
	return hm
}
