package keys

import (
	"crypto/ed25519"
	"path/filepath"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	simulatorFile = "simulator.json"
	maxSimulator  = 1 << 20
)

// Simulation makes the verifying keys of the load-test class, in place of a set-up.
type Simulation interface {
	// VerifyingKey makes the key of a circuit with this number of public inputs.
	VerifyingKey(circuit string, publicInputs int) (*groth16.VerifyingKey, error)
	// Secrets encodes the secrets that simulated proofs and signatures need. It is called after the last VerifyingKey. The
	// dealt shares are the committee's.
	Secrets(dealt *suite.Dealt) ([]byte, error)
}

// MakeLoadTest fills a directory with load-test keys as [Make] does with development keys: verifying keys, committee and
// shares, and no proving keys. The secrets of the simulation lie beside them in a file of their own.
func MakeLoadTest(dir string, p Plan, s Simulation) (ed25519.PublicKey, error) {
	if p.Class != LoadTest {
		return nil, fault.New(fault.KeysClass, "simulated proofs need keys of the load-test class")
	}
	return p.make(dir, maker{
		provenance: "known trapdoors on one machine, for load tests: whoever holds them forges proofs and signatures at will",
		circuit: func(dir string, n *statement.Network, c *circuit) (*CircuitEntry, error) {
			return p.simulated(dir, n, c, s)
		},
		dealt: func(dir string, d *suite.Dealt) error { return writeSecrets(dir, d, s) },
	})
}

// simulated compiles the circuit only for its digest: the keys are bound to the constraints like any others.
func (p *Plan) simulated(dir string, network *statement.Network, c *circuit, s Simulation) (*CircuitEntry, error) {
	sys, err := c.build(network.Tag())
	if err != nil {
		return nil, err
	}
	vk, err := s.VerifyingKey(c.name, c.publicInputs)
	if err != nil {
		return nil, err
	}
	if _, err := groth.NewVerifyingKey(vk, c.publicInputs); err != nil {
		return nil, err
	}
	e := c.entry(sys)
	if e.VerifyingKey, err = writeVerifyingKey(dir, c, vk); err != nil {
		return nil, err
	}
	p.say(c.name + ": verifying key with known trapdoors")
	return e, nil
}

func writeSecrets(dir string, d *suite.Dealt, s Simulation) error {
	raw, err := s.Secrets(d)
	if err != nil {
		return err
	}
	defer suite.Wipe(raw)
	_, err = write(dir, simulatorFile, raw, 0o600)
	return err
}

// ReadSimulator reads the secrets of the simulation. Callers wipe them.
func (s *Set) ReadSimulator() ([]byte, error) {
	if s.Class != LoadTest {
		return nil, fault.New(fault.KeysClass, "only load-test keys have a simulator")
	}
	return readPrivate(filepath.Join(s.dir, simulatorFile), maxSimulator)
}
