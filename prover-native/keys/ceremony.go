package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"

	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	cs "github.com/consensys/gnark/constraint/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Compiled is a circuit of a network as this build compiles it.
type Compiled struct {
	Name         string
	Version      uint32
	PublicInputs int
	Digest       [32]byte
	System       *cs.R1CS
}

// Compile returns the circuits of a kind of network, in the order of the registry.
func Compile(network string, kind statement.Kind) ([]Compiled, error) {
	circuits := registry[kind]
	if circuits == nil {
		return nil, fault.New(fault.KeysKind, "unknown kind")
	}
	n, err := statement.NewNetwork(network)
	if err != nil {
		return nil, err
	}
	var all []Compiled
	for _, c := range circuits {
		sys, err := c.build(n.Tag())
		if err != nil {
			return nil, err
		}
		all = append(all, Compiled{Name: c.name, Version: c.version, PublicInputs: c.publicInputs, Digest: sys.digest, System: sys.R1CS})
	}
	return all, nil
}

// TranscriptEntry identifies a ceremony that made a manifest's keys.
type TranscriptEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// SealedCircuit is a circuit with the keys that a ceremony made for it.
type SealedCircuit struct {
	Compiled
	ProvingKey   *groth16.ProvingKey
	VerifyingKey *groth16.VerifyingKey
}

// Sealed holds the results of the ceremonies.
type Sealed struct {
	Network     string
	Kind        statement.Kind
	Provenance  string
	CreatedAt   string // the time of the last record, so that every run of Seal writes the same bytes
	Transcripts []TranscriptEntry
	Circuits    []SealedCircuit
	Committee   *suite.Committee
}

// Seal fills an empty directory with keys of the ceremony class and signs its manifest. It writes no shares: each authority
// has its own. The bytes depend only on the ceremonies' results and on the manifest's key.
func Seal(dir string, s *Sealed, signer ed25519.PrivateKey) error {
	if err := makeEmptyDir(dir); err != nil {
		return err
	}
	m, err := s.manifest()
	if err != nil {
		return err
	}
	for i := range s.Circuits {
		e, err := s.Circuits[i].write(dir)
		if err != nil {
			return err
		}
		m.Circuits = append(m.Circuits, *e)
	}
	return signWith(dir, m, signer)
}

// Reseal fills an empty directory with the circuits' keys of another directory, bytes unchanged, and a committee whose shares
// were refreshed: the key is the same and the epoch the next one. The other directory's committee becomes a former one. It verifies the other directory's manifest under its key.
// It does not compare the circuits with those compiled here. Open does that.
func Reseal(dir, oldDir string, manifestKey ed25519.PublicKey, committee *suite.Committee, createdAt string, transcript TranscriptEntry,
	overlap Overlap, signer ed25519.PrivateKey) error {
	m, digest, err := pinnedManifest(oldDir, manifestKey)
	if err != nil {
		return err
	}
	if m.Class != Ceremony.String() {
		return fault.New(fault.KeysClass, m.Class)
	}
	was, err := m.Committee.decode()
	if err != nil {
		return err
	}
	if !follows(committee, was) {
		return fault.New(fault.CommitteeInvalid, "not the next epoch of the same key")
	}
	if err := makeEmptyDir(dir); err != nil {
		return err
	}
	m.Transcripts = append(m.Transcripts, transcript)
	if err := carryShapes(dir, oldDir, manifestKey, signer); err != nil {
		return err
	}
	return m.follow(dir, oldDir, digest, committee, createdAt, overlap, signer)
}

// follow writes a manifest with another committee, and the circuits' files of the old directory.
func (m *Manifest) follow(dir, oldDir string, oldDigest [32]byte, committee *suite.Committee, createdAt string, overlap Overlap,
	signer ed25519.PrivateKey) (err error) {
	if err := m.retire(oldDigest, createdAt, overlap); err != nil {
		return err
	}
	m.CreatedAt = createdAt
	if m.Committee, err = EncodeCommittee(committee); err != nil {
		return err
	}
	for i := range m.Circuits {
		if err := m.Circuits[i].copy(dir, oldDir); err != nil {
			return err
		}
	}
	return signWith(dir, m, signer)
}

