package mint

import (
	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// Kind is the kind of network that the coin is for.
type Kind uint8

// The kinds. Each has its own coin tag.
const (
	Regulated Kind = iota + 1
	Unregulated
)

// Circuit is the statement. The network and its kind are constants of it.
type Circuit struct {
	Network hash.NetworkTag `gnark:"-"`
	Kind    Kind            `gnark:"-"`

	Value frontend.Variable `gnark:",public"`
	D     frontend.Variable `gnark:",public"`
	Cm    frontend.Variable `gnark:",public"`
	Link  gadgets.Link      `gnark:",public"`

	Apk         frontend.Variable
	Seed        frontend.Variable
	S           frontend.Variable
	LinkSecrets gadgets.LinkSecrets
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
	c := &Circuit{Network: network, Kind: kind}
	c.Link, c.LinkSecrets = gadgets.NewLink(LinkedPoints)
	return frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, c)
}

// Define builds the constraints.
//
//spec:id M-01 M-02 M-04
func (c *Circuit) Define(api frontend.API) error {
	h := hash.NewCircuit(api, c.Network)
	gadgets.AssertRange(api, c.Value, 64) // M-01
	gadgets.AssertNotZero(api, c.Apk)     // M-02
	rho, _ := h.Rhos(c.Seed, c.D)         // O-11
	var hm frontend.Variable              // M-04
	switch c.Kind {
	case Regulated:
		hm = h.Coin(int(hash.OriginMint), c.Value, c.Apk, rho)
	case Unregulated:
		hm = h.CoinUnregulated(c.Value, c.Apk, rho)
	default:
		return errKind
	}
	api.AssertIsEqual(c.Cm, h.Commit(c.S, hm))                                                          // C-02
	c.Link.Assert(api, h, &c.LinkSecrets, hm)                                                           // C-03
	gadgets.AssertSeparate(api, append([]frontend.Variable{c.Value, c.D, c.Cm}, c.Link.Public()...)...) // C-06
	return nil
}
