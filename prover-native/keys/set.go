package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/versions"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Expectation holds the properties that a caller requires of keys.
type Expectation struct {
	Network     string
	Kind        statement.Kind
	Allowed     ClassSet
	ManifestKey []byte
	// Production says that the caller runs under the production profile, however it learnt that. It then pins transcripts.
	Production bool
	// Transcripts are the digests that the caller pins, in the order of the manifest and then of its shapes. Nil pins none outside
	// production.
	Transcripts [][32]byte
}

// Set is an opened key directory. It is safe for concurrent use.
type Set struct {
	Network   *statement.Network
	Kind      statement.Kind
	Class     Class
	Manifest  *Manifest
	Digest    [32]byte // of the manifest's bytes
	Committee *suite.Committee
	Former    []Former // the newest first

	// Shapes are nil where the directory has none, and their digest is zero then.
	Shapes       *Shapes
	ShapesDigest [32]byte // of the bytes of shapes.json

	dir      string
	circuits map[statement.Family]*loaded
}

// loaded is a circuit with its verifying key and, after the first proof, its proving key.
type loaded struct {
	circuit
	entry *CircuitEntry
	vk    *groth.VerifyingKey

	mu     sync.Mutex
	system *system
	pk     *groth16.ProvingKey
}

// Open verifies a key directory. Proving keys are read later, by the first proof or by Warm.
func Open(dir string, want Expectation) (*Set, error) {
	s, err := admitted(dir, want)
	if err != nil {
		return nil, err
	}
	if s.Committee, err = s.Manifest.Committee.decode(); err != nil {
		return nil, err
	}
	if s.Former, err = s.Manifest.formers(s.Committee); err != nil {
		return nil, err
	}
	if err := s.loadCircuits(); err != nil {
		return nil, err
	}
	return s, s.loadShapes()
}

// Identity is what tells key directories apart: the digests of the manifest and of the shapes.
type Identity struct{ Manifest, Shapes [32]byte }

// Identity returns the set's.
func (s *Set) Identity() Identity { return Identity{s.Digest, s.ShapesDigest} }

// Admit verifies only the manifest and the file of shapes, and returns the digests of their bytes.
func Admit(dir string, want Expectation) (Identity, error) {
	s, err := admitted(dir, want)
	if err != nil {
		return Identity{}, err
	}
	return s.Identity(), nil
}

func admitted(dir string, want Expectation) (*Set, error) {
	if err := versions.CheckThisProcess(); err != nil {
		return nil, fault.New(fault.LibraryMismatch, err.Error())
	}
	raw, signature, err := readSigned(dir)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(raw, signature, want.ManifestKey)
	if err != nil {
		return nil, err
	}
	s := &Set{Manifest: m, Digest: sha256.Sum256(raw), dir: dir, circuits: map[statement.Family]*loaded{}}
	if err := s.admitShapes(want); err != nil {
		return nil, err
	}
	if err := s.admit(want); err != nil {
		return nil, err
	}
	return s, nil
}

func readSigned(dir string) (manifest, signature []byte, err error) {
	if manifest, err = readLimited(filepath.Join(dir, manifestFile), maxManifest); err != nil {
		return nil, nil, err
	}
	signature, err = readHex(filepath.Join(dir, signatureFile), 64)
	return manifest, signature, err
}

// admit compares the properties of the keys with the caller's expectation.
func (s *Set) admit(want Expectation) (err error) {
	if s.Network, err = statement.NewNetwork(want.Network); err != nil {
		return err
	}
	if s.Manifest.Network != want.Network {
		return fault.Newf(fault.KeysNetwork, "%q, want %q", s.Manifest.Network, want.Network)
	}
	if s.Kind, err = statement.ParseKind(s.Manifest.Kind); err != nil {
		return err
	}
	if s.Kind != want.Kind {
		return fault.Newf(fault.KeysKind, "%v, want %v", s.Kind, want.Kind)
	}
	if s.Class, err = ParseClass(s.Manifest.Class); err != nil {
		return err
	}
	if !want.Allowed.has(s.Class) {
		return fault.New(fault.KeysClass, s.Class.String())
	}
	if (want.Production || inProduction()) && s.Class != Ceremony {
		return fault.Newf(fault.KeysClass, "%s, under the production profile", s.Class)
	}
	return s.admitOrigin(want)
}

