package transfer

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// ComplianceVars is the opening of the spent compliance coin. Its owner is the sender.
type ComplianceVars struct {
	Rho, Period, Sent, Count, Held, Com frontend.Variable
}

// InputVars is a received coin or a dummy.
type InputVars struct {
	Value, Origin, Rho, Dummy frontend.Variable
	// Message is the message of the shown signature: that of the coin, or any one where the input is a dummy.
	Message frontend.Variable
}

// Circuit is the statement and its witness. The package documentation lists the equations.
type Circuit struct {
	// Network is a constant of the circuit.
	Network hash.NetworkTag `gnark:"-"`

	// the statement, in the order of Public.Vector
	SnCc      frontend.Variable    `gnark:",public"`
	Sn        [2]frontend.Variable `gnark:",public"`
	Cm        [2]frontend.Variable `gnark:",public"`
	Rk        gadgets.Point        `gnark:",public"`
	D         frontend.Variable    `gnark:",public"`
	Withdrawn frontend.Variable    `gnark:",public"`
	VSent     frontend.Variable    `gnark:",public"`
	VTotal    frontend.Variable    `gnark:",public"`
	VHeld     frontend.Variable    `gnark:",public"`
	VEscrow   frontend.Variable    `gnark:",public"`
	VCount    frontend.Variable    `gnark:",public"`
	Period    frontend.Variable    `gnark:",public"`
	Root      frontend.Variable    `gnark:",public"`
	Link      gadgets.Link         `gnark:",public"`

	// the witness
	Owner     clause.OwnerVars
	Cc        ComplianceVars
	In        [2]InputVars
	Paid      frontend.Variable
	Escrow    frontend.Variable // 1: an escrow, whose lock is the recipient; 0: a coin
	Recipient frontend.Variable // apkR
	Seed      frontend.Variable
	EntryR    frontend.Variable
	HeldSel   frontend.Variable // 1: held' <= VHeld, 0: held' <= held
	S         [2]frontend.Variable

	LinkSecrets gadgets.LinkSecrets
	SenderOut   gadgets.Absence
	ReceiverOut gadgets.Absence
}

// Define builds the constraints part by part.
func (c *Circuit) Define(api frontend.API) error {
	define(api, c.view())
	return nil
}

func define(api frontend.API, v *view) {
	s := newStatement(api, v)
	for _, part := range parts {
		part.define(s)
	}
}

// Compile returns the constraint system of a network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	c := &Circuit{Network: network}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
}
