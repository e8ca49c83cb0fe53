package transfer

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// BlindedVars is an output coin in the circuit.
type BlindedVars struct {
	Cm   frontend.Variable
	H, K sw.G1Affine
}

// ShownVars is a shown signature in the circuit.
type ShownVars struct {
	H, M sw.G1Affine
}

// ComplianceVars is the opening of the spent compliance coin. Its owner is the sender.
type ComplianceVars struct {
	Rho, Period, Sent, Count, Held, Com frontend.Variable
}

// InputVars is a received coin or a dummy.
type InputVars struct {
	Value, Rho, Dummy frontend.Variable
}

// Circuit is the statement and its witness. The package documentation lists the equations.
type Circuit struct {
	// Network is a constant of the circuit.
	Network hash.NetworkTag `gnark:"-"`

	// the statement, in the order of Public.Vector
	SnCc      frontend.Variable    `gnark:",public"`
	Sn        [2]frontend.Variable `gnark:",public"`
	Out       [2]BlindedVars       `gnark:",public"`
	ShowCc    ShownVars            `gnark:",public"`
	Show      [2]ShownVars         `gnark:",public"`
	Rk        sw.G1Affine          `gnark:",public"`
	D         frontend.Variable    `gnark:",public"`
	Withdrawn frontend.Variable    `gnark:",public"`
	VSent     frontend.Variable    `gnark:",public"`
	VTotal    frontend.Variable    `gnark:",public"`
	VHeld     frontend.Variable    `gnark:",public"`
	VCount    frontend.Variable    `gnark:",public"`
	Period    frontend.Variable    `gnark:",public"`
	Root      frontend.Variable    `gnark:",public"`

	// the witness
	Nk        frontend.Variable
	Beta      gadgets.Windows // -alpha
	Cc        ComplianceVars
	In        [2]InputVars
	Paid      frontend.Variable
	Recipient frontend.Variable // apkR
	Seed      frontend.Variable
	EntryR    frontend.Variable
	HeldSel   frontend.Variable // 1: held' <= VHeld, 0: held' <= held
	S         [2]frontend.Variable

	NewOpening  [2]gadgets.Opening
	CcOpening   gadgets.Opening
	InOpening   [2]gadgets.Opening
	SenderOut   gadgets.Absence
	ReceiverOut gadgets.Absence
}

// Define builds the constraints part by part.
func (c *Circuit) Define(api frontend.API) error {
	h, err := hash.NewCircuit(api, c.Network)
	if err != nil {
		return err
	}
	s := &statement{api: api, h: h, c: c}
	for _, part := range parts {
		part.define(s)
	}
	return nil
}

// Compile returns the constraint system of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, &Circuit{Network: network})
}
