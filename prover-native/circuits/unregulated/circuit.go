package unregulated

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

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
	// Message opens the shown signature.
	Message gadgets.Opening
}

// Circuit is the statement; the network is a constant of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`

	Serials   [2]frontend.Variable `gnark:",public"`
	Outputs   [2]clause.CoinVars   `gnark:",public"`
	Shown     [2]clause.ShownVars  `gnark:",public"`
	Rk        sw.G1Affine          `gnark:",public"`
	D         frontend.Variable    `gnark:",public"`
	Withdrawn frontend.Variable    `gnark:",public"`

	Owner        clause.OwnerVars
	Inputs       [2]InputVars
	Dummy        frontend.Variable // of the second input
	Paid, Change frontend.Variable
	Recipient    frontend.Variable
	Seed         frontend.Variable
	Blindings    [2]clause.BlindingVars
}

// Compile compiles the circuit of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, &Circuit{Network: network})
}

// Define builds the constraints: the owner (C-01), then amounts, inputs and outputs.
func (c *Circuit) Define(api frontend.API) error {
	h, err := hash.NewCircuit(api, c.Network)
	if err != nil {
		return err
	}
	apk, serialKey := c.Owner.Address(api, h, c.Rk) // C-01
	c.amounts(api)
	c.inputs(api, h, apk, serialKey)
	c.outputs(api, h, apk)
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

// inputs asserts the serial numbers and the shown coins.
//
//spec:id U-02 U-10 U-11
func (c *Circuit) inputs(api frontend.API, h *hash.Circuit, apk, serialKey frontend.Variable) {
	for i := range c.Inputs {
		in := &c.Inputs[i]
		api.AssertIsEqual(c.Serials[i], h.Serial(serialKey, in.Rho))
		hm := h.CoinUnregulated(in.Value, apk, in.Rho)
		if i == 0 {
			in.Message.AssertLink(api, hm)
		} else {
			in.Message.AssertLinkUnless(api, c.Dummy, hm)
		}
		in.Message.AssertPoint(api, c.Shown[i].H, c.Shown[i].M)
	}
}

// outputs asserts the recipient and the new coins (C-02, C-03).
//
//spec:id U-06 U-08
func (c *Circuit) outputs(api frontend.API, h *hash.Circuit, apk frontend.Variable) {
	gadgets.AssertNotZero(api, c.Recipient)
	rho0, rho1 := h.Rhos(c.Seed, c.D)
	hm := [2]frontend.Variable{
		RecipientCoin: h.CoinUnregulated(c.Paid, c.Recipient, rho0),
		ChangeCoin:    h.CoinUnregulated(c.Change, apk, rho1),
	}
	for j := range c.Outputs {
		c.Outputs[j].AssertHides(api, h, hm[j], &c.Blindings[j])
	}
}