// admitOrigin compares where the keys come from with what the caller pins. The word "ceremony" in a manifest proves nothing:
// whoever has the manifest's key writes it. The digests of transcripts that others verified do.
//
//spec:id K-12
func (s *Set) admitOrigin(want Expectation) error {
	if (s.Class == Ceremony) != (len(s.Manifest.Transcripts) > 0) {
		return fault.New(fault.KeysManifest, "keys of the ceremony class must name their transcripts, and other keys must not")
	}
	named := s.Manifest.Transcripts
	if s.Shapes != nil {
		if (s.Class == Ceremony) != (len(s.Shapes.Transcripts) > 0) {
			return fault.New(fault.KeysManifest, "shapes of the ceremony class must name their transcripts, and others must not")
		}
		named = slices.Concat(named, s.Shapes.Transcripts)
	}
	digests, err := transcriptDigests(named)
	if err != nil {
		return err
	}
	if s.Class == Ceremony {
		for _, name := range []string{sharesDir, simulatorFile} {
			if _, err := os.Lstat(filepath.Join(s.dir, name)); !errors.Is(err, fs.ErrNotExist) {
				return fault.Newf(fault.KeysClass, "keys of the ceremony class beside %s, which only a dealer has", name)
			}
		}
	}
	if (want.Production || len(want.Transcripts) > 0) && !slices.Equal(want.Transcripts, digests) {
		return fault.Newf(fault.KeysTranscripts, "manifest and shapes name %d, %d are pinned", len(digests), len(want.Transcripts))
	}
	return nil
}

// transcriptDigests decodes the entries of transcripts, those of a manifest and then those of its shapes. Each has a name and a
// digest of its own.
func transcriptDigests(named []TranscriptEntry) ([][32]byte, error) {
	var all [][32]byte
	for _, t := range named {
		raw, err := hex.DecodeString(t.SHA256)
		if err != nil || len(raw) != sha256.Size || hex.EncodeToString(raw) != t.SHA256 || t.Name == "" {
			return nil, fault.New(fault.KeysManifest, "a transcript without name or digest")
		}
		digest := [32]byte(raw)
		if slices.Contains(all, digest) {
			return nil, fault.New(fault.KeysManifest, "a transcript stands twice")
		}
		all = append(all, digest)
	}
	return all, nil
}

// loadCircuits requires exactly the circuits of the kind, each as it is compiled here.
func (s *Set) loadCircuits() error {
	circuits := registry[s.Kind]
	if len(s.Manifest.Circuits) != len(circuits) {
		return fault.Newf(fault.KeysManifest, "%d circuits, want %d", len(s.Manifest.Circuits), len(circuits))
	}
	for _, c := range circuits {
		entry, err := s.Manifest.circuit(c.name)
		if err != nil {
			return err
		}
		if err := s.load(c, entry); err != nil {
			return err
		}
	}
	return nil
}

// load takes a circuit that an entry describes.
func (s *Set) load(c circuit, entry *CircuitEntry) error {
	if err := matchCircuit(&c, entry, s.Network); err != nil {
		return err
	}
	l := &loaded{circuit: c, entry: entry}
	var err error
	if l.vk, err = readVerifyingKey(s.dir, entry, &c); err != nil {
		return err
	}
	s.circuits[c.family] = l
	return nil
}

