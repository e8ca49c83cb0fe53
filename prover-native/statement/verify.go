package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// Evidence is what convinces a validator of a transfer and may be renewed for the same core.
type Evidence struct {
	CircuitVersion uint32
	RK             suite.G1
	Shows          []suite.Shown // of the compliance coin first, then of the coins
	Proof          []byte
	KeySignature   []byte
}

// OwnerEvidence convinces a validator of a registration.
type OwnerEvidence struct {
	CircuitVersion uint32
	RK             suite.G1
	Proof          []byte
	KeySignature   []byte
}

// CircuitKey is the verifying key of one circuit and the version it answers to.
type CircuitKey struct {
	Version uint32
	Key     *groth.VerifyingKey
}

// Keys are the circuits a network accepts; the absent ones are refused.
type Keys struct {
	Transfer, Register, Mint, Unregulated *CircuitKey
}

// Verifier checks requests of one network against one committee. It is safe for concurrent use.
type Verifier struct {
	network   *Network
	scheme    suite.Scheme
	committee *suite.Committee
	keys      Keys
}

// NewVerifier checks the committee and that the circuits fit the kind of network.
func NewVerifier(n *Network, kind Kind, c *suite.Committee, keys Keys) (*Verifier, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	regulated := keys.Transfer != nil || keys.Register != nil
	if kind == Unregulated && regulated || kind == Regulated && keys.Unregulated != nil {
		return nil, fault.New(fault.KeysKind, "circuits of both kinds of network")
	}
	for _, k := range []struct {
		key    *CircuitKey
		inputs int
	}{{keys.Transfer, TransferInputs}, {keys.Register, RegisterInputs}, {keys.Mint, MintInputs}, {keys.Unregulated, UnregulatedInputs}} {
		if k.key != nil && k.key.Key.PublicInputs() != k.inputs {
			return nil, fault.Newf(fault.KeysPublicInputs, "%d, want %d", k.key.Key.PublicInputs(), k.inputs)
		}
	}
	return &Verifier{network: n, scheme: n.Scheme(), committee: c, keys: keys}, nil
}

// Network is the network the verifier belongs to.
func (v *Verifier) Network() *Network { return v.network }

// VerifyTransfer checks a regulated transfer against the limits and the sanction root of one policy.
func (v *Verifier) VerifyTransfer(s *Transfer, e *Evidence, l *Limits, root *suite.Field) error {
	return v.verifyTransfer(&Item{Statement: s, Evidence: e, Limits: l, Root: root}, FamilyTransfer, v.keys.Transfer)
}

// VerifyUnregulated checks an unregulated transfer.
func (v *Verifier) VerifyUnregulated(s *Transfer, e *Evidence) error {
	return v.verifyTransfer(&Item{Statement: s, Evidence: e}, FamilyTransferUnregulated, v.keys.Unregulated)
}

func (v *Verifier) verifyTransfer(item *Item, family Family, key *CircuitKey) error {
	proof, err := v.requestChecks(item, family, key)
	if err != nil {
		return err
	}
	if err := v.scheme.VerifyShown(v.committee, item.Evidence.Shows...); err != nil {
		return err
	}
	public, err := v.public(item)
	if err != nil {
		return err
	}
	return key.Key.Verify(proof, public)
}

// VerifyRegister checks the cryptography of a registration; who the person is, an attestation says elsewhere.
func (v *Verifier) VerifyRegister(s *Register, e *OwnerEvidence) error {
	if v.keys.Register == nil {
		return fault.New(fault.WrongFamily, "no registrations in this network")
	}
	if s.Apk.IsZero() {
		return fault.New(fault.OwnerZero, "")
	}
	proof, err := v.keys.Register.open(e.CircuitVersion, e.Proof)
	if err != nil {
		return err
	}
	if err := checkPoints(&s.Coin.K, &e.RK); err != nil {
		return err
	}
	core, err := s.Core(v.network)
	if err != nil {
		return err
	}
	if err := suite.VerifyCore(&e.RK, core, e.KeySignature); err != nil {
		return err
	}
	d := s.InputDigest(v.network)
	base, err := v.scheme.BlindBase(&s.Coin.Cm, &d)
	if err != nil {
		return err
	}
	return v.keys.Register.Key.Verify(proof, RegisterPublic(s, &d, &base, &e.RK))
}

