package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Evidence is what a validator checks beside the statement of a transfer. It may be renewed for the same core.
type Evidence struct {
	CircuitVersion uint32
	RK             jubjub.Point
	Shows          []suite.Shown // of the compliance coin first, then of the coins
	Proof          []byte
	KeySignature   []byte
}

// OwnerEvidence is what a validator checks beside the statement of a registration.
type OwnerEvidence struct {
	CircuitVersion uint32
	RK             jubjub.Point
	Proof          []byte
	KeySignature   []byte
}

// CircuitKey is the verifying key of one circuit, and the circuit's version.
type CircuitKey struct {
	Version uint32
	Key     *groth.VerifyingKey
}

// Keys are the circuits that a network accepts. Requests for absent ones are refused; most folders of keys have no circuits of other
// shapes.
type Keys struct {
	Transfer, Register, Mint, Unregulated, Recover *CircuitKey
	Claim16, Pay8                                  *CircuitKey
}

// transfer is the circuit of a transfer family, and nil for other families.
func (k *Keys) transfer(f Family) *CircuitKey {
	switch f {
	case FamilyTransfer:
		return k.Transfer
	case FamilyTransferUnregulated:
		return k.Unregulated
	case FamilyClaim16:
		return k.Claim16
	case FamilyPay8:
		return k.Pay8
	default:
		return nil
	}
}

// Verifier checks requests of one network against one committee. It is safe for concurrent use.
type Verifier struct {
	network   *Network
	scheme    suite.Scheme
	committee *suite.Committee
	keys      Keys
}

// NewVerifier checks the committee, and that the circuits fit the kind of network.
func NewVerifier(n *Network, kind Kind, c *suite.Committee, keys Keys) (*Verifier, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	regulated := keys.Transfer != nil || keys.Register != nil || keys.Recover != nil || keys.Claim16 != nil || keys.Pay8 != nil
	if kind == Unregulated && regulated || kind == Regulated && keys.Unregulated != nil {
		return nil, fault.New(fault.KeysKind, "circuits of both kinds of network")
	}
	for _, k := range []struct {
		key    *CircuitKey
		inputs int
	}{
		{keys.Transfer, TransferInputs}, {keys.Register, RegisterInputs}, {keys.Mint, MintInputs}, {keys.Unregulated, UnregulatedInputs},
		{keys.Recover, RecoverInputs}, {keys.Claim16, Claim16Inputs}, {keys.Pay8, Pay8Inputs},
	} {
		if k.key != nil && k.key.Key.PublicInputs() != k.inputs {
			return nil, fault.Newf(fault.KeysPublicInputs, "%d, want %d", k.key.Key.PublicInputs(), k.inputs)
		}
	}
	return &Verifier{network: n, scheme: n.Scheme(), committee: c, keys: keys}, nil
}

// Network is the network the verifier belongs to.
func (v *Verifier) Network() *Network { return v.network }

// VerifyTransfer checks a regulated transfer of any shape against the limits and the sanction root of one policy.
func (v *Verifier) VerifyTransfer(s *Transfer, e *Evidence, l *Limits, root *suite.Field) error {
	family := regulatedFamily(s.Family)
	return v.verifyTransfer(&Item{Statement: s, Evidence: e, Limits: l, Root: root}, family, v.keys.transfer(family))
}

// regulatedFamily is the family of a shape, and that of transfers for every other one, which then is refused as another.
func regulatedFamily(f Family) Family {
	if f == FamilyClaim16 || f == FamilyPay8 {
		return f
	}
	return FamilyTransfer
}

// VerifyUnregulated checks an unregulated transfer.
func (v *Verifier) VerifyUnregulated(s *Transfer, e *Evidence) error {
	return v.verifyTransfer(&Item{Statement: s, Evidence: e}, FamilyTransferUnregulated, v.keys.Unregulated)
}

func (v *Verifier) verifyTransfer(item *Item, family Family, key *CircuitKey) error {
	opened, err := v.open(item, family, key)
	if err != nil {
		return err
	}
	for _, p := range opened.points(item) {
		if err := suite.CheckG1(p); err != nil {
			return err
		}
	}
	if err := suite.VerifyKeyClaims([]*suite.KeyClaim{opened.key}); err != nil {
		return err
	}
	if err := v.scheme.ShownHold(v.committee, item.Evidence.Shows); err != nil {
		return err
	}
	if err := suite.VerifyLinks([]*suite.LinkClaim{opened.link}); err != nil {
		return err
	}
	return key.Key.Verify(opened.proof.Groth, v.public(item, opened))
}

// VerifyRegister checks the cryptography of a registration. The person's identity is the subject of an attestation, which it
// does not check.
func (v *Verifier) VerifyRegister(s *Register, e *OwnerEvidence) error {
	if v.keys.Register == nil {
		return fault.New(fault.WrongFamily, "no registrations in this network")
	}
	if s.Apk.IsZero() {
		return fault.New(fault.OwnerZero, "")
	}
	proof, err := v.keys.Register.open(FamilyRegister, e.CircuitVersion, e.Proof)
	if err != nil {
		return err
	}
	if err := suite.CheckG1(&s.Coin.K); err != nil {
		return err
	}
	core, err := s.Core(v.network)
	if err != nil {
		return err
	}
	if err := suite.VerifyCore(&e.RK, core, e.KeySignature); err != nil {
		return err
	}
	link, err := v.verifySingle(proof, s.Bases(v.network), core, &e.RK, &s.Coin)
	if err != nil {
		return err
	}
	return v.keys.Register.Key.Verify(proof.Groth, RegisterPublic(s, &link.Statement.D, &e.RK, link))
}

