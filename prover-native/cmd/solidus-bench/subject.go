package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"solidus.io/prover/internal/machine"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"
	cs "github.com/consensys/gnark/constraint/bw6-761"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
)

// subject is a circuit under measurement.
type subject struct {
	name   string
	empty  frontend.Circuit
	assign func() (frontend.Circuit, error)
}

// prepared is a subject with keys.
type prepared struct {
	subject
	system *cs.R1CS
	keys   *keyPair
}

func (s subject) compile() (*cs.R1CS, error) {
	ccs, err := frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, s.empty)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", s.name, err)
	}
	system, ok := ccs.(*cs.R1CS)
	if !ok {
		return nil, fmt.Errorf("compile %s: unexpected constraint system %T", s.name, ccs)
	}
	return system, nil
}

// prepare compiles the circuit and reads its keys from the cache, or makes them by a setup.
func (s subject) prepare(cache string, progress io.Writer) (*prepared, error) {
	system, err := s.compile()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(progress, "%s: %d constraints, %d public inputs\n",
		s.name, system.GetNbConstraints(), system.GetNbPublicVariables()-1)
	keys, err := obtainKeys(s.name, system, cache, progress)
	if err != nil {
		return nil, err
	}
	return &prepared{subject: s, system: system, keys: keys}, nil
}

// sample is the time of one proof and of its verification.
type sample struct {
	prove, verify time.Duration
	cpu           time.Duration // processor time of the proof, which hardly depends on other load
}

// measure proves a fresh assignment and verifies the proof. It does not count the cost of the assignment (hashes,
// signatures). Solving the constraints is part of proving.
func (p *prepared) measure() (sample, error) {
	var out sample
	assignment, err := p.assign()
	if err != nil {
		return out, err
	}
	full, err := frontend.NewWitness(assignment, ecc.BW6_761.ScalarField())
	if err != nil {
		return out, err
	}
	public, err := full.Public()
	if err != nil {
		return out, err
	}
	start, cpu := time.Now(), machine.ProcessorTime()
	proof, err := groth16.Prove(p.system, p.keys.proving, full)
	out.prove, out.cpu = time.Since(start), machine.ProcessorTime()-cpu
	if err != nil {
		return out, fmt.Errorf("prove %s: %w", p.name, err)
	}
	values := public.Vector().(fr.Vector)
	start = time.Now()
	err = groth16.Verify(proof, p.keys.verifying, values)
	out.verify = time.Since(start)
	if err != nil {
		return out, fmt.Errorf("verify %s: %w", p.name, err)
	}
	return out, p.refusesAltered(proof, values)
}

// refusesAltered checks that the measured verification can fail.
func (p *prepared) refusesAltered(proof *groth16.Proof, values fr.Vector) error {
	changed := append(fr.Vector(nil), values...)
	one := fr.One()
	changed[0].Add(&changed[0], &one)
	if groth16.Verify(proof, p.keys.verifying, changed) == nil {
		return errors.New("a proof was accepted for another statement: " + p.name)
	}
	return nil
}