// copy copies a circuit's files, whose names follow from the circuit's.
func (e *CircuitEntry) copy(dir, from string) error {
	if e.Name != filepath.Base(e.Name) {
		return fault.New(fault.KeysManifest, "invalid circuit name")
	}
	for _, f := range []struct {
		name  string
		entry *FileEntry
		limit int64
	}{{e.Name + ".pk", &e.ProvingKey, maxProvingKey}, {e.Name + ".vk", &e.VerifyingKey, maxVerifyingKey}} {
		if f.entry.Name == "" {
			continue // load-test keys have no proving key
		}
		b, err := f.entry.read(from, f.name, f.limit)
		if err != nil {
			return err
		}
		if _, err := write(dir, f.name, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// PinnedManifest reads a directory's manifest under a key.
func PinnedManifest(dir string, key ed25519.PublicKey) (*Manifest, error) {
	m, _, err := pinnedManifest(dir, key)
	return m, err
}

func pinnedManifest(dir string, key ed25519.PublicKey) (*Manifest, [32]byte, error) {
	raw, signature, err := readSigned(dir)
	if err != nil {
		return nil, [32]byte{}, err
	}
	m, err := parseManifest(raw, signature, key)
	return m, sha256.Sum256(raw), err
}

func (s *Sealed) manifest() (*Manifest, error) {
	if len(s.Transcripts) == 0 {
		return nil, fault.New(fault.KeysManifest, "keys of the ceremony class come from a transcript")
	}
	if _, err := statement.NewNetwork(s.Network); err != nil {
		return nil, err
	}
	committee, err := EncodeCommittee(s.Committee)
	if err != nil {
		return nil, err
	}
	return &Manifest{
		Format: manifestFormat, Network: s.Network, Kind: s.Kind.String(), Class: Ceremony.String(),
		Provenance: s.Provenance, CreatedAt: s.CreatedAt, Transcripts: s.Transcripts, Committee: committee,
	}, nil
}

func (c *SealedCircuit) write(dir string) (*CircuitEntry, error) {
	if _, err := groth.NewVerifyingKey(c.VerifyingKey, c.PublicInputs); err != nil {
		return nil, err
	}
	described := circuit{name: c.Name, version: c.Version, publicInputs: c.PublicInputs}
	e := described.entry(&system{R1CS: c.System, digest: c.Digest})
	var out bytes.Buffer
	if _, err := c.ProvingKey.WriteRawTo(&out); err != nil {
		return nil, fault.New(fault.Internal, "encoding")
	}
	var err error
	if e.ProvingKey, err = write(dir, c.Name+".pk", out.Bytes(), 0o644); err != nil {
		return nil, err
	}
	e.VerifyingKey, err = writeVerifyingKey(dir, &described, c.VerifyingKey)
	return e, err
}

// makeEmptyDir makes a directory. It refuses one that already holds keys.
func makeEmptyDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fault.New(fault.KeysMissing, "the directory cannot be made")
	}
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); err == nil {
		return fault.New(fault.KeysMismatch, "the directory already holds keys")
	}
	return nil
}

// EncodeCommittee checks a committee and encodes it for a manifest.
func EncodeCommittee(c *suite.Committee) (CommitteeEntry, error) {
	if err := c.Check(); err != nil {
		return CommitteeEntry{}, err
	}
	return encodeCommittee(c)
}

// Decode reads and checks a committee.
func (e *CommitteeEntry) Decode() (*suite.Committee, error) { return e.decode() }

// EncodeShare encodes an authority's secrets in the form of share files of the ceremony class. Callers wipe the result.
func EncodeShare(share *suite.Share, noteKeySeed []byte) ([]byte, error) {
	file := shareFile{Index: share.Index(), Class: Ceremony.String(), NoteKeySeed: append([]byte(nil), noteKeySeed...)}
	file.X, file.Y = share.Encode()
	defer file.wipe()
	raw, err := json.Marshal(&file)
	if err != nil {
		return nil, fault.New(fault.Internal, "encoding")
	}
	return append(raw, '\n'), nil
}

// DecodeShare reads the output of EncodeShare, of this version or of one from before shares had a class. Callers close the
// share and wipe the seed.
func DecodeShare(raw []byte) (share *suite.Share, noteKeySeed []byte, err error) {
	var file shareFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, nil, fault.New(fault.ShareInvalid, "not a share file")
	}
	defer file.wipe()
	if file.Class != "" && file.Class != Ceremony.String() {
		return nil, nil, fault.New(fault.KeysClass, file.Class)
	}
	if len(file.NoteKeySeed) != ed25519.SeedSize {
		return nil, nil, fault.New(fault.ShareInvalid, "invalid seed of the note key")
	}
	if share, err = suite.NewShare(file.Index, file.X, file.Y); err != nil {
		return nil, nil, err
	}
	return share, append([]byte(nil), file.NoteKeySeed...), nil
}

// Digests returns the SHA-256 of a circuit's proving and verifying key in the form that Seal writes.
func Digests(c *SealedCircuit) ([2][32]byte, error) {
	pk, vk := sha256.New(), sha256.New()
	if _, err := c.ProvingKey.WriteRawTo(pk); err != nil {
		return [2][32]byte{}, fault.New(fault.Internal, "encoding")
	}
	if _, err := c.VerifyingKey.WriteRawTo(vk); err != nil {
		return [2][32]byte{}, fault.New(fault.Internal, "encoding")
	}
	return [2][32]byte{[32]byte(pk.Sum(nil)), [32]byte(vk.Sum(nil))}, nil
}