// VerifyMint checks the cryptography of a mint. The two approvers' signatures authorise it, which it does not check.
func (v *Verifier) VerifyMint(s *Mint, circuitVersion uint32, proofBytes []byte) error {
	if v.keys.Mint == nil {
		return fault.New(fault.WrongFamily, "no mints in this network")
	}
	proof, err := v.keys.Mint.open(FamilyMint, circuitVersion, proofBytes)
	if err != nil {
		return err
	}
	if err := suite.CheckG1(&s.Coin.K); err != nil {
		return err
	}
	core, err := s.Core(v.network)
	if err != nil {
		return err
	}
	link, err := v.verifySingle(proof, s.Bases(v.network), core, nil, &s.Coin)
	if err != nil {
		return err
	}
	return v.keys.Mint.Key.Verify(proof.Groth, MintPublic(s, &link.Statement.D, link))
}

// verifySingle checks the link of a statement whose only linked point is its coin.
func (v *Verifier) verifySingle(proof *Proof, o *suite.Outputs, core [32]byte, rk *jubjub.Point, coin *BlindedCoin) (*suite.LinkClaim, error) {
	base, err := v.scheme.BlindBase(o, 0)
	if err != nil {
		return nil, err
	}
	s := &suite.LinkStatement{Core: core, D: o.D, RK: rk, H: []suite.G1{base}, M: []suite.G1{coin.K}}
	claim, err := suite.NewLinkClaim(s, proof.Link)
	if err != nil {
		return nil, err
	}
	if err := suite.CheckG1(&proof.Link.T); err != nil {
		return nil, err
	}
	return claim, suite.VerifyLinks([]*suite.LinkClaim{claim})
}

// opened is a decoded transfer. Its G1 points are on the curve and not yet known to be in the subgroup; rk and R are checked.
type opened struct {
	proof *Proof
	key   *suite.KeyClaim
	link  *suite.LinkClaim
}

// points are the points of G1 of a transfer, but for its proof's: blinded coins, presentations, the link's.
func (o *opened) points(item *Item) []*suite.G1 {
	var all []*suite.G1
	for i := range item.Statement.Outputs {
		all = append(all, &item.Statement.Outputs[i].K)
	}
	for i := range item.Evidence.Shows {
		all = append(all, item.Evidence.Shows[i].Points()...)
	}
	return append(all, &o.proof.Link.T)
}

// open checks what concerns one request alone, in ascending order of cost, and decodes it.
func (v *Verifier) open(item *Item, family Family, key *CircuitKey) (*opened, error) {
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
	proof, err := key.open(family, e.CircuitVersion, e.Proof)
	if err != nil {
		return nil, err
	}
	o := &opened{proof: proof}
	for _, p := range o.points(item) {
		if err := suite.CheckOnCurve(p); err != nil {
			return nil, err
		}
	}
	core, err := s.Core(v.network)
	if err != nil {
		return nil, err
	}
	if o.key, err = suite.NewKeyClaim(&e.RK, core, e.KeySignature); err != nil {
		return nil, err
	}
	o.link, err = v.linkOf(item, core, proof.Link)
	return o, err
}

// linkOf is the claim of a transfer's link. It recomputes D and the outputs' bases and takes neither from the request.
func (v *Verifier) linkOf(item *Item, core [32]byte, link *suite.Link) (*suite.LinkClaim, error) {
	bases := item.Statement.Bases(v.network)
	s := &suite.LinkStatement{Core: core, D: bases.D, RK: &item.Evidence.RK}
	for i := range item.Evidence.Shows {
		s.H, s.M = append(s.H, item.Evidence.Shows[i].H), append(s.M, item.Evidence.Shows[i].M)
	}
	for j := range item.Statement.Outputs {
		h, err := v.scheme.BlindBase(bases, j)
		if err != nil {
			return nil, err
		}
		s.H, s.M = append(s.H, h), append(s.M, item.Statement.Outputs[j].K)
	}
	return suite.NewLinkClaim(s, link)
}

// public assembles a transfer's public inputs.
//
//spec:id V-06
func (v *Verifier) public(item *Item, o *opened) []suite.Field {
	s, d := item.Statement, &o.link.Statement.D
	if s.Family == FamilyTransferUnregulated {
		return UnregulatedPublic(s, item.Evidence, d, o.link)
	}
	return TransferPublic(s, item.Evidence, d, o.link, item.Limits, item.Root)
}

// open checks the version and decodes the proof.
func (k *CircuitKey) open(family Family, version uint32, proof []byte) (*Proof, error) {
	if version != k.Version {
		return nil, fault.Newf(fault.UnknownCircuit, "version %d, have %d", version, k.Version)
	}
	return DecodeProof(family, proof)
}