// matchCircuit compiles the circuit and compares: keys of other constraints would prove something else.
func matchCircuit(c *circuit, e *CircuitEntry, n *statement.Network) error {
	sys, err := c.build(n.Tag())
	if err != nil {
		return err
	}
	if e.Version != c.version || e.Digest != hex.EncodeToString(sys.digest[:]) || e.PublicInputs != c.publicInputs {
		return fault.Newf(fault.KeysMismatch, "%s was made for other constraints", c.name)
	}
	return nil
}

func readVerifyingKey(dir string, e *CircuitEntry, c *circuit) (*groth.VerifyingKey, error) {
	b, err := e.VerifyingKey.read(dir, c.name+".vk", maxVerifyingKey)
	if err != nil {
		return nil, err
	}
	return parseVerifyingKey(b, e, c)
}

func parseVerifyingKey(b []byte, e *CircuitEntry, c *circuit) (*groth.VerifyingKey, error) {
	var vk groth16.VerifyingKey
	r := bytes.NewReader(b)
	if !plausibleVerifyingKey(b) {
		return nil, fault.Newf(fault.KeysManifest, "the counts in %s do not match its length", e.VerifyingKey.Name)
	}
	if _, err := vk.ReadFrom(r); err != nil || r.Len() != 0 {
		return nil, fault.Newf(fault.KeysManifest, "%s does not parse", e.VerifyingKey.Name)
	}
	return groth.NewVerifyingKey(&vk, c.publicInputs)
}

// VerifierKeys returns the verifying keys with their versions.
func (s *Set) VerifierKeys() statement.Keys {
	key := func(f statement.Family) *statement.CircuitKey {
		l := s.circuits[f]
		if l == nil {
			return nil
		}
		return &statement.CircuitKey{Version: l.version, Key: l.vk}
	}
	return statement.Keys{
		Transfer:    key(statement.FamilyTransfer),
		Register:    key(statement.FamilyRegister),
		Mint:        key(statement.FamilyMint),
		Unregulated: key(statement.FamilyTransferUnregulated),
		Recover:     key(statement.FamilyRecover),
		Claim16:     key(statement.FamilyClaim16),
		Pay8:        key(statement.FamilyPay8),
	}
}

// Families lists the families that the set has keys for, in the order of the registry, those of shapes last.
func (s *Set) Families() []statement.Family {
	var all []statement.Family
	for _, c := range registry[s.Kind] {
		all = append(all, c.family)
	}
	for _, c := range shapeRegistry[s.Kind] {
		if s.circuits[c.family] != nil {
			all = append(all, c.family)
		}
	}
	return all
}

// Entry returns the manifest's entry of a family's circuit.
func (s *Set) Entry(f statement.Family) (*CircuitEntry, error) {
	l, err := s.find(f)
	if err != nil {
		return nil, err
	}
	return l.entry, nil
}

func (s *Set) find(f statement.Family) (*loaded, error) {
	l := s.circuits[f]
	if l == nil {
		return nil, fault.Newf(fault.KeysNoCircuit, "family %d", f)
	}
	return l, nil
}

// OpenAsStated opens a directory with the network, kind and class that its manifest states. It is for tools that inspect, not
// for services.
func OpenAsStated(dir string, manifestKey []byte) (*Set, error) {
	m, _, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	kind, err := statement.ParseKind(m.Kind)
	if err != nil {
		return nil, err
	}
	return Open(dir, Expectation{
		Network: m.Network, Kind: kind, Allowed: Classes(Development, LoadTest, Ceremony), ManifestKey: manifestKey,
	})
}

// ReadManifest reads a manifest under the key that its directory names, in order to show it.
func ReadManifest(dir string) (*Manifest, [32]byte, error) {
	raw, signature, err := readSigned(dir)
	if err != nil {
		return nil, [32]byte{}, err
	}
	key, err := ManifestKey(dir)
	if err != nil {
		return nil, [32]byte{}, err
	}
	m, err := parseManifest(raw, signature, key)
	return m, sha256.Sum256(raw), err
}
