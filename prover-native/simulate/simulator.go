package simulate

import (
	"crypto/ed25519"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Simulator makes proofs of any statement under one network's load-test keys. It is safe for concurrent use.
type Simulator struct {
	Network   *statement.Network
	x, y      suite.Scalar
	trapdoors map[statement.Family]*trapdoor.Trapdoor
	versions  map[statement.Family]uint32
}

// MakeKeys fills a directory with load-test keys, or finds that it already holds them. See keys.MakeLoadTest.
func MakeKeys(dir string, p keys.Plan) (ed25519.PublicKey, error) {
	p.Class = keys.LoadTest
	return keys.MakeLoadTest(dir, p, &maker{})
}

// Open reads the simulator of an opened key set and checks that its secrets belong to the public keys.
func Open(set *keys.Set) (*Simulator, error) {
	raw, err := set.ReadSimulator()
	if err != nil {
		return nil, err
	}
	secrets, err := readSecrets(raw)
	if err != nil {
		return nil, err
	}
	s := &Simulator{
		Network: set.Network, x: secrets.x, y: secrets.y,
		trapdoors: map[statement.Family]*trapdoor.Trapdoor{}, versions: map[statement.Family]uint32{},
	}
	if !isKeyOf(&s.x, &set.Committee.X) || !isKeyOf(&s.y, &set.Committee.Y) {
		return nil, fault.New(fault.KeysInconsistent, "the simulator belongs to another committee")
	}
	public := set.VerifierKeys()
	for family, key := range map[statement.Family]*statement.CircuitKey{
		statement.FamilyTransfer: public.Transfer, statement.FamilyRegister: public.Register,
		statement.FamilyMint: public.Mint, statement.FamilyTransferUnregulated: public.Unregulated, statement.FamilyRecover: public.Recover,
	} {
		if key == nil {
			continue
		}
		entry, err := set.Entry(family)
		if err != nil {
			return nil, err
		}
		if err := s.adopt(family, key, secrets.trapdoors[entry.Name]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// adopt accepts a trapdoor if a proof made with it verifies.
func (s *Simulator) adopt(f statement.Family, key *statement.CircuitKey, t *trapdoor.Trapdoor) error {
	if t == nil {
		return fault.Newf(fault.KeysInconsistent, "no trapdoor for family %d", f)
	}
	draw := FreshStream()
	public := make([]suite.Field, key.Key.PublicInputs())
	for i := range public {
		public[i] = draw.Field()
	}
	encoded, err := t.Encoded(public, draw.Field)
	if err != nil {
		return err
	}
	if err := verifies(key, encoded, public); err != nil {
		return fault.Newf(fault.KeysInconsistent, "the trapdoor of family %d does not belong to its key", f)
	}
	s.trapdoors[f], s.versions[f] = t, key.Version
	return nil
}

// CircuitVersion returns the circuit version for evidence of a family.
func (s *Simulator) CircuitVersion(f statement.Family) uint32 { return s.versions[f] }

// Prove makes a proof for any public inputs of a family's circuit. The link is the one that the public inputs belong to.
func (s *Simulator) Prove(f statement.Family, public []suite.Field, link *suite.Link, draw *Stream) ([]byte, error) {
	t := s.trapdoors[f]
	if t == nil {
		return nil, fault.Newf(fault.WrongFamily, "%d", f)
	}
	proof, err := t.Encoded(public, draw.Field)
	if err != nil {
		return nil, err
	}
	encoded, err := suite.EncodeLink(link)
	if err != nil {
		return nil, err
	}
	return append(proof, encoded...), nil
}

// ProveTransfer makes the proof of a transfer of either family under the inputs that a validator would assemble, with a link that
// its caller made or found. It ignores the proof in the evidence. The statement may be false in all that a link does not show.
func (s *Simulator) ProveTransfer(i *statement.Item, link *suite.Link, draw *Stream) ([]byte, error) {
	t := i.Statement
	if err := t.CheckShape(); err != nil {
		return nil, err
	}
	if len(i.Evidence.Shows) != len(t.Serials) {
		return nil, fault.Newf(fault.WrongShowCount, "%d, want %d", len(i.Evidence.Shows), len(t.Serials))
	}
	linked, err := s.Linked(t, i.Evidence)
	if err != nil {
		return nil, err
	}
	return s.proveLinked(i, linked, link, draw)
}

// proveLinked is ProveTransfer for points that are already put together.
func (s *Simulator) proveLinked(i *statement.Item, linked *suite.LinkStatement, link *suite.Link, draw *Stream) ([]byte, error) {
	t := i.Statement
	claim, err := suite.NewLinkClaim(linked, link)
	if err != nil {
		return nil, err
	}
	if t.Family == statement.FamilyTransferUnregulated {
		return s.Prove(t.Family, statement.UnregulatedPublic(t, i.Evidence, &linked.D, claim), link, draw)
	}
	if i.Limits == nil || i.Root == nil {
		return nil, fault.New(fault.MalformedRequest, "limits and root are missing")
	}
	return s.Prove(t.Family, statement.TransferPublic(t, i.Evidence, &linked.D, claim, i.Limits, i.Root), link, draw)
}

// ProveRegister makes the proof of a registration under rk with a link.
func (s *Simulator) ProveRegister(r *statement.Register, rk *jubjub.Point, link *suite.Link, draw *Stream) ([]byte, error) {
	linked, err := s.LinkedRegister(r, rk)
	if err != nil {
		return nil, err
	}
	claim, err := suite.NewLinkClaim(linked, link)
	if err != nil {
		return nil, err
	}
	return s.Prove(statement.FamilyRegister, statement.RegisterPublic(r, &linked.D, rk, claim), link, draw)
}

// ProveMint makes the proof of a mint with a link.
func (s *Simulator) ProveMint(m *statement.Mint, link *suite.Link, draw *Stream) ([]byte, error) {
	linked, err := s.LinkedMint(m)
	if err != nil {
		return nil, err
	}
	claim, err := suite.NewLinkClaim(linked, link)
	if err != nil {
		return nil, err
	}
	return s.Prove(statement.FamilyMint, statement.MintPublic(m, &linked.D, claim), link, draw)
}

// Linked puts the linked points of a transfer together: shown signatures, then outputs.
func (s *Simulator) Linked(t *statement.Transfer, e *statement.Evidence) (*suite.LinkStatement, error) {
	core, err := t.Core(s.Network)
	if err != nil {
		return nil, err
	}
	outputs := t.Bases(s.Network)
	linked := &suite.LinkStatement{Core: core, D: outputs.D, RK: &e.RK}
	for i := range e.Shows {
		linked.H, linked.M = append(linked.H, e.Shows[i].H), append(linked.M, e.Shows[i].M)
	}
	return linked, s.addOutputs(linked, outputs, t.Outputs)
}

// LinkedRegister is the linked point of a registration: its coin.
func (s *Simulator) LinkedRegister(r *statement.Register, rk *jubjub.Point) (*suite.LinkStatement, error) {
	core, err := r.Core(s.Network)
	if err != nil {
		return nil, err
	}
	outputs := r.Bases(s.Network)
	linked := &suite.LinkStatement{Core: core, D: outputs.D, RK: rk}
	return linked, s.addOutputs(linked, outputs, []statement.BlindedCoin{r.Coin})
}

// LinkedMint is the linked point of a mint: its coin.
func (s *Simulator) LinkedMint(m *statement.Mint) (*suite.LinkStatement, error) {
	core, err := m.Core(s.Network)
	if err != nil {
		return nil, err
	}
	outputs := m.Bases(s.Network)
	linked := &suite.LinkStatement{Core: core, D: outputs.D}
	return linked, s.addOutputs(linked, outputs, []statement.BlindedCoin{m.Coin})
}

// addOutputs does not use the scheme, whose cache of recent values is for the verifier.
func (s *Simulator) addOutputs(linked *suite.LinkStatement, outputs *suite.Outputs, coins []statement.BlindedCoin) error {
	for j := range coins {
		base, err := s.Network.Hasher().CoinBase(outputs, j)
		if err != nil {
			return fault.New(fault.Internal, "hash to curve")
		}
		linked.H, linked.M = append(linked.H, base), append(linked.M, coins[j].K)
	}
	return nil
}

func verifies(key *statement.CircuitKey, encoded []byte, public []suite.Field) error {
	proof, err := groth.Decode(encoded)
	if err != nil {
		return err
	}
	return key.Key.Verify(proof, public)
}

func isKeyOf(secret *suite.Scalar, key *suite.G2) bool {
	p := fixedbase.G2(secret)
	return p.Equal(key)
}
