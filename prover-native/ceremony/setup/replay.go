package setup

import (
	"fmt"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	"github.com/consensys/gnark/backend/groth16/bls12-381/mpcsetup"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
)

// replayPhase1 verifies every contribution and returns the last state. It keeps two states in memory.
func (t *transcript) replayPhase1(say func(string, ...any)) (*powers, error) {
	last, err := newPowers(t.init.Domain)
	if err != nil {
		return nil, err
	}
	for i := range t.phase(1).contributions {
		c := &t.phase(1).contributions[i]
		next, err := t.powersOf(c)
		if err == nil {
			err = last.verify(next)
		}
		if err != nil {
			return nil, fmt.Errorf("phase 1, contribution %d (%s): %w", c.Number, c.Name, err)
		}
		say("phase 1, contribution %d (%s) follows the one before it", c.Number, c.Name)
		last = next
	}
	return last, nil
}

func (t *transcript) powersOf(c *Contribution) (*powers, error) {
	raw, err := t.read(1, &c.Files[0])
	if err != nil {
		return nil, err
	}
	return readPowers(raw, t.init.Domain)
}

// start is the initial state of phase 2 of a circuit.
type start struct {
	phase2  *mpcsetup.Phase2
	evals   mpcsetup.Phase2Evaluations
	commons *mpcsetup.SrsCommons
	digest  []byte
	encoded []byte
}

// begin computes the initial state of phase 2 of a circuit.
func begin(commons *mpcsetup.SrsCommons, c *keys.Compiled, p *CircuitPlan) (*start, error) {
	trimmed, err := trim(commons, p.Domain)
	if err != nil {
		return nil, err
	}
	s := &start{phase2: new(mpcsetup.Phase2), commons: trimmed}
	s.evals = s.phase2.Initialize(c.System, trimmed)
	if s.encoded, err = encodePhase2(s.phase2); err != nil {
		return nil, err
	}
	if want := p.shape(); int64(len(s.encoded)) != want.initialSize() {
		return nil, ceremony.Refuse(ceremony.WrongSize, "phase 2 of %s starts with %d bytes, want %d", p.Name, len(s.encoded), want.initialSize())
	}
	s.digest = digestOf(s.encoded)
	return s, nil
}

// replayPhase2 verifies every contribution to one circuit and makes its keys.
func (t *transcript) replayPhase2(commons *mpcsetup.SrsCommons, index int, say func(string, ...any)) (*keys.SealedCircuit, error) {
	plan, compiled := &t.init.Circuits[index], &t.circuits[index]
	s, err := begin(commons, compiled, plan)
	if err != nil {
		return nil, err
	}
	if t.phase(1).beacon.Next[index].SHA256 != ceremony.Digest(s.encoded) {
		return nil, ceremony.Refuse(ceremony.WrongResult, "phase 2 of %s does not start from the end of phase 1", plan.Name)
	}
	say("phase 2 of %s starts from the end of phase 1", plan.Name)
	last, digest := s.phase2, s.digest
	for i := range t.phase(2).contributions {
		c := &t.phase(2).contributions[i]
		raw, err := t.read(2, &c.Files[index])
		var next *mpcsetup.Phase2
		if err == nil {
			next, err = readPhase2(raw, plan.shape(), false)
		}
		if err == nil {
			err = verifyPhase2(last, next, digest)
		}
		if err != nil {
			return nil, fmt.Errorf("phase 2, contribution %d (%s) to %s: %w", c.Number, c.Name, plan.Name, err)
		}
		say("phase 2, contribution %d (%s) to %s follows the one before it", c.Number, c.Name, plan.Name)
		last, digest = next, digestOf(raw)
	}
	return t.finish(s, last, index)
}

// finish adds the beacon and extracts the keys.
func (t *transcript) finish(s *start, last *mpcsetup.Phase2, index int) (*keys.SealedCircuit, error) {
	beacon, err := t.phase(2).beacon.value()
	if err != nil {
		return nil, err
	}
	pk, vk := last.Seal(s.commons, &s.evals, beacon)
	sealed := &keys.SealedCircuit{Compiled: t.circuits[index]}
	var ok bool
	if sealed.ProvingKey, ok = pk.(*groth16.ProvingKey); !ok {
		return nil, ceremony.Refuse(ceremony.WrongResult, "a proving key of another curve")
	}
	if sealed.VerifyingKey, ok = vk.(*groth16.VerifyingKey); !ok {
		return nil, ceremony.Refuse(ceremony.WrongResult, "a verifying key of another curve")
	}
	if sealed.VerifyingKey.G1.Delta.Equal(&g1) {
		return nil, ceremony.Refuse(ceremony.Degenerate, "delta")
	}
	return sealed, nil
}
