package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/baseline"
	identify "solidus.io/prover/internal/r1cs"
)

// subject is a circuit under measurement, over the scalar field of its curve.
type subject struct {
	name  string
	curve ecc.ID
	// compile builds the constraint system.
	compile func() (constraint.ConstraintSystem, error)
	// draw draws a statement with its secrets.
	draw func() (task, error)
}

// task is a statement with its secrets. It makes the assignment once, which is a part of proving: our transfer draws nonces and
// computes its link there.
type task func() (frontend.Circuit, error)

// subjects returns the paper's construction and our transfer. Tests replace it.
var subjects = func() ([2]subject, error) {
	transfer, err := transferSubject()
	return [2]subject{baselineSubject(), transfer}, err
}

// baselineSubject is the construction of the paper. The signatures on its spent coins are not a part of proving.
func baselineSubject() subject {
	key := baseline.NewSigningKey()
	return subject{
		name: "baseline", curve: ecc.BW6_761, compile: compiler(ecc.BW6_761, baseline.New(&key.Public)),
		draw: func() (task, error) {
			plan, err := baseline.SamplePlan()
			if err != nil {
				return nil, err
			}
			c, err := baseline.Assign(key, plan)
			return func() (frontend.Circuit, error) { return c, nil }, err
		},
	}
}

// prepared is a subject with keys.
type prepared struct {
	subject
	system identify.System
	keys   *keyPair
}

func compiler(curve ecc.ID, empty frontend.Circuit) func() (constraint.ConstraintSystem, error) {
	return func() (constraint.ConstraintSystem, error) {
		return frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, empty)
	}
}

func (s subject) build() (identify.System, error) {
	ccs, err := s.compile()
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", s.name, err)
	}
	system, ok := ccs.(identify.System)
	if !ok {
		return nil, fmt.Errorf("compile %s: unexpected constraint system %T", s.name, ccs)
	}
	return system, nil
}

// prepare compiles the circuit and reads its keys from the cache, or makes them by a setup.
func (s subject) prepare(cache string, progress io.Writer) (*prepared, error) {
	system, err := s.build()
	if err != nil {
		return nil, err
	}
	p := &prepared{subject: s, system: system}
	fmt.Fprintf(progress, "%s: %d constraints, %d public inputs, over %v\n",
		s.name, system.GetNbConstraints(), p.publicInputs(), s.curve)
	p.keys, err = obtainKeys(s, system, cache, progress)
	return p, err
}

func (p *prepared) publicInputs() int { return p.system.GetNbPublicVariables() - 1 }

// sample is the time of one proof and of its verification.
type sample struct {
	prove  reading
	verify time.Duration
}

// measure proves a fresh statement and verifies the proof. It does not count the cost of the statement (hashes, signatures).
// Solving the constraints is part of proving.
func (p *prepared) measure() (sample, error) {
	var out sample
	assign, err := p.draw()
	if err != nil {
		return out, err
	}
	watch := start()
	assignment, err := assign()
	if err != nil {
		return out, err
	}
	full, err := frontend.NewWitness(assignment, p.curve.ScalarField())
	if err != nil {
		return out, err
	}
	proof, err := groth16.Prove(p.system, p.keys.proving, full)
	out.prove = watch.lap()
	if err != nil {
		return out, fmt.Errorf("prove %s: %w", p.name, err)
	}
	public, err := full.Public()
	if err != nil {
		return out, err
	}
	watch.lap()
	err = groth16.Verify(proof, p.keys.verifying, public)
	out.verify = watch.lap().wall
	if err != nil {
		return out, fmt.Errorf("verify %s: %w", p.name, err)
	}
	return out, p.refusesAltered(proof, public)
}

// refusesAltered checks that the measured verification can fail.
func (p *prepared) refusesAltered(proof groth16.Proof, public witness.Witness) error {
	text, err := public.MarshalBinary()
	if err != nil {
		return err
	}
	text[len(text)-1] ^= 1 // of the last public input
	changed, err := witness.New(p.curve.ScalarField())
	if err != nil {
		return err
	}
	if err := changed.UnmarshalBinary(text); err != nil {
		return err
	}
	if groth16.Verify(proof, p.keys.verifying, changed) == nil {
		return errors.New("a proof was accepted for another statement: " + p.name)
	}
	return nil
}
