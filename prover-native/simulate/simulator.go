package simulate

import (
	"crypto/ed25519"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/keys"
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
		statement.FamilyMint: public.Mint, statement.FamilyTransferUnregulated: public.Unregulated,
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

// Prove makes a proof for any public inputs of a family's circuit.
func (s *Simulator) Prove(f statement.Family, public []suite.Field, draw *Stream) ([]byte, error) {
	t := s.trapdoors[f]
	if t == nil {
		return nil, fault.Newf(fault.WrongFamily, "%d", f)
	}
	return t.Encoded(public, draw.Field)
}

// ProveTransfer makes the proof of a transfer of either family under the inputs that a validator would assemble. It ignores
// the proof in the evidence.
func (s *Simulator) ProveTransfer(i *statement.Item, draw *Stream) ([]byte, error) {
	t := i.Statement
	if err := t.CheckShape(); err != nil {
		return nil, err
	}
	if len(i.Evidence.Shows) != len(t.Serials) {
		return nil, fault.Newf(fault.WrongShowCount, "%d, want %d", len(i.Evidence.Shows), len(t.Serials))
	}
	d := t.InputDigest(s.Network)
	bases, err := s.bases(&d, t.Outputs...)
	if err != nil {
		return nil, err
	}
	if t.Family == statement.FamilyTransferUnregulated {
		return s.Prove(t.Family, statement.UnregulatedPublic(t, i.Evidence, &d, bases), draw)
	}
	if i.Limits == nil || i.Root == nil {
		return nil, fault.New(fault.MalformedRequest, "limits and root are missing")
	}
	return s.Prove(t.Family, statement.TransferPublic(t, i.Evidence, &d, bases, i.Limits, i.Root), draw)
}

// ProveRegister makes the proof of a registration under rk.
func (s *Simulator) ProveRegister(r *statement.Register, rk *suite.G1, draw *Stream) ([]byte, error) {
	d := r.InputDigest(s.Network)
	bases, err := s.bases(&d, r.Coin)
	if err != nil {
		return nil, err
	}
	return s.Prove(statement.FamilyRegister, statement.RegisterPublic(r, &d, &bases[0], rk), draw)
}

// ProveMint makes the proof of a mint.
func (s *Simulator) ProveMint(m *statement.Mint, draw *Stream) ([]byte, error) {
	d := m.InputDigest(s.Network)
	bases, err := s.bases(&d, m.Coin)
	if err != nil {
		return nil, err
	}
	return s.Prove(statement.FamilyMint, statement.MintPublic(m, &d, &bases[0]), draw)
}

// bases does not use the scheme, whose cache of recent values is for the verifier.
func (s *Simulator) bases(d *suite.Field, coins ...statement.BlindedCoin) ([]suite.G1, error) {
	out := make([]suite.G1, len(coins))
	for i := range coins {
		var err error
		if out[i], err = s.Network.Hasher().CoinBase(&coins[i].Cm, d); err != nil {
			return nil, fault.New(fault.Internal, "hash to curve")
		}
	}
	return out, nil
}

func verifies(key *statement.CircuitKey, encoded []byte, public []suite.Field) error {
	proof, err := groth.Decode(encoded)
	if err != nil {
		return err
	}
	return key.Key.Verify(proof, public)
}

func isKeyOf(secret *suite.Scalar, key *suite.G2) bool {
	var p bls.G2Affine
	p.ScalarMultiplicationBase(secret.BigInt(new(big.Int)))
	return p.Equal(key)
}
