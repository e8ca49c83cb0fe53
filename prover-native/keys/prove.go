package keys

import (
	"bytes"

	"github.com/consensys/gnark-crypto/ecc"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Warm reads a family's proving key.
func (s *Set) Warm(f statement.Family) error {
	l, err := s.find(f)
	if err != nil {
		return err
	}
	_, _, err = l.prover(s)
	return err
}

// Prove makes a proof and verifies it under the public inputs that a validator would assemble. The error for a witness that
// does not satisfy the circuit does not say which constraint fails: that would reveal values.
func (s *Set) Prove(f statement.Family, assignment frontend.Circuit, public []suite.Field) ([]byte, error) {
	l, err := s.find(f)
	if err != nil {
		return nil, err
	}
	sys, pk, err := l.prover(s)
	if err != nil {
		return nil, err
	}
	witness, err := frontend.NewWitness(assignment, ecc.BLS12_381.ScalarField())
	if err != nil {
		return nil, fault.New(fault.WitnessInvalid, "incomplete")
	}
	proof, err := groth16.Prove(sys.R1CS, pk, witness)
	if err != nil {
		return nil, fault.New(fault.WitnessInvalid, "a constraint does not hold")
	}
	encoded, err := groth.Encode(proof)
	if err != nil {
		return nil, err
	}
	return encoded, l.recheck(encoded, public)
}

// recheck verifies the encoded proof.
func (l *loaded) recheck(encoded []byte, public []suite.Field) error {
	proof, err := groth.Decode(encoded)
	if err != nil {
		return err
	}
	return l.vk.Verify(proof, public)
}

// prover returns the compiled circuit and the proving key, and reads them once. A failed attempt is repeated on the next
// call.
func (l *loaded) prover(s *Set) (*system, *groth16.ProvingKey, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pk != nil {
		return l.system, l.pk, nil
	}
	sys, err := l.build(s.Network.Tag())
	if err != nil {
		return nil, nil, err
	}
	pk, err := l.readProvingKey(s.dir, sys)
	if err != nil {
		return nil, nil, err
	}
	l.system, l.pk = sys, pk
	return sys, pk, nil
}

func (l *loaded) readProvingKey(dir string, sys *system) (*groth16.ProvingKey, error) {
	if l.entry.ProvingKey == (FileEntry{}) {
		return nil, fault.Newf(fault.KeysMissing, "%s has no proving key: load-test keys are for simulated proofs", l.name)
	}
	b, err := l.entry.ProvingKey.read(dir, l.name+".pk", maxProvingKey)
	if err != nil {
		return nil, err
	}
	if !plausibleProvingKey(b, sys.GetNbConstraints()) {
		return nil, fault.Newf(fault.KeysInconsistent, "%s does not fit its circuit", l.entry.ProvingKey.Name)
	}
	var pk groth16.ProvingKey
	r := bytes.NewReader(b)
	if _, err := pk.UnsafeReadFrom(r); err != nil || r.Len() != 0 {
		return nil, fault.Newf(fault.KeysManifest, "%s does not parse", l.entry.ProvingKey.Name)
	}
	if len(pk.CommitmentKeys) != 0 {
		return nil, fault.New(fault.KeysCommitmentKeys, l.entry.ProvingKey.Name)
	}
	wires := sys.GetNbPublicVariables() + sys.GetNbSecretVariables() + sys.GetNbInternalVariables()
	private := wires - sys.GetNbPublicVariables()
	if len(pk.InfinityA) != wires || len(pk.InfinityB) != wires || len(pk.G1.K) != private ||
		pk.Domain.Cardinality < uint64(sys.GetNbConstraints()) {
		return nil, fault.Newf(fault.KeysInconsistent, "%s does not fit its circuit", l.name)
	}
	return &pk, nil
}
