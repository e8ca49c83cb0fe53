package mint

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Kind is the kind of network that the coin is for.
type Kind uint8

// The kinds; each has its own coin tag.
const (
	Regulated Kind = iota + 1
	Unregulated
)

// Circuit is the statement; the network and its kind are constants of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`
	Kind    Kind            `gnark:"-"`

	Value frontend.Variable `gnark:",public"`
	D     frontend.Variable `gnark:",public"`
	Coin  clause.CoinVars   `gnark:",public"`

	Apk      frontend.Variable
	Seed     frontend.Variable
	Blinding clause.BlindingVars
}

// Compile compiles the circuit of a regulated network.
func Compile(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return compile(network, Regulated)
}

// CompileUnregulated compiles the circuit of an unregulated network.
func CompileUnregulated(network hash.NetworkTag) (constraint.ConstraintSystem, error) {
	return compile(network, Unregulated)
}

func compile(network hash.NetworkTag, kind Kind) (constraint.ConstraintSystem, error) {
	return frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, &Circuit{Network: network, Kind: kind})
}

// Define builds the constraints.
//
//spec:id M-01 M-02 M-04
func (c *Circuit) Define(api frontend.API) error {
	h, err := hash.NewCircuit(api, c.Network)
	if err != nil {
		return err
	}
	coin := h.Coin
	switch c.Kind {
	case Regulated:
	case Unregulated:
		coin = h.CoinUnregulated
	default:
		return errKind
	}
	gadgets.AssertRange(api, c.Value, 64)       // M-01
	gadgets.AssertNotZero(api, c.Apk)           // M-02
	rho, _ := h.Rhos(c.Seed, c.D)               // O-11
	hm := coin(c.Value, c.Apk, rho)             // M-04
	c.Coin.AssertHides(api, h, hm, &c.Blinding) // C-02, C-03
	return nil
}
