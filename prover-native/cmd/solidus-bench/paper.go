package main

import (
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/frontend"
)

// paperProof is a proof that costs its verifier what a proof of the paper's construction does. The time of a verification
// depends on the curve and the public inputs alone, so the proof is one of a circuit of nothing else, and no setup of minutes is
// needed. The public inputs are those of a payment in the construction.
type paperProof struct {
	key    groth16.VerifyingKey
	proof  groth16.Proof
	public witness.Witness
}

// copies asserts that each public input is equal to a secret.
type copies struct {
	Public []frontend.Variable `gnark:",public"`
	Secret []frontend.Variable
}

func newCopies(n int) *copies {
	return &copies{make([]frontend.Variable, n), make([]frontend.Variable, n)}
}

// Define states the relation.
func (c *copies) Define(api frontend.API) error {
	for i := range c.Public {
		api.AssertIsEqual(c.Public[i], c.Secret[i])
	}
	return nil
}

func newPaperProof() (*paperProof, error) {
	s := baselineSubject()
	inputs, err := publicInputs(s)
	if err != nil {
		return nil, err
	}
	system, err := compiler(s.curve, newCopies(len(inputs)))()
	if err != nil {
		return nil, err
	}
	proving, verifying, err := groth16.Setup(system)
	if err != nil {
		return nil, err
	}
	full, err := frontend.NewWitness(&copies{inputs, inputs}, s.curve.ScalarField())
	if err != nil {
		return nil, err
	}
	p := &paperProof{key: verifying}
	if p.proof, err = groth16.Prove(system, proving, full); err != nil {
		return nil, err
	}
	p.public, err = full.Public()
	return p, err
}

// publicInputs are those of a payment in the paper's construction.
func publicInputs(s subject) ([]frontend.Variable, error) {
	assign, err := s.draw()
	if err != nil {
		return nil, err
	}
	assignment, err := assign()
	if err != nil {
		return nil, err
	}
	public, err := frontend.NewWitness(assignment, s.curve.ScalarField(), frontend.PublicOnly())
	if err != nil {
		return nil, err
	}
	var inputs []frontend.Variable
	for _, x := range public.Vector().(fr.Vector) {
		inputs = append(inputs, x)
	}
	return inputs, nil
}

// verify is the library's verification, n times one after the other.
func (p *paperProof) verify(n int) (reading, error) {
	watch := start()
	for range n {
		if err := groth16.Verify(p.proof, p.key, p.public); err != nil {
			return reading{}, err
		}
	}
	return watch.lap(), nil
}