// VerifyMint checks the cryptography of a mint; who may issue, two approvers' signatures say elsewhere.
func (v *Verifier) VerifyMint(s *Mint, circuitVersion uint32, proofBytes []byte) error {
	if v.keys.Mint == nil {
		return fault.New(fault.WrongFamily, "no mints in this network")
	}
	proof, err := v.keys.Mint.open(circuitVersion, proofBytes)
	if err != nil {
		return err
	}
	if err := checkPoints(&s.Coin.K); err != nil {
		return err
	}
	d := s.InputDigest(v.network)
	base, err := v.scheme.BlindBase(&s.Coin.Cm, &d)
	if err != nil {
		return err
	}
	return v.keys.Mint.Key.Verify(proof, MintPublic(s, &d, &base))
}

// requestChecks runs what concerns one request alone, in ascending order of cost: everything but the pairings.
func (v *Verifier) requestChecks(item *Item, family Family, key *CircuitKey) (*groth.Proof, error) {
	s, e := item.Statement, item.Evidence
	proof, err := v.openProof(item, family, key)
	if err != nil {
		return nil, err
	}
	points := []*suite.G1{&e.RK}
	for i := range s.Outputs {
		points = append(points, &s.Outputs[i].K)
	}
	if err := checkPoints(points...); err != nil {
		return nil, err
	}
	core, err := s.Core(v.network)
	if err != nil {
		return nil, err
	}
	return proof, suite.VerifyCore(&e.RK, core, e.KeySignature)
}

// openProof checks the shape of a request and decodes its proof.
func (v *Verifier) openProof(item *Item, family Family, key *CircuitKey) (*groth.Proof, error) {
	s, e := item.Statement, item.Evidence
	if s.Family != family || key == nil {
		return nil, fault.Newf(fault.WrongFamily, "%d", s.Family)
	}
	if err := s.CheckShape(); err != nil {
		return nil, err
	}
	if want := transferShapes[family].shows; len(e.Shows) != want {
		return nil, fault.Newf(fault.WrongShowCount, "%d, want %d", len(e.Shows), want)
	}
	return key.open(e.CircuitVersion, e.Proof)
}

// open is requestChecks with everything left out that is checked for many transfers at once: the subgroups of the points
// and the key signature's equation. It adds what the presentations' points need before that.
func (v *Verifier) open(item *Item, family Family, key *CircuitKey) (*opened, error) {
	s, e := item.Statement, item.Evidence
	proof, err := v.openProof(item, family, key)
	if err != nil {
		return nil, err
	}
	for i := range s.Outputs {
		if err := suite.CheckOnCurve(&s.Outputs[i].K); err != nil {
			return nil, err
		}
	}
	core, err := s.Core(v.network)
	if err != nil {
		return nil, err
	}
	claim, err := suite.NewKeyClaim(&e.RK, core, e.KeySignature)
	if err != nil {
		return nil, err
	}
	for i := range e.Shows {
		if err := e.Shows[i].CheckOnCurve(); err != nil {
			return nil, err
		}
	}
	return &opened{proof: proof, key: claim}, nil
}

// public assembles a transfer's public inputs. D and the outputs' bases are recomputed; none of them is taken from the
// request.
//
//spec:id V-06
func (v *Verifier) public(item *Item) ([]suite.Field, error) {
	s := item.Statement
	d := s.InputDigest(v.network)
	var bases []suite.G1
	for i := range s.Outputs {
		h, err := v.scheme.BlindBase(&s.Outputs[i].Cm, &d)
		if err != nil {
			return nil, err
		}
		bases = append(bases, h)
	}
	if s.Family == FamilyTransferUnregulated {
		return UnregulatedPublic(s, item.Evidence, &d, bases), nil
	}
	return TransferPublic(s, item.Evidence, &d, bases, item.Limits, item.Root), nil
}

// open checks the version and decodes the proof.
func (k *CircuitKey) open(version uint32, proof []byte) (*groth.Proof, error) {
	if version != k.Version {
		return nil, fault.Newf(fault.UnknownCircuit, "version %d, have %d", version, k.Version)
	}
	return groth.Decode(proof)
}

func checkPoints(points ...*suite.G1) error {
	for _, p := range points {
		if err := suite.CheckG1(p); err != nil {
			return err
		}
	}
	return nil
}
